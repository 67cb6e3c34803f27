"""When the decisions of a game come into the machine: beside the game that is going on, and never in its way.

Whoever thinks tells how long he has thought. When that is enough, the rules are translated and built in a
thread of their own; until they are there, and where they cannot be, Python thinks. The decisions are the
same.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.stepping import StepTranslation
from interpreter.native.building import LONG, is_built
from interpreter.native.compilers import NO_THOUGHTS, NotNative, find_compiler, is_switched_off
from interpreter.native.steps import NativeSteps, translated

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

SOON = 0.5  # seconds of thinking, after which one looks whether the code is there
_PER_SECOND, _LONG_PER_SECOND = 25_000, 50_000  # letters of C that a compiler reads


class Readiness:
    """One ruleset on its way."""

    def __init__(self, ruleset: Ruleset, values: tuple[str, ...]) -> None:
        self.ruleset, self.values = ruleset, values
        self.spent = 0.0  # seconds of thinking in Python
        self.why_not = ""  # why it stays there
        self._steps: NativeSteps | None = None
        self._translation: StepTranslation | None = None
        self._worker: threading.Thread | None = None
        self._process = os.getpid()

    @property
    def steps(self) -> NativeSteps | None:
        """The decisions in the machine, as soon as they are there."""
        return self._steps

    def thought(self, seconds: float, somebody_waits: bool) -> None:
        """So long Python has thought. Where people wait for it, it is built at once; else when building takes
        no longer than what has been thought already."""
        if self._steps is not None or self.why_not or is_switched_off(NO_THOUGHTS):
            return
        self.spent += seconds
        if self._process != os.getpid():  # a thread does not follow into another process
            self._process, self._worker = os.getpid(), None
        if self.spent >= SOON and (self._worker is None or not self._worker.is_alive()):
            if (
                self._translation is not None
                and not somebody_waits
                and self.spent < _price(self._translation.text)
            ):
                return
            self._worker = threading.Thread(target=self._prepare, args=(somebody_waits,), daemon=True)
            self._worker.start()

    def _prepare(self, somebody_waits: bool) -> None:
        try:
            find_compiler()
            if self._translation is None:
                self._translation = translated(self.ruleset, self.values)
            text = self._translation.text
            if somebody_waits or self.spent >= _price(text) or is_built(text):
                self._steps = NativeSteps.built(self.ruleset, self._translation, gently=True)
        except NotNative as why:
            self.why_not = str(why)
        except Exception as error:  # nobody waits for it: whatever it is, Python thinks
            self.why_not = f"{type(error).__name__}: {error}"

    def now(self) -> NativeSteps:
        """Build what is not built, and wait for it; raises `NotNative` with the reason."""
        if self._steps is None:
            find_compiler()
            self._steps = NativeSteps.of(self.ruleset, self.values)
        return self._steps

    def use(self, steps: NativeSteps | None) -> None:
        """From now on these, or none (who compares wants to know which)."""
        self._steps, self.why_not = steps, "" if steps is not None else "switched off"

    def give_up(self, why: str) -> None:
        """Python thinks after all."""
        self._steps, self.why_not = None, why


def _price(text: str) -> float:
    """Seconds that building takes, more or less."""
    return len(text) / (_LONG_PER_SECOND if len(text) > LONG else _PER_SECOND)
