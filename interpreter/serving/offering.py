"""What may be done now, for a page: acts with the things to click for each (`interpreter/acts`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.acts.offering import acts
from interpreter.compiling.decision_points import Site
from rulesdsl.program.steps import ChooseS

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def offer(session: Session, seat: str, draft: Sequence[str] = ()) -> dict[str, Any]:
    """Everything that may follow the draft, each act with what is clicked first and second; `held` is the way
    out that is not open yet: whoever may not end something must be able to ask why."""
    site, pending = session.site, session.machine.pending
    held = ""
    if isinstance(site, Site) and isinstance(site.step, ChooseS) and site.step.out_action is not None:
        held = site.out_label or "" if pending is not None and not pending.out and not draft else ""
    return {**acts(session, seat, draft).json(), "held": held}


def pieces_of(offered: Mapping[str, Any]) -> Iterator[str]:
    """The ids of the pieces that an offer speaks of."""
    for act in offered["acts"]:
        for thing in (*act["first"], *act["second"]):
            if thing.startswith("piece:"):
                yield thing.removeprefix("piece:")
