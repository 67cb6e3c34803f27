"""Stacks: the counters of a space in piles, as many as there is room for, each with its count."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.counter import counter, counter_colour, counter_ink
from rulesdsl.drawing.map.layout import Rectangle, Shape
from rulesdsl.drawing.shapes.free_room import Room
from rulesdsl.drawing.style.style import CounterStyle, shown_value
from rulesdsl.drawing.svg import tag, words
from rulesdsl.drawing.views import PieceView

_SHIFT = 3.5  # between the counters of a pile
_DEEPEST = 5  # counters of a pile that are really drawn
_GAP = 5.0
_TIGHT = 0.095  # a block of piles that covers less than this share of anything else fits
_SMALLER = (1.0, 0.86, 0.74)  # counters shrink where even the fewest piles do not fit

Pile = list[PieceView]


Place = Callable[[float, float], tuple[Rectangle, float]]  # width, height → the best rectangle, its cost


@dataclass(frozen=True, slots=True)
class Arranged:
    """The piles of one space as they lie: in columns from the upper left corner of a rectangle."""

    piles: list[Pile]
    columns: int
    rectangle: Rectangle
    size: float

    def corners(self) -> list[tuple[float, float]]:
        """The upper left corner of each pile."""
        cell = _cell(self.piles, self.size) + _GAP
        left, top, _, _ = self.rectangle
        return [
            (left + index % self.columns * cell, top + index // self.columns * cell)
            for index in range(len(self.piles))
        ]


def arranged(
    shape: Shape, views: Sequence[PieceView], pieces: Mapping[str, Piece], style: CounterStyle, place: Place
) -> Arranged | None:
    """The finest arrangement of piles that fits: counters shrink before different ones are piled up."""
    full = min(style.size, shape.room * 1.24) if shape.room < style.size / 2.6 else style.size
    best: tuple[float, Arranged] | None = None
    for piles in arrangements(views, pieces, style):
        for size in (full * share for share in _SMALLER):
            for columns in range(1, len(piles) + 1):
                width, height = _extent(piles, columns, size)
                rectangle, cost = place(width, height)
                share = cost / (width * height / 16)
                if best is None or share < best[0] - 1e-9:
                    best = (share, Arranged(piles, columns, rectangle, size))
            if best is not None and best[0] < _TIGHT * 30:
                return best[1]
    return best[1] if best is not None else None


def piles_in(
    shape: Shape, views: Sequence[PieceView], pieces: Mapping[str, Piece], style: CounterStyle, room: Room
) -> str:
    """The pieces of a space, in the finest arrangement of piles that fits into it."""
    found = arranged(
        shape, views, pieces, style,
        lambda width, height: room.place(shape.outline, width, height, shape.heart, outside=30),
    )  # fmt: skip
    if found is None:
        return ""
    left, top, _, _ = found.rectangle
    room.block(found.rectangle, 20)
    return block_of_piles(found.piles, found.columns, left, top, found.size, pieces, style)


def strongest_first(
    views: Iterable[PieceView], pieces: Mapping[str, Piece], style: CounterStyle
) -> list[PieceView]:
    """So that the top of a pile is what matters most; equal ones stay in the order of the files."""

    def strength(view: PieceView) -> float:
        shown = pieces[view.id].on_face(view.face) if view.id in pieces else {}
        values = [shown.get(name) for name in style.numbers]
        return max((float(v) for v in values if isinstance(v, int | float | Fraction)), default=0.0)

    return sorted(views, key=lambda view: -strength(view))


def pile_in_cell(
    shape: Shape, views: Sequence[PieceView], pieces: Mapping[str, Piece], style: CounterStyle
) -> str:
    """On a board all pieces of a cell lie in its middle, in one pile."""
    size, left, top = cell_pile(shape, len(views), style)
    return one_pile(list(views), left, top, size, pieces, style)


def cell_pile(shape: Shape, count: int, style: CounterStyle) -> tuple[float, float, float]:
    """The size of the counters of a pile in a cell, and where its upper left corner is."""
    size = min(style.size, shape.room * 1.25)
    depth = (min(_DEEPEST, count) - 1) * _SHIFT
    return size, shape.heart[0] - (size + depth) / 2, shape.heart[1] - (size + depth) / 2


def arrangements(
    views: Sequence[PieceView], pieces: Mapping[str, Piece], style: CounterStyle
) -> list[list[Pile]]:
    """Ways to pile: equal counters together, then one side and kind, then one side; sides never mix."""

    def look(view: PieceView) -> tuple[str, str]:
        return (counter_colour(pieces[view.id], style), counter_ink(pieces[view.id], style))

    def symbol(view: PieceView) -> str:
        piece = pieces[view.id]
        return shown_value(piece.on_face(view.face).get(style.symbol.attribute)) if style.symbol else ""

    keys: list[Callable[[PieceView], Hashable]] = [
        lambda view: (look(view), pieces[view.id].label, symbol(view), view.face),
        lambda view: (look(view), symbol(view)),
        look,
        lambda view: look(view)[0],
    ]
    found: list[list[Pile]] = []
    for key in keys:
        groups: dict[Hashable, Pile] = {}
        for view in views:
            groups.setdefault(key(view), []).append(view)
        piles = list(groups.values())
        if not found or len(piles) < len(found[-1]):
            found.append(piles)
    return found


def block_of_piles(
    piles: Sequence[Pile],
    columns: int,
    left: float,
    top: float,
    size: float,
    pieces: Mapping[str, Piece],
    style: CounterStyle,
) -> str:
    drawn: list[str] = []
    cell = _cell(piles, size)
    for index, pile in enumerate(piles):
        row, column = divmod(index, columns)
        drawn.append(
            one_pile(pile, left + column * (cell + _GAP), top + row * (cell + _GAP), size, pieces, style)
        )
    return "".join(drawn)


def one_pile(
    pile: Pile, left: float, top: float, size: float, pieces: Mapping[str, Piece], style: CounterStyle
) -> str:
    """The first piece lies on top, at the lower left; the others look out behind it."""
    shown = pile[:_DEEPEST]
    depth = len(shown) - 1
    drawn = [
        counter(pieces[view.id], view, style, left + level * _SHIFT, top + (depth - level) * _SHIFT, size)
        for level, view in reversed(list(enumerate(shown)))
    ]
    if len(pile) > 1:
        x, y = left + size + depth * _SHIFT - 1, top + 2
        drawn.append(tag("circle", cx=x, cy=y, r=7.2, fill="#201a12", stroke="#ffffff", stroke_width=1))
        drawn.append(
            words(str(len(pile)), x, y + 3.6, 10, fill="#ffffff", font_weight="bold", text_anchor="middle")
        )
    return tag("g", *drawn, class_="pile")


def _extent(piles: Sequence[Pile], columns: int, size: float) -> tuple[float, float]:
    cell = _cell(piles, size)
    rows = math.ceil(len(piles) / columns)
    return columns * cell + (columns - 1) * _GAP, rows * cell + (rows - 1) * _GAP


def _cell(piles: Sequence[Pile], size: float) -> float:
    deepest = max((min(_DEEPEST, len(pile)) for pile in piles), default=1)
    return size + (deepest - 1) * _SHIFT + 2
