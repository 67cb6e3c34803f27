"""A program compiled for play: generated functions, blocks, and the state a game starts with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.codegen.emitter import Emitter, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import action_function, define_function, function, quantity_function
from interpreter.codegen.metering import METER, Meter
from interpreter.codegen.procedures import Blocks, compile_procedure
from interpreter.codegen.pythoncode import run_python
from interpreter.codegen.routing import compile_routes
from interpreter.layout import Layout, build_layout
from interpreter.running.fuel import (
    OutOfFuel,
    RunawayRule,
    function_rules,
    out_of_fuel,
    rules_on_the_way,
    shortened,
)
from interpreter.running.machine import Code, Machine, MaskOptions
from interpreter.running.membership import MembersOf, bind_places
from interpreter.running.playout import Playouts
from interpreter.running.runtime import bind_runtime
from interpreter.running.spreading import SEARCHES
from interpreter.windows import play_function, window_procedure
from rulesdsl import program as pg
from rulesdsl.checker.seating import TAKES_PART
from rulesdsl.checker.values import convert
from rulesdsl.data.scenario import Scenario
from rulesdsl.diagnostics import UsageError, did_you_mean
from rulesdsl.limits import DEFAULT, Limits
from rulesdsl.world import Universe


@dataclass(eq=False)
class Ruleset:
    """One game with its settings. `full` writes a log and counts rules; `fast` does the same, silently."""

    program: pg.Program
    scenarios: Mapping[str, Scenario]
    settings: dict[str, object]
    limits: Limits = DEFAULT
    layout: Layout = field(init=False)
    _starts: dict[int, tuple[Scenario | None, list[Any]]] = field(default_factory=dict, init=False)
    _otherwise: dict[tuple[str, int], Compiled] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.layout = build_layout(self.program)

    @cached_property
    def full(self) -> Compiled:
        return compile_rules(self, traced=True)

    @cached_property
    def fast(self) -> Compiled:
        return compile_rules(self, traced=False)

    @cached_property
    def playouts(self) -> Playouts:
        """The silent code once more, for whole games at one go."""
        return Playouts(self)

    @cached_property
    def with_examples(self) -> Compiled:
        """The traced code together with the examples' steps."""
        from interpreter.examples import example_procedures

        return compile_rules(self, traced=True, extra=example_procedures(self.program.examples))

    @cached_property
    def seats(self) -> Universe:
        """The players who take part: all of them, unless `define takes_part(player)` says otherwise."""
        players = self.program.world.universes["player"]
        if TAKES_PART not in self.program.defines:
            return players
        compiled = self.fast if "fast" in vars(self) else self.full
        asked = compiled.names[f"d_{TAKES_PART}"]  # of settings and printed values only: any state will do
        there = [i for i in range(len(players)) if compiled.ask(asked, self.layout.initial, i)]
        return players.only(there) if there else players

    def new_machine(self, scenario: Scenario | None, seed: str, traced: bool) -> Machine:
        """A machine set up for a scenario; play has not begun."""
        compiled = self.full if traced else self.fast
        start = self._starts.get(id(scenario))
        if start is None:
            start = self._starts[id(scenario)] = (scenario, self.start_state(scenario))
        return Machine(compiled.code, start[1][:], seed)

    def start_state(self, scenario: Scenario | None, empty: bool = False) -> list[Any]:
        """The state before the first step: pieces placed, starting values set."""
        world, layout = self.program.world, self.layout
        state: list[Any] = list(layout.initial)
        if ("piece", "at") not in layout.arrays:
            return self._set_values(state, scenario)
        places = list(world.starts)
        spaces, pieces = world.universes["space"].index, world.universes["piece"].index
        if scenario is not None:
            for name, space, _ in scenario.mentions:
                if name in pieces:
                    places[pieces[name]] = spaces.get(space, -1) if space is not None else -1
        if empty:
            places = [-1] * len(places)
        at = layout.arrays["piece", "at"].base
        state[layout.pieces_in - 1] = 0
        for piece, place in enumerate(places):
            state[at + piece] = place
            state[layout.pieces_in + place] |= 1 << piece
            if place >= 0:
                state[layout.occupation.base + layout.occupation.kind_of[piece]] |= 1 << place
        return self._set_values(state, scenario)

    def _set_values(self, state: list[Any], scenario: Scenario | None) -> list[Any]:
        world, layout = self.program.world, self.layout
        for setting in scenario.settings if scenario is not None else ():
            if setting.of == "game":
                track = world.tracks.get(setting.attribute)
                if track is not None:
                    value = convert(world.enums, world.universes, track.type, setting.value)
                    state[layout.tracks[track.name]] = value
                continue
            for universe in world.universes.values():
                if setting.of in universe.index:
                    self.set_attribute(state, universe.name, setting.attribute, universe.index[setting.of],
                                       setting.value)  # fmt: skip
        return state

    def set_attribute(self, state: list[Any], universe: str, name: str, index: int, written: Any) -> None:
        """Give a state attribute a starting value, written as in YAML."""
        world, layout = self.program.world, self.layout
        attribute = world.attributes.get((universe, name))
        if attribute is None or attribute.printed:
            return
        value: Any = convert(world.enums, world.universes, attribute.type, written)
        if attribute.type.kind == "flag":
            slot = layout.flags[universe, name][""]
            state[slot] = state[slot] | 1 << index if value else state[slot] & ~(1 << index)
            return
        array = layout.arrays[universe, name]
        if array.masks >= 0:
            state[array.masks + state[array.base + index]] &= ~(1 << index)
            state[array.masks + value] |= 1 << index
        state[array.base + index] = value

    def evaluate(self, state: list[Any], e: pg.E, variables: Mapping[pg.Var, Any]) -> Any:
        """The value of any expression of the program, by the very code the game runs."""
        return self.full.evaluate(state, e, variables)

    def read_otherwise(self, reading: str, value: int) -> Compiled:
        """What expressions mean with one reading turned; the places in the state are the same."""
        if (reading, value) not in self._otherwise:
            turned = Ruleset(self.program, self.scenarios, {**self.settings, reading: value}, self.limits)
            self._otherwise[reading, value] = compile_rules(turned, traced=True, meanings_only=True)
        return self._otherwise[reading, value]


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
        except OutOfFuel as error:
            chain = shortened(rules_on_the_way(error, self.code.functions))
            raise RunawayRule(f"this rule takes too much work: {' → '.join(chain)}") from None

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


def resolve_settings(program: pg.Program, given: Mapping[str, str]) -> dict[str, object]:
    """The value of every setting: the default, unless it was given another."""
    settings: dict[str, object] = {s.name: s.default for s in program.settings.values()}
    for name, text in given.items():
        setting = program.settings.get(name)
        if setting is None:
            hint = did_you_mean(name, program.settings)
            raise UsageError(f'there is no option "{name}"' + (f"; {hint}" if hint else ""))
        value = convert(program.world.enums, program.world.universes, setting.type, _scalar(text))
        if value is None:
            known = ", ".join(setting.alternatives) or str(setting.type)
            raise UsageError(f'"{text}" is no value of {name}: use {known}')
        settings[name] = value
    return settings


def _scalar(text: str) -> Any:
    from rulesdsl.data.yamlfile import scalar_of

    value = scalar_of(text)
    return {"yes": True, "no": False}.get(text, value) if isinstance(value, str) else value
