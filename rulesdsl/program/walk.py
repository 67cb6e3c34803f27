"""Walking a program (tree walkers): every step, expressions inside expressions, uses of variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields as dataclass_fields
from typing import assert_type

from rulesdsl import program as pg


def all_steps(program: pg.Program) -> Iterator[pg.S]:
    """Every step of every procedure and example."""
    for procedure in program.procedures.values():
        yield from walk_steps(procedure.body)
    for example in program.examples:
        yield from walk_steps(example.given)
        yield from walk_steps(example.played)


def walk_steps(steps: pg.Steps) -> Iterator[pg.S]:
    for step in steps:
        yield step
        for body in bodies(step):
            yield from walk_steps(body)


def bodies(step: pg.S) -> tuple[pg.Steps, ...]:
    """The blocks of steps inside a step."""
    step = pg.closed(step)
    match step:
        case pg.IfS(branches=branches, otherwise=otherwise):
            return (*(body for _, body in branches), otherwise)
        case pg.ForS(body=body) | pg.RepeatS(body=body) | pg.WithS(body=body):
            return (body,)
        case pg.ChooseS(body=body, otherwise=otherwise):
            return (body, otherwise)
        case pg.MenuS(entries=entries, otherwise=otherwise):
            return (*(entry.body for entry in entries), otherwise)
        case _:
            assert_type(step, pg.WithoutBody)
            return ()


_part_names: dict[type[pg.E], tuple[str, ...]] = {}


def part_names(node: type[pg.E]) -> tuple[str, ...]:
    """The fields of a sort of expression that may hold other expressions; found out once."""
    if node not in _part_names:
        names = (spec.name for spec in dataclass_fields(node))
        _part_names[node] = tuple(name for name in names if name not in ("type", "source"))
    return _part_names[node]


def sub_expressions(value: object) -> list[pg.E]:
    """The expressions directly inside an expression."""
    found: list[pg.E] = []
    if isinstance(value, pg.E):
        for name in part_names(type(value)):
            part = getattr(value, name)
            if isinstance(part, pg.E):
                found.append(part)
            elif isinstance(part, tuple):
                found.extend(p for p in part if isinstance(p, pg.E))
    return found


def uses_var(value: pg.E, variables: frozenset[pg.Var] | set[pg.Var]) -> bool:
    """Whether an expression mentions one of these variables."""
    if isinstance(value, pg.VarGet):
        return value.var in variables
    return any(uses_var(part, variables) for part in sub_expressions(value))
