"""The borders themselves, points where only some may pass, routes, and connections without a border."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rulesdsl.book.entries import Entry
from rulesdsl.book.map.borders import Border
from rulesdsl.drawing.map.layout import Layout, Side
from rulesdsl.drawing.map.lines import chains, crossing_point
from rulesdsl.drawing.shapes.geometry import Point, between, contains, moved, unit
from rulesdsl.drawing.style.style import LOOSE, LineStyle, RouteStyle
from rulesdsl.drawing.svg import line_path, shaded, strokes, tag

BORDER_INK = "#6b5636"
_BENDS = (0.0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45)  # of the length of a way: how far it stands off
_BENT, _FOREIGN = 0.35, 3.0  # what it costs to bend fully, and to cross the land of others
_STEPS = 24


def border_lines(layout: Layout, borders: Sequence[Border], prefix: str) -> list[str]:
    """Borders of neighbours, faint lines between others that touch, and the edge of the map."""
    joined = {frozenset(border.between) for border in borders}
    inner = [s for s in layout.sides if s.there and frozenset((s.here, s.there)) in joined]
    faint = [s for s in layout.sides if s.there and frozenset((s.here, s.there)) not in joined]
    edge = [s for s in layout.sides if not s.there]
    common = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    drawn: list[str] = []
    d = "".join(line_path(chain) for chain in chains(inner))
    wide = 7.0 if layout.kind == "areas" else 3.0
    if d:
        glow: dict[str, str | float | None] = {"stroke": "#fffaf0", "stroke_width": wide, "opacity": 0.42}
        ink: dict[str, str | float | None] = {"stroke": BORDER_INK, "stroke_width": 1.5}
        drawn.append(strokes(f"{prefix}borders", d, [glow, ink], stroke_linejoin="round", class_="border"))
    if faint:
        d = "".join(line_path(chain) for chain in chains(faint))
        drawn.append(
            tag(
                "path",
                d=d,
                **common,
                stroke=BORDER_INK,
                stroke_width=1.1,
                stroke_dasharray="1.5 5",
                opacity=0.6,
                class_="no-border",
            )
        )
    d = "".join(line_path(chain, closed=chain[0] == chain[-1]) for chain in chains(edge))
    drawn.append(tag("path", d=d, **common, stroke="#4a3a22", stroke_width=3.2, class_="edge"))
    return drawn


def touching_strangers(layout: Layout, borders: Sequence[Border]) -> bool:
    joined = {frozenset(border.between) for border in borders}
    return any(s.there and frozenset((s.here, s.there)) not in joined for s in layout.sides)


def nexus_points(
    style: LineStyle, borders: Sequence[Border], layout: Layout
) -> list[tuple[Point, frozenset[str]]]:
    """The corners of the map where the spaces of such passages meet."""
    groups: list[set[str]] = []
    for border in borders:
        if style.applies(border.attributes):
            joining = [group for group in groups if group & set(border.between)]
            groups = [group for group in groups if group not in joining]
            groups.append(set(border.between).union(*joining))
    points: list[tuple[Point, frozenset[str]]] = []
    for group in groups:
        best = max(layout.corners, key=lambda corner: len(corner[1] & group), default=None)
        if best is not None and len(best[1] & group) > 2:
            points.append((best[0], frozenset(group)))
    return points


def nexus(style: LineStyle, borders: Sequence[Border], layout: Layout) -> list[str]:
    points = nexus_points(style, borders, layout)
    covered = {frozenset(pair) for _, group in points for pair in _pairs(group)}
    drawn = [
        tag("path", d=_dashes(layout, border), fill="none", stroke=style.colour, stroke_width=style.width,
            stroke_dasharray="3 4", class_=f"line {style.attribute}")
        for border in borders
        if style.applies(border.attributes)
        and frozenset(border.between) not in covered
        and all(end in layout.shapes for end in border.between)
    ]  # fmt: skip
    return drawn + [nexus_sign(point, style) for point, _ in points]


def nexus_sign(point: Point, style: LineStyle) -> str:
    x, y = point
    rays = "".join(
        line_path([moved(point, way, 5), moved(point, way, 12)])
        for way in (
            (math.cos(turn), math.sin(turn)) for turn in (math.pi / 6 + math.pi / 3 * k for k in range(6))
        )
    )
    return (
        tag("circle", cx=x, cy=y, r=12, fill="#fff8e6", stroke=style.colour, stroke_width=style.width)
        + tag("path", d=rays, stroke=style.colour, stroke_width=style.width)
        + tag("circle", cx=x, cy=y, r=4, fill=style.colour)
    )


def ways(style: LineStyle, borders: Sequence[Border], layout: Layout) -> list[str]:
    """Dashed lines from space to space, for passages that a player looks for on the map."""
    return [
        tag("path", d=line_path(_over_water(layout, border)), fill="none", stroke=style.colour,
            stroke_width=style.width, stroke_dasharray="7 6", opacity=0.75, class_=f"line {style.attribute}")
        for border in borders
        if style.applies(border.attributes) and all(end in layout.shapes for end in border.between)
    ]  # fmt: skip


def _over_water(layout: Layout, border: Border) -> list[Point]:
    """From heart to heart, straight or in a bow: the line that lies least on spaces, above all on those of
    others."""
    here, there = (layout.shapes[end] for end in border.between)
    ashore = [
        (shape, _FOREIGN if shape.id not in border.between else 1.0) for shape in layout.shapes.values()
    ]

    def cost(line: list[Point], bend: float) -> float:
        land = sum(
            next((weight for shape, weight in ashore if contains(shape.outline, point)), 0.0)
            for point in line
        )
        return land / len(line) + abs(bend) * _BENT

    lines = {bend: _bow(here.heart, there.heart, bend) for bend in _BENDS}
    return lines[min(lines, key=lambda bend: cost(lines[bend], bend))]


def _bow(start: Point, end: Point, bend: float) -> list[Point]:
    """A curve from start to end that stands off the straight line by this share of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    top = ((start[0] + end[0]) / 2 - dy * bend * 2, (start[1] + end[1]) / 2 + dx * bend * 2)
    found: list[Point] = []
    for step in range(_STEPS + 1):
        t = step / _STEPS
        one, two = between(start, top, t), between(top, end, t)
        found.append(between(one, two, t))
    return found


def loose_connections(styles: Sequence[LineStyle], borders: Sequence[Border], layout: Layout) -> list[str]:
    """Dotted lines between neighbours that do not touch on the sheet; cells of a board need none."""
    if layout.kind != "areas":
        return []
    hidden = [style for style in styles if style.line in (*LOOSE, "road", "rail")]
    return [
        tag("path", d=_dashes(layout, border), fill="none", stroke="#4a3a22", stroke_width=2,
            stroke_dasharray="2 5", stroke_linecap="round", class_="connection")
        for border in borders
        if all(end in layout.shapes for end in border.between)
        and not layout.sides_between(*border.between)
        and not any(style.applies(border.attributes) for style in hidden)
    ]  # fmt: skip


def ways_off(borders: Sequence[Border], layout: Layout) -> list[str]:
    """Arrows at the edge of a board where a way leads off it, into one of the boxes."""
    if layout.kind == "areas":
        return []
    outer: dict[str, list[Side]] = {}
    for side in layout.sides:
        if not side.there:
            outer.setdefault(side.here, []).append(side)
    drawn: list[str] = []
    for border in borders:
        here = next((end for end in border.between if end in outer), None)
        if here is None or not set(border.between) & set(layout.boxes):
            continue
        heart = layout.shapes[here].heart
        outwards = unit((layout.width / 2, layout.height / 2), heart)
        directions = [unit(heart, between(side.line[0], side.line[-1])) for side in outer[here]]
        direction = max(directions, key=lambda d: d[0] * outwards[0] + d[1] * outwards[1])
        drawn.append(way_off_sign(moved(heart, direction, layout.shapes[here].room + 7), direction))
    return drawn


def way_off_sign(foot: Point, direction: Point) -> str:
    across = (-direction[1], direction[0])
    points = [moved(foot, across, 6), moved(foot, direction, 9), moved(foot, across, -6)]
    return tag(
        "path", d=line_path(points, closed=True), fill="#4a3a22", stroke="#fff8e6", stroke_width=1.2,
        stroke_linejoin="round", class_="way-off",
    )  # fmt: skip


def routes(styles: Sequence[RouteStyle], spaces: Mapping[str, Entry], layout: Layout) -> list[str]:
    """Short arrows over the borders that a route crosses, in the order of its numbers."""
    drawn: list[str] = []
    taken: dict[frozenset[str], int] = {}
    for style in styles:
        stops = sorted(
            (stop, space.id)
            for space in spaces.values()
            if isinstance(stop := space.attributes.get(style.attribute), int)
            and stop and space.id in layout.shapes
        )  # fmt: skip
        for (_, here), (_, there) in pairwise(stops):
            # Beside the road, if there is one; a second route over the same border at the other end of it.
            road = crossing_point(layout, here, there)
            ends = [crossing_point(layout, here, there, prefer=share) for share in (0.22, 0.78)]
            ends.sort(key=lambda point: -math.dist(point, road))
            crossing = ends[taken.get(frozenset((here, there)), 0) % 2]
            taken[frozenset((here, there))] = 1 + taken.get(frozenset((here, there)), 0)
            direction = unit(layout.shapes[here].heart, layout.shapes[there].heart)
            drawn.append(arrow(crossing, direction, style.colour, f"route {style.attribute}"))
    return drawn


def arrow(middle: Point, direction: Point, colour: str, class_: str, half: float = 15.0) -> str:
    """A broad arrow, as for an advance."""
    dx, dy = direction
    across = (-dy, dx)
    neck = moved(middle, direction, half * 0.15)
    outline = [
        moved(moved(middle, direction, -half), across, 2.2),
        moved(neck, across, 3.4),
        moved(neck, across, 7.5),
        moved(middle, direction, half),
        moved(neck, across, -7.5),
        moved(neck, across, -3.4),
        moved(moved(middle, direction, -half), across, -2.2),
    ]
    return tag(
        "path", d=line_path(outline, closed=True), fill=colour, stroke=shaded(colour, -0.4), stroke_width=0.9,
        stroke_linejoin="round", opacity=0.9, class_=class_,
    )  # fmt: skip


def _dashes(layout: Layout, border: Border) -> str:
    a, b = (layout.shapes[end].heart for end in border.between)
    return line_path([between(a, b, 0.08), between(a, b, 0.92)])


def _pairs(group: frozenset[str]) -> list[tuple[str, str]]:
    members = sorted(group)
    return [(a, b) for i, a in enumerate(members) for b in members[i + 1 :]]
