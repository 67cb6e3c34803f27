"""Random games in the machine beside the same games in Python, and beside OpenSpiel (if installed): its
rollouts in C++ for the tutorial games, driven from Python for the classics. For `benchmarks.run`.

A call plays several games, so that neither side pays for the call; rates are games per second of processor
time. Rules that are not native here, for want of a compiler, are left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

from benchmarks.peers import _import
from benchmarks.timing import Row, compare, interleave
from interpreter.native.compilers import NotNative
from interpreter.native.games import NativeGames
from interpreter.native.steps import NativeSteps, Stepper
from interpreter.playing.game import open_game
from interpreter.running.machine import Machine
from rulesdsl.base.resources import shipped_games

ROLLOUTS = {  # OpenSpiel's own, in C++
    "tutorial/tic_tac_toe": "tic_tac_toe", "tutorial/breakthrough": "breakthrough",
    "tutorial/connect_four": "connect_four", "tutorial/hex": "hex(board_size=11)",
}  # fmt: skip
FROM_PYTHON = {
    "classics/chess": "chess", "classics/draughts": "checkers", "classics/reversi": "othello",
    "classics/go_9x9": "go(board_size=9)", "classics/nine_mens_morris": "nine_mens_morris",
    "classics/backgammon": "backgammon",
}  # fmt: skip
STEPPED = (  # games in which opponents think
    "tutorial/skirmish", "race_for_berlin", "battle_for_germany", "downfall_of_the_third_reich",
)  # fmt: skip
_CALL = 0.02  # seconds of one call, more or less
_SECONDS = 0.3


def native_games(name: str) -> NativeGames | None:
    game = open_game(name)
    try:
        return NativeGames.of(game.ruleset({}, game.scenario()))
    except NotNative:
        return None


def _several(play: Callable[[int], object]) -> tuple[Callable[[], object], int]:
    """A call that plays so many games that it takes a while."""
    games = 2
    while True:
        start = process_time()
        play(games)
        spent = process_time() - start
        if spent >= _CALL / 4 or games > 1 << 22:
            return partial(play, games), games
        games *= 4


def _by_python(games: NativeGames, scenario: Any) -> Callable[[int], object]:
    play, draw = games.ruleset.playouts.play, random.Random(1).random

    def several(count: int) -> None:
        for number in range(count):
            play(scenario, str(number), lambda _, options: int(draw() * options))

    return several


def _rollouts(pyspiel: Any, text: str) -> Callable[[int], object]:
    """OpenSpiel's rollouts in C++: its search tries twice, from the first position and from the next,
    each time with half of the games (Python is not asked on the way)."""
    game = pyspiel.load_game(text)
    state = game.new_initial_state()

    def several(count: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(max(1, count // 2), 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 2, 100, False, 1, False).step(state)

    return several


def _driven(pyspiel: Any, text: str) -> Callable[[int], object]:
    game, draw = pyspiel.load_game(text), random.Random(1).random

    def several(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])

    return several


def rows(names: list[str] | None = None) -> list[Row]:
    pyspiel = _import("pyspiel")
    out: list[Row] = []
    for name in names or shipped_games():
        opened = open_game(name)
        if not opened.program.procedures:
            continue
        games = native_games(name)
        if games is None:
            continue
        scenario = opened.scenario()
        several: dict[str, Callable[[int], object]] = {
            "native": lambda count, games=games, scenario=scenario: games.many(count, 1, scenario),  # type: ignore[misc]
            "Python": _by_python(games, scenario),
        }
        if pyspiel is not None and name in ROLLOUTS:
            several["OpenSpiel in C++"] = _rollouts(pyspiel, ROLLOUTS[name])
        if pyspiel is not None and name in FROM_PYTHON:
            several["OpenSpiel from Python"] = _driven(pyspiel, FROM_PYTHON[name])
        calls = {who: _several(play) for who, play in several.items()}
        rates = interleave({who: call for who, (call, _) in calls.items()}, seconds=_SECONDS)
        scaled = {who: [rate * calls[who][1] for rate in rates[who]] for who in rates}
        out += [
            compare(f"{name} native: {who}", scaled["native"], scaled[who])
            for who in scaled
            if who != "native"
        ]
    return out


def step_rows(names: list[str] | None = None) -> list[Row]:
    """Decisions per second of random games that stop at each: in the machine, one call of Python's each, and
    in Python's own machine."""
    draw = random.Random(1)
    out: list[Row] = []
    for name in names or STEPPED:
        opened = open_game(name)
        ruleset, scenario = opened.ruleset({}, opened.scenario()), opened.scenario()
        try:
            steps = NativeSteps.of(ruleset)
        except NotNative:
            continue
        machine = ruleset.new_machine(scenario, "1", traced=False)
        machine.begin()
        start = steps.words(machine)
        with steps.stepper() as at:

            def inside(count: int, at: Stepper = at, start: bytes = start) -> object:
                return at.walk(start, count, count)

            def called(count: int, at: Stepper = at, start: bytes = start) -> None:
                at.put(start)
                for _ in range(count):
                    site, _, options, out = at.asked()
                    if site < 0:
                        at.put(start)
                        continue
                    number = int(draw.random() * (options + out))
                    at.choose(number if number < options else -1)

            def by_python(count: int, machine: Machine = machine) -> None:
                now = machine.copy()
                for _ in range(count):
                    if now.pending is None:
                        now = machine.copy()
                        continue
                    now.choose(now.pending.at_random(draw))

            calls = {
                who: _several(play)
                for who, play in (("native", inside), ("a call each", called), ("Python", by_python))
            }
            rates = interleave({who: call for who, (call, _) in calls.items()}, seconds=_SECONDS)
        scaled = {who: [rate * calls[who][1] for rate in rates[who]] for who in rates}
        out += [
            compare(f"{name} decisions in the machine: {who}", scaled["native"], scaled[who])
            for who in scaled
            if who != "native"
        ]
    return out
