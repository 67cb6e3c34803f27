"""`where` takes every `and` and `or` that follows; what it takes by mistake does not speak of its members."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.checker.context import Context
from rulesdsl.checker.mentions import expressions_in

MESSAGE = 'this belongs to the "where" before it, but does not speak of its members'
HELP = "put the noun with its `where` in parentheses, or this condition in front of it"


def warn_swallowed(ctx: Context, members: pg.E, var: pg.Var, denied: bool) -> None:
    """`no unit where a(it) and b` is read as no unit for which a and b hold, whatever the lines suggest.

    `some unit where a(it) and b` means the same either way, so only `or` and denials are looked at.
    """
    match members:
        case pg.Filter(source=sx.TailWhere(), condition=pg.LogicE(op=op, parts=parts)):
            if op == "and" and not denied:
                return
            for part in parts:
                if part.source is not None and part.type.kind != "unknown" and not _mentions(part, var):
                    ctx.problem("where-swallows", MESSAGE, part.source.span, HELP, warning=True)
        case _:
            pass


def _mentions(part: pg.E, var: pg.Var) -> bool:
    return any(isinstance(e, pg.VarGet) and e.var is var for e in expressions_in(part))
