"""What passes between a session and those who use it: options, prompts, log lines, results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.playing.hearing import Reading
from interpreter.running.machine import Machine
from rulesdsl.speaking.clauses.tree import Clause
from rulesdsl.speaking.say.happenings import parted

if TYPE_CHECKING:
    from interpreter.playing.session import Session


@dataclass(frozen=True, slots=True)
class Option:
    """What may be chosen: `key` is stable and can be typed, `index` is its place (-1: the way out).

    `decision` is the number of the decision it was offered for: an option kept from an earlier
    decision is refused even when something with the same key is offered again. `things` are what it is about
    (`piece:guards`, `space:hill`, `entry:pass`), `kind` is what sort of choice it is (see acts/things.py).
    """

    key: str
    text: str
    paragraph: str
    index: int
    decision: int = 0
    kind: str = "choose"
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who decides, what is asked, by which paragraph, and what the question is about."""

    player: str
    text: str
    paragraph: str
    title: str
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened, by which paragraph. `decision` is the number of the decision it followed.

    `values` are what it tells, in order: numbers, flags, ids, tuples of ids; `things` are the ids among
    them. A line that is not for everybody has `seen_by`, and says to the others only `others`, or what stands
    for them in `partly` (see `Session.log_of`). `clause` is what the text is the words of, `heard_of`
    what `others` are: who joins lines looks there, and cuts no text.
    """

    paragraph: str
    text: str
    kind: str
    decision: int
    things: tuple[str, ...] = ()
    seen_by: tuple[str, ...] | None = None
    others: str = ""
    values: tuple[Any, ...] = ()
    partly: tuple[tuple[str, str], ...] = ()
    clause: Clause | None = field(default=None, compare=False, repr=False)
    heard_of: Clause | None = field(default=None, compare=False, repr=False)

    @property
    def parted(self) -> tuple[str, str]:
        """Of whom the line tells, and what: `Guards`, `to Hill`."""
        return parted(self.clause, self.text)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: winners' ids (nobody: empty), why, by which paragraph; what each player gets, if the
    rules say so."""

    outcome: str
    winners: tuple[str, ...]
    reason: str
    paragraph: str
    payoffs: tuple[tuple[str, Any], ...] = ()


class IllegalChoice(Exception):
    """Something was chosen that is not among the options; nothing has changed."""


BARRIERS = ("reveal", "dice", "chance", "player")  # what cannot be unseen, the weightiest first


@dataclass(slots=True)
class Moment:
    """What is needed to come back to a decision. Copies of a session share moments: none ever changes."""

    machine: Machine  # as it was before the decision
    log_length: int
    who: str
    key: str
    barriers: tuple[str, ...] = ()  # everything that came out after it
    dice: str = ""  # what was drawn for the dice that followed, in games that draw as they go
    rolls: tuple[tuple[int, list[Any]], ...] = ()  # line of the log → the state when the die fell
    readings: tuple[Reading, ...] = ()  # of tables, after it
    asked: frozenset[str] = frozenset()  # quantities of records that were asked for after it
    act: int = 0  # the decision with which the gesture began that this is part of, counted from 1; 0: none

    @property
    def barrier(self) -> str:
        """The one that weighs most: "reveal", "dice", "chance", "player" or ""."""
        return next((barrier for barrier in BARRIERS if barrier in self.barriers), "")

    @property
    def had_a_choice(self) -> bool:
        pending = self.machine.pending
        return pending is not None and len(pending.options) + pending.out > 1


class Recorder(Protocol):
    """Somebody who must have written a decision down before it counts (see journal.py)."""

    def chosen(self, session: Session, who: str, key: str) -> None: ...

    def undone(self, session: Session, count: int) -> None: ...
