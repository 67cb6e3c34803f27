"""One thing at a time with the rules of a game: tables that share a compiled rulebook share its lock."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

from interpreter.compiling.ruleset import Ruleset

_LOCKS: WeakKeyDictionary[Ruleset, threading.RLock] = WeakKeyDictionary()
_GUARD = threading.Lock()


def lock_of(ruleset: Ruleset) -> threading.RLock:
    """Generated code counts the work it does in places that all games of a ruleset share."""
    with _GUARD:
        return _LOCKS.setdefault(ruleset, threading.RLock())
