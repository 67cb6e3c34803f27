"""What has happened, for a seat: the log people read, and what came since its last decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.acts.grouping import act_starts
from interpreter.acts.story import Line, since_last_decision, story
from interpreter.playing.session import Session
from interpreter.playing.views import view_of

if TYPE_CHECKING:
    from interpreter.running.machine import Machine

OWN_ACTS = 10  # decisions of one's own that the log in a look goes back
PUBLIC_ACTS = 40  # acts that it goes back for somebody who looks on
MOST_LINES = 5_000


def recent_lines(session: Session, seat: str | None) -> tuple[list[dict[str, Any]], bool]:
    """The end of the log, and whether that is all of it.

    How far back it goes is counted in the seat's own decisions: how often others decided is not its business.
    """
    since = _since(session, seat)
    return [_told(line) for line in story(session, seat, since)], since == 0


def all_lines(session: Session, seat: str | None) -> list[dict[str, Any]]:
    """The whole log of a seat (of endless games the end of it)."""
    return [_told(line) for line in story(session, seat)][-MOST_LINES:]


def _since(session: Session, seat: str | None) -> int:
    starts = act_starts(session)
    if seat is None:
        return starts[-PUBLIC_ACTS] if len(starts) > PUBLIC_ACTS else 0
    own = [n for n, moment in enumerate(session.history) if moment.who == seat and moment.had_a_choice]
    if len(own) <= OWN_ACTS:
        return 0
    return max((start for start in starts if start <= own[-OWN_ACTS]), default=0)


def since_then(session: Session, seat: str | None) -> dict[str, Any]:
    """What happened since the seat last decided, line by line, and where what moved stood before."""
    own = [n for n, moment in enumerate(session.history) if moment.who == seat and moment.had_a_choice]
    start = own[-1] + 1 if own else 0
    if seat is None:
        start = _since(session, None)
    lines = since_last_decision(session, seat) if seat is not None else story(session, seat, start)
    machine = session.history[start].machine if start < len(session.history) else session.machine
    before, after = _places(session, machine, seat), _places(session, session.machine, seat)
    moved = {f"piece:{piece}": place for piece, place in sorted(before.items()) if after.get(piece) != place}
    return {"lines": [_told(line) for line in lines], "before": moved}


def _places(session: Session, machine: Machine, seat: str | None) -> dict[str, str]:
    """Piece → where it was, as a seat saw it then."""
    then = Session(session.game, session.ruleset, machine, session.facts)
    things = view_of(then, seat)["things"]
    return {
        key.removeprefix("piece:"): state["at"]
        for key, state in things.items()
        if key.startswith("piece:") and state.get("at") is not None
    }


def _told(line: Line) -> dict[str, Any]:
    return {
        "kind": line.kind, "who": line.who, "text": line.text, "things": list(line.things),
        "rules": list(line.rules),
        "parts": [
            {"kind": part.kind, "text": part.text, "rule": part.paragraph, "things": list(part.things),
             "detail": list(part.detail)}
            for part in line.parts
        ],
    }  # fmt: skip
