"""Two programs at one game: whatever they do at the same moment, no answered decision is lost."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from interpreter.keeping.held_file import SaveInUse
from interpreter.keeping.saves import load, verify
from rulesdsl import Journal, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.keeping import Keeper
from tests.promises import PATROL, Outcome, opened, play_on

DECISIONS = 5  # of each program, unless the game is over before
LATEST = 0.03  # seconds by which one may come later than the other
Program = Callable[[Path, int, Callable[[str], None]], None]


def races(count: int) -> Outcome:
    """Two processes let go at once: both begin, both go on, one gives up what the other opens, one saves
    over what the other plays. Every answered decision is in the file, which verifies."""
    outcome = Outcome()
    rng = Random(11)
    game = opened(PATROL)
    game.ruleset().full  # noqa: B018  (compiled once, before the children are made)
    told = answered = 0
    kinds = (_at_the_beginning, _going_on, _giving_up, _from_a_save, _saving_over)
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            path = Path(place) / f"{number}.save"
            one, other = kinds[number % len(kinds)](path, rng)
            said = _race(path, (one, other), rng)
            outcome.done += 1
            told += sum(line == "in use" for line in said)
            wrong, kept = _missing(path, [line for line in said if line != "in use"])
            answered += kept
            if wrong:
                outcome.failure(f"race {number} ({kinds[number % len(kinds)].__name__}): {wrong}")
            left = [found.name for found in Path(place).iterdir() if found.name.startswith(".")]
            if left:
                outcome.failure(f"race {number}: {left} stayed behind")
                break
    outcome.note = f"{answered} answered decisions; {told} times somebody was told who has the game"
    return outcome


# ---- what the two programs do
def _at_the_beginning(path: Path, rng: Random) -> tuple[Program, Program]:
    return _play, _play


def _going_on(path: Path, rng: Random) -> tuple[Program, Program]:
    session = Journal.begin(Session.start(opened(PATROL), seed=1), path)
    play_on(session, rng, rng.randrange(1, 12))
    _close(session)
    return _play, _play


def _giving_up(path: Path, rng: Random) -> tuple[Program, Program]:
    """One begins and quits without a decision, which removes the file; the other plays in it."""
    return _begin_and_quit, _play


def _from_a_save(path: Path, rng: Random) -> tuple[Program, Program]:
    session = Session.start(opened(PATROL), seed=1)
    play_on(session, rng, rng.randrange(1, 12))
    session.save(path)
    return _play, _play


def _saving_over(path: Path, rng: Random) -> tuple[Program, Program]:
    session = Journal.begin(Session.start(opened(PATROL), seed=1), path)
    play_on(session, rng, rng.randrange(1, 12))
    _close(session)
    return _play, _save_over


def _play(path: Path, seed: int, say: Callable[[str], None]) -> None:
    keeper = Keeper.open(path, lambda: Session.start(opened(PATROL), seed=1))
    rng = Random(seed)
    for _ in range(DECISIONS):
        if keeper.session.over:
            break
        option = rng.choice(keeper.session.options)
        keeper.session.choose(option)
        say(f"{len(keeper.session.history)} {option.key}")
    keeper.close()


def _begin_and_quit(path: Path, seed: int, say: Callable[[str], None]) -> None:
    keeper = Keeper.open(path, lambda: Session.start(opened(PATROL), seed=1))
    time.sleep(Random(seed).uniform(0, LATEST))
    keeper.close()


def _save_over(path: Path, seed: int, say: Callable[[str], None]) -> None:
    """A save of the game as it was found, written over the file: what is being played must stay."""
    time.sleep(Random(seed).uniform(0, LATEST))
    with suppress(UsageError):  # there is more in it by now: it must be insisted upon
        Keeper(load(path, recover=True), None).save(path)


# ---- the race
def _race(path: Path, programs: tuple[Program, Program], rng: Random) -> list[str]:
    """Let both go at once; every line they said."""
    start = time.monotonic() + 0.01
    running = [_forked(program, path, rng.randrange(10**6), start) for program in programs]
    lines: list[str] = []
    for child, reader in running:
        with os.fdopen(reader, "rb") as stream:
            lines += stream.read().decode().splitlines()
        os.waitpid(child, 0)
    return lines


def _forked(program: Program, path: Path, seed: int, start: float) -> tuple[int, int]:
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    try:
        rng = Random(seed)
        time.sleep(max(0.0, start - time.monotonic()) + rng.choice((0.0, 0.0, rng.uniform(0, LATEST))))
        try:
            program(path, seed, lambda text: _say(writer, text))
        except SaveInUse as error:
            _say(writer, "in use" if error.holder is not None else "in use by nobody known")
        except BaseException as error:
            _say(writer, f"failed {error!r}")
    finally:
        os._exit(0)


def _say(writer: int, text: str) -> None:
    os.write(writer, f"{text}\n".encode())


def _close(session: Session) -> None:
    assert isinstance(session.recorder, Journal)
    session.recorder.close()


def _missing(path: Path, lines: list[str]) -> tuple[str, int]:
    """What is wrong with the file, given what was answered; and how many answers there were."""
    failed = [line for line in lines if line.startswith(("failed", "in use by"))]
    if failed:
        return failed[0], 0
    if not lines and not path.exists():
        return "", 0
    report = verify(path)
    if not report.ok:
        return report.problem, 0
    choices = load(path).choices
    for line in lines:
        number, key = line.split(" ", 1)
        if choices[int(number) - 1 : int(number)] != [key]:
            return f"decision {number} ({key}) was answered and is not in the file", 0
    return "", len(lines)
