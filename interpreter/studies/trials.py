"""`--on` for `rulesdsl train`: its trials are given out like batches of games, and lost ones again.

A trial is known by its name and says how it is played; which worker plays it makes no difference, so the
weights that come out do not depend on where they were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from interpreter.measuring.training import Course, Hall, Results, Task
from interpreter.playing.game import Game, open_game
from interpreter.studies.batches import Order
from interpreter.studies.carrying import carry
from interpreter.studies.hiring import make_crew


@dataclass(frozen=True)
class Trials:
    """Some trials of one course, as they are ordered."""

    course: Course
    tasks: tuple[Task, ...]

    def game_seed(self, number: int) -> str:
        return f"{self.course.seed}/{self.tasks[number][0]}"

    def named(self) -> str:
        return repr((replace(self.course, game=Path()), self.tasks))

    def table(self, game: Game) -> TrialTable:
        return TrialTable(self, game)


class TrialTable:
    """Where they are played."""

    def __init__(self, trials: Trials, game: Game) -> None:
        self.trials, self.hall = trials, Hall(trials.course, game)

    def prepare(self, many: bool) -> None:
        """Nothing is compiled that a first decision would not compile."""

    def records(self, numbers: Sequence[int], many: bool) -> Iterator[tuple[str, float]]:
        return (self.hall.points(self.trials.tasks[number]) for number in numbers)


@contextmanager
def trials_on(course: Course, jobs: int, on: str) -> Iterator[Results]:
    """What plays trials on a cluster, as long as it is needed."""
    carried = carry(open_game(course.game))
    crew = make_crew(jobs, on)

    def results(tasks: Sequence[Task]) -> Iterator[tuple[str, float]]:
        order = Order(0, Trials(course, tuple(tasks)), carried.hash, many=False)
        for played in crew.play([(order, range(len(tasks)))], {carried.hash: carried}):
            yield from played.records

    try:
        yield results
    finally:
        crew.close()
