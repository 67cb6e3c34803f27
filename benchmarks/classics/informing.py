"""Games with hidden cards: how many ways they end, and how many situations a player can tell apart.

An information set is what the player who is asked knows: his view and his log, nothing else. So the count
holds the secrecy of views and log as well as the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.classics import classic
from interpreter.playing.session import Session
from interpreter.running.machine import Machine

# game → complete games, information sets
KNOWN = {"kuhn_poker": (30, 12), "leduc_poker": (5_520, 936)}


class _Undecided(Exception):
    """Chance has to choose among these."""

    def __init__(self, members: list[int]) -> None:
        super().__init__()
        self.members = members


@contextmanager
def _dictated(cards: list[int]) -> Iterator[None]:
    """Chance picks what it is told, and asks when nothing is left."""

    def pick(self: Machine, purpose: str, cell: int, group: int) -> int:
        if not cards:
            raise _Undecided([i for i in range(group.bit_length()) if group >> i & 1])
        return cards.pop(0)

    own = Machine.pick
    Machine.pick = pick  # type: ignore[method-assign]
    try:
        yield
    finally:
        Machine.pick = own  # type: ignore[method-assign]


def ends_and_information_sets(name: str) -> tuple[int, int]:
    """All games of a game with cards, whatever is dealt and whatever is decided."""
    ends, known = 0, set[tuple[Any, ...]]()
    waiting = list(_dealt(name))
    while waiting:
        session = waiting.pop()
        if session.over:
            ends += 1
            continue
        told = tuple(line.text for line in session.log_of(session.player))
        known.add((session.player, told, repr(session.view(session.player)["things"])))
        for option in session.options:
            waiting += _after(session, option.key)
    return ends, len(known)


def _dealt(name: str) -> Iterator[Session]:
    """The game at its first decision, with every deal."""
    deals: list[list[int]] = [[]]
    while deals:
        deal = deals.pop()
        try:
            with _dictated(deal[:]):
                yield Session.start(classic(name))
        except _Undecided as asked:
            deals += [[*deal, card] for card in asked.members]


def _after(session: Session, key: str) -> Iterator[Session]:
    """The game after a decision, with every card that chance may turn up."""
    cards: list[list[int]] = [[]]
    while cards:
        told = cards.pop()
        following = session.copy()
        try:
            with _dictated(told[:]):
                following.choose(key)
        except _Undecided as asked:
            cards += [[*told, card] for card in asked.members]
        else:
            yield following
