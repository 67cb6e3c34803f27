"""The panel beside the map: title, what the signs mean, and the boxes with pieces that are not on the map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulesdsl.book.entries import Entry
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.counter import counter
from rulesdsl.drawing.counters.stacks import arrangements, block_of_piles
from rulesdsl.drawing.counters.symbols import unit_symbol
from rulesdsl.drawing.map.badges import Badge, draw_badge
from rulesdsl.drawing.map.passages import arrow
from rulesdsl.drawing.map.samples import sample_line
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.style.patterns import pattern_id
from rulesdsl.drawing.style.style import DrawingStyle, Fill, in_words
from rulesdsl.drawing.svg import escape, group, tag, text_width, words, wrapped
from rulesdsl.drawing.views import MapOptions, PieceView

WIDTH = 372.0
INK = "#2b2418"
_TEXT = 13.0


@dataclass(slots=True)
class Panel:
    """A column that grows downwards."""

    left: float
    top: float
    parts: list[str] = field(default_factory=list)
    width: float = WIDTH

    def text(
        self, text: str, size: float, bold: bool = False, gap: float = 1.28, **more: str | float | None
    ) -> None:
        for line in wrapped(text, size, self.width, bold):
            self.top += size * gap
            self.parts.append(
                words(line, self.left, self.top, size, fill=INK, font_weight="bold" if bold else None, **more)
            )

    def heading(self, text: str) -> None:
        self.top += 14
        self.text(text, 15, bold=True)
        self.parts.append(
            tag(
                "path", d=f"M{self.left:.1f} {self.top + 5:.1f}h{WIDTH:g}", stroke="#8a7449", stroke_width=1.2
            )
        )
        self.top += 9

    def entries(self, drawn: Sequence[tuple[str, float, str]], row: float = 27.0, columns: int = 2) -> None:
        """Signs with their meaning, in columns. Each is drawn for 0, 0 as the middle of its left edge."""
        column_width = WIDTH / columns
        lines: list[tuple[int, list[str]]] = []
        place = 0
        for sign, width, meaning in drawn:
            wrapped_meaning = wrapped(meaning, _TEXT, column_width - width - 16) or [""]
            alone = columns > 1 and len(wrapped_meaning) > 2
            if alone:  # too long for a column: a row of its own
                wrapped_meaning = wrapped(meaning, _TEXT, WIDTH - width - 10)
                place = math.ceil(place / columns) * columns
            lines.append((place, wrapped_meaning))
            x = self.left + (place % columns) * column_width
            y = self.top + (place // columns) * row + row / 2
            self.parts.append(tag("g", sign, transform=f"translate({x:.1f} {y:.1f})"))
            first = y + 4.5 - (len(wrapped_meaning) - 1) * 7
            for k, line in enumerate(wrapped_meaning):
                self.parts.append(words(line, x + width + 10, first + 14 * k, _TEXT, fill=INK))
            place += columns if alone else 1
        self.top += math.ceil(place / columns) * row


def ground_entries(used: Sequence[Fill], prefix: str) -> list[tuple[str, float, str]]:
    found: list[tuple[str, float, str]] = []
    for fill in used:
        box = {"x": 0, "y": -16, "width": 62, "height": 32, "rx": 2}
        plain = fill.pattern == "none"
        paint = fill.colour if plain else f"url(#{pattern_id(prefix, fill.pattern, fill.colour)})"
        sign = tag("rect", **box, fill=paint, stroke="#6b5636", stroke_width=1)
        found.append((sign, 62, capital(fill.legend)))
    return found


def line_entries(
    style: DrawingStyle, strangers: bool, on_board: bool = False
) -> list[tuple[str, float, str]]:
    """`strangers`: some spaces touch that are no neighbours."""
    found = [
        (sample_line(line, on_board), 50.0, capital(line.legend))
        for line in style.borders
        if line.legend and line.line != "none"
    ]
    for route in style.routes:
        found.append((arrow((22, 0), (1.0, 0.0), route.colour, "route"), 50.0, capital(route.legend)))
    if strangers:
        dots = tag("path", d="M2 0H44", stroke=INK, stroke_width=1.1, stroke_dasharray="1.5 5")
        found.append((dots, 50.0, "The spaces touch, but are not adjacent"))
    return found


def badge_entries(style: DrawingStyle) -> list[tuple[str, float, str]]:
    found: list[tuple[str, float, str]] = []
    for badge in style.badges:
        text = badge.text.replace("{value}", "2" if badge.shape == "star" else "7")
        found.append(
            (draw_badge(Badge(badge.shape, text, badge.colour, badge.ink), 14, 0), 28, capital(badge.legend))
        )
    return found


def mark_entries(style: DrawingStyle) -> list[tuple[str, float, str]]:
    """Markers of play that look like badges; stones explain themselves."""
    return [
        (
            draw_badge(Badge(m.shape, m.text and "2", m.colour or "#5a4a3a", "#ffffff"), 14, 0),
            28,
            capital(m.legend),
        )
        for m in style.marks
        if m.shape not in ("disc", "ring", "cross")
    ]


def counter_entries(style: DrawingStyle) -> list[tuple[str, float, str]]:
    """Colours and symbols of the counters."""
    counters = style.counters
    found: list[tuple[str, float, str]] = []
    if counters.colour:
        first = counters.colour.first.values if counters.colour.first else {}
        for value, colour in [*counters.colour.values.items(), *first.items()]:
            sign = tag(
                "rect", x=0, y=-9, width=28, height=18, rx=2, fill=colour, stroke=INK, stroke_width=0.8
            )
            found.append((sign, 28, capital(counters.legends.get(value, in_words(value)))))
    known = {by.attribute for by in (counters.colour, counters.symbol) if by is not None}
    if counters.ink and counters.ink.attribute not in known and len(set(counters.ink.values.values())) > 1:
        for value, ink in counters.ink.values.items():
            sign = tag("rect", x=0, y=-9, width=28, height=18, rx=2, fill="#9a8f7a") + unit_symbol(
                "infantry", 4, -6.7, 20, ink, "none"
            )
            found.append((sign, 28, capital(counters.legends.get(value, in_words(value)))))
    if counters.symbol:
        kinds: dict[str, list[str]] = {}  # kinds with the same sign are told together
        for value, symbol in counters.symbol.values.items():
            kinds.setdefault(symbol, []).append(counters.legends.get(value, in_words(value)))
        for symbol, meanings in kinds.items():
            sign = unit_symbol(symbol, 0, -9, 27, INK, "#fff8e6")
            found.append((sign, 28, capital(", ".join(dict.fromkeys(meanings)))))
    return found


def anatomy(panel: Panel, piece: Piece, style: DrawingStyle) -> None:
    """A large counter, both faces, with words for what stands on it."""
    size = 76.0
    large = style.counters
    left, top = panel.left + 4, panel.top + 8
    for face in range(min(2, len(piece.faces))):
        panel.parts.append(
            counter(piece, PieceView(piece.id, face), large, left + face * (size + 14), top, size)
        )
    x = left + min(2, len(piece.faces)) * (size + 14) + 4
    notes = ["name of the unit", *(["kind of unit"] if large.symbol else [])]
    if large.numbers:
        notes.append(" – ".join(in_words(name) for name in large.numbers))
    if len(piece.faces) > 1:
        notes.append("stripe: reduced")
    for k, note in enumerate(notes):
        panel.parts.append(words(note, x, top + 16 + 18 * k, _TEXT, fill=INK))
    panel.top += size + 18


def box(
    panel: Panel,
    space: Entry,
    views: Sequence[PieceView],
    pieces: Mapping[str, Piece],
    style: DrawingStyle,
    options: MapOptions,
) -> None:
    """A space beside the map as a box with its pieces."""
    size = min(style.counters.size, 42.0)
    piles = arrangements(views, pieces, style.counters)[0] if views else []
    columns = max(1, int((WIDTH - 16) // (size + 12)))
    rows = math.ceil(len(piles) / columns)
    height = 30 + rows * (size + 12)  # an empty box is only its name
    title = f"{space.name}: {len(views)} pieces" if views else space.name
    outline = tag(
        "rect", x=panel.left, y=panel.top, width=WIDTH, height=height, rx=5, fill="#f3ead0", stroke="#6b5636",
        stroke_width=1.5,
    )  # fmt: skip
    heading = words(space.name, panel.left + 10, panel.top + 19, 13.5, fill=INK, font_weight="bold")
    counters = block_of_piles(piles, columns, panel.left + 10, panel.top + 27, size, pieces, style.counters)
    link = options.links.get(space.id)
    ground = tag("a", outline, heading, href=link) if link else outline + heading
    panel.parts.append(
        group(
            [tag("title", escape(title)), ground, counters],
            id=f"{options.prefix}zone-{space.id}",
            class_="box",
        )
    )
    panel.top += height + 10


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def compass(middle: Point) -> str:
    """A rose that shows where north is."""
    x, y = middle
    long, short, waist = 34.0, 20.0, 5.0
    parts: list[str] = [tag("circle", cx=x, cy=y, r=24, fill="none", stroke="#6b5636", stroke_width=1.2)]
    for turn, reach in (
        (45, short),
        (135, short),
        (225, short),
        (315, short),
        (0, long),
        (90, long),
        (180, long),
        (270, long),
    ):
        angle = math.radians(turn - 90)
        tip = (x + reach * math.cos(angle), y + reach * math.sin(angle))
        for side, fill in ((-1, "#4a3a22"), (1, "#f3ead0")):
            hip = angle + side * math.pi / 4
            corner = (x + waist * math.cos(hip), y + waist * math.sin(hip))
            d = f"M{x:.1f} {y:.1f}L{tip[0]:.1f} {tip[1]:.1f}L{corner[0]:.1f} {corner[1]:.1f}Z"
            parts.append(tag("path", d=d, fill=fill, stroke="#4a3a22", stroke_width=0.8))
    parts.append(words("N", x, y - long - 6, 16, fill="#4a3a22", font_weight="bold", text_anchor="middle"))
    return tag("g", *parts, class_="compass")


def fitted(text: str, size: float, width: float) -> float:
    """The font size at which a line fits."""
    return min(size, size * width / max(1.0, text_width(text, size, bold=True)))
