"""The four tutorial games in straightforward Python: a board is a list, the moves are a list.

Meant to be read and trusted; but not slow on purpose, because the engine's speed is quoted against it.
"""

from __future__ import annotations

import random
from typing import Generic, Self

from benchmarks.baselines import AnyGame, Move, Position, cell_name

EMPTY = -1


class _Plain(Position, Generic[Move]):
    """What the games share: a board and the list of moves."""

    __slots__ = ("board", "moves")

    def __init__(self, board: list[int], moves: list[Move]) -> None:
        super().__init__()
        self.board = board
        self.moves = moves

    @classmethod
    def new(cls) -> Self:
        raise NotImplementedError

    def play(self, move: Move) -> None:
        raise NotImplementedError

    @classmethod
    def playout(cls, rng: random.Random) -> int | None:
        game = cls.new()
        # Only random() is promised to give the same numbers on every Python.
        draw = rng.random
        while not game.over():
            moves = game.legal()
            game.play(moves[int(draw() * len(moves))])
        return game.won

    def legal(self) -> list[Move]:
        return [] if self.won is not None else self.moves

    def over(self) -> bool:
        return self.won is not None or not self.moves

    def copy(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.board = self.board[:]
        other.moves = self.moves[:]
        other.player = self.player
        other.won = self.won
        return other


# Cells are numbered row by row from a1. For each cell, the two other cells of every line through it.
_TIC_TAC_TOE_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
_TIC_TAC_TOE_MATES = [
    [tuple(other for other in line if other != cell) for line in _TIC_TAC_TOE_LINES if cell in line]
    for cell in range(9)
]


class TicTacToe(_Plain[int]):
    """Three in a row on 3×3. A move is a cell."""

    __slots__ = ()

    @classmethod
    def new(cls) -> Self:
        return cls([EMPTY] * 9, list(range(9)))

    def play(self, move: int) -> None:
        board, player = self.board, self.player
        board[move] = player
        self.moves.remove(move)
        for first, second in _TIC_TAC_TOE_MATES[move]:
            if board[first] == player and board[second] == player:
                self.won = player
                return
        self.player = 1 - player

    def name(self, move: int) -> str:
        return cell_name(move % 3, move // 3)


# A border of one cell on each side of the 7×6 board spares every look for the edge: the stride is 9, and
# the border holds a value no player has.
_STRIDE = 9
_BORDER = 2
_CONNECT_FOUR_START = [
    EMPTY if 1 <= column <= 7 and 1 <= row <= 6 else _BORDER for row in range(8) for column in range(9)
]


class ConnectFour(_Plain[int]):
    """Four in a row, stones fall to the bottom, 7 columns × 6 rows. A move is a column."""

    __slots__ = ()

    @classmethod
    def new(cls) -> Self:
        return cls(_CONNECT_FOUR_START[:], list(range(7)))

    def play(self, move: int) -> None:
        board, player = self.board, self.player
        cell = _STRIDE + 1 + move
        while board[cell] != EMPTY:
            cell += _STRIDE
        if board[cell + _STRIDE] == _BORDER:
            self.moves.remove(move)
        board[cell] = player
        for step in (1, _STRIDE, _STRIDE + 1, _STRIDE - 1):
            length = 1
            look = cell + step
            while board[look] == player:
                length += 1
                look += step
            look = cell - step
            while board[look] == player:
                length += 1
                look -= step
            if length >= 4:
                self.won = player
                return
        self.player = 1 - player

    def name(self, move: int) -> str:
        return "abcdefg"[move]


# For each player and cell: the move straight ahead, and the one or two moves diagonally ahead.
_PAWN_MOVES = [
    [
        ((pawn, pawn + ahead), [(pawn, pawn + ahead + side) for side in (-1, 1) if 0 <= pawn % 8 + side < 8])
        for pawn in range(64)
    ]
    for ahead in (8, -8)
]


class Breakthrough(_Plain[tuple[int, int]]):
    """Two rows of pawns each on 8×8. A move is (from, to), cells numbered row by row from a1."""

    __slots__ = ("pawns",)

    pawns: list[list[int]]

    @classmethod
    def new(cls) -> Self:
        game = cls([0] * 16 + [EMPTY] * 32 + [1] * 16, [])
        game.pawns = [list(range(16)), list(range(48, 64))]
        game._find_moves()
        return game

    def copy(self) -> Self:
        other = super().copy()
        other.pawns = [self.pawns[0][:], self.pawns[1][:]]
        return other

    def _find_moves(self) -> None:
        board, player = self.board, self.player
        of_pawn = _PAWN_MOVES[player]
        self.moves = moves = []
        for pawn in self.pawns[player]:
            straight, diagonals = of_pawn[pawn]
            if board[straight[1]] == EMPTY:
                moves.append(straight)
            for move in diagonals:
                if board[move[1]] != player:
                    moves.append(move)

    def play(self, move: tuple[int, int]) -> None:
        start, goal = move
        board, player = self.board, self.player
        mine, theirs = self.pawns[player], self.pawns[1 - player]
        if board[goal] != EMPTY:
            theirs.remove(goal)
        board[start] = EMPTY
        board[goal] = player
        mine[mine.index(start)] = goal
        if goal < 8 or goal >= 56 or not theirs:
            self.won = player
            return
        self.player = 1 - player
        self._find_moves()

    def name(self, move: tuple[int, int]) -> str:
        start, goal = move
        return f"{cell_name(start % 8, start // 8)}-{cell_name(goal % 8, goal // 8)}"


_HEX = 11
_HEX_NEIGHBOURS = [
    [
        y * _HEX + x
        for x, y in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1))
        if 0 <= x < _HEX and 0 <= y < _HEX
    ]
    for r in range(_HEX)
    for c in range(_HEX)
]


class Hex(_Plain[int]):
    """11×11, no swap rule. Player 0 joins row 1 with row 11, player 1 joins column a with column k."""

    __slots__ = ()

    @classmethod
    def new(cls) -> Self:
        return cls([EMPTY] * (_HEX * _HEX), list(range(_HEX * _HEX)))

    def play(self, move: int) -> None:
        self.board[move] = self.player
        self.moves.remove(move)
        if self._joins_sides(move):
            self.won = self.player
            return
        self.player = 1 - self.player

    def _joins_sides(self, cell: int) -> bool:
        """Does the chain through the stone just placed touch both sides of its owner?"""
        board, player = self.board, self.player
        chain = {cell}
        todo = [cell]
        low = high = False
        while todo:
            here = todo.pop()
            along = here // _HEX if player == 0 else here % _HEX
            low = low or along == 0
            high = high or along == _HEX - 1
            for neighbour in _HEX_NEIGHBOURS[here]:
                if board[neighbour] == player and neighbour not in chain:
                    chain.add(neighbour)
                    todo.append(neighbour)
        return low and high

    def name(self, move: int) -> str:
        return cell_name(move % _HEX, move // _HEX)


GAMES: dict[str, type[AnyGame]] = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
    "hex": Hex,
}
