"""What `zone_war` plays on, and readers that build it from a game's data files.

The readers take what a YAML loader returns, so that they depend on no part of the engine. They understand
as much of the files as the core needs: zones, borders, supply sources, units with two faces, a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

ROAD, RIVER, ODER, FRONT_LINE, TRENCH = 1, 2, 4, 8, 16
BORDER_FLAGS = {
    "road": ROAD,
    "main_road": ROAD,
    "river": RIVER,
    "oder": ODER,
    "front_line": FRONT_LINE,
    "trench": TRENCH,
}

COMBAT_TABLE = """
A3   A2    A2    A2D1  A1D1 A1D1
A2   A2    A2D1  A1D1  D1   R
A2   A2D1  A1D1  A1D1R R    D1R
A2D1 A1D1  A1D1R R     D1R  D2R
A2D1 A1D1R R     D1R   D2R  D2R
A1D1 R     D1R   D2R   D3R  D3R
"""  # rows: die 1 to 6; columns: 1:3 and less, 1:2, 1:1, 2:1, 3:1, 4:1 and more


@dataclass
class ZoneMap:
    """Zones by number; for each, its neighbours with the flags of the border between."""

    ids: list[str]
    neighbours: list[list[tuple[int, int]]]
    terrain: list[str]
    sources: dict[str, int]  # who is supplied there → the zones

    def __post_init__(self) -> None:
        self.number = {zone: number for number, zone in enumerate(self.ids)}
        self.adjacent = [sum(1 << other for other, _ in around) for around in self.neighbours]

    def across(self, flag: int) -> list[int]:
        """For each zone, the neighbours behind a border with this flag."""
        return [sum(1 << other for other, flags in around if flags & flag) for around in self.neighbours]

    def steps(self, forbidden: int) -> list[tuple[int, int, int]]:
        """For each zone, the neighbours at half a point, at one and at two. A road makes a river free."""
        steps = []
        for around in self.neighbours:
            by_road = by_land = by_river = 0
            for other, flags in around:
                if flags & forbidden:
                    continue
                if flags & ROAD:
                    by_road |= 1 << other
                elif flags & RIVER:
                    by_river |= 1 << other
                else:
                    by_land |= 1 << other
            steps.append((by_road, by_land, by_river))
        return steps


@dataclass(eq=False, slots=True)
class Unit:
    side: int
    zone: int  # -1: not on the map
    strengths: tuple[int, int]  # with one step left, with both
    movement: int  # in half points
    armoured: bool = False
    army: str = ""
    steps: int = 2
    supplied: bool = True


def read_map(
    document: Mapping[str, Any], *, space_class: str = "zone", border_flags: Mapping[str, int] = BORDER_FLAGS
) -> ZoneMap:
    """A `map.yaml` of kind areas. Spaces of other classes, which are boxes beside the map, are left out."""
    if document.get("kind") != "areas":
        raise ValueError(f"a map of areas is needed, not of {document.get('kind')}")
    zones = document["spaces"][space_class]
    ids = [zone["id"] for zone in zones]
    number = {zone: index for index, zone in enumerate(ids)}
    neighbours: list[list[tuple[int, int]]] = [[] for _ in ids]
    for border in document.get("borders", ()):
        one, other = border["between"]
        if one in number and other in number:
            flags = 0
            for attribute, flag in border_flags.items():
                if _is_set(border.get(attribute)):
                    flags |= flag
            neighbours[number[one]].append((number[other], flags))
            neighbours[number[other]].append((number[one], flags))
    sources: dict[str, int] = {}
    for index, zone in enumerate(zones):
        supplied = zone.get("supply")
        for name in supplied if isinstance(supplied, list) else [supplied]:
            if _is_set(name):
                sources[name] = sources.get(name, 0) | 1 << index
    return ZoneMap(ids, neighbours, [str(zone.get("terrain", "plain")) for zone in zones], sources)


def _is_set(value: Any) -> bool:
    """A river may be printed as `true` or by its name; `none` is how the files write nothing."""
    return bool(value) and value != "none"


def read_units(
    document: Mapping[str, Any], zones: ZoneMap, side_of: Callable[[Mapping[str, Any]], int]
) -> list[Unit]:
    """The units of a `pieces.yaml`; `side_of` says which side an entry belongs to."""
    units = []
    for entry in document["pieces"]["unit"]:
        full, reduced = (face["strength"] for face in entry["faces"])
        units.append(
            Unit(
                side=side_of(entry),
                zone=zones.number.get(entry.get("start", ""), -1),
                strengths=(reduced, full),
                movement=2 * entry["movement"],
                armoured=entry.get("kind") in ("armor", "armour", "armoured"),
                army=str(entry.get("army", "")),
            )
        )
    return units


def read_table(text: str) -> list[list[tuple[int, int, bool]]]:
    """Printed cells like `A2D1R` as (attacker's losses, defender's losses, retreat), row by row."""
    return [[_read_cell(cell) for cell in line.split()] for line in text.split("\n") if line]


def _read_cell(cell: str) -> tuple[int, int, bool]:
    found = re.fullmatch(r"(?:A(\d))?(?:D(\d))?(R?)", cell)
    if found is None:
        raise ValueError(f"{cell} is not a result of combat")
    return int(found[1] or 0), int(found[2] or 0), found[3] == "R"
