"""Who may decide now, where a rulebook lets several choose at the same time (simultaneous choices).

The machine asks one after the other. The rules were checked (checking/whole/simultaneous.py): what a player
is offered and sees is the same whatever the others choose in that round. So his question is that of a copy
in which those before him have chosen anything, and what he answers is kept until his turn comes.
"""

from __future__ import annotations

from interpreter.compiling.decision_points import Site
from interpreter.playing.known_values import frame_env
from interpreter.playing.session import Session
from rulesdsl import program as pg
from rulesdsl.language.conventions import STILL_CHOOSING

MOST_DECISIONS = 400  # of a round, for who may choose several things


def chosen_together(session: Session) -> pg.ChooseS | None:
    """The step of a round in which all choose at the same time; None when one is asked for himself."""
    if session.over:
        return None
    site = session.site
    step = site.step if isinstance(site, Site) else None
    return step if isinstance(step, pg.ChooseS) and step.together else None


def question_of(session: Session, seat: str) -> Session | None:
    """The session in which this seat is asked now: the game itself, a copy in the same round, or none."""
    if session.player == seat:
        return session
    step = chosen_together(session)
    if step is None:
        return None
    number = session.ruleset.program.world.universes["player"].index[seat]
    if not _left(session) >> number & 1:
        return None
    ahead = session.copy()
    for _ in range(MOST_DECISIONS):
        who, left = ahead.player, _left(ahead)
        ahead.choose(ahead.options[-1])  # a way out, where there is one, is the shortest
        if chosen_together(ahead) is not step:
            return None
        if ahead.player == who and _left(ahead) == left:
            continue  # he chooses several things
        if _left(ahead) != left & (left - 1):
            return None  # somebody has nothing to choose: the others take turns
        if ahead.player == seat:
            return ahead
    return None


def _left(session: Session) -> int:
    """Those who are asked after this one in the same round."""
    site = session.site
    return next(
        (value for var, value in frame_env(session, site.env).items() if var.name == STILL_CHOOSING), 0
    )
