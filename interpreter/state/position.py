"""A state asked in the words of the rules: who stands where, which value something has, what a track says.

Where things lie in the state is known to the layout and to generated code; everybody else asks here. A
`Position` is a way of looking at a state: it holds nothing, costs nothing to make, and `put` changes the
very state it looks at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.state.layout import Layout


@dataclass(frozen=True, slots=True)
class Position:
    layout: Layout
    s: list[Any]

    # ---- what the game keeps
    def track(self, name: str) -> Any:
        return self.s[self.layout.tracks[name]]

    def field(self, record: str, name: str) -> Any:
        return self.s[self.layout.fields[record, name]]

    def raised(self, universe: str, name: str) -> int:
        """The owners of a flag, whatever it lasts until."""
        mask = 0
        for cell in self.layout.flags[universe, name].values():
            mask |= self.s[cell]
        return mask

    def lasting(self, universe: str, name: str) -> dict[str, int]:
        """The owners of a flag by the phase it lasts until, "" for ever."""
        return {until: self.s[cell] for until, cell in self.layout.flags[universe, name].items()}

    def values(self, universe: str, name: str) -> list[Any]:
        """An attribute of everything in a universe, in its order."""
        array = self.layout.arrays[universe, name]
        return self.s[array.base : array.base + array.size]

    def value(self, universe: str, name: str, number: int) -> Any:
        """An attribute of one thing, a flag as 0 or 1; of `game` a track."""
        if universe == "game":
            return self.track(name)
        if (universe, name) in self.layout.flags:
            return self.raised(universe, name) >> number & 1
        return self.s[self.layout.arrays[universe, name].base + number]

    def put(self, universe: str, name: str, number: int, value: Any) -> None:
        """Give a thing another value, with the masks that are kept of it; a flag lasts for ever."""
        s, bit = self.s, 1 << number
        if universe == "game":
            s[self.layout.tracks[name]] = value
        elif (universe, name) in self.layout.flags:
            for until, cell in self.layout.flags[universe, name].items():
                s[cell] = s[cell] | bit if value and not until else s[cell] & ~bit
        else:
            array = self.layout.arrays[universe, name]
            if array.masks >= 0:
                s[array.masks + s[array.base + number]] &= ~bit
                s[array.masks + value] |= bit
            s[array.base + number] = value

    # ---- pieces
    @property
    def has_pieces(self) -> bool:
        return ("piece", "at") in self.layout.arrays

    def at(self, piece: int) -> int:
        """The space of a piece; -1 when it is nowhere."""
        return int(self.s[self.layout.arrays["piece", "at"].base + piece])

    def face(self, piece: int) -> int:
        return int(self.s[self.layout.arrays["piece", "face"].base + piece])

    def pieces_in(self, space: int) -> int:
        return int(self.s[self.layout.pieces_in + space])

    def without(self, piece: int) -> Position:
        """As if a piece were in the air: still said to be in its space, but not counted among those there."""
        s, here, occupation = self.s[:], self.at(piece), self.layout.occupation
        kind = occupation.kind_of[piece]
        there = s[self.layout.pieces_in + here] = s[self.layout.pieces_in + here] & ~(1 << piece)
        if not there & occupation.kinds[kind]:
            s[occupation.base + kind] &= ~(1 << here)
        return Position(self.layout, s)
