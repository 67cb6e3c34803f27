"""Where everything lives in the state: one flat list of integers (and a few fractions).

A state is copied with one slice, compared with `==`, hashed and saved as it is. Arrays are indexed by
the numbers of `World`; the cell before each array holds the value for "none" (-1), so that generated
code needs no test. Flags are bit masks, one per phase they may last until. Attributes with few values
also keep a mask of owners per value, so that "zones nobody controls" is one lookup.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from interpreter.state.occupation import Occupation, kinds_of_pieces
from rulesdsl import program as pg
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.types import Type
from rulesdsl.program.walk import all_steps
from rulesdsl.program.world import Attribute, Constant

Cell = int | Fraction | str | object


@dataclass(slots=True)
class Array:
    """`base + i` is the cell of thing `i`; `masks + v` the owners whose value is `v` (when kept)."""

    base: int
    size: int
    masks: int = -1
    values: int = 0


@dataclass(slots=True)
class Layout:
    size: int = 0
    tracks: dict[str, int] = field(default_factory=dict)
    fields: dict[tuple[str, str], int] = field(default_factory=dict)
    arrays: dict[tuple[str, str], Array] = field(default_factory=dict)
    flags: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)  # "" is for ever
    pieces_in: int = 0
    occupation: Occupation = field(default_factory=lambda: Occupation(0, (), ()))
    positions: int = 0  # those that have occurred, in games that remember them
    rolls: dict[str, int] = field(default_factory=dict)
    initial: list[Cell] = field(default_factory=list)
    cell_names: list[str] = field(default_factory=list)

    def slot(self, name: str, value: Cell) -> int:
        self.initial.append(value)
        self.cell_names.append(name)
        self.size += 1
        return self.size - 1

    def flag_slots(self, attribute: Attribute) -> dict[str, int]:
        return self.flags[attribute.universe, attribute.name]

    # ---- for who reads many states together: the cells, in the order of the things
    def cells_of(self, universe: str, name: str) -> range:
        """Where an attribute of everything in a universe stands; a track is the one attribute of the game."""
        if universe == OF_GAME:
            return range(self.tracks[name], self.tracks[name] + 1)
        array = self.arrays[universe, name]
        return range(array.base, array.base + array.size)

    def masks_of(self, universe: str, name: str) -> tuple[int, ...]:
        """The cells that together hold the owners of a flag."""
        return tuple(self.flags[universe, name].values())


@lru_cache(maxsize=32)
def build_layout(program: pg.Program) -> Layout:
    """Number every cell of the state of a game. Settings change nothing here, so that rules with other
    settings share it: going through a whole rulebook takes a while."""
    world = program.world
    layout = Layout()
    layout.slot("pad", 0)
    layout.tracks["cancelled"] = layout.slot("cancelled", 0)
    for track in world.tracks.values():
        layout.tracks[track.name] = layout.slot(track.name, track.start)
    for record in world.records.values():
        for name, type_ in record.fields.items():
            layout.fields[record.name, name] = layout.slot(f"{record.name}.{name}", empty_value(type_))
    durations = _durations(program)
    for attribute in world.attributes.values():
        if attribute.printed:
            continue
        key = (attribute.universe, attribute.name)
        if attribute.type.kind == "flag":
            mask = sum(1 << i for i, v in enumerate(attribute.values) if v)
            slots = {"": layout.slot(f"{key[0]}.{key[1]}", mask)}
            for phase in sorted(durations.get(key, ())):
                slots[phase] = layout.slot(f"{key[0]}.{key[1]} until end of {phase}", 0)
            layout.flags[key] = slots
        else:
            layout.arrays[key] = _array(layout, program, attribute)
    if ("piece", "at") in layout.arrays:
        pieces = len(world.universes["piece"])
        layout.slot("pieces nowhere", (1 << pieces) - 1)
        layout.pieces_in = layout.size
        for space in world.universes["space"].ids:
            layout.slot(f"pieces in {space}", 0)
        kinds, kind_of = kinds_of_pieces(program)
        layout.occupation = Occupation(layout.size, kinds, kind_of)
        for kind in range(len(kinds)):
            layout.slot(f"spaces with pieces of kind {kind}", 0)
    for purpose in sorted(
        {s.purpose for s in all_steps(program) if isinstance(s, pg.RollS | pg.PickS | pg.ShuffleS)}
    ):
        layout.rolls[purpose] = layout.slot(f"rolls for {purpose}", 0)
    layout.rolls["draw"] = layout.slot("draws from the bag", 0)
    if any(isinstance(step, pg.RememberS) for step in all_steps(program)):
        layout.positions = layout.slot("positions that have occurred", ())
    return layout


def _array(layout: Layout, program: pg.Program, attribute: Attribute) -> Array:
    world = program.world
    name = f"{attribute.universe}.{attribute.name}"
    layout.slot(f"{name} of none", attribute.default)
    base = layout.size
    universe = world.universes[attribute.universe]
    for identity, value in zip(universe.ids, attribute.values, strict=True):
        assert not isinstance(value, tuple)
        layout.slot(f"{name} of {identity}", value)
    array = Array(base, len(universe))
    count = _few_values(program, attribute.type)
    if count and (attribute.universe, attribute.name) != ("piece", "at"):
        owners = [0] * (count + 1)
        for i, value in enumerate(attribute.values):
            owners[int(str(value)) + 1] |= 1 << i
        array.masks = layout.size + 1
        array.values = count
        for v, mask in enumerate(owners):
            layout.slot(f"{name} = {v - 1}", mask)
    return array


def _few_values(program: pg.Program, type_: Type) -> int:
    """How many values an attribute may have, when masks by value are worth keeping."""
    if type_.kind == "enum":
        return len(program.world.enums[type_.name].values)
    if type_.kind == "thing" and type_.name == "player":
        return len(program.world.universes["player"])
    return 0


def empty_value(type_: Type) -> Constant:
    if type_.kind in ("thing", "enum"):
        return -1
    return "" if type_.kind == "text" else 0


def _durations(program: pg.Program) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for step in all_steps(program):
        if isinstance(step, pg.MarkS) and step.until is not None:
            key = (step.attribute.universe, step.attribute.name)
            found.setdefault(key, set()).add(step.until)
    return found
