"""How long an opponent may think: so many tries before a decision, so many seconds in a turn of the game.

Tries decide the same on every machine. Seconds are meant for people who wait: what is left of a turn is
divided among the decisions that are still to come in it, as far as the turns before tell how many there
are.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from interpreter.agents.sight import Sight

USUAL = 40  # tries
FIRST_GUESS = 80  # decisions of a player in a turn, before anything is known
LONGEST = 0.9  # seconds before one decision: people get an answer within a second
LEAST = 0.03  # the same in a turn of more decisions than expected: who may not look plays anything
FEWEST = 4  # decisions that are always thought to be still to come


@dataclass(slots=True)
class Spending:
    """What may be spent on one decision."""

    tries: int
    until: float | None = None  # by the clock
    begun: float = 0.0

    @property
    def pace(self) -> int:
        """How many thoughts of the usual size these tries are: who asks for more may do more."""
        return max(1, self.tries // USUAL)

    def left(self, done: int) -> int:
        """How many more tries there will be; by the clock as fast as they have been so far."""
        left = max(0, self.tries - done)
        if self.until is None or not done:
            return left
        now = time.monotonic()
        return min(left, int(max(0.0, self.until - now) * done / max(now - self.begun, 1e-6)))

    def more(self, done: int) -> bool:
        """Whether there is something left for another try."""
        return done < self.tries and (self.until is None or time.monotonic() < self.until)

    def late(self) -> bool:
        """Whether the time is over."""
        return self.until is not None and time.monotonic() > self.until

    def in_a_hurry(self) -> bool:
        """Whether half of the time has gone: the rest is for tries."""
        return self.until is not None and time.monotonic() > (self.begun + self.until) / 2

    def trying(self) -> None:
        """From here on tries are counted by the clock."""
        if self.until is not None:
            self.begun = time.monotonic()


class Tries:
    """So many tries before each decision, and perhaps no more than so many seconds."""

    def __init__(self, tries: int, seconds: float | None = None) -> None:
        self._tries, self._seconds = tries, seconds

    def spending(self, sight: Sight) -> Spending:
        sight.get_ready()
        now = time.monotonic()
        return Spending(self._tries, None if self._seconds is None else now + self._seconds, now)

    def spent(self, _: Spending) -> None:
        """Nothing is remembered."""


class SecondsATurn:
    """So many seconds for all decisions of a turn; where turns are not counted, before each decision."""

    def __init__(self, seconds: float, tries: int) -> None:
        self._seconds, self._tries = seconds, tries
        self._turn: int | None = None
        self._left = seconds
        self._made = 0  # decisions in this turn
        self._usual: float = FIRST_GUESS
        self._started = 0.0

    def spending(self, sight: Sight) -> Spending:
        sight.get_ready()
        turn = sight.turn
        if turn is None or turn != self._turn:
            if self._turn is not None and self._made:
                self._usual = (self._usual + self._made) / 2
            self._turn, self._left, self._made = turn, self._seconds, 0
        self._made += 1
        coming = 1.0 if turn is None else max(FEWEST, self._usual - self._made)
        self._started = time.monotonic()
        granted = max(LEAST, min(LONGEST, self._left / coming))
        return Spending(self._tries, self._started + granted, self._started)

    def spent(self, _: Spending) -> None:
        self._left -= time.monotonic() - self._started


Budget = Tries | SecondsATurn
