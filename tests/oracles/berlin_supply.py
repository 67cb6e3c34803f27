"""Supply lines (3.1) of Race for Berlin in plain Python."""

from __future__ import annotations

from oracles.berlin_board import Position


def out_of_supply(position: Position) -> set[str]:
    """The units that can trace no line."""
    return {name for name in position.where if not _supplied(position, name)}


def _supplied(position: Position, name: str) -> bool:
    board, unit = position.board, position.unit(name)
    start = position.where[name]
    if unit.side == "german" and board.is_berlin(start):  # 9.2.2
        return True
    source = "german_supply" if unit.side == "german" else f"soviet_supply_{unit.camp}"
    seen, todo = {start}, [start]
    while todo:
        zone = todo.pop()
        if board.zones[zone].get(source) and _open(position, zone, name):
            return True
        for near in board.borders[zone]:
            if near not in seen and _open(position, near, name):
                seen.add(near)
                todo.append(near)
    return False


def _open(position: Position, zone: str, name: str) -> bool:
    """3.1.2: whether a line may pass."""
    board, unit = position.board, position.unit(name)
    friends = [u for u in position.units_in(zone, unit.side) if position.unit(u).camp == unit.camp]
    if position.enemies_in(zone, name):
        return unit.side == "soviet" and board.is_berlin(zone) and bool(friends)
    if unit.side == "soviet" and position.rivals_in(zone, name):
        return False
    if position.units_in(zone):
        return True
    if zone in position.american:
        return False
    for near in board.borders[zone]:
        if not position.enemies_in(near, name):
            continue
        tied = (
            unit.side == "soviet"
            and board.is_berlin(near)
            and not board.is_berlin(zone)
            and bool(position.units_in(near, "soviet"))
        )
        if not tied:
            return False
    return True
