"""Games for learning machines: PettingZoo, OpenSpiel, and many games at once.

    from rulesdsl.envs import aec_env, spiel_game, BatchedGames

Everything is derived from the rulebook: the numbers of actions from its decision points, the observation
from what a seat may know, the rewards from what the players get.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PLACES = {
    "ActionNumbers": "interpreter.envs.actions",
    "BatchedGames": "interpreter.envs.batch",
    "ObservationFields": "interpreter.envs.observations",
    "aec_env": "interpreter.envs.aec",
    "raw_aec_env": "interpreter.envs.aec",
    "spiel_game": "interpreter.envs.spiel",
}

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    """Each is imported when it is asked for: they need different extras."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
