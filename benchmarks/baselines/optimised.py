"""The four tutorial games as fast as Python goes by hand: bit masks, tables, incremental connectivity.

These are the ceiling: what a compiler could at best derive from the rules. Each `playout` is written out in
full, because calls and attributes would cost more than the rules do; it draws from the same list in the same
order as `legal()` gives, so that a test can hold it against the methods, and the methods against `plain`.
Here are the two small boards; the two wide ones are in `optimised_wide`.
"""

from __future__ import annotations

import random
from typing import Self

from benchmarks.baselines import AnyGame, Position, cell_name
from benchmarks.baselines.optimised_wide import Breakthrough, Hex

_TIC_TAC_TOE_LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # one octal digit a row
_HAS_LINE = [any(marks & line == line for line in _TIC_TAC_TOE_LINES) for marks in range(512)]
_FREE_BITS = [[1 << cell for cell in range(9) if not taken >> cell & 1] for taken in range(512)]


class TicTacToe(Position):
    """A move is a bit; lines and free cells come from tables of all 512 masks."""

    __slots__ = ("marks",)

    def __init__(self, marks: tuple[int, int] = (0, 0), player: int = 0, won: int | None = None) -> None:
        super().__init__(player, won)
        self.marks = list(marks)

    @classmethod
    def new(cls) -> Self:
        return cls()

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        draw = rng.random
        cross = nought = 0
        for free in (9, 7, 5, 3):
            cross |= _FREE_BITS[cross | nought][int(draw() * free)]
            if _HAS_LINE[cross]:
                return 0
            nought |= _FREE_BITS[cross | nought][int(draw() * (free - 1))]
            if _HAS_LINE[nought]:
                return 1
        return 0 if _HAS_LINE[511 ^ nought] else None

    def legal(self) -> list[int]:
        return [] if self.won is not None else _FREE_BITS[self.marks[0] | self.marks[1]]

    def play(self, move: int) -> None:
        self.marks[self.player] |= move
        if _HAS_LINE[self.marks[self.player]]:
            self.won = self.player
        self.player ^= 1

    def over(self) -> bool:
        return self.won is not None or self.marks[0] | self.marks[1] == 511

    def copy(self) -> Self:
        return self.__class__((self.marks[0], self.marks[1]), self.player, self.won)

    def name(self, move: int) -> str:
        cell = move.bit_length() - 1
        return cell_name(cell % 3, cell // 3)


# One mask per line of the board beats one mask of the board: it stays below 128, where Python makes no new
# integers, and a table of 128 knows whether it holds four in a row.
_HAS_FOUR = [any(stones >> shift & 15 == 15 for shift in range(4)) for stones in range(128)]
_COLUMN_BOTTOMS = [0, 6, 12, 18, 24, 30, 36]
_IS_TOP = [cell % 6 == 5 for cell in range(42)]
# Cells are numbered up the columns. Lines: rows 0–5, columns 6–12, rising 13–24, falling 25–36.
_LINES_OF = [
    (row, 1 << column, 6 + column, 1 << row, 19 + row - column, 1 << column, 25 + row + column, 1 << column)
    for column in range(7)
    for row in range(6)
]


class ConnectFour(Position):
    """A move is the cell where the stone lands, so that playing it needs no look at the column."""

    __slots__ = ("landings", "lines")

    def __init__(self) -> None:
        super().__init__()
        self.landings = _COLUMN_BOTTOMS[:]
        self.lines = [[0] * 37, [0] * 37]

    @classmethod
    def new(cls) -> Self:
        return cls()

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        draw = rng.random
        landings, columns = _COLUMN_BOTTOMS[:], 7
        mine, theirs = [0] * 37, [0] * 37
        for ply in range(42):
            index = int(draw() * columns)
            cell = landings[index]
            if _IS_TOP[cell]:
                del landings[index]
                columns -= 1
            else:
                landings[index] = cell + 1
            row, row_bit, column, column_bit, rising, rising_bit, falling, falling_bit = _LINES_OF[cell]
            mine[row] = stones = mine[row] | row_bit
            if _HAS_FOUR[stones]:
                return ply & 1
            mine[column] = stones = mine[column] | column_bit
            if _HAS_FOUR[stones]:
                return ply & 1
            mine[rising] = stones = mine[rising] | rising_bit
            if _HAS_FOUR[stones]:
                return ply & 1
            mine[falling] = stones = mine[falling] | falling_bit
            if _HAS_FOUR[stones]:
                return ply & 1
            mine, theirs = theirs, mine
        return None

    def legal(self) -> list[int]:
        return [] if self.won is not None else self.landings

    def play(self, move: int) -> None:
        index = self.landings.index(move)
        if _IS_TOP[move]:
            del self.landings[index]
        else:
            self.landings[index] = move + 1
        mine, where = self.lines[self.player], _LINES_OF[move]
        for line, bit in zip(where[::2], where[1::2], strict=True):
            mine[line] |= bit
            if _HAS_FOUR[mine[line]]:
                self.won = self.player
        self.player ^= 1

    def over(self) -> bool:
        return self.won is not None or not self.landings

    def copy(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.player, other.won = self.player, self.won
        other.landings = self.landings[:]
        other.lines = [self.lines[0][:], self.lines[1][:]]
        return other

    def name(self, move: int) -> str:
        return "abcdefg"[move // 6]


GAMES: dict[str, type[AnyGame]] = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
    "hex": Hex,
}
