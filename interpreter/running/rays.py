"""Rays: what lies from a space of a grid straight on in one direction, as masks that are worked out once.

`ray` is all of it, `ray_to` what lies up to and with the first space of a set, `first_along` that space.
`rays`, `rays_to` and `firsts_along` are the same for several directions at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rulesdsl.program.world import World

Way = tuple[int, ...]


def ray_functions(world: World) -> dict[str, Callable[..., int]]:
    """The functions for generated code; nothing where there is no grid."""
    if not world.grid_form:
        return {}
    ways = [_ways(world, direction) for direction in world.directions]
    masks = [[sum(1 << space for space in way) for way in from_each] for from_each in ways]
    rising = [all(list(way) == sorted(way) for way in from_each) for from_each in ways]
    falling = [all(list(way) == sorted(way, reverse=True) for way in from_each) for from_each in ways]

    def ray(start: int, direction: int) -> int:
        return masks[direction][start] if start >= 0 and direction >= 0 else 0

    def first_along(start: int, direction: int, group: int) -> int:
        met = masks[direction][start] & group if start >= 0 and direction >= 0 else 0
        if not met:
            return -1
        if falling[direction]:  # the first that is met has the greatest number
            return met.bit_length() - 1
        if rising[direction]:
            return (met & -met).bit_length() - 1
        return next(space for space in ways[direction][start] if met >> space & 1)

    def ray_to(start: int, direction: int, group: int) -> int:
        end = first_along(start, direction, group)
        return ray(start, direction) if end < 0 else masks[direction][start] & ~masks[direction][end]

    @lru_cache(maxsize=1 << 14)
    def rays(start: int, directions: int) -> int:
        out = 0
        for direction in _members(directions):
            out |= ray(start, direction)
        return out

    def rays_to(start: int, directions: int, group: int) -> int:
        out = 0
        for direction in _members(directions):
            out |= ray_to(start, direction, group)
        return out

    def firsts_along(start: int, directions: int, group: int) -> int:
        out = 0
        for direction in _members(directions):
            end = first_along(start, direction, group)
            if end >= 0:
                out |= 1 << end
        return out

    return {
        "ray": ray, "ray_to": ray_to, "first_along": first_along,
        "rays": rays, "rays_to": rays_to, "firsts_along": firsts_along,
    }  # fmt: skip


@lru_cache(maxsize=1 << 10)
def _members(mask: int) -> Way:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _ways(world: World, direction: str) -> list[Way]:
    """From each space the spaces that follow each other in a direction, the nearest first."""
    following = world.attributes["space", direction].values
    ways: list[Way] = []
    for start in range(len(following)):
        way: list[int] = []
        space = following[start]
        while isinstance(space, int) and space >= 0 and space not in way:
            way.append(space)
            space = following[space]
        ways.append(tuple(way))
    return ways
