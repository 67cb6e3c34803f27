"""When a game is worth a compiler: as soon as Python has spent on it what building would take.

Who plays a hundred quick games never waits; who plays ten thousand slow ones waits once, and never longer
than twice what he would have waited anyway. Long text is built twice: first in a hurry, which takes a part of
the time and is many times faster than Python already, then well, beside the games that go on. What was built
before is used soon; while another process builds it, Python goes on. The games are the same either way, so
nothing depends on how quick a machine is but the time.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.program import Translation, translate
from interpreter.compiling.emit.native.types import Unsupported
from interpreter.native.building import HURRIED, LONG, build, is_being_built, is_built
from interpreter.native.compilers import NotNative, find_compiler, is_switched_off
from interpreter.native.games import NativeGames

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

SOON = 0.5  # seconds after which one looks whether the code is there
PATIENCE = 5.0  # seconds after which somebody without a compiler is told that there could be one
_PER_SECOND, _LONG_PER_SECOND = 60_000, 50_000  # letters of C that a compiler reads
_HURRIED_PER_SECOND = 300_000


class Worth:
    """One ruleset on its way from Python to the machine."""

    def __init__(self, ruleset: Ruleset, at_once: bool = False) -> None:
        self.ruleset = ruleset
        self.spent = 0.0  # seconds in Python, and in code that was built in a hurry
        self.why_not = ""  # why it stays there
        self._at_once = at_once
        self._translation: Translation | None = None
        self._games: NativeGames | None = None
        self._hurried = False  # whether they were built in a hurry
        self._worker: threading.Thread | None = None
        self._process = os.getpid()

    @property
    def games(self) -> NativeGames | None:
        """The native games, when it is time for them."""
        if self._hurried:
            self._better()
        elif self._games is None and not self.why_not and (self._at_once or self.spent >= SOON):
            try:
                self._games = self._made()
            except NotNative as why:
                self.why_not = str(why)
        return self._games

    @property
    def hint(self) -> str:
        """What to tell somebody who waits and need not; nothing when there is nothing to tell."""
        if self.spent < PATIENCE or is_switched_off():
            return ""
        try:
            find_compiler()
        except NotNative as why:
            return f"these games are played by Python: {why}"
        return ""

    def give_up(self, why: str) -> None:
        """These games stay with Python after all."""
        self._games, self._hurried, self.why_not = None, False, why

    def _made(self) -> NativeGames | None:
        find_compiler()
        if self._translation is None:
            try:
                self._translation = translate(self.ruleset)
            except Unsupported as why:
                raise NotNative(f"this game has something the machine cannot express: {why}") from None
        text = self._translation.text
        if self._at_once or is_built(text) or (self.spent >= _price(text) and not is_being_built(text)):
            return NativeGames.built(self.ruleset, self._translation)
        if len(text) > LONG and self._in_a_hurry(text):
            self._hurried = True
            return NativeGames.built(self.ruleset, self._translation, HURRIED)
        return None

    def _in_a_hurry(self, text: str) -> bool:
        if is_built(text, HURRIED):
            return True
        worth_it = self.spent >= len(text) / _HURRIED_PER_SECOND
        return worth_it and not is_being_built(text, HURRIED)

    def _better(self) -> None:
        """Build well what was built in a hurry, when that pays, beside the games; take it when it is there.

        Processes that were parted from this one do not: each would build the same."""
        assert self._translation is not None
        text = self._translation.text
        if self._worker is None:
            if self.spent >= _price(text) and self._process == os.getpid():
                self._worker = threading.Thread(target=_built_beside, args=(text,), daemon=True)
                self._worker.start()
        elif not self._worker.is_alive():
            self._hurried = False
            with suppress(NotNative):
                if is_built(text):
                    self._games = NativeGames.built(self.ruleset, self._translation)


def _built_beside(text: str) -> None:
    with suppress(NotNative):  # what there is goes on
        build(text)


def _price(text: str) -> float:
    """Seconds that building takes, more or less."""
    return len(text) / (_LONG_PER_SECOND if len(text) > LONG else _PER_SECOND)
