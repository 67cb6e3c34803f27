"""Whole games at one go: the same rules, dice and options, but nobody can stop on the way.

    machine = ruleset.playouts.play(scenario, "7", lambda who, count: random.randrange(count))

`decide(who, count)` chooses among `count` options, the way out (if there is one) being the last. A game
played here ends in the same state as one played decision by decision with the same choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.compiling.emit.playout.functions import compile_flow
from interpreter.compiling.emit.playout.nth_option import nth_function, ways_function
from interpreter.compiling.emit.python import refused, run_python
from interpreter.compiling.ir.statements import Made
from interpreter.compiling.pipeline import PLAYOUT, TooDeep, finished, run
from interpreter.running.fuel import CAUTIOUS_SHARE, STOPS
from interpreter.running.machine import STEP_WORK, GameOver, Machine
from interpreter.running.masks import first_rows
from interpreter.state.symbols import DO, numbered
from rulesdsl.book.scenario import Scenario
from rulesdsl.language.conventions import MAIN
from rulesdsl.program.windows import window_procedure

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

Decide = Callable[[int, int], int]


class Playouts:
    """The procedures of a ruleset as plain functions, beside its silent code."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        fast, program = ruleset.fast, ruleset.program
        windows = [window_procedure(program, window) for window in program.windows.values()]
        procedures = [*program.procedures.values(), *windows]
        flow = compile_flow(fast.unit, procedures)
        fast.names.update(fast.unit.constants)
        fast.names.update({"GameOver": GameOver, "range": range, "len": len, "FIRST_ROWS": first_rows()})
        spaces = len(ruleset.program.world.universes["space"])
        lookups = [nth_function(chunks) for chunks in sorted(flow.chunks - {1})]
        lookups += [ways_function(count, spaces) for count in sorted(flow.ways)]
        asides = [one for name, one in fast.unit.asides.items() if name not in fast.names]
        lowered: list[Made] = [*asides, *lookups, *flow.functions]
        main = numbered(DO, flow.numbers[MAIN])
        once = frozenset[str]() if MAIN in flow.called else frozenset({main})
        owners = {f"{kind}_{flow.numbers[p.name]}": p for p in procedures for kind in ("do", "body")}
        try:
            self.functions = finished(lowered, run(PLAYOUT, lowered), fast.meter, once=once)
        except TooDeep as deep:
            raise refused(program, str(deep), owners) from None
        run_python(program, f"<play of {program.game}>", self.functions, owners, fast.names)
        self.numbers = flow.numbers  # of the functions of procedures
        # every procedure by its name: (machine, its state, decide, arguments…)
        self.procedures: dict[str, Callable[..., None]] = {
            name: fast.names[numbered(DO, number)] for name, number in flow.numbers.items()
        }
        self._main = self.procedures[MAIN]
        # games without loops and triggers that might run away need not be watched
        self.watched = flow.watched
        self.nesting, self.circular = flow.nesting()

    @property
    def source(self) -> str:
        """All of it as Python."""
        return "\n".join(one.python for one in self.functions)

    def cautious_firings(self, nested: int = 0) -> int:
        """How many triggers may follow a decision before somebody cautious gives up: a few when one may set
        off the next for ever, unless whoever asks gives up before so many are `nested`."""
        limits = self.ruleset.limits
        if (nested or not self.circular) and self.nesting + nested <= limits.call_depth:
            return limits.triggers_per_decision // CAUTIOUS_SHARE
        return min(limits.triggers_per_decision, limits.call_depth // 2)

    def play(self, scenario: Scenario | None, seed: str, decide: Decide, cautious: bool = False) -> Machine:
        """A game from beginning to end; raises `RunawayRule` when a rule does not come to one.

        Loops are counted here, not blocks. So a rule may come to its end here that is given up when played
        decision by decision. Who is `cautious` gets the exception as soon as that is conceivable.
        """
        machine = self.ruleset.new_machine(scenario, seed, traced=False)
        asked = self._watch(machine, decide, cautious) if self.watched else decide
        limits, code = self.ruleset.limits, machine.code
        try:
            if cautious:
                with code.errand(limits.work_per_game // CAUTIOUS_SHARE):
                    code.refuel(limits.work_per_decision // 20)
                    self._main(machine, machine.s, asked)
            else:
                code.refuel(limits.work_per_decision)
                self._main(machine, machine.s, asked)
        except GameOver:
            pass
        except RecursionError:  # here procedures are functions that call each other, too
            machine.runaway("is nested too deeply")
        except STOPS as error:
            machine.stopped(error)
        if machine.outcome is None:
            machine.sequence_ended()
        return machine

    def _watch(self, machine: Machine, decide: Decide, cautious: bool) -> Decide:
        """`decide`, after which the machine may again make so many turns and run so many triggers."""
        limits = self.ruleset.limits
        turns, firings = limits.steps_per_decision, limits.triggers_per_decision
        if cautious:
            turns, firings = turns // 100, self.cautious_firings()
        machine.fuel, machine.firings = turns, firings

        code = machine.code

        def asked(who: int, count: int) -> int:
            machine.fuel, machine.firings = turns, firings
            return decide(who, count)

        def asked_on_an_errand(who: int, count: int) -> int:
            if code.left is not None:
                code.left -= (turns - machine.fuel) * STEP_WORK
            return asked(who, count)

        if cautious or code.left is not None:
            return asked_on_an_errand
        return asked
