"""A state with pieces in each other's places: wherever it speaks of the one, it then speaks of the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter.state.layout import Layout
from rulesdsl.program.types import Type
from rulesdsl.program.world import World

Renamed = Mapping[int, int]  # piece → the piece that takes its place; nobody is left without one


def exchange_pieces(layout: Layout, world: World, s: list[Any], new: Renamed) -> None:
    """Pieces, what they are and where they stand, and every track, record and attribute that names one."""
    for (universe, name), attribute in world.attributes.items():
        if universe != "piece" or attribute.printed:
            continue
        if attribute.type.kind == "flag":
            for cell in layout.flags[universe, name].values():
                s[cell] = renamed(s[cell], new)
            continue
        array = layout.arrays[universe, name]
        old = {piece: s[array.base + piece] for piece in new}
        for piece, value in old.items():
            s[array.base + new[piece]] = value
        if array.masks >= 0:
            for value in {*old.values()}:
                s[array.masks + value] = renamed(s[array.masks + value], new)
    at, faces = layout.arrays["piece", "at"].base, layout.arrays["piece", "face"].base
    for piece in new:
        s[faces + piece] %= max(1, world.faces[piece])
    occupation = layout.occupation
    for space in {s[at + piece] for piece in new}:
        s[layout.pieces_in + space] = there = renamed(s[layout.pieces_in + space], new)
        for kind, pieces in enumerate(occupation.kinds if space >= 0 else ()):
            cell = occupation.base + kind
            s[cell] = s[cell] | 1 << space if there & pieces else s[cell] & ~(1 << space)
    for cell, is_set in cells_about_pieces(layout, world):
        s[cell] = renamed(s[cell], new) if is_set else new.get(s[cell], s[cell])


def renamed(mask: int, new: Renamed) -> int:
    """A set of pieces in which each is the one that takes its place."""
    out = mask
    for piece in new:
        out &= ~(1 << piece)
    for piece, other in new.items():
        out |= (mask >> piece & 1) << other
    return out


def cells_about_pieces(layout: Layout, world: World) -> Iterator[tuple[int, bool]]:
    """Cells that name a piece or (marked) hold a set of them: tracks, records, attributes of anything."""
    for track in world.tracks.values():
        if about_pieces(track.type):
            yield layout.tracks[track.name], track.type.kind == "set"
    for record in world.records.values():
        for name, type_ in record.fields.items():
            if about_pieces(type_):
                yield layout.fields[record.name, name], type_.kind == "set"
    for (universe, name), attribute in world.attributes.items():
        if not attribute.printed and about_pieces(attribute.type):
            yield from ((cell, attribute.type.kind == "set") for cell in layout.cells_of(universe, name))


def about_pieces(type_: Type) -> bool:
    return type_.kind in ("thing", "set") and type_.name == "piece"
