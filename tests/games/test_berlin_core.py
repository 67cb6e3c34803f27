"""Race for Berlin written by hand gives the engine's answers: reach, supply, combat in real positions."""

from __future__ import annotations

import random

import pytest

from benchmarks.baselines.berlin import Berlin
from benchmarks.wargame import (
    GAME,
    Questions,
    attacks,
    battle,
    by_hand,
    copy_position,
    first_one,
    positions,
)
from interpreter.compiling.ruleset import Ruleset
from tests.promises import rules_of


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return rules_of(GAME)[0]


def test_the_same_answers(ruleset: Ruleset) -> None:
    questions, war, rng = Questions(ruleset), by_hand(), random.Random(1)
    asked = {"reach": 0, "cut": 0, "combat": 0, "losses": 0}
    for s in positions(ruleset, 2, 67):
        copy_position(ruleset, s, war)
        for unit, zone in enumerate(war.at):
            # Who meets whom half-way (7.3.1) is not done by hand.
            if zone >= 0 and not war.separated >> unit & 1:
                assert questions.reach(s, unit) == war.reach(unit), unit
                asked["reach"] += 1
        checked, supplied = s[:], war.copy()
        questions.supply_check(checked)
        supplied.supply_check()
        for flag in ("out_of_supply", "cut_off"):
            cells = ruleset.layout.flags["piece", flag].values()
            assert sum(checked[cell] for cell in cells) == getattr(supplied, flag), flag
        asked["cut"] += supplied.out_of_supply.bit_count()
        for attack in attacks(war, rng, 10):
            assert questions.combat(s, *attack) == war.combat(*attack)
            asked["combat"] += 1
        fought, losing = s[:], war.copy()
        for attackers, target, die in battle(war, rng, 20):
            questions.resolve(fought, attackers, target, die, first_one)
            losing.resolve(attackers, target, die, first_one)
            after = war.copy()
            copy_position(ruleset, fought, after)
            assert (after.at, after.face, after.guest) == (losing.at, losing.face, losing.guest)
            asked["losses"] += after.face != war.face
    assert all(
        asked[what] > least for what, least in (("reach", 1000), ("combat", 100), ("cut", 0), ("losses", 50))
    ), asked


def test_the_numbers_of_zones_and_units_are_the_same(ruleset: Ruleset) -> None:
    """Otherwise equal masks would mean nothing."""
    war: Berlin = by_hand()
    world = ruleset.program.world
    assert [zone["id"] for zone in war.map.zones] == list(world.universes["space"].ids[: len(war.map.zones)])
    assert [unit["id"] for unit in war.units.entries] == list(world.universes["piece"].ids)
