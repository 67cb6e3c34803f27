"""`roll 4 d6, count 5 or more as hits`: exact chances, the same game in every way, secrets stay secrets."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from interpreter.asking.odds.weigh import explore
from interpreter.native.compilers import NotNative
from interpreter.native.games import NativeGames
from interpreter.playing.game import open_game
from rulesdsl import Session, check
from tests.language.test_cases import little_game

FIRE = """
piece unit
    steps: number = 12
track lost: number = 0
player
    plan: number = 0 visible to it
procedure fire(unit)
    roll unit.steps d6, count unit.steps - 7 or more as hits for "fire"
    add hits to lost
phase game
    roll 3d6, count 1 or 6 as secret for "a plan"
    set red.plan to secret
    do fire(blue)
    roll 2d6, count 3 or less as low for "more"
    add low to lost
    end game: each player gets lost "over"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    found = little_game(tmp_path / "little", FIRE)
    assert [p.message for p in check(found) if p.code != "never-read"] == []
    return found


def test_the_chances_are_those_of_the_binomial_distribution(home: Path) -> None:
    """Twelve dice fall in two thousand million ways; by hits there are thirteen."""
    game = open_game(home)
    ruleset = game.ruleset({}, game.scenario())
    state = ruleset.start_state(game.scenario())
    cell = ruleset.layout.tracks["lost"]
    found: dict[int, Fraction] = {}
    for way in explore(ruleset.full.code, state, "fire", (0,)):
        found[way.state[cell]] = found.get(way.state[cell], Fraction(0)) + way.chance
    third = Fraction(1, 3)
    assert found == {n: comb(12, n) * third**n * (1 - third) ** (12 - n) for n in range(13)}


def test_the_same_dice_in_every_way(home: Path) -> None:
    game = open_game(home)
    ruleset = game.ruleset({}, game.scenario())
    for seed in "123":
        full, fast = (ruleset.new_machine(game.scenario(), seed, traced) for traced in (True, False))
        full.begin("game")
        fast.begin("game")
        assert full.s == fast.s
        assert full.payoffs == fast.payoffs == ruleset.playouts.play(None, seed, lambda *_: 0).payoffs
        try:
            native = NativeGames.of(ruleset).by_script(game.scenario(), seed, [])
        except NotNative as why:
            pytest.skip(str(why))
        assert native.machine is not None
        assert native.machine.s == full.s


def test_dice_of_a_secret_number_are_for_who_may_know_it(home: Path) -> None:
    session = Session.start(home, seed=1)
    own = [entry.text for entry in session.log_of("red")]
    other = [entry.text for entry in session.log_of("white")]
    assert any("a plan" in line for line in own)
    assert not any("a plan" in line and line[-1].isdigit() for line in other)
    assert sum("fire" in line for line in other) == 12
