"""Downfall of the Third Reich once more, by hand: actions, recruits and planning (3, 4, 13, 18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True)
class Budget:
    """What a faction's phase depends on."""

    turn: int
    total_war: set[str]
    control: Mapping[str, str]
    sources: Mapping[str, set[str]]  # country → its sources of supply at home
    victory: Mapping[str, set[str]]  # country → its victory zones at home
    known: set[tuple[str, str]]  # (faction, technology) that is available
    at_sea: tuple[int, int]  # submarines, advanced ones
    bombers: int
    lend_lease: bool

    @property
    def year(self) -> int:
        return 1940 + (self.turn - 1) // 4

    @property
    def cold(self) -> bool:
        """Winter or spring."""
        return (self.turn - 1) % 4 < 2

    def actions(self, side: str) -> int:
        total = side in self.total_war
        if side == "allies":
            hurt = self.control["london"] == "axis" or self.submarines_hurt()
            return (5 if total else 2) - hurt
        if side == "ussr":
            moscow = total and self.control["moscow"] == "axis"
            return (3 if total else 2) - moscow + self.lend_lease
        if not total:
            return 3
        lost = sum(self.control[zone] != "axis" for zone in self.sources["germany"])
        ore = self.cold and self.control["trondheim"] != "axis"
        return max(0, 4 - lost - ore - (self.bombers >= 2))

    def submarines_hurt(self) -> bool:
        plain, advanced = self.at_sea
        if {("allies", "advanced_navy"), ("axis", "advanced_navy")} <= self.known:
            return advanced >= 2
        return plain >= 2 or advanced >= 1

    def recruits(self, side: str) -> int:
        total = side in self.total_war
        if side == "allies":
            return 4 if total else 2
        if side == "axis":
            return self._less_zones(4, "germany", side)
        if not total:
            return 4
        return 4 if self.year >= 1944 else self._less_zones(8, "soviet_union", side)

    def _less_zones(self, full: int, country: str, side: str) -> int:
        lost = sum(self.control[zone] != side for zone in self.victory[country])
        return max(0, ceil(full - Fraction(lost, 2)))

    def planned(self, side: str) -> int:
        points = 7 if (side, "logistics") in self.known else 5
        if side == "axis":
            points -= 2 * (self.control["bucharest"] in ("allies", "ussr"))
            points += 2 * (self.control["grozny"] == "axis")
        if side == "ussr":
            points -= 2 * (self.control["baku"] == "axis")
        if side == "allies" and self.year <= 1943:
            points -= 2 * (self.control["suez"] == "axis")
        return max(0, points)
