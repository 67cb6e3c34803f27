"""Random games of chess in step with python-chess: the same moves at every position, the same ends."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.classics import begun, classic, ids, rules_of
from interpreter.running.machine import Machine

_LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
_LAST_ROWS = ("1", "8")


def moves_in_step(count: int) -> tuple[int, list[str]]:
    """At least so many positions of random games: how many were compared, and where the two disagreed."""
    import chess

    compared, wrong, seed = 0, list[str](), 0
    while compared < count and not wrong:
        rng, machine, board = Random(seed), begun("chess"), chess.Board()
        seed += 1
        while (end := _end(board)) is None and compared < count:
            ours, theirs = moves(machine), {move.uci() for move in board.legal_moves}
            compared += 1
            if set(ours) != theirs:
                wrong.append(f"{board.fen()}: {sorted(set(ours) ^ theirs)}")
                break
            move = rng.choice(sorted(ours))
            for number in ours[move]:
                machine.choose(number)
            board.push_uci(move)
        if end is not None and (machine.outcome is None or not machine.outcome[2].startswith(end)):
            wrong.append(f"{board.fen()}: {end} there, {machine.outcome} here")
    return compared, wrong


def _end(board: Any) -> str | None:
    """How the game has ended, as our rulebook begins the sentence."""
    ends = {
        "mate": board.is_checkmate,
        "stalemate": board.is_stalemate,
        "nobody can give mate": board.is_insufficient_material,
        "fifty moves": lambda: board.halfmove_clock >= 100,
        "the same position": lambda: board.is_repetition(3),
    }
    return next((words for words, holds in ends.items() if holds()), None)


def moves(machine: Machine) -> dict[str, tuple[int, ...]]:
    """Every legal move as `e2e4` or `e7e8q`, with the numbers of the options that make it."""
    cells, kinds = ids("chess", "space"), classic("chess").program.world.enums["kind"].values
    layout, state = rules_of("chess").layout, machine.s
    at, kind = layout.arrays["piece", "at"].base, layout.arrays["piece", "kind"].base
    found: dict[str, tuple[int, ...]] = {}
    assert machine.pending is not None
    for number, (figure, cell) in enumerate(machine.pending.options):
        name = cells[state[at + figure]] + cells[cell]
        if kinds[state[kind + figure]] != "pawn" or cells[cell][1] not in _LAST_ROWS:
            found[name] = (number,)
            continue
        after = machine.copy()
        after.choose(number)
        assert after.pending is not None
        for choice, becomes in enumerate(after.pending.options):
            found[name + _LETTERS[kinds[becomes]]] = (number, choice)
    return found
