"""What people at a table have chosen before their turn, where all choose at the same time (sealed choices).

It is kept here and not in the journal: whoever opens the table again is asked once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.acts.performing import perform
from interpreter.playing.session import Session
from interpreter.playing.simultaneous import chosen_together, question_of


class Sealed:
    """Choices that nobody sees until they are played, not even that they were made."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, tuple[str, ...]]] = {}  # seat → after which decision, keys

    def question_of(self, session: Session, seat: str) -> Session:
        """The game as this seat is asked in it: itself, or a copy ahead of those who have not chosen yet."""
        if seat in self._kept:
            return session
        return question_of(session, seat) or session

    def keep(self, session: Session, seat: str, keys: Sequence[str]) -> None:
        self._kept[seat] = (len(session.history), tuple(keys))

    def take_back(self, seat: str) -> bool:
        """Whether there was something that has not been played yet."""
        return self._kept.pop(seat, None) is not None

    def play(self, session: Session) -> None:
        """Play what was kept, in turn; what was kept for a round that was taken back is forgotten."""
        now = len(session.history)
        self._kept = {seat: kept for seat, kept in self._kept.items() if kept[0] <= now}
        if chosen_together(session) is None:
            self._kept.clear()
        while (who := session.player) is not None and who in self._kept:
            perform(session, who, self._kept.pop(who)[1])
