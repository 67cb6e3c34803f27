"""What a designer wants to know about a table: gaps, overlaps, columns that are never better, what turns.

A table does not say whose gain a number is. It shows it: along a key with an order (odds, die) each part of
the result mostly rises or mostly falls. A step on which parts only move the other way is a result that gets
worse while the odds improve. Results that are names have no size, but every step from one to another says
which is the better one: steps that contradict each other are results that turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rulesdsl.book.tables.cells import CellValue
from rulesdsl.book.tables.labels import Range
from rulesdsl.book.tables.table import Page, Table, table_problems

Parts = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` is gap, overlap, never-better, worse or average; `text` says it, `severe` what needs a look."""

    kind: str
    text: str
    severe: bool = True


@dataclass(frozen=True, slots=True)
class Trend:
    """How a part of the result moves along a key: +1 rises, -1 falls, 0 neither."""

    key: str
    part: str
    direction: int


def parts_of(table: Table, value: CellValue) -> Parts:
    """The parts of a result that can be compared; none for texts and names."""
    if isinstance(value, dict):
        named = {f.name: value.get(f.name) for f in table.result.fields if f.kind in ("number", "flag")}
        return {name: Fraction(part) for name, part in named.items() if isinstance(part, (int, Fraction))}
    if isinstance(value, (bool, int, Fraction)) and table.result.kind in ("number", "flag"):
        return {"result": Fraction(value)}
    return {}


def analyse(table: Table) -> tuple[list[Trend], list[Finding]]:
    """Trends and findings, those about the form first."""
    findings = [
        Finding("overlap" if p.code == "table-overlap" else "gap", p.message) for p in table_problems(table)
    ]
    trends: list[Trend] = []
    for axis in ("columns", "rows"):
        key = next((k for k in table.keys if k.axis == axis and k.kind in ("number", "ratio")), None)
        if key is None:
            continue
        for page in table.pages:
            lines = list(_lines(table, page, axis))
            found = _trends(key.name, lines)
            trends += [trend for trend in found if trend not in trends]
            if found:
                findings += _turns(page, key.name, lines, {t.part: t.direction for t in found})
            else:
                findings += _turning_names(page, key.name, lines)
    return trends, findings


def order_of_names(table: Table) -> tuple[str, ...]:
    """Named results in an order that no step of the columns contradicts; nothing when there is none."""
    if any(parts_of(table, cell.value) for page in table.pages for row in page.rows for cell in row.cells):
        return ()
    if not any(k.axis == "columns" and k.kind in ("number", "ratio") for k in table.keys):
        return ()
    better: dict[str, set[str]] = {}
    for page in table.pages:
        for before, after in pairwise(_lines(table, page, "columns")):
            for old, new in zip(before.values, after.values, strict=True):
                better.setdefault(str(new), set())
                better.setdefault(str(old), set()).update({str(new)} - {str(old)})
    order: list[str] = []
    while better:
        worst = next((n for n in better if not any(n in others for others in better.values())), None)
        if worst is None:
            return ()
        order.append(worst)
        del better[worst]
    return tuple(order)


def _turning_names(page: Page, key: str, lines: Sequence[_Line]) -> Iterator[Finding]:
    """Columns that are alike, and steps between two names that elsewhere go the other way round."""
    where = f" (part {page.label.text})" if page.label else ""
    first: dict[tuple[str, str], str] = {}
    for before, after in pairwise(lines):
        if len(before.cells) > 1 and before.values == after.values:
            yield Finding("never-better", f"{key} {after.label} is the same as {before.label}{where}")
        for (across, _), old, new in zip(before.cells, before.values, after.values, strict=True):
            step = f"from {key} {before.label} to {after.label}{f' at {across}' if across else ''}"
            back = first.get((str(new), str(old)))
            if old != new and back is not None:
                yield Finding("worse", f"{step}{where} {old} becomes {new}, but {new} becomes {old} {back}")
            first.setdefault((str(old), str(new)), step)


@dataclass(frozen=True, slots=True)
class _Line:
    """One column or one row: its label, (label across, parts) of its cells, and what stands in them."""

    label: str
    cells: tuple[tuple[str, Parts], ...]
    values: tuple[CellValue, ...]

    def average(self, part: str) -> Fraction:
        values = [parts[part] for _, parts in self.cells if part in parts]
        return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def _lines(table: Table, page: Page, axis: str) -> Iterator[_Line]:
    """The columns of a page from the worst odds to the best, or its rows from the lowest die."""
    columns = table.columns or (None,)
    if axis == "rows":
        rows = sorted(page.rows, key=lambda row: _order(row.label.meaning))
        for row in rows:
            across = [
                (c.text if c else "", parts_of(table, cell.value))
                for c, cell in zip(columns, row.cells, strict=True)
            ]
            yield _Line(row.label.text, tuple(across), tuple(cell.value for cell in row.cells))
        return
    numbers = sorted(range(len(table.columns)), key=lambda n: _order(table.columns[n].meaning))
    for number in numbers:
        down = [(row.label.text, parts_of(table, row.cells[number].value)) for row in page.rows]
        yield _Line(table.columns[number].text, tuple(down), tuple(r.cells[number].value for r in page.rows))


def _order(meaning: object) -> Fraction:
    if isinstance(meaning, Range):
        return Fraction(meaning.low if meaning.low is not None else -(10**9))
    return Fraction(meaning) if isinstance(meaning, (int, Fraction)) else Fraction(10**9)


def _trends(key: str, lines: Sequence[_Line]) -> list[Trend]:
    if len(lines) < 2:
        return []
    names = dict.fromkeys(name for line in lines for _, parts in line.cells for name in parts)
    found = []
    for name in names:
        steps = [after.average(name) - before.average(name) for before, after in pairwise(lines)]
        up, down = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
        # Only what clearly goes one way has a trend: the numbers of a table may be names in disguise.
        direction = 1 if up > 2 * down else -1 if down > 2 * up else 0
        found.append(Trend(key, name, direction))
    return found


def _turns(page: Page, key: str, lines: Sequence[_Line], directions: dict[str, int]) -> Iterator[Finding]:
    where = f" (part {page.label.text})" if page.label else ""
    for before, after in pairwise(lines):
        better = worse = 0
        for (across, old), (_, new) in zip(before.cells, after.cells, strict=True):
            moves = {n: (new[n] > old[n]) - (new[n] < old[n]) for n in new if n in old}
            good = sum(move * directions.get(n, 0) > 0 for n, move in moves.items())
            bad = [n for n, move in moves.items() if move * directions.get(n, 0) < 0]
            better += bool(good)
            worse += bool(bad)
            if bad and not good:
                at = f" at {across}" if across else ""
                names = ", ".join(n.replace("_", " ") for n in bad)
                step = f"from {key} {before.label} to {after.label}{at}{where}"
                yield Finding("worse", f"{step} the result turns against the trend: {names}")
        if len(before.cells) > 1 and not better:
            same = "the same as" if not worse else "never better than"
            yield Finding("never-better", f"{key} {after.label} is {same} {before.label}{where}")
        for name, direction in directions.items():
            was, now = before.average(name), after.average(name)
            if len(before.cells) > 1 and (now - was) * direction < 0:
                text = f"from {key} {before.label} to {after.label}{where}, {name.replace('_', ' ')} goes "
                text += f"on average from {was} to {now}, against the trend"
                yield Finding("average", text, severe=False)
