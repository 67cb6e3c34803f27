"""Marches and end-of-turn moves (7, 5.1) of Race for Berlin in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.oracles.berlin_board import Position

HALVES = 2  # points are counted in halves: a step by road costs one
FAR = 1_000


@dataclass
class Standing:
    """What is known of the units beyond where they stand."""

    mode: dict[str, str] = field(default_factory=dict)  # how they are activated: moving, fighting, waiting
    start: dict[str, str] = field(default_factory=dict)  # where the move of a held unit began (7.2.2)
    held: set[str] = field(default_factory=set)  # 7.2.2
    separated: set[str] = field(default_factory=set)  # 7.3.1
    stranded: set[str] = field(default_factory=set)  # 7.3.2, 2.2.7
    called_back: set[str] = field(default_factory=set)  # 7.3.2
    fords: set[str] = field(default_factory=set)  # event 2
    moved: set[str] = field(default_factory=set)
    turned: set[str] = field(default_factory=set)
    bombarding: set[str] = field(default_factory=set)  # 10.2.1
    active_side: str = ""
    places: dict[str, int] = field(default_factory=dict)  # units a camp may activate in this impulse


class Marches:
    """Where the units of one position may go, by the default readings."""

    def __init__(self, position: Position, standing: Standing) -> None:
        self.position, self.standing, self.board = position, standing, position.board
        self.crowd: dict[str, list[str]] = {}
        for name, zone in position.where.items():
            self.crowd.setdefault(zone, []).append(name)
        self.stormed = {zone for zone in self.board.zones if position.stormed(zone)}

    def march(self, name: str) -> set[str]:
        """Every zone in which a march of the unit may end."""
        return {
            zone for zone in self.approach(name) if self._army_allows(name, zone) and self._recall(name, zone)
        }

    def approach(self, name: str) -> set[str]:
        """The same without what the rest of its army asks of it (7.3.1, 7.3.2)."""
        return {zone for zone in self._reached(name) if self._may_end(name, zone)}

    def single_move(self, name: str) -> set[str]:
        """5.1: one zone, whatever it costs, not into Berlin."""
        here = self.position.where[name]
        return {
            zone
            for zone, _ in self._ways(here, name)
            if self._may_enter(here, zone, name) and not self.board.is_berlin(zone)
            and self._has_room(zone, name)
        }  # fmt: skip

    # ---- the way
    def _reached(self, name: str) -> set[str]:
        """7.1: all zones within the movement points; the first step is always possible (7.1.3)."""
        unit, origin = self.board.units[name], self.position.where[name]
        points = unit.movement * (HALVES // 2 if self.standing.mode.get(name) == "waiting" else HALVES)
        only_one = name in self.position.short  # 3.1.3
        cheapest = {origin: 0}
        open_ends = [(origin, 0, True)]
        while open_ends:
            here, spent, first = open_ends.pop()
            for zone, cost in self._ways(here, name):
                total = spent + cost
                if (total > points and not first) or (only_one and not first):
                    continue
                if total >= cheapest.get(zone, FAR) or not self._may_enter(here, zone, name):
                    continue
                cheapest[zone] = total
                if not self._stops(zone, name) and total <= points:
                    open_ends.append((zone, total, False))
        return set(cheapest)

    def _ways(self, here: str, name: str) -> Iterator[tuple[str, int]]:
        """What is beside a zone, and what the step costs in half points."""
        for zone, border in self.board.borders[here].items():
            if border.get("road"):
                yield zone, 1  # 7.1.2: no extra cost for a river either
            else:
                wet = border.get("river") and name not in self.standing.fords
                yield zone, (2 if wet else 1) * HALVES
        if self.board.units[name].side == "german":  # 7.4.4
            for zone in self.board.nexus[here]:
                yield zone, HALVES

    def _may_enter(self, here: str, zone: str, name: str) -> bool:
        unit, position, board = self.board.units[name], self.position, self.board
        berlin = board.is_berlin(zone)
        if zone in position.american:  # 2.2.3
            return False
        if not berlin and self._enemies(zone, unit.side):  # 4.2.1
            return False
        if unit.side == "soviet":
            if position.foreign(zone, name) and not position.foreign(here, name):  # 7.3.2
                return False
            return not self._rivals(zone, name)  # 7.3.3, 7.4.5
        if (board.borders[here].get(zone) or {}).get("oder_neisse"):  # 7.2.1
            return False
        if name in self.standing.held and (
            board.zones[zone]["index"] < board.zones[self.standing.start[name]]["index"]
        ):
            return False
        if berlin != board.is_berlin(here):  # 7.4.1, 7.4.2
            return (zone if berlin else here) not in self.stormed
        return True

    def _stops(self, zone: str, name: str) -> bool:
        """7.4.3, 7.4.6"""
        if not self.board.is_berlin(zone):
            return False
        if self.board.units[name].side == "german":
            return zone in self.stormed
        return not self.position.controlled(zone)

    # ---- the end
    def _may_end(self, name: str, zone: str) -> bool:
        if zone in self.position.american or not self._has_room(zone, name):
            return False
        guest_stays = name in self.position.guests or zone != self.position.where[name]
        return not (self._rivals(zone, name) and guest_stays)

    def _has_room(self, zone: str, name: str) -> bool:
        """6.1.2"""
        unit, facts = self.board.units[name], self.board.zones[zone]
        berlin = self.board.is_berlin(zone)
        if not berlin and self._enemies(zone, unit.side):
            return False
        if unit.side == "soviet" and (facts.get("east_of_oder") or zone == "bridgehead"):
            return True
        there = [n for n in self.crowd.get(zone, ()) if n != name and self.board.units[n].side == unit.side]
        return len(there) < ((1 if berlin else 3) if unit.side == "german" else 2)

    def _recall(self, name: str, zone: str) -> bool:
        """7.3.2, 2.2.7: who can go back to where he belongs must."""
        away = self.position.foreign(zone, name) or zone in self.position.american
        return name not in self.standing.called_back or not away

    def _army_allows(self, name: str, zone: str) -> bool:
        """7.3.1: an army that was apart must be together at the end, and may meet half-way."""
        standing = self.standing
        if name not in standing.separated or name in standing.stranded:
            return True
        others = [n for n in self.board.armies[self.board.units[name].army] if n != name]
        others = [n for n in others if n in self.position.where]
        if all(self._together(self.position.where[n], zone) for n in others):
            return True
        return any(
            self._may_still_come(other, name)
            and any(self._together(there, zone) for there in self.approach(other))
            for other in others
        )

    def _may_still_come(self, other: str, name: str) -> bool:
        standing = self.standing
        if standing.mode.get(other) == "moving":
            return other not in standing.moved
        asked_before = name in standing.mode
        free = other not in standing.mode and other not in standing.turned
        return not asked_before and free and self._places_left(self.board.units[name].camp) >= 2

    def _places_left(self, camp: str) -> int:
        taken = {
            n for n in {*self.standing.mode, *self.standing.bombarding}
            if (self.board.units[n].camp, self.board.units[n].side) == (camp, self.standing.active_side)
        }  # fmt: skip
        return self.standing.places[camp] - len(taken)

    # ---- who is where
    def _together(self, here: str, there: str) -> bool:
        return here == there or there in self.board.borders[here]

    def _enemies(self, zone: str, side: str) -> bool:
        return any(self.board.units[n].side != side for n in self.crowd.get(zone, ()))

    def _rivals(self, zone: str, name: str) -> bool:
        unit = self.board.units[name]
        return unit.side == "soviet" and any(
            self.board.units[n].side == "soviet" and self.board.units[n].camp != unit.camp
            for n in self.crowd.get(zone, ())
        )
