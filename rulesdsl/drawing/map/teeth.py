"""Trench lines and the like: a toothed line inside the space that it defends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulesdsl.book.map.borders import Border
from rulesdsl.drawing.map.layout import Layout, Side
from rulesdsl.drawing.map.lines import chains, river_style
from rulesdsl.drawing.shapes.geometry import (
    Point,
    along,
    beside,
    contains,
    distance_to_segment,
    length_of,
    moved,
    smooth,
)
from rulesdsl.drawing.style.style import LineStyle, shown_value
from rulesdsl.drawing.svg import line_path, tag


@dataclass(frozen=True, slots=True)
class Trench:
    """`teeth_to` is the side of the line (1 or -1, see `geometry.beside`) to which the teeth point."""

    line: tuple[Point, ...]
    teeth_to: int


def trenches(
    style: LineStyle, styles: Sequence[LineStyle], borders: Sequence[Border], layout: Layout
) -> list[Trench]:
    """Lines inside the spaces that the attribute names, one for each connected part of their borders."""
    defended: dict[str, list[Side]] = {}
    away: dict[str, float] = {}
    for border in borders:
        if style.applies(border.attributes):
            named = shown_value(border.attributes[style.attribute])
            space = named if named in border.between else border.between[0]
            river = river_style(styles, border)
            distance = 5.5 + (river.width / 2 + 2 if river else 0)
            defended.setdefault(space, []).extend(layout.sides_between(*border.between))
            away[space] = max(away.get(space, 0.0), distance)
    found = [
        _within(layout, space, chain, away[space])
        for space, sides in defended.items()
        for chain in chains(sides)
    ]
    return [trench for trench in found if len(trench.line) > 1]


def teeth(style: LineStyle, found: Sequence[Trench]) -> str:
    d = "".join(comb(trench.line, trench.teeth_to) for trench in found)
    if not d:
        return ""
    name = f"line {style.attribute}"
    halo = tag(
        "path", d=d, fill="none", stroke="#fff8e6", stroke_width=style.width + 2, opacity=0.7,
        stroke_linejoin="round", class_=name,
    )  # fmt: skip
    return halo + tag(
        "path", d=d, fill=style.colour, stroke=style.colour, stroke_width=style.width * 0.6,
        stroke_linejoin="round", class_=name,
    )  # fmt: skip


def _within(layout: Layout, space: str, chain: list[Point], away: float) -> Trench:
    """The line along a chain of sides, moved into the space by `away`, without knots in narrow bends."""
    outline = layout.shapes[space].outline
    calm = smooth([*chain[: -1 : max(1, len(chain) // 24)], chain[-1]], 2)
    probe = beside(calm, away)[len(calm) // 2]
    inwards = 1 if contains(outline, probe) else -1
    free = [
        point
        for point in beside(calm, inwards * away)
        if contains(outline, point)
        and min(distance_to_segment(point, a, b) for a, b in pairwise(chain)) > 0.8 * away
    ]
    return Trench(tuple(free), -inwards)


def comb(line: Sequence[Point], side: int) -> str:
    """A line, shortened a little at both ends, with triangles on one side of it."""
    total = length_of(line)
    count = max(1, int((total - 8) / 11))
    margin = (total - count * 11) / 2
    parts: list[str] = []
    for k in range(count):
        points = [along(line, margin + 11 * k + offset) for offset in (1.5, 5.5, 9.5)]
        (middle, (dx, dy)) = points[1]
        tip = moved(middle, (-dy, dx), side * 6.0)
        start, end = along(line, margin + 11 * k)[0], along(line, margin + 11 * k + 11)[0]
        parts.append(line_path([start, points[0][0], tip, points[2][0], end], closed=True))
    return "".join(parts)
