"""Spaces as places of their own: points joined by lines, boxes on a table, the spikes of a board.

A map of areas lets every space grow until it touches its neighbours. That is wrong for a board of points,
whose spaces
are where lines meet, and for a table, whose spaces are spots for cards: there `places` in `drawing.yaml`
says, for a
class of spaces or for one of them, which shape they have and how large they are, in the units of the map.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rulesdsl.book.entries import Entry
from rulesdsl.book.map.borders import Border
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.stacks import arrangements, cell_pile
from rulesdsl.drawing.map.layout import Layout, Shape
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.style.style import CounterStyle, DrawingStyle, PlaceStyle
from rulesdsl.drawing.svg import escape, line_path, number, shaded, tag, text_width, words, wrapped
from rulesdsl.drawing.views import PieceView

KIND = "places"  # of a layout
_MARGIN = 40.0
_EDGE = 26.0  # of the table around its places
_NAME = 15.0  # the largest size of a name
_AIR = 5.0  # between a name, counters and the side of a place
_ROUND = 36  # corners of a point
_DISC = 0.86  # of half a cell: the disc around a point of a grid
_OVER = 0.25  # of a counter that may be covered by the next one

Lying = tuple[float, float, float, tuple[PieceView, ...]]  # x, y, size, the pile: the top first


def lay_out_places(game_map: GameMap, style: DrawingStyle) -> Layout:
    """Every space where its coordinates put it, in its own shape."""
    drawn = [space for space in game_map.spaces.values() if space.kind not in style.hidden]
    set_down = [space for space in drawn if space.x is not None and space.y is not None]
    boxes = tuple(space.id for space in drawn if space.x is None or space.y is None)
    frames = [_frame(space, place_of(space, style)) for space in set_down]
    if not frames:
        return Layout(KIND, style.width, 0, {}, (), (), boxes, lambda x, y: (x, y))
    left, right = min(f[0] for f in frames), max(f[0] + f[2] for f in frames)
    top, bottom = min(f[1] for f in frames), max(f[1] + f[3] for f in frames)
    scale = (style.width - 2 * (_MARGIN + _EDGE)) / max(1e-6, right - left)
    middle = (top + bottom) / 2

    def placed(x: float, y: float) -> Point:
        return ((x - left) * scale + _MARGIN + _EDGE, (y - top) * scale + _MARGIN + _EDGE)

    shapes = {
        space.id: _shape(space, place_of(space, style), frame, placed, middle)
        for space, frame in zip(set_down, frames, strict=True)
    }
    return Layout(
        kind=KIND, width=style.width, height=(bottom - top) * scale + 2 * (_MARGIN + _EDGE), shapes=shapes,
        sides=(), corners=(), boxes=boxes, project=lambda x, y: placed(x, -y),
    )  # fmt: skip


def place_of(space: Entry, style: DrawingStyle) -> PlaceStyle:
    """How a space is drawn: said for it, or for its class; a box where nothing is said."""
    return style.places.get(space.id) or style.places.get(space.kind) or PlaceStyle()


def _frame(space: Entry, place: PlaceStyle) -> tuple[float, float, float, float]:
    x, y = float(space.x or 0), -float(space.y or 0)
    return (x - place.width / 2, y - place.height / 2, place.width, place.height)


def _shape(
    space: Entry, place: PlaceStyle, frame: tuple[float, float, float, float],
    placed: Callable[[float, float], Point], middle: float,
) -> Shape:  # fmt: skip
    left, top, width, height = frame
    (x0, y0), (x1, y1) = placed(left, top), placed(left + width, top + height)
    heart, room = ((x0 + x1) / 2, (y0 + y1) / 2), min(x1 - x0, y1 - y0) / 2
    outline: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    if place.shape == "point":
        turns = [2 * math.pi * k / _ROUND for k in range(_ROUND)]
        outline = tuple((heart[0] + room * math.cos(t), heart[1] + room * math.sin(t)) for t in turns)
    elif place.shape == "spike":  # its foot is at the rim of the board
        tip = (heart[0], y1) if top + height / 2 < middle else (heart[0], y0)
        outline = ((x0, y0), (x1, y0), tip) if tip[1] == y1 else ((x0, y1), tip, (x1, y1))
    return Shape(space.id, outline, heart, room)


def table_top(layout: Layout, style: DrawingStyle) -> str:
    """What the places lie on."""
    if not layout.shapes:
        return ""
    wood, size = style.ground.colour, (layout.width - 2 * _MARGIN, layout.height - 2 * _MARGIN)
    shadow = tag(
        "rect",
        x=_MARGIN + 3,
        y=_MARGIN + 5,
        width=size[0],
        height=size[1],
        rx=16,
        fill="#000000",
        opacity=0.22,
    )
    top = tag(
        "rect", x=_MARGIN, y=_MARGIN, width=size[0], height=size[1], rx=16, fill=wood,
        stroke=shaded(wood, -0.5),
        stroke_width=5, class_="table",
    )  # fmt: skip
    return shadow + top


def joining_lines(
    layout: Layout, spaces: Mapping[str, Entry], borders: Sequence[Border], style: DrawingStyle
) -> list[str]:
    """Lines between points that are neighbours, and a dot where they meet."""
    points = {i for i in layout.shapes if place_of(spaces[i], style).shape == "point"}
    ink = shaded(style.ground.colour, -0.6)
    drawn = [
        tag("path", d=line_path([layout.shapes[end].heart for end in border.between]), fill="none",
            stroke=ink, stroke_width=3, stroke_linecap="round", class_="way")
        for border in borders
        if all(end in points for end in border.between)
    ]  # fmt: skip
    for identity in sorted(points):
        x, y = layout.shapes[identity].heart
        drawn.append(tag("circle", cx=x, cy=y, r=max(4.0, layout.shapes[identity].room * 0.18), fill=ink))
    return drawn


def place_fill(space: Entry, style: DrawingStyle, index: int) -> str:
    """Boxes are a little lighter than the table, points show it, spikes alternate."""
    wood = style.ground.colour
    match place_of(space, style).shape:
        case "point":
            return wood
        case "spike":
            return shaded(wood, -0.42 if index % 2 else 0.5)
        case _:
            return shaded(wood, 0.14)


def place_names(
    layout: Layout, spaces: Mapping[str, Entry], style: DrawingStyle, owners: Mapping[str, str]
) -> list[str]:
    """Names inside boxes, at their upper side, under the colour of their owner; beside points and spikes."""
    drawn: list[str] = []
    dark = sum(int(style.ground.colour[i : i + 2], 16) for i in (1, 3, 5)) < 3 * 120
    ink = "#fdf6e3" if dark else "#2b2418"
    middle = layout.height / 2
    for identity, shape in layout.shapes.items():
        space, (left, top, width, height) = spaces[identity], shape.frame
        name = {"name": space.name, "label": space.label or space.name, "none": ""}[style.names]
        kind = place_of(space, style).shape
        if kind == "box" and (colour := owners.get(identity)):
            drawn.append(
                tag("rect", x=left, y=top, width=width, height=4.5, rx=2, fill=colour, class_="owner")
            )
        if not name:
            continue
        if kind == "box":
            lines = wrapped(name, _NAME, width - 8, bold=True)
            widest = max(text_width(line, _NAME, bold=True) for line in lines)
            size = min(_NAME, _NAME * (width - 8) / max(1.0, widest))
            drawn += [
                _written(line, shape.heart[0], top + (n + 1) * size + 5, size, ink)
                for n, line in enumerate(lines)
            ]
        elif kind == "spike":
            base = top - 6 if shape.heart[1] < middle else top + height + 15
            drawn.append(_written(space.label or name, shape.heart[0], base, 13, ink))
        else:
            drawn.append(_written(name, left + width * 0.95, top + height * 0.98, 11, ink))
    return drawn


def _written(text: str, x: float, y: float, size: float, ink: str) -> str:
    return words(
        escape(text), x, y, round(size, 1), fill=ink, font_weight="bold", text_anchor="middle", class_="name"
    )


def piles_on(
    shape: Shape, place: PlaceStyle, views: Sequence[PieceView], pieces: Mapping[str, Piece], style:
    CounterStyle,
    upwards: bool,
) -> list[Lying]:  # fmt: skip
    """Where the counters of a place lie: one pile on a point, in a row in a box, in a column on a spike,
    from its
    foot (`upwards`: the foot is below). Where there is no room they cover each other."""
    left, top, width, height = shape.frame
    if place.shape == "point":
        size, x, y = cell_pile(shape, len(views), style)
        return [(x, y, size, tuple(views))]
    if place.shape == "spike":
        size = min(style.size, width * 0.94)
        step = min(size + 1, (height - size) / max(1, len(views) - 1))
        x = shape.heart[0] - size / 2
        return [
            (x, top + height - size - step * n if upwards else top + step * n, size, (view,))
            for n, view in enumerate(views)
        ]
    piles = arrangements(views, pieces, style)[0]
    above = 0.0 if not place.named else _NAME + _AIR
    breadth, depth = width - 2 * _AIR, height - above - 2 * _AIR
    size, rows = max(
        _in_rows(len(piles), rows, breadth, depth, style.size) for rows in range(1, len(piles) + 1)
    )
    each = math.ceil(len(piles) / rows)
    across = min(size + 4, (breadth - size) / max(1, each - 1))
    down = min(size + 4, (depth - size) / max(1, rows - 1))
    found: list[Lying] = []
    for index, pile in enumerate(piles):
        row, column = divmod(index, each)
        begun = (
            left + _AIR + max(0.0, (breadth - size - across * (min(each, len(piles) - row * each) - 1)) / 2)
        )
        high = top + above + _AIR + max(0.0, (depth - size - down * (rows - 1)) / 2)
        found.append((begun + column * across, high + row * down, size, tuple(pile)))
    return found


def _in_rows(count: int, rows: int, breadth: float, depth: float, most: float) -> tuple[float, int]:
    """How large counters can be in so many rows, and the rows."""
    each = math.ceil(count / rows)
    return min(most, (depth - 4 * (rows - 1)) / rows, breadth / (1 + (1 - _OVER) * (each - 1))), rows


def owner_colours(spaces: Mapping[str, Entry], colours: Mapping[str, str]) -> dict[str, str]:
    """The colour of the player to whom a space belongs: the first printed attribute that names one."""
    found: dict[str, str] = {}
    for space in spaces.values():
        named = [colours[str(value)] for value in space.attributes.values() if str(value) in colours]
        if named:
            found[space.id] = named[0]
    return found


def points_of_grid(layout: Layout, style: DrawingStyle, grid_class: str) -> Layout:
    """A board of squares whose stones lie where lines meet: its cells are discs around those points."""
    place = style.places.get(grid_class)
    if place is None or place.shape != "point":
        return layout
    turns = [2 * math.pi * k / _ROUND for k in range(_ROUND)]
    shapes = {
        identity: replace(shape, outline=tuple(
            (shape.heart[0] + shape.room * _DISC * math.cos(t),
             shape.heart[1] + shape.room * _DISC * math.sin(t))
            for t in turns
        ))
        for identity, shape in layout.shapes.items()
    }  # fmt: skip
    return replace(layout, shapes=shapes)


def grid_of_points(layout: Layout, ground: str) -> list[str]:
    """The lines of such a board, from middle to middle."""
    ink = shaded(ground, -0.6)
    lines = "".join(
        f"M{number(a[0])} {number(a[1])}L{number(b[0])} {number(b[1])}"
        for side in layout.sides
        if side.there
        for a, b in [(layout.shapes[side.here].heart, layout.shapes[side.there].heart)]
    )
    return [
        tag("path", d=lines, fill="none", stroke=ink, stroke_width=1.6, stroke_linecap="round", class_="grid")
    ]
