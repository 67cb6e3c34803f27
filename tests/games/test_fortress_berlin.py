"""Fortress Berlin: ledger, examples, random games, a second version of zones of control and marches."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from interpreter.measuring.examples import play_example, rules_for, run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import violations
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from tests.kit.fortress_games import Comparison, city, compare

NAME = "fortress_berlin"
DECISIONS = 500  # of a game; whole ones are played by `rulesdsl simulate`
MARCHES = 40


@cache
def fortress() -> Game:
    return open_game(NAME)


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    assert not fortress().warnings
    report = ledger(fortress())
    assert report["total"] == 176
    assert report["missing"] == []


def test_every_paragraph_with_rules_has_an_example() -> None:
    paragraphs = fortress().program.paragraphs
    bare = [
        r["id"] for r in ledger(fortress())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].played
    ]
    assert bare == []


def test_the_examples_hold() -> None:
    assert not [(r.paragraph, r.problems) for r in run_examples(fortress()) if not r.passed]


@pytest.mark.parametrize(("paragraph", "decider"), [("13.5", 2), ("13.6.1", 1), ("13.7", 1)])
def test_who_commands_units_decides_for_them(paragraph: str, decider: int) -> None:
    """With four and more players (17.3) Hitler does not decide for units of others."""
    examples = [
        e for e in fortress().program.examples if e.paragraph == paragraph and "at_table" in dict(e.settings)
    ]
    germans = ("first_german", "second_german", "third_german")
    for example in examples:
        ruleset = rules_for(fortress(), example)
        session, problems = play_example(fortress(), ruleset, example)
        pending = session.machine.pending
        assert not problems
        assert pending is not None
        assert ruleset.program.world.universes["player"].ids[pending.who] == germans[decider]
    assert examples


class LoggedMachine(Machine):
    """A machine that keeps the log of an example."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.log = []


def test_units_that_come_back_are_not_said_to_be_flipped_when_they_are_not() -> None:
    told = 0
    for example in fortress().program.examples:
        if example.paragraph not in ("16.4", "16.5"):
            continue
        ruleset = rules_for(fortress(), example)
        session, problems = play_example(fortress(), ruleset, example, LoggedMachine)
        notes, log = ruleset.with_examples.blocks.notes, session.machine.log or []
        assert not problems
        assert not [line for line in log if "flip" in notes[line[0]]]
        told += len(log)
    assert told > 0


@pytest.mark.parametrize(
    ("scenario", "options"),
    [("prepared", {}), ("leaders", {}), ("all_variants", {"at_table": "six"})],
)
def test_the_beginning_of_a_random_game_breaks_no_invariant(scenario: str, options: dict[str, str]) -> None:
    session, rng = Session.start(NAME, scenario, seed=1, options=options), random.Random(scenario)
    for decision in range(DECISIONS):
        if decision % 50 == 0:
            assert violations(session.ruleset, session.machine) == []
        session.choose(rng.choice(session.options))


# ---- the second version ------------------------------------------------------------------------------
def test_positions_of_random_games_are_those_of_the_second_version() -> None:
    """The bar `referees` looks at 20,000 positions, half of them of greedy games."""
    comparison = compare("random", "referee", 1 / 30, 40)
    assert comparison.differences == []
    assert len(comparison.seen) == 40
    assert comparison.compared["result"] > 10


def test_marches_into_full_hexes_are_barred_if_so_read() -> None:
    rng = random.Random("oracle")
    session = Session.start(NAME, "prepared", seed=3, readings={"overstacking": "barred"})
    for _ in range(120):
        session.choose(rng.choice(session.options))
    comparison = Comparison(session.ruleset, rng)
    s, position = session.machine.s, comparison.reader.position(session.machine.s)
    full = 0
    for unit in rng.sample(sorted(position.units.values(), key=lambda u: u.name), MARCHES):
        state, number = s[:], comparison.index[unit.name]
        state[session.ruleset.layout.arrays["piece", "purse"].base + number] = unit.allowance
        reached = comparison.rule("r", "march", state, number)
        spaces = comparison.reader.spaces
        mine = {h for i, h in enumerate(spaces) if reached >> i & 1 and h.isdigit()} - {unit.at}
        assert mine == city().march(position, unit, unit.allowance, crowding=False)
        full += mine != city().march(position, unit, unit.allowance)
    assert full > 0
