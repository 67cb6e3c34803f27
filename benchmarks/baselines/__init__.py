"""Hand-written games, independent of the engine: what it is measured against, and oracles for its tests.

`plain` is what a Python programmer writes first: boards as lists, moves as lists. `optimised` is what the
same programmer writes after an evening with a profiler: bit boards and incremental connectivity.
`zone_war` is the core of a wargame on zones. Nothing here may import the engine.
"""

from __future__ import annotations

import random
from typing import Any, Protocol, Self, TypeVar

Move = TypeVar("Move")


class Game(Protocol[Move]):
    """What every hand-written game offers. Players are 0 (moves first) and 1."""

    @classmethod
    def new(cls) -> Self:
        """The starting position."""

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        """Play one game with moves drawn evenly from the legal ones; the winner, or None for a draw."""

    def legal(self) -> list[Move]:
        """The legal moves; empty when the game is over. Callers must not change the list."""

    def play(self, move: Move) -> None:
        """Play a move taken from `legal()`; nothing checks it again."""

    def over(self) -> bool:
        """Has somebody won, or is there nothing left to play?"""

    def winner(self) -> int | None:
        """The winner; None for a draw and while the game runs."""

    def copy(self) -> Self:
        """A position that can be played on without changing this one."""

    def name(self, move: Move) -> str:
        """The move as text, the same text in `plain` and `optimised`."""


class Position:
    """What every position knows: whose turn it is, and who has won."""

    __slots__ = ("player", "won")

    def __init__(self, player: int = 0, won: int | None = None) -> None:
        self.player = player
        self.won = won

    def winner(self) -> int | None:
        return self.won


# Positions of different games share a table, so their kinds of move cannot be told apart by type.
AnyGame = Game[Any]


def cell_name(column: int, row: int) -> str:
    """`a1` is the bottom left cell; both numbers count from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def find_move(game: AnyGame, text: str) -> Any:
    """The legal move called `text`; ValueError when there is none."""
    for move in game.legal():
        if game.name(move) == text:
            return move
    raise ValueError(f"{text} is not legal here")
