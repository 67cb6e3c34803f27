"""Performing an act: its keys are chosen one by one, as if they had been typed; and taking one back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from interpreter.acts.grouping import CAME_OUT, act_starts, last_act
from interpreter.playing.moments import IllegalChoice
from interpreter.playing.session import Session
from interpreter.playing.takeback import decisions_since, take_back

_CAME_OUT = {"dice": "dice fell", "chance": "chance has decided", "reveal": "something hidden came out"}


@dataclass(frozen=True, slots=True)
class Performed:
    """What was done of an act; `stopped` says why the rest was not, or nothing."""

    done: tuple[str, ...]
    stopped: str = ""


def perform(session: Session, seat: str, keys: Sequence[str]) -> Performed:
    """Choose the keys one after the other. When the first is not offered it is refused and nothing changes;
    when something comes out on the way that nobody could know, the rest is left to be decided anew."""
    session.only_for(seat)
    if not keys:
        raise IllegalChoice("an act has at least one key")
    session.find(keys[0])
    first, done = len(session.history), list[str]()
    for key in keys:
        stopped = _stopped(session, seat, key) if done else ""
        if stopped:
            return Performed(tuple(done), stopped)
        session.choose(key)
        session.history[-1].act = first + 1
        done.append(key)
    return Performed(tuple(done))


def _stopped(session: Session, seat: str, key: str) -> str:
    """Why the next key of an act is not chosen."""
    came_out = [_CAME_OUT[b] for b in session.history[-1].barriers if b in CAME_OUT]
    if session.over:
        return "the game is over"
    if session.player != seat:
        names = session.ruleset.program.world.universes["player"]
        return f"{names.names[names.index[str(session.player)]]} is asked now"
    if came_out:
        return " and ".join(came_out)
    if all(option.key != key for option in session.options):
        return "what was planned is not possible any more"
    return ""


def undo_act(session: Session, people: Collection[str], insisting: bool = False) -> int:
    """Take back the last act of a person, as far back as nothing came out; and how many decisions that were.

    What was performed as one gesture is taken back as one; where nobody knows that (a loaded game), what
    belongs together. Raises `UsageError` as `take_back` does.
    """
    number = len(session.history) - decisions_since(session, people)
    gesture = session.history[number].act
    starts = [gesture - 1] if gesture else act_starts(session)
    start = last_act(session.history, starts, number)
    return take_back(session, people, insisting, len(session.history) - start)
