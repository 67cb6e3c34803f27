"""A cut-out of the map for an example: the spaces it speaks of, their neighbours, and what stands there."""

from __future__ import annotations

from dataclasses import replace

from rulesdsl.base.cache import remembered_for
from rulesdsl.drawing import MapOptions, PieceView, Prepared, draw_map
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.map_pages import drawn_from, laid_out
from rulesdsl.handbook.writers.html import anchor_of
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Picture

_MOST_SPACES = 40  # more is no cut-out


def cut_out(book: Book, identity: str, number: int, example: sx.Example) -> Picture | None:
    """The place of an example with its pieces; nothing when it names no space of the map."""
    game_map = book.source.map
    if game_map is None:
        return None
    stand = _positions(book, example)
    named = [space for space in _named(example, set(game_map.spaces)) if space not in stand]
    centre = [*stand, *named]
    near = {*centre, *(other for space in centre for other in game_map.neighbours(space))}
    if not centre or len(near) > _MOST_SPACES:
        return None
    name = anchor_of(f"example-{identity}-{number}")
    svg = remembered_for(f"drawn-{name}", drawn_from(book.source), lambda: _drawn(book, near, stand, name))
    if not svg:
        return None
    return Picture(svg, name, f"Example: the place of {identity}", "cut-out")


def _drawn(book: Book, around: set[str], placed: dict[str, list[PieceView]], name: str) -> str:
    """The whole sheet with everything left out that is elsewhere, seen through a window."""
    source, prepared = book.source, laid_out(book)
    layout = prepared.layout
    assert source.map is not None
    near = around & set(layout.shapes)
    if not near:
        return ""
    stand = {space: views for space, views in placed.items() if space in near}
    spaces = {space: entry for space, entry in source.map.spaces.items() if space in near}
    borders = tuple(b for b in source.map.borders if near.issuperset(b.between))
    part = replace(source.map, spaces=spaces, borders=borders, features=None)
    shown = replace(
        layout,
        shapes={space: shape for space, shape in layout.shapes.items() if space in near},
        sides=tuple(
            replace(side, there=side.there if side.there in near else "")
            for side in layout.sides
            if side.here in near
        ),
        corners=tuple((point, meeting) for point, meeting in layout.corners if meeting <= near),
        boxes=(),
    )
    drawn = draw_map(
        replace(source, map=part), stand, options=MapOptions(prefix=f"{name}-", panel=False),
        prepared=Prepared(prepared.style, shown),
    )  # fmt: skip
    frames = [shape.frame for shape in shown.shapes.values()]
    left, top = min(f[0] for f in frames) - 12, min(f[1] for f in frames) - 12
    width = max(f[0] + f[2] for f in frames) + 12 - left
    height = max(f[1] + f[3] for f in frames) + 12 - top
    begin, end = drawn.index("viewBox="), drawn.index(" role=")
    window = f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}"'
    return f'{drawn[:begin]}{window} width="{width:.0f}" height="{height:.0f}"{drawn[end:]}'


def _positions(book: Book, example: sx.Example) -> dict[str, list[PieceView]]:
    """Where the example places what; the set-up of a scenario is not repeated."""
    pieces, spaces = book.source.pieces, book.source.map.spaces if book.source.map else {}
    faces = {
        step.piece.id: step.face.value
        for step in example.given
        if isinstance(step, sx.Flip) and isinstance(step.piece, sx.Name) and isinstance(step.face, sx.Number)
    }
    found: dict[str, list[PieceView]] = {}
    for step in example.given:
        if isinstance(step, sx.Move) and isinstance(step.place, sx.Name) and step.place.id in spaces:
            for piece in step.pieces:
                if isinstance(piece, sx.Name) and piece.id in pieces:
                    face = int(faces.get(piece.id, 0))
                    known = face < len(pieces[piece.id].faces)
                    found.setdefault(step.place.id, []).append(PieceView(piece.id, face if known else 0))
    return found


def _named(example: sx.Example, spaces: set[str]) -> list[str]:
    """Spaces that steps and expectations speak of."""
    found: dict[str, None] = {}
    for node in (*example.given, *example.played):
        for part in sx.walk(node):
            if isinstance(part, sx.Name) and part.id in spaces:
                found[part.id] = None
    return list(found)
