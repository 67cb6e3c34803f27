"""A program and everything that is tried with it: the answer is a word, a failure is made small and shown."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fuzzing.commands import commands
from tests.fuzzing.generated import Generated, game_of
from tests.fuzzing.shrinking import Files, failing, shrunk, written
from tests.fuzzing.trials import TRIALS, Accepted, Found, Trial, amended, layouts, opened
from tests.fuzzing.twinned import twins

REFUSED, PLAYED = "refused", "played"
SIZES = (1, 2, 2, 3)
EVERY_LAYOUT, EVERY_COMMAND = 4, 200  # these take long: only one program in so many is asked
# Thousands of small files that nobody reads twice: where there is a file system in memory, they go there.
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None


def numbered(number: int) -> Generated:
    """The program with this number, of its size."""
    return game_of(number, SIZES[number % len(SIZES)])


def trials_of(number: int) -> list[Trial]:
    """What is tried with the program of this number."""
    found = [trial for trial in TRIALS if trial is not layouts or number % EVERY_LAYOUT == 0]
    found.append(twins)
    if number % EVERY_COMMAND == 0:
        found.append(commands)
    return found


def tried(number: int, trials: Sequence[Trial] | None = None) -> str:
    """Whether the checker refused it or it was played; raises `Found`."""
    generated = numbered(number)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as place:
        directory = generated.write(Path(place))
        return tried_in(directory, generated.disciplined, number, trials)


def tried_in(directory: Path, disciplined: bool, number: int, trials: Sequence[Trial] | None = None) -> str:
    game = opened(directory)
    if game is None:
        return REFUSED
    accepted = Accepted(game, directory, disciplined, number)
    for trial in trials_of(number) if trials is None else trials:
        trial(accepted)
    if trials is None:
        amended(accepted)
    return PLAYED


def kind_of(directory: Path, disciplined: bool, number: int, trials: Sequence[Trial] | None = None) -> str:
    """The kind of failure in a directory, empty when there is none."""
    try:
        tried_in(directory, disciplined, number, trials)
    except Found as found:
        return found.kind
    return ""


def smallest(number: int, kind: str, seconds: float) -> Files:
    """The files of a failing program, made small."""
    generated = numbered(number)
    files = {**generated.files, **generated.house}
    return shrunk(files, failing(kind, lambda place: kind_of(place, generated.disciplined, number)), seconds)


__all__ = ["PLAYED", "REFUSED", "Found", "kind_of", "numbered", "smallest", "tried", "tried_in", "written"]
