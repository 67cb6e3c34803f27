"""Trees made anew with something changed: values inside statements, bodies inside functions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.statements import (
    Arm,
    Body,
    Definition,
    ForEach,
    ForIn,
    Function,
    If,
    Made,
    Statement,
    While,
)


def deep(change: Callable[[v.Value], v.Value]) -> v.Change:
    """The change of a whole value: parts first, then what is made of them."""

    def changed(e: v.Value) -> v.Value:
        return change(e.changed(changed) if e.parts else e)

    return changed


def with_values(body: Body, change: v.Change) -> Body:
    """The same statements with every value changed."""
    return [_with_values(one, change) for one in body]


def _with_values(one: Statement, change: v.Change) -> Statement:
    if isinstance(one, If):
        return If([_arm(arm, change) for arm in one.arms])
    changed = one.changed(change)
    if isinstance(changed, (ForEach, ForIn, While)):
        return with_body(changed, with_values(changed.body, change))
    return changed


def _arm(arm: Arm, change: v.Change) -> Arm:
    return Arm(None if arm.test is None else change(arm.test), with_values(arm.body, change))


def with_body(loop: ForEach | ForIn | While, body: Body) -> Statement:
    """The same loop around another body."""
    match loop:
        case ForEach():
            return ForEach(loop.member, loop.mask, body)
        case ForIn():
            return ForIn(loop.targets, loop.rows, body)
        case While():
            return While(loop.test, body, loop.most)


def renamed(made: Made, called: Callable[[str], str]) -> Made:
    """A definition and what it calls under other names."""

    def change(e: v.Value) -> v.Value:
        match e:
            case v.Call():
                return v.Call(called(e.name), e.arguments, e.of)
            case v.Name():
                return v.Name(called(e.name))
            case _:
                return e

    if isinstance(made, Definition):
        return Definition(called(made.name), deep(change)(made.value))
    return Function(called(made.name), made.parameters, with_values(made.body, deep(change)))
