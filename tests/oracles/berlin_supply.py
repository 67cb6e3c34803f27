"""Supply lines (3.1) of Race for Berlin in plain Python."""

from __future__ import annotations

from tests.oracles.berlin_board import Position, Unit


def out_of_supply(position: Position, free_source: bool = False, open_to_hosts: bool = False) -> set[str]:
    """The units that can trace no line; the readings `supply_source` and `hosts_and_guests`."""
    lines = SupplyLines(position, free_source, open_to_hosts)
    return {name for name in position.where if not lines.reach(name)}


class SupplyLines:
    """Traces lines in one position; what is open to a unit is the same for all of its side and camp."""

    def __init__(self, position: Position, free_source: bool = False, open_to_hosts: bool = False) -> None:
        self.position, self.board = position, position.board
        self.free_source, self.open_to_hosts = free_source, open_to_hosts
        guests = (name for name in position.guests if name in position.where)
        self.visiting = {(position.where[name], position.unit(name)) for name in guests}
        self.standing: dict[str, list[Unit]] = {}
        for name, zone in position.where.items():
            self.standing.setdefault(zone, []).append(position.unit(name))
        self.known: dict[tuple[str, str, str], bool] = {}

    def reach(self, name: str) -> bool:
        unit, start = self.position.unit(name), self.position.where[name]
        if unit.side == "german" and self.board.is_berlin(start):  # 9.2.2
            return True
        source = "german_supply" if unit.side == "german" else f"soviet_supply_{unit.camp}"
        seen, todo = {start}, [start]
        while todo:
            zone = todo.pop()
            if self.board.zones[zone].get(source) and self.source(zone, unit):
                return True
            for near in self.board.borders[zone]:
                if near in seen:
                    continue
                if self.open(near, unit):
                    seen.add(near)
                    todo.append(near)
                elif self.board.zones[near].get(source) and self.source(near, unit):
                    return True
        return False

    def source(self, zone: str, unit: Unit) -> bool:
        """3.1.1: an empty source counts even beside an enemy, since the line is drawn up to it."""
        empty = not self.standing.get(zone) and zone not in self.position.american
        return self.open(zone, unit) or (empty and not self.free_source)

    def open(self, zone: str, unit: Unit) -> bool:
        key = zone, unit.side, unit.camp
        if key not in self.known:
            self.known[key] = self._open(zone, unit)
        return self.known[key]

    def _open(self, zone: str, unit: Unit) -> bool:
        """3.1.2: whether a line may pass."""
        board, there = self.board, self.standing.get(zone, [])
        if any(u.side != unit.side for u in there):
            contested_by_own = any((u.side, u.camp) == ("soviet", unit.camp) for u in there)
            return unit.side == "soviet" and board.is_berlin(zone) and contested_by_own
        if unit.side == "soviet":
            hosts = [u for u in there if not (self.open_to_hosts and (zone, u) in self.visiting)]
            if any(u.camp != unit.camp for u in hosts):
                return False
        if there:
            return True
        if zone in self.position.american:
            return False
        for near in board.borders[zone]:
            others = self.standing.get(near, [])
            if not any(u.side != unit.side for u in others):
                continue
            tied = (
                unit.side == "soviet"
                and board.is_berlin(near)
                and not board.is_berlin(zone)
                and any(u.side == "soviet" for u in others)
            )
            if not tied:
                return False
        return True
