"""Where a beaten unit may retreat to (8.3), in plain Python."""

from __future__ import annotations

from tests.oracles.berlin_board import Position


def retreat_zones(position: Position, name: str, readings: dict[str, str]) -> set[str]:
    """8.3.2, 8.3.3, 8.3.5, 7.3.2: where a unit may retreat to."""
    board, unit, origin = position.board, position.unit(name), position.where[name]

    def passable(here: str, zone: str) -> bool:
        if position.enemies_in(zone, name):
            return False
        border = board.borders[here].get(zone)
        if unit.side == "german":
            if border is not None and border.get("oder_neisse"):  # 7.2.1
                return False
            return not (board.is_berlin(zone) and not board.is_berlin(here) and position.stormed(zone))
        if not board.is_berlin(zone):
            return True
        mine = position.control.get(zone) == unit.camp
        either = readings.get("berlin_retreat_control", "own_camp") == "either_camp"
        return position.controlled(zone) and (mine or either) and not position.rivals_in(zone, name)  # 7.4.5

    def best(zones: set[str]) -> set[str]:
        index = board.zones[origin]["index"]
        sign = 1 if unit.side == "german" else -1

        def rung(zone: str) -> tuple[bool, bool, bool]:
            outward = sign * board.zones[zone]["index"] > sign * index
            strangers = any(position.unit(u).camp != unit.camp for u in position.units_in(zone))
            over_the_line = unit.side == "soviet" and position.foreign(zone, name)  # 7.3.2: only if forced
            return outward, strangers, over_the_line and not position.foreign(origin, name)

        first = min(map(rung, zones), default=(True, True, True))
        return {z for z in zones if rung(z) == first}

    near = {z for z in board.borders[origin] if passable(origin, z)}
    with_room = {z for z in near if position.room(z, name)}
    if with_room:
        return best(with_room)
    full = {z for z in near if any(_same(position, u, name) for u in position.units_in(z))}
    beyond: set[str] = set()
    for zone in full:
        ways = set(board.borders[zone]) | (board.nexus[zone] if unit.side == "german" else set())
        beyond |= {z for z in ways - {origin} if passable(zone, z) and position.room(z, name)}
    return best(beyond)


def _same(position: Position, one: str, two: str) -> bool:
    a, b = position.unit(one), position.unit(two)
    return (a.side, a.camp) == (b.side, b.camp)
