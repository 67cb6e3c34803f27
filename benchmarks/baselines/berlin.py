"""Reach, supply and combat of Race for Berlin by hand, with masks: the ceiling for the engine.

All printed rules about the three are here, in their default readings, so that every answer can be held
against the engine's on positions of real games (tests/games/test_berlin_core.py). Half points of movement.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.baselines.berlin_combat import Fighting
from benchmarks.baselines.berlin_map import GERMAN, SOVIET
from benchmarks.baselines.berlin_position import members, union

MOVING, FIGHTING, WAITING = 0, 1, 2


class Berlin(Fighting):
    """A position with all that is asked of it."""

    # ---- reach
    def reach(self, unit: int) -> int:
        """The zones where a march of the unit may end."""
        board, side, camp, bit = self.map, self.units.side[unit], self.units.camp[unit], 1 << unit
        occupied, berlin = self.occupied, self.map.berlin
        start = 1 << self.at[unit]
        if side == SOVIET:
            rivals = occupied[1 - camp]
            closed = self.american | (occupied[2] | occupied[3]) & ~berlin | rivals
            barred_ends = closed
            steps = board.soviet_steps[camp][1 if self.fords & bit else 0]
            stops = leaving = 0
            for zone in members(berlin):
                if self.level[zone] < 2:
                    stops |= 1 << zone
        else:
            closed = self.american | (occupied[0] | occupied[1]) & ~berlin
            barred_ends = closed
            steps = board.german_steps
            stops = leaving = self.stormed()
        if self.held & bit:
            closed |= board.below[self.start_index[unit]]
        budget = self.units.movement[unit]
        if self.mode[unit] == WAITING:
            budget >>= 1
        ends = start | self._spread(steps, start, closed, stops, leaving, budget, self.out_of_supply & bit)
        return self._ends(unit, side, camp, bit, ends & ~barred_ends)

    def stormed(self) -> int:
        """The zones of Berlin that Soviets fight for or hold."""
        soviets, found = self.occupied[0] | self.occupied[1], 0
        for zone in members(self.map.berlin):
            if self.level[zone] > 1 or soviets >> zone & 1:
                found |= 1 << zone
        return found

    def _spread(
        self, steps: Sequence[tuple[int, int, int]], start: int, closed: int, stops: int, leaving: int,
        budget: int, one_step: int,
    ) -> int:  # fmt: skip
        """Where a budget leads. `leaving` are zones neither left nor entered from outside Berlin."""
        berlin = self.map.berlin
        done = closed | start
        reached = 0
        waves = [0] * (budget + 5)
        rest = start
        for spent in range(budget + 1):
            if spent:
                rest = waves[spent] & ~done
                done |= rest
                reached |= rest
                rest &= ~stops
            while rest:
                low = rest & -rest
                rest ^= low
                road, land, river = steps[low.bit_length() - 1]
                if leaving:
                    if not low & berlin:
                        road, land, river = road & ~leaving, land & ~leaving, river & ~leaving
                    elif low & leaving:
                        road, land, river = road & berlin, land & berlin, river & berlin
                if not spent:  # the first step may cost more than there is
                    reached = (road | land | river) & ~done
                    if one_step:
                        return reached
                waves[spent + 1] |= road
                waves[spent + 2] |= land
                waves[spent + 4] |= river
            if spent + 1 > budget:
                break
        return reached

    def _ends(self, unit: int, side: int, camp: int, bit: int, ends: int) -> int:
        board, units = self.map, self.units
        if self.called_back & bit:
            ends &= ~(board.foreign[camp] | self.american) if side == SOVIET else -1
        if self.summoned & bit and self.mode[unit] == MOVING and self.closing_in >> camp & 1:
            near = union(board.adjacent, self.occupied[0] | self.occupied[1])
            if not self._closed_in(camp, near):
                ends &= near
        if self.separated & bit:
            for other in members(units.army[unit] & ~bit):
                if self.at[other] >= 0:
                    ends &= board.adjacent[self.at[other]] | 1 << self.at[other]
        own = units.of_side[side] & ~bit
        found = 0
        while ends:
            low = ends & -ends
            ends ^= low
            zone = low.bit_length() - 1
            if side == SOVIET:
                limit = 999 if board.unlimited & low else 2
            else:
                limit = 1 if board.berlin & low else 3
            if (self.inside[zone] & own).bit_count() < limit:
                found |= low
        return found

    def _closed_in(self, camp: int, near: int) -> bool:
        summoned = self.summoned & self.units.of_camp[camp]
        force = 0
        for unit in members(summoned & self.moved):
            if self.at[unit] >= 0 and near >> self.at[unit] & 1:
                force |= 1 << unit
        armour = self.units.armour
        return force.bit_count() >= min(2, summoned.bit_count()) and bool(
            force & armour or not summoned & armour
        )

    # ---- supply
    def supply_check(self) -> None:
        """The supply check of a turn: who is out of supply from now on."""
        self.out_of_supply = self.supply()
        self.cut_off = 0

    def supply(self) -> int:
        """The units that are cut from supply, as a mask."""
        board, units = self.map, self.units
        soviets, germans = self.occupied[0] | self.occupied[1], self.occupied[2] | self.occupied[3]
        anybody = soviets | germans
        adjacent, berlin = board.adjacent, board.berlin
        free = ~(self.american | anybody)
        threat = union(adjacent, germans & ~(berlin & soviets)) & ~berlin
        threat |= union(adjacent, germans) & berlin
        lines = []
        for camp in (0, 1):
            own, rivals = self.occupied[camp], self.occupied[1 - camp]
            passable = free & ~threat | own & ~rivals & ~germans | own & germans & berlin
            lines.append(self._line(board.sources[camp], passable & board.all, free))
        passable = free & ~union(adjacent, soviets) | germans & ~soviets
        german = self._line(board.german_sources, passable & board.all, free) | berlin
        cut = self.cut_off
        for unit, zone in enumerate(self.at):
            if zone >= 0:
                line = lines[units.camp[unit]] if units.side[unit] == SOVIET else german
                if not line >> zone & 1:
                    cut |= 1 << unit
                elif units.side[unit] == GERMAN and berlin >> zone & 1:
                    cut &= ~(1 << unit)
            else:
                cut &= ~(1 << unit)
        return cut

    def _line(self, sources: int, passable: int, empty: int) -> int:
        """From where a source can be reached; one's own zone need not be passable, a source only empty."""
        adjacent = self.map.adjacent
        line = edge = sources & (passable | empty)
        found = line
        while edge:
            around = union(adjacent, edge)
            found |= around
            edge = around & passable & ~line
            line |= edge
        return found
