"""Random single edits: either a clear error with file and line, or a game that checks, plays, and whose diff
names exactly what was changed. `make bars` makes 300 edits, with 20 games for each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import oracles  # noqa: F401  (makes `benchmarks` importable)
import pytest

from benchmarks.promises.amending import PLAYS, edited
from tests.house_rules import FORD

GAMES = Path(__file__).parent.parent / "games"
# The directory, the edits and the games of a short run, and how many decisions of a game are then played.
PLACES = [
    pytest.param(FORD, 60, 2, 2_000, id="ford"),
    pytest.param(GAMES / "tutorial" / "skirmish", 40, 2, 2_000, id="skirmish"),
    pytest.param(GAMES / "race_for_berlin", 12, 1, 150, id="race_for_berlin"),
]


@pytest.mark.parametrize(("directory", "edits", "games", "decisions"), PLACES)
def test_random_edits(directory: Path, edits: int, games: int, decisions: int) -> None:
    outcomes = Counter(edited(directory, number, games, decisions) for number in range(edits))
    assert outcomes[PLAYS] >= edits / 2, outcomes
