"""Random single edits: either a clear error with file and line, or a game that checks, plays, and whose diff
names exactly what was changed. `make bars` makes 300 edits, with 20 games for each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.kit.house_rules import FORD
from tests.promises import amending
from tests.promises.amending import PLAYS, edited
from tests.promises.keeping import Broken, counted
from tests.promises.random_edits import RandomEdit

GAMES = Path(__file__).parents[2] / "games"
# The directory, the edits and the games of a short run, and how many decisions of a game are then played.
PLACES = [
    pytest.param(FORD, 60, 2, 2_000, id="ford"),
    pytest.param(GAMES / "tutorial" / "skirmish", 40, 2, 2_000, id="skirmish"),
    pytest.param(GAMES / "race_for_berlin", 8, 1, 100, id="race_for_berlin"),
]


@pytest.mark.parametrize(("directory", "edits", "games", "decisions"), PLACES)
def test_random_edits(directory: Path, edits: int, games: int, decisions: int) -> None:
    outcomes = Counter(edited(directory, number, games, decisions) for number in range(edits))
    assert outcomes[PLAYS] >= edits / 2, outcomes


# ---- the measurement itself can fail -----------------------------------------------------------------
LIES = [
    ("1", "set r1.strength = 5", ("piece", "r1", "strength[1]", "6")),
    ("1", "set r1.strength = 5", ("piece", "r1", "strength[2]", "5")),
    ("1.1", "set parameter last_turn = 7", ("paragraph", "1.1", "", "parameter last_turn: 6 → 8")),
    ("4.1", 'repeal "walls"', ("paragraph", "4.1", '-1 when target.terrain is woods "woods"', "")),
]


@pytest.mark.parametrize(("paragraph", "statement", "named"), LIES)
def test_a_diff_that_says_something_else_is_found(
    monkeypatch: pytest.MonkeyPatch, paragraph: str, statement: str, named: tuple[str, ...]
) -> None:
    edit = RandomEdit(paragraph, statement, frozenset({named}))
    monkeypatch.setattr(amending, "numbered_edit", lambda *_: edit)
    with pytest.raises(Broken, match="the diff names"):
        edited(FORD, 0, 0)


def test_that_a_few_games_play_is_not_enough() -> None:
    attempts = [
        (str(number), lambda number=number: PLAYS if number < 4 else "refused") for number in range(9)
    ]
    assert counted("", attempts).failed == 0
    assert counted("", attempts, most=PLAYS).failed == 1
    assert counted("", attempts[:8], most=PLAYS).failed == 0
