"""Counting what can be played: two programs that agree on these numbers agree on the rules.

`perft` is the word of chess programmers for the number of ways to play a given number of moves. A wrong
rule, however rarely it applies, shows in it sooner than in any list of hand-made examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self


class Countable(Protocol):
    """What counting needs of a game; the hand-written games have it, a session can be wrapped to have it."""

    def legal(self) -> Sequence[Any]: ...

    def play(self, move: Any) -> None: ...

    def over(self) -> bool: ...

    def copy(self) -> Self: ...


def perft(game: Countable, depth: int) -> int:
    """In how many ways can exactly `depth` moves be played from here? Games that end sooner do not count."""
    if depth == 0:
        return 1
    if game.over():
        return 0
    moves = game.legal()
    if depth == 1:
        return len(moves)  # each move is one way: playing them would tell nothing more
    return sum(perft(_after(game, move), depth - 1) for move in moves)


def divide(game: Countable, depth: int, name: Callable[[Any], str]) -> dict[str, int]:
    """`perft` split by first move: where two counts differ, this says which move to follow."""
    return {name(move): perft(_after(game, move), depth - 1) for move in game.legal()}


def complete_games(game: Countable) -> int:
    """How many different games can be played to the end from here?"""
    if game.over():
        return 1
    return sum(complete_games(_after(game, move)) for move in game.legal())


def _after(game: Countable, move: Any) -> Countable:
    following = game.copy()
    following.play(move)
    return following
