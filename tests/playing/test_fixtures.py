"""Proof of generality: hard paragraphs of five rulebooks, transcribed, checked, compiled and played."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from interpreter.compiling.ruleset import Ruleset, resolve_settings
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from rulesdsl.base.diagnostics import render
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check

FIXTURES = Path(__file__).parents[1] / "testdata" / "fixtures"
NAMES = ("battle_for_germany", "downfall", "east_front", "fortress_berlin", "race_for_berlin")
LEAST_PARAGRAPHS = 12  # of each rulebook
LEAST_IN_ALL = 70
GAMES = 20
MOST_DECISIONS = 20_000


@cache
def fixture(name: str) -> Game:
    return open_game(FIXTURES / name)


def transcribed(name: str) -> list[str]:
    """Printed paragraphs that the engine carries out; what stands in for lost rules does not count."""
    paragraphs = fixture(name).program.paragraphs.values()
    return [p.id for p in paragraphs if p.rules and not p.title.startswith("Stand-in")]


@pytest.mark.parametrize("name", NAMES)
def test_a_fixture_checks_without_error_or_warning(name: str) -> None:
    source, problems = load_game(FIXTURES / name)
    assert source is not None
    program, found = check(source)
    assert not [render(p) for p in [*problems, *found]]
    assert program is not None


@pytest.mark.parametrize("name", NAMES)
def test_its_examples_hold(name: str) -> None:
    results = run_examples(fixture(name))
    assert results
    assert not [(r.paragraph, r.problems) for r in results if not r.passed]


@pytest.mark.parametrize("name", NAMES)
def test_it_compiles_both_ways_and_random_games_end(name: str) -> None:
    game = fixture(name)
    ruleset = Ruleset(game.program, game.source.scenarios, resolve_settings(game.program, {}))
    scenario = game.source.scenarios[game.source.game.scenario]
    assert ruleset.full.source
    for seed in range(GAMES):
        machine = ruleset.new_machine(scenario, str(seed), traced=False)
        play(machine, random.Random(seed))
        assert machine.outcome is not None


@pytest.mark.parametrize("name", NAMES)
def test_with_and_without_a_log_the_game_is_the_same(name: str) -> None:
    game = fixture(name)
    ruleset = Ruleset(game.program, game.source.scenarios, resolve_settings(game.program, {}))
    scenario = game.source.scenarios[game.source.game.scenario]
    ends = []
    for traced in (False, True):
        machine = ruleset.new_machine(scenario, "same", traced)
        play(machine, random.Random(7))
        ends.append((machine.s, machine.outcome))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_other_readings_play_too(name: str) -> None:
    """Every ambiguous paragraph read the other way, all at once."""
    game = fixture(name)
    others = {
        s.name: next(a for a in s.alternatives if s.alternatives.index(a) != s.default)
        for s in game.program.settings.values()
        if s.kind == "reading"
    }
    assert others
    ruleset = Ruleset(game.program, game.source.scenarios, resolve_settings(game.program, others))
    for seed in range(3):
        machine = ruleset.new_machine(game.scenario(), str(seed), traced=False)
        play(machine, random.Random(seed))
        assert machine.outcome is not None


def play(machine: Machine, dice: random.Random) -> None:
    """Random choices to the end of the game."""
    machine.begin()
    for _ in range(MOST_DECISIONS):
        if machine.pending is None:
            return
        machine.choose(machine.pending.at_random(dice))
    pytest.fail("the game does not come to an end")


def test_there_are_enough_paragraphs_of_every_rulebook() -> None:
    counts = {name: len(transcribed(name)) for name in NAMES}
    print(counts, sum(counts.values()))
    assert min(counts.values()) >= LEAST_PARAGRAPHS
    assert sum(counts.values()) >= LEAST_IN_ALL


def test_everything_that_was_asked_for_is_there() -> None:
    wanted = {
        "race_for_berlin": ("2.3.2", "8.2.2", "8.3.2", "8.3.3", "8.3.4", "8.3.5"),
        "fortress_berlin": ("3.2.1", "3.4.1", "3.5.1", "3.5.2", "8.3.2", "8.4.2", "8.5.1", "8.7", "8.10"),
        "downfall": ("7", "13.1", "16", "17"),
        "battle_for_germany": ("4-0", "5-41", "6-2", "6-82", "7-21", "8-0", "9-1"),
        "east_front": ("16.6.6", "11.4.3i", "odds 1", "drm 1", "21.0"),
    }
    for name, paragraphs in wanted.items():
        assert not set(paragraphs) - set(transcribed(name))
