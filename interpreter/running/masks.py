"""Masks and what they stand for: the numbers in a mask, the pieces in spaces, the spaces of pieces."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from interpreter.state.layout import Layout
from rulesdsl.program.world import World

MOST_REMEMBERED = 20_000
CHUNK = 11  # bits of a mask that are looked up at once
FEW_PIECES = 4  # so few are looked up one by one


class _Row(dict[int, tuple[int, ...]]):
    """A chunk of masks: value of it → the numbers it stands for, each worked out when it comes."""

    def __init__(self, first: int) -> None:
        self.first = first

    def __missing__(self, value: int) -> tuple[int, ...]:
        self[value] = found = tuple([self.first + number for number in first_rows()[value]])
        return found


_ROWS: list[_Row] = []


def members(mask: int) -> tuple[int, ...]:
    """The numbers in a mask, lowest first."""
    found: tuple[int, ...] = ()
    chunk = 0
    while mask:
        if chunk == len(_ROWS):
            _ROWS.append(_Row(CHUNK * chunk))
        found += _ROWS[chunk][mask & 2047]
        mask >>= CHUNK
        chunk += 1
    return found


@cache
def first_rows() -> tuple[tuple[int, ...], ...]:
    """The numbers in every mask of one chunk, by the mask."""
    rows: list[tuple[int, ...]] = [()]
    for number in range(CHUNK):
        rows += [(*row, number) for row in rows]
    return tuple(rows)


class MembersOf(dict[int, tuple[int, ...]]):
    """`MEMBERS[mask]`, remembered: the same sets come again and again. It depends on the mask alone."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        self[mask] = found = members(mask)
        return found


def bind_places(layout: Layout, world: World) -> dict[str, Callable[..., Any]]:
    """`standing_in`, `standing_among` and `occupied` for generated code."""
    if ("piece", "at") not in layout.arrays:
        return {}
    pieces_in, at = layout.pieces_in, layout.arrays["piece", "at"].base
    kinds = [(layout.occupation.base + k, kind) for k, kind in enumerate(layout.occupation.kinds)]
    bits = (*(1 << i for i in range(len(world.universes["space"]))), 0)

    def standing_in(s: list[Any], spaces: int) -> int:
        """The pieces in a set of spaces."""
        found = 0
        while spaces:
            bit = spaces & -spaces
            spaces ^= bit
            found |= s[pieces_in + bit.bit_length() - 1]
        return found

    def standing_among(s: list[Any], pieces: int, spaces: int) -> int:
        """Those of some pieces that are in a set of spaces; gone through is what is less."""
        found = 0
        if pieces.bit_count() > spaces.bit_count():
            while spaces:
                bit = spaces & -spaces
                spaces ^= bit
                found |= s[pieces_in + bit.bit_length() - 1]
            return found & pieces
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            if spaces & bits[s[at + bit.bit_length() - 1]]:
                found |= bit
        return found

    def occupied(s: list[Any], pieces: int) -> int:
        """The spaces of a set of pieces: whole kinds are known, only the rest is looked up one by one."""
        found = 0
        if pieces.bit_count() > FEW_PIECES:
            for cell, kind in kinds:
                if pieces & kind == kind:
                    pieces ^= kind
                    found |= s[cell]
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            found |= bits[s[at + bit.bit_length() - 1]]
        return found

    return {"standing_in": standing_in, "standing_among": standing_among, "occupied": occupied}
