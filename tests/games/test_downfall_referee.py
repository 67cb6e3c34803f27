"""Downfall of the Third Reich against a second version in Python (tests/oracles/europe*.py), in driven games.

Half of the positions come from games of random players, half from games of greedy ones. RULESDSL_BARS=full
looks at 20,000 positions instead of a few hundred.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from functools import cache
from itertools import chain, islice
from typing import Any

import pytest

from interpreter.asking.odds.weigh import Way, explore
from interpreter.compiling.ruleset import Ruleset
from tests.kit.driven_games import members
from tests.oracles.europe import Army, Position, hostile, losses
from tests.oracles.europe_actions import Budget
from tests.oracles.europe_positions import (
    downfall,
    europe,
    position_of,
    positions,
    printed,
    set_cells,
    values_of,
)
from tests.oracles.europe_zones import SIDES, EndOfPhase

FULL = os.environ.get("RULESDSL_BARS") == "full"
POSITIONS = {False: 10_000 if FULL else 120, True: 10_000 if FULL else 60}
OFTEN = 0.5  # the share of the decisions of a game that are looked at
LATE = 300  # decisions, before which little is fought
ARMIES = 12  # of a position, drawn at random, of which supply is compared
State = list[Any]


@pytest.mark.parametrize("greedy", [False, True])
def test_everything_is_as_in_the_second_version(greedy: bool) -> None:
    moved = fought = changed = 0
    # A few games for the quick run, too: one in which nobody fights tells nothing of combats.
    games, of_each = (range(10**6), 400) if FULL else ((1, 2, 5), POSITIONS[greedy] // 3)
    kind, late = "greedy" if greedy else "random", 0 if FULL else LATE
    moments = chain.from_iterable(islice(positions(kind, n, OFTEN, late), of_each) for n in games)
    for rules, state, rng in islice(moments, POSITIONS[greedy]):
        seen = same_as_the_second_version(rules, state, rng)
        changed, moved, fought = changed + seen[0], moved + seen[1], fought + seen[2]
    assert moved > POSITIONS[greedy] / 4
    assert fought > POSITIONS[greedy] / 20
    assert changed > POSITIONS[greedy] / 40


def same_as_the_second_version(rules: Ruleset, state: State, rng: random.Random) -> tuple[bool, bool, bool]:
    """Actions, supply, the end of a phase, moves, a combat: did control change, did somebody move, fight?"""
    position = position_of(rules, state)
    actions_of_a_phase(rules, position, state)
    supply_of_armies(rules, position, state, rng)
    after = end_of_phase(rules, position.copy(), state, rng.choice(SIDES))
    changed = after.control != position.control
    if attack_declared(rules, position, state):
        return changed, False, False  # armour may break through
    return changed, moves(rules, position, state, rng), combat(rules, position, state, rng)


def numbers(rules: Ruleset, universe: str) -> Mapping[str, int]:
    return rules.program.world.universes[universe].index


def attack_declared(rules: Ruleset, position: Position, state: State) -> bool:
    aims, pieces = rules.layout.arrays["piece", "aims_at"].base, numbers(rules, "piece")
    return any(state[aims + pieces[name]] >= 0 for name in position.armies)


# ---- actions, recruits, planning (3, 4, 13, 18) -------------------------------------------------------
def actions_of_a_phase(rules: Ruleset, position: Position, state: State) -> None:
    """Three sums of a phase, with submarines at sea and bombers over Germany as they are."""
    players, tiles = numbers(rules, "player"), numbers(rules, "piece")
    stage = rules.layout.arrays["piece", "stage"].base
    available = values_of(rules, "stage").index("available")

    def told(side: str, name: str) -> int:
        return int(state[rules.layout.arrays["player", name].base + players[side]])

    known = {printed(name) for name, i in tiles.items() if state[stage + i] == available}
    lend_lease = any(
        state[c] >> players["ussr"] & 1 for c in rules.layout.flags["player", "lend_lease"].values()
    )
    budget = Budget(
        position.turn, position.total_war, position.control, at_home("supply"), at_home("victory"),
        {tile for tile in known if isinstance(tile, tuple)},
        (told("axis", "submarines_at_sea"), told("axis", "advanced_at_sea")), told("allies", "bombers"),
        lend_lease,
    )  # fmt: skip
    for side, number in players.items():
        for name, mine in (
            ("actions", budget.actions(side)), ("recruits", budget.recruits(side)),
            ("planned_points", budget.planned(side)),
        ):  # fmt: skip
            assert rules.fast.ask(rules.fast.function("q", name), state, number) == mine, (side, name)


@cache
def at_home(mark: str) -> dict[str, set[str]]:
    """By country: the zones of its home territory with a mark of the map."""
    found: dict[str, set[str]] = {}
    assert downfall().source.map is not None
    for zone in downfall().source.map.spaces.values():
        if zone.kind == "zone" and zone.attributes.get(mark) not in (None, False, "none"):
            found.setdefault(str(zone.attributes.get("home")), set()).add(zone.id)
    return found


# ---- supply of armies (7) ----------------------------------------------------------------------------
def supply_of_armies(rules: Ruleset, position: Position, state: State, rng: random.Random) -> None:
    supplied, pieces = rules.fast.function("d", "supplied"), numbers(rules, "piece")
    crossings = {side: europe().crossings(position, side) for side in SIDES}
    through = {side: europe().through(position, side) for side in SIDES}
    at_war = [army for army in position.armies.values() if position.at_war(army.country)]
    for army in rng.sample(at_war, min(ARMIES, len(at_war))):
        mine = europe().supplied(position, army, crossings[army.side], through[army.side])
        assert bool(supplied(state, pieces[army.name])) == mine, army


# ---- the end of a phase: control, zones, surrender, victory (6, 7, 17, 20) ----------------------------
def end_of_phase(rules: Ruleset, position: Position, state: State, side: str) -> Position:
    """The three last steps, one by one, as if the phase of `side` were to end now; and the last turn."""
    judge, player = EndOfPhase(europe(), position, side), numbers(rules, "player")[side]
    for procedure, step in (
        ("change_control", judge.control), ("check_supply", judge.supply), ("surrenders", judge.surrenders),
    ):  # fmt: skip
        step()
        (way,) = explore(rules.fast.code, state, procedure, [player])
        state = way.state
        if judge.over or way.outcome:
            assert how_it_ended(rules, way) == judge.over
            return position
        compare(rules, position, state, f"{procedure} of {side}")
    if position.turn == 22 and side == SIDES[-1]:
        (way,) = explore(rules.fast.code, state, "the_end", [])
        assert way.outcome is not None
        assert winners(rules, way) == {"axis"}
    return position


def compare(rules: Ruleset, position: Position, state: State, where: str) -> None:
    now = position_of(rules, state)
    control = {z: (mine, now.control[z]) for z, mine in position.control.items() if mine != now.control[z]}
    assert not control, (where, control)
    assert now.armies.keys() == position.armies.keys(), where
    for name in ("fallen", "neutral", "partisan", "empire", "france_warned"):
        assert getattr(now, name) == getattr(position, name), (where, name)


def winners(rules: Ruleset, way: Way) -> set[str]:
    assert way.outcome is not None
    return {name for name, i in numbers(rules, "player").items() if way.outcome[1] >> i & 1}


def how_it_ended(rules: Ruleset, way: Way) -> str:
    if way.outcome is None:
        return ""
    if way.outcome[0] == "drawn":
        return "drawn"
    return "won" if winners(rules, way) in ({"allies", "ussr"}, {"allies"}) else "lost"


# ---- moves (5, 8.1 to 8.5, 9, 13.9) -------------------------------------------------------------------
def moves(rules: Ruleset, position: Position, state: State, rng: random.Random) -> bool:
    army = rng.choice([a for a in position.armies.values() if position.at_war(a.country)])
    army.began_in, army.operation = army.at, rng.choice(("tactical", "attacking"))
    changed = state[:]
    set_cells(rules, changed, army.name, operation=army.operation, began_in=army.at)
    points = rules.layout.arrays["player", "operation_points"].base
    changed[points : points + 3] = [12, 12, 12]
    mine = {
        "advance": europe().advance(position, army), "rail": europe().rail(position, army),
        "sail": europe().sail(position, army), "land": europe().land_on(position, army),
    }  # fmt: skip
    for route, expected in mine.items():
        found = rules.fast.function("r", route)(changed, numbers(rules, "piece")[army.name])
        ends = members(found, rules.program.world.universes["space"].ids)
        if route != "advance":
            ends.discard(army.at)
        assert ends == expected, (route, army)
    return True


# ---- combat (11, 15, 16, 19) --------------------------------------------------------------------------
def combat(rules: Ruleset, position: Position, state: State, rng: random.Random) -> bool:
    """An army of the position attacks another where both are: potentials, and the losses of every roll."""
    pairs = [
        (a, b)
        for stack in position.stacks.values()
        for a in stack
        for b in stack
        if hostile(a.side, b.side) and position.at_war(a.country) and position.at_war(b.country)
    ]
    if not pairs:
        return False
    army, target = rng.choice(pairs)
    mates = [a for a in position.stacks[army.at] if a.side == army.side and a is not army]
    helpers, air = rng.sample(mates, rng.randint(0, len(mates))), rng.random() < 0.5
    army.operation = rng.choice(("attacking", "amphibious"))
    force = [army, *helpers]
    came = {a.name: rng.choice(sorted(europe().land[army.at])) for a in force if rng.random() < 0.7}
    changed = state[:]
    set_cells(rules, changed, army.name, operation=army.operation, aims_at=target.name, air_support=int(air))
    for helper in helpers:
        set_cells(rules, changed, helper.name, helps=army.name)
    between, zones = rules.fast.names["border_between"], numbers(rules, "space")
    for mover in force:
        over = between(zones[came[mover.name]], zones[army.at]) if mover.name in came else -1
        set_cells(rules, changed, mover.name, crossed_over=over)
    attack, defence = europe().potentials(position, army, target, helpers, came, air)
    number, rule = numbers(rules, "piece")[army.name], rules.fast.function
    assert rule("q", "attack_potential")(changed, number) == attack, army
    assert rule("q", "defence_potential")(changed, number) == defence, (army, target)
    ways = list(explore(rules.fast.code, changed, "resolve", [number]))
    assert len(ways) == 36
    for way in ways:
        first, second = (value for _, value in way.rolled)
        total = attack + europe().die(army, first, attacking=True)
        against = defence + europe().die(target, second, attacking=False)
        lost = losses(total, against, bool(army.face), bool(target.face))
        for who, steps in zip((army, target), lost, strict=True):
            compare_army(rules, way, who, 2 - who.face - steps)
    return True


def compare_army(rules: Ruleset, way: Way, army: Army, left: int) -> None:
    number = numbers(rules, "piece")[army.name]
    at, face = (rules.layout.arrays["piece", name].base for name in ("at", "face"))
    gone = rules.program.world.universes["space"].ids[way.state[at + number]].endswith("reserve")
    assert gone == (left <= 0), army
    assert way.state[face + number] == (0 if gone else 2 - left)
