"""Fortress Berlin once more, by hand: what a combat comes to, and what the dice make of it (8.1 to 8.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import yaml

from tests.oracles.fortress import DIRECTIONS, City, Position, Unit, distance, neighbour

GROUND = {"park": (1, -1), "built_up": (2, -2), "major_building": (3, -3)}
LETTERS = "ABCDEFGHI"
SUPPORT = ("anti_tank", "flak", "artillery")
ARMOUR = ("tank", "assault_gun", "recon")


@dataclass(frozen=True)
class Fight:
    kind: str
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    field: str
    side: str  # of the attackers
    off_map: int = 0
    support: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Sums:
    strength: int
    resistance: int
    protection: int
    column: int
    letter: str
    dice: int


def bounds(label: str) -> tuple[float, float]:
    """`3`, `1-2`, `-3 to -1`, `<=0`, `10+`."""
    if label.startswith("<="):
        return float("-inf"), int(label[2:])
    if label.endswith("+"):
        return int(label[:-1]), float("inf")
    found = re.fullmatch(r"(-?\d+)(?: to |-)(-?\d+)", label)
    return (int(found[1]), int(found[2])) if found else (int(label), int(label))


class Tables:
    """The three parts of the table, read from their files without the engine."""

    def __init__(self, folder: Path) -> None:
        files = {
            n: yaml.safe_load((folder / f"crt_{n}.yaml").read_text("utf-8"))
            for n in ("header", "letter", "result")
        }
        self.header: dict[str, Any] = files["header"]["cells"]
        self.letters, self.results = files["letter"], files["result"]

    def column(self, kind: str, difference: int) -> int:
        return int(next(v for k, v in self.header[kind].items() if _fits(str(k), difference)))

    def letter(self, column: int, protection: int) -> str:
        labels = [str(label) for label in self.letters["columns"]["values"]]
        place = next(i for i, label in enumerate(labels) if _fits(label, column))
        row = next(v for k, v in self.letters["cells"].items() if _fits(str(k), protection))
        return str(row[place])

    def result(self, letter: str, dice: int) -> str:
        row = next(v for k, v in self.results["cells"].items() if _fits(str(k), max(-4, min(12, dice))))
        return str(row[LETTERS.index(letter)] or "")


def _fits(label: str, value: int) -> bool:
    low, high = bounds(label)
    return low <= value <= high


class Referee:
    def __init__(self, city: City, position: Position, tables: Tables) -> None:
        self.city, self.position, self.tables = city, position, tables

    # ---- works (10.1, 10.2)
    def fortified(self, name: str) -> str:
        """What kind of works protects who is in a hex; captured ones are none."""
        kind = str(self.city.hexes[name].get("fortification") or "")
        return "" if kind != "bunker" and name in self.position.captured else kind

    def garrison(self, name: str) -> tuple[int, int]:
        """FS and morale of a living garrison."""
        if not self.city.held(self.position, name):
            return 0, 0
        return (3, 3) if self.city.hexes[name]["fortification"] == "flak_tower" else (1, 1)

    def ground(self, name: str) -> tuple[int, int]:
        """What the best of ground, ruins and works adds to the PF and to the dice."""
        protection, dice = GROUND.get(str(self.city.hexes[name]["terrain"]), (0, 0))
        if name in self.position.ruined:
            protection, dice = max(protection, 4), min(dice, -4)
        works = {"": (0, 0), "bunker": (2, -2), "strongpoint": (3, -3), "flak_tower": (3, -4)}
        more, less = works[self.fortified(name)]
        return max(protection, more), min(dice, less)

    # ---- sums
    def pf(self, unit: Unit) -> int:
        value = unit.number("protection")
        return value // 2 if unit.disorganised and unit.word("kind") in SUPPORT else value

    def fire(self, unit: Unit, field: str) -> int:
        value = unit.number("firepower")
        far = unit.word("kind") == "artillery" and 2 * distance(unit.at, field) > unit.number("range")
        return value // 2 if far else value

    def strength(self, fight: Fight) -> int:
        total = Fraction(0)
        for unit in fight.attackers:
            if fight.kind != "close_assault":
                total += self.fire(unit, fight.field)
            elif self.city.side(unit.at, fight.field).get("bridge"):
                total += Fraction(unit.number("firepower"), 2)
            else:
                total += unit.number("firepower")
        return floor(total) + fight.off_map + fight.support[0]

    def resistance(self, fight: Fight) -> int:
        if fight.kind != "close_assault":
            return sum(self.pf(u) for u in fight.defenders) + self.ground(fight.field)[0] + fight.support[1]
        total = Fraction(0)
        for unit in fight.defenders:
            if unit.word("kind") in SUPPORT:
                total += self.pf(unit)
            else:
                total += Fraction(unit.number("firepower"), 2 if unit.disorganised else 1)
        garrison = self.garrison(fight.field)[0] if fight.side == "soviet" else 0
        return floor(total) + garrison + fight.support[1]

    def sums(self, fight: Fight) -> Sums:
        strength, resistance = self.strength(fight), self.resistance(fight)
        protection = max((self.pf(u) for u in fight.defenders), default=0) + self.ground(fight.field)[0]
        column = self.tables.column(fight.kind, strength - resistance)
        shift = self.advantage(fight) if fight.kind == "close_assault" else 0
        place = LETTERS.index(self.tables.letter(column, protection)) + shift
        letter = LETTERS[max(0, min(8, place))]
        return Sums(strength, resistance, protection, column, letter, self.dice(fight))

    def dice(self, fight: Fight) -> int:
        value = self.ground(fight.field)[1]
        if fight.kind in ("direct_fire", "close_assault"):
            waters = {self.crossed(unit, fight.field) for unit in fight.attackers}
            value -= 2 if "river" in waters else 1 if "canal" in waters else 0
        if fight.kind == "close_assault" and self.fortified(fight.field) != "bunker":
            inside = self.city.hexes[fight.field]["perimeter"] != "outside"
            wired = any(self.city.side(u.at, fight.field).get("barrier") for u in fight.attackers)
            value -= 1 if inside and wired else 0
        return value

    def crossed(self, unit: Unit, field: str) -> str:
        """The water over which a unit attacks. A line to a corner meets two sides: both must have it."""
        sides = [self.city.side(last, field) for last in self.last_hexes(unit.at, field)]
        if sides and all(side.get("river") for side in sides):
            return "river"
        return "canal" if sides and all(side.get("river") or side.get("canal") for side in sides) else ""

    def last_hexes(self, start: str, field: str) -> list[str]:
        if distance(start, field) == 1:
            return [start]
        near = [h for h in self.city.around(field) if distance(h, start) < distance(start, field)]
        best = min(_beside(h, start, field) for h in near)
        return [h for h in near if abs(_beside(h, start, field) - best) < 1e-9]

    # ---- advantages (8.5)
    def morale(self, force: tuple[Unit, ...]) -> int:
        best = 0
        for unit in force:
            if unit.face == 1:
                best = max(best, unit.number("morale") - (1 if unit.disorganised else 0))
        return best

    def advantage(self, fight: Fight) -> int:
        mine, theirs = self.morale(fight.attackers), self.morale(fight.defenders)
        if not fight.defenders and fight.side == "soviet":
            theirs = self.garrison(fight.field)[1]
        shift = (mine > theirs) - (mine < theirs)
        return (
            shift
            if self.fortified(fight.field)
            else shift + self.armour(fight) + self.flank(fight) + self.ring(fight)
        )

    def armour(self, fight: Fight) -> int:
        if self.city.hexes[fight.field]["terrain"] not in ("clear", "park"):
            return 0
        met = any(u.word("kind") in (*ARMOUR, "engineer", "anti_tank", "flak") for u in fight.defenders)
        bridged = any(self.city.side(u.at, fight.field).get("bridge") for u in fight.attackers)
        return int(any(u.word("kind") in ARMOUR for u in fight.attackers) and not met and not bridged)

    def flank(self, fight: Fight) -> int:
        def unseen(start: str) -> bool:
            return bool(fight.defenders) and not any(faces(u, start) for u in fight.defenders)

        return int(any(unseen(u.at) for u in fight.attackers))

    def ring(self, fight: Fight) -> int:
        if not fight.defenders:
            return 0
        own = "soviet" if fight.side == "german" else "german"
        zone = self.city.zone(self.position, fight.side)
        return int(
            all(
                bool(self.position.of(fight.side, h)) or (h in zone and not self.position.of(own, h))
                for h in self.city.around(fight.field)
            )
        )


def faces(unit: Unit, name: str) -> bool:
    if unit.face == 1:
        return True
    turn = DIRECTIONS.index(unit.facing)
    return name in [neighbour(unit.at, DIRECTIONS[(turn + step) % 6]) for step in (-1, 0, 1)]


def _centre(name: str) -> tuple[float, float]:
    column, row = int(name[:2]), int(name[2:])
    return column * 1.5, (row + column % 2 / 2) * 3**0.5


def _beside(name: str, start: str, end: str) -> float:
    """How far the centre of a hex is from the line between two others."""
    (x, y), (a, b), (c, d) = _centre(name), _centre(start), _centre(end)
    return abs((c - a) * (b - y) - (a - x) * (d - b)) / ((c - a) ** 2 + (d - b) ** 2) ** 0.5
