"""Small signs in a space: victory points, garrisons, sources of supply, markers of control."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rulesdsl.book.entries import Entry
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.style.style import BadgeStyle, shown_value
from rulesdsl.drawing.svg import doubted, escape, line_path, number, shaded, tag, text_width

HEIGHT = 20.0
_GAP = 3.0
_FONT = 11.5
_FIXED = {
    "star": 25.0,
    "circle": 17.0,
    "shield": 18.0,
    "hexagon": 19.0,
    "dot": 10.0,
    "flag": 18.0,
    "rampart": 22.0,
}


@dataclass(frozen=True, slots=True)
class Badge:
    shape: str
    text: str
    colour: str
    ink: str
    estimated: bool = False
    title: str = ""

    @property
    def width(self) -> float:
        text = text_width(self.text, _FONT, bold=True) + (
            6 if self.estimated and self.shape != "number" else 0
        )
        if self.shape in _FIXED:
            return max(_FIXED[self.shape], text + 4)
        return text + (2 if self.shape == "number" else 9)


def badges_of(space: Entry, styles: tuple[BadgeStyle, ...]) -> list[Badge]:
    """The badges of a space, in the order of the style."""
    found: list[Badge] = []
    for style in styles:
        value = space.attributes.get(style.attribute)
        if value is None or value is False or value == 0:
            continue
        text = style.text.replace("{value}", shown_value(value) if value is not True else "")
        guess = space.is_estimated(style.attribute)
        said = f"{style.legend} {shown_value(value) if value is not True else ''}".strip()
        title = f"{said} (estimated)" if guess else said
        found.append(Badge(style.shape, text, style.colour, style.ink, guess, title))
    return found


def row_width(badges: list[Badge]) -> float:
    return sum(badge.width for badge in badges) + _GAP * max(0, len(badges) - 1)


def badge_row(badges: list[Badge], middle: float, top: float) -> str:
    """Badges beside each other, centred at `middle`."""
    drawn: list[str] = []
    x = middle - row_width(badges) / 2
    for badge in badges:
        drawn.append(draw_badge(badge, x + badge.width / 2, top + HEIGHT / 2))
        x += badge.width + _GAP
    return "".join(drawn)


def draw_badge(badge: Badge, x: float, y: float) -> str:
    edge = shaded(badge.colour, -0.45)
    common: dict[str, str | float | None] = {"fill": badge.colour, "stroke": edge, "stroke_width": 1.0}
    half = badge.width / 2
    match badge.shape:
        case "star":
            drawn = tag("path", d=_star(x, y, 12.5), **common, stroke_linejoin="round")
        case "box":
            drawn = tag("rect", x=x - half, y=y - 7.5, width=badge.width, height=15, rx=1.5, **common)
        case "circle":
            drawn = tag("circle", cx=x, cy=y, r=8.2, **common)
        case "dot":
            drawn = tag("circle", cx=x, cy=y, r=4.5, **common)
        case "shield":
            left = number(-half)
            d = f"M{number(x - half)} {number(y - 8)}h{number(2 * half)}v9q0 5 {left} 8q{left} -3 {left} -8z"
            drawn = tag("path", d=d, **common)
        case "hexagon":
            corners = [
                (x + 9.4 * math.cos(math.pi / 3 * k), y + 9.4 * math.sin(math.pi / 3 * k)) for k in range(6)
            ]
            drawn = tag("path", d=line_path(corners, closed=True), **common)
        case "rampart":
            drawn = rampart(
                [(x + 11 * math.cos(math.pi / 3 * k), y + 11 * math.sin(math.pi / 3 * k)) for k in range(6)],
                (x, y), badge.colour,
            )  # fmt: skip
        case "flag":
            d = f"M{number(x - 7)} {number(y - 8)}h15l-4 5l4 5h-13.4v7h-1.6z"
            drawn = tag("path", d=d, **common, stroke_linejoin="round")
        case _:
            drawn = ""
    label = tag("title", escape(badge.title)) if badge.title else ""
    return tag("g", label, drawn, _text(badge, x, y), class_=f"badge {badge.shape}")


def rampart(outline: Sequence[Point], heart: Point, colour: str, share: float = 0.86) -> str:
    """Works along the inner edge of a space, seen also when a counter stands in it."""
    inner = [(heart[0] + (px - heart[0]) * share, heart[1] + (py - heart[1]) * share) for px, py in outline]
    d = line_path(inner, closed=True)
    common: dict[str, str | float | None] = {"d": d, "fill": "none", "stroke_linejoin": "round"}
    return (
        tag("path", **common, stroke="#fff8e6", stroke_width=4.6, opacity=0.8)
        + tag("path", **common, stroke=colour, stroke_width=3.2)
        + tag("path", **common, stroke="#fff8e6", stroke_width=1.6, stroke_dasharray="2.6 4.2")
    )


def _rim(badge: Badge) -> dict[str, str | float | None]:
    """Plain numbers stand on any ground: their letters have a light rim."""
    if badge.shape != "number":
        return {}
    return {"stroke": "#fdf6e3", "stroke_width": 2.4, "paint_order": "stroke"}


def _text(badge: Badge, x: float, y: float) -> str:
    if not badge.text:
        return ""
    parts = [escape(badge.text)]
    # Plain numbers show by their slant alone that they are estimates: they are many, a sign would be noise.
    if badge.estimated and badge.shape != "number":
        parts = doubted(escape(badge.text), _FONT)
    return tag(
        "text", *parts, x=x, y=y + 4.1 - (1 if badge.shape == "flag" else 0), font_size=_FONT, fill=badge.ink,
        font_weight="bold", text_anchor="middle", font_style="italic" if badge.estimated else None,
        class_="estimate" if badge.estimated else None, **_rim(badge),
    )  # fmt: skip


def _star(x: float, y: float, radius: float) -> str:
    corners = []
    for k in range(10):
        reach = radius if k % 2 == 0 else radius * 0.58
        turn = -math.pi / 2 + math.pi / 5 * k
        corners.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    return line_path(corners, closed=True)
