"""Fortress Berlin once more, by hand: where a unit may retreat (8.7, 8.7.1), path by path."""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracles.fortress import City, Position, Unit, distance


def ways_back(city: City, position: Position, unit: Unit, steps: int) -> set[str]:
    """All hexes in which a retreat of so many steps may end; 0 steps: one or two, as the owner likes."""
    if unit.allowance == 0:
        return set()
    if steps == 0:
        return ways_back(city, position, unit, 1) | ways_back(city, position, unit, 2)
    ends: set[str] = set()
    enemy = city.zone(position, "soviet" if unit.side == "german" else "german")
    _go(city, position, unit, [unit.at], steps, enemy, ends)
    return {end for end in ends if city.room(position, unit, end)}


def ways_off(city: City, position: Position, unit: Unit, steps: int, gates: Mapping[str, str]) -> set[str]:
    """The entry areas to which Soviets may retreat: a step beyond the edge, to the nearest letter."""
    if unit.allowance == 0 or unit.side == "german":
        return set()
    enemy, brinks = city.zone(position, "german"), {unit.at}
    for length in range(1, (steps or 2)):
        _go(city, position, unit, [unit.at], length, enemy, brinks)
    found = set()
    for brink in (b for b in brinks if len(city.around(b)) < 6):
        least = min(distance(brink, gate) for gate in gates.values())
        found |= {area for area, gate in gates.items() if distance(brink, gate) == least}
    return found


def _go(
    city: City, position: Position, unit: Unit, path: list[str], steps: int, enemy: set[str], ends: set[str]
) -> None:
    for there in city.around(path[-1]):
        if there in path or not open_to(city, position, unit, path[-1], there, enemy):
            continue
        if steps == 1:
            ends.add(there)
        else:
            _go(city, position, unit, [*path, there], steps - 1, enemy, ends)


def open_to(city: City, position: Position, unit: Unit, here: str, there: str, enemy: set[str]) -> bool:
    if city.hexes[there]["terrain"] == "lake" or (there in position.ruined and unit.face == 0):
        return False
    if city.water(here, there) and not city.side(here, there).get("bridge"):
        return False
    if any(u.side != unit.side for u in position.stacks.get(there, [])):
        return False
    if unit.side == "soviet" and city.held(position, there):
        return False
    return there not in enemy or bool(position.of(unit.side, there))
