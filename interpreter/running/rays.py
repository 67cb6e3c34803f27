"""Rays: what lies from a space of a grid straight on in one direction, as masks that are worked out once.

`ray` is all of it, `ray_to` what lies up to and with the first space of a set, `first_along` that space.
`rays`, `rays_to` and `firsts_along` are the same for several directions at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from rulesdsl.program.world import World

Way = tuple[int, ...]


def ray_functions(world: World) -> dict[str, Callable[..., int]]:
    """The functions for generated code; nothing where there is no grid."""
    if not world.grid_form:
        return {}
    following = [_following(world, direction) for direction in world.directions]
    masks = [_masks(each) for each in following]
    rising = [all(there > here for here, there in _steps(each)) for each in following]
    falling = [all(there < here for here, there in _steps(each)) for each in following]

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
        space = following[direction][start]
        while not met >> space & 1:
            space = following[direction][space]
        return space

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


def _following(world: World, direction: str) -> list[int]:
    """For each space the one that follows it in a direction, -1 where there is none."""
    values = world.attributes["space", direction].values
    return [space if isinstance(space, int) and space >= 0 else -1 for space in values]


def _masks(following: Sequence[int]) -> list[int]:
    """From each space all that follow each other: one space after the other, each worked out from the next.

    A ray of a board that is a ring comes back to where it began.
    """
    masks = [-1] * len(following)
    for start in range(len(following)):
        path: dict[int, None] = {}
        space = start
        while space >= 0 and masks[space] < 0 and space not in path:
            path[space] = None
            space = following[space]
        behind = 0 if space < 0 else masks[space]
        if space >= 0 and behind < 0:  # a ring: the same for all of its spaces
            ring = [*path][[*path].index(space) :]
            behind = sum(1 << each for each in ring)
            for each in ring:
                masks[each] = behind
        for each in reversed(path):
            if masks[each] < 0:
                masks[each] = behind | (1 << following[each] if following[each] >= 0 else 0)
            behind = masks[each]
    return masks


def _steps(following: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of spaces that stand one after the other on some ray."""
    return ((here, following[here]) for here in {*following} - {-1} if following[here] >= 0)
