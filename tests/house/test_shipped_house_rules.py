"""The house rules that come with games: short, with examples that hold, alone and in every pair.

`make bars` plays 20 whole games with each of them and with each pair.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game, open_game
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.house.applying import shipped_house_rules
from rulesdsl.house.differences.rule_diff import diff_rules
from tests.kit.house_rules import play

MOST_LINES = 20
GAMES = {name: shipped_house_rules(data_dir("games") / name) for name in shipped_games()}
SINGLE = [(game, (name,)) for game, names in GAMES.items() for name in names]
PAIRS = [(game, pair) for game, names in GAMES.items() for pair in combinations(names, 2)]


@cache
def opened(game: str, names: tuple[str, ...]) -> Game:
    return open_game(game, [Path(name) for name in names])


@pytest.mark.parametrize(("game", "names"), SINGLE)
def test_each_is_short_and_has_an_example_that_holds(game: str, names: tuple[str, ...]) -> None:
    with_rules = opened(game, names)
    (rule,) = with_rules.source.house
    assert len(rule.file.text.rstrip("\n").split("\n")) <= MOST_LINES
    assert rule.title
    assert rule.reason
    own = [example for section in rule.sections for example in section.examples]
    assert own
    # Printed examples may fail: that is what the house rule changes.
    every = [one for section in rule.sections for one in run_examples(with_rules, section.paragraph)]
    results = [result for result in every if result.span.file.path == rule.file.path]
    assert len(results) == len(own)
    assert [result for result in results if not result.passed] == []


@pytest.mark.parametrize(("game", "names"), SINGLE)
def test_each_changes_what_its_sections_say(game: str, names: tuple[str, ...]) -> None:
    source = opened(game, names).source
    assert source.base is not None
    diff = diff_rules(source.base, source)
    sections = {section.paragraph for section in source.house[0].sections}
    named = {one.id for one in diff.paragraphs} | {one.paragraph for one in diff.values}
    assert named == sections


@pytest.mark.parametrize(("game", "names"), SINGLE + PAIRS)
def test_alone_and_in_pairs(game: str, names: tuple[str, ...]) -> None:
    source = opened(game, names).source
    if len(names) == 1:
        play(source, 1, decisions=200)


@pytest.mark.parametrize("game", [game for game, names in GAMES.items() if len(names) > 2])
def test_all_together(game: str) -> None:
    play(opened(game, tuple(GAMES[game])).source, 1, decisions=200)
