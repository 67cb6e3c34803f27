"""One game with its settings: its code in every flavour, and the states a game may start in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interpreter.compiling.compiled import Compiled, compile_examples, compile_rules
from interpreter.compiling.flavours import SILENT, TRACED
from interpreter.compiling.whole_games import Playouts
from interpreter.running.machine import Machine
from interpreter.running.stacks import pile_up
from interpreter.state.layout import Layout, build_layout
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.book.scenario import Scenario
from rulesdsl.book.yaml.nodes import scalar_of
from rulesdsl.checking.world.seating import seating_defines
from rulesdsl.checking.world.values import convert
from rulesdsl.language.conventions import OF_GAME, TAKES_PART
from rulesdsl.program.world import Universe

MOST_LISTED = 12  # settings that a message can name


@dataclass(eq=False)
class Ruleset:
    """One game with its settings. `full` writes a log and counts rules; `fast` does the same, silently."""

    program: pg.Program
    scenarios: Mapping[str, Scenario]
    settings: dict[str, object]
    limits: Limits = DEFAULT
    weights: tuple[tuple[str, int], ...] = ()  # how its computer opponent weighs what a position is worth
    layout: Layout = field(init=False)
    _starts: dict[int, tuple[Scenario | None, list[Any]]] = field(default_factory=dict, init=False)
    _otherwise: dict[tuple[str, int], Compiled] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.layout = build_layout(self.program)

    @cached_property
    def full(self) -> Compiled:
        return compile_rules(self, TRACED)

    @cached_property
    def fast(self) -> Compiled:
        return compile_rules(self, SILENT)

    @cached_property
    def playouts(self) -> Playouts:
        """The silent code once more, for whole games at one go."""
        return Playouts(self)

    @cached_property
    def with_examples(self) -> Compiled:
        """The traced code together with the examples' steps."""
        return compile_examples(self)

    @cached_property
    def seats(self) -> Universe:
        """The players who take part: all of them, unless `define takes_part(player)` says otherwise."""
        players = self.program.world.universes["player"]
        if TAKES_PART not in self.program.defines:
            return players
        compiled = vars(self).get("fast") or vars(self).get("full") or self._seating()
        asked = compiled.function("d", TAKES_PART)  # of settings and printed values only: any state will do
        there = [i for i in range(len(players)) if compiled.ask(asked, self.layout.initial, i)]
        return players.only(there) if there else players

    @cached_property
    def all_seats(self) -> int:
        """The set of players who take part."""
        return sum(1 << number for number in self.seats.index.values())

    def _seating(self) -> Compiled:
        """The few functions that say who takes part: whoever only asks that need not wait for the rest."""
        program = replace(
            self.program, defines=seating_defines(self.program), quantities={}, actions={}, routes={},
            procedures={}, triggers=(), windows={}, tokens={}, examples=(),
        )  # fmt: skip
        return compile_rules(Ruleset(program, {}, self.settings, self.limits), SILENT)

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
        named = [pieces[name] for name, _, _ in scenario.mentions if name in pieces] if scenario else []
        pile_up(layout, world, state, [*dict.fromkeys((*named, *range(len(places))))])
        return self._set_values(state, scenario)

    def _set_values(self, state: list[Any], scenario: Scenario | None) -> list[Any]:
        world, layout = self.program.world, self.layout
        for setting in scenario.settings if scenario is not None else ():
            if setting.of == OF_GAME:
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
            self._otherwise[reading, value] = compile_rules(turned, TRACED)
        return self._otherwise[reading, value]


def resolve_settings(program: pg.Program, given: Mapping[str, str]) -> dict[str, object]:
    """The value of every setting: the default, unless it was given another."""
    settings: dict[str, object] = {s.name: s.default for s in program.settings.values()}
    for name, text in given.items():
        setting = program.settings.get(name)
        if setting is None:
            raise UsageError(unknown_setting(program, name))
        value = convert(program.world.enums, program.world.universes, setting.type, _scalar(text))
        if value is None:
            known = ", ".join(setting.alternatives) or str(setting.type)
            raise UsageError(f'"{text}" is no value of {name}: use {known}')
        settings[name] = value
    return settings


def unknown_setting(program: pg.Program, name: str, called: str = "option or reading") -> str:
    """What to say of a name that no setting has: the one that is meant, or those there are."""
    kinds = {"reading": ("reading",), "option": ("option", "parameter")}.get(called)
    known = [s.name for s in program.settings.values() if kinds is None or s.kind in kinds]
    if not known:
        return f'there is no {called} "{name}"; the game has none'
    there = f"there are: {', '.join(known[:MOST_LISTED])}"
    if len(known) > MOST_LISTED:
        there += f" and {len(known) - MOST_LISTED} more (readings: rulesdsl readings {program.game})"
    return f'there is no {called} "{name}"; {did_you_mean(name, known) or there}'


def _scalar(text: str) -> Any:
    value = scalar_of(text)
    return {"yes": True, "no": False}.get(text, value) if isinstance(value, str) else value
