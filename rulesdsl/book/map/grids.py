"""Maps of squares and hexes: ids, neighbours, directions and terrain, generated from a few numbers.

Cells are put on a doubled grid (half a cell is 1), so that a hex pushed by half its width still has
whole coordinates, and every neighbour is a fixed step away whatever the numbering of the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import Limits
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Value, at
from rulesdsl.book.map.grid_signs import printed_cells
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import shorten

Step = tuple[int, int]  # to the east, to the north, in half cells

_ORTHOGONAL: dict[str, Step] = {"north": (0, 2), "south": (0, -2), "east": (2, 0), "west": (-2, 0)}
_DIAGONAL: dict[str, Step] = {
    "northeast": (2, 2),
    "northwest": (-2, 2),
    "southeast": (2, -2),
    "southwest": (-2, -2),
}
_SLANTED: dict[str, Step] = {
    "northeast": (1, 1),
    "northwest": (-1, 1),
    "southeast": (1, -1),
    "southwest": (-1, -1),
}
_POINTY: dict[str, Step] = {"east": (2, 0), "west": (-2, 0), **_SLANTED}
_FLAT: dict[str, Step] = {"north": (0, 2), "south": (0, -2), **_SLANTED}
_HEX_STRETCH = 0.866025403784  # rows of hexes (columns, when flat) lie closer than their width

_PLACEHOLDER = re.compile(r"\{(column|row|letter)(?::0?([1-9]))?\}")


@dataclass(frozen=True, slots=True)
class Cell:
    """One space of a grid. `attributes` holds column, row, directions, then what the legend says."""

    id: str
    attributes: Mapping[str, Value]
    x: float
    y: float
    place: Step  # in half cells, exact
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Grid:
    """What `build_grid` makes: cells row by row from row 1, and each pair of neighbours once."""

    cells: tuple[Cell, ...]
    pairs: tuple[tuple[str, str], ...]
    directions: tuple[str, ...]
    form: str = ""  # squares, pointy or flat


def build_grid(doc: YamlDocument, limits: Limits) -> tuple[Grid | None, list[Diagnostic]]:
    """The grid of a map file whose form was checked; no grid when something is wrong with it."""
    board: dict[str, Any] = at(doc, ())
    columns, rows = board["columns"], board["rows"]
    if columns * rows > limits.spaces:
        message = f"{columns} by {rows} are {columns * rows:,} spaces, the most is {limits.spaces:,}"
        return None, [Diagnostic("map-too-big", message, doc.span(("columns",)))]
    printed, problems = printed_cells(doc, board)
    ids, numbering_problems = _ids(doc, board, printed)
    problems += numbering_problems
    if problems:
        return None, problems
    steps = _directions(board)
    adjacent = _ORTHOGONAL if board["kind"] == "squares" and board.get("adjacency") != "all" else steps
    places = {_half_cells(board, *position): name for position, name in ids.items()}
    order = {name: index for index, name in enumerate(ids.values())}
    cells: list[Cell] = []
    pairs: list[tuple[str, str]] = []
    for position, name in ids.items():
        here = _half_cells(board, *position)
        around = {way: places.get((here[0] + east, here[1] + north)) for way, (east, north) in steps.items()}
        beside = [other for way in adjacent if (other := around[way])]
        pairs += [(name, other) for other in beside if order[other] > order[name]]
        attributes: dict[str, Value] = {"column": position[0], "row": position[1], **around}
        attributes |= printed[position].attributes
        cells.append(Cell(name, attributes, *_drawn_at(board, here), here, printed[position].span))
    form = "squares" if board["kind"] == "squares" else board.get("orientation", "pointy")
    return Grid(tuple(cells), tuple(pairs), tuple(steps), form), []


def _directions(board: Mapping[str, Any]) -> dict[str, Step]:
    """The directions of a board, in the order in which its spaces list them."""
    if board["kind"] == "squares":
        return {**_ORTHOGONAL, **_DIAGONAL}
    return _FLAT if board.get("orientation") == "flat" else _POINTY


def letters(column: int) -> str:
    """1 → a, 26 → z, 27 → aa: columns as chess players and printed hex maps name them."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


def _half_cells(board: Mapping[str, Any], column: int, row: int) -> Step:
    """Where a cell lies, in half cells to the east and to the north."""
    north = -row if board.get("rows_from") == "north" else row
    if board["kind"] == "squares":
        return (2 * column, 2 * north)
    flat = board.get("orientation") == "flat"
    if board.get("shape") == "rhombus":
        # Each row (column) is pushed half a cell further than the one before it.
        upwards = 1 if north > 0 else -1
        return (column, upwards * (2 * row + column)) if flat else (2 * column + row, north)
    pushed_parity = 1 if board.get("shift", "even") == "odd" else 0
    if flat:
        return (column, 2 * north + (1 if column % 2 == pushed_parity else 0))
    return (2 * column + (1 if row % 2 == pushed_parity else 0), north)


def _drawn_at(board: Mapping[str, Any], here: Step) -> tuple[float, float]:
    """Where to draw a cell whose width (height, when flat) is 1; y grows to the north."""
    east, north = here
    if board["kind"] == "squares":
        return (east / 2, north / 2)
    if board.get("orientation") == "flat":
        return (round(east * _HEX_STRETCH, 6), north / 2)
    return (east / 2, round(north * _HEX_STRETCH, 6))


def _ids(
    doc: YamlDocument, board: dict[str, Any], on_map: Mapping[Step, object]
) -> tuple[dict[Step, str], list[Diagnostic]]:
    """The id of every cell, from the pattern `numbering`."""
    default = "{letter}{row}" if board["kind"] == "squares" else "{column:02}{row:02}"
    pattern = board.get("numbering", default)
    place = doc.span(("numbering",)) if "numbering" in board else doc.span(("class",))
    rest = _PLACEHOLDER.sub("", pattern)
    if not re.fullmatch("[a-z0-9_]*", rest):
        message = f'"{shorten(pattern)}" is not a numbering'
        hint = 'use {column}, {row}, {letter}, {column:02}, {row:02}, small letters, digits and "_"'
        return {}, [Diagnostic("map-numbering", message, place, help=hint)]
    ids: dict[Step, str] = {}
    owners: dict[str, Step] = {}
    for column, row in on_map:
        name = _numbered(pattern, column, row)
        other = owners.setdefault(name, (column, row))
        if other != (column, row):
            message = f'the numbering gives "{name}" to column {other[0]}, row {other[1]} and to '
            message += f"column {column}, row {row}"
            hint = 'use both the column and the row, with leading zeros: "{column:02}{row:02}"'
            return {}, [Diagnostic("map-numbering", message, place, help=hint)]
        ids[column, row] = name
    return ids, []


def _numbered(pattern: str, column: int, row: int) -> str:
    # Not str.format: a pattern comes from a stranger, and "{row:999999999}" would fill the memory.
    def filled(match: re.Match[str]) -> str:
        name, width = match[1], int(match[2] or 0)
        text = letters(column) if name == "letter" else str(column if name == "column" else row)
        return text.rjust(width, "0")

    return _PLACEHOLDER.sub(filled, pattern)
