"""The engine's Race for Berlin beside the one written by hand: the same position, the same questions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from benchmarks.baselines.berlin import Berlin
from benchmarks.baselines.berlin_combat import Result
from benchmarks.baselines.berlin_map import BerlinMap, BerlinUnits
from benchmarks.timing import Row, compare, interleave
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import open_game
from rulesdsl.base.resources import find_game

GAME = "race_for_berlin"
Decide = Callable[[int, int], int]
Fight = tuple[int, int, int]  # attackers, target, die


@dataclass
class Questions:
    """What the engine answers about a state, by the very functions and procedures that a game uses."""

    ruleset: Ruleset

    def __post_init__(self) -> None:
        playouts = self.ruleset.playouts
        rule = self.ruleset.fast.function
        self.reach: Callable[[list[Any], int], int] = rule("r", "march")
        self._supply_check = playouts.procedures["supply_check"]
        self._fight = playouts.procedures["odds_attack"]
        # remembered answers are for games in which the same question comes again: here each counts as new
        self.memories = [
            memory for name, memory in self.ruleset.fast.names.items() if name.startswith("ANY_")
        ]
        self.combat = self._combat()
        self.machine = self.ruleset.new_machine(None, "1", traced=False)
        self.machine.fuel = self.machine.firings = 1 << 60

    def supply_check(self, s: list[Any]) -> None:
        """The procedure of the supply phase, as the rulebook writes it."""
        self.forget()
        self.machine.code.refuel()
        self._supply_check(self.machine, s, None)

    def resolve(self, s: list[Any], attackers: int, target: int, die: int, decide: Decide) -> None:
        """An attack with its losses, as `rulesdsl odds` runs it: the procedure of the rulebook."""
        machine = self.machine
        machine.s, machine.script = s, [die]
        machine.code.refuel()
        self._fight(machine, s, decide, attackers, target)

    def forget(self) -> None:
        for memory in self.memories:
            memory.clear()

    def _combat(self) -> Callable[[list[Any], int, int, int], Result]:
        """As `with combat(…)` fills the record, and as `resolve_fight` asks."""
        rule, layout, world = self.ruleset.fast.function, self.ruleset.layout, self.ruleset.program.world
        attack_of, defence_of, modifier = (
            rule("q", f"combat.{name}") for name in ("attack", "defence", "die_modifier")
        )
        odds, table, defenders_of = (
            self.ruleset.fast.names["odds"],
            rule("T", "combat"),
            rule("d", "defenders_of"),
        )
        in_attack, in_target, in_defence, in_side = (
            layout.fields["combat", name] for name in ("attackers", "target", "defenders", "striking_side")
        )
        side_of = [int(str(side)) for side in world.attributes["piece", "side"].values]

        def combat(s: list[Any], attackers: int, target: int, die: int) -> Result:
            side = side_of[(attackers & -attackers).bit_length() - 1]
            s[in_attack] = attackers
            s[in_target] = target
            s[in_side] = side
            s[in_defence] = defenders_of(s, target, side)
            attack, defence = attack_of(s), defence_of(s)
            lost, taken, retreat = table(odds(attack, defence), min(max(die + modifier(s), 1), 6))
            return attack, defence, lost, taken, retreat

        return combat


def by_hand() -> Berlin:
    """An empty position of the hand-written game."""
    home = find_game(GAME)
    board = yaml.safe_load((home / "map.yaml").read_text(encoding="utf-8"))
    counters = yaml.safe_load((home / "pieces.yaml").read_text(encoding="utf-8"))
    return Berlin(
        BerlinMap(board["spaces"]["zone"], board["borders"]), BerlinUnits(counters["pieces"]["unit"])
    )


def copy_position(ruleset: Ruleset, s: list[Any], war: Berlin) -> None:
    """Set up by hand what the engine's state says."""
    layout, world = ruleset.layout, ruleset.program.world
    spaces = world.universes["space"].ids

    def mask(universe: str, flag: str) -> int:
        found = 0
        for cell in layout.flags[universe, flag].values():
            found |= s[cell]
        return found

    def value(universe: str, name: str, thing: int) -> int:
        return int(s[layout.arrays[universe, name].base + thing])

    for unit in range(len(war.at)):
        zone = value("piece", "at", unit)
        war.place(unit, war.map.number.get(spaces[zone], -1) if zone >= 0 else -1)
        war.face[unit] = value("piece", "face", unit)
        war.mode[unit] = value("piece", "mode", unit)
        start = value("piece", "start", unit)
        war.start_index[unit] = (
            int(str(world.attributes["space", "index"].values[start])) if start >= 0 else 0
        )
    war.level = [value("space", "progress", zone) for zone in range(len(war.map.zones))]
    war.american = mask("space", "american")
    for flag in (
        "out_of_supply", "cut_off", "fords", "held", "separated", "called_back", "summoned", "moved",
        "driven", "guest",
    ):  # fmt: skip
        setattr(war, flag, mask("piece", flag))
    war.closing_in, war.surprising = mask("player", "closing_in"), mask("player", "surprising")


def positions(ruleset: Ruleset, seed: int, every: int) -> Iterator[list[Any]]:
    """States of a random game."""
    game = open_game(GAME)
    machine = ruleset.new_machine(game.scenario(), str(seed), traced=False)
    machine.begin()
    rng, number = random.Random(seed), 0
    while machine.pending is not None:
        if number % every == 0:
            yield machine.s[:]
        machine.choose(machine.pending.at_random(rng))
        number += 1


def attacks(war: Berlin, rng: random.Random, count: int) -> list[Fight]:
    """Combats that this position offers."""
    found: list[Fight] = []
    for zone in range(len(war.map.zones)):
        for side in (0, 1):
            if not war.inside[zone] & war.units.of_side[1 - side] or war.map.berlin >> zone & 1:
                continue
            near = [
                unit
                for unit, at in enumerate(war.at)
                if at >= 0 and war.units.side[unit] == side and war.map.adjacent[zone] >> at & 1
            ]
            if near:
                force = rng.sample(near, min(len(near), 1 + int(rng.random() * 4)))
                found.append((sum(1 << unit for unit in force), zone, 1 + int(rng.random() * 6)))
    rng.shuffle(found)
    return found[:count]


def battle(war: Berlin, rng: random.Random, count: int) -> list[Fight]:
    """Combats that can be fought one after the other, losses and all.

    Without those that end in a retreat, which is not written by hand; and nobody leaves Berlin, where
    control may then change hands.
    """
    war, found = war.copy(), list[Fight]()
    for attackers, target, die in attacks(war, rng, count):
        alive = sum(1 << unit for unit, zone in enumerate(war.at) if zone >= 0)
        force = attackers & alive
        side = war.units.side[(attackers & -attackers).bit_length() - 1]
        defenders = war.inside[target] & war.units.of_side[1 - side] & ~war.guest
        outside = all(not war.map.berlin >> zone & 1 for unit, zone in enumerate(war.at) if force >> unit & 1)
        if force and defenders and outside and not war.combat(force, target, die)[4]:
            found.append((force, target, die))
            war.resolve(force, target, die, first_one)
    return found


def first_one(_: int, count: int) -> int:
    """Whoever chooses takes what comes first."""
    return 0


def rows() -> list[Row]:
    """Rates of reach (one unit), supply (all units) and combat, over positions of one random game."""
    ruleset = open_game(GAME).ruleset({}, open_game(GAME).scenario())
    questions, empty, rng = Questions(ruleset), by_hand(), random.Random(1)
    states = list(positions(ruleset, 3, 60))
    wars = [Berlin(empty.map, empty.units) for _ in states]
    marches: list[tuple[list[Any], Berlin, int]] = []
    battles: list[tuple[list[Any], Berlin, list[Fight]]] = []
    for s, war in zip(states, wars, strict=True):
        copy_position(ruleset, s, war)
        together = ~war.separated  # who meets whom half-way (7.3.1) is not done by hand
        marches += [(s, war, unit) for unit, zone in enumerate(war.at) if zone >= 0 and together >> unit & 1]
        battles.append((s[:], war.copy(), battle(war, rng, 20)))

    def our_marches() -> None:
        questions.machine.code.refuel()  # as every decision of a game does
        for s, _, unit in marches:
            questions.reach(s, unit)

    def marches_by_hand() -> None:
        for _, war, unit in marches:
            war.reach(unit)

    def our_supply() -> None:
        for s in states:
            questions.supply_check(s)

    def supply_by_hand() -> None:
        for war in wars:
            war.supply_check()

    def our_fights() -> None:
        for s, _, fights in battles:
            now = s[:]
            for attackers, target, die in fights:
                questions.resolve(now, attackers, target, die, first_one)

    def fights_by_hand() -> None:
        for _, war, fights in battles:
            now = war.copy()
            for attackers, target, die in fights:
                now.resolve(attackers, target, die, first_one)

    works: dict[str, tuple[int, Callable[[], object], Callable[[], object]]] = {
        "reach of a unit": (
            len(marches),
            our_marches,
            marches_by_hand,
        ),
        "supply of all units": (
            len(states),
            our_supply,
            supply_by_hand,
        ),
        "resolution of a combat": (sum(len(fights) for *_, fights in battles), our_fights, fights_by_hand),
    }
    found: list[Row] = []
    for name, (count, ours, peer) in works.items():
        rates = interleave({"ours": ours, "peer": peer}, seconds=0.5)
        one = {who: [rate * count for rate in many] for who, many in rates.items()}
        found.append(compare(f"{name}: by hand with masks", one["ours"], one["peer"]))
    return found
