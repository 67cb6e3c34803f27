"""A house rule declares what it needs to remember in a sentence, for a class that the game declares."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.diagnostics import errors
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files, read_house_files
from tests.language.test_cases import little_game

RULES = """
phase game
    do march(blue)
    end game: drawn "over"
procedure march(unit)
    move unit to b
"""
HOUSE = """# Blisters
Marching hurts.

## after 1 → 2 Sore feet
```rules
unit may be sore "has sore feet"
unit has blisters: number = 1
after unit enters town when unit is not sore:
    mark unit as sore
    add 1 to unit.blisters
    if unit.blisters > 1: note "ouch"
```
"""


def test_a_sentence_opens_a_class_of_the_game(tmp_path: Path) -> None:
    source, problems = load_game(little_game(tmp_path / "little", RULES))
    assert source is not None
    assert problems == []
    path = tmp_path / "blisters.md"
    path.write_text(HOUSE, encoding="utf-8")
    amended, problems = apply_house_files(source, read_house_files(source.directory, [path]))
    program, found = check(amended)
    assert errors([*problems, *found]) == []
    assert program is not None
    assert {("piece", "sore"), ("piece", "blisters")} <= program.world.attributes.keys()
