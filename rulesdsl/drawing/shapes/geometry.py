"""Points, polygons and polylines in the plane: the few operations that drawing a map needs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]

NEARLY_NOTHING = 1e-12


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    """The point that lies `share` of the way from `a` to `b`."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def unit(a: Point, b: Point) -> Point:
    """The direction from `a` to `b`; no direction at all when they are the same point."""
    length = math.dist(a, b)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length > NEARLY_NOTHING else (0.0, 0.0)


def moved(point: Point, direction: Point, distance: float) -> Point:
    return (point[0] + direction[0] * distance, point[1] + direction[1] * distance)


def signed_area(polygon: Sequence[Point]) -> float:
    """Positive when the corners run counter-clockwise (with y growing upwards)."""
    return 0.5 * sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    )


def centroid(polygon: Sequence[Point]) -> Point:
    area = signed_area(polygon)
    if abs(area) < NEARLY_NOTHING:
        return (sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon))
    x = y = 0.0
    for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        cross = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * cross
        y += (a[1] + b[1]) * cross
    return (x / (6 * area), y / (6 * area))


def contains(polygon: Sequence[Point], point: Point) -> bool:
    x, y = point
    inside = False
    before = polygon[-1]
    for here in polygon:
        if (here[1] > y) != (before[1] > y):
            crossing = (before[0] - here[0]) * (y - here[1]) / (before[1] - here[1]) + here[0]
            if x < crossing:
                inside = not inside
        before = here
    return inside


def distance_to_segment(point: Point, a: Point, b: Point) -> float:
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    if length < NEARLY_NOTHING:
        return math.dist(point, a)
    share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length
    return math.dist(point, between(a, b, min(1.0, max(0.0, share))))


def distance_to_outline(point: Point, polygon: Sequence[Point]) -> float:
    corners = [*polygon, polygon[0]]
    return min(distance_to_segment(point, a, b) for a, b in pairwise(corners))


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross inside of both; touching at an end is not crossing."""

    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def is_sound(polygon: Sequence[Point]) -> bool:
    """Whether the corners run counter-clockwise around an area, and no side crosses another."""
    if signed_area(polygon) <= 0:
        return False
    sides = list(pairwise([*polygon, polygon[0]]))
    return not any(
        segments_cross(*sides[i], *sides[j]) for i in range(len(sides)) for j in range(i + 2, len(sides))
    )


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the smallest convex polygon around the points, counter-clockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def chain(run: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for p in run:
            while len(kept) > 1 and (
                (kept[-1][0] - kept[-2][0]) * (p[1] - kept[-2][1])
                <= (kept[-1][1] - kept[-2][1]) * (p[0] - kept[-2][0])
            ):
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return chain(ordered) + chain(ordered[::-1])


def surrounding(points: Sequence[Point], margin: float, corners: int = 16) -> list[Point]:
    """A convex outline that keeps `margin` from every point: the hull with rounded corners."""
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return convex_hull(
        [(x + margin * math.cos(turn), y + margin * math.sin(turn)) for x, y in points for turn in turns]
    )


def length_of(line: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def along(line: Sequence[Point], distance: float) -> tuple[Point, Point]:
    """The point at `distance` from the start of a polyline, and the direction of the line there."""
    for a, b in pairwise(line):
        step = math.dist(a, b)
        if distance <= step and step > NEARLY_NOTHING:
            return between(a, b, distance / step), unit(a, b)
        distance -= step
    return line[-1], unit(line[-2], line[-1]) if len(line) > 1 else (0.0, 0.0)


def points_along(line: Sequence[Point], distances: Iterable[float]) -> Iterator[Point]:
    """The points at these distances from the start, which do not decrease: the line is walked once."""
    sides = pairwise(line)
    a = b = line[0]
    walked = step = 0.0
    for distance in distances:
        while distance > walked + step or step <= NEARLY_NOTHING:
            side = next(sides, None)
            if side is None:
                break
            walked += step
            a, b = side
            step = math.dist(a, b)
        yield between(a, b, min(1.0, (distance - walked) / step)) if step > NEARLY_NOTHING else b


def beside(line: Sequence[Point], distance: float) -> list[Point]:
    """The polyline moved sideways, to the left of its direction when `distance` is positive (y upwards)."""
    moved_line: list[Point] = []
    for index, point in enumerate(line):
        before, after = line[max(0, index - 1)], line[min(len(line) - 1, index + 1)]
        dx, dy = unit(before, after)
        moved_line.append((point[0] - dy * distance, point[1] + dx * distance))
    return moved_line


def smooth(line: Sequence[Point], rounds: int = 1) -> list[Point]:
    """Corners cut off (Chaikin), the ends kept."""
    current = list(line)
    for _ in range(rounds):
        if len(current) < 3:
            break
        cut = [current[0]]
        for a, b in pairwise(current):
            cut += [between(a, b, 0.25), between(a, b, 0.75)]
        current = [*cut[:1], *cut[2:-1], current[-1]]
    return current
