"""Straight lines and directions on grids, in whole numbers: no rounding decides who sees whom.

A cell lies at whole coordinates (in half cells). The corners of its outline are whole too once the axis
along which hexes are squeezed is counted in thirds, and squeezing a plane keeps lines straight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from rulesdsl.program.world import World

Point = tuple[int, int]

_CORNERS: dict[str, tuple[Point, ...]] = {
    "squares": ((1, 1), (1, -1), (-1, -1), (-1, 1)),
    "pointy": ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)),
    "flat": ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1)),
}
_STRETCH: dict[str, Point] = {"squares": (1, 1), "pointy": (1, 3), "flat": (3, 1)}
# lengths are compared in the plane as drawn: a squeezed step of 3 counts as 3 squared over 3
_WEIGHT: dict[str, Point] = {"squares": (1, 1), "pointy": (3, 1), "flat": (1, 3)}


def sight_functions(world: World) -> dict[str, Callable[[int, int], object]]:
    """`line`, `sides_along`, `straight_path`, `direction_from` and `turns` for generated code."""
    form = world.grid_form
    if not form:
        return {}
    across, up = _STRETCH[form]
    centres = [None if p is None else (p[0] * across, p[1] * up) for p in world.places]

    at = {p: i for i, p in enumerate(centres) if p is not None}

    def between(a: Point, b: Point, p: Point) -> bool:
        """Whether `p` lies beside the stretch from `a` to `b`, not before or behind it."""
        wide, high = _WEIGHT[form]
        along = wide * (p[0] - a[0]) * (b[0] - a[0]) + high * (p[1] - a[1]) * (b[1] - a[1])
        return 0 < along < wide * (b[0] - a[0]) ** 2 + high * (b[1] - a[1]) ** 2

    def side(a: Point, b: Point, p: Point) -> int:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    def corners(p: Point) -> list[Point]:
        return [(p[0] + x, p[1] + y) for x, y in _CORNERS[form]]

    def near(a: Point, b: Point) -> Iterable[tuple[int, Point]]:
        """All cells that a line between two points could touch, and perhaps more."""
        left, right = sorted((a[0], b[0]))
        low, high = sorted((a[1], b[1]))
        if (right - left + 5) * (high - low + 5) >= len(at):
            return ((i, p) for p, i in at.items())
        box = ((x, y) for x in range(left - 2, right + 3) for y in range(low - 2, high + 3))
        return ((at[p], p) for p in box if p in at)

    def line(one: int, other: int) -> int:
        a, b = _ends(centres, one, other)
        if a is None or b is None:
            return 0
        out = 0
        for i, p in near(a, b):
            if i not in (one, other) and between(a, b, p):
                sides = [side(a, b, c) for c in corners(p)]
                if min(sides) < 0 < max(sides):
                    out |= 1 << i
        return out

    def sides_along(one: int, other: int) -> int:
        a, b = _ends(centres, one, other)
        if a is None or b is None:
            return 0
        out = 0
        cells = dict(near(a, b))
        for i in sorted({border for cell in cells for _, border in world.adjacency[cell]}):
            p, q = (centres[x] for x in world.border_ends[i])
            if p is None or q is None:
                continue
            shared = set(corners(p)) & set(corners(q))
            if len(shared) == 2 and all(side(a, b, c) == 0 for c in shared) and between(a, b, p):
                out |= 1 << i
        return out

    def straight_path(one: int, other: int) -> tuple[tuple[int, ...], ...]:
        """What the line enters, in order, the end last; two spaces where it runs along their common side."""
        a, b = _ends(centres, one, other)
        if a is None or b is None or one == other:
            return ()
        wide, high = _WEIGHT[form]
        crossed, sides = line(one, other), sides_along(one, other)
        stages: list[tuple[int, ...]] = [(i,) for i in range(len(centres)) if crossed >> i & 1]
        stages += [pair for n, pair in enumerate(world.border_ends) if sides >> n & 1]

        def how_far(stage: tuple[int, ...]) -> int:
            p = centres[stage[0]]
            assert p is not None
            return wide * (p[0] - a[0]) * (b[0] - a[0]) + high * (p[1] - a[1]) * (b[1] - a[1])

        return (*sorted(stages, key=how_far), (other,))

    return {
        "line": _kept(line), "sides_along": _kept(sides_along),
        "straight_path": lru_cache(maxsize=1 << 16)(straight_path), **_direction_functions(world),
    }  # fmt: skip


def _kept(measure: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """The map does not change: each pair is looked at once (and forgotten when there are very many)."""
    return lru_cache(maxsize=1 << 16)(measure)


def _ends(centres: list[Point | None], one: int, other: int) -> tuple[Point | None, Point | None]:
    if one < 0 or other < 0:
        return None, None
    return centres[one], centres[other]


def _direction_functions(world: World) -> dict[str, Callable[[int, int], int]]:
    ways = len(world.directions)
    towards: dict[tuple[int, int], int] = {}
    for number, direction in enumerate(world.directions):
        for here, there in enumerate(world.attributes["space", direction].values):
            if isinstance(there, int) and there >= 0:
                towards[here, there] = number

    def direction_from(here: int, there: int) -> int:
        return towards.get((here, there), -1)

    def turns(one: int, other: int) -> int:
        if one < 0 or other < 0:
            return ways  # what faces nowhere has nothing ahead
        return min((one - other) % ways, (other - one) % ways)

    return {"direction_from": direction_from, "turns": turns}
