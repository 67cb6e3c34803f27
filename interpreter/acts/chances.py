"""The odds of an act before it is performed: of what was planned, with everything that may join."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.acts.offering import acts
from interpreter.asking.odds.in_play import odds_in_play
from interpreter.asking.odds.outcomes import Odds
from interpreter.playing.session import Session


def odds_of_draft(session: Session, seat: str, draft: Sequence[str]) -> Odds:
    """What may come of a draft. Where members are still to be chosen, all that may join are taken, and
    `Odds.about` says so."""
    session.only_for(seat)
    offer = acts(session, seat, draft)
    keys, about = tuple(draft), list[str]()
    if not offer.complete:
        whole = next((act for act in offer.acts if act.kind == "all"), None)
        if whole is not None:
            keys = whole.keys
            about = [f"with everything that may join: {whole.text.partition('(')[2].removesuffix(')')}"]
        elif (done := next((act for act in offer.acts if act.kind == "done"), None)) is not None:
            keys = done.keys if offer.series == "gather" else keys
        elif len(offer.acts) == 1 and not offer.acts[0].further:
            keys = offer.acts[0].keys
            about = [f"with {offer.acts[0].text}"]
    return odds_in_play(session, keys, about)
