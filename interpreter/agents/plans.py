"""Plans: what a player does in his part of the game, decision by decision, as it was once done in some world.

A plan is followed as far as it goes. The option that comes next in it is taken when it is there; else, where
something new is begun, the first of the plan that was left out so far: units may march in another order.
Steps of a journey, and members that are gathered one by one, are those of what was begun before, or none.
Where the plan knows nothing, whoever follows it does what looks best.

As words (`bytes`) a plan goes into the machine and comes out of it (runtime_lines.h); what is done here is
done there.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from interpreter.native.lines import PLANNED_WORDS
from interpreter.running.machine import Pending

Plan = bytes
NONE: Plan = b""
SIZE = 8 * PLANNED_WORDS
OUT, NOT_OFFERED = -1, -2


def noted(pending: Pending, index: int) -> Plan:
    """One decision."""
    row = [0] * PLANNED_WORDS
    row[0], row[1] = pending.site, int(index < 0)
    if index >= 0:
        option: Any = pending.options[index]
        words = option if isinstance(option, tuple) else (option,)
        row[2 : 2 + len(words)] = words
    return array("q", row).tobytes()


def offered(pending: Pending, decision: Plan) -> int:
    """Which option that decision is now: its index, the way out, or none."""
    row = array("q", decision)
    if row[0] != pending.site:
        return NOT_OFFERED
    if row[1]:
        return OUT if pending.out else NOT_OFFERED
    options: Sequence[Any] = pending.options
    if not len(options):
        return NOT_OFFERED
    first = options[0]
    wanted: Any = tuple(row[2 : 2 + len(first)]) if isinstance(first, tuple) else row[2]
    return next((index for index, option in enumerate(options) if option == wanted), NOT_OFFERED)


class Follower:
    """Somebody who follows a plan."""

    def __init__(self, plan: Plan, goes_on: Sequence[bool]) -> None:
        self._plan = [plan[at : at + SIZE] for at in range(0, len(plan), SIZE)]
        self._used = [False] * len(self._plan)
        self._last = -1
        self._goes_on = goes_on

    def begin(self, pending: Pending, index: int) -> None:
        """The first decision was made."""
        if self._plan and offered(pending, self._plan[0]) == index:
            self._used[0], self._last = True, 0

    def choose(self, pending: Pending) -> int:
        """What the plan says now, `NOT_OFFERED` when it says nothing."""
        following = self._last + 1
        if following < len(self._plan) and not self._used[following]:
            index = offered(pending, self._plan[following])
            if index != NOT_OFFERED:
                self._used[following], self._last = True, following
                return index
        if self._goes_on[pending.site]:
            return NOT_OFFERED
        for number, decision in enumerate(self._plan):
            if not self._used[number] and (index := offered(pending, decision)) != NOT_OFFERED:
                self._used[number], self._last = True, number
                return index
        return NOT_OFFERED


def otherwise(pending: Pending, index: int, pick: float) -> int:
    """Something else than what the plan says (which may be nothing), by lot."""
    options = len(pending.options)
    number = int(pick * (options + pending.out - (index != NOT_OFFERED)))
    if index != NOT_OFFERED and number >= (options if index == OUT else index):
        number += 1
    return number if number < options else OUT
