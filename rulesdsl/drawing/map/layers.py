"""The layers of a map, from the ground up: zones, lines, names, marks, counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesdsl.book.entries import Entry
from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.stacks import one_pile, pile_in_cell, piles_in
from rulesdsl.drawing.counters.symbols import unit_symbol
from rulesdsl.drawing.map.badges import HEIGHT, Badge, badge_row, badges_of, draw_badge, rampart, row_width
from rulesdsl.drawing.map.ground import cell_names, checkered, described, fill_of, patterns_for, shore, zone
from rulesdsl.drawing.map.layout import Layout, Shape
from rulesdsl.drawing.map.lines import Road, bridges, lines_along, river_style, rivers, road_lines, roads
from rulesdsl.drawing.map.passages import (
    border_lines,
    loose_connections,
    nexus,
    nexus_points,
    routes,
    ways,
    ways_off,
)
from rulesdsl.drawing.map.places import (
    KIND,
    Lying,
    grid_of_points,
    joining_lines,
    owner_colours,
    piles_on,
    place_fill,
    place_names,
    place_of,
    table_top,
)
from rulesdsl.drawing.map.plates import plate, region_names, river_names, town
from rulesdsl.drawing.map.teeth import teeth, trenches
from rulesdsl.drawing.shapes.free_room import Room
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.style.style import DrawingStyle, Fill
from rulesdsl.drawing.svg import escape, group, shaded, tag
from rulesdsl.drawing.views import MapOptions, PieceView, SpaceMark

FILLING = ("disc", "ring", "cross")  # marks that fill a space, as stones on a board


class Drawing:
    """One drawing of a map. Layers are made in an order in which each knows what is already there."""

    def __init__(
        self,
        source: GameSource,
        style: DrawingStyle,
        layout: Layout,
        options: MapOptions,
        positions: Mapping[str, tuple[PieceView, ...]],
    ) -> None:
        assert source.map is not None  # a game without a map is refused before
        self.map: GameMap = source.map
        self.source, self.style, self.layout = source, style, layout
        self.options, self.positions = options, positions
        self.room = Room(layout.width, layout.height)
        self.spaces = [space for space in self.map.spaces.values() if space.id in layout.shapes]
        for shape in layout.shapes.values():
            self.room.claim(shape.outline)
        self.water_paths: list[str] = []

    def layers(self) -> list[str]:
        return [
            self._beneath(),
            group([self._zone(space) for space in self.spaces], class_="zones"),
            group(self._lines(), class_="lines", pointer_events="none"),
            group(self._names(), class_="names"),
            group(self._stones(), class_="marks"),
            group(self._counters(), class_="counters"),
            group(self._marks(), class_="marks"),
        ]

    def definitions(self) -> list[str]:
        """Patterns and paths that the layers refer to."""
        fills = dict.fromkeys(self._fill(space) for space in self.spaces)
        parts = patterns_for(fills, self.options.prefix) + self.water_paths
        return [tag("defs", "\n".join(parts))] if parts else []

    def _beneath(self) -> str:
        if self._is_table or self._has_points:
            return table_top(self.layout, self.style)
        return shore(self.layout, self.style.paper, self.options.prefix)

    @property
    def _is_table(self) -> bool:
        return self.layout.kind == KIND

    @property
    def _has_points(self) -> bool:
        """A board of squares whose stones lie where lines meet."""
        place = self.style.places.get(self.map.grid_class or "")
        return self.map.kind != "areas" and place is not None and place.shape == "point"

    def _fill(self, space: Entry) -> Fill:
        fill = fill_of(space, self.style)
        if self._is_table and fill == self.style.ground:
            return Fill(place_fill(space, self.style, self.spaces.index(space)))
        alternates = self.map.kind == "squares" and self.style.fill is None and self.style.checkered
        return checkered(space, fill) if alternates else fill

    def _zone(self, space: Entry) -> str:
        marks = [mark.title for mark in self.options.marks.get(space.id, ())]
        views = self.positions.get(space.id, ())
        words = described(space, self.style, views, self.source.pieces, marks)
        return zone(space, self.layout, self.style, self.options, self._fill(space), words)

    def _lines(self) -> list[str]:
        styles, borders, layout = self.style.borders, self.map.borders, self.layout
        if self._is_table:
            return joining_lines(layout, self.map.spaces, borders, self.style)
        if self._has_points:
            return grid_of_points(layout, self.style.ground.colour)
        streets = road_lines(styles, borders, layout)
        drawn = border_lines(layout, borders, self.options.prefix)
        drawn += rivers(styles, borders, layout, self.options.prefix)
        drawn += roads(streets)
        drawn += bridges(streets, self._wet_crossings(streets))
        for style in styles:
            if style.line == "teeth":
                found = trenches(style, styles, borders, layout)
                drawn.append(teeth(style, found))
                for trench in found:
                    self.room.block_line(trench.line, 5, 5)
            elif style.line in ("dashed", "solid", "wall"):
                drawn.append(lines_along(style, borders, layout))
        drawn += loose_connections(styles, borders, layout) + ways_off(borders, layout)
        drawn += routes(self.style.routes, self.map.spaces, layout)
        for style in styles:
            if style.line == "nexus":
                drawn += nexus(style, borders, layout)
            if style.line == "way":
                drawn += ways(style, borders, layout)
        self._keep_clear(streets)
        return drawn

    def _wet_crossings(self, ways: list[Road]) -> list[tuple[Point, float]]:
        """Where roads cross water, with its width."""
        widths = {
            frozenset(border.between): river.width
            for border in self.map.borders
            if (river := river_style(self.style.borders, border)) is not None
        }
        return [(way.crossing, widths[way.between]) for way in ways if way.between in widths]

    def _keep_clear(self, ways: list[Road]) -> None:
        """Texts and counters avoid what has been drawn, water more than roads."""
        for border in self.map.borders:
            river = river_style(self.style.borders, border)
            for side in self.layout.sides_between(*border.between) if river else ():
                self.room.block_line(side.line, 7, 6)
        for way in ways:
            self.room.block_line(way.line, 3, 1.2)
        if self.style.towns:
            for shape in self.layout.shapes.values():
                x, y = shape.heart
                self.room.block((x - 8, y - 8, 16, 16), 16)
        for x, y in self._nexus_points():
            self.room.block((x - 16, y - 16, 32, 32), 25)

    def _keep_cells_clear(self) -> None:
        """On a board names of rivers avoid numbers, names, badges and counters."""
        for space in self.spaces:
            shape = self.layout.shapes[space.id]
            (x, y), reach = shape.heart, shape.room
            self.room.block((x - reach * 0.45, y - reach * 0.8, reach * 0.9, reach * 0.35), 12)
            if space.name != space.id:
                self.room.block((x - reach * 0.9, y + reach * 0.55, reach * 1.8, reach * 0.4), 25)
            if self.positions.get(space.id) or badges_of(space, self.style.badges):
                self.room.block((x - reach * 0.6, y - reach * 0.6, reach * 1.2, reach * 1.2), 30)

    def _nexus_points(self) -> list[Point]:
        return [
            point
            for style in self.style.borders
            if style.line == "nexus"
            for point, _ in nexus_points(style, self.map.borders, self.layout)
        ]

    def _names(self) -> list[str]:
        if self._is_table:
            colours = {player.id: player.colour for player in self.source.game.players if player.colour}
            return place_names(
                self.layout, self.map.spaces, self.style, owner_colours(self.map.spaces, colours)
            )
        if self.map.kind != "areas":
            drawn = [self._badges(space) for space in self.spaces]
            self._keep_cells_clear()
            self.water_paths, water = river_names(
                self.style.borders, self.map.borders, self.layout, self.room, self.options.prefix
            )
            return drawn + water + cell_names(self.map, self.layout)
        drawn = [
            town(self.layout.shapes[space.id], bool(badges_of(space, self.style.badges[:1])))
            for space in self.spaces
            if self.style.towns
        ]
        drawn += region_names(self.map.features, self.layout, self._nexus_points(), self.room)
        self.water_paths, water = river_names(
            self.style.borders, self.map.borders, self.layout, self.room, self.options.prefix
        )
        drawn += water
        for space in sorted(self.spaces, key=lambda space: self.layout.shapes[space.id].room):
            name = {"name": space.name, "label": space.label, "none": ""}[self.style.names]
            drawn.append(
                plate(self.layout.shapes[space.id], name, badges_of(space, self.style.badges), self.room)
            )
        return drawn

    def _badges(self, space: Entry) -> str:
        """On a board badges stand in the middle of their cell; smaller at its edge beside counters."""
        shape = self.layout.shapes[space.id]
        (x, y), found = shape.heart, badges_of(space, self.style.badges)
        works = [rampart(shape.outline, shape.heart, b.colour) for b in found if b.shape == "rampart"]
        badges = [b for b in found if b.shape != "rampart"]
        if not badges:
            return "".join(works)
        taken = self.options.roomy or self.positions.get(space.id)
        if not taken or self.map.kind != "hexes":
            return "".join(works) + badge_row(badges, x, y - HEIGHT / 2)
        column = [
            tag("g", draw_badge(badge, 0, 0),
                transform=f"translate({x - shape.room * 0.74:.1f} {y + 12 * index:.1f}) scale(0.6)")
            for index, badge in enumerate(badges)
        ]  # fmt: skip
        return "".join([*works, *column])

    def _stones(self) -> list[str]:
        return [
            filling(mark, self.layout.shapes[space])
            for space, marks in self.options.marks.items()
            for mark in marks
            if mark.shape in FILLING and space in self.layout.shapes
        ]

    def _marks(self) -> list[str]:
        """After the counters: where a space is crowded a mark lies on top of them, not under them."""
        drawn: list[str] = []
        for space, marks in self.options.marks.items():
            shape = self.layout.shapes.get(space)
            small = [as_badge(mark) for mark in marks if mark.shape not in FILLING]
            if shape is not None and small:
                rectangle, _ = self.room.place(
                    shape.outline, row_width(small), HEIGHT, shape.heart, outside=12
                )
                self.room.block(rectangle, 25)
                drawn.append(badge_row(small, rectangle[0] + rectangle[2] / 2, rectangle[1]))
        return drawn

    def _counters(self) -> list[str]:
        drawn: list[str] = []
        for space in self.spaces:
            shape, views = self.layout.shapes[space.id], self.positions.get(space.id, ())
            if views and self._is_table:
                drawn += [
                    one_pile(list(pile), x, y, size, self.source.pieces, self.style.counters)
                    for x, y, size, pile in self.lying(space, views)
                ]
            elif views and self.map.kind == "areas":
                drawn.append(piles_in(shape, views, self.source.pieces, self.style.counters, self.room))
            elif views:
                drawn.append(pile_in_cell(shape, views, self.source.pieces, self.style.counters))
        return drawn

    def lying(
        self, space: Entry, views: Sequence[PieceView], pieces: Mapping[str, Piece] | None = None
    ) -> list[Lying]:
        """Where counters lie in a place of a table."""
        shape = self.layout.shapes[space.id]
        upwards = shape.heart[1] > self.layout.height / 2
        known = pieces if pieces is not None else self.source.pieces
        return piles_on(shape, place_of(space, self.style), views, known, self.style.counters, upwards)


def filling(mark: SpaceMark, shape: Shape) -> str:
    x, y = shape.heart
    if mark.shape == "disc":
        reach = shape.room * 0.76
        sign = tag("circle", cx=x + 1.5, cy=y + 2, r=reach, fill="#000000", opacity=0.25)
        sign += tag(
            "circle",
            cx=x,
            cy=y,
            r=reach,
            fill=mark.colour,
            stroke=shaded(mark.colour, -0.4),
            stroke_width=1.5,
        )
        sign += tag(
            "circle",
            cx=x,
            cy=y,
            r=reach * 0.74,
            fill="none",
            stroke=shaded(mark.colour, 0.35),
            stroke_width=1.5,
        )
    else:
        width = shape.room * 1.7
        sign = unit_symbol(mark.shape, x - width / 2, y - width / 3, width, mark.colour, "none")
    return tag("g", tag("title", escape(mark.title)), sign, class_="mark")


def as_badge(mark: SpaceMark) -> Badge:
    return Badge(mark.shape, mark.text, mark.colour, "#ffffff", title=mark.title)
