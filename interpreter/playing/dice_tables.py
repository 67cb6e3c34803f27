"""Which tables of a game are read with dice: what the rules roll and then look up, also by way of a `let`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.walk import uses_var, walk_steps


@lru_cache(maxsize=16)
def tables_with_dice(program: pg.Program) -> frozenset[str]:
    """Their ids."""
    return frozenset(e.table for e, _ in _read_with_dice(program))


@lru_cache(maxsize=16)
def modifiers_of_dice(program: pg.Program) -> frozenset[str]:
    """The quantities that are added to a die before something is looked up or compared with it."""
    found: set[str] = set()
    for procedure, rolled in _rolled(program).items():
        for e in expressions_in(program.procedures[procedure]):
            if isinstance(e, pg.Arith) and uses_var(e, rolled):
                found |= {part.quantity for part in _added(e) if isinstance(part, pg.QuantityE)}
    return frozenset(found)


def _added(e: pg.E) -> Iterator[pg.E]:
    """The summands of a sum."""
    if isinstance(e, pg.Arith) and e.op in ("+", "-"):
        yield from _added(e.left)
        yield from _added(e.right)
    else:
        yield e


def _read_with_dice(program: pg.Program) -> Iterator[tuple[pg.LookupE, frozenset[pg.Var]]]:
    for name, rolled in _rolled(program).items():
        for e in expressions_in(program.procedures[name]):
            if isinstance(e, pg.LookupE) and any(uses_var(key, rolled) for key in e.keys):
                yield e, rolled


@lru_cache(maxsize=16)
def _rolled(program: pg.Program) -> dict[str, frozenset[pg.Var]]:
    """The variables of procedures in which something is that was rolled, also what they were handed."""
    found: dict[str, set[pg.Var]] = {}
    waiting = deque(program.procedures)
    while waiting:
        name = waiting.popleft()
        rolled = found.setdefault(name, set())
        for step in walk_steps(program.procedures[name].body):
            match step:
                case pg.RollS(var=var):
                    rolled.add(var)
                case pg.LetS(var=var, value=value) if rolled and uses_var(value, rolled):
                    rolled.add(var)
                case pg.DoS(procedure=other, arguments=arguments) if rolled and other in program.procedures:
                    params = zip(program.procedures[other].params, arguments, strict=False)
                    handed = {param for param, value in params if uses_var(value, rolled)}
                    if not handed <= found.setdefault(other, set()):
                        found[other] |= handed
                        waiting.append(other)
                case _:
                    pass
    return {name: frozenset(rolled) for name, rolled in found.items() if rolled}
