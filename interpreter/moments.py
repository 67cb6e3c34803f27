"""What passes between a session and those who use it: options, prompts, log lines, results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.running.machine import Machine

if TYPE_CHECKING:
    from interpreter.session import Session


@dataclass(frozen=True, slots=True)
class Option:
    """What may be chosen: `key` is stable and can be typed, `index` is its place (-1: the way out).

    `decision` is the number of the decision it was offered for: an option kept from an earlier
    decision is refused even when something with the same key is offered again.
    """

    key: str
    text: str
    rule: str
    index: int
    decision: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who decides, what is asked, by which paragraph."""

    player: str
    text: str
    rule: str
    title: str


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened, by which paragraph. `decision` is the number of the decision it followed.

    `values` are what it tells, in order: numbers, flags, ids, tuples of ids; `things` are the ids among
    them. A line that is not for everybody has `seen_by`, and says to the others only `others` (see
    `Session.log_of`).
    """

    rule: str
    text: str
    kind: str
    decision: int
    things: tuple[str, ...] = ()
    seen_by: tuple[str, ...] | None = None
    others: str = ""
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: winners' ids (nobody: empty), why, by which paragraph."""

    outcome: str
    winners: tuple[str, ...]
    reason: str
    rule: str


class IllegalChoice(Exception):
    """Something was chosen that is not among the options; nothing has changed."""


@dataclass(slots=True)
class Moment:
    """What is needed to come back to a decision. Copies of a session share moments: none ever changes."""

    machine: Machine  # as it was before the decision
    log_length: int
    who: str
    key: str
    barrier: str = ""


class Recorder(Protocol):
    """Somebody who must have written a decision down before it counts (see journal.py)."""

    def chosen(self, session: Session, who: str, key: str) -> None: ...

    def undone(self, session: Session, count: int) -> None: ...
