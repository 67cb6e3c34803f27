"""Positions of East Front games before a second version of the aid and its bench (tests/oracles)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from interpreter.asking.odds.weigh import explore
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.kit.driven_games import driven, marked
from tests.oracles.east_bench import Bench, Position, Unit

SPARKS = 0.05  # random decisions among those of greedy players: no two games shall be alike
MARKERS = ("overrun_marker", "emergency_supply", "out_of_supply")


@cache
def east_front() -> Game:
    return open_game("east_front")


@cache
def rules() -> Ruleset:
    return east_front().ruleset({}, east_front().scenario())


@cache
def bench() -> Bench:
    return Bench(east_front().source)


@cache
def ids(universe: str) -> tuple[str, ...]:
    return tuple(rules().program.world.universes[universe].ids)


def positions(kind: str, number: int, often: float = 1.0) -> Iterator[tuple[list[Any], random.Random]]:
    """States at decisions of a game between agents of a kind."""
    played = driven(rules(), east_front().scenario(), kind, f"bench {number} {kind}", SPARKS)
    for _, machine, rng in played:
        if machine.pending is not None and rng.random() < often:
            yield machine.s, rng


def position_of(s: list[Any]) -> Position:
    world, layout = rules().program.world, rules().layout
    at, face = (layout.arrays["piece", name].base for name in ("at", "face"))

    unsupplied, dump = (marked(rules(), s, "piece", name) for name in ("unsupplied", "attack_supply"))
    units = {}
    for i, name in enumerate(ids("piece")):
        place = ids("space")[s[at + i]] if s[at + i] >= 0 else ""
        if place.isdigit():
            facts = east_front().source.pieces[name].on_face(s[face + i])
            numbers = [int(str(facts.get(key) or 0)) for key in ("radius", "attack", "defence")]
            units[name] = Unit(
                name, *(str(facts.get(key) or "") for key in ("camp", "side", "kind", "division")),
                bool(facts.get("guards")), *numbers, place, s[face + i], name in unsupplied, name in dump,
            )  # fmt: skip
    sky = s[layout.tracks["sky"]]
    weather = world.enums["weather"].values[sky] if sky >= 0 else ""
    return Position(units, weather, {name: marked(rules(), s, "space", name) for name in MARKERS})


def ask(role: str, name: str, *given: Any) -> Any:
    return rules().fast.ask(rules().fast.function(role, name), *given)


def mask(force: list[Unit]) -> int:
    return sum(1 << ids("piece").index(unit.name) for unit in force)


def same_as_the_second_version(s: list[Any], rng: random.Random) -> bool:
    """Supply, surrender, the end, steps and retreats of a stack, and a fight if there can be one."""
    position = position_of(s)
    for unit in position.units.values():
        found = bool(ask("r", "supply_line", s, ids("piece").index(unit.name)))
        assert found == bench().supplied(position, unit), unit
    for here, drm in ((h, bench().surrender_drm(position, h)) for h in position.stacks):
        assert ask("q", "surrender_drm", s, ids("space").index(here)) == drm, here
    same_end(s, position)
    if not position.units:
        return False
    unit = position.units[rng.choice(sorted(position.units))]
    mates = [u for u in position.stacks[unit.at] if u is not unit]
    force = [unit, *rng.sample(mates, rng.randint(0, len(mates)))]
    steps(s, position, force)
    near = [h for h in bench().around(unit.at) if bench().foes(position, h, unit.camp)]
    if near:
        target = rng.choice(near)
        same_overrun(s, position, force, target)
        helpers = [
            u for h in bench().around(target) for u in position.stacks.get(h, ()) if u.camp == unit.camp
        ]
        others = [u for u in helpers if u not in force]
        same_assault(s, position, [*force, *rng.sample(others, rng.randint(0, len(others)))], target, rng)
    return bool(near)


def steps(s: list[Any], position: Position, force: list[Unit]) -> None:
    state, player = s[:], ids("player").index(force[0].camp)
    state[rules().layout.fields["column", "movers"]] = mask(force)
    state[rules().layout.fields["column", "points"]] = 4
    for there in bench().around(force[0].at):
        hex_ = ids("space").index(there)
        found = bool(ask("ok", "march_on", state, player, hex_))
        assert found == bench().may_step(position, force, there), (force, there)
        found = bool(ask("d", "open_to_retreat", state, mask(force), hex_))
        assert found == bench().open_to_retreat(position, force, there), (force, there)
        assert ask("q", "retreat_drm", state, mask(force), hex_) == bench().retreat_drm(force, there), force


def same_overrun(s: list[Any], position: Position, force: list[Unit], target: str) -> None:
    given = s, mask(force), ids("space").index(target)
    assert ask("q", "least_odds", *given) == bench().least_odds(force, target), (force, target)
    ratio, one = bench().odds(force, position.stacks[target])
    if sum(u.attack for u in force):
        assert ask("d", "overrun_ratio", *given) == Fraction(ratio, one), (force, target)
        assert ask("q", "overrun_drm", *given) == bench().overrun_drm(position, force, target), (
            force,
            target,
        )
        possible = bench().may_overrun(position, force, target)
        assert bool(ask("d", "overrun_possible", *given)) == possible, (force, target)


def same_assault(
    s: list[Any], position: Position, force: list[Unit], target: str, rng: random.Random
) -> None:
    """An attack on the made-up table, everybody deciding at random: who has lost how much."""
    foes, die = position.stacks[target], rng.randint(1, 10)
    drm = bench().attack_drm(position, force, target)
    assert ask("q", "attack_drm", s, mask(force), ids("space").index(target)) == drm, (force, target)
    if not sum(u.attack for u in force):
        return
    machine = Machine(rules().fast.code, s[:], f"assault {rng.random()}")
    machine.script = [die]
    machine.begin("assault", [mask(force), ids("space").index(target)])
    while machine.pending is not None:
        machine.choose(machine.pending.at_random(rng))
    after, text = position_of(machine.s), bench().assault(force, foes, die + drm)
    armour = any(u.kind in ("panzer", "tank") for u in force)
    stopped = any(u.kind in ("panzer", "tank", "artillery") for u in foes)
    worn = int("*" in text and armour and stopped)
    mine, theirs = (int(text[text.index(c) + 1]) if c in text else 0 for c in "AD")
    assert lost(after, force) == min(mine + worn, sum(u.steps for u in force)), (text, force)
    if "R" in text:
        assert lost(after, foes) >= min(theirs, sum(u.steps for u in foes)), (text, foes)
        assert not bench().foes(after, target, force[0].camp), (text, target)
    else:
        assert lost(after, foes) == min(theirs, sum(u.steps for u in foes)), (text, foes)


def lost(after: Position, force: list[Unit]) -> int:
    return sum(u.steps - (after.units[u.name].steps if u.name in after.units else 0) for u in force)


def same_end(s: list[Any], position: Position) -> None:
    """bench 2: who would have won if the game ended now."""
    gone = {
        camp: sum(
            facts["camp"] == camp and name not in position.units for name, facts in bench().printed.items()
        )
        for camp in ids("player")
    }
    (way,) = explore(rules().fast.code, s, "compare_losses", [])
    assert way.outcome is not None
    told = {
        name for i, name in enumerate(ids("player")) if way.outcome[0] != "drawn" and way.outcome[1] >> i & 1
    }
    assert told == {camp for camp, count in gone.items() if count < max(gone.values())}, gone
