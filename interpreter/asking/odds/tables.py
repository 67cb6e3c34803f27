"""Chances of tables read with dice: the key as the rules compute it, for each die, column and modifier.

The key of a lookup is the author's own expression (`clamp(die + combat.die_modifier, 1, 6)`), compiled by the
same compiler; only the die and what is added to it become variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from interpreter.asking.odds.weigh import dice_chances
from interpreter.compiling.ruleset import Ruleset
from rulesdsl import program as pg
from rulesdsl.book.tables.cells import CellValue
from rulesdsl.book.tables.labels import Label, Range
from rulesdsl.book.tables.table import Key, NoResult, Table
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.checking.whole.totality import interval
from rulesdsl.handbook.analysis.tables import parts_of
from rulesdsl.handbook.facts import Distribution, TableOdds
from rulesdsl.handbook.pages.tables import shown_cell
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr
from rulesdsl.program.types import NUMBER, Type
from rulesdsl.program.walk import sub_expressions, uses_var

FARTHEST = 6  # modifiers beyond that are not shown
UNKNOWN = 3  # a modifier about which the rules' form tells nothing is shown from -3 to +3


def all_table_odds(ruleset: Ruleset) -> dict[str, TableOdds]:
    """Every table that some procedure reads with a die that it rolls itself."""
    found: dict[str, TableOdds] = {}
    for procedure in ruleset.program.procedures.values():
        for reading in _readings(procedure):
            if reading.table not in found:
                found[reading.table] = _odds(ruleset, procedure.paragraph, reading)
    return found


@lru_cache(maxsize=16)
def tables_read_with_dice(program: pg.Program) -> frozenset[str]:
    procedures = program.procedures.values()
    return frozenset(reading.table for procedure in procedures for reading in _readings(procedure))


@dataclass(slots=True)
class _Reading:
    """A lookup whose key `at` depends on a roll: `key` with `die` and `modifier` as variables."""

    table: str
    roll: pg.RollS
    at: int
    key: pg.E
    modifier: pg.Var
    changes: list[pg.E] = field(default_factory=list)  # what the modifier stands for


def _readings(procedure: pg.ProcedureRule) -> Iterator[_Reading]:
    steps = list(_steps(procedure.body))
    rolls = {step.var: step for step in steps if isinstance(step, pg.RollS)}
    lets: dict[pg.Var, list[pg.E]] = {}
    for step in steps:
        if isinstance(step, pg.LetS):
            lets.setdefault(step.var, []).append(step.value)
    for lookup in expressions_in(procedure):
        if not isinstance(lookup, pg.LookupE):
            continue
        keys = [_inlined(key, {v: e[0] for v, e in lets.items() if len(e) == 1}) for key in lookup.keys]
        for number, key in enumerate(keys):
            used = [var for var in rolls if uses_var(key, {var})]
            if len(used) == 1:
                reading = _Reading(lookup.table, rolls[used[0]], number, key, pg.Var("modifier", NUMBER))
                reading.key = _opened(key, used[0], reading)
                yield reading
                break


def _steps(value: object) -> Iterator[pg.S]:
    if isinstance(value, pg.S):
        yield value
        for spec in fields(value):
            if spec.name != "source":
                yield from _steps(getattr(value, spec.name))
    elif isinstance(value, pg.MenuEntry):
        yield from _steps(value.body)
    elif isinstance(value, tuple):
        for part in value:
            yield from _steps(part)


def _inlined(e: pg.E, lets: dict[pg.Var, pg.E]) -> pg.E:
    if isinstance(e, pg.VarGet) and e.var in lets:
        return _inlined(lets[e.var], lets)
    return _rebuilt(e, {id(part): _inlined(part, lets) for part in sub_expressions(e)})


def _opened(e: pg.E, die: pg.Var, reading: _Reading) -> pg.E:
    """Everything beside the die that is no constant becomes the modifier (the second such thing nothing)."""
    if isinstance(e, (pg.Const, pg.VarGet)) and (isinstance(e, pg.Const) or e.var is die):
        return e
    if not uses_var(e, {die}):
        reading.changes.append(e)
        if len(reading.changes) > 1:
            return pg.Const(0, type=NUMBER)
        return pg.VarGet(reading.modifier, type=NUMBER)
    return _rebuilt(e, {id(part): _opened(part, die, reading) for part in sub_expressions(e)})


def _rebuilt(e: pg.E, parts: dict[int, pg.E]) -> pg.E:
    changed: dict[str, Any] = {}
    for spec in fields(e):
        value = getattr(e, spec.name)
        if isinstance(value, pg.E) and id(value) in parts:
            changed[spec.name] = parts[id(value)]
        elif isinstance(value, tuple) and any(isinstance(v, pg.E) for v in value):
            changed[spec.name] = tuple(parts.get(id(v), v) for v in value)
    return replace(e, **changed) if changed else e


# ---- counting ----------------------------------------------------------------------------------------
def _odds(ruleset: Ruleset, paragraph: str, reading: _Reading) -> TableOdds:
    table = ruleset.program.tables[reading.table]
    die = reading.roll.var
    others = [n for n in range(len(table.keys)) if n != reading.at]
    asked = [pg.Var(table.keys[n].name, NUMBER) for n in others]
    keys = [
        pg.VarGet(asked[others.index(n)], type=NUMBER) if n in others else reading.key
        for n in range(len(table.keys))
    ]
    lookup = pg.LookupE(table.id, tuple(keys), type=Type("result", table.id))
    function = ruleset.full.expression(lookup, (die, reading.modifier, *asked))
    state = ruleset.start_state(None, empty=True)
    columns = list(product(*(_labels(ruleset, table, table.keys[n]) for n in others)))
    usual = _range(ruleset.program, reading.changes)
    shown = tuple(range(max(-FARTHEST, usual[0]), min(FARTHEST, usual[1]) + 1))
    throws = dice_chances(reading.roll.count, reading.roll.faces)
    chances: dict[tuple[tuple[str, ...], int], Distribution] = {}
    for column, modifier in product(columns, shown):
        found: list[tuple[Any, Fraction]] = []
        for thrown, share in throws:
            try:
                found.append((function(state, thrown, modifier, *(value for _, value in column)), share))
            except NoResult:
                found.append((None, share))
        named = tuple(text for text, _ in column)
        chances[named, modifier] = _distribution(ruleset.program, table, found)
    return TableOdds(
        table=table.id,
        paragraph=paragraph,
        dice=f"{reading.roll.count}d{reading.roll.faces}",
        modifier=" + ".join(map(_said, reading.changes)),
        modifiers=shown,
        usual=usual,
        columns=tuple(tuple(text for text, _ in column) for column in columns),
        chances=chances,
    )


def _distribution(program: pg.Program, table: Table, found: list[tuple[Any, Fraction]]) -> Distribution:
    chances: dict[str, Fraction] = {}
    expected: dict[str, Fraction] = {}
    for value, share in found:
        text = "no result" if value is None else result_text(program, table, value)
        chances[text] = chances.get(text, Fraction(0)) + share
        for name, part in parts_of(table, _cell(program, table, value)).items() if value is not None else ():
            expected[name] = expected.get(name, Fraction(0)) + part * share
    return Distribution(tuple(chances.items()), tuple(expected.items()))


def result_text(program: pg.Program, table: Table, value: Any) -> str:
    """A result as the compiled rules hold it, as it is printed."""
    return shown_cell(table, _cell(program, table, value))


def _cell(program: pg.Program, table: Table, value: Any) -> CellValue:
    shape = table.result
    if isinstance(value, tuple):
        pairs = zip(shape.fields, value, strict=True)
        return {f.name: _part(program, f.kind, f.of, part) for f, part in pairs}
    cell: CellValue = _part(program, shape.kind, shape.of, value)
    return cell


def _part(program: pg.Program, kind: str, of: str, value: Any) -> Any:
    """Flags are held as numbers, names as their places in the enumeration."""
    if kind == "name":
        names = program.world.values_of(of)
        return names[value] if names is not None and value is not None and value >= 0 else None
    return bool(value) if kind == "flag" else value


def _labels(ruleset: Ruleset, table: Table, key: Key) -> Iterator[tuple[str, Any]]:
    """Each label of a key with a value that falls under it."""
    labels: tuple[Label, ...] = table.label_sets(key.axis)[0]
    world = ruleset.program.world
    for label in labels:
        match label.meaning:
            case Range(low, high):
                yield label.text, low if low is not None else high
            case bool(flag):
                yield label.text, int(flag)
            case Fraction() as ratio:
                yield label.text, ratio
            case str(name) if key.of in world.enums:
                yield label.text, world.enums[key.of].values.index(name)
            case _:
                pass


def _range(program: pg.Program, changes: list[pg.E]) -> tuple[int, int]:
    """The least and the greatest modifier, as far as the form of the rules tells."""
    if not changes:
        return 0, 0
    first = changes[0]
    if not isinstance(first, pg.QuantityE):
        low, high = interval(program, first)
        return int(low) if low is not None else -UNKNOWN, int(high) if high is not None else UNKNOWN
    quantity = program.quantities[first.quantity]
    low, high = interval(program, quantity.base)
    least, most = low or Fraction(0), high or Fraction(0)
    for change in quantity.changes:
        below, above = interval(program, change.value)
        if change.op in ("+", "-"):
            ends = [
                Fraction(-UNKNOWN) if below is None else below,
                Fraction(UNKNOWN) if above is None else above,
            ]
            ends = [-end for end in ends] if change.op == "-" else ends
            least += min(*ends, *((Fraction(0),) if change.condition is not None else ()))
            most += max(*ends, *((Fraction(0),) if change.condition is not None else ()))
    floor = interval(program, quantity.floor)[0] if quantity.floor is not None else None
    ceiling = interval(program, quantity.ceiling)[1] if quantity.ceiling is not None else None
    return int(max(least, floor) if floor is not None else least), int(
        min(most, ceiling) if ceiling is not None else most
    )


def _said(e: pg.E) -> str:
    return print_expr(e.source).replace("_", " ") if isinstance(e.source, sx.Expr) else "a modifier"
