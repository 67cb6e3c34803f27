"""Tables compared cell by cell, and their results as they would be printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesdsl.book.tables.cells import CellValue
from rulesdsl.book.tables.labels import Label, Range
from rulesdsl.book.tables.table import Table
from rulesdsl.house.edits import shown
from rulesdsl.house.resolving.labels import inside


def cell_differences(old: Table, new: Table) -> list[tuple[tuple[str, ...], str, str]]:
    """Each cell of `new` whose result was another in `old`: its labels, the result before, and after."""
    found: list[tuple[tuple[str, ...], str, str]] = []
    for page in new.pages:
        old_page = old.pages[_under([p.label for p in old.pages], page.label) or 0]
        for row in page.rows:
            old_row = _under([r.label for r in old_page.rows], row.label)
            for number, cell in enumerate(row.cells):
                column = new.columns[number] if new.columns else None
                old_column = _under(list(old.columns), column)
                labels = [label.text for label in (page.label, column, row.label) if label is not None]
                if old_row is None or old_column is None:  # a new row or column
                    found.append((tuple(labels), shown(None), cell_text(new, cell.value)))
                    continue
                before = old_page.rows[old_row].cells[old_column].value
                if before != cell.value:
                    found.append((tuple(labels), cell_text(old, before), cell_text(new, cell.value)))
    return found


def _under(labels: Sequence[Label | None], label: Label | None) -> int | None:
    """Which of the old labels a new one is, or is a part of; None where it is new."""
    if label is None:
        return 0
    for number, old in enumerate(labels):
        if old is not None and old.text == label.text:
            return number
    for number, old in enumerate(labels):
        whole, part = (old.meaning if old else None), label.meaning
        if isinstance(whole, Range) and isinstance(part, Range) and inside(part, whole):
            return number
    return next((n for n, old in enumerate(labels) if old is not None and old.meaning is None), None)


def cell_text(table: Table, value: CellValue) -> str:
    """A result as it would be printed: codes as codes, fields as fields."""
    if not isinstance(value, Mapping):
        return shown(value)
    parts: list[str] = []
    for one in table.result.fields:
        part = value[one.name]
        if one.code:
            number = "" if part is True or not part else str(part)
            parts += [f"{one.code}{number}"] if part else []
        else:
            parts.append(f"{one.name}: {shown(part)}")
    if table.result.kind == "codes":
        return "".join(parts) or "–"
    return ", ".join(parts)
