"""Downfall of the Third Reich once more, by hand: lines of supply, moves of all kinds, combats.

Only the printed facts of map and counters are taken from the game's data; paths, bonuses and losses are
worked out here, from the rulebook. Blitzkrieg through enemy zones (13.1) is left to the worked examples.
What the end of a phase does to zones and countries is in `europe_zones`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from rulesdsl.book.loader import GameSource

AXIS, ALLIES, USSR = "axis", "allies", "ussr"
BONUS = {"forest", "marsh", "mountains", "defile"}
Crossings = dict[str, set[str]]
AT_HOME = {"belgium", "finland", "greece", "yugoslavia"}


@dataclass
class Army:
    name: str
    country: str
    side: str
    kind: str
    grade: str
    faces: tuple[dict[str, int], ...]
    at: str
    face: int = 0
    operation: str = ""
    began_in: str = ""


@dataclass
class Position:
    turn: int
    armies: dict[str, Army]
    control: dict[str, str]
    neutral: set[str]
    resurgent: set[str]
    total_war: set[str]
    blitzkrieg: set[str]
    soviets_invaded: bool
    empire: str
    fallen: set[str] = field(default_factory=set)
    crossed: set[str] = field(default_factory=set)
    partisan: set[str] = field(default_factory=set)
    craft: set[str] = field(default_factory=set)  # factions with the technology of 13.9
    trondheim: set[str] = field(default_factory=set)  # factions that have landed there in this phase
    france_warned: bool = False
    stacks: dict[str, list[Army]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stacks = {}
        for army in self.armies.values():
            self.stacks.setdefault(army.at, []).append(army)

    def copy(self) -> Position:
        """One that can be changed: control, who is where, what has fallen; armies themselves are shared."""
        return replace(
            self, armies=dict(self.armies), control=dict(self.control), neutral=set(self.neutral),
            fallen=set(self.fallen), partisan=set(self.partisan), stacks={},
        )  # fmt: skip

    @property
    def year(self) -> int:
        return 1940 + (self.turn - 1) // 4

    def sides_in(self, zone: str) -> set[str]:
        return {army.side for army in self.stacks.get(zone, ())}

    def at_war(self, country: str) -> bool:
        return country not in self.neutral and country not in self.fallen

    def standing(self, zone: str) -> set[str]:
        """Factions with armies there that take part in the war."""
        return {army.side for army in self.stacks.get(zone, ()) if self.at_war(army.country)}

    def enemies(self, zone: str, side: str) -> list[Army]:
        return [a for a in self.stacks.get(zone, ()) if hostile(a.side, side)]


def hostile(one: str, other: str) -> bool:
    return AXIS in (one, other) and one != other and "" not in (one, other)


class Europe:
    """The printed map."""

    def __init__(self, source: GameSource) -> None:
        assert source.map is not None
        spaces = source.map.spaces
        self.zones = {i: {"home": "", **s.attributes} for i, s in spaces.items() if s.kind == "zone"}
        self.countries = {i: dict(s.attributes) for i, s in spaces.items() if s.kind == "country"}
        self.land: dict[str, dict[str, dict[str, Any]]] = {zone: {} for zone in self.zones}
        self.coasts: dict[str, set[str]] = {zone: set() for zone in self.zones}
        self.straits: list[tuple[str, str, dict[str, Any]]] = []
        self.beaches: list[tuple[str, str, dict[str, Any]]] = []
        for border in source.map.borders:
            (a, b), facts = border.between, dict(border.attributes)
            if facts.get("landing"):
                self.beaches.append((a, b, facts))
            elif facts.get("coast"):
                self.coasts[a].add(b)
            elif a in self.zones:
                self.land[a][b] = self.land[b][a] = facts
            else:
                self.straits.append((a, b, facts))

    # ---- supply (7) ----------------------------------------------------------------------------------
    def supplied(
        self, p: Position, army: Army, crossings: Crossings | None = None, through: set[str] | None = None
    ) -> bool:
        """`crossings` of the army's faction, and `through` which zones its lines may go, if somebody has
        worked them out already."""
        if army.operation == "amphibious" or army.country in p.resurgent:
            return True
        crossings = crossings or self.crossings(p, army.side)
        through = self.through(p, army.side) if through is None else through
        reached, todo = {army.at}, [army.at]
        while todo:
            here = todo.pop()
            own_capital = self.countries[army.country]["capital"] == here
            feeds = self.zones[here].get("supply") == army.side or own_capital
            free = here == army.at or here in through
            if feeds and free and p.control[here] == army.side:
                return True
            near = {*self.land[here], *crossings.get(here, ())}
            fresh = {z for z in near - reached if z in through or self._desert(p, z, army)}
            reached |= fresh
            todo += fresh
        return False

    def through(self, p: Position, side: str) -> set[str]:
        """Every zone through which a line of supply of this faction may go."""
        return {zone for zone in self.zones if self.lets_through(p, zone, side)}

    def _desert(self, p: Position, zone: str, army: Army) -> bool:
        return bool(
            army.kind == "armour" and self.zones[zone].get("africa") and army.side in p.standing(zone)
        )

    def lets_through(self, p: Position, zone: str, side: str) -> bool:
        """Whether a line of supply of this faction may go through the zone."""
        present = p.standing(zone)
        if p.control[zone] == side and present <= {side} and self.zones[zone].get("home") not in p.neutral:
            return True
        return side in p.blitzkrieg and side in present

    def _port(self, p: Position, zone: str, side: str) -> bool:
        return p.control[zone] == side and not (side == AXIS and self.zones[zone].get("egypt"))

    def crossings(self, p: Position, side: str) -> Crossings:
        """From which zones a line of supply may go to which others by sea."""
        closed = {AXIS: {"black_sea"}, USSR: {"baltic_sea"}}.get(side, set())
        ports = [zone for zone, around in self.coasts.items() if around and self._port(p, zone, side)]
        shores: dict[frozenset[str], set[str]] = {}  # seas that hang together → their ports
        for sea in sorted(set().union(*(self.coasts[zone] for zone in ports)) - closed) if ports else ():
            if not any(sea in seas for seas in shores):
                seas = frozenset(self._seas_from(p, {sea}, side, closed))
                shores[seas] = {zone for zone in ports if self.coasts[zone] & seas}
        return {
            zone: set().union(*(shore for seas, shore in shores.items() if self.coasts[zone] & seas))
            for zone in ports
        }

    def _seas_from(
        self, p: Position, first: set[str], side: str, closed: set[str], strait: str = ""
    ) -> set[str]:
        seas = first - closed
        while True:
            more = {
                d
                for a, b, facts in self.straits
                for c, d in ((a, b), (b, a))
                if c in seas and d not in seas | closed
                if self._open(p, facts, side) and not (strait and facts.get(strait))
            }
            if not more:
                return seas
            seas |= more

    @staticmethod
    def _open(p: Position, facts: dict[str, Any], side: str) -> bool:
        if facts.get("shut") or facts.get(f"shut_to_{side}"):
            return False
        return not facts.get("canal") or p.control["suez"] == side

    # ---- tactical movement and attack (8.1, 8.2, 5, 9) -----------------------------------------------
    def advance(self, p: Position, army: Army) -> set[str]:
        reach = (3 if army.kind == "infantry" else 4) - (army.operation == "attacking")
        found, edge = {army.began_in}, {army.began_in}
        for _ in range(reach):
            edge = {
                there
                for here in edge
                if here == army.began_in or not p.enemies(here, army.side)
                for there, facts in self.land[here].items()
                if there not in found and self._enters(p, army, there, facts)
            }
            found |= edge
        return {zone for zone in found if self._stays(p, army, zone)}

    def _enters(self, p: Position, army: Army, zone: str, facts: dict[str, Any]) -> bool:
        enemies = p.enemies(zone, army.side)
        if facts.get("high_mountain") and enemies:
            return False
        if p.enemies(army.began_in, army.side) and (enemies or p.control[zone] != army.side):
            return False
        return self._allowed(p, army, zone)

    def _allowed(self, p: Position, army: Army, zone: str) -> bool:
        """Whatever the operation: who is there, neutrals, politics."""
        side, home = army.side, str(self.zones[zone].get("home", ""))
        if {side, *p.sides_in(zone)} >= {ALLIES, USSR}:
            return False
        owner = str(self.countries[home].get("side", ""))
        if home in p.neutral and owner and not hostile(owner, side):
            return False
        if self.zones[zone].get("french_africa") and not p.control[zone]:
            return p.empire == "invaded_empire" and side == ALLIES
        return self._politics(p, army, zone, home)

    def _politics(self, p: Position, army: Army, zone: str, home: str) -> bool:
        africa = bool(self.zones[zone].get("africa"))
        country = army.country
        if country in AT_HOME and home != country:
            return False
        if country == "bulgaria" and home not in ("bulgaria", "greece", "yugoslavia"):
            return False
        if country in ("romania", "hungary") and home not in (country, "soviet_union"):
            return False
        if country == "italy" and not self._italian(p, zone):
            others = [a for a in p.armies.values() if a.country == "italy" and a is not army]
            if AXIS not in p.total_war or sum(self._italian(p, a.at) for a in others) < 4:
                return False
        if country == "germany":
            if p.year < 1941 and (home in ("finland", "greece") or africa):
                return False
            there = [a for a in p.armies.values() if a.country == "germany" and a is not army]
            alone = not any(self.zones[a.at]["home"] == "romania" for a in there)
            if home == "romania" and AXIS not in p.total_war and not alone:
                return False
        frontier = army.began_in == "kiev" or any(
            self.zones[z]["home"] in ("germany", "romania") for z in self.land[army.began_in]
        )
        at_peace = country == "soviet_union" and p.year < 1942 and not p.soviets_invaded
        in_russia = self.zones[army.began_in]["home"] == "soviet_union"
        return not (at_peace and in_russia and frontier) or p.control[zone] == AXIS

    def _italian(self, p: Position, zone: str) -> bool:
        home = self.zones[zone]["home"]
        return bool(
            home in ("italy", "greece")
            or self.zones[zone].get("africa")
            or (home == "yugoslavia" and p.year >= 1941)
        )

    def _room(self, p: Position, army: Army, zone: str) -> bool:
        friends = [a for a in p.stacks.get(zone, ()) if a.side == army.side and a is not army]
        return len(friends) < 3 or bool(self.zones[zone].get("unlimited"))

    def _stays(self, p: Position, army: Army, zone: str) -> bool:
        friends = [a for a in p.stacks.get(zone, ()) if a.side == army.side and a is not army]
        if not self._room(p, army, zone):
            return False
        if zone == army.began_in or army.operation != "tactical":
            return True
        return not p.enemies(zone, army.side) or bool(friends)

    # ---- trains, ships, landings (8.3, 8.4, 8.5, 13.9, 19) -------------------------------------------
    def rail(self, p: Position, army: Army) -> set[str]:
        found, todo = {army.at}, [army.at]
        while todo:
            here = todo.pop()
            for there, facts in self.land[here].items():
                shut = facts.get("high_mountain") and p.enemies(there, army.side)
                if there in found or shut or p.control[there] != army.side:
                    continue
                if self._allowed(p, army, there):
                    found.add(there)
                    todo.append(there)
        return {zone for zone in found - {army.at} if self._room(p, army, zone)}

    def sail(self, p: Position, army: Army) -> set[str]:
        axis = army.side == AXIS
        closed, strait = ({"black_sea"}, "gibraltar") if axis else (set[str](), "")
        seas = self._seas_from(p, self.coasts[army.at], army.side, closed, strait)
        ports = {z for z, around in self.coasts.items() if around & seas and p.control[z] == army.side}
        return {z for z in ports - {army.at} if self._allowed(p, army, z) and self._room(p, army, z)}

    def land_on(self, p: Position, army: Army) -> set[str]:
        found = set()
        for a, b, facts in self.beaches:
            if army.at not in (a, b) or (facts.get("with_craft") and army.side not in p.craft):
                continue
            there = b if army.at == a else a
            if facts.get("landing_to", there) != there:
                continue
            if p.turn % 4 == 1 and not facts.get("mediterranean"):
                continue
            if there == "trondheim" and army.side in p.trondheim:
                continue
            if self._allowed(p, army, there) and self._room(p, army, there):
                found.add(there)
        return found

    # ---- combat (15, 16, 19) -------------------------------------------------------------------------
    def value(self, p: Position, army: Army) -> int:
        zone, face = self.zones[army.at], army.faces[army.face]
        if army.grade == "dak" and zone.get("africa"):
            return face["desert_combat"]
        frozen = army.side == AXIS and p.turn == 9 and zone["home"] == "soviet_union"
        return face["combat"] - frozen

    def potentials(
        self, p: Position, army: Army, target: Army, helpers: Iterable[Army], came: dict[str, str], air: bool
    ) -> tuple[int, int]:
        """Of attacker and defender, before the dice. `came` says from where an attacker entered the zone."""
        force, zone = [army, *helpers], self.zones[army.at]
        attack = self.value(p, army) + 2 * air + sum(2 - a.face for a in force[1:])
        crossed = [self.land[came[a.name]][a.at] if a.name in came else {} for a in force]
        defence = self.value(p, target) + (zone["terrain"] in BONUS)
        defence += bool(zone.get("fortress")) and hostile(p.control[army.at], army.side)
        defence += all(facts.get("river_in") == army.at for facts in crossed)
        defence += 2 * all(facts.get("line_in") == army.at for facts in crossed)
        defence += all(bool(facts.get("strait")) for facts in crossed)
        defence += army.operation == "amphibious"
        germans = any(a.country == "germany" for a in p.stacks[army.at])
        return attack, defence + (target.country == "italy" and germans)

    def die(self, army: Army, rolled: int, attacking: bool) -> int:
        zone = self.zones[army.at]
        desert = army.grade == "dak" or (army.country == "britain" and army.kind == "armour")
        steppe = attacking and army.country == "germany" and army.kind == "armour"
        open_russia = zone["home"] == "soviet_union" and zone["terrain"] in ("plain", "defile")
        lucky = (desert and zone.get("africa")) or (steppe and open_russia)
        return max(3, rolled) if lucky else rolled


def losses(attack: int, defence: int, attacker_reduced: bool, defender_reduced: bool) -> tuple[int, int]:
    """Of attacker and defender."""
    if attack == defence:
        return 1, 1
    if attack > defence:
        return int(attack < 2 * defence and not defender_reduced), 2
    return 2, int(defence < 2 * attack and not attacker_reduced)
