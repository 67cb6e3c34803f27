"""The invariants find what is wrong: every kind of damage to a state is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import open_game
from interpreter.playing.invariants import violations
from interpreter.running.machine import Machine

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return open_game(PATROL).ruleset()


@pytest.fixture
def machine(rules: Ruleset) -> Machine:
    machine = rules.new_machine(None, "1", traced=False)
    machine.begin()
    return machine


def test_a_state_of_play_is_in_order(rules: Ruleset, machine: Machine) -> None:
    assert violations(rules, machine) == []


def cells(rules: Ruleset) -> dict[str, int]:
    return {name: number for number, name in enumerate(rules.layout.cell_names)}


@pytest.mark.parametrize(
    ("cell", "value", "found"),
    [
        ("round", 99, "round is 99"),
        ("active", 7, "active is 7"),
        ("piece.at of r1", 5, "say they are there"),
        ("pieces in a1", 0, "a1 holds"),
        ("piece.face of r1", 2, "shows face 2"),
        ("piece.orders of r1", 7, "the orders of r1 is 7"),
        ("piece.orders of none", 3, "none was given the orders 3"),
        ("piece.moved", 1 << 40, "the flags piece.moved"),
        ("space.control of a1", 1, "masks of space.control are wrong"),
        ("space.control = 0", 3, "masks of space.control are wrong"),
        ("token.state of gift", 1, "the token gift has holder"),
        ("player.score of red", -5, "invariant_scores does not hold"),
        ("player.score of red", "five", "the score of red is 'five'"),
    ],
)
def test_damage_is_found(rules: Ruleset, machine: Machine, cell: str, value: Any, found: str) -> None:
    place = cells(rules)[cell]
    held = rules.layout.arrays["token", "state"].base
    if cell.startswith("token"):  # one that is in the bag
        place = next(held + i for i in range(5) if machine.s[held + i] == 0)
        found = "has holder"
    machine.s[place] = value
    messages = violations(rules, machine)
    assert any(found in message for message in messages), messages


def test_dead_ends_are_found(rules: Ruleset, machine: Machine) -> None:
    assert machine.pending is not None
    machine.pending.options = []
    assert "there is nothing to choose from" in violations(rules, machine)
    machine.pending = None
    assert "nobody is asked anything, and the game is not over" in violations(rules, machine)
    machine.outcome = ("drawn", 0, "the sequence of play has ended", "")
    assert "the sequence of play ended, but no rule ended the game" in violations(rules, machine)
