"""Downfall of the Third Reich once more, by hand: what the end of a phase does to zones and countries.

Control (6), the supply of armies and of zones (7), surrender (17) and victory (20), with every reading at its
default, from the rulebook and the prose of chapter 7. A position is changed in place, step by step.
"""

from __future__ import annotations

from tests.oracles.europe import ALLIES, AXIS, USSR, Army, Europe, Position, hostile

SIDES = (AXIS, ALLIES, USSR)
LAST_TURN = 22


class EndOfPhase:
    """The last steps of a phase of one faction."""

    def __init__(self, europe: Europe, p: Position, active: str) -> None:
        self.europe, self.p, self.active = europe, p, active
        self.over = ""
        self._steps: dict[str, dict[str, int]] = {}

    # ---- control (6, 17) -----------------------------------------------------------------------------
    def control(self) -> None:
        p = self.p
        for zone in self.europe.zones:
            mine = [a for a in p.stacks.get(zone, ()) if a.side == self.active and p.at_war(a.country)]
            if not (mine or zone in p.crossed) or p.enemies(zone, self.active):
                continue
            if self._belongs_to_an_enemy(zone):
                p.control[zone] = self.active
                if zone not in p.crossed and all(a.country in p.resurgent for a in mine):
                    p.partisan.add(zone)
        for zone in sorted(p.partisan):
            allied = [a for a in p.stacks.get(zone, ()) if a.side == ALLIES]
            regular = any(a.country not in p.resurgent for a in allied)
            if self.active == ALLIES and zone in p.crossed:
                regular = True
            if p.control[zone] == ALLIES and allied and not regular:
                continue
            p.partisan.discard(zone)
            if p.control[zone] == ALLIES and not regular:
                p.control[zone] = AXIS

    def _belongs_to_an_enemy(self, zone: str) -> bool:
        facts = self.europe.zones[zone]
        if self.p.control[zone]:
            return hostile(self.p.control[zone], self.active)
        closed = facts.get("french_africa") and self.p.empire == "closed_empire"
        return bool(facts.get("home")) and not closed

    # ---- supply (7) ----------------------------------------------------------------------------------
    def supply(self) -> None:
        p = self.p
        mine = [a for a in p.armies.values() if a.side == self.active and p.at_war(a.country)]
        crossings = self.europe.crossings(p, self.active)
        through = self.europe.through(p, self.active)
        self._eliminate([a for a in mine if not self.europe.supplied(p, a, crossings, through)])
        self.zones_are_lost()

    def _eliminate(self, armies: list[Army]) -> None:
        for army in armies:
            del self.p.armies[army.name]
            self.p.stacks[army.at].remove(army)

    def zones_are_lost(self) -> None:
        lost = {}
        for side in SIDES:
            own = {z for z in self.europe.zones if self.p.control[z] == side}
            hungry = own - self._fed(side, False)
            with_the_ally = self._fed(side, True) if hungry else set()
            for zone in hungry - with_the_ally:
                if not self._keeps(zone, side):
                    lost[zone] = self._taker(zone, side)
        for zone, taker in lost.items():
            if taker:
                self.p.control[zone] = taker

    def _keeps(self, zone: str, side: str) -> bool:
        """Without a line to a source of the faction."""
        home = self.europe.zones[zone]["home"]
        if side in self.p.standing(zone) or zone in self.p.partisan or home in self.p.neutral:
            return True
        if self.europe.countries[home].get("side") != side or home in self.p.fallen:
            return False
        capital = str(self.europe.countries[home]["capital"])
        if self.p.control[capital] != side:
            return False
        if zone == capital:
            return True
        return self.europe.lets_through(self.p, capital, side) and zone in self._flood({capital}, side, False)

    def _fed(self, side: str, common: bool) -> set[str]:
        """Every zone from which a line leads to a source of the faction; of its own sources, itself."""
        sources = {
            zone
            for zone, facts in self.europe.zones.items()
            if facts.get("supply") == side
            and self.p.control[zone] == side
            and facts["home"] not in self.p.neutral
        }
        giving = {zone for zone in sources if self.europe.lets_through(self.p, zone, side)}
        return sources | self._flood(giving, side, common)

    def _flood(self, start: set[str], side: str, common: bool) -> set[str]:
        crossings = self.europe.crossings(self.p, side)
        reached, todo = set(start), list(start)
        while todo:
            here = todo.pop()
            if here not in start and not self._passes(here, side, common):
                continue
            near = {*self.europe.land[here], *crossings.get(here, ())}
            todo += near - reached
            reached |= near
        return reached

    def _passes(self, zone: str, side: str, common: bool) -> bool:
        if self.europe.lets_through(self.p, zone, side):
            return True
        held = self.p.control[zone]
        friendly = held and not hostile(held, side)
        return bool(common and friendly and not self.p.enemies(zone, side))

    # ---- who has cut it off --------------------------------------------------------------------------
    def _taker(self, zone: str, side: str) -> str:
        pocket, todo = {zone}, [zone]
        while todo:
            here = todo.pop()
            if here == zone or self.europe.lets_through(self.p, here, side):
                fresh = set(self.europe.land[here]) - pocket
                pocket |= fresh
                todo += fresh
        around = {self.p.control[z] for z in pocket} | {s for z in pocket for s in self.p.standing(z)}
        around -= {side, ""}
        enemies = {s for s in SIDES if hostile(s, side) and (s in around or not around)}
        if self.active in enemies or len(enemies) < 2:
            return self.active if self.active in enemies else "".join(enemies)
        far = self._distances(zone)
        near = [a for a in self.p.armies.values() if a.side in enemies and self.p.at_war(a.country)]
        return min(near, key=lambda a: far.get(a.at, 99)).side if near else ""

    def _distances(self, zone: str) -> dict[str, int]:
        if zone not in self._steps:
            far, edge = {zone: 0}, [zone]
            for here in edge:
                for there in self.europe.land[here]:
                    if there not in far:
                        far[there] = far[here] + 1
                        edge.append(there)
            self._steps[zone] = far
        return self._steps[zone]

    # ---- surrender (17) and victory (20) -------------------------------------------------------------
    def surrenders(self) -> None:
        while True:
            falling = [(c, by) for c in self.europe.countries if (by := self._surrenders_to(c))]
            if not falling:
                break
            for country, by in falling:
                self._surrender(country, by)
            if self.over:
                return
            self.zones_are_lost()
        if self.active == ALLIES:
            self.p.france_warned = self._france_is_lost()

    def _surrenders_to(self, country: str) -> str:
        """The faction to which it surrenders now, if it does."""
        p, facts = self.p, self.europe.countries[country]
        side = str(facts.get("side", ""))
        if country in p.fallen | p.resurgent or (side and country in p.neutral):
            return ""
        if country == "france":
            return AXIS if self.active == ALLIES and p.france_warned and self._france_is_lost() else ""
        held = p.control[str(facts["capital"])]
        if country in ("belgium", "italy"):
            there = [a for a in p.armies.values() if hostile(a.side, side) and self._on_soil(a, country)]
            forced = len(there) >= 2 and self.active in {a.side for a in there}
        elif facts.get("great_power"):
            at_home = {z: f for z, f in self.europe.zones.items() if f["home"] == country}
            sources = [z for z, f in at_home.items() if f.get("supply") == side]
            lost = all(hostile(p.control[z], side) for z in sources)
            part = self.active in {p.control[z] for z in sources}
            forced = country in ("germany", "soviet_union") and lost and part
        else:
            forced = bool(held == self.active and (hostile(held, side) or not side))
        return self.active if forced else ""

    def _on_soil(self, army: Army, country: str) -> bool:
        zone = self.europe.zones[army.at]
        return zone["home"] == country and not zone.get("africa")

    def _france_is_lost(self) -> bool:
        germans = {
            a.at for a in self.p.armies.values() if a.country == "germany" and self._on_soil(a, "france")
        }
        return "belgium" in self.p.fallen and len(germans) >= 3

    def _surrender(self, country: str, by: str) -> None:
        p, side = self.p, str(self.europe.countries[country].get("side", ""))
        p.fallen.add(country)
        self._eliminate([a for a in p.armies.values() if a.country == country])
        for zone, facts in self.europe.zones.items():
            if facts["home"] == country and p.control[zone] in ("", side):
                p.control[zone] = by
        if country == "france":
            p.empire = "closed_empire"
            for zone, facts in self.europe.zones.items():
                if facts.get("french_africa"):
                    p.control[zone] = ""
                if facts["home"] == "italy" and "italy" in p.neutral and not p.control[zone]:
                    p.control[zone] = AXIS
            p.neutral.discard("italy")
        if country == "germany":
            self.over = "drawn" if p.turn >= LAST_TURN else "won"
