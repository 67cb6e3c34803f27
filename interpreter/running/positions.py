"""Positions that have occurred: what everybody sees of a state, as one number.

A position is what stands where and what is known to all of it: tracks and attributes that are neither
`quiet` nor hidden from anybody. Pieces of one class with the same print are the same: two knights that
change places make no new position. Dice, records and the variables of procedures are no part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from interpreter.state.layout import build_layout
from rulesdsl import program as pg
from rulesdsl.program.world import Attribute, World

State = list[Any]
Reading = Callable[[State], list[Any]]


@dataclass(frozen=True)
class Shown:
    """What everybody sees of a state: cells of tracks, attributes of things and of pieces; of each piece its
    print, and which pieces are seen."""

    tracks: tuple[int, ...]
    others: tuple[Attribute, ...]
    of_pieces: tuple[Attribute, ...]
    prints: tuple[int, ...]
    seen: tuple[int, ...]


@lru_cache(maxsize=32)
def shown_of(program: pg.Program) -> Shown:
    """What the position of a game is made of."""
    world, layout = program.world, build_layout(program)
    tracks = [layout.tracks[t.name] for t in world.tracks.values() if not t.quiet and t.visible_to is None]
    open_ = [a for a in world.attributes.values() if not a.printed and not a.quiet and a.visible_to is None]
    seen = [i for i, name in enumerate(world.universes["piece"].classes) if name not in world.backs]
    return Shown(
        tuple(tracks), tuple(a for a in open_ if a.universe in ("space", "border", "player", "group")),
        tuple(a for a in open_ if a.universe == "piece"), tuple(_prints(world)), tuple(seen),
    )  # fmt: skip


@lru_cache(maxsize=32)
def position_of(program: pg.Program) -> Callable[[State], int]:
    """A function that gives the number of the position a state shows."""
    parts = shown_of(program)
    tracks, prints, seen = parts.tracks, parts.prints, parts.seen
    of_pieces = [_reading(program, a) for a in parts.of_pieces]
    of_others = [_reading(program, a) for a in parts.others]

    def position(s: State) -> int:
        read = [reading(s) for reading in of_pieces]
        pieces = sorted((prints[i], *(str(values[i]) for values in read)) for i in seen)
        shown = ([s[cell] for cell in tracks], [reading(s) for reading in of_others], pieces)
        return int.from_bytes(blake2b(repr(shown).encode(), digest_size=8).digest(), "big")

    return position


def _reading(program: pg.Program, attribute: Attribute) -> Reading:
    """The values of an attribute, one for each thing that could have it."""
    layout, count = build_layout(program), len(program.world.universes[attribute.universe])
    if attribute.type.kind == "flag":
        slots = list(layout.flag_slots(attribute).values())
        return lambda s: [int(any(s[slot] >> i & 1 for slot in slots)) for i in range(count)]
    base = layout.arrays[attribute.universe, attribute.name].base
    return lambda s: s[base : base + count]


def _prints(world: World) -> list[int]:
    """For each piece a number: the same for pieces of one class with the same printed values."""
    printed = [a for a in world.attributes.values() if a.universe == "piece" and a.printed]
    numbers: dict[tuple[Any, ...], int] = {}
    classes = world.universes["piece"].classes
    looks = [(name, *(str(a.values[i]) for a in printed)) for i, name in enumerate(classes)]
    return [numbers.setdefault(look, len(numbers)) for look in looks]
