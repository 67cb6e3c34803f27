"""Sets inside sets and loops inside loops: more than anybody could follow are refused with their place."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl import program as pg
from rulesdsl.checking.context import Context
from rulesdsl.checking.whole.mentions import Mentions
from rulesdsl.program.walk import bodies

MOST_SETS = 8  # inside each other in one expression
MOST_LOOPS = 8  # inside each other in one procedure


def check_nesting(ctx: Context, program: pg.Program, mentions: Sequence[tuple[str, str, Mentions]]) -> None:
    """Refuse what has too many loops inside each other."""
    depths = _Depths()
    for paragraph, _, part in mentions:
        for e in part.loops:
            if depths.of(e) == MOST_SETS + 1 and e.source is not None:
                message = f"more than {MOST_SETS} sets inside each other: put the inner ones into a define"
                ctx.paragraph = paragraph
                ctx.problem("nested-loops", message, e.source.span)
    for procedure in program.procedures.values():
        ctx.paragraph = procedure.paragraph
        _check_steps(ctx, procedure.body, 0)


class _Depths:
    """How many loops over sets stand inside each other in an expression."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, e: pg.E) -> int:
        if id(e) not in self._known:
            self._known[id(e)] = self._found(e)
        return self._known[id(e)]

    def _found(self, e: pg.E) -> int:
        match e:
            case pg.Filter(group=group, condition=inner):
                return max(self.of(group), 1 + self.of(inner))
            case (
                pg.SumE(group=group, value=inner)
                | pg.ExtremeE(group=group, value=inner)
                | pg.ArgExtreme(group=group, value=inner)
            ):
                return max(self.of(group), 1 + self.of(inner))
            case _:
                return max(map(self.of, _parts(e)), default=0)


def _parts(e: pg.E) -> list[pg.E]:
    found: list[pg.E] = []
    for name in type(e).__slots__:
        part = getattr(e, name)
        found += [p for p in (part if isinstance(part, tuple) else (part,)) if isinstance(p, pg.E)]
    return found


def _check_steps(ctx: Context, steps: pg.Steps, depth: int) -> None:
    for step in steps:
        inner = depth
        if isinstance(step, (pg.ForS, pg.RepeatS)) or (isinstance(step, pg.ChooseS) and step.count_kind):
            inner += 1
            if inner == MOST_LOOPS + 1 and step.source is not None:
                message = (
                    f"more than {MOST_LOOPS} loops inside each other: put the inner ones into a procedure"
                )
                ctx.problem("nested-loops", message, step.source.span)
        for body in bodies(step):
            _check_steps(ctx, body, inner)
