"""Fortress Berlin once more, by hand: zones of control and how far a unit can march.

Only the printed facts of map and counters are taken from the game's data; neighbours, zones and costs are
worked out here, from the rulebook (3.1 to 3.4, 7.1 to 7.3, 9.0.2, 10.1.1, 10.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush

from rulesdsl.book.loader import GameSource

DIRECTIONS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
COST = {  # manoeuvre mode, combat mode
    "clear": (1, 1),
    "airfield": (1, 1),
    "park": (2, 2),
    "built_up": (3, 2),
    "tower_ground": (3, 2),
    "major_building": (4, 3),
}
OPEN_TO_ZONES = ("clear", "park", "major_building", "airfield")


@cache
def neighbour(name: str, direction: str) -> str:
    """Flat hexes, columns from the west and rows from the north; odd columns lie half a hex lower."""
    column, row = int(name[:2]), int(name[2:])
    if direction in ("north", "south"):
        return f"{column:02}{row + (1 if direction == 'south' else -1):02}"
    lower = column % 2
    down = lower if direction.startswith("south") else lower - 1
    return f"{column + (1 if direction.endswith('east') else -1):02}{row + down:02}"


@dataclass
class Unit:
    """A counter on the map."""

    name: str
    side: str
    formation: str
    mobile: bool
    at: str
    face: int
    facing: str
    disorganised: bool
    allowance: int
    facts: Mapping[str, object] = field(default_factory=dict)  # all that is printed on the side that is up
    directed_by: str = ""

    def number(self, name: str) -> int:
        return int(str(self.facts.get(name) or 0))

    def word(self, name: str) -> str:
        return str(self.facts.get(name) or "")


@dataclass
class Position:
    """The counters on the map, and what is marked on it."""

    units: dict[str, Unit]
    ruined: set[str]
    silenced: set[str]
    captured: set[str] = field(default_factory=set)
    ss_has_fought: bool = False
    turn: int = 1
    stacks: dict[str, list[Unit]] = field(default_factory=dict)
    zones: dict[str, set[str]] = field(default_factory=dict)  # what a side controls, once it was asked

    def __post_init__(self) -> None:
        for unit in self.units.values():
            self.stacks.setdefault(unit.at, []).append(unit)

    def of(self, side: str, name: str) -> list[Unit]:
        return [unit for unit in self.stacks.get(name, []) if unit.side == side]


@cache
def distance(one: str, other: str) -> int:
    """How many steps lie between two hexes."""

    def cube(name: str) -> tuple[int, int]:
        column, row = int(name[:2]), int(name[2:])
        return column, row - (column - column % 2) // 2

    (x, y), (u, v) = cube(one), cube(other)
    return max(abs(x - u), abs(y - v), abs(x - u + y - v))


class City:
    def __init__(self, source: GameSource) -> None:
        assert source.map is not None
        self.hexes = {s.id: s.attributes for s in source.map.spaces.values() if s.kind == "hex"}
        self.sides = {
            pair: dict(b.attributes) for b in source.map.borders for pair in (b.between, b.between[::-1])
        }
        self.works = [name for name, facts in self.hexes.items() if facts.get("fortification")]
        self._near = {
            name: [n for d in DIRECTIONS if (n := neighbour(name, d)) in self.hexes] for name in self.hexes
        }

    def side(self, here: str, there: str) -> dict[str, object]:
        return self.sides.get((here, there), {})

    def water(self, here: str, there: str) -> bool:
        side = self.side(here, there)
        return bool(side.get("river") or side.get("canal"))

    def around(self, name: str) -> list[str]:
        return self._near[name]

    def zone(self, position: Position, side: str) -> set[str]:
        """All hexes that units of a side control."""
        if side not in position.zones:
            position.zones[side] = self._zone(position, side)
        return position.zones[side]

    def _zone(self, position: Position, side: str) -> set[str]:
        found = set()
        for unit in position.units.values():
            if unit.side != side or unit.disorganised:
                continue
            turn = DIRECTIONS.index(unit.facing)
            ahead = [DIRECTIONS[(turn + step) % 6] for step in (-1, 0, 1)]
            for direction in DIRECTIONS if unit.face == 1 else ahead:
                there = neighbour(unit.at, direction)
                facts = self.hexes.get(there)
                if not facts or facts["terrain"] not in OPEN_TO_ZONES or facts.get("fortification"):
                    continue
                if not self.water(unit.at, there):
                    found.add(there)
        return found

    def held(self, position: Position, name: str) -> bool:
        works = self.hexes[name].get("fortification") in ("strongpoint", "flak_tower")
        return works and name not in position.silenced

    def room(self, position: Position, unit: Unit, name: str) -> bool:
        force = [u for u in position.stacks.get(name, []) if u.side == unit.side and u is not unit] + [unit]
        alike = bool(unit.formation) and all(u.formation == unit.formation for u in force)
        if unit.side == "german":
            return len(force) <= (4 if alike else 3)
        return len(force) <= (3 if alike and all(u.mobile for u in force) else 2)

    def price(self, position: Position, unit: Unit, here: str, there: str) -> int | None:
        facts, side = self.hexes[there], self.side(here, there)
        if facts["terrain"] == "lake" or (self.water(here, there) and not side.get("bridge")):
            return None
        if any(u.side != unit.side for u in position.stacks.get(there, [])):
            return None
        if unit.side == "soviet" and self.held(position, there):
            return None
        if there in position.ruined:
            if unit.face == 0:
                return None
            cost = 4
        elif unit.face == 0 and (side.get("road") or side.get("rail")):
            cost = 1
        else:
            cost = COST[str(facts["terrain"])][unit.face]
        return cost + (1 if side.get("barrier") and facts["perimeter"] != "outside" else 0)

    def march(self, position: Position, unit: Unit, points: int, crowding: bool = True) -> set[str]:
        """Where a march may end; a full hex is an end if somebody may still leave it in time (3.1.4)."""
        if unit.word("kind") == "youth" and not position.ss_has_fought:  # 11.2.2
            return set()
        enemy = self.zone(position, "soviet" if unit.side == "german" else "german")
        best, queue = {unit.at: 0}, [(0, unit.at)]
        while queue:
            spent, here = heappop(queue)
            if spent > best[here] or (here in enemy and here != unit.at):
                continue
            for there in self.around(here):
                cost = self.price(position, unit, here, there)
                if cost is None or spent + cost > points or (here in enemy and there in enemy):
                    continue
                if spent + cost < best.get(there, points + 1):
                    best[there] = spent + cost
                    heappush(queue, (spent + cost, there))
        return {h for h in best if h != unit.at and (crowding or self.room(position, unit, h))}
