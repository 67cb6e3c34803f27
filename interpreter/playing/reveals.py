"""Who sees what is hidden: when more eyes see it after a decision than before, that decision is a barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl import program as pg
from rulesdsl.program.walk import sub_expressions

if TYPE_CHECKING:
    from interpreter.playing.sitting import Sitting


def eyes_on(session: Sitting) -> list[int]:
    """The players who may see each value that is `visible to` somebody by a rule that may change in play."""
    ruleset, s = session.ruleset, session.machine.s
    found: list[int] = []
    for (universe, _), visibility in ruleset.program.visibility.items():
        if not _may_change(visibility.viewers):
            continue
        count = 1 if visibility.thing is None else len(ruleset.program.world.universes[universe])
        for index in range(count):
            env: dict[pg.Var, Any] = {} if visibility.thing is None else {visibility.thing: index}
            found.append(ruleset.evaluate(s, visibility.viewers, env))
    return found


def _may_change(e: pg.E) -> bool:
    """Whether a value depends on more than what is printed."""
    if isinstance(e, pg.AttrGet) and not e.attribute.printed:
        return True
    asks = (pg.TrackGet, pg.FieldGet, pg.CallE, pg.QuantityE, pg.RouteE, pg.LegalE, pg.PiecesIn, pg.SpacesOf)
    return isinstance(e, asks) or any(_may_change(part) for part in sub_expressions(e))
