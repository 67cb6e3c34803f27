"""rulesdsl: rulebooks of board wargames as programs.

    from rulesdsl import Session, check, open_game

`rulesdsl` is the front end (text and data in, `Program` out) and the door to everything: what people import
stands here, and is loaded at first use. The back end, which plays, is the package `interpreter`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulesdsl.base.version import __version__ as __version__

if TYPE_CHECKING:
    from interpreter.api import Journal, Session
    from interpreter.playing.game import open_game
    from rulesdsl.pipeline.checked import check

__all__ = ["Journal", "Session", "check", "open_game"]
_HOMES = {
    "Journal": ("interpreter.api", "Journal"),
    "Session": ("interpreter.api", "Session"),
    "check": ("rulesdsl.pipeline.checked", "check"),
    "open_game": ("interpreter.playing.game", "open_game"),
}


def __getattr__(name: str) -> Any:
    """What is imported from here is found in its room when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, known_as = _HOMES[name]
    return getattr(import_module(module), known_as)
