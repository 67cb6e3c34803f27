"""The East Front aid and its test bench once more, by hand: supply, steps, overruns, surrender, combat.

Only the printed facts of map and counters are taken from the game's data. The aid (16.6.6, 11.4.3i, odds 1,
drm 0 to 3, the prohibitions, 21.0, arms 1, integrity 0 to 3) is worked out from the sheet, the bench from its
prose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from rulesdsl.book.loader import GameSource

ROUGH = ("hills", "marsh", "forest")
RESULTS = {  # of the assault table: worst odds first
    1: "D1 D1R* D1R D2R D2R",
    4: "A1* A1D1* D1 D1R D2R",
    7: "A1 A1* A1D1* D1* D1R",
    99: "A2 A1 A1 A1D1* R*",
}


@dataclass
class Unit:
    """A counter on the map."""

    name: str
    camp: str
    side: str
    kind: str
    division: str
    guards: bool
    radius: int
    attack: int
    defence: int
    at: str
    face: int
    unsupplied: bool
    attack_supply: bool

    @property
    def steps(self) -> int:
        single = self.kind in ("artillery", "militia", "coastal_artillery", "headquarters")
        return 1 if single or self.face else 2


@dataclass
class Position:
    """The counters on the map, the weather, and what is marked."""

    units: dict[str, Unit]
    sky: str
    marked: dict[str, set[str]]  # hexes with each kind of marker
    stacks: dict[str, list[Unit]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for unit in self.units.values():
            self.stacks.setdefault(unit.at, []).append(unit)


class Bench:
    """The board, and what its rules and those of the sheet say."""

    def __init__(self, source: GameSource) -> None:
        assert source.map is not None
        self.facts = {s.id: s.attributes for s in source.map.spaces.values() if s.kind == "hex"}
        self.sides = {frozenset(b.between): b.attributes for b in source.map.borders}
        self._near = {here: self._neighbours(here) for here in self.facts}
        self.divisions: dict[str, set[str]] = {}
        self.printed = {name: piece.on_face(0) for name, piece in source.pieces.items()}
        for name, facts in self.printed.items():
            if facts.get("division"):
                self.divisions.setdefault(str(facts["division"]), set()).add(name)

    # ---- the board
    def around(self, here: str) -> list[str]:
        return self._near[here]

    def _neighbours(self, here: str) -> list[str]:
        column, row = int(here[:2]), int(here[2:])
        low = column % 2  # odd columns lie half a hex further south
        steps = [(0, -1), (0, 1), (-1, low), (-1, low - 1), (1, low), (1, low - 1)]
        there = (f"{column + east:02}{row + south:02}" for east, south in steps)
        return [name for name in there if name in self.facts]

    def distance(self, one: str, other: str) -> int:
        reached, count = {one}, 0
        while other not in reached:
            reached |= {there for here in reached for there in self.around(here)}
            count += 1
        return count

    def side(self, here: str, there: str, *kinds: str) -> bool:
        facts = self.sides.get(frozenset((here, there)), {})
        return any(facts.get(kind) for kind in kinds)

    def built(self, here: str) -> bool:
        return any(self.facts[here].get(kind) for kind in ("city", "major_city", "strongpoint"))

    @staticmethod
    def foes(position: Position, here: str, camp: str) -> list[Unit]:
        return [u for u in position.stacks.get(here, ()) if u.camp != camp]

    def watched(self, position: Position, here: str, camp: str) -> bool:
        return any(self.foes(position, there, camp) for there in self.around(here))

    # ---- supply (bench 4)
    def supplied(self, position: Position, unit: Unit) -> bool:
        """The way up to a source is free of enemies and their zones, the source itself of enemies."""
        edge = "west" if unit.camp == "ostheer" else "east"
        reached, todo = {unit.at}, [unit.at]
        while todo:
            here = todo.pop()
            if self.facts[here].get("supply_edge") == edge:
                return True
            for there in self.around(here):
                if there in reached or self.foes(position, there, unit.camp):
                    continue
                if self.facts[there].get("supply_edge") == edge:
                    return True
                if self.watched(position, there, unit.camp) and not position.stacks.get(there):
                    continue
                reached.add(there)
                todo.append(there)
        return False

    # ---- steps (bench 3) and retreats (16.6.6)
    def may_step(self, position: Position, force: list[Unit], there: str) -> bool:
        here, camp = force[0].at, force[0].camp
        if self.side(here, there, "lake", "sea") or self.facts[there]["ground"] in ("mountain", "alpine"):
            return False
        return not self.foes(position, there, camp) or self.may_overrun(position, force, there)

    def open_to_retreat(self, position: Position, force: list[Unit], there: str) -> bool:
        here, camp = force[0].at, force[0].camp
        closed = self.facts[there]["ground"] in ("mountain", "alpine") or self.side(
            here, there, "lake", "sea"
        )
        return not closed and not self.foes(position, there, camp)

    def retreat_drm(self, force: Collection[Unit], there: str) -> int:
        value = -2 if all(u.side == "german" for u in force) else 0
        value -= 2 if self.facts[there]["ground"] == "forest" else 0
        return value + (2 if any(u.kind == "artillery" for u in force) else 0)

    # ---- overruns
    @staticmethod
    def odds(force: Iterable[Unit], others: Iterable[Unit]) -> tuple[int, int]:
        """(n, 1) for n:1, (1, n) for 1:n, rounded in favour of the defender."""
        attack, defence = sum(u.attack for u in force), sum(u.defence for u in others)
        return (attack // defence, 1) if attack >= defence else (1, -(-defence // max(attack, 1)))

    def strong(self, force: list[Unit], there: str) -> bool:
        return self.built(there) or self.side(force[0].at, there, "fortified_line")

    def least_odds(self, force: list[Unit], there: str) -> int:
        if self.strong(force, there):
            return 12
        return 5 if all(u.side == "german" for u in force) else 7

    def may_overrun(self, position: Position, force: list[Unit], there: str) -> bool:
        ground, here = self.facts[there]["ground"], force[0].at
        if position.sky in ("mud", "snow") or ground in ("mountain", "alpine"):
            return False
        if self.side(here, there, "major_river", "sea", "lake") or (
            ground == "swamp" and position.sky != "cold"
        ):
            return False
        if self.strong(force, there) and not any(u.kind == "engineer" for u in force):
            return False
        ratio, one = self.odds(force, position.stacks[there])
        return one == 1 and ratio >= self.least_odds(force, there)

    def overrun_drm(self, position: Position, force: list[Unit], there: str) -> int:
        foes, here = position.stacks[there], force[0].at
        ratio, one = self.odds(force, foes)
        ratio = ratio if one == 1 else 0
        if all(u.side == "german" for u in force):
            steps = [(14, -3), (10, -2), (7, -1), (6, 0), (5, 2)]
        else:
            steps = [(12, -2), (9, -1)]
        value = next((drm for least, drm in steps if ratio >= least), 0)
        value -= 1 if there in position.marked["overrun_marker"] else 0
        value -= 1 if all(u.kind in ("cavalry", "headquarters", "artillery") for u in foes) else 0
        value += 1 if sum(u.defence for u in foes) >= 4 else 0
        town = self.facts[there].get("city") or self.facts[there].get("major_city")
        value += 2 * (
            self.side(here, there, "minor_river")
            + (self.facts[there]["ground"] in ROUGH)
            + bool(town)
            + bool(self.facts[there].get("strongpoint"))
            + self.side(here, there, "fortified_line")
        )
        return max(-3, min(3, value))

    # ---- surrender (21.0)
    def surrender_drm(self, position: Position, here: str) -> int:
        inside = position.stacks.get(here, [])
        staffs = [u for u in position.units.values() if u.kind == "headquarters" and u.side == "soviet"]
        value = int(any(not u.unsupplied and self.distance(u.at, here) <= u.radius for u in staffs))
        value += any(u.guards and u.side == "soviet" for u in inside)
        lines = any(self.side(here, there, "fortified_line") for there in self.around(here))
        value += self.built(here) or lines
        value -= here in position.marked["emergency_supply"]
        value -= 2 * (here in position.marked["out_of_supply"])
        kinds = {u.kind for u in inside}
        value -= "militia" in kinds and kinds <= {"militia", "coastal_artillery"}
        return value - 2 * (kinds == {"coastal_artillery"})

    # ---- combat: the modifier of the sheet, the made-up table of the bench
    def attack_drm(self, position: Position, force: list[Unit], there: str) -> int:
        names, kinds = {u.name for u in force}, {u.kind for u in force}
        armour = bool(kinds & {"panzer", "tank"}) and bool(kinds & {"infantry", "motorised"})
        fit = self.facts[there]["ground"] not in ("swamp", "mountain", "alpine")
        value = -1 if armour and fit and position.sky in ("dry", "cold") else 0
        panzer = motorised = 0
        for members in self.divisions.values():
            units = [u for u in force if u.name in members]
            if not members <= names or any(u.side != "german" for u in units):
                continue
            if any(u.unsupplied and not u.attack_supply for u in units):
                continue
            panzer += any(u.kind == "panzer" for u in units)
            motorised += not any(u.kind == "panzer" for u in units) and any(
                u.kind == "motorised" for u in units
            )
        return value - panzer - min(panzer, motorised)

    def assault(self, force: Iterable[Unit], others: Iterable[Unit], die: int) -> str:
        ratio, one = self.odds(force, others)
        column = 0 if one > 1 else sum(ratio >= least for least in (1, 2, 3, 5))
        return next(row for most, row in RESULTS.items() if die <= most).split()[column]
