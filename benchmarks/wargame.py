"""The engine's Race for Berlin beside the one written by hand: the same position, the same questions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from benchmarks.baselines.berlin import Berlin, Result
from benchmarks.baselines.berlin_map import BerlinMap, BerlinUnits
from interpreter.game import open_game
from interpreter.ruleset import Ruleset
from rulesdsl.resources import find_game

GAME = "race_for_berlin"


@dataclass
class Questions:
    """What the engine answers about a state, by the very functions that a game uses."""

    ruleset: Ruleset

    def __post_init__(self) -> None:
        names, layout = self.ruleset.fast.names, self.ruleset.layout
        self.reach: Callable[[list[Any], int], int] = names["r_march"]
        self._cut = names["d_cut_from_supply"]
        self._attack, self._defence = names["q_combat__attack"], names["q_combat__defence"]
        self._modifier, self._odds, self._table = (
            names["q_combat__die_modifier"],
            names["odds"],
            names["T_combat"],
        )
        self._defenders = names["d_defenders_of"]
        names_of_cells = ("attackers", "target", "defenders", "striking_side")
        self._cells = [layout.fields["combat", name] for name in names_of_cells]
        self._at = layout.arrays["piece", "at"].base
        world = self.ruleset.program.world
        zones = world.universes["space"].mask("zone")
        self.zones = zones
        self.units = range(len(world.universes["piece"]))
        sides = world.attributes["piece", "side"].values
        self.side_of = [int(str(side)) for side in sides]

    def supply(self, s: list[Any]) -> int:
        cut, at, zones = 0, self._at, self.zones
        for unit in self.units:
            if s[at + unit] >= 0 and zones >> s[at + unit] & 1 and self._cut(s, unit):
                cut |= 1 << unit
        return cut

    def combat(self, s: list[Any], attackers: int, target: int, die: int) -> Result:
        """As `with combat(…)` fills the record, and as `resolve_fight` asks."""
        in_attack, in_target, in_defence, in_side = self._cells
        side = self.side_of[(attackers & -attackers).bit_length() - 1]
        s[in_attack], s[in_target], s[in_side] = attackers, target, side
        s[in_defence] = self._defenders(s, target, side)
        attack, defence = self._attack(s), self._defence(s)
        total = min(max(die + self._modifier(s), 1), 6)
        lost, taken, retreat = self._table(self._odds(attack, defence), total)
        return Result(attack, defence, lost, taken, bool(retreat))


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
        war.start_index[unit] = value("piece", "start_index", unit)
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
    machine.begin("game")
    rng, number = random.Random(seed), 0
    while machine.pending is not None:
        if number % every == 0:
            yield machine.s[:]
        options = len(machine.pending.options)
        chosen = int(rng.random() * (options + machine.pending.out))
        machine.choose(chosen if chosen < options else -1)
        number += 1


def attacks(war: Berlin, rng: random.Random, count: int) -> list[tuple[int, int, int]]:
    """Attackers, target and die of combats that this position offers."""
    found: list[tuple[int, int, int]] = []
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
