"""The counter sheet: every counter once, with all its faces, in the order and groups of its colours."""

from __future__ import annotations

import math

from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.counter import counter, counter_colour, counter_ink
from rulesdsl.drawing.document import document
from rulesdsl.drawing.map.legend import ESTIMATES, has_estimates
from rulesdsl.drawing.map.panel import capital
from rulesdsl.drawing.style.style import CounterStyle, in_words, shown_value
from rulesdsl.drawing.style.style_file import usable_style
from rulesdsl.drawing.svg import group, tag, words, wrapped
from rulesdsl.drawing.views import PieceView

_SIZE = 66.0
_GAP = 4.0
_MARGIN = 36.0
_INK = "#2b2418"
_WIDTH = 1240.0


def counter_sheet(source: GameSource, *, prefix: str = "") -> str:
    """All counters of a game as SVG. Front and back lie beside each other; estimates are marked."""
    style = usable_style(source)
    top = _MARGIN
    parts: list[str] = []

    def line(text: str, size: float, bold: bool = False, italic: bool = False) -> None:
        nonlocal top
        for part in wrapped(text, size, _WIDTH - 2 * _MARGIN, bold):
            top += size * 1.3
            parts.append(
                words(part, _MARGIN, top, size, fill=_INK, font_weight="bold" if bold else None,
                      font_style="italic" if italic else None)
            )  # fmt: skip

    line(f"{source.game.title}: counters", 30, bold=True)
    meaning = " – ".join(in_words(name) for name in style.counters.numbers)
    many = any(len(piece.faces) > 1 for piece in source.pieces.values())
    if meaning:
        line(f"Figures: {meaning}." + (" Beside each counter its other face." if many else ""), 14)
    if has_estimates(source, style):
        line(ESTIMATES, 14, italic=True)
    for title, pieces in _groups(source, style.counters):
        top += 20
        line(f"{title} ({len(pieces)})", 18, bold=True)
        top += 10
        drawn, height = _rows(pieces, style.counters, top, prefix)
        parts.append(group(drawn, class_="group"))
        top += height
    paper = "#efe7cf"
    return document(
        f"{source.game.title}: counters", "Every counter with all its faces", parts, _WIDTH, top + _MARGIN,
        paper=paper, prefix=prefix,
    )  # fmt: skip


def _groups(source: GameSource, style: CounterStyle) -> list[tuple[str, list[Piece]]]:
    """Counters of one colour and ink together, in the order of the file."""
    groups: dict[tuple[str, str, str], list[Piece]] = {}
    for piece in source.pieces.values():
        key = (piece.kind, counter_colour(piece, style), counter_ink(piece, style))
        groups.setdefault(key, []).append(piece)
    return [(_group_name(pieces[0], style), pieces) for pieces in groups.values()]


def _group_name(piece: Piece, style: CounterStyle) -> str:
    said: list[str] = []
    for choice in (style.colour, style.ink):
        value = shown_value(piece.on_face(0).get(choice.attribute)) if choice else ""
        if value and style.legends.get(value, in_words(value)) not in said:
            said.append(style.legends.get(value, in_words(value)))
    return capital(", ".join(said) or in_words(piece.kind))


def _rows(pieces: list[Piece], style: CounterStyle, top: float, prefix: str) -> tuple[list[str], float]:
    """Counters as wide as all their faces, from left to right, then down."""
    faces = max(len(piece.faces) for piece in pieces)
    width = faces * (_SIZE + _GAP) + 16
    columns = max(1, int((_WIDTH - 2 * _MARGIN + 16) // width))
    height = _SIZE + 14
    drawn: list[str] = []
    for index, piece in enumerate(pieces):
        row, column = divmod(index, columns)
        x, y = _MARGIN + column * width, top + row * height
        cut = tag(
            "rect", x=x - 3, y=y - 3, width=len(piece.faces) * (_SIZE + _GAP) + 2, height=_SIZE + 6, rx=4,
            fill="#dccfa6", stroke="#a8966a", stroke_width=0.7,
        )  # fmt: skip
        shown = [
            counter(piece, PieceView(piece.id, face), style, x + face * (_SIZE + _GAP), y, _SIZE)
            for face in range(len(piece.faces))
        ]
        drawn.append(tag("g", cut, *shown, id=f"{prefix}piece-{piece.id}", class_="piece"))
    return drawn, math.ceil(len(pieces) / columns) * height
