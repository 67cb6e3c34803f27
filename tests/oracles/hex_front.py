"""Battle for Germany once more, by hand: zones of control, movement, retreat and combat.

Only the printed facts of map and counters are taken from the game's data; neighbours, paths and results are
worked out here, from the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations
from math import floor

from rulesdsl.book.loader import GameSource

SOVIETS, WEST, REICH = "soviets", "westerners", "reich"
COST = {"clear": 1, "berlin": 1, "broken": 2, "rough": 4}
FACTOR = {"clear": 1, "berlin": 1, "broken": 2, "rough": 3}
EXITS = {
    "west_exit": (range(16, 24), [1]),
    "south_exit": ([1], range(12, 18)),
    "east_exit": (range(9, 36), [26]),
}
RESULTS = {
    1: "ar dr dr ex ex de de de de de",
    2: "ar ar dr dr ex ex de de de de",
    3: "ar ar ar dr dr ex ex de de de",
    4: "ae ar ar dr dr dr ex ex de de",
    5: "ae ae ar dr dr dr dr ex ex de",
    6: "ae ae ar ar dr dr dr dr ex ex",
}


@dataclass
class Unit:
    """A counter on the map."""

    name: str
    camp: str
    faction: str
    nation: str
    front: bool
    attack: int
    defence: int
    movement: int
    at: str
    fresh: bool = False
    stays: bool = False  # has moved, is pinned, a garrison or on its way off the map
    engaged: bool = False  # was in contact when its movement phase began


@dataclass
class Position:
    chapter: str
    fallen: bool
    units: Mapping[str, Unit]
    razed: frozenset[str] = frozenset()
    due: frozenset[str] = frozenset()  # cities that await a garrison in this phase
    called: frozenset[str] = frozenset()  # those in one of which the army group that moves now must end
    turn: int = 0
    last_in: Mapping[str, str] = field(default_factory=dict)  # which camp passed a city last
    stacks: dict[str, list[Unit]] = field(default_factory=dict)
    held: dict[str, str | None] = field(default_factory=dict)  # who has a city, as far as it was asked

    def __post_init__(self) -> None:
        for unit in self.units.values():
            self.stacks.setdefault(unit.at, []).append(unit)


class Front:
    """The map, and what its rules allow."""

    def __init__(self, source: GameSource) -> None:
        assert source.map is not None
        self.facts = {s.id: s.attributes for s in source.map.spaces.values() if s.kind == "hex"}
        self.sides = {frozenset(b.between): b.attributes for b in source.map.borders}
        self._near = {here: self._neighbours(here) for here in self.facts}
        self._sealed = {
            pair
            for b in source.map.borders
            if b.attributes.get("lake") or b.attributes.get("blocked")
            for pair in (b.between, b.between[::-1])
        }
        self.cities = [here for here, ground in self.facts.items() if ground.get("city")]

    def around(self, here: str) -> list[str]:
        return self._near[here]

    def _neighbours(self, here: str) -> list[str]:
        row, column = int(here[:2]), int(here[2:])
        right = 1 if row % 2 == 0 else 0  # even rows lie half a hex further east
        steps = [(0, -1), (0, 1), (1, right), (1, right - 1), (-1, right), (-1, right - 1)]
        there = (f"{row + up:02}{column + east:02}" for up, east in steps)
        return [name for name in there if name in self.facts]

    def side(self, here: str, there: str, kind: str) -> bool:
        return bool(self.sides[frozenset((here, there))].get(kind))

    def sealed(self, here: str, there: str) -> bool:
        return (here, there) in self._sealed

    def controlled(self, position: Position, here: str, camp: str) -> bool:
        """Whether an enemy of a camp controls a hex."""
        return any(
            not self.sealed(here, there) and any(u.camp != camp for u in position.stacks.get(there, ()))
            for there in self.around(here)
        )

    def abroad(self, position: Position, here: str, unit: Unit) -> bool:
        if position.fallen or position.chapter in ("red_star", "three_players"):
            return False
        home = "east" if unit.faction in ("soviet", "east_german") else "west"
        return self.facts[here].get("theatre") not in (home, "both", None)

    def closed(self, position: Position, unit: Unit, here: str, there: str) -> bool:
        """What stops marches and retreats alike."""
        ground = self.facts[there]
        return (
            ground["terrain"] in ("sea", "switzerland")
            or self.sealed(here, there)
            or any(u.camp != unit.camp for u in position.stacks.get(there, ()))
            or (unit.camp == REICH and bool(ground.get("berlin")) and position.chapter != "three_players")
        )

    def march(self, position: Position, unit: Unit) -> set[str]:
        """Everywhere its move may end."""
        ends = self._within_reach(position, unit)
        if unit.front and position.called:
            ends &= position.called
        if unit.engaged and position.turn == 1 and position.chapter in ("historical", "extended"):
            ends = {end for end in ends if self._two_attacks(position, unit, end)}
        return {end for end in ends if end not in self.facts or self._no_second_front(position, unit, end)}

    def _no_second_front(self, position: Position, unit: Unit, here: str) -> bool:
        return not (unit.front and any(u.front and u is not unit for u in position.stacks.get(here, ())))

    def on_duty(self, position: Position, unit: Unit) -> set[str]:
        """10-0: the cities of which an army group must be in one, so that as many as possible find a garrison
        (the largest matching, by trying). Empty when it may go where it likes."""
        fronts = {u.name: u for u in position.units.values() if u.front}
        reach = {
            name: ({u.at} | (set() if u.stays else self._within_reach(position, u))) & position.due
            for name, u in fronts.items()
        }

        def served(where: Mapping[str, set[str]], towns: frozenset[str]) -> int:
            if not towns:
                return 0
            town, rest = min(towns), towns - {min(towns)}
            best = served(where, rest)
            for name in where:
                if town in where[name]:
                    left = {other: to for other, to in where.items() if other != name}
                    best = max(best, 1 + served(left, rest))
            return best

        most = served(reach, position.due)
        if served({**reach, unit.name: set()}, position.due) == most:
            return set()
        return {
            town for town in reach[unit.name] if served({**reach, unit.name: {town}}, position.due) == most
        }

    def _two_attacks(self, position: Position, unit: Unit, end: str) -> bool:
        """12-21: two units of the side touch two enemy hexes when this one has gone to its end."""
        places = {u.name: u.at for u in position.units.values() if u.faction == unit.faction}
        places[unit.name] = end
        foes = {here for here, stack in position.stacks.items() if any(u.camp == WEST for u in stack)}
        touched = [
            {there for there in self.around(here) if there in foes and not self.sealed(here, there)}
            for here in places.values()
            if here in self.facts
        ]
        return any(
            one - two or two - one or len(one) > 1 for one, two in combinations(filter(None, touched), 2)
        )

    def _within_reach(self, position: Position, unit: Unit) -> set[str]:
        budget = unit.movement * (2 if unit.fresh and unit.camp == REICH else 1)
        cheapest, heap, exits = {unit.at: 0}, [(0, unit.at)], set[str]()
        while heap:
            spent, here = heappop(heap)
            if spent > cheapest[here]:
                continue
            watched = self.controlled(position, here, unit.camp)
            if watched and here != unit.at:
                continue
            row, column = int(here[:2]), int(here[2:])
            if unit.camp == REICH and spent + 4 <= budget:
                exits |= {
                    name for name, (rows, columns) in EXITS.items() if row in rows and column in columns
                }
            for there in self.around(here):
                if self.closed(position, unit, here, there) or self._barred(position, unit, here, there):
                    continue
                if watched and self.controlled(position, there, unit.camp):
                    continue
                river = 1 if self.side(here, there, "river") else 0
                total = spent + COST[str(self.facts[there]["terrain"])] + river
                if total <= budget and total < cheapest.get(there, 99):
                    cheapest[there] = total
                    heappush(heap, (total, there))
        return {here for here in cheapest if self._room(position, unit, here)} | exits

    def _barred(self, position: Position, unit: Unit, here: str, there: str) -> bool:
        inside, next_inside = (self.facts[h].get("country") == "yugoslavia" for h in (here, there))
        if self.abroad(position, there, unit) and not self.abroad(position, here, unit):
            return True
        if unit.nation == "yugoslav":
            return inside and not next_inside
        return unit.camp == SOVIETS and next_inside and not inside

    def _room(self, position: Position, unit: Unit, here: str) -> bool:
        others = [u for u in position.stacks.get(here, ()) if u is not unit]
        mates = position.chapter == "three_players"
        return sum(u.stays or not (mates or u.faction == unit.faction) for u in others) < 2

    def retreats(self, position: Position, unit: Unit) -> set[str]:
        rungs: list[set[str]] = [set(), set(), set(), set()]  # empty or shared at home, then beyond the line
        for there in self.around(unit.at):
            friends = position.stacks.get(there, [])
            if self.closed(position, unit, unit.at, there) or self.controlled(position, there, unit.camp):
                continue
            if len(friends) >= 2 or (unit.front and any(u.front for u in friends)):
                continue
            beyond = self.abroad(position, there, unit) or self._strange_country(unit, there)
            rungs[2 * beyond + bool(friends)].add(there)
        return next(filter(None, rungs), set())

    def _strange_country(self, unit: Unit, here: str) -> bool:
        inside = self.facts[here].get("country") == "yugoslavia"
        return not inside if unit.nation == "yugoslav" else inside and unit.camp == SOVIETS

    def holder(self, position: Position, here: str) -> str | None:
        """11-0: who has a city."""
        if here not in position.held:
            position.held[here] = self._holder(position, here)
        return position.held[here]

    def _holder(self, position: Position, here: str) -> str | None:
        if inside := {u.camp for u in position.stacks.get(here, ())}:
            return WEST if WEST in inside else inside.pop()
        watching = {
            u.camp
            for there in self.around(here)
            if not self.sealed(here, there)
            for u in position.stacks.get(there, ())
        }
        if len(watching) == 1 and (watching != {REICH} or position.chapter == "collapse"):
            return watching.pop()
        return position.last_in.get(here)

    def points(self, position: Position, player: str) -> int:
        """11-0, 10-1 and 14-0."""
        total = 0
        for here in self.cities:
            ground = self.facts[here]
            if position.chapter == "collapse" and ground.get("theatre") == "west":
                continue
            holder = self.holder(position, here)
            if player == "soviet":
                kept = not ground.get("garrison_city") or any(u.front for u in position.stacks.get(here, ()))
                scores = holder == SOVIETS and kept
            else:
                scores = holder == (REICH if position.chapter == "collapse" else WEST)
            total += int(str(ground.get("victory_points", 0))) if scores else 0
        return total

    def defence(self, position: Position, attackers: Iterable[Unit], target: str) -> int:
        ground, total = self.facts[target], 0
        factors = [FACTOR[str(ground["terrain"])]] if ground["terrain"] in ("broken", "rough") else []
        bases = {unit.at for unit in attackers}
        if bases and all(self.side(base, target, "river") for base in bases):
            factors.append(2)
        for unit in position.stacks[target]:
            mine = list(factors)
            if ground.get("fortified") and target not in position.razed and unit.camp == REICH:
                mine.append(2)
            total += unit.defence * (sum(mine) - 1 if len(mine) > 1 else sum(mine) or 1)
        return total


def result(attack: int, defence: int, die: int) -> str:
    """The column of the table by hand: 1:4 is column 0, 1:1 column 3, 7:1 column 9."""
    if attack >= defence:
        column = min(attack // defence, 7) + 2
    else:
        column = 4 - min(-floor(-defence / attack), 4)
    return RESULTS[die].split()[column]
