"""Stacks: how high each piece lies in its space; kept by every move where a game declares `height: stack`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.state.layout import Layout
from rulesdsl.program.world import World


def stacked_pieces(world: World) -> int:
    """The pieces that have a place in a stack, as a mask; the others lie beside it."""
    pieces = world.universes["piece"]
    owners = world.attributes["piece", world.stack].owners
    return sum(1 << i for i, cls in enumerate(pieces.classes) if cls in owners)


def bind_stacks(layout: Layout, world: World) -> dict[str, Callable[..., None]]:
    """What generated code calls. Heights are counted from 1, without gaps; off the map they are 0."""
    if not world.stack:
        return {}
    heights, pieces_in, members = (
        layout.arrays["piece", world.stack].base,
        layout.pieces_in,
        stacked_pieces(world),
    )

    def shift(s: list[Any], pieces: int, low: int, high: int, by: int) -> None:
        """Pieces between two heights rise or sink."""
        rest = pieces & members
        while rest:
            bit = rest & -rest
            rest ^= bit
            cell = heights + bit.bit_length() - 1
            if low <= s[cell] <= high:
                s[cell] += by

    def restack(s: list[Any], piece: int, left: int, target: int) -> None:
        """A piece has left a space and is about to lie on top of another; neither holds it now."""
        if not members >> piece & 1:
            return
        cell = heights + piece
        if left >= 0:
            shift(s, s[pieces_in + left], s[cell] + 1, len(s), -1)
        s[cell] = (s[pieces_in + target] & members).bit_count() + 1 if target >= 0 else 0

    def put_in_stack(s: list[Any], piece: int, place: int, on_top: int) -> None:
        """A piece changes its place in the stack it lies in."""
        if piece < 0 or place < 0 or not members >> piece & 1:
            return
        cell, others = heights + piece, s[pieces_in + place] & ~(1 << piece)
        if on_top:
            shift(s, others, s[cell] + 1, len(s), -1)
            s[cell] = (others & members).bit_count() + 1
        else:
            shift(s, others, 1, s[cell] - 1, 1)
            s[cell] = 1

    return {"restack": restack, "put_in_stack": put_in_stack}


def pile_up(layout: Layout, world: World, s: list[Any], order: list[int]) -> None:
    """The heights at the beginning: pieces lie on each other in the order in which they were set up."""
    if not world.stack:
        return
    heights, at = layout.arrays["piece", world.stack].base, layout.arrays["piece", "at"].base
    members, piled = stacked_pieces(world), dict[int, int]()
    for piece in order:
        place = s[at + piece]
        if members >> piece & 1 and place >= 0:
            piled[place] = s[heights + piece] = piled.get(place, 0) + 1
