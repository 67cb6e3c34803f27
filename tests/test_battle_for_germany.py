"""Battle for Germany: ledger, examples, and a second version in plain Python.

RULESDSL_BARS=full compares 10,000 positions. `python benchmarks/bars.py scenarios` plays all scenarios.
"""

from __future__ import annotations

import io
import os
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from oracles.hex_front import Front, Position, Unit, result
from rich.console import Console

from interpreter.examples import play_example, rules_for, run_examples
from interpreter.game import Game, open_game
from interpreter.invariants import broken_invariants, violations
from interpreter.ledger import ledger
from interpreter.ruleset import Ruleset
from interpreter.running.machine import Machine
from interpreter.session import Session
from rulesdsl.cli.play import screen

FULL = os.environ.get("RULESDSL_BARS") == "full"
POSITIONS = 10_000 if FULL else 400
NAMES = (
    "historical", "extended", "collapse_in_the_east", "red_star_white_star", "three_players", "four_players",
)  # fmt: skip


@cache
def germany() -> Game:
    return open_game("battle_for_germany")


@cache
def rules(name: str) -> Ruleset:
    return germany().ruleset({}, germany().scenario(name))


def begun(name: str, seed: int) -> Machine:
    machine = rules(name).new_machine(germany().scenario(name), str(seed), traced=False)
    machine.begin("game")
    return machine


def random_step(machine: Machine, rng: random.Random) -> None:
    assert machine.pending is not None
    machine.choose(machine.pending.at_random(rng))


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    game = germany()
    assert not game.warnings
    report = ledger(game)
    assert report["total"] == 102
    assert report["missing"] == []


def test_the_examples_hold() -> None:
    results = run_examples(germany())
    assert not [(r.rule, r.problems) for r in results if not r.passed]
    assert {"6-1", "7-2", "7-21"} <= {r.rule for r in results}
    paragraphs = germany().program.paragraphs
    bare = [
        r["id"] for r in ledger(germany())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].rules
    ]
    assert bare == [], "paragraphs with rules and without an example"


def test_who_leads_a_defence_leads_all_its_retreats() -> None:
    """The first unit crosses the boundary and changes sides (5-41); its old side still orders the rest."""
    orders = [e for e in germany().program.examples if e.rule == "6-24"][1]
    session, problems = play_example(germany(), rules_for(germany(), orders), orders)
    assert not problems
    assert session.player == "western"


def test_an_exchange_does_not_hand_survivors_over() -> None:
    """12-3 makes East Germans of destroyed West Germans; who survives is still led by the Soviet player."""
    last = [e for e in germany().program.examples if e.rule == "12-3"][-1]
    session, problems = play_example(germany(), rules_for(germany(), last), last)
    assert not problems
    assert session.player == "soviet"


def test_the_board_tells_the_germans_apart_and_when_it_ends() -> None:
    session = Session.start(germany(), "four_players", seed=1)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(screen.board_panel(session, "soviet", 100), screen.header(session, "soviet"))
    shown = console.export_text()
    assert "west german: LXXV" in shown
    assert "east german: LV" in shown
    assert "turn 1 of 9" in shown  # of this scenario, not of the track


FALLEN = [
    ("historical", {}, "soviet", 100),
    ("extended", {}, "western", 150),
    ("extended", {"ss_fight_on": "true"}, "western", 0),
    ("extended", {"ss_fight_on": "true"}, "soviet", 300),
]


@pytest.mark.parametrize(("name", "settings", "taker", "after"), FALLEN)
def test_games_go_on_when_berlin_has_fallen(
    name: str, settings: dict[str, str], taker: str, after: int
) -> None:
    """Players who choose at random never get to Berlin: here it falls after some decisions."""
    scenario = germany().scenario(name)
    ruleset = germany().ruleset(settings, scenario)
    machine, rng, count = ruleset.new_machine(scenario, name, traced=False), random.Random(name), 0
    machine.begin("game")
    players, tracks = ruleset.program.world.universes["player"].ids, ruleset.layout.tracks
    while machine.pending is not None:
        if count == after:
            machine.s[tracks["berlin_taken_by"]] = players.index(taker)
        assert [*broken_invariants(ruleset, machine.s)] == []
        random_step(machine, rng)
        count += 1
    assert machine.s[tracks["reich_has_fallen"]]
    assert machine.outcome is not None
    assert machine.outcome[3] == "11-0"
    assert violations(ruleset, machine) == []


def positions(count: int) -> Iterator[tuple[Ruleset, Position, list[Any], random.Random]]:
    """Moments of random games, all scenarios in turn."""
    found, seed = 0, 0
    while found < count:
        name = NAMES[seed % len(NAMES)]
        rng, machine = random.Random(f"oracle {seed}"), begun(name, seed)
        while machine.pending is not None and found < count:
            if rng.random() < 0.05:
                found += 1
                yield rules(name), position_of(rules(name), machine.s), machine.s, rng
            random_step(machine, rng)
        seed += 1


def position_of(ruleset: Ruleset, s: list[Any]) -> Position:
    world, layout = ruleset.program.world, ruleset.layout
    pieces, spaces = world.universes["piece"], world.universes["space"]
    at, faction = layout.arrays["piece", "at"].base, layout.arrays["piece", "faction"].base
    factions = world.enums["faction"].values

    def marked(universe: str, name: str, i: int) -> bool:
        return any(s[cell] >> i & 1 for cell in layout.flags[universe, name].values())

    units = {}
    for i, name in enumerate(pieces.ids):
        place = spaces.ids[s[at + i]] if s[at + i] >= 0 else ""
        if place.isdigit():
            printed = germany().source.pieces[name].on_face(0)
            numbers = [int(str(printed[key])) for key in ("attack", "defence", "movement")]
            stays = any(marked("piece", flag, i) for flag in ("moved", "pinned", "garrison", "drawn_off"))
            units[name] = Unit(
                name, str(printed["camp"]), factions[s[faction + i]], str(printed["nation"]),
                bool(printed.get("front")), *numbers, place, marked("piece", "fresh", i), stays,
            )  # fmt: skip
    razed = frozenset(name for i, name in enumerate(spaces.ids) if marked("space", "razed", i))
    chapter = world.enums[ruleset.program.settings["chapter"].type.name].values[ruleset.settings["chapter"]]
    return Position(chapter, bool(s[layout.tracks["reich_has_fallen"]]), units, razed)


def test_marches_retreats_and_combats_are_those_of_the_second_version() -> None:
    front = Front(germany().source)
    combats = 0
    for ruleset, position, s, rng in positions(POSITIONS):
        world, names = ruleset.program.world, ruleset.fast.names
        pieces, spaces = world.universes["piece"].ids, world.universes["space"].ids
        unit = position.units[rng.choice(sorted(position.units))]
        number = pieces.index(unit.name)
        for mine, theirs in (
            (names["r_march"](s, number), front.march(position, unit)),
            (names["r_retreat"](s, number), front.retreats(position, unit)),
        ):
            assert {name for i, name in enumerate(spaces) if mine >> i & 1} == theirs, unit
        near = [
            h for h in front.around(unit.at) if any(u.camp != unit.camp for u in position.stacks.get(h, ()))
        ]
        if near:
            combats += 1
            target = rng.choice(near)
            mates = [
                u for h in front.around(target) for u in position.stacks.get(h, ()) if u.camp == unit.camp
            ]
            attackers = {u.name: u for u in [unit, *rng.sample(mates, rng.randint(0, len(mates)))]}
            state, fields = s[:], ruleset.layout.fields
            state[fields["combat", "attackers"]] = sum(1 << pieces.index(name) for name in attackers)
            state[fields["combat", "defenders"]] = sum(
                1 << pieces.index(u.name) for u in position.stacks[target]
            )
            attack, defence = names["q_combat__attack"](state), names["q_combat__defence"](state)
            assert attack == sum(u.attack for u in attackers.values())
            assert defence == front.defence(position, attackers.values(), target)
            die = rng.randint(1, 6)
            column = Fraction(attack // defence) if attack >= defence else Fraction(1, -(-defence // attack))
            cell = names["T_combat"](column, die)
            assert world.enums["result"].values[cell] == result(attack, defence, die)
    assert combats > POSITIONS / 10
