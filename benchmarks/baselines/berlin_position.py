"""A position of Race for Berlin by hand: where the units are, and masks of the zones they occupy."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Self

from benchmarks.baselines.berlin_map import BerlinMap, BerlinUnits
from benchmarks.baselines.zone_map import COMBAT_TABLE, read_table

NOWHERE = -1


@dataclass
class Position:
    """`place` keeps the masks of occupied zones up to date."""

    map: BerlinMap
    units: BerlinUnits
    at: list[int] = field(init=False)
    face: list[int] = field(init=False)
    mode: list[int] = field(init=False)
    start_index: list[int] = field(init=False)
    table: list[list[tuple[int, int, bool]]] = field(default_factory=lambda: read_table(COMBAT_TABLE))

    def __post_init__(self) -> None:
        count = len(self.units.side)
        self.at, self.face = [NOWHERE] * count, [0] * count
        self.mode, self.start_index = [NOWHERE] * count, [0] * count
        self.inside = [0] * len(self.map.zones)  # zone → units in it
        self.occupied = [0, 0, 0, 0]  # kind of unit (2 × side + camp) → zones
        self.american = 0
        self.level = [0] * len(self.map.zones)
        # masks of units
        self.out_of_supply = self.cut_off = self.fords = self.held = self.separated = self.called_back = 0
        self.summoned = self.moved = self.driven = self.guest = 0
        self.closing_in = self.surprising = 0  # masks of camps

    def copy(self) -> Self:
        """A position of its own."""
        other = copy(self)
        for name in ("at", "face", "mode", "start_index", "inside", "occupied", "level"):
            setattr(other, name, getattr(self, name)[:])
        return other

    def place(self, unit: int, zone: int) -> None:
        old, kind = self.at[unit], self.units.kind[unit]
        if old >= 0:
            self.inside[old] &= ~(1 << unit)
            if not any(self.units.kind[other] == kind for other in members(self.inside[old])):
                self.occupied[kind] &= ~(1 << old)
        self.at[unit] = zone
        if zone >= 0:
            self.inside[zone] |= 1 << unit
            self.occupied[kind] |= 1 << zone


def members(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        mask ^= low
        found.append(low.bit_length() - 1)
    return found


def union(adjacent: Sequence[int], zones: int) -> int:
    """All neighbours of a set of zones."""
    union = 0
    while zones:
        low = zones & -zones
        zones ^= low
        union |= adjacent[low.bit_length() - 1]
    return union
