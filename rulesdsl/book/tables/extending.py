"""A table with more rows or columns than it was printed with.

`rows: {"7": [A1, R]}` has a result for each column; `columns: {"7:1": [R, D1]}` one for each row, from
the top. In a table with pages there is one such mapping or list under the name of each page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import at
from rulesdsl.book.tables.file import TableReading
from rulesdsl.book.tables.labels import Label, Range
from rulesdsl.book.tables.table import Page, Row, Table, table_problems
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path
from rulesdsl.book.yaml.schema import schema_problems

_SPLIT = "a printed row or column is changed cell by cell, with `set table`"
One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Extension:
    """The longer table, and what was added: (rows or columns, label, place)."""

    table: Table
    added: tuple[tuple[str, str, Span], ...]


def extended(table: Table, doc: YamlDocument, source: str) -> tuple[Extension | None, list[Diagnostic]]:
    """The table with what a block adds to it, or everything that is wrong with the block."""
    problems = schema_problems(doc, "table_part")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    reading = TableReading(doc, table.keys, table.result, problems)
    made, added = table, list[tuple[str, str, Span]]()
    if "columns" in value and not table.columns:
        message = f"the table {table.id} has no columns"
        return None, [
            Diagnostic("table-row", message, doc.span(("columns",), key=True), help="add `rows:` to it")
        ]
    for text, written in value.get("columns", {}).items():
        path: Path = ("columns", text)
        label = reading.label("columns", text, doc.span(path, key=True))
        made = _with_column(made, reading, path, label, written)
        added.append(("columns", text, label.span))
    reading.width = len(made.columns) if made.columns else None
    if "rows" in value:
        made, labels = _with_rows(made, reading, value["rows"])
        added += [("rows", label.text, label.span) for label in labels]
    problems += [problem for _, problem in reading.odd_rows]
    problems += [problem for found in reading.unknown_codes.values() for problem in found]
    if not problems:
        problems += [replace(problem, help=_SPLIT) for problem in table_problems(made)]
    sources = {**made.sources, **{label: source for axis, label, _ in added if axis == "rows"}}
    return (None if problems else Extension(replace(made, sources=sources), tuple(added))), problems


def _with_column(table: Table, reading: TableReading, path: Path, label: Label, written: Any) -> Table:
    place = _place(table.columns, label)
    pages: list[Page] = []
    for page in table.pages:
        here, results = path, written
        if page.label is not None:
            here = (*path, page.label.text)
            results = written.get(page.label.text) if isinstance(written, dict) else None
        if not isinstance(results, list) or len(results) != len(page.rows):
            of = f" of page {page.label.text}" if page.label else ""
            message = f'column "{label.text}" needs a list of {len(page.rows)} results, one for each row{of}'
            reading.problems.append(Diagnostic("table-row", message, reading.doc.span(here)))
            return table
        rows = [
            replace(row, cells=_inserted(row.cells, place, reading.cell((*here, number), result)))
            for number, (row, result) in enumerate(zip(page.rows, results, strict=True))
        ]
        pages.append(replace(page, rows=tuple(rows)))
    return replace(table, columns=_inserted(table.columns, place, label), pages=tuple(pages))


def _with_rows(table: Table, reading: TableReading, written: dict[str, Any]) -> tuple[Table, list[Label]]:
    by_page: dict[str | None, tuple[Row, ...]] = {}
    if table.pages[0].label is None:
        by_page[None] = reading.rows(("rows",), written)
    else:
        known = {page.label.text for page in table.pages if page.label}
        for name, rows in written.items():
            if name not in known or not isinstance(rows, dict):
                message = f"rows of {table.id} stand under the name of a page: {', '.join(sorted(known))}"
                span = reading.doc.span(("rows", name), key=True)
                reading.problems.append(Diagnostic("table-page", message, span))
            else:
                by_page[name] = reading.rows(("rows", name), rows)
    pages: list[Page] = []
    for page in table.pages:
        rows = page.rows
        for row in by_page.get(page.label.text if page.label else None, ()):
            place = _place([one.label for one in rows], row.label)
            rows = _inserted(rows, place, row)
        pages.append(replace(page, rows=rows))
    return replace(table, pages=tuple(pages)), [row.label for rows in by_page.values() for row in rows]


def _inserted(items: Sequence[One], place: int, item: One) -> tuple[One, ...]:
    return (*items[:place], item, *items[place:])


def _place(labels: Sequence[Label], label: Label) -> int:
    """Where a label belongs among others, which may rise or fall; a name comes last."""
    ranks = [_rank(one) for one in labels]
    rank = _rank(label)
    if rank is None or any(one is None for one in ranks) or not ranks:
        return len(labels)
    numbers = [one for one in ranks if one is not None]
    if numbers == sorted(numbers, reverse=True) and len(numbers) > 1:
        return sum(one > rank for one in numbers)
    return sum(one < rank for one in numbers)


def _rank(label: Label) -> Fraction | None:
    match label.meaning:
        case Fraction() as ratio:
            return ratio
        case Range(low=low, high=high):
            return Fraction(low if low is not None else (high or 0) - 1_000_000)
        case _:
            return None
