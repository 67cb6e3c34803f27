"""`spellings` in a game file: labels instead of names for one value of a reading, and what can be wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from rulesdsl.base.diagnostics import RulebookError

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"
GOOD = {"setting": "words", "value": "old", "of": "unit"}


def patrol_with(tmp_path: Path, spelling: dict[str, str]) -> Path:
    """The fixture with a reading nobody asks for, an old name for its first piece, and a spelling."""
    game = tmp_path / "patrol"
    shutil.copytree(PATROL, game)
    line = ", ".join(f"{key}: {value}" for key, value in spelling.items())
    written = (game / "game.yaml").read_text(encoding="utf-8")
    (game / "game.yaml").write_text(f"{written}spellings:\n  - {{{line}}}\n", encoding="utf-8")
    pieces = (game / "pieces.yaml").read_text(encoding="utf-8")
    (game / "pieces.yaml").write_text(
        pieces.replace("{id: r1,", "{id: r1, label: Old Guard,", 1), encoding="utf-8"
    )
    chapter = game / "rules" / "01_patrol.md"
    rules = '\n## 99 Words\n```rules\nreading words: new (default), old "names changed"\n```\n'
    chapter.write_text(chapter.read_text(encoding="utf-8") + rules, encoding="utf-8")
    return game


def test_a_spelling_shows_labels_and_counts_as_a_use_of_the_reading(tmp_path: Path) -> None:
    game = open_game(patrol_with(tmp_path, GOOD))
    assert not [w for w in game.warnings if w.code == "unused"]
    shown = {
        value: game.ruleset({"words": value}).program.world.universes["piece"].names[0]
        for value in ("new", "old")
    }
    assert shown["old"] == "Old Guard"
    assert shown["new"] != "Old Guard"


@pytest.mark.parametrize(
    ("key", "wrong", "code"),
    [("setting", "wards", "unknown-name"), ("value", "odd", "unknown-name"), ("of", "zoo", "unknown-noun")],
)
def test_a_spelling_that_names_nothing_is_refused(tmp_path: Path, key: str, wrong: str, code: str) -> None:
    with pytest.raises(RulebookError) as caught:
        open_game(patrol_with(tmp_path, GOOD | {key: wrong}))
    (problem,) = [p for p in caught.value.problems if p.severity == "error"]
    assert problem.code == code
    assert wrong in problem.message
