"""Lines of the map: rivers with their bridges, roads, and fronts along borders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulesdsl.book.map.borders import Border
from rulesdsl.drawing.map.layout import Layout, Side
from rulesdsl.drawing.shapes.geometry import Point, along, between, length_of, moved, points_along, unit
from rulesdsl.drawing.style.style import LineStyle
from rulesdsl.drawing.svg import curve_path, line_path, shaded, tag

_ACROSS = ("road", "rail")


@dataclass(frozen=True, slots=True)
class Road:
    """A road over one border, from heart to heart; `crossing` is where it passes the border."""

    style: LineStyle
    line: tuple[Point, ...]
    crossing: Point
    between: frozenset[str]


def chains(sides: Iterable[Side]) -> list[list[Point]]:
    """Sides that follow each other joined into long lines, which end where three meet."""
    lines = [list(side.line) for side in sides]
    ends: dict[Point, list[int]] = {}
    for index, line in enumerate(lines):
        for end in (line[0], line[-1]):
            ends.setdefault(_rounded(end), []).append(index)
    used: set[int] = set()
    found: list[list[Point]] = []
    for index in range(len(lines)):
        if index in used:
            continue
        used.add(index)
        chain = lines[index]
        for _ in range(2):  # as far as possible at one end, then at the other
            while (following := _following(chain[-1], ends, used)) is not None:
                used.add(following)
                more = lines[following]
                chain = chain + (more[1:] if _rounded(more[0]) == _rounded(chain[-1]) else more[-2::-1])
            chain = chain[::-1]
        found.append(chain)
    return found


def _following(end: Point, ends: dict[Point, list[int]], used: set[int]) -> int | None:
    meeting = ends[_rounded(end)]
    free = [index for index in meeting if index not in used]
    return free[0] if len(meeting) == 2 and free else None


def _rounded(point: Point) -> Point:
    return (round(point[0], 1), round(point[1], 1))


def river_style(styles: Sequence[LineStyle], border: Border) -> LineStyle | None:
    """The last style of a river that a border has: a great river is also a river."""
    found = [s for s in styles if s.line == "river" and s.applies(border.attributes)]
    return found[-1] if found else None


def rivers(styles: Sequence[LineStyle], borders: Sequence[Border], layout: Layout, prefix: str) -> list[str]:
    """All banks first, then all water, so that rivers flow into each other."""
    by_style: dict[LineStyle, list[Side]] = {}
    for border in borders:
        if (style := river_style(styles, border)) is not None:
            by_style.setdefault(style, []).extend(layout.sides_between(*border.between))
    banks: list[str] = []
    water: list[str] = []
    paths: list[str] = []
    for number, (style, sides) in enumerate(by_style.items()):
        d = "".join(curve_path(chain) for chain in chains(sides))
        if not d:
            continue
        identity, name = f"{prefix}water-{number}", f"line {style.attribute}"
        paths.append(tag("path", id=identity, d=d))
        common = {"href": f"#{identity}", "class_": name}
        banks.append(tag("use", **common, stroke=shaded(style.colour, -0.35), stroke_width=style.width + 2.2))
        water.append(tag("use", **common, stroke=style.colour, stroke_width=style.width))
        shine = shaded(style.colour, 0.4)
        water.append(tag("use", **common, stroke=shine, stroke_width=style.width * 0.3, opacity=0.7))
    if not paths:
        return []
    drawn = tag(
        "g", *banks, *water, fill="none", stroke_linecap="round", stroke_linejoin="round", class_="water"
    )
    return [tag("defs", *paths), drawn]


def road_lines(styles: Sequence[LineStyle], borders: Sequence[Border], layout: Layout) -> list[Road]:
    found: list[Road] = []
    for border in borders:
        here, there = border.between
        if here not in layout.shapes or there not in layout.shapes:
            continue
        for style in styles:
            if style.line in _ACROSS and style.applies(border.attributes):
                a, b = layout.shapes[here].heart, layout.shapes[there].heart
                crossing = crossing_point(layout, here, there)
                found.append(Road(style, (a, crossing, b), crossing, frozenset((here, there))))
    return found


def crossing_point(layout: Layout, here: str, there: str, prefer: float | None = None) -> Point:
    """Where a way from heart to heart passes the common side: near the straight line, not at its ends."""
    a, b = layout.shapes[here].heart, layout.shapes[there].heart
    sides = layout.sides_between(here, there)
    if not sides:
        return between(a, b)
    line = max((side.line for side in sides), key=length_of)
    total = length_of(line)
    if prefer is not None:
        return along(line, total * prefer)[0]
    shares = [0.25 + 0.5 * k / 20 for k in range(21)]
    return min(
        points_along(line, (total * share for share in shares)),
        key=lambda p: math.dist(a, p) + math.dist(p, b),
    )


def roads(found: Sequence[Road]) -> list[str]:
    """All edges first, then all surfaces, so that roads join."""
    edges: list[str] = []
    surfaces: list[str] = []
    styles = list(dict.fromkeys(road.style for road in found))
    for style in styles:
        d = "".join(curve_path(road.line) for road in found if road.style == style)
        common = {"d": d, "fill": "none", "stroke_linecap": "round", "class_": f"line {style.attribute}"}
        if style.line == "rail":
            edges.append(tag("path", **common, stroke=style.colour, stroke_width=style.width))
            surfaces.append(
                tag(
                    "path", **common, stroke="#ffffff", stroke_width=style.width * 0.5, stroke_dasharray="7 7"
                )
            )
        else:
            edges.append(tag("path", **common, stroke=shaded(style.colour, -0.25), stroke_width=style.width))
            surface = shaded(style.colour, 0.62)
            surfaces.append(tag("path", **common, stroke=surface, stroke_width=max(1.0, style.width - 2.8)))
    return edges + surfaces


def bridges(found: Sequence[Road], wet: Sequence[tuple[Point, float]]) -> list[str]:
    """Two railings where a road crosses a river; `wet` has the crossings over water with their width."""
    widths = dict(wet)
    drawn: list[str] = []
    for road in found:
        if road.crossing not in widths:
            continue
        half = widths[road.crossing] / 2 + 4
        before, after = road.line[0], road.line[-1]
        dx, dy = unit(before, after)
        for side in (-1, 1):
            middle = moved(road.crossing, (-dy, dx), side * (road.style.width / 2 + 1.2))
            ends = [moved(middle, (dx, dy), -half), moved(middle, (dx, dy), half)]
            flare = 2.6 * side
            rail = [
                moved(moved(ends[0], (dx, dy), -2.5), (-dy, dx), flare),
                *ends,
                moved(moved(ends[1], (dx, dy), 2.5), (-dy, dx), flare),
            ]
            drawn.append(
                tag(
                    "path",
                    d=line_path(rail),
                    fill="none",
                    stroke="#2b2418",
                    stroke_width=1.7,
                    class_="bridge",
                )
            )
    return drawn


def lines_along(style: LineStyle, borders: Sequence[Border], layout: Layout) -> str:
    """A dashed or solid line, or a wall, along every border that has the attribute."""
    sides = [
        side
        for border in borders
        if style.applies(border.attributes)
        for side in layout.sides_between(*border.between)
    ]
    d = "".join(curve_path(chain) for chain in chains(sides))
    if not d:
        return ""
    common = {"d": d, "fill": "none", "class_": f"line {style.attribute}", "stroke_linejoin": "round"}
    halo = tag("path", **common, stroke="#fff8e6", stroke_width=style.width + 2.6, opacity=0.75)
    dashes = f"{style.width * 3:g} {style.width * 1.6:g}" if style.line == "dashed" else None
    if style.line == "wall":
        return (
            halo
            + tag("path", **common, stroke=style.colour, stroke_width=style.width)
            + tag(
                "path",
                **common,
                stroke=shaded(style.colour, 0.5),
                stroke_width=style.width * 0.5,
                stroke_dasharray="5 3",
            )
        )
    return halo + tag(
        "path", **common, stroke=style.colour, stroke_width=style.width, stroke_dasharray=dashes
    )
