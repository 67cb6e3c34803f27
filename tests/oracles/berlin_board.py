"""Race for Berlin by hand: the printed things and a position, read from the raw YAML, without the engine.

Written from the French rulebook and the list of readings, not from the rules of `games/`: the two are
held against each other. Numbers in comments are paragraphs of the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

GAME = Path(__file__).parents[2] / "games" / "race_for_berlin"
CAMPS = ("zhukov", "konev")


def other(camp: str) -> str:
    return CAMPS[1 - CAMPS.index(camp)]


@dataclass(frozen=True)
class Unit:
    id: str
    side: str
    camp: str
    army: str
    armoured: bool
    strengths: tuple[int, int]
    movement: int = 0


class Board:
    """Zones, borders and counters as they stand in the data files."""

    def __init__(self) -> None:
        plan = yaml.safe_load((GAME / "map.yaml").read_text(encoding="utf-8"))
        self.zones: dict[str, dict[str, Any]] = {z["id"]: z for z in plan["spaces"]["zone"]}
        self.borders: dict[str, dict[str, dict[str, Any]]] = {z: {} for z in self.zones}
        self.nexus: dict[str, set[str]] = {z: set() for z in self.zones}  # passages in the centre of Berlin
        for border in plan["borders"]:
            one, two = border["between"]
            if border.get("nexus"):
                self.nexus[one].add(two)
                self.nexus[two].add(one)
            else:
                self.borders[one][two] = self.borders[two][one] = border
        counters = yaml.safe_load((GAME / "pieces.yaml").read_text(encoding="utf-8"))["pieces"]["unit"]
        self.units = {
            c["id"]: Unit(
                c["id"], c["side"], c["camp"], str(c.get("army", "")), c["kind"] == "armour",
                (c["faces"][0]["strength"], c["faces"][1]["strength"]), c["movement"],
            )
            for c in counters
        }  # fmt: skip
        self.armies: dict[str, set[str]] = {}
        for unit in self.units.values():
            if unit.side == "soviet":
                self.armies.setdefault(unit.army, set()).add(unit.id)

    def is_berlin(self, zone: str) -> bool:
        return bool(self.zones[zone].get("berlin"))


@dataclass
class Position:
    """Who stands where, and what lies on the map. Units that are not in `where` are out of play."""

    board: Board
    where: dict[str, str] = field(default_factory=dict)
    reduced: set[str] = field(default_factory=set)
    short: set[str] = field(default_factory=set)  # out of supply
    guests: set[str] = field(default_factory=set)  # 7.3.3
    waiting: set[str] = field(default_factory=set)  # in reserve mode
    american: set[str] = field(default_factory=set)
    progress: dict[str, int] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CAMPS, 0))
    support: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CAMPS, 0))
    destroyed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)  # out of the game (2.2.6)
    first_in: str | None = None

    def unit(self, name: str) -> Unit:
        return self.board.units[name]

    def units_in(self, zone: str, side: str | None = None) -> list[str]:
        return [u for u, z in self.where.items() if z == zone and side in (None, self.unit(u).side)]

    def enemies_in(self, zone: str, name: str) -> list[str]:
        return [u for u in self.units_in(zone) if self.unit(u).side != self.unit(name).side]

    def rivals_in(self, zone: str, name: str) -> bool:
        mine = self.unit(name)
        return mine.side == "soviet" and any(
            self.unit(u).camp != mine.camp for u in self.units_in(zone, "soviet")
        )

    def room(self, zone: str, name: str) -> bool:
        """6.1.2: two Soviet or three German units; in Berlin two and one; no limit in the east."""
        side, berlin = self.unit(name).side, self.board.is_berlin(zone)
        if not berlin and self.enemies_in(zone, name):
            return False
        if side == "german":
            limit = 1 if berlin else 3
        elif self.board.zones[zone].get("unlimited_soviet_stacking"):
            return True
        else:
            limit = 2
        return len([u for u in self.units_in(zone, side) if u != name]) < limit

    def controlled(self, zone: str) -> bool:
        return self.board.is_berlin(zone) and self.progress.get(zone, 0) > 1  # 9.3.3

    def stormed(self, zone: str) -> bool:
        """Contested (9.1.3) or controlled by the Soviets."""
        return self.controlled(zone) or (self.board.is_berlin(zone) and bool(self.units_in(zone, "soviet")))

    def foreign(self, zone: str, name: str) -> bool:
        """7.3.2: on the other side of the line between the fronts."""
        return self.board.zones[zone]["front"] == other(self.unit(name).camp)

    # ---- what happens when a unit goes somewhere
    def set_control(self, zone: str, camp: str | None) -> None:
        worth = self.board.zones[zone].get("victory_points", 0)
        before = self.control.pop(zone, None)
        if camp is not None:
            self.control[zone] = camp
        if worth and before != camp:  # 10.1.1
            if before is not None:
                self.points[before] -= worth
            if camp is not None:
                self.points[camp] += worth

    def leave(self, name: str, destroyed: bool = False) -> None:
        zone = self.where.pop(name)
        self.guests.discard(name)
        if (
            self.board.is_berlin(zone)
            and self.unit(name).side == "soviet"
            and not self.units_in(zone, "soviet")
        ):
            self.progress[zone] = 0  # 9.1.5
            self.set_control(zone, None)
            if not destroyed:  # only who leaves pays
                self.points[self.unit(name).camp] -= self.board.zones[zone].get("victory_points", 0)

    def move(self, name: str, zone: str) -> None:
        self.leave(name)
        if self.unit(name).side == "german":
            if zone in self.american:
                self.gone.add(name)  # 2.2.6
                return
            self.where[name] = zone
            if not self.board.is_berlin(zone):
                self.set_control(zone, None)  # 7.3.4
            else:
                self.short.discard(name)  # 9.2.2
            return
        self.where[name] = zone
        worth = self.board.zones[zone].get("victory_points", 0)
        if (
            worth
            and not self.board.is_berlin(zone)
            and zone not in self.american
            and zone not in self.control
        ):
            self.set_control(zone, self.unit(name).camp)

    def lose_step(self, name: str) -> None:
        """8.2.1: a full unit is reduced, a reduced one destroyed."""
        if name in self.reduced:
            self.leave(name, destroyed=True)
            self.destroyed.add(name)
        else:
            self.reduced.add(name)
