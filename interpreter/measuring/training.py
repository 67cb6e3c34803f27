"""Tuning how the computer opponent weighs the terms of a rulebook's value, by results of games.

In each trial all weights are moved a little, each up or down by lot; who reckons with them so plays one
who has them moved the other way, once in each seat, both looking through the reply (the search is part
of what is tuned). The weights then follow the winner (simultaneous perturbation). At the end the tuned
weights play the printed ones, with other seeds: only that tells what the tuning is worth.

Trials of a batch start from the same weights, and a batch is as large for one process as for many: the
result does not depend on the number of jobs. Every trial is kept as it ends; a run that was cut goes
on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path

from interpreter.agents.budget import Tries
from interpreter.agents.planning import PlanningAgent
from interpreter.agents.seats import agent_seed
from interpreter.agents.sight import Sight, rewards
from interpreter.agents.valuing import AS_PRINTED, PRINTED, Weights, labels
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.growing_file import GrowingFile
from interpreter.measuring.statistics import wilson
from interpreter.playing.game import Game, open_game
from interpreter.running.dice import fair_number
from rulesdsl.base.diagnostics import UsageError

BATCH = 8  # trials that start from the same weights
STEP = 0.25  # by how much a weight is moved in a trial, as a logarithm
FIRST_STRIDE = 0.30  # how far weights follow a trial that was won in all seats, at the beginning
LEAST, MOST = 10, 1_000  # hundredths
MOST_DECISIONS = 20_000

Task = tuple[str, Weights, Weights]  # the name of a trial, and who plays whom
Played = dict[str, float]  # name of a trial → share of the points
Results = Callable[[Sequence[Task]], Iterator[tuple[str, float]]]  # trials are played, and told in any order


@dataclass(frozen=True)
class Course:
    """Everything that decides how a training goes."""

    game: Path
    scenario: str | None
    seed: str
    tries: int


@dataclass(frozen=True)
class Trained:
    """What came of it."""

    weights: Weights
    games: int
    won: float  # share of the points against the printed weights
    interval: tuple[float, float]
    checked: int  # games of that check

    @property
    def helps(self) -> bool:
        return self.interval[0] > 0.5


def train(
    course: Course, trials: int, checks: int, jobs: int, kept_in: Path | None,
    report: Callable[[], None] | None = None, results: Results | None = None,
) -> Trained:  # fmt: skip
    """Tune in so many trials, then play so many games in each seat to see what it is worth; `results` plays
    them, unless so many processes of this machine do."""
    global _hall
    _hall = hall = Hall(course)
    names = labels(hall.ruleset.program)
    if len(names) < 2:
        raise UsageError("nothing to tune: the value of this rulebook has no two terms with a label")
    results = results or partial(_results, course=course, jobs=jobs)
    with closing(_Log(kept_in, course, names, trials)) as log:
        return _trained(course, names, trials, checks, lambda tasks: log.played(tasks, results, report))


def _trained(
    course: Course, names: Sequence[str], trials: int, checks: int,
    played: Callable[[Sequence[Task]], Played],
) -> Trained:  # fmt: skip
    assert _hall is not None
    logs = [0.0] * len(names)
    for first in range(0, trials, BATCH):
        numbers = range(first, min(trials, first + BATCH))
        moved = {n: _signs(course.seed, n, len(names)) for n in numbers}
        points = played([
            (f"trial {n}", _weights(names, logs, moved[n], STEP), _weights(names, logs, moved[n], -STEP))
            for n in numbers
        ])  # fmt: skip
        stride = FIRST_STRIDE / (1 + first / max(1, trials) * 4)
        for n in numbers:
            gain = 2 * points[f"trial {n}"] - 1
            logs = [x + stride * gain * sign for x, sign in zip(logs, moved[n], strict=True)]
    found = _weights(names, logs, [0] * len(names), 0.0)
    checked = played([(f"check {n}", found, PRINTED) for n in range(checks)])
    seats = len(_hall.ruleset.seats.ids)
    games = checks * seats
    won = sum(checked.values()) / max(1, checks)
    return Trained(
        found, trials * seats, won, wilson(round(won * games), games) if games else (0.0, 1.0), games
    )


def _signs(seed: str, number: int, count: int) -> list[int]:
    return [1 if fair_number(seed, "moved", number, term, 2) else -1 for term in range(count)]


def _weights(names: Sequence[str], logs: Sequence[float], signs: Sequence[int], step: float) -> Weights:
    return tuple(
        (name, max(LEAST, min(MOST, round(AS_PRINTED * math.exp(x + step * sign)))))
        for name, x, sign in zip(names, logs, signs, strict=True)
    )


# ---- games -----------------------------------------------------------------------------------------------
class Hall:
    """The game that is played, in this process."""

    def __init__(self, course: Course, game: Game | None = None) -> None:
        self.course = course
        self.game = game or open_game(course.game)
        self.scenario = self.game.scenario(course.scenario)
        self.ruleset: Ruleset = self.game.ruleset({}, self.scenario)

    def points(self, task: Task) -> tuple[str, float]:
        """What one set of weights wins against another, each seat once: its share of the points."""
        name, mine, others = task
        seats = self.ruleset.seats.index
        fair = 1 / len(seats)
        gained = [self._game(f"{self.course.seed}/{name}", seat, mine, others) for seat in seats]
        mean = sum(gained) / len(gained)  # a fair share is half of the points, with however many players
        return name, 0.5 * mean / fair if mean <= fair else 0.5 + 0.5 * (mean - fair) / (1 - fair)

    def _game(self, seed: str, seat: str, mine: Weights, others: Weights) -> float:
        index = self.ruleset.seats.index
        agents = {
            number: PlanningAgent(
                agent_seed(seed, player), Tries(self.course.tries), weights=mine if player == seat else others
            )
            for player, number in index.items()
        }
        machine = self.ruleset.new_machine(self.scenario, seed, traced=False)
        machine.begin()
        decision = 0
        while machine.pending is not None and decision < MOST_DECISIONS:
            machine.choose(agents[machine.pending.who].choose(Sight.of(self.ruleset, machine), decision))
            decision += 1
        if machine.outcome is None:
            return 1 / len(index)
        return rewards(machine, index.values())[index[seat]]


_hall: Hall | None = None


def _sit_down(course: Course) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that collects
    global _hall
    if _hall is None:  # a forked process finds it there, compiled
        _hall = Hall(course)


def _points(task: Task) -> tuple[str, float]:
    assert _hall is not None
    return _hall.points(task)


def _results(tasks: Sequence[Task], course: Course, jobs: int) -> Iterator[tuple[str, float]]:
    if jobs <= 1 or len(tasks) <= 1:
        yield from map(_points, tasks)
        return
    method = "fork" if "fork" in get_all_start_methods() else "spawn"
    with get_context(method).Pool(min(jobs, len(tasks)), partial(_sit_down, course)) as pool:
        yield from pool.imap(_points, tasks)


class _Log:
    """Trials that are over, one JSON object a line; what belongs to another training is refused.

    The number of trials belongs to its head: how far weights follow a trial depends on it, so the same trial
    of a longer training is played with other weights.
    """

    def __init__(self, path: Path | None, course: Course, names: Iterable[str], trials: int) -> None:
        assert _hall is not None
        self.known: Played = {}
        self.file: GrowingFile | None = None
        if path is None:
            return
        head = {"course": course.seed, "tries": course.tries, "scenario": course.scenario, "trials": trials,
                "rules": _hall.game.program.content_hash, "terms": [*names]}  # fmt: skip
        self.file = GrowingFile(path, "--log", "keeping its trials", json.dumps(head) + "\n")
        try:
            if self.file.content:
                self._read(path, self.file.content, head)
        except BaseException:
            self.file.close()
            raise

    def _read(self, path: Path, content: bytes, head: dict[str, object]) -> None:
        try:
            first, *lines = [json.loads(line) for line in content.decode("utf-8").splitlines() if line]
            if first != head:
                raise UsageError(f"{path} belongs to another training: name another file")
            self.known = {str(line["name"]): _share(line["points"]) for line in lines}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise UsageError(f"{path} is no file of a training, or it is damaged") from None

    def played(self, tasks: Sequence[Task], results: Results, report: Callable[[], None] | None) -> Played:
        """What came of these trials, those of earlier runs included."""
        missing = [task for task in tasks if task[0] not in self.known]
        for _ in range(len(tasks) - len(missing)):
            if report is not None:
                report()
        for name, points in results(missing) if missing else ():
            self.known[name] = points
            if self.file is not None:
                self.file.append(json.dumps({"name": name, "points": points}) + "\n")
            if report is not None:
                report()
        return {task[0]: self.known[task[0]] for task in tasks}

    def close(self) -> None:
        if self.file is not None:
            self.file.close()


def _share(points: object) -> float:
    """A share of points as it was written down; anything else would move weights to nowhere."""
    if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 <= points <= 1:
        raise ValueError("no share of points")
    return float(points)
