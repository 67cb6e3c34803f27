"""Which decisions of a game belong together: the acts its players have meant, found from the past alone.

A decision belongs to the one before it when the same player takes it and the question lies inside what he has
begun: the mode of a unit he has chosen, the next step of its march, another member of a set. What was
performed as one gesture belongs together anyway (`Moment.act`).
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.acts.lookahead import Asked
from interpreter.compiling.compiled import Compiled
from interpreter.compiling.decision_points import Site, TravelSite
from interpreter.playing.moments import Moment
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl import program as pg

CAME_OUT = ("dice", "chance", "reveal")


def act_starts(session: Session, first: int = 0) -> list[int]:
    """The numbers of the decisions (from 0) with which acts begin."""
    history, compiled = session.history, session.ruleset.full
    starts: list[int] = []
    path: list[Asked] = []
    for number in range(first, len(history)):
        moment = history[number]
        before = history[number - 1] if number > first else None
        now = _asked(moment)
        goes_on = (
            before is not None and before.who == moment.who and _inside(compiled, path, now, moment.machine)
        )
        if not goes_on:
            path = []
        if not goes_on and not _one_gesture(before, moment):
            starts.append(number)
        if now in path:
            del path[path.index(now) :]
        path.append(now)
    return starts


def last_act(history: Sequence[Moment], starts: Sequence[int], number: int) -> int:
    """The first decision of the act that decision `number` is part of, as far back as nothing came out."""
    start = max((start for start in starts if start <= number), default=number)
    for place in range(number - 1, start - 1, -1):
        if any(barrier in CAME_OUT or barrier == "player" for barrier in history[place].barriers):
            return place + 1
    return start


def _one_gesture(before: Moment | None, moment: Moment) -> bool:
    return before is not None and moment.act > 0 and before.act == moment.act


def _asked(moment: Moment) -> Asked:
    pending = moment.machine.pending
    assert pending is not None
    return Asked(pending.site, len(moment.machine.stack) - 1)


def _inside(compiled: Compiled, path: Sequence[Asked], now: Asked, machine: Machine) -> bool:
    """Whether a question lies inside what was begun."""
    sites, inside, stack = compiled.blocks.sites, compiled.blocks.inside, machine.stack
    if now in path:
        site = sites[now.site]
        if isinstance(site, TravelSite):
            return bool(stack[-1][site.piece_slot + 2] > 0)
        gathers = (
            isinstance(site, Site) and isinstance(site.step, pg.ChooseS) and site.step.result is not None
        )
        return gathers or path.index(now) > 0
    for asked in path:
        if asked.height < len(stack):
            first, end = inside.get(asked.site, (0, 0))
            if first <= stack[asked.height][0] < end:
                return not isinstance(sites[now.site], TravelSite) or not _marched(path, sites)
    return False


def _marched(path: Sequence[Asked], sites: Sequence[object]) -> bool:
    """Whether a march was part of it already: the next one is another piece's."""
    return any(isinstance(sites[asked.site], TravelSite) for asked in path)
