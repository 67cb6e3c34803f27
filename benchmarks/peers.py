"""Random playouts of the tutorial games in other people's systems, through the Python they offer.

Each is used the way its own manual does it, with moves drawn evenly from the legal ones, and is optional:
what cannot be imported is reported as not installed. Run `python -m benchmarks.peers` for the rates alone.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

from benchmarks.timing import interleave, spread

Playout = Callable[[random.Random], int | None]

NOT_INSTALLED = "not installed"
_PACKAGES = {"OpenSpiel": "open_spiel", "PettingZoo": "pettingzoo"}

_OPEN_SPIEL = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough(rows=8,columns=8)",
    "hex": "hex(board_size=11)",
}
_PETTING_ZOO = {"tic_tac_toe": "tictactoe_v3", "connect_four": "connect_four_v3"}


def versions() -> dict[str, str]:
    """The version of every peer, or "not installed"."""
    found = {}
    for peer, package in _PACKAGES.items():
        try:
            found[peer] = version(package)
        except PackageNotFoundError:
            found[peer] = NOT_INSTALLED
    return found


def playouts() -> dict[str, dict[str, Playout]]:
    """For every peer, the games it can play here; a peer that is not installed has none."""
    return {"OpenSpiel": _open_spiel(), "PettingZoo": _petting_zoo()}


def _import(module: str) -> Any:
    """The module, or None. By name, so that type checkers do not ask for packages that are optional."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def _open_spiel() -> dict[str, Playout]:
    pyspiel = _import("pyspiel")
    if pyspiel is None:
        return {}
    return {name: _spiel_playout(pyspiel.load_game(text)) for name, text in _OPEN_SPIEL.items()}


def _spiel_playout(game: Any) -> Playout:
    def playout(rng: random.Random) -> int | None:
        draw = rng.random
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
        return _best(state.returns())

    return playout


def _petting_zoo() -> dict[str, Playout]:
    found = {}
    for name, module_name in _PETTING_ZOO.items():
        module = _import(f"pettingzoo.classic.{module_name}")
        if module is not None:
            # Without the wrappers that check every call, which make it three times slower: a peer is
            # measured at its best, and the mask already leaves only legal moves.
            found[name] = _zoo_playout(module.raw_env())
    return found


def _zoo_playout(env: Any) -> Playout:
    def playout(rng: random.Random) -> int | None:
        draw = rng.random
        env.reset()
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return _best([env.rewards[agent] for agent in env.possible_agents])
            actions = observation["action_mask"].nonzero()[0]
            env.step(int(actions[int(draw() * len(actions))]))

    return playout


def _best(rewards: list[float]) -> int | None:
    """The winner in a game of two: the one who was paid more."""
    first, second = rewards
    return None if first == second else int(second > first)


def main() -> None:
    contestants: dict[str, Callable[[], object]] = {}
    for peer, games in playouts().items():
        print(f"{peer}: {versions()[peer]}")
        for name, playout in games.items():
            contestants[f"{peer} {name}"] = partial(playout, random.Random(1))
    for label, rates in interleave(contestants).items():
        print(f"{label:<24} {median(rates):>10,.0f} games/s, spread {spread(rates):.2f}")


if __name__ == "__main__":
    main()
