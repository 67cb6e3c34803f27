"""Rules as compiled code of one flavour, with what else is asked of them compiled on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.compiling.emit.blocks.blocks import Blocks
from interpreter.compiling.emit.blocks.procedures import compile_procedure
from interpreter.compiling.emit.playout.asides import effect_function
from interpreter.compiling.emit.python import compile_python, refused, run_python, too_deep
from interpreter.compiling.emit.text import METER, REFUEL
from interpreter.compiling.flavours import TRACED, Flavour
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.statements import Function, Made
from interpreter.compiling.ir.values import Local
from interpreter.compiling.lower.examples import example_procedures
from interpreter.compiling.lower.rules import action_function, define_function, quantity_function
from interpreter.compiling.lower.together import LOWERING
from interpreter.compiling.lower.values import ON_THE_WAY, code
from interpreter.compiling.lower.windows import play_function
from interpreter.compiling.optimise.fuel import Meter
from interpreter.compiling.pipeline import BLOCKS, FAST, FULL, Printed, TooDeep, finished, run
from interpreter.compiling.routes.dispatch import compile_routes
from interpreter.compiling.unit import Env, Unit
from interpreter.running.fuel import (
    STOPS,
    TOO_MUCH_WORK,
    RunawayRule,
    out_of_fuel,
    place_of,
    rules_on_the_way,
    told,
    too_many_options,
    why_stopped,
)
from interpreter.running.machine import Code, MaskOptions
from interpreter.running.mask_search import SEARCHES
from interpreter.running.masks import MembersOf, bind_places
from interpreter.running.positions import position_of
from interpreter.running.route_search import RouteSearch
from interpreter.running.runtime import bind_runtime
from interpreter.running.stacks import bind_stacks
from interpreter.state.layout import build_layout
from interpreter.state.symbols import Asked
from rulesdsl import program as pg
from rulesdsl.program.windows import window_procedure

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

Rule = TypeVar("Rule", pg.DefineRule, pg.QuantityRule, pg.ActionRule)


@dataclass(eq=False)
class Compiled:
    """Generated code of one flavour."""

    unit: Unit
    names: dict[str, Any]
    code: Code
    blocks: Blocks
    functions: list[Printed]
    fired: list[int]
    meter: Meter
    # by identity; the expression is kept with its function, so that no other one gets its identity
    _expressions: dict[tuple[int, ...], tuple[Callable[..., Any], object]] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """All of it as Python."""
        return "\n".join(one.python for one in self.functions)

    def ask(self, function: Callable[..., Any], *given: Any) -> Any:
        """The value of a generated function for somebody who asks outside the course of play."""
        code = self.code
        code.refuel()
        if code.left is not None:
            code.charge(1)
            if code.left <= 0:  # whoever asks has asked too much
                rule = self.unit.naming.rule(function.__name__)
                raise self._told(TOO_MUCH_WORK, [rule] if rule is not None else [])
        try:
            return function(*given)
        except STOPS as error:
            raise self._told(why_stopped(error), rules_on_the_way(error, self.unit.naming)) from None

    def _told(self, how: str, asked: Sequence[Asked]) -> RunawayRule:
        place = place_of(self.unit.program, asked[-1]) if asked else None
        return told(how, [f"{rule.name} ({rule.paragraph})" for rule in asked], place)

    def function(self, role: str, name: str) -> Callable[..., Any]:
        """The generated function that plays a role for a rule: `("q", "value")`, `("T", "combat")`."""
        found: Callable[..., Any] = self.names[self.unit.naming.called(role, name)]
        return found

    def made_on_demand(self, role: str, name: str, make: Callable[[], Function]) -> Callable[..., Any]:
        """The same for roles nobody plays before somebody asks."""
        python = self.unit.naming.called(role, name)
        return self.function(role, name) if python in self.names else self.add_function(make())

    def effect(self, procedure: str) -> Callable[..., None]:
        """What does to a state what a procedure would, where some rule looks at that (`after …`)."""
        found: Callable[..., None] = self.names[effect_function(self.unit, procedure)]
        return found

    def evaluate(self, state: list[Any], e: pg.E, variables: Mapping[pg.Var, Any]) -> Any:
        return self.ask(self.expression(e, tuple(variables)), state, *variables.values())

    def expression(self, e: pg.E, variables: tuple[pg.Var, ...]) -> Callable[..., Any]:
        """A function for one expression, made on demand (explanations, examples, views)."""
        key = (id(e), *(id(v) for v in variables))
        if key not in self._expressions:
            em = Builder(self.unit)
            names = [ON_THE_WAY.get(var, f"p_{i}") for i, var in enumerate(variables)]
            env: Env = {var: Local(name) for var, name in zip(variables, names, strict=True)}
            em.give(code(em, env, e))
            made = self.add_function(Function("asked", ("s", *names), em.body))
            self._expressions[key] = made, (e, variables)
        return self._expressions[key][0]

    def add_function(self, function: Function) -> Callable[..., Any]:
        """Compile one more function beside the others."""
        while len(self.fired) < len(self.unit.rules):
            self.fired.append(0)
        self.names.update(self.unit.constants)
        passes = FULL if self.unit.tells else FAST
        # what it asks of later positions; another ruleset may have had the same unit make some of it
        made_now: list[Made] = [one for name, one in self.unit.asides.items() if name not in self.names]
        lowered = [*made_now, function]
        printed = finished(lowered, run(passes, lowered), self.meter)
        run_python(self.unit.program, f"<{function.name}>", printed, {}, self.names)
        made: Callable[..., Any] = self.names[function.name]
        return made


@dataclass(frozen=True, eq=False)
class Generated:
    """The code of all rules in one flavour, not bound to anything yet: traced code serves all settings."""

    unit: Unit
    blocks: Blocks
    code: list[CodeType]
    functions: list[Printed]
    pads: dict[str, list[int]]
    titles: dict[str, str]  # of blocks
    meter: Meter
    surroundings: dict[str, Any]  # what the functions call that is not generated


def compile_rules(ruleset: Ruleset, flavour: Flavour) -> Compiled:
    """Generate and compile everything."""
    if flavour is TRACED:
        return bind(_traced(ruleset.program), ruleset)
    return bind(
        _generate(Unit(ruleset.program, ruleset.layout, ruleset.settings, flavour, LOWERING)), ruleset
    )


def compile_examples(ruleset: Ruleset) -> Compiled:
    """The traced code together with the steps of all examples."""
    return bind(_traced_with_examples(ruleset.program), ruleset)


@lru_cache(maxsize=8)
def _traced(program: pg.Program) -> Generated:
    return _generate(Unit(program, build_layout(program), {}, TRACED, LOWERING))


@lru_cache(maxsize=8)
def _traced_with_examples(program: pg.Program) -> Generated:
    unit = Unit(program, build_layout(program), {}, TRACED, LOWERING)
    return _generate(unit, example_procedures(program.examples))


def _generate(unit: Unit, extra: Sequence[pg.ProcedureRule] = ()) -> Generated:
    program = unit.program
    rules: list[Made] = [_made(unit, d, define_function) for d in program.defines.values()]
    rules += [_made(unit, q, quantity_function) for q in program.quantities.values()]
    rules += [_made(unit, a, action_function) for a in program.actions.values()]
    rules += compile_routes(unit)
    rules += [play_function(unit, window) for window in program.windows.values()]
    blocks = Blocks(unit)
    own = [*program.procedures.values(), *(window_procedure(program, w) for w in program.windows.values())]
    owners: dict[str, pg.ProcedureRule] = {}  # of blocks
    # What is extra comes last, so that the same rules have the same blocks whatever is added to them.
    for procedures in (own, extra):
        for procedure in procedures:
            blocks.entries[procedure.name] = blocks.new()
        for procedure in procedures:
            first = set(blocks.functions)
            try:
                compile_procedure(blocks, procedure)
            except RecursionError:
                raise too_deep(program, procedure) from None
            for number in set(blocks.functions) - first:
                blocks.procedure_of[number] = procedure.name
                owners[f"b{number}"] = procedure
    steps: list[Made] = [blocks.functions[n] for n in sorted(blocks.functions)]
    rules += unit.asides.values()
    sizes = {name: len(universe) for name, universe in program.world.universes.items()}
    meter = Meter(max(sizes.values()), sizes)
    try:
        passed = [*run(FULL if unit.tells else FAST, rules), *run(FULL if unit.tells else BLOCKS, steps)]
        functions = finished([*rules, *steps], passed, meter, [step.name for step in steps])
    except TooDeep as deep:
        raise refused(program, str(deep), owners) from None
    pads = {p.name: [0] * (blocks.frame_sizes[p.name] - 1 - len(p.params)) for p in (*own, *extra)}
    made = compile_python(program, f"<rules of {program.game}>", functions, owners, together=unit.tells)
    return Generated(
        unit=unit,
        blocks=blocks,
        code=made,
        functions=functions,
        pads=pads,
        titles={block: procedure.title for block, procedure in owners.items()},
        meter=meter,
        surroundings={
            **bind_runtime(program),
            **bind_places(unit.layout, program.world),
            **SEARCHES,
            "position": position_of(program) if unit.layout.positions else None,
            **bind_stacks(unit.layout, program.world),
            "RouteSearch": RouteSearch,
            "MaskOptions": MaskOptions,
            "MEMBERS": MembersOf(),
            "out_of_fuel": out_of_fuel,
            "too_many_options": too_many_options,
        },
    )


def _made(unit: Unit, rule: Rule, make: Callable[[Unit, Rule], Function]) -> Function:
    """A function for a rule; one that leads too far is refused with its place."""
    try:
        return make(unit, rule)
    except RecursionError:
        raise too_deep(unit.program, rule) from None


def bind(made: Generated, ruleset: Ruleset) -> Compiled:
    """The code for rules with these settings, ready to run."""
    unit, blocks = made.unit, made.blocks
    fired = [0] * len(unit.rules)
    names: dict[str, Any] = {
        **made.surroundings, **unit.constants, "FIRED": fired,
        "PAD": {blocks.entries[name]: pad for name, pad in made.pads.items()},
        **{unit.naming.called("SETTING", name): value for name, value in ruleset.settings.items()},
    }  # fmt: skip
    for code_of_function in made.code:
        exec(code_of_function, names)
    table: list[Any] = [names.get(f"b{n}") for n in range(blocks.count)]
    titles = [made.titles.get(f"b{n}", "") for n in range(blocks.count)]
    ready = Code(
        table, blocks.entries, made.pads, titles, blocks.places, unit.program, unit.naming, ruleset.limits
    )
    names |= {
        METER: ready.meter, REFUEL: ready.refuel_on_the_way,
        "MOST_OPTIONS": ruleset.limits.options_per_decision,
        "range": range, "len": len,  # of procedures that are only looked at
    }  # fmt: skip
    return Compiled(
        unit=unit,
        names=names,
        code=ready,
        blocks=blocks,
        functions=made.functions,
        fired=fired,
        meter=made.meter,
    )
