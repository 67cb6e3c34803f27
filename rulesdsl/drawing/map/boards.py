"""Boards of squares and hexes as shapes on the sheet; hexes with a corner or with a side up, in any shape."""

from __future__ import annotations

import math

from rulesdsl.book.entries import Entry
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.drawing.map.layout import Layout, Shape, Side
from rulesdsl.drawing.shapes.geometry import Point
from rulesdsl.drawing.shapes.pencil import meandering
from rulesdsl.drawing.style.style import DrawingStyle

_MARGIN = 44.0
_SMALLEST, _LARGEST = 34.0, 96.0  # the width of a cell
_HALF_SIDE = 1 / math.sqrt(3)  # from the middle of a hex of width 1 to its corners


def lay_out_board(game_map: GameMap, style: DrawingStyle) -> Layout:
    """The cells of a grid. A cell is 1 wide in the coordinates of the map, y grows to the north."""
    cells = [space for space in game_map.spaces.values() if space.kind == game_map.grid_class]
    unseen = (game_map.grid_class, *style.hidden)
    boxes = tuple(space.id for space in game_map.spaces.values() if space.kind not in unseen)
    corners = _corners_of_cell(game_map)
    places = [(float(cell.x or 0), -float(cell.y or 0)) for cell in cells]
    reach_x, reach_y = max(x for x, _ in corners), max(y for _, y in corners)
    left, right = min(x for x, _ in places) - reach_x, max(x for x, _ in places) + reach_x
    top, bottom = min(y for _, y in places) - reach_y, max(y for _, y in places) + reach_y
    size = min(_LARGEST, max(_SMALLEST, (style.width - 2 * _MARGIN) / (right - left)))

    def placed(x: float, y: float) -> Point:
        return (round((x - left) * size + _MARGIN, 3), round((y - top) * size + _MARGIN, 3))

    shapes: dict[str, Shape] = {}
    for cell, (x, y) in zip(cells, places, strict=True):
        outline = tuple(placed(x + dx, y + dy) for dx, dy in corners)
        shapes[cell.id] = Shape(cell.id, outline, placed(x, y), size / 2)
    return Layout(
        kind=game_map.kind, width=(right - left) * size + 2 * _MARGIN,
        height=(bottom - top) * size + 2 * _MARGIN, shapes=shapes,
        sides=_sides(shapes, style.wet_borders(game_map.borders)), corners=(), boxes=boxes,
        project=lambda x, y: placed(x, -y),
    )  # fmt: skip


def margin_labels(game_map: GameMap, layout: Layout) -> list[tuple[str, Point]]:
    """Names of columns and rows beside a board whose cells are called like squares of chess; else none."""
    cells = [space for space in game_map.spaces.values() if space.kind == game_map.grid_class]
    columns: dict[str, list[Entry]] = {}
    rows: dict[str, list[Entry]] = {}
    for cell in cells:
        letter = cell.id.rstrip("0123456789")
        digits = cell.id[len(letter) :]
        if not letter.isalpha() or not digits:
            return []
        columns.setdefault(letter, []).append(cell)
        rows.setdefault(digits, []).append(cell)
    labels: list[tuple[str, Point]] = []
    for names, position in ((columns, _below), (rows, _to_the_left)):
        labels += [(name, position(layout, members)) for name, members in names.items()]
    return labels


def _below(layout: Layout, members: list[Entry]) -> Point:
    shape = max((layout.shapes[cell.id] for cell in members), key=lambda shape: shape.heart[1])
    return (shape.heart[0], shape.frame[1] + shape.frame[3] + 14)


def _to_the_left(layout: Layout, members: list[Entry]) -> Point:
    shape = min((layout.shapes[cell.id] for cell in members), key=lambda shape: shape.heart[0])
    return (shape.frame[0] - 14, shape.heart[1])


def _corners_of_cell(game_map: GameMap) -> list[Point]:
    if game_map.kind == "squares":
        return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    # A hex that has a neighbour to the north lies on a side, else it stands on a corner.
    first = 0.0 if "north" in game_map.directions else math.pi / 6
    turns = [first + math.pi / 3 * k for k in range(6)]
    return [(_HALF_SIDE * math.cos(turn), _HALF_SIDE * math.sin(turn)) for turn in turns]


def _sides(shapes: dict[str, Shape], wet: set[frozenset[str]]) -> tuple[Side, ...]:
    owners: dict[tuple[Point, Point], str] = {}
    for shape in shapes.values():
        for start, end in _pairs(shape.outline):
            owners[_rounded(start), _rounded(end)] = shape.id
    sides: list[Side] = []
    for shape in shapes.values():
        for start, end in _pairs(shape.outline):
            other = owners.get((_rounded(end), _rounded(start)), "")
            if other and _drawn_before(other, shape.id, shapes):
                continue
            line = [start, end]
            if frozenset((shape.id, other)) in wet:
                line = meandering(line, "|".join(sorted((shape.id, other))), 2.4)
            sides.append(Side(shape.id, other, tuple(line)))
    return tuple(sides)


def _drawn_before(other: str, here: str, shapes: dict[str, Shape]) -> bool:
    return shapes[other].heart < shapes[here].heart


def _pairs(outline: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(outline, [*outline[1:], outline[0]], strict=True))


def _rounded(point: Point) -> Point:
    return (round(point[0]), round(point[1]))
