"""Rules as compiled code of one flavour, with what else is asked of them compiled on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from interpreter.codegen.blocks import Blocks
from interpreter.codegen.emitter import SETTING, Emitter, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import action_function, define_function, function, quantity_function
from interpreter.codegen.metering import METER, Meter
from interpreter.codegen.procedures import compile_procedure
from interpreter.codegen.pythoncode import compile_python, run_python
from interpreter.codegen.routing import compile_routes
from interpreter.layout import build_layout
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


@dataclass(frozen=True, eq=False)
class Generated:
    """The code of all rules in one flavour, not bound to anything yet: traced code serves all settings."""

    unit: Unit
    blocks: Blocks
    code: list[CodeType]
    source: str
    pads: dict[str, list[int]]
    titles: dict[str, str]  # of blocks
    meter: Meter
    surroundings: dict[str, Any]  # what the functions call that is not generated


def compile_rules(ruleset: Ruleset, traced: bool) -> Compiled:
    """Generate and compile everything."""
    if traced:
        return bind(_traced(ruleset.program), ruleset)
    return bind(_generate(Unit(ruleset.program, ruleset.layout, ruleset.settings, traced=False)), ruleset)


def compile_examples(ruleset: Ruleset) -> Compiled:
    """The traced code together with the steps of all examples."""
    return bind(_traced_with_examples(ruleset.program), ruleset)


@lru_cache(maxsize=8)
def _traced(program: pg.Program) -> Generated:
    return _generate(Unit(program, build_layout(program), {}, traced=True))


@lru_cache(maxsize=8)
def _traced_with_examples(program: pg.Program) -> Generated:
    from interpreter.examples import example_procedures

    unit = Unit(program, build_layout(program), {}, traced=True)
    return _generate(unit, example_procedures(program.examples))


def _generate(unit: Unit, extra: Sequence[pg.ProcedureRule] = ()) -> Generated:
    program = unit.program
    sources = [define_function(unit, d) for d in program.defines.values()]
    sources += [quantity_function(unit, q) for q in program.quantities.values()]
    sources += [action_function(unit, a) for a in program.actions.values()]
    sources += compile_routes(unit)
    for window in program.windows.values():
        sources.append(play_function(unit, window))
    blocks = Blocks(unit)
    rules = [*program.procedures.values(), *(window_procedure(program, w) for w in program.windows.values())]
    owners: dict[str, pg.ProcedureRule] = {}  # of blocks
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
    pads = {p.name: [0] * (blocks.frame_sizes[p.name] - 1 - len(p.params)) for p in (*rules, *extra)}
    made = compile_python(program, f"<rules of {program.game}>", sources, owners, together=unit.traced)
    return Generated(
        unit, blocks, made, "\n".join(sources), pads,
        {block: procedure.title for block, procedure in owners.items()}, meter,
        {**bind_runtime(program), **bind_places(unit.layout, program.world), **SEARCHES,
         "MaskOptions": MaskOptions, "MEMBERS": MembersOf(), "out_of_fuel": out_of_fuel},
    )  # fmt: skip


def bind(made: Generated, ruleset: Ruleset) -> Compiled:
    """The code for rules with these settings, ready to run."""
    unit, blocks = made.unit, made.blocks
    fired = [0] * len(unit.rules)
    names: dict[str, Any] = {
        **made.surroundings, **unit.constants, "FIRED": fired, "ENTRY": blocks.entries, "PAD": made.pads,
        **{f"{SETTING}{name}": value for name, value in ruleset.settings.items()},
    }  # fmt: skip
    for code_of_function in made.code:
        exec(code_of_function, names)
    table: list[Any] = [names.get(f"b{n}") for n in range(blocks.count)]
    titles = [made.titles.get(f"b{n}", "") for n in range(blocks.count)]
    ready = Code(table, blocks.entries, made.pads, titles, function_rules(unit.program), ruleset.limits)
    names[METER] = ready.meter
    return Compiled(unit, names, ready, blocks, made.source, fired, made.meter)
