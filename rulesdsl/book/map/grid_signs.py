"""The letters of a grid: one sign per cell, explained by a legend; further layers add further attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Value, at, spread
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path

Position = tuple[int, int]  # column and row


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """What the legends say of one cell, and where its sign stands."""

    attributes: Mapping[str, Value]
    span: Span


def printed_cells(
    doc: YamlDocument, board: dict[str, Any]
) -> tuple[dict[Position, PrintedCell], list[Diagnostic]]:
    """The cells that are on the map, by column and row, in row order; all of them without `terrain`."""
    if "terrain" in board:
        found, problems = _layer(doc, board, board.get("legend", {}), ("terrain",))
    else:
        every = [
            (column, row) for row in range(1, board["rows"] + 1) for column in range(1, board["columns"] + 1)
        ]
        found, problems = dict.fromkeys(every, PrintedCell({}, doc.span(("class",)))), []
    for index, layer in enumerate(board.get("layers", ())):
        more, wrong = _layer(doc, board, layer["legend"], ("layers", index, "terrain"))
        problems += wrong + _said_before(doc, index, board)
        for position, cell in more.items():
            if position in found:
                before = found[position]
                found[position] = PrintedCell({**before.attributes, **cell.attributes}, before.span)
    return found, problems


def _layer(
    doc: YamlDocument, board: dict[str, Any], legend: Mapping[str, Any], where: Path
) -> tuple[dict[Position, PrintedCell], list[Diagnostic]]:
    """What one grid of signs says; a sign that means `none` says nothing."""
    columns, rows = board["columns"], board["rows"]
    count = len(at(doc, where))
    if count != rows:
        message = f"the terrain has {_counted(count, 'row')}, the map has {rows}"
        return {}, [Diagnostic("terrain-size", message, doc.span(where, key=True))]
    meanings: dict[str, Mapping[str, Value] | None] = {
        sign: None if said == "none" else spread(said) for sign, said in legend.items()
    }
    found: dict[Position, PrintedCell] = {}
    problems: list[Diagnostic] = []
    for row in range(1, rows + 1):
        # The first line is the northernmost, as on paper, wherever row 1 is.
        path: Path = (*where, row - 1 if board.get("rows_from") == "north" else rows - row)
        line = doc.raw(path)
        if len(line) != columns:
            message = f"this row has {_counted(len(line), 'sign')}, the map has {_counted(columns, 'column')}"
            problems.append(Diagnostic("terrain-size", message, doc.span(path)))
            continue
        for column, sign in enumerate(line, 1):
            if sign not in meanings:
                problems.append(_unknown_sign(doc, path, column, sign, legend))
            elif (meaning := meanings[sign]) is not None:
                found[column, row] = PrintedCell(meaning, doc.span_within(path, column - 1, 1))
    return found, problems


def _said_before(doc: YamlDocument, index: int, board: dict[str, Any]) -> list[Diagnostic]:
    """Attributes that an earlier layer has given already: one of the two would be lost."""
    legends = [board.get("legend", {}), *(layer["legend"] for layer in board["layers"])]
    earlier = {name for legend in legends[: index + 1] for name in _attributes(legend)}
    return [
        Diagnostic(
            "map-attribute",
            f'"{name}" is given by two layers',
            doc.span(("layers", index, "legend"), key=True),
        )
        for name in sorted(earlier & _attributes(legends[index + 1]))
    ]


def _attributes(legend: Mapping[str, Any]) -> set[str]:
    return {name for said in legend.values() if said != "none" for name in said}


def _unknown_sign(
    doc: YamlDocument, path: Path, column: int, sign: str, legend: Mapping[str, Any]
) -> Diagnostic:
    known = ", ".join(f'"{known}"' for known in legend)
    return Diagnostic(
        "terrain-sign",
        f'the sign "{sign}" is not in the legend',
        doc.span_within(path, column - 1, 1),
        help=f"the legend has {known}" if known else 'explain every sign under "legend:"',
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
