"""Tables are total: for every roll and column that can come up there is a result.

The possible values of a key follow from dice, limited tracks and arithmetic on them; a key about which
nothing is known must meet a table that is open at both ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import Span
from rulesdsl.book.tables.labels import Label, Range, row_like
from rulesdsl.book.tables.table import Key, Table
from rulesdsl.checking.context import FEW_NAMES, Context
from rulesdsl.program.types import Type

Interval = tuple[Fraction | None, Fraction | None]
ANYTHING: Interval = (None, None)
WIDEST = 2000


def check_labels(ctx: Context, table: Table, key: Key, values: tuple[str, ...]) -> None:
    """The labels of a named key are values of its enumeration, and all of them are there."""
    for labels in table.label_sets(key.axis):
        named = [label for label in labels if label.meaning is not None]
        for label in named:
            if label.meaning not in values:
                ctx.problem(
                    "bad-label",
                    f'"{label.text}" is no {key.of}',
                    label.span,
                    did_you_mean(label.text, values),
                    about=(label.text, key.of),
                )
        missing = [v for v in values if v not in {label.meaning for label in named}]
        if missing and len(named) == len(labels):
            span = labels[0].span if labels else table.span
            ctx.problem(
                "table-gap",
                f'table "{table.id}" has no place for {key.name} {", ".join(missing)}',
                span,
                Advice('add it, or a label "any"', _more_rows(labels, missing, key)),
                about=(table.id, key.name, *missing),
            )


def _more_rows(labels: Sequence[Label], missing: list[str], key: Key) -> fixes.Making:
    """The last row once more for each name that has none, to be filled in."""
    if key.axis != "rows" or not labels:
        return lambda _: None
    return row_like(labels[-1], missing)


def check_cells(ctx: Context, table: Table) -> None:
    """Names in cells, and in the fields of cells, are values of their enumeration."""
    shape = table.result
    named = [(one.name, one.of) for one in shape.fields if one.kind == "name"]
    enums = ctx.world.enums
    for cell in table.cells():
        value = cell.value
        if value is None:  # the cell could not be read, and its author knows
            continue
        parts: list[tuple[object, str]] = [(value, shape.of)] if shape.kind == "name" else []
        if isinstance(value, Mapping):
            parts = [(value.get(name), of) for name, of in named]
        for part, of in parts:
            if of in enums and part not in enums[of].values:
                known = enums[of].values
                hint = did_you_mean(str(part), known) or f"there are {', '.join(known[:FEW_NAMES])}"
                ctx.problem("table-cell", f'"{part}" is no {of}', cell.span, hint, about=(str(part), of))


def check_lookup(ctx: Context, program: pg.Program, lookup: pg.LookupE) -> None:
    table = program.tables[lookup.table]
    span = lookup.source.span if lookup.source is not None else table.span
    for key, asked in zip(table.keys, lookup.keys, strict=True):
        if key.kind == "number":
            _check_number(ctx, program, table, key, asked, span)
        elif key.kind == "ratio" and "error" in (key.below, key.above):
            end = "below" if key.below == "error" else "above"
            ctx.problem(
                "table-gap",
                f'table "{table.id}" has no result for odds {end} its columns',
                span,
                f"write `{end}: {'first' if end == 'below' else 'last'}` in the table",
                warning=True,
                about=(table.id,),
            )


def _check_number(ctx: Context, program: pg.Program, table: Table, key: Key, asked: pg.E, span: Span) -> None:
    low, high = interval(program, asked)
    if low is not None and high is not None:
        if high - low > WIDEST:
            return
        missing = table.missing(key.name, range(int(low), int(high) + 1))
        if missing:
            shown = ", ".join(str(v) for v in missing[:5])
            ctx.problem(
                "table-gap",
                f'table "{table.id}" has no place for {key.name} {shown}',
                span,
                f"here it may be {low} to {high}",
                about=(table.id, key.name, shown),
            )
        return
    for labels in table.label_sets(key.axis):
        ranges = [label.meaning for label in labels if isinstance(label.meaning, Range)]
        if any(label.meaning is None for label in labels):
            continue
        closed_below = low is None and not any(r.low is None for r in ranges)
        closed_above = high is None and not any(r.high is None for r in ranges)
        if closed_below or closed_above:
            end = "below" if closed_below else "above"
            ctx.problem(
                "table-gap",
                f'table "{table.id}" may be asked for a {key.name} {end} its rows',
                span,
                'limit the value with `clamp`, or give the table an open end such as "10+"',
                warning=True,
                about=(table.id, key.name),
            )
            return


def interval(program: pg.Program, e: pg.E) -> Interval:
    """The least and greatest value an expression may have, as far as its form tells."""
    match e:
        case pg.Const(value=value) if not isinstance(value, str):
            return Fraction(value), Fraction(value)
        case pg.VarGet() | pg.TrackGet() | pg.AttrGet() | pg.FieldGet():
            return _of_type(e.type)
        case pg.SettingGet():
            return ANYTHING
        case pg.CountE():
            return Fraction(0), None
        case pg.Arith(op=op, left=left, right=right):
            return _arithmetic(op, interval(program, left), interval(program, right))
        case pg.BuiltinE(name="clamp", arguments=(value, least, most)):
            inside, lower, upper = (interval(program, x) for x in (value, least, most))
            return _largest(inside[0], lower[0]), _smallest(inside[1], upper[1])
        case pg.BuiltinE(name="min", arguments=(a, b)):
            one, other = interval(program, a), interval(program, b)
            return _hull(one, other)[0], _smallest(one[1], other[1])
        case pg.BuiltinE(name="max", arguments=(a, b)):
            one, other = interval(program, a), interval(program, b)
            return _largest(one[0], other[0]), _hull(one, other)[1]
        case pg.IfE(then=then, otherwise=otherwise):
            return _hull(interval(program, then), interval(program, otherwise))
        case _:
            return ANYTHING


def _of_type(type_: Type) -> Interval:
    low = Fraction(type_.low) if type_.low is not None else None
    return low, Fraction(type_.high) if type_.high is not None else None


def _arithmetic(op: str, one: Interval, other: Interval) -> Interval:
    (a, b), (c, d) = one, other
    if op == "+":
        return (None if a is None or c is None else a + c), (None if b is None or d is None else b + d)
    if op == "-":
        return (None if a is None or d is None else a - d), (None if b is None or c is None else b - c)
    return ANYTHING


def _hull(one: Interval, other: Interval) -> Interval:
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def _largest(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return b if a is None else a if b is None else max(a, b)


def _smallest(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return b if a is None else a if b is None else min(a, b)
