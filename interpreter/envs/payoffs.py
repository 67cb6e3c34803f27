"""What a finished game is worth to each player.

Where the rules say what everybody gets (`end game: each player gets …`), that is it. Otherwise a win
counts 1, and what the winners gain the others lose in equal parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine


def payoffs(ruleset: Ruleset, machine: Machine) -> dict[int, float]:
    """By the number of the player, for those who take part."""
    outcome, winners, _, _ = machine.outcome or ("drawn", 0, "", "")
    return gains(ruleset, outcome, winners, machine.payoffs or ())


def gains(ruleset: Ruleset, outcome: str, winners: int, paid: Sequence[tuple[int, Any]]) -> dict[int, float]:
    """The same of a game of which only the end is known: who won (a set), and what the rules gave whom."""
    seats = ruleset.seats.index.values()
    if paid:
        said = dict(paid)
        return {seat: float(said.get(seat, 0)) for seat in seats}
    won = sum(winners >> seat & 1 for seat in seats)
    lost = len(seats) - won
    if outcome == "drawn" or not won or not lost:
        return dict.fromkeys(seats, 0.0)
    return {seat: 1.0 / won if winners >> seat & 1 else -1.0 / lost for seat in seats}
