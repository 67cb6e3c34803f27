"""The map and the counters of Race for Berlin as tables of masks, read from the data files by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SOVIET, GERMAN = 0, 1
CAMPS = ("zhukov", "konev")
Steps = list[tuple[int, int, int]]  # zone → neighbours at half a point, at one, at two


def bits(numbers: Any) -> int:
    return sum(1 << n for n in set(numbers))


@dataclass
class BerlinMap:
    """Zones are numbered as in the file; a set of zones is a mask."""

    zones: Sequence[Mapping[str, Any]]
    borders: Sequence[Mapping[str, Any]]
    number: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.number = {zone["id"]: n for n, zone in enumerate(self.zones)}
        self.all = (1 << len(self.zones)) - 1
        self.adjacent = [0] * len(self.zones)
        self.river = [0] * len(self.zones)  # attacked zone → zones from which a river is crossed
        self.river_for_soviets = [0] * len(self.zones)
        self.trench = [0] * len(self.zones)  # attacked zone → zones from which its trenches are crossed
        for border in self.borders:
            one, other = (self.number[name] for name in border["between"])
            if border.get("adjacent", True):
                for here, there in ((one, other), (other, one)):
                    self._border(border, here, there)
        self.terrain = [str(zone["terrain"]) for zone in self.zones]
        self.index = [int(zone["index"]) for zone in self.zones]
        self.berlin = self.having("berlin")
        self.unlimited = self.having("unlimited_soviet_stacking")
        self.sources = [self.having("soviet_supply_zhukov"), self.having("soviet_supply_konev")]
        self.german_sources = self.having("german_supply")
        fronts = [str(zone["front"]) for zone in self.zones]
        # foreign[camp]: where the Soviets of a camp have no business
        self.foreign = [
            bits(n for n, front in enumerate(fronts) if front == CAMPS[1 - camp]) for camp in (0, 1)
        ]
        self.german_steps = self._steps(GERMAN, 0, False)
        self.soviet_steps = [[self._steps(SOVIET, camp, fords) for fords in (False, True)] for camp in (0, 1)]
        self.below = [bits(n for n, other in enumerate(self.index) if other < index) for index in range(30)]

    def _border(self, border: Mapping[str, Any], here: int, there: int) -> None:
        self.adjacent[here] |= 1 << there
        if border.get("river"):
            self.river[there] |= 1 << here
            if self.number.get(border.get("river_waived_towards", "")) != there:
                self.river_for_soviets[there] |= 1 << here
        if self.number.get(border.get("trench_towards", "")) == there:
            self.trench[there] |= 1 << here

    def having(self, flag: str) -> int:
        return bits(n for n, zone in enumerate(self.zones) if zone.get(flag))

    def _steps(self, side: int, camp: int, fords: bool) -> Steps:
        found = [[0, 0, 0] for _ in self.zones]
        for border in self.borders:
            one, other = (self.number[name] for name in border["between"])
            if border.get("nexus") and not (side == GERMAN and border.get("berlin_nexus")):
                continue
            if side == GERMAN and border.get("oder_neisse"):
                continue
            price = 0 if border.get("road") else 2 if border.get("river") and not fords else 1
            for here, there in ((one, other), (other, one)):
                beyond = border.get("front_line") or self.foreign[camp] >> there & 1
                if side == SOVIET and beyond and not self.foreign[camp] >> here & 1:
                    continue
                found[here][price] |= 1 << there
        return [(a, b, c) for a, b, c in found]


@dataclass
class BerlinUnits:
    """The counters; a set of units is a mask."""

    entries: Sequence[Mapping[str, Any]]

    def __post_init__(self) -> None:
        entries = self.entries
        self.side = [SOVIET if e["side"] == "soviet" else GERMAN for e in entries]
        self.camp = [CAMPS.index(e["camp"]) for e in entries]
        self.kind = [2 * side + camp for side, camp in zip(self.side, self.camp, strict=True)]
        self.movement = [2 * int(e["movement"]) for e in entries]  # in half points
        self.strengths = [[int(face["strength"]) for face in e["faces"]] for e in entries]
        self.armour = bits(n for n, e in enumerate(entries) if e["kind"] == "armour")
        self.soviets = bits(n for n, side in enumerate(self.side) if side == SOVIET)
        self.of_side = [self.soviets, ((1 << len(entries)) - 1) ^ self.soviets]
        self.of_camp = [bits(n for n, camp in enumerate(self.camp) if camp == c) for c in (0, 1)]
        armies: dict[str, int] = {}
        for n, e in enumerate(entries):
            if e.get("army"):
                armies[e["army"]] = armies.get(e["army"], 0) | 1 << n
        self.army = [armies.get(e.get("army", ""), 1 << n) for n, e in enumerate(entries)]
