"""The core of a wargame on zones by hand: reach, supply and combat over integers and bit masks.

The ceiling for Race for Berlin. A set of zones is one integer, bit n for zone n; movement counts in half
points, so that a road at half a point is whole. Left out are the exceptions of single places (Berlin, the
river between Küstrin and the Oderbruch) and everything the players choose (who takes a loss, where to
retreat): here the first unit in the list is hit first. `zone_map` reads map, units and table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.baselines.zone_map import COMBAT_TABLE, RIVER, TRENCH, Unit, ZoneMap, read_table


@dataclass
class Side:
    """Units that move and are supplied by the same rules; other sides are given by their numbers."""

    name: str
    enemies: tuple[int, ...]
    rivals: tuple[int, ...] = ()  # friends who let no supply line through
    forbidden: int = 0  # flags of borders never crossed
    stopped_by_trenches: bool = False


class Outcome(NamedTuple):
    """What a combat does: steps lost by each unit in the order given, and whether the defenders retreat."""

    column: int
    row: int
    attacker_losses: list[int]
    defender_losses: list[int]
    retreat: bool


@dataclass
class ZoneWar:
    """A position. What moves is kept up to date by `place`; what never moves is compiled once."""

    map: ZoneMap
    sides: list[Side]
    units: list[Unit]
    table: list[list[tuple[int, int, bool]]] = field(default_factory=lambda: read_table(COMBAT_TABLE))

    def __post_init__(self) -> None:
        self.at: list[list[Unit]] = [[] for _ in self.map.ids]
        self.occupied = [0] * len(self.sides)
        self.across_river = self.map.across(RIVER)
        self.across_trench = self.map.across(TRENCH)
        self.all_zones = (1 << len(self.map.ids)) - 1
        self.steps_of = [self.map.steps(side.forbidden) for side in self.sides]
        for unit in self.units:
            zone, unit.zone = unit.zone, -1
            self.place(unit, zone)

    def place(self, unit: Unit, zone: int) -> None:
        """Put the unit into a zone, or off the map with -1."""
        if unit.zone >= 0:
            left = self.at[unit.zone]
            left.remove(unit)
            if all(other.side != unit.side for other in left):
                self.occupied[unit.side] &= ~(1 << unit.zone)
        unit.zone = zone
        if zone >= 0:
            self.at[zone].append(unit)
            self.occupied[unit.side] |= 1 << zone

    def hostile_to(self, side: int) -> int:
        """The zones with enemies of a side."""
        hostile = 0
        for enemy in self.sides[side].enemies:
            hostile |= self.occupied[enemy]
        return hostile

    def reach(self, unit: Unit, budget: int = -1) -> int:
        """The zones the unit can move to, as a mask; with its own movement unless a budget is given."""
        if budget < 0:
            budget = unit.movement
        steps = self.steps_of[unit.side]
        start = 1 << unit.zone
        closed = self.hostile_to(unit.side) | start
        by_road, by_land, by_river = steps[unit.zone]
        # One zone is always allowed, whatever it costs.
        reached = (by_road | by_land | by_river) & ~closed
        # waves[n]: zones that n half points lead to. A zone is expanded at its lowest cost only.
        waves = [0] * (budget + 5)
        waves[1], waves[2], waves[4] = by_road, by_land, by_river
        for spent in range(1, budget + 1):
            wave = waves[spent] & ~closed
            closed |= wave
            reached |= wave
            if spent == budget:
                break
            while wave:
                low = wave & -wave
                wave ^= low
                by_road, by_land, by_river = steps[low.bit_length() - 1]
                waves[spent + 1] |= by_road
                waves[spent + 2] |= by_land
                waves[spent + 4] |= by_river
        return reached

    def supply(self) -> list[bool]:
        """Mark and tell which units are supplied, in the order of `units`."""
        adjacent = self.map.adjacent
        lines = []
        for number, side in enumerate(self.sides):
            hostile = self.hostile_to(number)
            own = self.occupied[number]
            closed = _union(adjacent, hostile) & ~own | hostile
            for rival in side.rivals:
                closed |= self.occupied[rival]
            wave = self.map.sources.get(side.name, 0) & ~closed
            line = wave
            while wave:
                wave = _union(adjacent, wave) & ~closed & ~line
                line |= wave
            lines.append(line)
        for unit in self.units:
            unit.supplied = unit.zone >= 0 and lines[unit.side] >> unit.zone & 1 == 1
        return [unit.supplied for unit in self.units]

    def die_modifier(self, attackers: Sequence[Unit], target: int) -> int:
        """What is added to the die, without support and events."""
        terrain = self.map.terrain[target]
        armour = any(unit.armoured for unit in attackers)
        zones = {unit.zone for unit in attackers}
        armies = [unit.army for unit in attackers if unit.army]
        modifier = (len(zones) > 1) + (len(set(armies)) < len(armies)) - (terrain == "woods")
        if armour and terrain == "difficult":
            modifier -= 1
        elif armour and terrain == "plain" and not any(unit.armoured for unit in self.at[target]):
            modifier += 2
        if self.sides[attackers[0].side].stopped_by_trenches:
            modifier -= any(self.across_trench[target] >> zone & 1 for zone in zones)
        return modifier

    def combat(self, attackers: Sequence[Unit], target: int, die: int, modifier: int = 0) -> Outcome:
        """Resolve an attack on a zone with enemies in it, without changing anything; `apply` does that."""
        enemies = self.sides[attackers[0].side].enemies
        defenders = [unit for unit in self.at[target] if unit.side in enemies]
        river = self.across_river[target]
        attack = defence = 0
        for unit in attackers:
            # Each unit is halved by itself, rounded down but never to nothing.
            strength = unit.strengths[unit.steps - 1]
            if river >> unit.zone & 1:
                strength = strength >> 1 or 1
            if not unit.supplied:
                strength = strength >> 1 or 1
            attack += strength
        for unit in defenders:
            strength = unit.strengths[unit.steps - 1]
            defence += strength if unit.supplied else strength >> 1 or 1
        if self.map.terrain[target] == "difficult":
            defence *= 2
        # Odds are rounded for the defender: 2.9 to 1 is 2:1, and 1 to 1.1 is 1:2.
        column = min(attack // defence, 4) + 1 if attack >= defence else max(3 + -defence // attack, 0)
        row = min(max(die + modifier, 1), 6) - 1
        from_attackers, from_defenders, retreat = self.table[row][column]
        return Outcome(
            column, row, _share(attackers, from_attackers), _share(defenders, from_defenders), retreat
        )

    def apply(self, attackers: Sequence[Unit], target: int, outcome: Outcome) -> None:
        """Take the losses of a combat; units without steps leave the map."""
        enemies = self.sides[attackers[0].side].enemies
        defenders = [unit for unit in self.at[target] if unit.side in enemies]
        for units, losses in ((attackers, outcome.attacker_losses), (defenders, outcome.defender_losses)):
            for unit, lost in zip(units, losses, strict=True):
                unit.steps -= lost
                if unit.steps == 0:
                    self.place(unit, -1)


def _union(adjacent: list[int], zones: int) -> int:
    """All neighbours of a set of zones."""
    union = 0
    while zones:
        low = zones & -zones
        zones ^= low
        union |= adjacent[low.bit_length() - 1]
    return union


def _share(units: Sequence[Unit], steps: int) -> list[int]:
    """Spread losses: every unit takes its first before any takes its second."""
    losses = [0] * len(units)
    for turn in (1, 2):
        for index, unit in enumerate(units):
            if steps == 0:
                return losses
            if unit.steps >= turn:
                losses[index] += 1
                steps -= 1
    return losses
