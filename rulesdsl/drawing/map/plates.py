"""Names: of zones (with their badges, as one plate), of rivers along the water, and of regions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rulesdsl.book.map.borders import Border
from rulesdsl.drawing.map.badges import HEIGHT, Badge, badge_row, row_width
from rulesdsl.drawing.map.layout import Layout, Rectangle, Shape, Side
from rulesdsl.drawing.map.lines import chains, river_style
from rulesdsl.drawing.shapes.free_room import Room
from rulesdsl.drawing.shapes.geometry import Point, length_of, moved, points_along, unit
from rulesdsl.drawing.style.style import LineStyle, shown_value
from rulesdsl.drawing.svg import escape, line_path, tag, text_width, words, wrapped

NAME_SIZE = 13.5
_LINE = 14.5
_RIVER_NAME = 13.0
_NAME_EVERY = 520.0  # a name along a river stands about this far from the next
HALO = "#fdf6e3"
INK = "#2b2418"


def plate(shape: Shape, name: str, badges: list[Badge], room: Room) -> str:
    """The name of a zone in one or more lines with its badges below, where there is most room."""
    choices: list[tuple[float, list[str], Rectangle]] = []
    for widest in (400.0, 95.0, 60.0):
        lines = wrapped(name, NAME_SIZE, widest, bold=True)
        if choices and lines == choices[-1][1]:
            continue
        width = max([text_width(line, NAME_SIZE, bold=True) for line in lines] + [row_width(badges)]) + 6
        height = len(lines) * _LINE + (HEIGHT if badges else 0) + 2
        _, y, _, tall = shape.frame
        rectangle, cost = room.place(
            shape.outline, width, height, (shape.heart[0], y + tall * 0.22), outside=9
        )
        choices.append((cost + 60 * (len(lines) - 1), lines, rectangle))
    _, lines, rectangle = min(choices, key=lambda choice: choice[0])
    left, top, width, _ = rectangle
    room.block(rectangle, 25)
    middle = left + width / 2
    drawn = [name_text(line, middle, top + _LINE * (k + 0.82), NAME_SIZE) for k, line in enumerate(lines)]
    if badges:
        drawn.append(badge_row(badges, middle, top + _LINE * len(lines) + 1))
    return "".join(drawn)


def name_text(text: str, x: float, y: float, size: float, ink: str = INK, **more: str | float | None) -> str:
    """Text that stays readable on any ground: the letters have a light rim."""
    return words(
        text, x, y, size, fill=ink, font_weight="bold", text_anchor="middle", stroke=HALO, stroke_width=3,
        stroke_linejoin="round", paint_order="stroke", class_="name", **more,
    )  # fmt: skip


def town(shape: Shape, large: bool) -> str:
    x, y = shape.heart
    if large:
        return tag("circle", cx=x, cy=y, r=6, fill="#fff8e6", stroke=INK, stroke_width=1.8) + tag(
            "circle", cx=x, cy=y, r=2.8, fill=INK
        )
    return tag("circle", cx=x, cy=y, r=4.2, fill="#fff8e6", stroke=INK, stroke_width=1.8)


def river_names(
    styles: Sequence[LineStyle], borders: Sequence[Border], layout: Layout, room: Room, prefix: str
) -> tuple[list[str], list[str]]:
    """Paths for `<defs>` and the names that follow them, once for each long stretch of water."""
    stretches: dict[str, list[Side]] = {}
    widths: dict[str, float] = {}
    for border in borders:
        for style in styles:
            name = shown_value(border.attributes.get(style.name)) if style.name else ""
            if style.line == "river" and name and style.applies(border.attributes):
                stretches.setdefault(name, []).extend(layout.sides_between(*border.between))
                drawn_as = river_style(styles, border) or style
                widths[name] = max(widths.get(name, 0.0), drawn_as.width)
    paths: list[str] = []
    texts: list[str] = []
    for name, sides in stretches.items():
        width = text_width(name, _RIVER_NAME) * 1.25 + 8
        found = sorted(chains(sides), key=length_of, reverse=True)
        for chain in found[:1] + [chain for chain in found[1:] if length_of(chain) > _NAME_EVERY]:
            for place in _calm_places(chain, width, widths[name] / 2 + 4.5, room):
                identity = f"{prefix}name-of-water-{len(paths)}"
                paths.append(tag("path", id=identity, d=line_path(place), fill="none"))
                along_path = tag("textPath", escape(name), href=f"#{identity}", startOffset="50%")
                texts.append(
                    tag("text", along_path, font_size=_RIVER_NAME, font_style="italic", fill="#1f557e",
                        text_anchor="middle", letter_spacing=1.2, stroke=HALO, stroke_width=2.6,
                        paint_order="stroke", class_="water-name")
                )  # fmt: skip
                room.block_line(place, 8, 9)
    return paths, texts


def _calm_places(chain: Sequence[Point], width: float, away: float, room: Room) -> list[list[Point]]:
    """Lines beside the water, from left to right, where it bends least; on long rivers more than one."""
    total = length_of(chain)
    count = max(1, round(total / _NAME_EVERY))
    places: list[list[Point]] = []
    for part in range(count):
        best: tuple[float, list[Point]] | None = None
        start = max(4.0, total * part / count)
        while start + width < total * (part + 1) / count - 4:
            points = list(points_along(chain, (start + width * k / 8 for k in range(9))))
            a, b = (points[0], points[-1]) if points[0][0] <= points[-1][0] else (points[-1], points[0])
            dx, dy = unit(a, b)
            bulges = [(p[0] - a[0]) * -dy + (p[1] - a[1]) * dx for p in points]
            # a river that winds is longer than the line beside it, on which no letter may be cut off
            short = max(0.0, width - math.dist(a, b)) / 2
            a, b = moved(a, (dx, dy), -short), moved(b, (dx, dy), short)
            # Above the water, or below it, where the letters need their own height more.
            above, below = min(bulges) - away, max(bulges) + away + _RIVER_NAME * 0.72
            for aside in (above, below):
                line = [moved(a, (-dy, dx), aside), moved(b, (-dy, dx), aside)]
                cost = 0.06 * abs(aside) + 0.5 * abs(dy) + 0.05 * room.cost_along(line)
                if best is None or cost < best[0]:
                    best = (cost, line)
            start += 14
        if best is not None:
            places.append(best[1])
    return places


def region_names(features: Any, layout: Layout, anchors: Sequence[Point], room: Room) -> list[str]:
    """`features: {labels: [{text, x, y}]}` of the map: a name at its place, or below the sign there."""
    labels = features.get("labels", ()) if isinstance(features, Mapping) else ()
    drawn: list[str] = []
    for label in labels if isinstance(labels, Sequence) else ():
        if not isinstance(label, Mapping) or not {"text", "x", "y"} <= set(label):
            continue
        x, y = layout.project(float(label["x"]), float(label["y"]))
        near = min(anchors, key=lambda point: math.dist(point, (x, y)), default=None)
        if near is not None and math.dist(near, (x, y)) < 90:
            x, y = near[0], near[1] + 26
        text = str(label["text"])
        width = text_width(text, 12, bold=True)
        room.block((x - width / 2, y - 11, width, 14), 25)
        drawn.append(name_text(text, x, y, 12, ink="#7a1f14", font_style="italic"))
    return drawn
