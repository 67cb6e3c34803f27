"""Downfall of the Third Reich: ledger, examples, random games, secrets, a second version in Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from oracles.europe import Army, Europe, Position, hostile, losses

from interpreter.chances.odds import explore
from interpreter.examples import run_examples
from interpreter.game import Game, open_game
from interpreter.invariants import violations
from interpreter.ledger import ledger
from interpreter.ruleset import Ruleset
from interpreter.running.machine import Machine
from interpreter.session import Session

NAME = "downfall_of_the_third_reich"
POSITIONS = 120
GAMES = 3
# random players who go on to the combats at once see nothing of the war
SELDOM = {"on-to-the-combats": 0.15, "eliminate-an-army": 0.05, "halt": 0.4}


@cache
def downfall() -> Game:
    return open_game(NAME)


@cache
def rules(**settings: str) -> Ruleset:
    return downfall().ruleset(dict(settings), downfall().scenario())


def begun(ruleset: Ruleset, seed: int) -> Machine:
    machine = ruleset.new_machine(downfall().scenario(), str(seed), traced=False)
    machine.begin("game")
    return machine


def lively_step(session: Session, rng: random.Random) -> None:
    options = session.options
    session.choose(rng.choices(options, [SELDOM.get(option.key, 1) for option in options])[0])


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    assert not downfall().warnings
    report = ledger(downfall())
    assert report["total"] == 58
    assert report["missing"] == []


def test_the_examples_hold() -> None:
    results = run_examples(downfall())
    assert not [(r.rule, r.problems) for r in results if not r.passed]
    assert {f"22.{n}" for n in range(1, 13)} <= {r.rule for r in results}
    paragraphs = downfall().program.paragraphs
    bare = [
        r["id"] for r in ledger(downfall())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].rules
    ]
    assert bare == [], "paragraphs with rules and without an example"


def other_readings() -> dict[str, str]:
    readings = [s for s in downfall().program.settings.values() if s.kind == "reading"]
    return {s.name: next(a for i, a in enumerate(s.alternatives) if i != s.default) for s in readings}


@pytest.mark.parametrize(
    ("scenario", "others"), [("campaign", False), ("campaign", True), ("two_players", False)]
)
def test_lively_games_end_without_a_violation(scenario: str, others: bool) -> None:
    for seed in range(GAMES):
        settings = other_readings() if others else {}
        session = Session.start(NAME, scenario, seed=seed, options=settings)
        rng, decisions = random.Random(f"{scenario} {seed}"), 0
        while not session.over:
            if decisions % 20 == 0:
                assert violations(session.ruleset, session.machine) == []
            lively_step(session, rng)
            decisions += 1
            assert decisions < 20_000


def test_who_develops_what_is_a_secret() -> None:
    session = Session.start(NAME, seed=1)
    for key in ("go-on", "an-action", "take:axis+research", "study:axis_logistics"):
        found = [o for o in session.options if o.key == key or o.key.endswith(key.split("+")[-1])]
        session.choose(found[0])
    told = {seat: [entry.text for entry in session.log_of(seat)] for seat in ("axis", "allies")}
    assert any("Logistics" in text for text in told["axis"])
    assert not any("Logistics" in text for text in told["allies"])


# ---- the second version ------------------------------------------------------------------------------
def sessions(count: int) -> Iterator[tuple[Session, random.Random]]:
    found, seed = 0, 0
    while found < count:
        session, rng = Session.start(NAME, seed=seed), random.Random(f"oracle {seed}")
        while not session.over and found < count:
            if rng.random() < 0.04:
                found += 1
                yield session, rng
            lively_step(session, rng)
        seed += 1


def position_of(ruleset: Ruleset, s: list[Any]) -> Position:
    world, layout = ruleset.program.world, ruleset.layout
    pieces, spaces, players = (world.universes[name].ids for name in ("piece", "space", "player"))

    def marked(universe: str, name: str) -> set[str]:
        cells = layout.flags[universe, name].values()
        return {i for n, i in enumerate(world.universes[universe].ids) if any(s[c] >> n & 1 for c in cells)}

    def attribute(universe: str, name: str) -> int:
        return layout.arrays[universe, name].base

    control, stage = attribute("space", "control"), attribute("piece", "stage")
    at, face = attribute("piece", "at"), attribute("piece", "face")
    operations = layout_values(ruleset, "operation")
    operation = attribute("piece", "operation")
    armies, developed = {}, set()
    for i, name in enumerate(pieces):
        entry = downfall().source.pieces[name]
        facts = entry.on_face(0)
        if entry.kind == "tile":
            if (
                facts["technology"] == "blitzkrieg"
                and layout_values(ruleset, "stage")[s[stage + i]] == "available"
            ):
                developed.add(str(facts["faction"]))
            continue
        place = spaces[s[at + i]] if s[at + i] >= 0 else ""
        if place in downfall_map().zones:
            country = str(facts["country"])
            side = str(downfall_map().countries[country]["side"])
            faces = tuple(
                {k: int(str(v)) for k, v in entry.on_face(n).items() if k in ("combat", "desert_combat")}
                for n in (0, 1)
            )
            doing = operations[s[operation + i]] if s[operation + i] >= 0 else ""
            armies[name] = Army(
                name, country, side, str(facts["kind"]), str(facts.get("grade", "standard")), faces, place,
                s[face + i], doing,
            )  # fmt: skip
    return Position(
        turn=s[layout.tracks["turn"]],
        armies=armies,
        control={z: players[c] if (c := s[control + i]) >= 0 else "" for i, z in enumerate(spaces)},
        neutral=marked("space", "neutral"),
        resurgent=marked("space", "resurgent"),
        total_war=marked("player", "total_war"),
        blitzkrieg=developed,
        soviets_invaded="ussr" in marked("player", "was_invaded"),
        empire=world.enums["empire"].values[s[layout.tracks["french_empire"]]],
    )


def layout_values(ruleset: Ruleset, attribute: str) -> tuple[str, ...]:
    found = next(a for (_, name), a in ruleset.program.world.attributes.items() if name == attribute)
    return ruleset.program.world.enums[found.type.name].values


@cache
def downfall_map() -> Europe:
    return Europe(downfall().source)


def test_supply_moves_and_combats_are_those_of_the_second_version() -> None:
    europe, moved, fought = downfall_map(), 0, 0
    for session, rng in sessions(POSITIONS):
        ruleset, s = session.ruleset, session.machine.s
        position, names = position_of(ruleset, s), ruleset.fast.names
        pieces, spaces = (ruleset.program.world.universes[u].ids for u in ("piece", "space"))
        at_war = [a for a in position.armies.values() if a.country not in position.neutral]
        for army in at_war:
            mine = bool(names["d_supplied"](s, pieces.index(army.name)))
            assert mine == europe.supplied(position, army), army
        aims = ruleset.layout.arrays["piece", "aims_at"].base
        if any(s[aims + pieces.index(a.name)] >= 0 for a in at_war):
            continue  # an attack is declared: armour may break through
        army = rng.choice(at_war)
        army.began_in, army.operation = army.at, rng.choice(("tactical", "attacking"))
        state = s[:]
        set_cells(ruleset, state, army.name, operation=army.operation, began_in=army.at)
        points = ruleset.layout.arrays["player", "operation_points"].base
        state[points : points + 3] = [12, 12, 12]
        reached = names["r_advance"](state, pieces.index(army.name))
        assert {z for i, z in enumerate(spaces) if reached >> i & 1} == europe.advance(position, army), army
        moved += 1
        fought += compare_combat(europe, ruleset, position, s, rng)
    assert moved > POSITIONS / 3
    assert fought > POSITIONS / 8


def set_cells(ruleset: Ruleset, state: list[Any], piece: str, **values: Any) -> None:
    """Values of a piece, by the names of things and enumeration values."""
    world = ruleset.program.world
    number = world.universes["piece"].ids.index(piece)
    for name, value in values.items():
        if name == "operation":
            value = layout_values(ruleset, name).index(value)
        elif name == "began_in":
            value = world.universes["space"].ids.index(value)
        elif name in ("aims_at", "helps"):
            value = world.universes["piece"].ids.index(value)
        state[ruleset.layout.arrays["piece", name].base + number] = value


def compare_combat(
    europe: Europe, ruleset: Ruleset, position: Position, s: list[Any], rng: random.Random
) -> bool:
    """An army of the position attacks another where both are: potentials, and the losses of every roll."""
    world, names = ruleset.program.world, ruleset.fast.names
    pieces = world.universes["piece"].ids
    pairs = [
        (a, b)
        for stack in position.stacks.values()
        for a in stack
        for b in stack
        if hostile(a.side, b.side) and not {a.country, b.country} & position.neutral
    ]
    if not pairs:
        return False
    army, target = rng.choice(pairs)
    mates = [a for a in position.stacks[army.at] if a.side == army.side and a is not army]
    helpers, air = rng.sample(mates, rng.randint(0, len(mates))), rng.random() < 0.5
    army.operation = rng.choice(("attacking", "amphibious"))
    came = {a.name: rng.choice(sorted(europe.land[army.at])) for a in [army, *helpers] if rng.random() < 0.7}
    state = s[:]
    set_cells(ruleset, state, army.name, operation=army.operation, aims_at=target.name, air_support=int(air))
    for helper in helpers:
        set_cells(ruleset, state, helper.name, helps=army.name)
    between = names["border_between"]
    zones = world.universes["space"].ids
    for mover in [army, *helpers]:
        over = between(zones.index(came[mover.name]), zones.index(army.at)) if mover.name in came else -1
        set_cells(ruleset, state, mover.name, crossed_over=over)
    attack, defence = europe.potentials(position, army, target, helpers, came, air)
    number = pieces.index(army.name)
    assert names["q_attack_potential"](state, number) == attack, army
    assert names["q_defence_potential"](state, number) == defence, (army, target)
    at, face = (ruleset.layout.arrays["piece", name].base for name in ("at", "face"))
    ways = 0
    for way in explore(ruleset.fast.code, state, "resolve", [number]):
        first, second = (value for _, value in way.rolled)
        total = attack + europe.die(army, first, attacking=True)
        against = defence + europe.die(target, second, attacking=False)
        lost = losses(total, against, bool(army.face), bool(target.face))
        for who, steps in zip((army, target), lost, strict=True):
            i = pieces.index(who.name)
            gone = world.universes["space"].ids[way.state[at + i]].endswith("reserve")
            left = 2 - who.face - steps
            assert gone == (left <= 0), (who, lost)
            assert way.state[face + i] == (0 if gone else 2 - left)
        ways += 1
    assert ways == 36
    return True
