"""Breakthrough and Hex by hand: see `optimised`, which offers all four games."""

from __future__ import annotations

import random
from typing import Self

from benchmarks.baselines import Position, cell_name


def bits_of(mask: int) -> list[int]:
    """The bits set in `mask`, each as a mask of its own, lowest first."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits


_ALL = (1 << 64) - 1
_NOT_A = 0xFEFEFEFEFEFEFEFE
_NOT_H = 0x7F7F7F7F7F7F7F7F
_LAST_ROW = 1 << 56


class Breakthrough(Position):
    """A bit board of 64 cells from a1, row by row, for each player. A move is (from, to) as two bits."""

    __slots__ = ("pawns",)

    def __init__(
        self, white: int = 0xFFFF, black: int = 0xFFFF << 48, player: int = 0, won: int | None = None
    ) -> None:
        super().__init__(player, won)
        self.pawns = [white, black]

    @classmethod
    def new(cls) -> Self:
        return cls()

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        draw = rng.random
        white, black = 0xFFFF, 0xFFFF << 48
        while True:
            free = _ALL ^ white
            goals, step = white << 8 & (free ^ black), 8
            west, east = (white & _NOT_A) << 7 & free, (white & _NOT_H) << 9 & free
            ahead, aside = goals.bit_count(), west.bit_count()
            chosen = int(draw() * (ahead + aside + east.bit_count()))
            if chosen >= ahead:
                chosen -= ahead
                goals, step = west, 7
                if chosen >= aside:
                    chosen -= aside
                    goals, step = east, 9
            while chosen:
                goals &= goals - 1
                chosen -= 1
            goal = goals & -goals
            white ^= goal | goal >> step
            if goal & black:
                black ^= goal
                if not black:
                    return 0
            if goal >= _LAST_ROW:
                return 0
            free = _ALL ^ black
            goals, step = black >> 8 & (free ^ white), 8
            west, east = (black & _NOT_A) >> 9 & free, (black & _NOT_H) >> 7 & free
            ahead, aside = goals.bit_count(), west.bit_count()
            chosen = int(draw() * (ahead + aside + east.bit_count()))
            if chosen >= ahead:
                chosen -= ahead
                goals, step = west, 9
                if chosen >= aside:
                    chosen -= aside
                    goals, step = east, 7
            while chosen:
                goals &= goals - 1
                chosen -= 1
            goal = goals & -goals
            black ^= goal | goal << step
            if goal & white:
                white ^= goal
                if not white:
                    return 1
            if goal < 256:
                return 1

    def legal(self) -> list[tuple[int, int]]:
        if self.won is not None:
            return []
        mine, theirs = self.pawns[self.player], self.pawns[1 - self.player]
        free = _ALL ^ mine
        sides_a, sides_h = mine & _NOT_A, mine & _NOT_H
        if self.player == 0:
            moves = [(goal >> 8, goal) for goal in bits_of(mine << 8 & (free ^ theirs))]
            moves += [(goal >> 7, goal) for goal in bits_of(sides_a << 7 & free)]
            return moves + [(goal >> 9, goal) for goal in bits_of(sides_h << 9 & free)]
        moves = [(goal << 8, goal) for goal in bits_of(mine >> 8 & (free ^ theirs))]
        moves += [(goal << 9, goal) for goal in bits_of(sides_a >> 9 & free)]
        return moves + [(goal << 7, goal) for goal in bits_of(sides_h >> 7 & free)]

    def play(self, move: tuple[int, int]) -> None:
        start, goal = move
        player = self.player
        self.pawns[player] ^= start | goal
        self.pawns[1 - player] &= ~goal
        if goal >= _LAST_ROW or goal < 256 or not self.pawns[1 - player]:
            self.won = player
        self.player = 1 - player

    def over(self) -> bool:
        # A player always has a move: nothing of his own stands before his foremost pawn.
        return self.won is not None

    def copy(self) -> Self:
        return self.__class__(self.pawns[0], self.pawns[1], self.player, self.won)

    def name(self, move: tuple[int, int]) -> str:
        start, goal = (bit.bit_length() - 1 for bit in move)
        return f"{cell_name(start % 8, start // 8)}-{cell_name(goal % 8, goal // 8)}"


_SIZE = 11
_CELLS = list(range(_SIZE * _SIZE))
_NEIGHBOURS = [
    [
        y * _SIZE + x
        for x, y in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1))
        if 0 <= x < _SIZE and 0 <= y < _SIZE
    ]
    for r in range(_SIZE)
    for c in range(_SIZE)
]
# Cells that count as joined to a player's first side from the start: row 1 for player 0, column a for 1.
_FIRST_SIDES = [bytes(cell < _SIZE for cell in _CELLS), bytes(cell % _SIZE == 0 for cell in _CELLS)]
_LAST_SIDES = [bytes(cell >= 110 for cell in _CELLS), bytes(cell % _SIZE == 10 for cell in _CELLS)]


class Hex(Position):
    """Connectivity grows from the first side only, and every stone is joined to it at most once.

    That does the work of a union-find with less: `touched` marks the cells where a stone would be joined,
    `loose` the stones that are not joined yet. The free cells are a list in which the last cell takes the
    place of the one played.
    """

    __slots__ = ("free", "loose", "touched")

    def __init__(self) -> None:
        super().__init__()
        self.free = _CELLS[:]
        self.touched = [bytearray(side) for side in _FIRST_SIDES]
        self.loose = [bytearray(len(_CELLS)), bytearray(len(_CELLS))]

    @classmethod
    def new(cls) -> Self:
        return cls()

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        draw = rng.random
        free = _CELLS[:]
        touched, touched_theirs = bytearray(_FIRST_SIDES[0]), bytearray(_FIRST_SIDES[1])
        loose, loose_theirs = bytearray(121), bytearray(121)
        last_side, last_side_theirs = _LAST_SIDES
        for left in range(121, 0, -1):
            index = int(draw() * left)
            cell = free[index]
            free[index] = free[left - 1]
            if touched[cell]:
                joined = [cell]
                for stone in joined:
                    if last_side[stone]:
                        return 1 - (left & 1)
                    for neighbour in _NEIGHBOURS[stone]:
                        touched[neighbour] = 1
                        if loose[neighbour]:
                            loose[neighbour] = 0
                            joined.append(neighbour)
            else:
                loose[cell] = 1
            touched, touched_theirs = touched_theirs, touched
            loose, loose_theirs = loose_theirs, loose
            last_side, last_side_theirs = last_side_theirs, last_side
        raise AssertionError("a full board of Hex has a winner")

    def legal(self) -> list[int]:
        return [] if self.won is not None else self.free

    def play(self, move: int) -> None:
        free, player = self.free, self.player
        free[free.index(move)] = free[-1]
        free.pop()
        touched, loose = self.touched[player], self.loose[player]
        loose[move] = 1
        joined = [move] if touched[move] else []
        for stone in joined:
            loose[stone] = 0
            if _LAST_SIDES[player][stone]:
                self.won = player
            for neighbour in _NEIGHBOURS[stone]:
                touched[neighbour] = 1
                if loose[neighbour]:
                    loose[neighbour] = 0
                    joined.append(neighbour)
        self.player = 1 - player

    def over(self) -> bool:
        return self.won is not None

    def copy(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.player, other.won = self.player, self.won
        other.free = self.free[:]
        other.touched = [self.touched[0][:], self.touched[1][:]]
        other.loose = [self.loose[0][:], self.loose[1][:]]
        return other

    def name(self, move: int) -> str:
        return cell_name(move % _SIZE, move // _SIZE)
