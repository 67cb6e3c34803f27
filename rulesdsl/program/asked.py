"""What an expression asks besides its own parts: the rules it names, however far on (call graph).

Whoever wants to know what a value may depend on, or where it may stop, goes on from here; a new kind of
expression is put into one of the cases, or mypy complains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_type

from rulesdsl import program as pg
from rulesdsl.program.following import following

Asked = tuple[str, str, object]  # what it is, its name, and the part of the program in which it goes on


def asked(program: pg.Program, e: pg.E) -> Asked | None:
    """The rule that an expression asks by its name."""
    e = pg.closed(e)
    match e:
        case pg.CallE(define=name):
            return "define", name, program.defines[name]
        case pg.QuantityE(quantity=name):
            return "quantity", name, program.quantities[name]
        case pg.RouteE(route=name):
            return "route", name, program.routes[name]
        case pg.LegalE(action=name):
            return "action", name, program.actions[name]
        case pg.PlayableE(window=name):
            plays = (play for token in program.tokens.values() for play in token.plays)
            return "window", name, tuple(play for play in plays if play.window == name)
        case pg.AfterE(procedure=name):
            return "procedure", name, tuple(program.procedures[each] for each in following(program, name))
        case _:
            assert_type(e, pg.AsksNoRule)
            return None


def all_asked(
    program: pg.Program, value: object, expressions_in: Callable[[object], Iterable[pg.E]]
) -> Iterator[pg.E]:
    """Every expression in a part of a program and in all rules that are asked from there, each rule once."""
    pending: list[object] = [value]
    seen: set[tuple[str, str]] = set()
    while pending:
        for part in expressions_in(pending.pop()):
            yield part
            found = asked(program, part)
            if found is not None and found[:2] not in seen:
                seen.add(found[:2])
                pending.append(found[2])
