"""Backgammon in step with OpenSpiel: every way a turn can leave the board, with the same dice."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.classics import begun, classic, rules_of
from benchmarks.classics.beside_open_spiel import Compared, load, many
from interpreter.running.machine import Machine

Board = tuple[tuple[int, ...], ...]  # for each player the men on 24 points, the bar, either home
_POINTS, _BAR, _MEN = 24, 100, 15


def backgammon_in_step(count: int) -> Compared:
    game = load("backgammon")
    return many(count, lambda rng, most: _backgammon(game, rng, most))


def _backgammon(game: Any, rng: Random, most: int) -> Compared:
    dice = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(3_000)]
    while dice[0][0] == dice[0][1]:
        dice.pop(0)
    machine = begun("backgammon", script=[die for pair in dice for die in pair])
    state, rolled, compared = game.new_initial_state(), 0, 0
    while machine.pending is not None and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_roll(state, dice[rolled], rolled == 0))
            rolled += 1
            continue
        if compared >= most:
            return compared, []
        theirs = _their_ends(state)
        if set(theirs) == {their_board(state)}:  # nobody is asked here who cannot move
            state = theirs[their_board(state)]
            continue
        ours = _ends(machine)
        compared += 1
        if set(ours) != set(theirs):
            return compared, [f"dice {dice[rolled - 1]}: {len(ours)} ways here, {len(theirs)} there\n{state}"]
        board = rng.choice(sorted(ours))
        machine, state = ours[board], theirs[board]
    return compared, [] if state.is_terminal() and machine.pending is None else [f"goes on\n{state}"]


def _roll(state: Any, dice: tuple[int, int], begins: bool) -> int:
    """The outcome of chance with these dice; the first ones also say who begins."""
    for action, _ in state.chance_outcomes():
        words = state.action_to_string(action)
        shown = [int(digit) for digit in words.split("roll: ")[1][:2]]
        if sorted(shown) == sorted(dice) and (not begins or ("X starts" in words) == (dice[0] > dice[1])):
            return int(action)
    raise AssertionError(f"no such roll: {dice}")


def our_board(machine: Machine) -> Board:
    owners = classic("backgammon").program.world.attributes["piece", "owner"].values
    at = rules_of("backgammon").layout.arrays["piece", "at"].base
    men = [[0] * 27, [0] * 27]
    for man, owner in enumerate(owners):
        men[int(str(owner))][machine.s[at + man]] += 1
    return tuple(map(tuple, men))


def their_board(state: Any) -> Board:
    men = [[0] * 27, [0] * 27]
    for player, mine in enumerate(men):
        for point in range(_POINTS):
            mine[_POINTS - 1 - point] = max(0, state.board(player, point))
        mine[_POINTS] = state.board(player, _BAR)
        mine[_POINTS + 1 + player] = _MEN - sum(mine)
    return tuple(map(tuple, men))


def _ends(machine: Machine) -> dict[Board, Machine]:
    """How the board may stand when the turn is over: new dice have been rolled, or the game has ended."""
    tracks = rules_of("backgammon").layout.tracks
    dice = len(machine.script or ())
    found: dict[Board, Machine] = {}
    waiting, seen = [machine], set[Any]()
    while waiting:
        here = waiting.pop()
        assert here.pending is not None
        for number in range(len(here.pending.options)):
            after = here.copy()
            after.choose(number)
            board = our_board(after)
            if after.pending is None or len(after.script or ()) < dice:
                found.setdefault(board, after)
            elif (key := (board, after.s[tracks["first_left"]], after.s[tracks["second_left"]])) not in seen:
                seen.add(key)
                waiting.append(after)
    return found


def _their_ends(state: Any) -> dict[Board, Any]:
    """The same there; equal dice are played in two turns of the same player."""
    who, found, waiting, seen = state.current_player(), dict[Board, Any](), [state], set[Board]()
    while waiting:
        here = waiting.pop()
        for action in here.legal_actions():
            after = here.clone()
            after.apply_action(action)
            board = their_board(after)
            if after.is_terminal() or after.is_chance_node() or after.current_player() != who:
                found.setdefault(board, after)
            elif board not in seen:
                seen.add(board)
                waiting.append(after)
    return found
