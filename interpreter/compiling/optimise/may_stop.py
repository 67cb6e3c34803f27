"""Expressions that may stop the rule that asks them: a table need not have a place for what it is asked."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.following import following


def may_find_nothing(program: pg.Program, e: pg.E) -> bool:
    """Whether a table is looked up here, or in a meaning that is asked here, however far on."""
    pending: list[object] = [e]
    seen: set[str] = set()
    while pending:
        for part in expressions_in(pending.pop()):
            owner: object
            match part:
                case pg.LookupE():
                    return True
                case pg.CallE(define=name):
                    owner = program.defines[name]
                case pg.QuantityE(quantity=name):
                    owner = program.quantities[name]
                case pg.RouteE(route=name):
                    owner = program.routes[name]
                case pg.LegalE(action=name):
                    owner = program.actions[name]
                case pg.AfterE(procedure=name):
                    owner = tuple(program.procedures[each] for each in following(program, name))
                case _:
                    continue
            if name not in seen:
                seen.add(name)
                pending.append(owner)
    return False
