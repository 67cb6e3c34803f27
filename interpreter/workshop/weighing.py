"""What does it do: both games are played in a process of their own, and one may watch it become clear.

The process tells now and then how it stands, and ends by itself, when it is stopped, or with us. From its
first figures on it is polite (low priority). Not before: whoever asked waits for them, and on a busy machine
a polite process gets so little that reading the rulebook alone would take a minute.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from interpreter.measuring.comparison import measure_json
from interpreter.measuring.effect import effects, effects_json
from interpreter.measuring.sequential import Sequential, conclusions
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.playing.game import Game, finish_game
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.base.limits import changed_limits, set_limits
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import load_game

MOST_PAIRS = 10_000
MOST_SECONDS = 900.0
COUNTED = 20  # pairs in which is counted what the rules do; that takes several times as long
TELL_EVERY = 0.7  # seconds
COUNT_SECONDS = 20.0  # at most: a large game is counted in fewer pairs
POLITE = 10
WORTH_COMPILING = 60  # pairs, after which a game at one go has paid for its compilation


@dataclass(frozen=True)
class Question:
    """Everything that decides the games; small enough to be sent to another process."""

    directory: str
    house: tuple[tuple[str, str], ...]  # names and texts
    scenario: str | None
    agent: str
    seed: str
    most: int = MOST_PAIRS


class Weighing:
    """A comparison that is under way. `state` is what was told last."""

    def __init__(self, question: Question) -> None:
        self.state: dict[str, Any] = {"pairs": 0, "over": False, "clear": False, "sentences": []}
        # a program of its own rather than a fork: we have threads, and it must not take part in ours
        self._process = subprocess.Popen(
            [sys.executable, "-m", "interpreter.workshop.weighing"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
        )  # fmt: skip
        told = json.dumps({"question": asdict(question), "limits": changed_limits()})
        self._listener = threading.Thread(target=self._listen, args=(told,), daemon=True)
        self._listener.start()

    def _listen(self, told: str) -> None:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError), process.stdin, process.stdout:
            process.stdin.write(told)
            process.stdin.close()
            for line in process.stdout:
                self.state = json.loads(line)
        process.wait()
        if not self.state["over"]:  # ended from outside
            self.state = {**self.state, "over": True, "stopped": True}

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._listener.join(5)
        if not self.state["over"]:  # a busy machine has not ended it yet; it will, and nobody waits for it
            self.state = {**self.state, "over": True, "stopped": True}


def main() -> None:
    """The other process: the question comes by standard input, how it stands goes out line by line. When
    nobody listens any more, writing fails and it ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who serves; he ends us
    told = json.load(sys.stdin)
    given = told["question"]
    question = Question(**{**given, "house": tuple((name, text) for name, text in given["house"])})
    set_limits(told["limits"])

    polite = False

    def tell(state: dict[str, Any]) -> None:
        nonlocal polite
        sys.stdout.write(json.dumps(state, allow_nan=False) + "\n")
        sys.stdout.flush()
        if state["pairs"] and not polite:
            polite = True
            with suppress(OSError, AttributeError):
                os.nice(POLITE)

    with suppress(BrokenPipeError):
        try:
            for state in weigh(question):
                tell(state)
        except RulebookError as error:
            tell(_ended(error.problems[0].message))
        except (UsageError, RunawayRule) as error:
            tell(_ended(str(error)))


def _ended(why: str) -> dict[str, Any]:
    return {"pairs": 0, "over": True, "clear": False, "sentences": [], "error": why}


def weigh(question: Question) -> Iterator[dict[str, Any]]:
    """How it stands, again and again, until it is clear."""
    source, problems = load_game(Path(question.directory))
    if source is None:
        raise RulebookError(problems)
    house = [SourceFile(Path(name), text) for name, text in question.house]
    tables = [_table(question, finish_game(source, problems, files)) for files in ([], house)]
    players = {p: n for t in tables for p, n in zip(t.players.ids, t.players.names, strict=True)}
    so_far, counted = Sequential(players), list[tuple[GameRecord, GameRecord]]()
    began = told = monotonic()
    counting = False
    yield _state(tables[1], so_far, counted, False)
    for number in range(question.most):
        if counting != (counting := number < COUNTED and (number < 3 or monotonic() - began < COUNT_SECONDS)):
            tables = [table.counting_rules(counting) for table in tables]
        one, other = (table.play(number, at_one_go=number >= WORTH_COMPILING) for table in tables)
        so_far.add(one, other)
        if counting:
            counted.append((one, other))
        late = monotonic() - began > MOST_SECONDS
        if so_far.clear or late:
            break
        if monotonic() - told > TELL_EVERY:
            told = monotonic()
            yield _state(tables[1], so_far, counted, False)
    yield _state(tables[1], so_far, counted, True)


def _table(question: Question, game: Game) -> Table:
    seats = dict.fromkeys(game.ruleset({}, game.scenario(question.scenario)).seats.ids, question.agent)
    setup = Setup(Path(question.directory), (), question.scenario, {}, seats, question.seed)
    return Table(setup, game)


def _state(
    table: Table, so_far: Sequential, counted: Sequence[tuple[GameRecord, GameRecord]], over: bool
) -> dict[str, Any]:
    comparison = so_far.comparison()
    return {
        "pairs": so_far.games, "failed": so_far.failed, "same": so_far.same, "over": over,
        "clear": so_far.clear, "seed": table.setup.seed, "counted": len(counted),
        "measures": [measure_json(measure) for measure in comparison.measures],
        "sentences": conclusions(so_far),
        "effects": effects_json(effects(table.game, counted)),
    }  # fmt: skip


if __name__ == "__main__":
    main()
