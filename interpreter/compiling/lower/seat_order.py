"""Loops in an order of their own: from one member round, or by a number, the least first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower.values import code
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.compiling.lower.steps import StepWriter


def begin_order(w: StepWriter, step: pg.ForS) -> Value | None:
    """Where the member is kept with whom a round begins; nothing for other loops."""
    if step.start is None:
        return None
    first = w.place(type_=step.start.type)
    w.em.let(first, code(w.em, w.env, step.start))
    return first


def next_in_order(w: StepWriter, step: pg.ForS, left: Value, first: Value | None) -> Value:
    """The member that comes next of those that are left (there is one)."""
    if step.measure is None:
        assert first is not None
        return v.Call("next_round", (left, first), w.unit.kind(step.var.type))
    rest = pg.Var("left", step.group.type)
    least = pg.ArgExtreme(
        "least", pg.VarGet(rest, type=rest.type), step.var, step.measure, type=step.group.type
    )
    return v.First(w.em.atom(code(w.em, {**w.env, rest: left}, least), "least"))
