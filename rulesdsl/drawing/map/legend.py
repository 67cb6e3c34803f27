"""What stands beside a map: the title, the legend, and the boxes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.drawing.counters.counter import chip
from rulesdsl.drawing.map import panel as side
from rulesdsl.drawing.map.ground import fills_used
from rulesdsl.drawing.map.layout import Layout
from rulesdsl.drawing.map.passages import touching_strangers, way_off_sign, ways_off
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.style.style import DrawingStyle, in_words
from rulesdsl.drawing.svg import group, shaded, tag
from rulesdsl.drawing.views import MapOptions, PieceView

ESTIMATES = (
    "Slanted figures with a raised ? are estimates: the printed value is not known. "
    "The sources stand in the files of the game."
)
_GAP = 30.0
_MARGIN = 34.0


def panel_beside(
    source: GameSource,
    style: DrawingStyle,
    layout: Layout,
    options: MapOptions,
    positions: Mapping[str, tuple[PieceView, ...]],
    spaces: Collection[str] | None = None,
) -> tuple[list[str], float, float]:
    """The panel, and the size of the whole sheet. Without a panel the boxes still get their place.

    `spaces` are those the legend speaks of, when they are not those of the layout.
    """
    assert source.map is not None
    if not (layout.boxes or style.fill or style.borders or style.badges or source.pieces):
        return _title_below(source, layout, options)
    panel = side.Panel(layout.width + _GAP - _MARGIN if layout.shapes else _MARGIN, _MARGIN)
    start = panel.top
    if options.panel:
        _title(panel, source, options)
        named = layout.shapes if spaces is None else spaces
        _legend(panel, source, source.map, style, layout, options, positions, named)
    for space in layout.boxes:
        panel.top += 4
        entry = source.map.spaces[space]
        side.box(panel, entry, positions.get(space, ()), source.pieces, style, options)
    if panel.top == start:
        return [], layout.width, layout.height
    width, height = panel.left + side.WIDTH + _MARGIN, max(layout.height, panel.top + _MARGIN)
    drawn = [group(panel.parts, class_="panel")]
    if style.projection == "degrees" and (place := _free_corner(layout)) is not None:
        drawn.append(side.compass(place))
    return drawn, width, height


def _title_below(source: GameSource, layout: Layout, options: MapOptions) -> tuple[list[str], float, float]:
    """A plain board needs no legend, and its title stands below it."""
    if not options.panel:
        return [], layout.width, layout.height
    width = max(layout.width, side.WIDTH)
    panel = side.Panel(_MARGIN, layout.height - 8, width=width - 2 * _MARGIN)
    _title(panel, source, options)
    return [group(panel.parts, class_="panel")], width, panel.top + _MARGIN


def _free_corner(layout: Layout) -> Point | None:
    """A corner of the sheet that is empty enough for a compass."""
    away = 78.0
    points = [point for shape in layout.shapes.values() for point in shape.outline]
    corners = [(x, y) for y in (layout.height - away, away) for x in (away, layout.width - away)]
    return next((c for c in corners if all(math.dist(c, point) > 62 for point in points)), None)


def _title(panel: side.Panel, source: GameSource, options: MapOptions) -> None:
    title = options.title or source.game.title
    panel.text(title, side.fitted(title, 34, panel.width), bold=True, gap=1.0, class_="title")
    panel.top += 6
    subtitle = source.game.summary if options.subtitle is None else options.subtitle
    if subtitle:
        panel.text(subtitle, 14)


def _legend(
    panel: side.Panel,
    source: GameSource,
    game_map: GameMap,
    style: DrawingStyle,
    layout: Layout,
    options: MapOptions,
    positions: Mapping[str, tuple[PieceView, ...]],
    named: Collection[str],
) -> None:
    spaces = [space for space in game_map.spaces.values() if space.id in named]
    if style.fill:
        panel.heading("Ground")
        panel.entries(side.ground_entries(fills_used(spaces, style), options.prefix), row=38)
    lines = side.line_entries(
        style, touching_strangers(layout, game_map.borders), on_board=layout.kind != "areas"
    )
    if ways_off(game_map.borders, layout):
        lines.append((way_off_sign((19.0, 0.0), (1.0, 0.0)), 46.0, "Way off the map"))
    if lines:
        panel.heading("Lines")
        panel.entries(lines, columns=1, row=29)
    signs = side.badge_entries(style) + (side.mark_entries(style) if options.marks else [])
    if signs:
        panel.heading("Signs")
        panel.entries(signs)
    if source.pieces and (style.counters.numbers or style.counters.symbol):
        panel.heading("Counters")
        side.anatomy(panel, max(source.pieces.values(), key=lambda piece: len(piece.faces)), style)
        states = state_entries(style, [view for views in positions.values() for view in views])
        panel.entries(side.counter_entries(style) + states, row=31)
    if has_estimates(source, style):
        panel.top += 6
        panel.text(ESTIMATES, 12.5, font_style="italic")
    panel.top += 16


def state_entries(style: DrawingStyle, views: Sequence[PieceView]) -> list[tuple[str, float, str]]:
    """What has happened to counters of this drawing: they have acted, or bear marks."""
    counters = style.counters

    def meaning(word: str) -> str:
        return side.capital(counters.legends.get(word, in_words(word)))

    found: list[tuple[str, float, str]] = []
    if counters.turned and any(view.turned for view in views):
        colours = list(counters.colour.values.values()) if counters.colour else []
        colour = shaded(colours[0] if colours else "#c9b98f", -0.3)
        box = tag(
            "rect", x=0, y=-9, width=28, height=18, rx=2, fill=colour, stroke=side.INK, stroke_width=0.8
        )
        found.append((box, 28, meaning(counters.turned)))
    shown = {mark for view in views for mark in view.marks}
    for word in counters.marks:
        if in_words(word) in shown:
            sign = tag("g", chip(in_words(word), 54, 0), transform="translate(7 -24)")
            found.append((sign, 28, meaning(word)))
    return found


def has_estimates(source: GameSource, style: DrawingStyle) -> bool:
    """Whether any figure of the drawing is a guess."""
    spaces = source.map.spaces.values() if source.map else ()
    return any(
        badge.attribute in space.attributes and space.is_estimated(badge.attribute)
        for space in spaces
        for badge in style.badges
    ) or any(
        piece.is_guessed(name, face)
        for piece in source.pieces.values()
        for face in range(len(piece.faces))
        for name in style.counters.numbers
    )
