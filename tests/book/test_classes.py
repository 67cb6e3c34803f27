"""Classes of pieces and spaces: what is certainly of another class than the one wanted is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check

MAP = """kind: areas
spaces:
  zone: [{id: hill, name: Hill}, {id: mill, name: Mill}]
  box: [{id: reserve, name: Reserve}]
borders: [{between: [hill, mill]}]
"""
PIECES = """source: rulebook
pieces:
  unit: [{id: guards, name: Guards, start: hill, led_by: marshal}]
  leader: [{id: marshal, name: Marshal, start: hill}]
"""
HEAD = """# Classes
## 1 Rules
```rules
space zone
    printed points: number = 0
space box plural boxes
piece unit
    printed led_by: leader
    tired: flag
piece leader
    rank: number = 1
record battle
    attackers: set of units
    target: zone
    chief: leader
track base: zone = hill
define many(units) = number of units
define held(zone) = some unit in zone
define steady(unit) = unit is not tired
define senior(leader) = leader.rank > 1
define near(unit, leader) = unit.at is leader.at
phase game
    do course
    end game: drawn "nothing to do"
"""


@pytest.fixture
def problems(tmp_path: Path) -> Callable[..., list[Diagnostic]]:
    def found(rules: str, pieces: str = PIECES) -> list[Diagnostic]:
        directory = tmp_path / "classes"
        (directory / "rules").mkdir(parents=True, exist_ok=True)
        (directory / "game.yaml").write_text(
            "game: classes\ntitle: Classes\nplayers: [{id: red, name: Red}, {id: blue, name: Blue}]\n"
        )
        (directory / "map.yaml").write_text(MAP)
        (directory / "pieces.yaml").write_text(pieces)
        body = "\n".join(f"    {line}" for line in rules.split("\n"))
        (directory / "rules" / "01.md").write_text(f"{HEAD}procedure course\n{body}\n```\n")
        source, problems = load_game(directory)
        if source is not None:
            problems = [*problems, *check(source)[1]]
        return [p for p in problems if p.severity == "error"]

    return found


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ('note "{}", many(leaders in hill)', "this should be a set of units, but it is a set of leaders"),
        ('note "{}", many(marshal)', "this should be a set of units, but it is a set of leaders"),
        ('note "{}", held(reserve)', "this should be a zone or none, but it is a box"),
        ('note "{}", senior(the unit in hill)', "this should be a leader or none, but it is a unit or none"),
        ("set base to reserve", "this should be a zone or none, but it is a box"),
        (
            "with battle(attackers: leaders): leave",
            "this should be a set of units, but it is a set of leaders",
        ),
        ("with battle(target: reserve): leave", "this should be a zone or none, but it is a box"),
        ("with battle(chief: guards): leave", "this should be a leader or none, but it is a unit"),
        ("for each unit among leaders: leave", "this should be a set of units, but it is a set of leaders"),
        ("for each unit except marshal: leave", "this should be a set of units, but it is a set of leaders"),
        ("if guards is among leaders: leave", "this should be a set of units, but it is a set of leaders"),
        ("if guards is marshal: leave", "a unit is never a leader"),
        ("if guards = marshal: leave", "a unit is never a leader"),
        ("if guards is leader: leave", "a unit is never a leader"),
        ("if marshal is steady: leave", 'a leader is never called "steady"'),
        ("if marshal is tired: leave", 'a leader is never called "tired"'),
        ("if some tired leader: leave", 'a leader is never called "tired"'),
        ("if marshal is near to guards: leave", "this should be a leader or none, but it is a unit"),
        ("mark marshal as tired", 'a leader cannot be marked as "tired"'),
        ('note "{}", guards.rank', 'a unit has no attribute "rank"'),
        ('note "{}", reserve.points', 'a box has no attribute "points"'),
    ],
)
def test_another_class_is_refused(
    problems: Callable[..., list[Diagnostic]], rules: str, message: str
) -> None:
    assert [p.message for p in problems(rules)] == [message]


@pytest.mark.parametrize(
    "rules",
    [
        "for each piece:\n    if it is leader: leave",
        "for each piece in hill:\n    if it is tired: leave",
        'note "{}", many(pieces in hill)',  # some of them may be units
        "for each piece among union(units, leaders):\n    if it is leader: leave",
        "if guards.at is reserve: leave",
        "if guards is near to marshal: leave",
        "let place = if guards is tired then hill else reserve\nif place is reserve: leave",
        "with battle(attackers: guards, target: hill, chief: guards.led_by): leave",
    ],
)
def test_what_may_be_of_the_class_is_accepted(problems: Callable[..., list[Diagnostic]], rules: str) -> None:
    assert problems(rules) == []


def test_a_data_file_names_a_thing_of_another_class(problems: Callable[..., list[Diagnostic]]) -> None:
    wrong = PIECES.replace("led_by: marshal", "led_by: guards")
    assert [p.message for p in problems("leave", wrong)] == ['"guards" is no leader ("led_by")']


def test_a_misspelt_class_is_told_once(problems: Callable[..., list[Diagnostic]]) -> None:
    """Its attributes belong to the word that was declared, and nobody is told that they are missing."""
    wrong = PIECES.replace("  unit:", "  regiment:")
    assert [p.code for p in problems("if guards is tired: leave", wrong)] == ["undeclared-class"]
