"""Quantities as expressions, for those simple enough to stand where they are asked for."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.checking.bodies.meanings import STAGE_OF, STAGES
from rulesdsl.program.logic import negated, node_count
from rulesdsl.program.types import FLAG, NUMBER

MOST_CHANGES = 24  # one inside the other
MOST_REPEATED = 4  # nodes of a value that is written down twice
_NEUTRAL = {"+": 0, "-": 0, "x": 1}
_ROUNDING = {"down": "floor", "up": "ceiling"}


def amount(quantity: pg.QuantityRule) -> pg.E | None:
    """The value over the parameters; None when it takes a function to work it out."""
    if quantity.type.kind != "number" or len(quantity.changes) > MOST_CHANGES:
        return None
    value = _in_order(quantity, quantity.stages)
    if quantity.stages_when is not None:
        usual = _in_order(quantity, STAGES)
        if value is None or usual is None:
            return None
        value = pg.IfE(quantity.stages_when, value, usual, type=NUMBER)
    if value is not None:
        value = _rounded(value, quantity.rounding)
    for limit, name in ((quantity.floor, "max"), (quantity.ceiling, "min")):
        if limit is not None and value is not None:
            value = pg.BuiltinE(name, (value, limit), type=NUMBER)
    return value


def _in_order(quantity: pg.QuantityRule, stages: tuple[str, ...]) -> pg.E | None:
    value: pg.E | None = quantity.base
    for stage in stages:
        for change in quantity.changes:
            if STAGE_OF[change.op] == stage and value is not None:
                value = _changed(quantity, change, value)
    return value


def _changed(quantity: pg.QuantityRule, change: pg.Change, value: pg.E) -> pg.E | None:
    condition = _condition(quantity, change)
    op, by = change.op, change.value
    plain = change.rounding is None and change.floor is None
    if op in _NEUTRAL and plain:
        if condition is not None:
            by = pg.IfE(condition, by, pg.Const(_NEUTRAL[op], type=NUMBER), type=NUMBER)
        return pg.Arith("*" if op == "x" else op, value, by, type=NUMBER)
    new = _new_value(op, value, by)
    if new is not None:
        new = _rounded(new, change.rounding)
    if new is None:
        return None
    if change.floor is not None:
        new = pg.BuiltinE("max", (new, change.floor), type=NUMBER)
    if condition is None:
        return new
    if op != "=" and node_count(value) > MOST_REPEATED:
        return None
    return pg.IfE(condition, new, value, type=NUMBER)


def _new_value(op: str, value: pg.E, by: pg.E) -> pg.E | None:
    match op:
        case "=":
            return by
        case "+" | "-" | "/":
            return pg.Arith(op, value, by, type=NUMBER)
        case "x":
            return pg.Arith("*", value, by, type=NUMBER)
        case "at least":
            return pg.BuiltinE("max", (value, by), type=NUMBER)
        case "at most":
            return pg.BuiltinE("min", (value, by), type=NUMBER)
        case _:
            return None


def _condition(quantity: pg.QuantityRule, change: pg.Change) -> pg.E | None:
    """When a change applies and no exception silences it."""
    parts = [change.condition] if change.condition is not None else []
    for other in quantity.changes:
        if change.paragraph in other.despite and other is not change:
            silenced = other.condition if other.condition is not None else pg.Const(1, type=FLAG)
            parts.append(negated(silenced))
    return pg.LogicE("and", tuple(parts), type=FLAG) if parts else None


def _rounded(value: pg.E, rounding: str | None) -> pg.E | None:
    if rounding is None:
        return value
    name = _ROUNDING.get(rounding)
    return pg.BuiltinE(name, (value,), type=NUMBER) if name is not None else None
