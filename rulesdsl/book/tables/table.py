"""Tables: results looked up by one, two or three keys, printed as pages, columns and rows.

`Table.lookup` is the reference: what the compiler generates must give the same results. Its keys
come in the order pages, columns, rows (`table combat[odds, die]`), those that the table has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import chain

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import is_estimate
from rulesdsl.book.tables.cells import CellValue, ResultShape
from rulesdsl.book.tables.labels import End, KeyKind, KeyValue, Label, find_label, label_problems


@dataclass(frozen=True, slots=True)
class Key:
    """`{key: odds, kind: ratio, below: first, above: last}`; `of` names the enumeration of a name."""

    name: str
    kind: KeyKind
    axis: str  # pages, columns or rows
    of: str = ""
    below: End = "error"
    above: End = "error"
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One result and where it is printed."""

    value: CellValue
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Row:
    """`"1": [A3, A2, A2]`: one cell per column, a single one in a table without columns."""

    label: Label
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a table with three keys; other tables are one page without a label."""

    label: Label | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a lookup found, with the labels it was found under, in the order of the keys."""

    value: CellValue
    labels: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


class NoResult(LookupError):
    """The table has no place for one of the keys."""


@dataclass(frozen=True, slots=True)
class Table:
    id: str
    title: str
    keys: tuple[Key, ...]
    columns: tuple[Label, ...]  # empty in a table without columns
    pages: tuple[Page, ...]
    result: ResultShape
    source: str
    sources: Mapping[str, str] = field(repr=False)  # by label of a row
    span: Span = field(compare=False, repr=False)

    def lookup(self, *keys: KeyValue) -> Result:
        """The result under `keys`; `NoResult` when a key is outside of the table."""
        if len(keys) != len(self.keys):
            raise NoResult(f'table "{self.id}" has {len(self.keys)} keys, {len(keys)} were given')
        wanted = {key.axis: (key, value) for key, value in zip(self.keys, keys, strict=True)}
        found: list[str] = []

        def index(axis: str, labels: tuple[Label, ...]) -> int:
            if axis not in wanted:
                return 0
            key, value = wanted[axis]
            position = find_label(key.kind, labels, value, key.below, key.above)
            if position is None:
                raise NoResult(f'table "{self.id}" has no place for {key.name} {value}')
            found.append(labels[position].text)
            return position

        page = self.pages[index("pages", tuple(page.label for page in self.pages if page.label))]
        column = index("columns", self.columns)
        cell = page.rows[index("rows", tuple(row.label for row in page.rows))].cells[column]
        return Result(cell.value, tuple(found), cell.span)

    def missing(self, key_name: str, values: Iterable[KeyValue]) -> list[KeyValue]:
        """Those of `values` for which some page has no label under this key: for checks of totality."""
        key = next(key for key in self.keys if key.name == key_name)
        return [
            value
            for value in values
            if any(
                find_label(key.kind, s, value, key.below, key.above) is None
                for s in self.label_sets(key.axis)
            )
        ]

    def label_sets(self, axis: str) -> list[tuple[Label, ...]]:
        """The labels along an axis; rows have a set for each page."""
        match axis:
            case "pages":
                return [tuple(page.label for page in self.pages if page.label)]
            case "columns":
                return [self.columns]
            case _:
                return [tuple(row.label for row in page.rows) for page in self.pages]

    def cells(self) -> Iterable[Cell]:
        """Every cell, in the order of the file."""
        return chain.from_iterable(row.cells for page in self.pages for row in page.rows)

    def source_of(self, row: str = "") -> str:
        return self.sources.get(row, self.source)

    def is_estimated(self, row: str = "") -> bool:
        return is_estimate(self.source_of(row))


def table_problems(table: Table) -> list[Diagnostic]:
    """Labels that overlap, and numbers between labels for which there is no result."""
    problems: list[Diagnostic] = []
    for key in table.keys:
        for labels in table.label_sets(key.axis):
            problems += label_problems(key.kind, labels, key.axis.removesuffix("s"))
    return problems
