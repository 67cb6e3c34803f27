"""Who sees what is hidden: when more eyes see it after a decision than before, that decision is a barrier."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulesdsl import program as pg
from rulesdsl.program.walk import sub_expressions

if TYPE_CHECKING:
    from interpreter.playing.sitting import Sitting


def eyes_on(session: Sitting) -> list[int]:
    """The players who may see each value that is `visible to` somebody by a rule that may change in play."""
    program, compiled, s = session.ruleset.program, session.ruleset.full, session.machine.s
    found: list[int] = []
    for universe, visibility in _watched(program):
        if visibility.thing is None:
            found.append(compiled.evaluate(s, visibility.viewers, {}))
            continue
        # all things of a kind in one question: this is asked after every decision, looked ahead or not
        seen_by = compiled.expression(visibility.viewers, (visibility.thing,))
        found += compiled.ask(_of_all, seen_by, s, len(program.world.universes[universe]))
    return found


def _of_all(seen_by: Callable[[list[Any], int], int], s: list[Any], count: int) -> list[int]:
    return [seen_by(s, index) for index in range(count)]


@lru_cache(maxsize=64)
def _watched(program: pg.Program) -> tuple[tuple[str, pg.Visibility], ...]:
    """What may become visible in play, by the kind of thing it is of."""
    found = program.visibility.items()
    return tuple((universe, seen) for (universe, _), seen in found if _may_change(seen.viewers))


def _may_change(e: pg.E) -> bool:
    """Whether a value depends on more than what is printed."""
    if isinstance(e, pg.AttrGet) and not e.attribute.printed:
        return True
    asks = (pg.TrackGet, pg.FieldGet, pg.CallE, pg.QuantityE, pg.RouteE, pg.LegalE, pg.PiecesIn, pg.SpacesOf)
    return isinstance(e, asks) or any(_may_change(part) for part in sub_expressions(e))
