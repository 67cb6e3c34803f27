"""What people at a table have chosen before their turn, where all choose at the same time (sealed choices).

It is in no decision of the journal before it is played, but in a file beside it before it is answered: who
was told that his choice is kept is not asked again when the table is opened anew. What is kept belongs to the
decisions that were made before it; where those are others, it is forgotten.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from interpreter.acts.performing import perform
from interpreter.playing.moments import IllegalChoice
from interpreter.playing.session import Session
from interpreter.playing.simultaneous import chosen_together, question_of
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file

ENDING = ".sealed"
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """The keys of a choice; `after` how many decisions it was made, `of` which they were."""

    after: int
    of: str
    keys: tuple[str, ...]

    def is_for(self, session: Session, seat: str) -> bool:
        """Whether this game has come to it, and the seat has not decided since."""
        history = session.history
        since = any(moment.who == seat for moment in history[self.after :])
        return self.after <= len(history) and not since and self.of == _digest(session, self.after)


class Sealed:
    """Choices that nobody sees until they are played, not even that they were made."""

    def __init__(self, journal: Path | None = None) -> None:
        self._kept: dict[str, Kept] = {}
        self._path = journal.with_name(journal.name + ENDING) if journal is not None else None
        if self._path is not None:
            with suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
                if not self._path.is_symlink() and self._path.stat().st_size <= MOST_BYTES:
                    told = json.loads(self._path.read_text("utf-8"))
                    self._kept = {str(seat): _kept(one) for seat, one in told.items()}

    def question_of(self, session: Session, seat: str) -> Session:
        """The game as this seat is asked in it: itself, or a copy ahead of those who have not chosen yet."""
        if seat in self._kept:
            return session
        return question_of(session, seat) or session

    def keep(self, session: Session, seat: str, keys: Sequence[str]) -> None:
        """It is written down before anybody is told that it is kept."""
        before, now = dict(self._kept), len(session.history)
        self._kept[seat] = Kept(now, _digest(session, now), tuple(keys))
        try:
            self._write()
        except OSError as error:
            self._kept = before
            raise UsageError(f"it cannot be written down ({error.strerror})") from None

    def take_back(self, seat: str) -> bool:
        """Whether there was something that has not been played yet."""
        found = self._kept.pop(seat, None) is not None
        if found:
            self._write_if_possible()
        return found

    def play(self, session: Session) -> None:
        """Play what was kept, in turn; what was kept for a round that was taken back is forgotten."""
        if not self._kept:
            return
        before = dict(self._kept)
        self._kept = {seat: kept for seat, kept in self._kept.items() if kept.is_for(session, seat)}
        if chosen_together(session) is None:
            self._kept.clear()
        while (who := session.player) is not None and who in self._kept:
            keys = self._kept.pop(who).keys
            with suppress(UsageError, IllegalChoice):  # somebody has changed the file: he is asked again
                perform(session, who, keys)
        if self._kept != before:
            self._write_if_possible()

    def _write_if_possible(self) -> None:
        """What stays in the file though it was played is known by the decisions after it."""
        with suppress(OSError):
            self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        if self._kept:
            write_file(self._path, json.dumps({seat: asdict(kept) for seat, kept in self._kept.items()}),
                       lasting=True, private=True)  # fmt: skip
        else:
            self._path.unlink(missing_ok=True)


def _kept(told: Mapping[str, Any]) -> Kept:
    return Kept(int(told["after"]), str(told["of"]), tuple(map(str, told["keys"])))


def _digest(session: Session, decisions: int) -> str:
    """Which game this is, and what was decided in it so far."""
    made = [str(session.facts.get("seed")), *session.choices[:decisions]]
    return hashlib.sha256("\n".join(made).encode()).hexdigest()
