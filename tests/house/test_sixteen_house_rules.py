"""Sixteen house rules that an outsider wanted to write: said whole, all of a game at once, with examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.measuring.examples import rules_for, run_example
from interpreter.playing.game import Game
from rulesdsl.base.resources import data_dir
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files

SIXTEEN = Path(__file__).parents[1] / "testdata" / "house" / "sixteen"
ALWAYS_RUN = ("downfall_of_the_third_reich",)
GAMES = sorted(path.name for path in SIXTEEN.iterdir())


def test_there_are_sixteen() -> None:
    numbers = sorted(path.name[:2] for path in SIXTEEN.glob("*/*.md"))
    assert numbers == [f"{number:02}" for number in range(1, 17)]


@pytest.mark.parametrize("name", GAMES)
def test_all_of_a_game_stand_together(name: str) -> None:
    """None is rewritten for another, the order decides nothing, and each does what it says."""
    printed, _ = load_game(data_dir("games") / name)
    assert printed is not None
    paths = sorted((SIXTEEN / name).glob("*.md"))
    files = [read_source(path, 100_000) for path in paths]
    source, problems = apply_house_files(printed, files[::-1])
    assert [p.message for p in problems] == []
    program, problems = check(source)
    assert program is not None, [(p.message, p.span.file.path.name, p.span.line) for p in problems]
    assert [p.message for p in problems if p.span.file.path in paths] == []
    if name not in ALWAYS_RUN and os.environ.get("RULESDSL_BARS") != "full":
        return  # to compile the largest games for three examples each takes seconds
    game = Game(source, program, (), printed, tuple(files))
    examples = [example for example in program.examples if example.source.span.file.path in paths]
    assert {example.source.span.file.path for example in examples} == {*paths}
    for example in examples:
        result = run_example(game, rules_for(game, example), example)
        assert [str(problem) for problem in result.problems] == [], example.source.span.file.path.name
