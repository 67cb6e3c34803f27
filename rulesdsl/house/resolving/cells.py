"""`set table combat[3:1, 5] = D2R`: which cells a house rule means, and the table with them changed.

A key may name a part of what a label stands for: turn 4 of the row `1-4`. The row is then split, so that
only turn 4 changes. Splitting and setting give the same table in whatever order they are done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.source import Span
from rulesdsl.book.tables.cells import CellProblem, CellValue, ResultShape, read_cell
from rulesdsl.book.tables.labels import Label, parse_label
from rulesdsl.book.tables.table import Cell, Key, Page, Row, Table
from rulesdsl.house.edits import Edit, Resolving, constant, shown
from rulesdsl.house.resolving.cell_text import cell_differences
from rulesdsl.house.resolving.labels import Meaning, Piece, common, split_labels
from rulesdsl.language.syntax import amendments as ax


@dataclass(frozen=True, slots=True)
class Region:
    """Cells of a table: one meaning per key, all of the result or one field of it."""

    table: str
    meanings: tuple[Meaning, ...]
    others: tuple[bool, ...]  # per key, whether this falls under a printed `any`
    field: str | None

    def overlaps(self, other: Region) -> bool:
        if self.table != other.table:
            return False
        if self.field is not None and other.field is not None and self.field != other.field:
            return False
        pairs = zip(self.meanings, other.meanings, self.others, other.others, strict=True)
        return all(common(a, b) or (None in (a, b) and mine and theirs) for a, b, mine, theirs in pairs)


def set_cell(it: Resolving, node: ax.SetCell) -> Edit | None:
    """The edit that a statement asks for, or None and a problem."""
    table = it.source.tables.get(node.table)
    if table is None:
        it.problem("unknown-name", f'there is no table "{node.table}"', node.span,
                   did_you_mean(node.table, it.source.tables))  # fmt: skip
        return None
    names = ", ".join(key.name for key in table.keys)
    if len(node.keys) != len(table.keys):
        it.problem("wrong-arguments", f'table "{table.id}" is read by {names}', node.span,
                   f"write `set table {table.id}[{names}] = …`")  # fmt: skip
        return None
    meanings = [_meaning(it, table, key, one) for key, one in zip(table.keys, node.keys, strict=True)]
    if any(isinstance(meaning, _Nothing) for meaning in meanings):
        return None
    found = tuple(m for m in meanings if not isinstance(m, _Nothing))
    others = tuple(_falls_under_any(table, k.axis, m) for k, m in zip(table.keys, found, strict=True))
    region = Region(table.id, found, others, node.field)
    value = _value(it, table, node)
    if isinstance(value, _Nothing):
        return None
    source = it.provenance
    after = changed(table, region, value, node.value.span, source)
    differences = cell_differences(table, after)
    if not differences:
        it.no_change("this cell", shown(constant(node.value)), node.span)
    part = "" if node.field is None else f".{node.field}"
    changes = tuple(
        replace(it.change("table", table.id, ", ".join(labels) + part, old, new, node.span), labels=labels)
        for labels, old, new in differences
    )
    keys = ", ".join(key.text for key in node.keys)
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=frozenset(),
        what=f"table {table.id}[{keys}]{part}",
        apply=lambda draft: draft.tables.update(
            {table.id: changed(draft.tables[table.id], region, value, node.value.span, source)}
        ),
        changes=changes,
        region=region,
    )


class _Nothing:
    """No value: the problem has been reported."""


def _meaning(it: Resolving, table: Table, key: Key, written: ax.CellKey) -> Meaning | _Nothing:
    label, problem = parse_label(key.kind, written.text, written.span)
    if problem is not None:
        it.problem("table-label", f'"{written.text}" is no {key.name}', written.span, problem.help)
        return _Nothing()
    for labels in table.label_sets(key.axis):
        if split_labels(labels, label.meaning) is not None:
            return label.meaning
    known = list(dict.fromkeys(label.text for labels in table.label_sets(key.axis) for label in labels))
    what = {"columns": "column", "rows": "row", "pages": "part"}[key.axis]
    message = f'table "{table.id}" has no {what} for {key.name} "{written.text}"'
    near = did_you_mean(written.text, known) if key.kind == "name" else ""
    hint = near or f"there are {', '.join(known)}"
    it.problem("unknown-cell", message, written.span, hint)
    return _Nothing()


def _falls_under_any(table: Table, axis: str, meaning: Meaning) -> bool:
    for labels in table.label_sets(axis):
        pieces = split_labels(labels, meaning) or []
        if any(meant and labels[number].meaning is None for _, number, meant in pieces):
            return True
    return False


def _value(it: Resolving, table: Table, node: ax.SetCell) -> CellValue | _Nothing:
    """The new result, or the new value of one field as a mapping."""
    shape, value = table.result, constant(node.value)
    if node.field is not None:
        found = next((one for one in shape.fields if one.name == node.field), None)
        if found is None:
            known = [one.name for one in shape.fields]
            it.problem("unknown-name", f'results of table "{table.id}" have no "{node.field}"', node.span,
                       did_you_mean(node.field, known))  # fmt: skip
            return _Nothing()
        shape = ResultShape(found.kind, found.of)
    try:
        return read_cell(shape, value)
    except CellProblem as problem:
        it.problem("table-cell", problem.message, node.value.span, problem.hint)
        return _Nothing()


# ---- the table with its cells changed ----------------------------------------------------------------
def changed(table: Table, region: Region, value: CellValue, span: Span, source: str) -> Table:
    """The table with every cell of the region set, its labels split where that is needed."""
    wanted = {key.axis: meaning for key, meaning in zip(table.keys, region.meanings, strict=True)}
    columns = _along(table.columns, wanted, "columns")
    sources: dict[str, str] = {}

    def row(label: Label | None, old: Row, hit: bool) -> Row:
        assert label is not None
        cells = [
            _with_field(old.cells[n], region.field, value, span) if hit and meant else old.cells[n]
            for _, n, meant in columns
        ]
        if hit:
            sources[label.text] = source
        elif old.label.text in table.sources:
            sources.setdefault(label.text, table.sources[old.label.text])
        return Row(label, tuple(cells))

    pages: list[Page] = []
    for label, number, hit in _along([page.label for page in table.pages], wanted, "pages"):
        old = table.pages[number]
        rows = _along([one.label for one in old.rows], wanted if hit else {}, "rows")
        pages.append(Page(label, tuple(row(text, old.rows[n], meant and hit) for text, n, meant in rows)))
    names = tuple(label for label, _, _ in columns if label is not None)
    return replace(table, columns=names, pages=tuple(pages), sources=sources)


def _along(labels: Sequence[Label | None], wanted: Mapping[str, Meaning], axis: str) -> list[Piece]:
    """The labels of an axis, split; a table without this axis has a single place there."""
    whole: list[Piece] = [(label, number, axis not in wanted) for number, label in enumerate(labels)]
    real = [label for label in labels if label is not None]
    if axis in wanted:
        return split_labels(real, wanted[axis]) or whole
    return whole or [(None, 0, True)]


def _with_field(old: Cell, field: str | None, value: CellValue, span: Span) -> Cell:
    if field is None or not isinstance(old.value, Mapping):
        return Cell(value, span)
    assert not isinstance(value, Mapping)
    return Cell({**old.value, field: value}, span)
