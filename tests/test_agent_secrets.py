"""Agents know no secrets: the same decision in twin worlds, and possible worlds that keep what is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight
from interpreter.ruleset import Ruleset
from interpreter.running.machine import Machine
from interpreter.simulating.simulation import Table
from tests.agent_tables import AGENTS, positions, table

IN_BAG, HELD = 0, 1


# ---- secrets -------------------------------------------------------------------------------------------
def tokens(ruleset: Ruleset, machine: Machine) -> list[tuple[int, int]]:
    """(state, holder) of every token."""
    holder, state = (ruleset.layout.arrays["token", name].base for name in ("holder", "state"))
    return [
        (machine.s[state + i], machine.s[holder + i])
        for i in range(len(ruleset.program.world.universes["token"]))
    ]


SECRETIVE = "race_for_berlin"  # the game with many tokens


@pytest.fixture(scope="module")
def secretive() -> Table:
    return table(SECRETIVE)


def deal(of: Table, machine: Machine, hands: list[tuple[int, int]]) -> Machine:
    """The same position with the tokens in other places."""
    twin = machine.copy()
    holders, states = of.ruleset.layout.arrays["token", "holder"], of.ruleset.layout.arrays["token", "state"]
    for token, (state, holder) in enumerate(hands):
        twin.put_token(token, holder, state, holders.base, holders.masks, states.base, states.masks)
    return twin


def twins(of: Table, machine: Machine) -> Iterator[Machine]:
    """Worlds that differ from this one only in what the seat to decide cannot know: tokens and dice."""
    assert machine.pending is not None
    seat = machine.pending.who
    hands = tokens(of.ruleset, machine)
    hidden = [i for i, (s, h) in enumerate(hands) if s == IN_BAG or (s == HELD and h != seat)]
    for turn in range(1, min(4, len(hidden))):
        moved = hands[:]
        for place, token in enumerate(hidden):
            moved[token] = hands[hidden[(place + turn) % len(hidden)]]
        if moved != hands:
            twin = deal(of, machine, moved)
            twin.seed = f"another game {turn}"
            yield twin


@pytest.mark.parametrize("agent", [*AGENTS[:2], SearchAgent("x", rounds=3, horizon=15)],
                         ids=lambda agent: type(agent).__name__)  # fmt: skip
def test_same_decision_in_twin_worlds(secretive: Table, agent: Any) -> None:
    compared = 0
    for decision, machine in positions(secretive, every=40, most=4):
        chosen = agent.choose(Sight.of(secretive.ruleset, machine), decision)
        for twin in twins(secretive, machine):
            assert agent.choose(Sight.of(secretive.ruleset, twin), decision) == chosen
            compared += 1
    assert compared >= 8, "the test has nothing to compare"


def test_a_possible_world_keeps_what_is_known_and_redraws_the_rest(secretive: Table) -> None:
    changed = 0
    for _, machine in positions(secretive, every=60, most=5):
        assert machine.pending is not None
        seat = machine.pending.who
        sight = Sight.of(secretive.ruleset, machine)
        truth = tokens(secretive.ruleset, machine)
        for number in range(6):
            world = sight.world(f"world {number}")
            drawn = tokens(secretive.ruleset, world)
            assert sorted(drawn) == sorted(truth), "as many in each hand and in the bag"
            for (state, holder), now in zip(truth, drawn, strict=True):
                if state == HELD and holder == seat:
                    assert now == (state, holder), "own tokens stay"
                if state not in (IN_BAG, HELD):
                    assert now[0] == state, "spent tokens are open"
            changed += drawn != truth
            assert world.seed != machine.seed
            _masks_agree(secretive.ruleset, world)
    assert changed > 10


def _masks_agree(ruleset: Ruleset, machine: Machine) -> None:
    for name in ("holder", "state"):
        array = ruleset.layout.arrays["token", name]
        for value in range(-1, array.values):
            mask = sum(1 << i for i in range(array.size) if machine.s[array.base + i] == value)
            assert machine.s[array.masks + value] == mask
