"""A map to play on: the ground once, and for every position only where its counters and marks lie.

`draw_map` draws a whole picture, names and counters placed together: right for a page, slow for a game in
which something changes with every click. A scene draws the ground without counters, keeps free for them what
it can, and then only says where piles lie; whoever shows it draws each counter face once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.counter import counter
from rulesdsl.drawing.counters.stacks import Arranged, arranged, arrangements, cell_pile
from rulesdsl.drawing.document import document
from rulesdsl.drawing.map.badges import HEIGHT, badge_row, row_width
from rulesdsl.drawing.map.draw import Prepared
from rulesdsl.drawing.map.layers import FILLING, Drawing, as_badge, filling
from rulesdsl.drawing.map.layout import Rectangle, Shape
from rulesdsl.drawing.map.legend import panel_beside
from rulesdsl.drawing.map.places import KIND
from rulesdsl.drawing.style.style import in_words, shown_value
from rulesdsl.drawing.svg import group
from rulesdsl.drawing.views import MapOptions, PieceView, SpaceMark

FACE = 46.0  # the size counter faces are drawn in; shown at any size


@dataclass(frozen=True, slots=True)
class PlacedPile:
    """Counters on each other, the top one first; x, y is the upper left corner of the pile."""

    space: str
    x: float
    y: float
    size: float
    pieces: tuple[PieceView, ...]


class Scene:
    """The map of one game. Everything that is the same for every position is made once."""

    def __init__(self, source: GameSource, prepared: Prepared) -> None:
        self.source, self.style, self.layout = source, prepared.style, prepared.layout
        self._drawing = Drawing(source, self.style, self.layout, MapOptions(roomy=True), {})
        self._layers = self._drawing.layers()
        self._places: dict[tuple[str, float, float, float], tuple[Rectangle, float]] = {}
        self._marks: dict[tuple[str, tuple[SpaceMark, ...]], list[str]] = {}
        self._faces: dict[tuple[str, int, str], str] = {}

    @cached_property
    def ground(self) -> str:
        """The map without counters, legend and boxes, as an SVG document."""
        layout = self.layout
        return document(
            self.source.game.title, self.source.game.summary,
            [*self._drawing.definitions(), *self._layers], layout.width, layout.height,
            paper=self.style.paper, frame=False,
        )  # fmt: skip

    @cached_property
    def legend(self) -> str:
        """What the signs mean, as an SVG document of its own; nothing when there is nothing to explain."""
        bare = replace(self.layout, shapes={}, boxes=())
        options = MapOptions(prefix="legend-", title=" ", subtitle="")
        parts, width, height = panel_beside(
            self.source, self.style, bare, options, {}, spaces=self.layout.shapes
        )
        if not parts:
            return ""
        drawing = Drawing(self.source, self.style, self.layout, options, {})
        return document(
            f"{self.source.game.title}: legend", "", [*drawing.definitions(), *parts], width, height,
            paper=self.style.paper, prefix="legend-", frame=False,
        )  # fmt: skip

    def spaces(self) -> dict[str, dict[str, Any]]:
        """Where each space of the map has its middle and how far it reaches: for arrows and for aiming."""
        return {
            shape.id: {"x": round(shape.heart[0], 1), "y": round(shape.heart[1], 1),
                       "room": round(shape.room, 1)}
            for shape in self.layout.shapes.values()
        }  # fmt: skip

    def face(self, piece: Piece, face: int, sign: str = "") -> str:
        """One side of a counter, bare of what happens to it; `sign` is what it is now, if that changes."""
        found = self._faces.get((piece.id, face, sign))
        if found is None:
            view = PieceView(piece.id, face, sign=sign)
            found = counter(piece, view, self.style.counters, 0, 0, FACE, titled=False)
            self._faces[piece.id, face, sign] = found
        return found

    def words(self, piece: Piece, view: PieceView, name: str = "") -> str:
        """A counter in a few words: what it is called, what stands on it, what has happened to it."""
        style, face = self.style.counters, piece.on_face(view.face)
        parts = [name or piece.name]
        if style.symbol and (kind := shown_value(face.get(style.symbol.attribute))):
            parts.append(style.legends.get(kind, in_words(kind)))
        parts += [f"{in_words(n)} {shown_value(face[n])}" for n in style.numbers if n in face]
        if view.face:
            parts.append("reduced" if len(piece.faces) == 2 else f"face {view.face + 1}")
        if view.turned:
            parts.append(style.legends.get(style.turned, in_words(style.turned)))
        return ", ".join([*parts, *view.marks])

    def piles(
        self, positions: Mapping[str, Sequence[PieceView]], pieces: Mapping[str, Piece]
    ) -> list[PlacedPile]:
        """Where the counters of a position lie on the map."""
        found: list[PlacedPile] = []
        for space, shape in self.layout.shapes.items():
            views = positions.get(space, ())
            if not views:
                continue
            if self.layout.kind == KIND:
                lies = self._drawing.lying(self._drawing.map.spaces[space], views, pieces)
                found += [PlacedPile(space, x, y, size, pile) for x, y, size, pile in lies]
                continue
            if self.layout.kind != "areas":
                size, left, top = cell_pile(shape, len(views), self.style.counters)
                found.append(PlacedPile(space, left, top, size, tuple(views)))
                continue
            lying = self._arranged(shape, views, pieces)
            if lying is not None:
                for (x, y), pile in zip(lying.corners(), lying.piles, strict=True):
                    found.append(PlacedPile(space, x, y, lying.size, tuple(pile)))
        return found

    def boxes(
        self, positions: Mapping[str, Sequence[PieceView]], pieces: Mapping[str, Piece]
    ) -> dict[str, list[tuple[PieceView, ...]]]:
        """The spaces beside the map with their counters, equal ones together."""
        found: dict[str, list[tuple[PieceView, ...]]] = {}
        for space in self.layout.boxes:
            views = positions.get(space, ())
            piles = arrangements(views, pieces, self.style.counters)[0] if views else []
            found[space] = [tuple(pile) for pile in piles]
        return found

    def marks(self, marks: Mapping[str, Sequence[SpaceMark]]) -> str:
        """What lies in spaces beside counters: who controls them, whose stone is there."""
        drawn: list[str] = []
        for space, found in marks.items():
            key = (space, tuple(found))
            if (
                key not in self._marks
            ):  # of one space there are few: the same stones lie there again and again
                self._marks[key] = self._marked(space, found)
            drawn += self._marks[key]
        return group(drawn, class_="marks") if drawn else ""

    def _marked(self, space: str, marks: Sequence[SpaceMark]) -> list[str]:
        shape = self.layout.shapes.get(space)
        if shape is None:
            return []
        drawn = [filling(mark, shape) for mark in marks if mark.shape in FILLING]
        small = [as_badge(mark) for mark in marks if mark.shape not in FILLING]
        if small:
            left, top, width, _ = self._place(shape, row_width(small), HEIGHT, 12)[0]
            drawn.append(badge_row(small, left + width / 2, top))
        return drawn

    def _arranged(
        self, shape: Shape, views: Sequence[PieceView], pieces: Mapping[str, Piece]
    ) -> Arranged | None:
        return arranged(
            shape, views, pieces, self.style.counters,
            lambda width, height: self._place(shape, width, height, 30),
        )  # fmt: skip

    def _place(self, shape: Shape, width: float, height: float, outside: float) -> tuple[Rectangle, float]:
        key = (shape.id, round(width, 1), round(height, 1), outside)
        found = self._places.get(key)
        if found is None:
            found = self._drawing.room.place(shape.outline, width, height, shape.heart, outside)
            self._places[key] = found
        return found
