"""Older ways to say something, in the words the language has for it now.

Only what means the same whatever the names mean: `fmt` knows no declaration. `not x is y` needs nothing here,
it is the same tree as `x is not y`; neither do cases, which the printer puts first.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT

N = TypeVar("N", bound=sx.Node)
_IT = sx.Name("it")
_NAMED = (sx.Name, sx.Numbered, sx.Attr)


def modern(node: N) -> N:
    """The same statement, every part of it as it is said now."""
    changed: dict[str, Any] = {}
    for spec in fields(node):
        before = getattr(node, spec.name)
        after = _part(before)
        if after is not before:
            changed[spec.name] = after
    return _said(replace(node, **changed) if changed else node)


def _part(value: object) -> object:
    if isinstance(value, sx.Node):
        return modern(value)
    if isinstance(value, tuple) and value:
        made = tuple(_part(part) for part in value)
        return made if any(new is not old for new, old in zip(made, value, strict=True)) else value
    return value


def _said(node: N) -> N:
    made: sx.Node = node
    match node:
        case sx.TailWhere(sx.Is(sx.Name("it"), _, description), that=False) if _short(description):
            made = replace(node, that=True)
        case sx.Define(name, (), (sx.Case(_, None),), None, "") if (
            name.startswith(INVARIANT) and name != INVARIANT
        ):
            made = replace(node, form="always")
        case sx.Call("union", (sx.Argument(None, one), sx.Argument(None, other))):
            parts = (*_members(one), *_members(other))
            if one == other and isinstance(one, _NAMED):  # one thing may stand where a set is wanted
                made = one
            elif all(isinstance(part, _NAMED) for part in parts):
                together = sx.Logic("and", parts, span=node.span)
                made = together if len(parts) == 2 else sx.Listed(parts, span=node.span)
        case _:
            pass  # everything else stays as it was written
    return made  # type: ignore[return-value]


def _short(description: sx.Description) -> bool:
    """Whether a clause with `that` takes no more than it should: a list would take the comma behind it."""
    return not isinstance(description, sx.OneOf) and description != _IT


def _members(expr: sx.Expr) -> tuple[sx.Expr, ...]:
    """What is joined already: a union that was said anew before the one around it."""
    match expr:
        case sx.Logic("and", parts) | sx.Listed(parts) if all(isinstance(part, _NAMED) for part in parts):
            return parts
    return (expr,)
