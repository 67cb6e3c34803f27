"""`draw_map`: the map of any game with its pieces, as one SVG document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.book.loader import GameSource
from rulesdsl.drawing.counters.stacks import arrangements, strongest_first
from rulesdsl.drawing.document import document
from rulesdsl.drawing.map.areas import lay_out_areas
from rulesdsl.drawing.map.boards import lay_out_board
from rulesdsl.drawing.map.layers import Drawing
from rulesdsl.drawing.map.layout import Layout
from rulesdsl.drawing.map.legend import panel_beside
from rulesdsl.drawing.map.places import lay_out_places, points_of_grid
from rulesdsl.drawing.style.style import DrawingStyle
from rulesdsl.drawing.style.style_file import usable_style
from rulesdsl.drawing.views import MapOptions, PieceView, checked, set_up

_AS_IT_COMES = MapOptions()


@dataclass(frozen=True)
class Prepared:
    """The style of a game and the places of its spaces: the slow part, the same for every position."""

    style: DrawingStyle
    layout: Layout


def prepare(source: GameSource) -> Prepared:
    """Lay out the map of a game once, to draw many positions on it."""
    if source.map is None:
        raise UsageError(f"{source.game.title} has no map")
    style = usable_style(source)
    if source.map.kind == "areas" and style.places:
        return Prepared(style, lay_out_places(source.map, style))
    if source.map.kind == "areas":
        crowds = {
            space: len(arrangements(views, source.pieces, style.counters)[0])
            for space, views in set_up(source).items()
        }
        return Prepared(style, lay_out_areas(source.map, style, crowds))
    board = lay_out_board(source.map, style)
    return Prepared(style, points_of_grid(board, style, source.map.grid_class or ""))


def draw_map(
    source: GameSource,
    positions: Mapping[str, Sequence[PieceView]] | None = None,
    *,
    options: MapOptions = _AS_IT_COMES,
    prepared: Prepared | None = None,
) -> str:
    """The map as SVG with the pieces at `positions`, or, without positions, at the set-up of a scenario."""
    ready = prepared or prepare(source)
    if positions is None:
        positions = {
            space: strongest_first(views, source.pieces, ready.style.counters)
            for space, views in set_up(source, options.scenario).items()
        }
    pieces = checked(source, positions)
    if options.piece_links:
        pieces = {
            space: tuple(replace(view, link=options.piece_links.get(view.id, view.link)) for view in views)
            for space, views in pieces.items()
        }
    drawing = Drawing(source, ready.style, ready.layout, options, pieces)
    layers = drawing.layers()
    panel, width, height = panel_beside(source, ready.style, ready.layout, options, pieces)
    title = options.title or source.game.title
    return document(
        title, source.game.summary, [*drawing.definitions(), *layers, *panel], width, height,
        paper=ready.style.paper, prefix=options.prefix,
    )  # fmt: skip
