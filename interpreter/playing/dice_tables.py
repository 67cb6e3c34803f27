"""Which tables of a game are read with dice: what the rules roll and then look up, also by way of a `let`."""

from __future__ import annotations

from functools import lru_cache

from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.walk import uses_var, walk_steps


@lru_cache(maxsize=16)
def tables_with_dice(program: pg.Program) -> frozenset[str]:
    """Their ids."""
    found: set[str] = set()
    for procedure in program.procedures.values():
        rolled: set[pg.Var] = set()
        for step in walk_steps(procedure.body):
            match step:
                case pg.RollS(var=var):
                    rolled.add(var)
                case pg.LetS(var=var, value=value) if rolled and uses_var(value, rolled):
                    rolled.add(var)
                case _:
                    pass
        for e in expressions_in(procedure) if rolled else ():
            if isinstance(e, pg.LookupE) and any(uses_var(key, rolled) for key in e.keys):
                found.add(e.table)
    return frozenset(found)
