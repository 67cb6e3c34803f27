"""Whole games at one go: the same rules, dice and options, but nobody can stop on the way.

    machine = ruleset.playouts.play(scenario, "7", lambda who, count: random.randrange(count))

`decide(who, count)` chooses among `count` options, the way out (if there is one) being the last. A game
played here ends in the same state as one played decision by decision with the same choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.codegen.flow import MAIN, compile_flow
from interpreter.machine import GameOver, Machine, RunawayRule
from interpreter.membership import nth
from interpreter.windows import window_procedure
from rulesdsl.scenario import Scenario

if TYPE_CHECKING:
    from interpreter.ruleset import Ruleset

Decide = Callable[[int, int], int]
FUEL = 20_000_000  # turns of loops in one game: more than any needs, so few that they end in time


class Playouts:
    """The procedures of a ruleset as plain functions, beside its silent code."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        fast, program = ruleset.fast, ruleset.program
        windows = [window_procedure(program, window) for window in program.windows.values()]
        flow = compile_flow(fast.unit, [*program.procedures.values(), *windows])
        fast.names.update(fast.unit.constants)
        fast.names.update({"nth": nth, "GameOver": GameOver, "range": range, "len": len})
        self.source = "\n\n".join(flow.sources)
        exec(compile(self.source, f"<play of {program.game}>", "exec"), fast.names)  # our own source
        self._main: Callable[[Machine, list[Any], Decide], None] = fast.names[f"do_{flow.numbers[MAIN]}"]

    def play(self, scenario: Scenario | None, seed: str, decide: Decide) -> Machine:
        """A game from beginning to end; raises `RunawayRule` when a rule does not come to one."""
        machine = self.ruleset.new_machine(scenario, seed, traced=False)
        machine.fuel = FUEL
        try:
            self._main(machine, machine.s, decide)
        except GameOver:
            pass
        except OverflowError:
            raise RunawayRule("this rule makes a number too large") from None
        except RecursionError:
            raise RunawayRule("this rule is nested too deeply") from None
        if machine.outcome is None:
            machine.out_of_play()
        return machine
