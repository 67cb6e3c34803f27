"""Tables read from their files, with everything that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import at, file_source
from rulesdsl.book.tables.cells import CellProblem, ResultField, ResultShape, read_cell
from rulesdsl.book.tables.labels import End, KeyKind, Label, parse_label
from rulesdsl.book.tables.table import Cell, Key, Page, Row, Table, table_problems
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path
from rulesdsl.book.yaml.schema import schema_problems

_WORD = re.compile("[a-z][a-z0-9_]*")


def build_table(doc: YamlDocument) -> tuple[Table | None, list[Diagnostic]]:
    """The table of a file, and everything that is wrong with it; none when its form is wrong.

    A table with problems is still returned, so that the rules which look something up in it are not
    told that it does not exist.
    """
    problems = schema_problems(doc, "table")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    keys = tuple(_key(doc, axis) for axis in _AXES if axis in value)
    reading = TableReading(doc, keys, _shape(doc, value["result"], problems), problems)
    columns = reading.columns(value)
    pages = reading.pages(value["cells"])
    problems += reading.row_problems(pages) + reading.code_problems(pages) + _key_problems(keys)
    table = Table(
        id=value["table"],
        title=value.get("title", value["table"]),
        keys=keys,
        columns=columns,
        pages=pages,
        result=reading.shape,
        source=file_source(doc),
        sources=dict(value.get("sources", {})),
        span=doc.span(("table",)),
    )
    return table, problems + _source_problems(doc, table) + table_problems(table)


_AXES = ("pages", "columns", "rows")


@dataclass(slots=True)
class TableReading:
    """What is known while the cells are read, outermost first."""

    doc: YamlDocument
    keys: tuple[Key, ...]
    shape: ResultShape
    problems: list[Diagnostic]
    width: int | None = None  # the number of columns
    # Problems that may all come from one mistake elsewhere, kept until everything was read.
    odd_rows: list[tuple[int, Diagnostic]] = field(default_factory=list)
    unknown_codes: dict[str, list[Diagnostic]] = field(default_factory=dict)

    def kind(self, axis: str) -> KeyKind:
        return next(key.kind for key in self.keys if key.axis == axis)

    def label(self, axis: str, text: str, span: Span) -> Label:
        label, problem = parse_label(self.kind(axis), text, span)
        if problem:
            self.problems.append(problem)
        return label

    def columns(self, value: dict[str, Any]) -> tuple[Label, ...]:
        if "columns" not in value:
            return ()
        self.width = len(value["columns"]["values"])
        paths: list[Path] = [("columns", "values", index) for index in range(self.width)]
        return tuple(self.label("columns", self.doc.raw(path), self.doc.span(path)) for path in paths)

    def pages(self, cells: dict[str, Any]) -> tuple[Page, ...]:
        if all(key.axis != "pages" for key in self.keys):
            return (Page(None, self.rows(("cells",), cells)),)
        pages: list[Page] = []
        for text, rows in cells.items():
            path: Path = ("cells", text)
            label = self.label("pages", text, self.doc.span(path, key=True))
            if not isinstance(rows, dict) or not rows:
                message = f'page "{text}" must be a mapping from row labels to results'
                self.problems.append(Diagnostic("table-page", message, self.doc.span(path)))
                rows = {}
            pages.append(Page(label, self.rows(path, rows)))
        return tuple(pages)

    def rows(self, path: Path, rows: dict[str, Any]) -> tuple[Row, ...]:
        return tuple(
            Row(
                self.label("rows", text, self.doc.span((*path, text), key=True)),
                self.cells((*path, text), text, written),
            )
            for text, written in rows.items()
        )

    def cells(self, path: Path, row: str, written: Any) -> tuple[Cell, ...]:
        if self.width is None:
            return (self.cell(path, written),)
        place = self.doc.span(path)
        if not isinstance(written, list):
            message = f'row "{row}" must be a list of {_counted(self.width, "result")}, one for each column'
            self.problems.append(Diagnostic("table-row", message, place))
            return (Cell(None, place),) * self.width
        if len(written) != self.width:
            has, columns = _counted(len(written), "result"), _counted(self.width, "column")
            message = f'row "{row}" has {has}, the table has {columns}'
            self.odd_rows.append((len(written), Diagnostic("table-row", message, place)))
            return (Cell(None, place),) * self.width
        return tuple(self.cell((*path, index), value) for index, value in enumerate(written))

    def cell(self, path: Path, value: Any) -> Cell:
        place = self.doc.span(path)
        try:
            return Cell(read_cell(self.shape, value), place)
        except CellProblem as problem:
            if problem.length:
                place = self.doc.span_within(path, problem.start, problem.length)
            found = Diagnostic("table-cell", problem.message, place, help=problem.hint)
            if problem.unknown:
                self.unknown_codes.setdefault(problem.unknown, []).append(found)
            else:
                self.problems.append(found)
            return Cell(None, place)

    def row_problems(self, pages: tuple[Page, ...]) -> list[Diagnostic]:
        """When all rows agree with each other, the columns are wrong and not the rows."""
        rows = sum(len(page.rows) for page in pages)
        lengths = {length for length, _ in self.odd_rows}
        if len(lengths) != 1 or len(self.odd_rows) != rows or rows < 2:
            return [problem for _, problem in self.odd_rows]
        columns, results = _counted(self.width or 0, "column"), _counted(lengths.pop(), "result")
        message = f"the table has {columns}, every row has {results}"
        return [Diagnostic("table-row", message, self.doc.span(("columns", "values")))]

    def code_problems(self, pages: tuple[Page, ...]) -> list[Diagnostic]:
        """A code that several cells have and the table has not, beside one that no cell has: a misprint."""
        values = [cell.value for page in pages for row in page.rows for cell in row.cells]
        unused = [
            one.code
            for one in self.shape.fields
            if one.code and not any(isinstance(value, Mapping) and value[one.name] for value in values)
        ]
        problems: list[Diagnostic] = []
        for unknown, found in self.unknown_codes.items():
            if len(found) > 1 and unused:
                message = f'no cell has the code "{unused[0]}", but {len(found)} have "{unknown}"'
                place = self.doc.span(("result", "codes", unused.pop(0)), key=True)
                problems.append(Diagnostic("table-code", message, place))
            else:
                problems += found
        return problems


def _key(doc: YamlDocument, axis: str) -> Key:
    written: dict[str, Any] = at(doc, (axis,))
    kind: KeyKind = written.get("kind", "number")
    # A ratio above the last column is ordinary (9:1 on a table up to 4:1); one below the first is not.
    above: End = "last" if kind == "ratio" else "error"
    return Key(
        name=written["key"],
        kind=kind,
        axis=axis,
        of=written.get("of", ""),
        below=written.get("below", "error"),
        above=written.get("above", above),
        span=doc.span((axis, "key")),
    )


def _shape(doc: YamlDocument, written: dict[str, Any], problems: list[Diagnostic]) -> ResultShape:
    fields: list[ResultField] = []
    for code, said in written.get("codes", {}).items():
        said = {"kind": said} if isinstance(said, str) else said
        name = said.get("name") or code.lower()
        place = doc.span(("result", "codes", code), key=True)
        if not code.strip() or code[-1].isdigit():
            message = f'"{code}" cannot be a code: it would run into the number after it'
            problems.append(Diagnostic("table-code", message, place))
        elif not _WORD.fullmatch(name):
            hint = f'write "{code}": {{kind: {said["kind"]}, name: some_name}}'
            problems.append(Diagnostic("table-code", f'the code "{code}" needs a name', place, help=hint))
        elif any(other.name == name for other in fields):
            problems.append(Diagnostic("table-code", f'two codes are called "{name}"', place))
        fields.append(ResultField(name, said["kind"], code))
    for name, said in written.get("fields", {}).items():
        said = {"kind": said} if isinstance(said, str) else said
        fields.append(ResultField(name, said["kind"], of=said.get("of", "")))
    return ResultShape(written["kind"], written.get("of", ""), tuple(fields))


def _key_problems(keys: tuple[Key, ...]) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for index, key in enumerate(keys):
        assert key.span is not None
        if any(other.name == key.name for other in keys[:index]):
            problems.append(Diagnostic("table-key", f'two keys are called "{key.name}"', key.span))
    return problems


def _source_problems(doc: YamlDocument, table: Table) -> list[Diagnostic]:
    rows = {label.text for labels in table.label_sets("rows") for label in labels}
    return [
        Diagnostic(
            "source-unused",
            f'there is no row "{row}" to have a source',
            doc.span(("sources", row), key=True),
            help=did_you_mean(row, rows),
        )
        for row in table.sources
        if row not in rows
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
