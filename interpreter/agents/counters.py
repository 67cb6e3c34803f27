"""Hidden counters in a possible world: which piece lies where is forgotten, then drawn.

Pieces that a seat cannot tell apart change places as a whole: wherever the state, a record, a variable of a
procedure or an option speaks of the one, it then speaks of the other, so that everything still fits.
What is not known of a counter besides its place and its back is as it was at the beginning of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from interpreter.agents.lots import shuffled
from interpreter.compiling.decision_points import Site
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.counters import members, place_seen
from interpreter.running.machine import Machine, Pending
from interpreter.state.exchange import about_pieces, cells_about_pieces, exchange_pieces, renamed
from interpreter.state.position import Position

Groups = tuple[tuple[int, ...], ...]
Renamed = Mapping[int, int]  # piece → the piece that takes its place


def alike(ruleset: Ruleset, hidden: int) -> Groups:
    """Hidden pieces by what is printed on their backs: those of a group cannot be told apart."""
    world = ruleset.program.world
    classes, groups = world.universes["piece"].classes, dict[tuple[object, ...], list[int]]()
    for piece in members(hidden):
        showing = world.backs[classes[piece]].showing
        printed = (world.attributes["piece", name] for name in showing)
        key = (classes[piece], *(a.values[piece] for a in printed if a.printed))
        groups.setdefault(key, []).append(piece)
    return tuple(tuple(group) for group in groups.values())


def forget(ruleset: Ruleset, machine: Machine, hidden: int) -> Groups:
    """Put the hidden pieces of each group into their places in a fixed order, and take away what is not known
    of them. Returns the groups."""
    groups = alike(ruleset, hidden)
    places = {piece: place_seen(ruleset, machine.s, piece) for piece in members(hidden)}
    spoken = _spoken_of(ruleset, machine)
    new: dict[int, int] = {}
    for group in groups:
        # those that lie in the same place are told apart by what speaks of them, never by what they are
        seen = sorted(group, key=lambda piece: (places[piece], spoken(piece)))
        new |= dict(zip(seen, sorted(group), strict=True))
    exchange(ruleset, machine, new)
    for piece in members(hidden):
        _as_at_first(ruleset, machine.s, piece)
    return groups


def draw(ruleset: Ruleset, machine: Machine, groups: Groups, seed: str) -> None:
    """Each piece of a group in any of the places of the group."""
    new: dict[int, int] = {}
    for number, group in enumerate(groups):
        new |= dict(zip(group, shuffled([*group], seed, f"counters {number}"), strict=True))
    exchange(ruleset, machine, new)


# ---- exchanging pieces -----------------------------------------------------------------------------------
def exchange(ruleset: Ruleset, machine: Machine, new: Renamed) -> None:
    """The same position with pieces in each other's places, wherever they are spoken of."""
    new = {piece: other for piece, other in new.items() if piece != other}
    if not new:
        return
    exchange_pieces(ruleset.layout, ruleset.program.world, machine.s, new)
    for frame, slot, is_set in _slots_about_pieces(ruleset, machine):
        if slot < len(frame) and isinstance(frame[slot], int):
            frame[slot] = renamed(frame[slot], new) if is_set else new.get(frame[slot], frame[slot])
    machine.pending = _renamed_options(ruleset, machine.pending, new)


def _slots_about_pieces(ruleset: Ruleset, machine: Machine) -> Iterator[tuple[list[Any], int, bool]]:
    blocks = ruleset.full.blocks
    for frame in machine.stack:
        types = blocks.frame_types[blocks.procedure_of[frame[0]]]
        for slot, type_ in enumerate(types):
            if type_ is not None and about_pieces(type_):
                yield frame, slot, type_.kind == "set"


def _renamed_options(ruleset: Ruleset, pending: Pending | None, new: Renamed) -> Pending | None:
    site = ruleset.full.blocks.sites[pending.site] if pending is not None else None
    if pending is None or not isinstance(site, Site) or not any(map(about_pieces, site.types)):
        return pending
    several = len(site.types) > 1
    options = []
    for value in pending.options:
        parts = value if several else (value,)
        told = tuple(new.get(v, v) if about_pieces(t) else v for t, v in zip(site.types, parts, strict=True))
        options.append(told if several else told[0])
    return Pending(pending.site, pending.who, options, pending.out)


# ---- forgetting ------------------------------------------------------------------------------------------
def _spoken_of(ruleset: Ruleset, machine: Machine) -> Callable[[int], tuple[bool, ...]]:
    """Which cells and variables speak of a piece."""
    s = machine.s
    cells = [(s[cell], is_set) for cell, is_set in cells_about_pieces(ruleset.layout, ruleset.program.world)]
    cells += [
        (frame[slot], is_set)
        for frame, slot, is_set in _slots_about_pieces(ruleset, machine)
        if slot < len(frame) and isinstance(frame[slot], int)
    ]
    cells = [(value, is_set) for value, is_set in cells if (value > 0 if is_set else value >= 0)]
    return lambda piece: tuple(
        bool(value >> piece & 1) if is_set else value == piece for value, is_set in cells
    )


def _as_at_first(ruleset: Ruleset, s: list[Any], piece: int) -> None:
    """What is hidden of a counter beside its place and its back gets the value it started with."""
    now, world = Position(ruleset.layout, s), ruleset.program.world
    kept = ("at", world.stack, *world.backs[world.universes["piece"].classes[piece]].showing)
    for (universe, name), attribute in world.attributes.items():
        if universe != "piece" or attribute.printed or name in kept:
            continue
        value = attribute.values[piece]
        assert not isinstance(value, tuple)
        now.put(universe, name, piece, value)
