"""Whole games at one go: the same rules, dice and options, but nobody can stop on the way.

    machine = ruleset.playouts.play(scenario, "7", lambda who, count: random.randrange(count))

`decide(who, count)` chooses among `count` options, the way out (if there is one) being the last. A game
played here ends in the same state as one played decision by decision with the same choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.codegen.flow import MAIN, compile_flow
from interpreter.codegen.lookups import nth_function, ways_function
from interpreter.codegen.metering import counts, without_meter
from interpreter.codegen.pythoncode import run_python
from interpreter.running.fuel import STOPS, RunawayRule, rules_on_the_way, why_stopped
from interpreter.running.machine import GameOver, Machine
from interpreter.running.membership import first_rows
from interpreter.windows import window_procedure
from rulesdsl.data.scenario import Scenario

if TYPE_CHECKING:
    from interpreter.ruleset import Ruleset

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
        lookups = [*map(nth_function, sorted(flow.chunks - {1})), *map(ways_function, sorted(flow.ways))]
        sources = [*lookups, *flow.sources]
        main = f"do_{flow.numbers[MAIN]}"
        called = sum(source.count(f"{main}(") for source in sources) > 1
        sources = fast.meter.metered(sources, frozenset() if called else frozenset({main}))
        if not counts(fast.source) and not any(map(counts, sources)):
            sources = without_meter(sources)
        self.source = "\n".join(sources)
        owners = {f"{kind}_{flow.numbers[p.name]}": p for p in procedures for kind in ("do", "body")}
        run_python(program, f"<play of {program.game}>", sources, owners, fast.names)
        # every procedure by its name: (machine, its state, decide, arguments…)
        self.procedures: dict[str, Callable[..., None]] = {
            name: fast.names[f"do_{number}"] for name, number in flow.numbers.items()
        }
        self._main = self.procedures[MAIN]
        # games without loops and triggers that might run away need not be watched
        self._watched = "m.fuel" in self.source or "m.firings" in self.source

    def play(self, scenario: Scenario | None, seed: str, decide: Decide, cautious: bool = False) -> Machine:
        """A game from beginning to end; raises `RunawayRule` when a rule does not come to one.

        Loops are counted here, not blocks. So a rule may come to its end here that is given up when played
        decision by decision. Who is `cautious` gets the exception as soon as that is conceivable.
        """
        machine = self.ruleset.new_machine(scenario, seed, traced=False)
        asked = self._watch(machine, decide, cautious) if self._watched else decide
        machine.code.refuel(self.ruleset.limits.work_per_decision // (20 if cautious else 1))
        try:
            self._main(machine, machine.s, asked)
        except GameOver:
            pass
        except OverflowError:
            raise RunawayRule("this rule makes a number too large") from None
        except RecursionError:
            raise RunawayRule("this rule is nested too deeply") from None
        except STOPS as error:
            machine.runaway(why_stopped(error), *rules_on_the_way(error, machine.code.functions))
        if machine.outcome is None:
            machine.sequence_ended()
        return machine

    def _watch(self, machine: Machine, decide: Decide, cautious: bool) -> Decide:
        """`decide`, after which the machine may again make so many turns and run so many triggers."""
        limits = self.ruleset.limits
        turns, firings = limits.steps_per_decision, limits.triggers_per_decision
        if cautious:
            turns, firings = turns // 100, min(firings, limits.call_depth // 2)
        machine.fuel, machine.firings = turns, firings

        def asked(who: int, count: int) -> int:
            machine.fuel, machine.firings = turns, firings
            return decide(who, count)

        return asked
