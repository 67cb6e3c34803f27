"""Strengths, odds and modifiers of annexes 1 and 2 in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

from tests.oracles.berlin_board import Position

# Annex 2, typed from the rulebook. Columns: 1:3 and worse, 1:2, 1:1, 2:1, 3:1, 4:1 and better.
COMBAT = {
    1: "A3 A2 A2 A2D1 A1D1 A1D1",
    2: "A2 A2 A2D1 A1D1 D1 R",
    3: "A2 A2D1 A1D1 A1D1R R D1R",
    4: "A2D1 A1D1 A1D1R R D1R D2R",
    5: "A2D1 A1D1R R D1R D2R D2R",
    6: "A1D1 R D1R D2R D3R D3R",
}
# Annex 1: change of level, steps of the attacker, steps of the defender, by the modified die.
URBAN = {
    0: (0, 1, 0), 1: (0, 1, 0), 2: (0, 0, 0), 3: (0, 0, 0), 4: (1, 1, 0), 5: (1, 1, 1),
    6: (1, 0, 1), 7: (1, 0, 1), 8: (2, 1, 1), 9: (2, 0, 1), 10: (3, 0, 1),
}  # fmt: skip


@dataclass
class Attack:
    """One attack, on a zone or in a suburb of Berlin; `ready` are the units that may still attack."""

    position: Position
    target: str
    striker: str
    side: str
    ready: set[str]
    die: int
    readings: dict[str, str] = field(default_factory=dict)
    forded: set[str] = field(default_factory=set)  # event 2
    driven: set[str] = field(default_factory=set)  # event 6
    surprise: bool = False  # event 11
    urban: bool = False
    spared: bool = False  # event 5
    attackers: set[str] = field(default_factory=set)
    defenders: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        enemies = self.position.units_in(self.target, "german" if self.side == "soviet" else "soviet")
        self.defenders = {u for u in enemies if u not in self.position.guests}  # 7.3.3

    def reading(self, name: str, default: str) -> str:
        return self.readings.get(name, default)

    # ---- strengths and odds
    def crosses_river(self, name: str) -> bool:
        """Annex 2; not with event 2, nor for Soviets from Küstrin into Oderbruch 2."""
        place = self.position.where[name]
        if name not in self.attackers or place == self.target or name in self.forded:
            return False
        if self.side == "soviet" and (place, self.target) == ("kustrin", "oderbruch_2"):
            return False
        return bool(self.position.board.borders[place][self.target].get("river"))

    def strength(self, name: str) -> int:
        unit = self.position.unit(name)
        points, factor = unit.strengths[name in self.position.reduced], 1
        if name in self.defenders and self.position.board.zones[self.target]["terrain"] == "difficult":
            factor = 2
        if name in self.attackers and self.surprise and unit.side == "german" and not self.urban:
            factor = 2
        if self.reading("doubling_order", "doubled_first") == "halved_first":
            return factor * self.halved(name, points)
        return self.halved(name, factor * points)

    def halved(self, name: str, points: int) -> int:
        """By a river, by the lack of supply, or by both."""
        rounds_up = self.reading("out_of_supply_halving", "annex_2") == "paragraph"
        both = self.reading("double_halving", "twice")
        river, short = self.crosses_river(name), name in self.position.short
        if river and short and both == "quarter":
            return -(-points // 4) if rounds_up else max(1, points // 4)
        if river:
            points = max(1, points // 2)
        if short and not (river and both == "once"):
            points = -(-points // 2) if rounds_up else max(1, points // 2)
        return points

    def attack(self) -> int:
        return sum(map(self.strength, self.attackers))

    def defence(self) -> int:
        garrison = 0
        if self.urban and self.side == "soviet":  # 9.2.3
            printed: int = self.position.board.zones[self.target].get("garrison", 0)
            garrison = min(printed, 10) if self.spared else printed
        return sum(map(self.strength, self.defenders)) + garrison

    def ratio(self) -> int:
        """n for n:1, -n for 1:n (1:1 is 1), rounded in favour of the defender (8.1.2)."""
        attack, defence = self.attack(), self.defence()
        return attack // defence if attack >= defence else -ceil(defence / attack)

    def whole_army(self) -> bool:
        return any(len(army) == 2 and army <= self.attackers for army in self.position.board.armies.values())

    def modifier(self) -> int:
        """Annex 2 and event 6."""
        position, board = self.position, self.position.board
        terrain = board.zones[self.target]["terrain"]
        armour = any(position.unit(u).armoured for u in self.attackers)
        against_armour = any(position.unit(u).armoured for u in self.defenders)
        total = 0
        if armour and terrain == "difficult":
            total -= 1
        if terrain == "woods":
            total -= 1
        if self.side == "soviet" and board.zones[self.target].get("trench") and self.crosses_trench():
            total -= 1
        total += self.whole_army()
        total += len({position.where[u] for u in self.attackers}) > 1
        if armour and terrain == "plain" and not against_armour:
            total += 2
        if self.driven & self.attackers:
            total += 2
        return total

    def crosses_trench(self) -> bool:
        if self.reading("trench_side", "eastern_edges") == "every_edge":
            return True
        borders = self.position.board.borders
        return any(
            borders[self.position.where[u]][self.target].get("trench_towards") == self.target
            for u in self.attackers
        )

    def result(self) -> tuple[int, int, bool]:
        """Steps of the attacker, steps of the defender, whether the defender retreats."""
        total = self.die + self.modifier()
        if not 1 <= total <= 6 and self.reading("combat_die_range", "clamp") == "no_effect":
            return 0, 0, False
        ratio = self.ratio()
        column = min(ratio, 4) + 1 if ratio >= 1 else max(ratio, -3) + 3
        cell = COMBAT[min(max(total, 1), 6)].split()[column]
        steps = [int(cell[cell.index(x) + 1]) if x in cell else 0 for x in "AD"]
        return steps[0], steps[1], "R" in cell

    def urban_modifier(self, extra: bool) -> int:
        """Annex 1."""
        position, board = self.position, self.position.board
        total = int(extra)
        for near in board.borders[self.target]:
            if not board.is_berlin(near):
                continue
            if self.side == "soviet":
                total += position.controlled(near)
            else:
                contested = self.reading("german_suburbs", "not_contested") == "not_contested"
                lost = position.stormed(near) if contested else position.controlled(near)
                total += not lost and bool(position.units_in(near, "german"))
        if self.side == "soviet":
            total += self.whole_army()
        ratio = self.ratio()
        if ratio < 0 and self.reading("urban_odds_range", "continued") == "stops_at_1_3":
            ratio = max(ratio, -3)
        return total + (ratio - 1 if ratio >= 1 else ratio + 1)
