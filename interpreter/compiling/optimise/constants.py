"""Conditions that only ask what is printed: they are answered for every thing before the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.compiling.optimise.fold import COMPARE
from interpreter.compiling.unit import Unit
from rulesdsl import program as pg
from rulesdsl.book.tables.table import NoResult
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.walk import part_names, sub_expressions
from rulesdsl.program.world import Attribute

MOST_THINGS = 2_000  # to be asked one by one, while the rules are compiled
_NODES = (
    pg.Const, pg.VarGet, pg.AttrGet, pg.NotE, pg.LogicE, pg.CompareE, pg.IfE, pg.Member, pg.SetOp,
    pg.SingleSet, pg.ClassSet, pg.CountE, pg.BuiltinE, pg.CallE, pg.LookupE, pg.ResultField,
)  # fmt: skip
Variables = frozenset[pg.Var]


def printed_mask_of(unit: Unit, test: pg.E, members: Variables) -> int | None:
    """All members for which the condition holds; None when it asks about anything else."""
    universe = unit.program.world.universes.get(next(iter(members)).type.name)
    if universe is None or len(universe) > MOST_THINGS or not is_printed(unit, test, members):
        return None
    key = f"{universe.name} {written(test, dict.fromkeys(members, 'it'))}"
    if key not in unit.printed_masks:
        try:
            every = range(len(universe))
            mask = sum(1 << n for n in every if value_of(unit, test, dict.fromkeys(members, n)))
            unit.printed_masks[key] = mask
        except NoResult:  # a table without a place for somebody who is perhaps never asked about
            unit.printed_masks[key] = None
    return unit.printed_masks[key]


def printed_chain(e: pg.E) -> tuple[pg.E, tuple[object, ...]] | None:
    """`unit.army.colour` as one table: the variable it begins with, and the value for each of its things.

    The last element is the value for none. None when there are not at least two printed attributes.
    """
    attributes: list[Attribute] = []
    while isinstance(e, pg.AttrGet) and e.attribute.printed and not e.attribute.per_face:
        attributes.append(e.attribute)
        e = e.of
    if len(attributes) < 2 or not isinstance(e, pg.VarGet):
        return None
    first = attributes.pop()
    values: list[object] = [*first.values, first.default]
    while attributes:
        following = attributes.pop()
        known = (*following.values, following.default)
        values = [known[v] if isinstance(v, int) else following.default for v in values]
    return e, tuple(values)


def is_printed(unit: Unit, e: pg.E, variables: Variables) -> bool:
    """Whether a value is the same in every game, once these variables are known."""
    if not isinstance(e, _NODES):
        return False
    match e:
        case pg.VarGet(var=var):
            return var in variables
        case pg.AttrGet(attribute=attribute):
            if not attribute.printed or attribute.per_face:
                return False
        case pg.ClassSet(type=type_):
            return not type_.of_enum
        case pg.Member(value=value) | pg.SingleSet(value=value):
            if value.type.kind != "thing":
                return False
        case pg.BuiltinE(name=name):
            if name not in BUILTINS or not BUILTINS[name].of_map:
                return False
        case pg.CallE(define=name):
            define = unit.program.defines[name]
            body = unit.folder.body(name)
            if not unit.folder.may_be_opened(body) or not is_printed(unit, body, frozenset(define.params)):
                return False
        case _:
            pass
    return all(is_printed(unit, part, variables) for part in sub_expressions(e))


def written(e: pg.E, names: Mapping[pg.Var, str]) -> str:
    """An expression as text: the same for expressions that say the same of variables so named."""
    said = [type(e).__name__, str(e.type), e.type.of]
    for name in part_names(type(e)):
        part = getattr(e, name)
        for one in part if isinstance(part, tuple) else (part,):
            match one:
                case pg.E():
                    said.append(written(one, names))
                case pg.Var():
                    said.append(names.get(one, f"v{id(one)}"))
                case Attribute():
                    said.append(f"{one.universe}.{one.name}")
                case _:
                    said.append(repr(one))
    return f"({' '.join(said)})"


def value_of(unit: Unit, e: pg.E, values: Mapping[pg.Var, Any]) -> Any:
    """The value when these variables have these values; sets are masks."""

    def of(part: pg.E) -> Any:
        return value_of(unit, part, values)

    match e:
        case pg.Const(value=value):
            return value
        case pg.VarGet(var=var):
            return values[var]
        case pg.AttrGet(attribute=attribute, of=owner):
            number = of(owner)
            return attribute.default if number < 0 else attribute.values[number]
        case pg.NotE(value=inner):
            return not of(inner)
        case pg.LogicE(op=op, parts=parts):
            return all(map(of, parts)) if op == "and" else any(map(of, parts))
        case pg.CompareE(op=op, left=left, right=right):
            if left.type.kind == "flag":
                return COMPARE[op](not of(left), not of(right))
            return COMPARE[op](of(left), of(right))
        case pg.IfE(condition=test, then=then, otherwise=otherwise):
            return of(then) if of(test) else of(otherwise)
        case pg.Member(value=value, group=group):
            return of(value) >= 0 and of(group) >> of(value) & 1
        case pg.SetOp(op=op, left=left, right=right):
            a, b = of(left), of(right)
            return a | b if op == "|" else a & b if op == "&" else a & ~b
        case pg.SingleSet(value=value):
            return 1 << of(value) if of(value) >= 0 else 0
        case pg.ClassSet(type=type_):
            return unit.program.world.universes[type_.name].mask(type_.of)
        case pg.CountE(group=group):
            return of(group).bit_count()
        case pg.BuiltinE(name=name, arguments=arguments):
            return unit.runtime(name)(*map(of, arguments))
        case pg.CallE(define=name, arguments=arguments):
            params = unit.program.defines[name].params
            inner_values = dict(zip(params, map(of, arguments), strict=True))
            return value_of(unit, unit.folder.body(name), inner_values)
        case pg.LookupE(table=table, keys=keys):
            return unit.runtime(unit.naming.called("T", table))(*map(of, keys))
        case pg.ResultField(result=result, field=name):
            shape = unit.program.tables[result.type.name].result
            return of(result)[[f.name for f in shape.fields].index(name)]
        case _:
            raise AssertionError(f"no printed value of {type(e).__name__}")
