"""Counters and tables as forms: what is printed, what is changed, drawn; a change as a line of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.workshop.bench import Bench, Looked
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.book.tables.cells import CellValue
from rulesdsl.book.tables.table import Table
from rulesdsl.drawing.counters.counter import counter, described
from rulesdsl.drawing.style.style import shown_value
from rulesdsl.drawing.style.style_file import usable_style
from rulesdsl.drawing.svg import number, tag
from rulesdsl.drawing.views import PieceView
from rulesdsl.house.edits import shown
from rulesdsl.house.resolving.cell_text import cell_text

SIZE = 88.0
_PIECE = re.compile(r"^piece \w+", re.MULTILINE)
_BARE = re.compile(r"\d+(:\d+)?|[A-Za-z_]\w*")
_VALUE = re.compile(r'[^"\n`]{1,60}')
BEGINNING = "# My house rule\nsay here why.\n"


def listing(source: GameSource) -> dict[str, Any]:
    """What there are forms for."""
    tables = [{"id": table.id, "title": table.title or table.id} for table in source.tables.values()]
    counters = [{"id": piece.id, "title": piece.name} for piece in source.pieces.values()]
    return {"tables": tables, "counters": counters}


# ---- forms -------------------------------------------------------------------------------------------
def form(bench: Bench, looked: Looked, kind: str, name: str) -> dict[str, Any]:
    """A table or a counter as printed and as it is now."""
    now = looked.source if looked.sound and looked.source is not None else bench.source
    if kind == "table" and name in bench.source.tables:
        return _table(bench.source.tables[name], now.tables[name])
    if kind == "counter" and name in bench.source.pieces:
        return _counter(bench, now, name)
    raise UsageError(f'there is no {kind if kind in ("table", "counter") else "such thing"} "{name}"')


def _table(printed: Table, now: Table) -> dict[str, Any]:
    known = dict(_cells(printed))
    pages: list[dict[str, Any]] = []
    for page in now.pages:
        rows = []
        for row in page.rows:
            cells = []
            for place, cell in enumerate(row.cells):
                column = now.columns[place] if now.columns else None
                labels = tuple(one.text for one in (page.label, column, row.label) if one is not None)
                cells.append([
                    {"labels": (*labels, *field), "field": "".join(field)[1:], "value": text,
                     "printed": known.get((*labels, *field), text)}
                    for field, text in _fields(now, cell.value)
                ])  # fmt: skip
            rows.append({"label": row.label.text, "cells": cells})
        pages.append({"label": page.label.text if page.label is not None else "", "rows": rows})
    keys = [{"name": key.name, "axis": key.axis} for key in now.keys]
    columns = [column.text for column in now.columns]
    return {"kind": "table", "id": now.id, "title": now.title or now.id, "keys": keys, "columns": columns,
            "pages": pages}  # fmt: skip


def _fields(table: Table, value: CellValue) -> list[tuple[tuple[str, ...], str]]:
    """A result as it is set: whole, or field by field (`.cost`), with its text."""
    if not isinstance(value, Mapping) or table.result.kind == "codes":
        return [((), cell_text(table, value))]
    return [((f".{one.name}",), shown(value[one.name])) for one in table.result.fields]


def _cells(table: Table) -> list[tuple[tuple[str, ...], str]]:
    """Everything that can be set, by labels and field."""
    found = []
    for page in table.pages:
        for row in page.rows:
            for place, cell in enumerate(row.cells):
                column = table.columns[place] if table.columns else None
                labels = tuple(one.text for one in (page.label, column, row.label) if one is not None)
                found += [((*labels, *field), text) for field, text in _fields(table, cell.value)]
    return found


def _counter(bench: Bench, now: GameSource, name: str) -> dict[str, Any]:
    before, after = bench.source.pieces[name], now.pieces[name]
    known = bench.book.program.world.attributes
    printed = {attribute for (_, attribute), one in known.items() if one.printed}
    style = usable_style(now).counters
    faces = []
    for face in range(len(after.faces)):
        was = before.on_face(face) if face < len(before.faces) else {}
        values = [
            {"name": attribute, "face": face + 1, "shared": attribute in after.attributes,
             "value": shown_value(value), "printed": shown_value(was.get(attribute))}
            for attribute, value in after.on_face(face).items()
            if attribute in printed and not (face and attribute in after.attributes)
        ]  # fmt: skip
        view = PieceView(name, face)
        faces.append(
            {"values": values, "svg": _drawn(after, view, style), "words": described(after, view, style)}
        )
    return {"kind": "counter", "id": name, "title": after.name, "faces": faces}


def _drawn(piece: Piece, view: PieceView, style: Any) -> str:
    room = number(SIZE + 8)
    return tag(
        "svg", counter(piece, view, style, 4, 4, SIZE), xmlns="http://www.w3.org/2000/svg", width=room,
        height=room, viewBox=f"0 0 {room} {room}", role="img",
    )  # fmt: skip


# ---- a change as a line of the text ----------------------------------------------------------------------
def put(bench: Bench, text: str, kind: str, name: str, what: Sequence[str], value: str) -> str:
    """The text with one value set; as printed, the line goes away again.

    `what`: the labels of a cell; of a counter the attribute and the face (from 1)."""
    value = value.strip()
    if not _VALUE.fullmatch(value):
        raise UsageError("a value is one short line without quotes")
    if kind == "table" and name in bench.source.tables:
        table = bench.source.tables[name]
        cells = dict(_cells(table))
        if tuple(what) not in cells:
            raise UsageError(f'table "{name}" has no cell {", ".join(what)}')
        field = what[-1] if what[-1].startswith(".") else ""
        places = what[: len(what) - bool(field)]
        labels = ", ".join(one if _BARE.fullmatch(one) else f'"{one}"' for one in places)
        start, same = f"set table {name}[{labels}]{field} =", cells[tuple(what)] == value
        bare = _BARE.fullmatch(value) or re.fullmatch(r"-?\d+(/\d+)?", value)
        line = f"{start} {value}" if bare else f'{start} "{value}"'
        return _with_line(text, _paragraph_of_table(bench, name), start, "" if same else line)
    if kind == "counter" and name in bench.source.pieces and len(what) == 2 and what[1].isdecimal():
        attribute, face = what[0], int(what[1])
        piece = bench.source.pieces[name]
        if not 1 <= face <= len(piece.faces) or attribute not in piece.on_face(face - 1):
            raise UsageError(f"{piece.name} has no {attribute} on face {face}")
        if not re.fullmatch(r"[\w./:-]+", value):
            raise UsageError("a value of a counter is a number or a word")
        start = f"set {name}.{attribute}{f'[{face}]' if face > 1 else ''} ="
        same = shown_value(piece.on_face(face - 1)[attribute]) == value
        return _with_line(
            text, _paragraph_of_data(bench, "pieces.yaml"), start, "" if same else f"{start} {value}"
        )
    raise UsageError("there is no such table or counter")


def _paragraph_of_table(bench: Bench, name: str) -> str:
    """Where a reader would look: the paragraph whose rules ask for the table, or whose data it is."""
    asked = re.compile(rf"\btable {re.escape(name)}\[")
    for chapter in bench.book.source.chapters:
        for paragraph in chapter.paragraphs:
            if any(asked.search(fence.text) for fence in paragraph.fences):
                return paragraph.id
    return _paragraph_of_data(bench, f"tables/{name}.yaml")


def _paragraph_of_data(bench: Bench, file: str) -> str:
    """The paragraph whose data it is; of counters also the one that says what a piece is."""
    paragraphs = [p for chapter in bench.book.source.chapters for p in chapter.paragraphs]
    found = [p.id for p in paragraphs if p.data_file == file]
    if file == "pieces.yaml":
        found += [p.id for p in paragraphs if any(_PIECE.search(fence.text) for fence in p.fences)]
    return (found or [paragraphs[0].id])[0]


def _with_line(text: str, paragraph: str, start: str, line: str) -> str:
    """A `set` line in its place: where it stood, else in the first block of the section, else in its own."""
    lines = (text if text.strip() else BEGINNING).rstrip("\n").split("\n")
    stood = [place for place, old in enumerate(lines) if old.strip().startswith(start)]
    if stood:
        if line:
            lines[stood[0]] = line
        else:
            del lines[stood[0]]
            lines = _without_empty_block(lines, stood[0])
        return "\n".join(lines) + "\n"
    if not line:
        return "\n".join(lines) + "\n"
    head = f"## amends {paragraph}"
    section = next((place for place, old in enumerate(lines) if old.strip() == head), None)
    if section is None:
        return "\n".join([*lines, "", head, "```rules", line, "```"]) + "\n"
    end = next((p for p in range(section + 1, len(lines)) if lines[p].startswith("## ")), len(lines))
    opening = next((p for p in range(section + 1, end) if lines[p].strip() == "```rules"), None)
    if opening is None:
        lines[section + 1 : section + 1] = ["```rules", line, "```"]
    else:
        closing = next((p for p in range(opening + 1, end) if lines[p].strip() == "```"), end)
        lines.insert(closing, line)
    return "\n".join(lines) + "\n"


def _without_empty_block(lines: list[str], place: int) -> list[str]:
    """A block that has nothing in it any more goes away, and so does a section that only had it."""
    if not (
        0 < place < len(lines) and lines[place - 1].strip() == "```rules" and lines[place].strip() == "```"
    ):
        return lines
    del lines[place - 1 : place + 1]
    head = place - 2
    alone = place - 1 >= len(lines) or not lines[place - 1].strip() or lines[place - 1].startswith("## ")
    if head >= 0 and lines[head].startswith("## amends ") and alone:
        del lines[head]
        while lines and not lines[-1].strip():
            lines.pop()
    return lines
