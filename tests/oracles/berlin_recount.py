"""The invariants of Race for Berlin, counted anew after every choice, from nothing but where things lie.

The rules keep marks (`stranded`, `guest`), sums (`vp`, `fines`) and limits of their own. None of them is
used here to judge: who went where is taken from the positions before and after each choice, control
markers and victory points are kept in a second ledger, stacking is counted with the printed numbers.
Numbers in comments are paragraphs of the rulebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from tests.oracles.berlin_board import CAMPS, Board, Position
from tests.oracles.berlin_reading import StateReader
from tests.oracles.berlin_supply import out_of_supply

FORCED = "8.3.1"  # where a unit retreats to is asked under this paragraph
Crowds = dict[str, tuple[set[str], int]]  # for each occupied zone the camps of its Soviets, its Germans
NOBODY: tuple[set[str], int] = (set(), 0)
BOXES = {"reinforcements", "eliminated", "removed"}
LAST_TURN = 10


class Recount:
    """Follows one game. `look` after every choice gives everything that is wrong, in words."""

    def __init__(self, board: Board, ruleset: Ruleset) -> None:
        self.board, self.ruleset, self.read = board, ruleset, StateReader(ruleset)
        self.before: dict[str, str] = {}
        self.crowds: Crowds = {}  # before
        self.control: dict[str, str] = {}
        self.worth = {z: f["victory_points"] for z, f in board.zones.items() if f.get("victory_points")}
        self.fines = dict.fromkeys(CAMPS, 0)
        self.seen: tuple[object, ...] = ()
        self.asked = self.last_asked = ""  # the paragraphs of this prompt and of the one that was answered
        self.supply_checked = 0  # the turn for which it was
        self.supply_checks = 0
        self.levels: dict[str, int] = {}  # before
        self.cut_off: set[str] = set()  # before; marked in the next supply step if event 9 is read so

    def look(self, machine: Machine) -> list[str]:
        """All violations of a state; what has not changed since the last look is not counted twice."""
        found = list(self._asking(machine))
        seen = self.read.everything_that_lies(machine)
        if seen != self.seen:
            self.seen = seen
            where = self.read.places(machine)
            found += self._places(machine, where)
            on_map = {name: zone for name, zone in where.items() if zone in self.board.zones}
            crowds = self._crowds(on_map)
            found += self._steps(machine)
            found += self._stacking(machine, on_map)
            found += self._lines(machine, on_map, crowds)
            self._follow_markers(machine, on_map, crowds)
            found += self._markers(machine, crowds)
            found += self._points(machine)
            self.before, self.crowds = on_map, crowds
            self.levels = dict(self.read.levels(machine))
        if self.asked == "3.2.1" and self.read.track(machine, "turn") > self.supply_checked:
            found += self._supply(machine)
        self.cut_off = self.read.flagged(machine, "piece", "cut_off")
        return found

    # ---- the single rules
    def _asking(self, machine: Machine) -> Iterator[str]:
        """Somebody can choose, or a rule has ended the game; no turn after the tenth (5.2)."""
        pending = machine.pending
        self.last_asked = self.asked
        if pending is None:
            self.asked = ""
            if machine.outcome is None or machine.outcome[3] not in ("10", "2.2.8"):
                yield f"the game stopped without a rule that ends it: {machine.outcome}"
        else:
            self.asked = self.read.paragraph(pending)
            if not len(pending.options):
                yield f"a dead end: nothing can be chosen under {self.asked}"
        if not 1 <= self.read.track(machine, "turn") <= LAST_TURN:
            yield f"turn {self.read.track(machine, 'turn')}"

    def _places(self, machine: Machine, where: dict[str, str]) -> Iterator[str]:
        """Each counter is in exactly one place."""
        if self.read.lies_as_said(machine):
            return
        lying = self.read.lying(machine)
        for name in self.board.units:
            place = where.get(name)
            if place not in self.board.zones and place not in BOXES:
                yield f"{name} is nowhere"
            elif lying.get(name) != [place]:
                yield f"{name} is at {place} and lies in {lying.get(name)}"

    def _steps(self, machine: Machine) -> Iterator[str]:
        """Two steps each (8.2.1)."""
        faces = self.read.faces(machine)
        for name in () if set(faces.values()) <= {0, 1} else faces:
            if (face := faces[name]) not in (0, 1):
                yield f"{name} shows side {face}"

    def _crowds(self, on_map: dict[str, str]) -> Crowds:
        crowds: Crowds = {}
        for name, zone in on_map.items():
            unit = self.board.units[name]
            camps, germans = crowds.get(zone, NOBODY)
            if unit.side == "german":
                crowds[zone] = (camps, germans + 1)
            else:
                crowds[zone] = (camps | {unit.camp}, germans)
        return crowds

    def _stacking(self, machine: Machine, on_map: dict[str, str]) -> Iterator[str]:
        """6.1.2. A unit on its way is counted at the end of its march (6.1.1)."""
        uncounted = self.read.flagged(machine, "piece", "under_way")
        if self.read.reads("flight_stacking", "not_checked"):  # 2.2.5
            uncounted |= self.read.flagged(machine, "piece", "crowding")
        units = self.board.units
        resting = Counter((zone, units[n].side) for n, zone in on_map.items() if n not in uncounted)
        for (zone, side), count in resting.items():
            if count == 1 and (zone, "german") not in resting:
                continue
            facts, berlin = self.board.zones[zone], self.board.is_berlin(zone)
            open_end = bool(facts.get("east_of_oder")) or zone == "bridgehead"
            limit = (1 if berlin else 3) if side == "german" else 999 if open_end else 2
            if count > limit:
                yield f"{count} {side} units in {zone}"
            if side == "german" and not berlin and (zone, "soviet") in resting:
                yield f"both nationalities in {zone}"

    def _lines(self, machine: Machine, on_map: dict[str, str], crowds: Crowds) -> Iterator[str]:
        """7.2.1, 7.3.2, 7.3.3, 2.2.3, 7.4.5: beyond a line only who was forced there by a retreat."""
        american = self.read.flagged(machine, "space", "american")
        forced = self.last_asked == FORCED
        for name, zone in on_map.items():
            if self.before.get(name) == zone and zone not in american:
                continue  # seen when it came
            unit, facts = self.board.units[name], self.board.zones[zone]
            if unit.side == "german":
                if facts.get("east_of_oder"):
                    yield f"{name} is east of the Oder in {zone}"
                if zone in american:
                    yield f"{name} is in American {zone}"
                continue
            came_from = self.before.get(name)
            if came_from == zone or forced:
                continue
            rivals = crowds[zone][0] - {unit.camp} - self._let_in(machine, name, zone, on_map)
            away = facts["front"] not in (unit.camp, "neutral")
            was_away = came_from is not None and self.board.zones[came_from]["front"] == facts["front"]
            if away and not was_away:
                yield f"{name} crossed the line between the fronts into {zone} under {self.last_asked}"
            if zone in american:
                yield f"{name} entered American {zone} under {self.last_asked}"
            if rivals:
                yield f"{name} joined the other camp in {zone} under {self.last_asked}"
        for zone, (camps, _) in crowds.items():
            if len(camps) > 1 and self.board.is_berlin(zone):
                yield f"both camps in {zone}"

    def _let_in(self, machine: Machine, name: str, zone: str, on_map: dict[str, str]) -> set[str]:
        """The camps that do not bar a zone: a march may pass through, or guests are no hindrance."""
        passing = self.read.reads("passing_rivals", "passing_allowed") and not self.board.is_berlin(zone)
        if passing and name in self.read.flagged(machine, "piece", "under_way"):
            return set(CAMPS)
        if not self.read.reads("hosts_and_guests", "open_to_hosts"):
            return set()
        guests = self.read.flagged(machine, "piece", "guest")
        there = [n for n, z in on_map.items() if z == zone and self.board.units[n].side == "soviet"]
        hosts = {self.board.units[n].camp for n in there if n not in guests}
        return set(CAMPS) - hosts

    def _follow_markers(self, machine: Machine, on_map: dict[str, str], crowds: Crowds) -> None:
        """7.3.4, 9.1.5, 9.3.3: what must become of markers and fines, from who came and went."""
        american, levels = self.read.flagged(machine, "space", "american"), self.read.levels(machine)
        came = {(zone, self.board.units[n].camp) for n, zone in on_map.items() if self.before.get(n) != zone}
        for zone, worth in self.worth.items():
            camps, germans = crowds.get(zone, NOBODY)
            if self.board.is_berlin(zone):
                if not camps:
                    for camp in self._payers(zone, on_map):
                        self.fines[camp] += worth
                if levels.get(zone, 0) > 1 and camps:
                    self.control[zone] = min(camps)
                else:
                    self.control.pop(zone, None)
            elif germans or (zone in american and self.read.reads("american_capture", "marker_removed")):
                self.control.pop(zone, None)
            elif zone not in self.control:
                takers = [camp for camp in CAMPS if (zone, camp) in came]
                self.control.update((zone, camp) for camp in takers[:1])

    def _payers(self, zone: str, on_map: dict[str, str]) -> set[str]:
        """9.1.5: who left the zone empty. Whoever was destroyed there has not left."""
        there = [n for n, z in self.before.items() if z == zone and self.board.units[n].side == "soviet"]
        left = [n for n in there if n in on_map or self.read.reads("empty_by_loss", "fined")]
        fought_for = self.levels.get(zone, 0) > 0 or self.read.reads("empty_at_level_0", "fined")
        return {self.board.units[n].camp for n in left} if fought_for else set()

    def _markers(self, machine: Machine, crowds: Crowds) -> Iterator[str]:
        """Markers lie as the second ledger says; a level needs Soviets in its suburb (9.1.5)."""
        shown = self.read.markers(machine)
        for zone in sorted(shown.keys() | self.control.keys()):
            if shown.get(zone) != self.control.get(zone):
                yield f"{zone} shows the marker {shown.get(zone)}, not {self.control.get(zone)}"
        for zone, level in self.read.levels(machine).items():
            if not self.board.is_berlin(zone) or level < 0 or not crowds.get(zone, NOBODY)[0]:
                yield f"{zone} has the progress level {level}"

    def _points(self, machine: Machine) -> Iterator[str]:
        """10.1.1, 10.2, less what 9.1.5 has cost."""
        if self.read.reads("negative_points", "floor_zero"):
            if any(points < 0 for points in self.read.points(machine).values()):
                yield "somebody has less than no points"
            return  # what was lost at 0 cannot be told from the position
        due = {camp: -fine for camp, fine in self.fines.items()}
        for zone, camp in self.control.items():
            due[camp] += self.board.zones[zone]["victory_points"]
        for objective, worth in (("bombarded_by", 1), ("first_in", 2)):
            camp = self.read.track(machine, objective)
            if camp >= 0:
                due[CAMPS[camp]] += worth
        for camp, points in self.read.points(machine).items():
            due[camp] += self._deepest(machine, camp)
            if points != due[camp]:
                yield f"{camp} has {points} points, a recount says {due[camp]}"

    def _deepest(self, machine: Machine, camp: str) -> int:
        """10.2.3, once the game is over."""
        if machine.outcome is None or machine.outcome[3] != "10":
            return 0
        depth = dict.fromkeys(CAMPS, 0)
        here = self.read.places(machine)
        for zone in filter(self.board.is_berlin, self.board.zones):
            camps = {self.board.units[n].camp for n, z in here.items()
                     if z == zone and self.board.units[n].side == "soviet"}  # fmt: skip
            if not camps:
                return 0
            for each in camps:
                depth[each] = max(depth[each], self.read.levels(machine).get(zone, 0))
        rival = depth[CAMPS[1 - CAMPS.index(camp)]]
        tie = depth[camp] == rival and self.read.reads("deepest_progress_tie", "both")
        return 5 if depth[camp] >= 4 and (depth[camp] > rival or tie) else 0

    def _supply(self, machine: Machine) -> Iterator[str]:
        """3.1, right after the supply step, when the first player is asked for his replacement point."""
        self.supply_checked = self.read.track(machine, "turn")
        self.supply_checks += 1
        position = Position(self.board, where=dict(self.before))
        position.american = self.read.flagged(machine, "space", "american")
        marked = self.read.flagged(machine, "piece", "out_of_supply") & position.where.keys()
        position.guests = self.read.flagged(machine, "piece", "guest")
        free = self.read.reads("supply_source", "free")
        hosts = self.read.reads("hosts_and_guests", "open_to_hosts")
        traced = out_of_supply(position, free, hosts) | self.cut_off & position.where.keys()
        for name in sorted(marked ^ traced):
            yield f"{name} {'is' if name in marked else 'is not'} marked out of supply: a trace differs"
