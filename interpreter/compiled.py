"""Rules as compiled code of one flavour, with what else is asked of them compiled on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.codegen.blocks import Blocks
from interpreter.codegen.emitter import Emitter, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import action_function, define_function, function, quantity_function
from interpreter.codegen.metering import METER, Meter
from interpreter.codegen.procedures import compile_procedure
from interpreter.codegen.pythoncode import run_python
from interpreter.codegen.routing import compile_routes
from interpreter.running.fuel import (
    STOPS,
    RunawayRule,
    function_rules,
    out_of_fuel,
    rules_on_the_way,
    shortened,
    why_stopped,
)
from interpreter.running.machine import Code, MaskOptions
from interpreter.running.membership import MembersOf, bind_places
from interpreter.running.runtime import bind_runtime
from interpreter.running.spreading import SEARCHES
from interpreter.windows import play_function, window_procedure
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.ruleset import Ruleset


@dataclass(eq=False)
class Compiled:
    """Generated code of one flavour."""

    unit: Unit
    names: dict[str, Any]
    code: Code
    blocks: Blocks
    source: str
    fired: list[int]
    meter: Meter
    # by identity; the expression is kept with its function, so that no other one gets its identity
    _expressions: dict[tuple[int, ...], tuple[Callable[..., Any], object]] = field(default_factory=dict)

    def ask(self, function: Callable[..., Any], *given: Any) -> Any:
        """The value of a generated function for somebody who asks outside the course of play."""
        self.code.refuel()
        try:
            return function(*given)
        except STOPS as error:
            chain = shortened(rules_on_the_way(error, self.code.functions))
            raise RunawayRule(f"this rule {why_stopped(error)}: {' → '.join(chain)}") from None

    def evaluate(self, state: list[Any], e: pg.E, variables: Mapping[pg.Var, Any]) -> Any:
        return self.ask(self.expression(e, tuple(variables)), state, *variables.values())

    def expression(self, e: pg.E, variables: tuple[pg.Var, ...]) -> Callable[..., Any]:
        """A function for one expression, made on demand (explanations, examples, views)."""
        key = (id(e), *(id(v) for v in variables))
        if key not in self._expressions:
            em = Emitter(self.unit)
            env = {var: f"a{i}" for i, var in enumerate(variables)}
            em.emit(f"return {code(em, env, e)}")
            head = ", ".join(["s", *env.values()])
            made = self.add_function("asked", function(em, f"asked({head})"))
            self._expressions[key] = made, (e, variables)
        return self._expressions[key][0]

    def add_function(self, name: str, source: str) -> Callable[..., Any]:
        """Compile one more function beside the others."""
        while len(self.fired) < len(self.unit.rules):
            self.fired.append(0)
        self.names.update(self.unit.constants)
        source = "\n".join(self.meter.metered([source]))
        run_python(self.unit.program, f"<{name}>", [source], {}, self.names)
        made: Callable[..., Any] = self.names[name]
        return made


def compile_rules(
    ruleset: Ruleset, traced: bool, extra: Sequence[pg.ProcedureRule] = (), meanings_only: bool = False
) -> Compiled:
    """Generate and compile everything, or only what expressions need: no procedure can then be run."""
    program = ruleset.program
    unit = Unit(program, ruleset.layout, ruleset.settings, traced)
    sources = [define_function(unit, d) for d in program.defines.values()]
    sources += [quantity_function(unit, q) for q in program.quantities.values()]
    sources += [action_function(unit, a) for a in program.actions.values()]
    sources += compile_routes(unit)
    for window in program.windows.values():
        sources.append(play_function(unit, window))
    blocks = Blocks(unit)
    windows = [window_procedure(program, window) for window in program.windows.values()]
    owners: dict[str, pg.ProcedureRule] = {}  # of blocks
    rules = [] if meanings_only else [*program.procedures.values(), *windows]
    # What is extra comes last, so that the same rules have the same blocks whatever is added to them.
    for procedures in (rules, extra):
        for procedure in procedures:
            blocks.entries[procedure.name] = blocks.new()
        for procedure in procedures:
            first = set(blocks.sources)
            compile_procedure(blocks, procedure)
            for number in set(blocks.sources) - first:
                owners[f"b{number}"] = procedure
    sources += [blocks.sources[n] for n in sorted(blocks.sources)]
    meter = Meter(max(len(universe) for universe in program.world.universes.values()))
    sources = meter.metered(sources)
    fired = [0] * len(unit.rules)
    names: dict[str, Any] = {
        **bind_runtime(program), **bind_places(ruleset.layout, program.world), **unit.constants,
        **SEARCHES, "FIRED": fired, "MaskOptions": MaskOptions, "MEMBERS": MembersOf(),
        "out_of_fuel": out_of_fuel,
    }  # fmt: skip
    names["ENTRY"] = blocks.entries
    pads = {p.name: [0] * (blocks.frame_sizes[p.name] - 1 - len(p.params)) for p in (*rules, *extra)}
    names["PAD"] = pads
    run_python(program, f"<rules of {program.game}>", sources, owners, names)
    table: list[Any] = [names.get(f"b{n}") for n in range(blocks.count)]
    titles = {block: procedure.title for block, procedure in owners.items()}
    compiled_code = Code(
        table, blocks.entries, pads, [titles.get(f"b{n}", "") for n in range(blocks.count)],
        function_rules(program), ruleset.limits,
    )  # fmt: skip
    names[METER] = compiled_code.meter
    return Compiled(unit, names, compiled_code, blocks, "\n".join(sources), fired, meter)
