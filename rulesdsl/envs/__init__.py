"""The name under which users find `interpreter.envs`: games for learning machines.

The front end plays no games, so nothing is imported here before somebody asks for an environment; the back
end is then fetched by its name.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_BACK_END = "interpreter.envs"


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module(_BACK_END), name)


def __dir__() -> list[str]:
    return list(import_module(_BACK_END).__all__)
