"""Whether a state is what its layout says (consistency): types, masks by value, places, stacks, hands.

All of it at a time, as arrays; only where something is wrong is every value asked by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import lt
from typing import Any

from interpreter.running.numbers import Exact
from interpreter.running.stacks import stacked_pieces
from interpreter.state.layout import Array, build_layout
from interpreter.state.token_cells import HELD, token_cells
from rulesdsl import program as pg
from rulesdsl.program.types import Type

_WHOLE = frozenset({int})
_EXACT = frozenset({int, Fraction, Exact})  # half a movement point


def inconsistencies(program: pg.Program, s: list[Any]) -> list[str]:
    """Everything that is wrong with a state, in words."""
    if _looks_right(program, s):
        return []
    return [*_values(program, s), *_places(program, s), *_tokens(program, s)]


# ---- whole arrays at a time ------------------------------------------------------------------------------
@dataclass(slots=True)
class _Bounds:
    """Numbers between `low` and `high` in so many cells (a flag of the universe is one number)."""

    first: int
    last: int
    low: int
    high: int | None
    types: frozenset[type] = _WHOLE


@dataclass(slots=True)
class _Shape:
    """What is compared in every state of a game, found out once."""

    bounds: list[_Bounds]
    indexed: list[tuple[list[int], int, int]]  # (cells of things, first mask, masks): masks by value
    constant: list[tuple[int, Any]]


@lru_cache(maxsize=64)
def _shape(program: pg.Program) -> _Shape:
    world, layout = program.world, build_layout(program)
    shape = _Shape([], [], [])
    for track in world.tracks.values():
        cell = layout.tracks[track.name]
        shape.bounds.append(_Bounds(cell, cell + 1, *_range(program, track.type)))
    for (universe, name), attribute in world.attributes.items():
        size = len(world.universes[universe])
        if attribute.printed:
            continue
        if attribute.type.kind == "flag":
            cells = layout.flags[universe, name].values()
            shape.bounds += [_Bounds(cell, cell + 1, 0, (1 << size) - 1) for cell in cells]
            continue
        array = layout.arrays[universe, name]
        shape.constant.append((array.base - 1, layout.initial[array.base - 1]))
        if size:
            shape.bounds.append(_Bounds(array.base, array.base + size, *_range(program, attribute.type)))
        if array.masks >= 0:
            shape.indexed.append(([*range(array.base, array.base + size)], array.masks - 1, array.values + 1))
    if ("piece", "at") in layout.arrays:
        at, pieces = layout.arrays["piece", "at"].base, len(world.universes["piece"])
        spaces = len(world.universes["space"])
        shape.indexed.append(([*range(at, at + pieces)], layout.pieces_in - 1, spaces + 1))
    return shape


def _range(program: pg.Program, type_: Type) -> tuple[int, int | None, frozenset[type]]:
    if type_.kind == "number":
        return -(10**30) if type_.low is None else type_.low, type_.high, _EXACT
    return *_whole_range(program, type_), _WHOLE


def _whole_range(program: pg.Program, type_: Type) -> tuple[int, int]:
    world = program.world
    match type_.kind:
        case "flag":
            return 0, 1
        case "thing":
            return -1, len(world.universes[type_.name]) - 1
        case "enum":
            return -1, len(world.enums[type_.name].values) - 1
        case "set" if type_.name in world.universes:
            return 0, (1 << len(world.universes[type_.name])) - 1
        case _:
            return 0, -1  # nothing fits: such values are asked one by one


def _looks_right(program: pg.Program, s: list[Any]) -> bool:
    """Whether the state is in order as far as types, masks, places and hands go."""
    shape = _shape(program)
    for b in shape.bounds:
        cells = s[b.first : b.last]
        if not b.types.issuperset(map(type, cells)) or min(cells) < b.low:
            return False
        if b.high is not None and max(cells) > b.high:
            return False
    if any(s[cell] != value for cell, value in shape.constant):
        return False
    for cells, first, count in shape.indexed:
        owners, bit = [0] * count, 1
        for cell in cells:
            owners[s[cell] + 1] |= bit
            bit <<= 1
        if s[first : first + count] != owners:
            return False
    hold = _pieces_are_right(program, s) and not any(_tokens(program, s))
    return hold and not any(_stacks(program, s))


def _pieces_are_right(program: pg.Program, s: list[Any]) -> bool:
    layout = build_layout(program)
    if ("piece", "at") not in layout.arrays:
        return True
    at, occupation = layout.arrays["piece", "at"].base, layout.occupation
    spaces = [0] * len(occupation.kinds)
    for i, kind in enumerate(occupation.kind_of):
        if s[at + i] >= 0:
            spaces[kind] |= 1 << s[at + i]
    face = layout.arrays["piece", "face"].base
    faces = program.world.faces
    if min(s[face : face + len(faces)], default=0) < 0 or not all(
        map(lt, s[face : face + len(faces)], faces)
    ):
        return False
    return s[occupation.base : occupation.base + len(spaces)] == spaces


# ---- one by one ------------------------------------------------------------------------------------------
def _values(program: pg.Program, s: list[Any]) -> Iterator[str]:
    """Every value has its type, every mask by value says the same as the values, nothing is given to none."""
    world, layout = program.world, build_layout(program)
    for track in world.tracks.values():
        value = s[layout.tracks[track.name]]
        if not _fits(program, track.type, value):
            yield f"{track.name} is {value!r}"
    for (universe, name), attribute in world.attributes.items():
        size = len(world.universes[universe])
        if attribute.printed:
            continue
        if attribute.type.kind == "flag":
            for until, cell in layout.flags[universe, name].items():
                if not isinstance(s[cell], int) or s[cell] >> size:
                    yield f"the flags {universe}.{name} ({until or 'for ever'}) are {s[cell]!r}"
            continue
        array = layout.arrays[universe, name]
        if s[array.base - 1] != layout.initial[array.base - 1]:
            yield f"none was given the {name} {s[array.base - 1]!r}"
        for i in range(size):
            if not _fits(program, attribute.type, s[array.base + i]):
                yield f"the {name} of {world.universes[universe].ids[i]} is {s[array.base + i]!r}"
        if array.masks >= 0:
            yield from (f"the masks of {universe}.{name} are wrong: {what}" for what in _masks(array, s))


def _masks(array: Array, s: list[Any]) -> Iterator[str]:
    for value in range(-1, array.values):
        owners = sum(1 << i for i in range(array.size) if s[array.base + i] == value)
        if s[array.masks + value] != owners:
            yield f"{value} has {s[array.masks + value]:#x}, not {owners:#x}"


def _fits(program: pg.Program, type_: Type, value: Any) -> bool:
    world = program.world
    match type_.kind:
        case "number":
            if not isinstance(value, int | Fraction) or isinstance(value, bool):
                return False
            return (type_.low is None or value >= type_.low) and (type_.high is None or value <= type_.high)
        case "flag":
            return type(value) is int and value in (0, 1)
        case "thing":
            return type(value) is int and -1 <= value < len(world.universes[type_.name])
        case "enum":
            return type(value) is int and -1 <= value < len(world.enums[type_.name].values)
        case "set":
            size = len(world.universes[type_.name]) if type_.name in world.universes else 0
            return type(value) is int and (not size or 0 <= value < 1 << size)
        case "text":
            return isinstance(value, str)
        case _:
            return True


def _places(program: pg.Program, s: list[Any]) -> Iterator[str]:
    """Each piece is in exactly one place, on a face it has."""
    world, layout = program.world, build_layout(program)
    if ("piece", "at") not in layout.arrays:
        return
    at, face = layout.arrays["piece", "at"].base, layout.arrays["piece", "face"].base
    pieces, spaces = world.universes["piece"], world.universes["space"]
    standing: dict[Any, int] = {}
    for i in range(len(pieces)):
        standing[s[at + i]] = standing.get(s[at + i], 0) | 1 << i
    for place in range(-1, len(spaces)):
        there = standing.get(place, 0)
        if s[layout.pieces_in + place] != there:
            name = spaces.ids[place] if place >= 0 else "nowhere"
            yield f"{name} holds {s[layout.pieces_in + place]:#x}, but {there:#x} say they are there"
    for kind, pieces_of_kind in enumerate(layout.occupation.kinds):
        places = {s[at + i] for i in range(len(pieces)) if pieces_of_kind >> i & 1 and s[at + i] >= 0}
        if s[layout.occupation.base + kind] != sum(1 << place for place in places):
            yield f"the spaces with pieces of kind {kind} are wrong: {s[layout.occupation.base + kind]:#x}"
    yield from _stacks(program, s)
    for i, faces in enumerate(world.faces):
        if not 0 <= s[face + i] < max(1, faces):
            yield f"{pieces.ids[i]} shows face {s[face + i]} of {faces}"


def _stacks(program: pg.Program, s: list[Any]) -> Iterator[str]:
    """Pieces in a space lie on each other without gaps; off the map they lie on nothing."""
    world, layout = program.world, build_layout(program)
    if not world.stack:
        return
    at, heights = (layout.arrays["piece", name].base for name in ("at", world.stack))
    members, stacks = stacked_pieces(world), dict[int, list[int]]()
    for i in range(len(world.universes["piece"])):
        if members >> i & 1:
            stacks.setdefault(s[at + i], []).append(s[heights + i])
    for place, found in stacks.items():
        wanted = [0] * len(found) if place < 0 else [*range(1, len(found) + 1)]
        if sorted(found) != wanted:
            yield f"the stack in space {place} has the heights {sorted(found)}"


def _tokens(program: pg.Program, s: list[Any]) -> Iterator[str]:
    """A token is in the bag, in one hand, or spent; and who holds it knows that."""
    cells, tokens = token_cells(build_layout(program)), program.world.universes["token"]
    if cells is None:
        return
    for i, identity in enumerate(tokens.ids):
        holder, state = s[cells.holder + i], s[cells.state + i]
        if (holder >= 0) != (state == HELD):
            yield f"the token {identity} has holder {holder} and state {state}"
        elif holder >= 0 and not cells.knows(s, i, holder):
            yield f"the token {identity} is not known to who holds it"
