"""What must be true of every state of every game: run by tests and on demand, never in play.

Besides what the engine itself promises, every `define invariant_… = …` without parameters in a rulebook
must hold after every decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.consistency import inconsistencies
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine, MaskOptions
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.program.rules import DefineRule


def violations(ruleset: Ruleset, machine: Machine) -> list[str]:
    """Everything that is wrong with a state, in words."""
    found = [*inconsistencies(ruleset.program, machine.s), *_waiting(ruleset, machine)]
    # rules cannot be asked about a broken state
    return found or [str(broken) for broken in broken_invariants(ruleset, machine.s)]


def _waiting(ruleset: Ruleset, machine: Machine) -> Iterator[str]:
    """Somebody has something to choose, or the game is over by a rule."""
    pending = machine.pending
    if pending is None:
        if machine.outcome is None:
            yield "nobody is asked anything, and the game is not over"
        elif not machine.outcome[3]:
            yield "the sequence of play ended, but no rule ended the game"
        return
    if not 0 <= pending.who < len(ruleset.program.world.universes["player"]):
        yield f"player {pending.who} is asked"
    if not pending.options:
        yield "there is nothing to choose from"
    if not isinstance(pending.options, MaskOptions) and len(set(pending.options)) != len(pending.options):
        yield "something is offered twice"


@dataclass(frozen=True, slots=True, order=True)
class Broken:
    """An invariant of the rulebook that does not hold: `6.1.2: invariant_stacking does not hold`.
    `stopped`: why it cannot be told, because the rule itself was stopped."""

    paragraph: str
    name: str
    stopped: str = ""

    @property
    def what(self) -> str:
        return f"{self.name} {f'cannot be told, {self.stopped}' if self.stopped else 'does not hold'}"

    def __str__(self) -> str:
        return f"{self.paragraph}: {self.what}"


def broken_invariants(ruleset: Ruleset, s: list[Any]) -> Iterator[Broken]:
    """Those of the rulebook's own that do not hold."""
    for define in _own(ruleset):
        try:
            holds = ruleset.fast.ask(ruleset.fast.function("d", define.name), s)
        except RunawayRule as stopped:
            yield Broken(define.paragraph, define.name, str(stopped))
        else:
            if not holds:
                yield Broken(define.paragraph, define.name)


@lru_cache(maxsize=64)  # a rulebook has hundreds of words, and this is asked after every decision
def _own(ruleset: Ruleset) -> tuple[DefineRule, ...]:
    """What the rulebook says of every state."""
    return tuple(
        define
        for define in ruleset.program.defines.values()
        if define.name.startswith(INVARIANT) and not define.params
    )
