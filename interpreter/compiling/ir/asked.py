"""What is asked of values and statements of the representation: cells, variables, calls, names (analysis)."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.operations import is_dear

_CONDITIONAL = (v.Logic, v.Choose)


def each_part(e: v.Value) -> Iterator[v.Value]:
    """A value and all it is made of, in the order in which it is written."""
    waiting = [e]
    while waiting:
        part = waiting.pop()
        yield part
        if parts := part.parts:
            waiting += parts[::-1]


def asks_rules(e: v.Value) -> bool:
    """Whether a rule or a search is called on the way: what that costs nobody knows here."""
    return any(
        isinstance(part, v.Call) and len(part.arguments) > 1 and isinstance(part.arguments[0], v.State)
        for part in each_part(e)
    )


def costs_much(e: v.Value) -> bool:
    """Whether a value is more than a few looks at cells and tables."""
    return any(
        isinstance(part, v.Call)
        and (is_dear(part.name) or (len(part.arguments) > 1 and isinstance(part.arguments[0], v.State)))
        for part in each_part(e)
    )


def is_conditional(values: tuple[v.Value, ...]) -> bool:
    """Whether something in these values is asked only if something else holds."""
    return any(isinstance(part, _CONDITIONAL) for e in values for part in each_part(e))


def free_variables(e: v.Value) -> set[v.Value]:
    return {part for part in each_part(e) if isinstance(part, (v.Local, v.Slot))}


def cells_read(body: st.Body) -> set[int] | None:
    """The single cells that statements look at; None when they look at others, or hand the state on."""
    found: set[int] = set()
    for statement in st.walk(body):
        for e in statement.values:
            for part in each_part(e):
                if isinstance(part, v.State) or (isinstance(part, v.Cell) and part.index is not None):
                    return None
                if isinstance(part, v.Cell):
                    found.add(part.base)
    return found


def variables_read(body: st.Body) -> set[v.Value]:
    return {name for statement in st.walk(body) for e in statement.values for name in free_variables(e)}


# ---- the size of code ------------------------------------------------------------------------------------
_OWN_NAMES: dict[type[v.Value], int] = {
    v.Constant: 1, v.Local: 1, v.Slot: 1, v.State: 1, v.Name: 1, v.Nothing: 1, v.Cell: 1, v.Call: 1,
    v.Method: 1, v.Part: 1, v.Count: 1, v.Not: 1, v.Members: 1, v.First: 1, v.Choose: 2,
}  # fmt: skip
_WORDS_OF_COMPARISONS = {"is": 1, "is not": 2, "in": 1, "not in": 2}


def size_of(values: tuple[v.Value, ...]) -> tuple[int, list[str]]:
    """How many names and words values are written with, which is more or less how much work they are; and
    the functions and tables they name."""
    total, named = 0, list[str]()
    waiting = [*values]
    while waiting:
        e = waiting.pop()
        kind = type(e)
        total += _OWN_NAMES.get(kind, 0)
        if kind is v.Call or kind is v.Name:
            named.append(e.name)  # type: ignore[attr-defined]
        elif isinstance(e, v.Logic):
            total += len(e.members) - 1
        elif isinstance(e, v.Compare):
            total += _WORDS_OF_COMPARISONS.get(e.op, 0)
        elif isinstance(e, v.Word):
            total += sum(1 for word in e.text.split() if not word[0].isdigit())
        waiting += e.parts
    return total, named
