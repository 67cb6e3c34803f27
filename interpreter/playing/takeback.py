"""Taking back at a table: what may be unsaid, and what has been seen and cannot be.

Since a decision dice may have been rolled, chance have picked or dealt, something hidden have been shown,
another player have decided or been asked. Plain `undo` stops at each of these. Who insists (`undo!`) goes
past all of them when he sits alone against computers; among people past all but a reveal, for what somebody
has been shown of another's secret he cannot be made to forget. What was insisted upon stands in the log.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter.playing.moments import LogEntry
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError

_WORDS = {
    "reveal": "something hidden was shown",
    "dice": "dice were rolled",
    "chance": "chance has decided",
}


def take_back(session: Session, people: Collection[str], insisting: bool, count: int = 0) -> int:
    """Back to the last decision a person really had (or `count` decisions), and how many that were."""
    count = count or decisions_since(session, people)
    crossed = dict(_crossed(session, people, count))
    since = " and ".join(crossed.values())
    if crossed and not insisting:
        last = _no_way_past(crossed, people)
        raise UsageError(
            f"{since} since; {last or 'undo! takes it back all the same, and the log will say so'}"
        )
    if crossed and _no_way_past(crossed, people):
        raise UsageError(f"{since} since; {_no_way_past(crossed, people)}")
    session.undo(count)
    if crossed:
        many = f"{count} decisions are" if count > 1 else "a decision is"
        session.remark(LogEntry("", f"{many} taken back, although {since}", "undo", len(session.history)))
    return count


def _no_way_past(crossed: Collection[str], people: Collection[str]) -> str:
    return "that cannot be taken back while others play" if "reveal" in crossed and len(people) > 1 else ""


def decisions_since(session: Session, people: Collection[str]) -> int:
    """How many decisions ago a person really had a choice."""
    for count, moment in enumerate(reversed(session.history), 1):
        if moment.who in people and moment.had_a_choice:
            return count
    raise UsageError("there is nothing to take back")


def _crossed(session: Session, people: Collection[str], count: int) -> Iterator[tuple[str, str]]:
    """What came out since, with its words."""
    taken = session.history[-count:]
    for barrier, words in _WORDS.items():
        if any(barrier in moment.barriers for moment in taken):
            yield barrier, words
    who = taken[0].who
    others = [moment.who for moment in taken if moment.who != who and moment.had_a_choice]
    names = session.ruleset.program.world.universes["player"]
    if others:
        yield "player", f"{names.names[names.index[others[0]]]} has decided"
    elif session.player is not None and session.player != who and session.player in people:
        yield "player", f"{names.names[names.index[session.player]]} was asked"
