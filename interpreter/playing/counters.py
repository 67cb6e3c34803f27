"""Counters as a seat sees them: which pieces it does not know, and what those are called to it.

A piece whose identity is hidden is a counter in a space: it shows its back, and is named by its place in the
stack. Names, keys of options and their order are made from that alone, so that they are the same in all
games that differ only in which piece is which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interpreter.compiling.decision_points import Site
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.dice import fair_number
from interpreter.running.machine import Machine
from interpreter.running.state_json import shown_value
from interpreter.secrecy.identity import PIECES, Identity
from interpreter.state.position import Position
from rulesdsl import program as pg
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.language.plurals import plural_of
from rulesdsl.program.types import Type, thing
from rulesdsl.program.world import World


def hides_identity(program: pg.Program) -> bool:
    """Whether there are pieces of which not everybody knows which is which."""
    return IDENTITY in program.visibility


@lru_cache(maxsize=8)
def _asking(program: pg.Program) -> tuple[pg.E, pg.Var, pg.Var]:
    """An expression for those of some pieces that a player does not know; the variables for him and them."""
    seat, pieces = pg.Var("seat", thing("player")), pg.Var("pieces", PIECES)
    return Identity(program).unknown_to(seat, pg.VarGet(pieces, type=PIECES)), seat, pieces


def hidden_pieces(ruleset: Ruleset, s: list[Any], seat: int, among: int = -1) -> int:
    """The pieces a player does not know (-1: that not everybody knows), as a mask; `among` these, or all."""
    if not hides_identity(ruleset.program):
        return 0
    unknown, var, pieces = _asking(ruleset.program)
    if among < 0:
        among = (1 << len(ruleset.program.world.universes["piece"])) - 1
    found = 0
    for player in (seat,) if seat >= 0 else members(ruleset.all_seats):
        found |= ruleset.evaluate(s, unknown, {var: player, pieces: among})
    return found


def members(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


# ---- places and backs ------------------------------------------------------------------------------------
def counters_in_order(ruleset: Ruleset, machine: Machine, hidden: int) -> dict[int, tuple[int, int]]:
    """Hidden piece → its space and its number there: from the lowest, or by lot where there are no stacks."""
    by_space: dict[int, list[tuple[int, str, int, int]]] = {}
    for piece in members(hidden):
        space, height, shown = place_seen(ruleset, machine.s, piece)
        lot = fair_number(machine.seed, "counter", piece, 0, 1 << 30) if not height else 0
        by_space.setdefault(space, []).append((height, shown, lot, piece))
    return {
        piece: (space, height or number)
        for space, pile in by_space.items()
        for number, (height, _, _, piece) in enumerate(sorted(pile), 1)
    }


def place_seen(ruleset: Ruleset, s: list[Any], piece: int) -> tuple[int, int, str]:
    """What tells a counter from others to those who do not know it: its space, its height, its back."""
    now, stack = Position(ruleset.layout, s), ruleset.program.world.stack
    height = now.value("piece", stack, piece) if stack else 0
    shown = repr(sorted(shown_on_back(ruleset, s, piece).items()))
    return now.at(piece), height, shown


def shown_on_back(ruleset: Ruleset, s: list[Any], piece: int) -> dict[str, Any]:
    """What the back of a counter shows, attribute by attribute, as the state keeps it."""
    world, now = ruleset.program.world, Position(ruleset.layout, s)
    back = world.backs[world.universes["piece"].classes[piece]]
    found: dict[str, Any] = {}
    for name in back.showing:
        attribute = world.attributes["piece", name]
        if attribute.printed:
            value = attribute.values[piece]
            if isinstance(value, tuple):
                face = now.face(piece)
                value = value[face] if face < len(value) else value[0]
            found[name] = value
        else:
            found[name] = now.value("piece", name, piece)
    return found


def called(world: World, pieces: Sequence[int]) -> str:
    """Some pieces, to those who know no more than their backs: “2 unknown units of Red”."""
    piece = world.universes["piece"]
    backs = []
    for one in pieces:
        cls, shown = piece.classes[one], {}
        for name in world.backs[cls].showing:
            attribute = world.attributes["piece", name]
            value = attribute.values[one]
            if attribute.printed and not isinstance(value, tuple):  # what may change is seen on the board
                shown[name] = shown_value(world, attribute.type, value)
        backs.append((cls, shown))
    return counted_backs(world, backs)


def counted_backs(world: World, backs: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Counters by class and what they show, in words: those that look alike are counted."""
    kinds = Counter(_back_words(world, cls, shown) for cls, shown in backs)
    return ", ".join(
        f"{count} unknown {words}{plural_of(noun)}{of}" if count > 1 else f"an unknown {words}{noun}{of}"
        for (words, noun, of), count in sorted(kinds.items())
    )


def back_words(world: World, cls: str, shown: Mapping[str, Any]) -> str:
    """One counter in words."""
    return counted_backs(world, [(cls, shown)])


def _back_words(world: World, cls: str, shown: Mapping[str, Any]) -> tuple[str, str, str]:
    words, owners = "", ""
    players = world.universes["player"]
    for name, value in shown.items():
        type_ = world.attributes["piece", name].type
        if value in players.index and type_.name == "player":
            owners += f" of {players.names[players.index[value]]}"
        elif type_.kind == "enum" and isinstance(value, str) and value != "none":
            words += f"{value.replace('_', ' ')} "
    return words, cls.replace("_", " "), owners


# ---- names for a seat -------------------------------------------------------------------------------------
def as_seen(ruleset: Ruleset, machine: Machine, seat: int) -> pg.Program:
    """The program with the names and ids that pieces have for a seat: for prompts, options and reasons."""
    program = ruleset.program
    hidden = hidden_pieces(ruleset, machine.s, seat)
    if not hidden:
        return program
    world, pieces = program.world, program.world.universes["piece"]
    ids, names = list(pieces.ids), list(pieces.names)
    index = {word: piece for word, piece in pieces.index.items() if not hidden >> piece & 1}
    for piece, (space, number) in counters_in_order(ruleset, machine, hidden).items():
        where = world.universes["space"].ids[space] if space >= 0 else "off_map"
        place = world.place_name(space) if space >= 0 else "off the map"
        ids[piece] = f"counter_{number}_in_{where}"
        names[piece] = f"{called(world, [piece])} (no. {number} in {place})"
        index[ids[piece]] = piece
    seen = replace(pieces, ids=tuple(ids), names=tuple(names), index=index)
    return replace(program, world=replace(world, universes={**world.universes, "piece": seen}))


def order_of_options(ruleset: Ruleset, machine: Machine) -> list[int]:
    """The options in the order in which they are shown to who is asked: what he does not know comes last,
    sorted by what he sees of it."""
    pending = machine.pending
    assert pending is not None
    site = ruleset.full.blocks.sites[pending.site]
    count = len(pending.options)
    types = site.types if isinstance(site, Site) else ()
    if not hides_identity(ruleset.program) or not any(map(_is_piece, types)):
        return [*range(count)]
    if not hidden_pieces(ruleset, machine.s, pending.who, _pieces_among(pending.options, types)):
        return [*range(count)]  # as the rules list them: by what he knows
    hidden = hidden_pieces(ruleset, machine.s, pending.who)
    seen = counters_in_order(ruleset, machine, hidden)

    def rank(number: int) -> tuple[tuple[int, ...], ...]:
        value = pending.options[number]
        values = value if isinstance(value, tuple) else (value,)
        return tuple(
            (1, *seen[v]) if _is_piece(t) and v in seen else (0, v)
            for t, v in zip(types, values, strict=True)
        )

    return sorted(range(count), key=rank)


def _pieces_among(options: Sequence[Any], types: Sequence[Type]) -> int:
    """The pieces that options name, as a mask."""
    found = 0
    for value in options:
        for part, type_ in zip(value if isinstance(value, tuple) else (value,), types, strict=True):
            if _is_piece(type_) and part >= 0:
                found |= 1 << part
    return found


def _is_piece(type_: Type) -> bool:
    return type_.kind == "thing" and type_.name == "piece"
