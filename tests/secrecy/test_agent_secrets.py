"""Agents know no secrets: the same decision in twin worlds, and possible worlds that keep what is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.simulation import Table
from interpreter.running.machine import Machine
from interpreter.state.token_cells import HELD, IN_BAG, token_cells
from tests.kit.agent_tables import AGENTS, positions, table


# ---- secrets -------------------------------------------------------------------------------------------
def tokens(ruleset: Ruleset, machine: Machine) -> list[tuple[int, int]]:
    """(state, holder) of every token."""
    holder, state = (ruleset.layout.arrays["token", name].base for name in ("holder", "state"))
    return [
        (machine.s[state + i], machine.s[holder + i])
        for i in range(len(ruleset.program.world.universes["token"]))
    ]


SECRETIVE = "race_for_berlin"  # the game with many tokens
HEINRICI = 0  # 2.4.1: everybody sees who gets it


@pytest.fixture(scope="module")
def secretive() -> Table:
    return table(SECRETIVE)


def deal(of: Table, machine: Machine, places: dict[int, int]) -> Machine:
    """The same position with tokens in the places of others; who knows what lies there stays the same."""
    twin, cells = machine.copy(), token_cells(of.ruleset.layout)
    assert cells is not None
    for token, place in places.items():
        twin.put_token(token, machine.s[cells.holder + place], machine.s[cells.state + place], cells)
    for token, place in places.items():
        twin.s[cells.known + token] = machine.s[cells.known + place]
    return twin


def hidden_tokens(of: Table, machine: Machine) -> list[int]:
    """Those of which the seat to decide does not know where they are."""
    cells = token_cells(of.ruleset.layout)
    assert cells is not None
    assert machine.pending is not None
    count = len(of.ruleset.program.world.universes["token"])
    return [t for t in range(count) if not cells.knows(machine.s, t, machine.pending.who)]


def twins(of: Table, machine: Machine) -> Iterator[Machine]:
    """Worlds that differ from this one only in what the seat to decide cannot know: tokens and dice."""
    hands, hidden = tokens(of.ruleset, machine), hidden_tokens(of, machine)
    for turn in range(1, min(4, len(hidden))):
        places = {token: hidden[(place + turn) % len(hidden)] for place, token in enumerate(hidden)}
        if any(hands[token] != hands[place] for token, place in places.items()):
            twin = deal(of, machine, places)
            twin.seed = f"another game {turn}"
            yield twin


@pytest.mark.parametrize("agent", [*AGENTS[:2], SearchAgent("x", rounds=3, horizon=15)],
                         ids=lambda agent: type(agent).__name__)  # fmt: skip
def test_same_decision_in_twin_worlds(secretive: Table, agent: Any) -> None:
    compared = 0
    for decision, machine in positions(secretive, every=40, most=8):
        chosen = agent.choose(Sight.of(secretive.ruleset, machine), decision)
        for twin in twins(secretive, machine):
            assert agent.choose(Sight.of(secretive.ruleset, twin), decision) == chosen
            compared += 1
    assert compared >= 8, "the test has nothing to compare"


def test_a_possible_world_keeps_what_is_known_and_redraws_the_rest(secretive: Table) -> None:
    changed = 0
    for _, machine in positions(secretive, every=60, most=12):
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
            assert drawn[HEINRICI] == truth[HEINRICI], "what was handed over openly is known"
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
