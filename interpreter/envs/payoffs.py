"""What a finished game is worth to each player.

Where the rules say what everybody gets (`end game: each player gets …`), that is it. Otherwise a win
counts 1, and what the winners gain the others lose in equal parts.
"""

from __future__ import annotations

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine


def payoffs(ruleset: Ruleset, machine: Machine) -> dict[int, float]:
    """By the number of the player, for those who take part."""
    seats = ruleset.seats.index.values()
    if machine.payoffs:
        said = dict(machine.payoffs)
        return {seat: float(said.get(seat, 0)) for seat in seats}
    outcome, winners, _, _ = machine.outcome or ("drawn", 0, "", "")
    won = sum(winners >> seat & 1 for seat in seats)
    lost = len(seats) - won
    if outcome == "drawn" or not won or not lost:
        return dict.fromkeys(seats, 0.0)
    return {seat: 1.0 / won if winners >> seat & 1 else -1.0 / lost for seat in seats}
