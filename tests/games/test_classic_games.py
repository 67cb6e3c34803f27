"""The classics: rulebooks without warnings, and in small numbers what `make bars` measures in full.

Known counts, complete games of cards, and random games in step with python-chess and OpenSpiel.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.classics import classic
from benchmarks.classics.beside_chess import moves_in_step
from benchmarks.classics.beside_open_spiel import Compared
from benchmarks.classics.counting import KNOWN, ways
from benchmarks.classics.informing import KNOWN as KNOWN_GAMES
from benchmarks.classics.informing import ends_and_information_sets
from interpreter.measuring.examples import run_examples
from rulesdsl.base.resources import shipped_games
from tests.promises.classics import BESIDE_OPEN_SPIEL

CLASSICS = [name.removeprefix("classics/") for name in shipped_games() if name.startswith("classics/")]
# As deep as a second or two allows.
DEPTHS = {("reversi", ""): 4, ("chess", ""): 2, ("chess", "crowded"): 1, ("draughts", ""): 3}


def test_there_are_eleven() -> None:
    assert len(CLASSICS) == 11


@pytest.mark.parametrize("name", CLASSICS)
def test_the_rulebook_has_no_warnings_and_its_examples_hold(name: str) -> None:
    game = classic(name)
    assert game.warnings == ()
    results = run_examples(game)
    assert len(results) >= 3
    assert [(r.paragraph, r.problems) for r in results if not r.passed] == []


@pytest.mark.parametrize(("name", "scenario"), KNOWN)
def test_as_many_moves_as_everybody_knows(name: str, scenario: str) -> None:
    for moves, known in enumerate(KNOWN[name, scenario][: DEPTHS[name, scenario]], 1):
        assert ways(name, scenario, moves) == known


def test_kuhn_poker_in_every_way() -> None:
    assert ends_and_information_sets("kuhn_poker") == KNOWN_GAMES["kuhn_poker"]


def test_chess_in_step_with_python_chess() -> None:
    pytest.importorskip("chess")
    assert moves_in_step(120) == (120, [])


@pytest.mark.parametrize("in_step", BESIDE_OPEN_SPIEL, ids=lambda f: f.__name__)
def test_in_step_with_open_spiel(in_step: Callable[[int], Compared]) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is in the extra `bench`")
    assert in_step(25) == (25, [])


@pytest.mark.parametrize("name", CLASSICS)
def test_full_code_and_fast_code_are_equal(name: str) -> None:
    """Some forty decisions of a random game in both flavours."""
    game = classic(name)
    scenario = game.scenario()
    rules = game.ruleset({}, scenario)
    full, fast = (rules.new_machine(scenario, "5", traced) for traced in (True, False))
    full.begin()
    fast.begin()
    rng = Random(5)
    for _ in range(40):
        if full.pending is None:
            break
        assert fast.pending is not None
        assert [*full.pending.options] == [*fast.pending.options]
        assert full.s == fast.s
        number = full.pending.at_random(rng)
        full.choose(number)
        fast.choose(number)
    assert full.outcome == fast.outcome
