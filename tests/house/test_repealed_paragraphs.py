"""Any paragraph of any game may be taken away: it is a game, or a message at the house rule that did it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.resources import shipped_games

TRIED = 2  # paragraphs of a game; the first ones declare most


def problems_without(name: str, paragraph: str, folder: Path) -> list[Diagnostic]:
    house = folder / "gone.md"
    house.write_text(f"# Gone\nWe play without it.\n\n## repeals {paragraph}\nGone.\n", encoding="utf-8")
    try:
        open_game(name, [house])
    except RulebookError as error:
        return [problem for problem in error.problems if problem.severity == "error"]
    return []


@pytest.mark.parametrize("name", shipped_games())
def test_what_is_missing_then_is_told_at_the_house_rule(name: str, tmp_path: Path) -> None:
    paragraphs = [p.id for p in open_game(name).program.paragraphs.values() if p.rules]
    every = max(1, len(paragraphs) // TRIED)
    for paragraph in {*paragraphs[:2], *paragraphs[every - 1 :: every]}:
        for problem in problems_without(name, paragraph, tmp_path):
            assert problem.span.file.path.name == "gone.md", (paragraph, problem.message)


def test_a_table_of_names_without_its_scale_is_no_riddle(tmp_path: Path) -> None:
    """The scale was once looked up where its names were compared, and a quantity of its name hid the loss."""
    told = [problem.message for problem in problems_without("fortress_berlin", "8.0", tmp_path)]
    assert 'there is no enumeration "letter", because "Gone" repeals 8.0' in told
