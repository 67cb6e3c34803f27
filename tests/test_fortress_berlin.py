"""Fortress Berlin: ledger, examples, random games, a second version of zones of control and marches."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from oracles.fortress import City, Position, Unit

from interpreter.examples import play_example, rules_for, run_examples
from interpreter.game import Game, open_game
from interpreter.invariants import violations
from interpreter.ledger import ledger
from interpreter.ruleset import Ruleset
from interpreter.running.machine import Machine
from interpreter.session import Session

NAME = "fortress_berlin"
DECISIONS = 500  # of a game; whole ones are played by `rulesdsl simulate`
MARCHES = 60


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
        r["id"] for r in ledger(fortress())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].rules
    ]
    assert bare == []


def test_the_examples_hold() -> None:
    assert not [(r.rule, r.problems) for r in run_examples(fortress()) if not r.passed]


class LoggedMachine(Machine):
    """A machine that keeps the log of an example."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.log = []


def test_units_that_come_back_are_not_said_to_be_flipped_when_they_are_not() -> None:
    told = 0
    for example in fortress().program.examples:
        if example.rule not in ("16.4", "16.5"):
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
def position_of(ruleset: Ruleset, s: list[Any]) -> Position:
    world, layout = ruleset.program.world, ruleset.layout
    spaces = world.universes["space"].ids

    def marked(name: str) -> set[str]:
        cells = layout.flags["space", name].values()
        return {i for n, i in enumerate(spaces) if any(s[c] >> n & 1 for c in cells)}

    at, face, facing, disorder = (
        layout.arrays["piece", name].base for name in ("at", "face", "facing", "disorder")
    )
    units = {}
    for i, name in enumerate(world.universes["piece"].ids):
        entry = fortress().source.pieces[name]
        place = spaces[s[at + i]] if s[at + i] >= 0 else ""
        if entry.kind != "unit" or not place.isdigit():
            continue
        facts = entry.on_face(s[face + i])
        units[name] = Unit(
            name, str(facts["side"]), str(facts.get("formation") or ""), bool(facts.get("mobile_corps")),
            place, s[face + i], world.enums["direction"].values[s[facing + i]], s[disorder + i] >= 0,
            int(str(facts["allowance"])),
        )  # fmt: skip
    return Position(units, marked("ruined"), marked("silenced"))


def test_zones_of_control_and_marches_are_those_of_the_second_version() -> None:
    city, rng, compared = City(fortress().source), random.Random("oracle"), 0
    session = Session.start(NAME, "prepared", seed=3, readings={"overstacking": "barred"})
    while compared < MARCHES:
        for _ in range(40):
            session.choose(rng.choice(session.options))
        ruleset, s = session.ruleset, session.machine.s
        world, names, position = ruleset.program.world, ruleset.fast.names, position_of(ruleset, s)
        spaces, pieces = world.universes["space"].ids, world.universes["piece"].ids
        for side in ("german", "soviet"):
            zone = {h for i, h in enumerate(spaces) if h.isdigit() and names[f"d_{side}_zoc"](s, i)}
            assert zone == city.zone(position, side)
        for unit in rng.sample(sorted(position.units.values(), key=lambda u: u.name), 6):
            if fortress().source.pieces[unit.name].on_face(0)["kind"] == "youth":
                continue  # they wait for the SS (11.2.2)
            state, number = s[:], pieces.index(unit.name)
            points = unit.allowance or 4
            state[ruleset.layout.arrays["piece", "purse"].base + number] = points
            reached = names["r_march"](state, number)
            mine = {h for i, h in enumerate(spaces) if reached >> i & 1 and h.isdigit()} - {unit.at}
            assert mine == city.march(position, unit, points), unit
            compared += 1
