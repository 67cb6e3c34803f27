"""The state of the engine in the words of the oracle: names instead of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine, Pending
from tests.oracles.berlin_board import CAMPS


class StateReader:
    """Reads positions, markers and points of Race for Berlin out of the flat state."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.layout = ruleset, ruleset.layout
        universes = ruleset.program.world.universes
        self.pieces, self.spaces = universes["piece"].ids, universes["space"].ids
        self.players = universes["player"].ids
        self._slices = [
            slice(array.base, array.base + array.size)
            for array in (
                self.layout.arrays["piece", "at"],
                self.layout.arrays["piece", "face"],
                self.layout.arrays["space", "control"],
                self.layout.arrays["space", "progress"],
                self.layout.arrays["player", "vp"],
            )
        ]
        self._slices.append(slice(self.layout.pieces_in - 1, self.layout.pieces_in + len(self.spaces)))
        self._cells = [
            *self.layout.flags["piece", "under_way"].values(),
            *self.layout.flags["space", "american"].values(),
            self.layout.tracks["bombarded_by"],
            self.layout.tracks["first_in"],
        ]

    def everything_that_lies(self, machine: Machine) -> tuple[object, ...]:
        """All that is counted here, to be compared with what it was."""
        s = machine.s
        return (
            *(s[part] for part in self._slices),
            *(s[cell] for cell in self._cells),
            machine.outcome is None,
        )

    def paragraph(self, pending: Pending) -> str:
        return str(self.ruleset.fast.blocks.sites[pending.site].paragraph)

    def reads(self, name: str, value: str) -> bool:
        """Whether an ambiguous paragraph is read in this way."""
        return self.ruleset.settings[name] == self.ruleset.program.settings[name].alternatives.index(value)

    def track(self, machine: Machine, name: str) -> int:
        value: int = machine.s[self.layout.tracks[name]]
        return value

    def places(self, machine: Machine) -> dict[str, str]:
        at = self._values(machine, "piece", "at")
        return {name: self.spaces[place] for name, place in zip(self.pieces, at, strict=True) if place >= 0}

    def lies_as_said(self, machine: Machine) -> bool:
        """Whether the spaces hold exactly the counters that say they are there, and none is nowhere."""
        found = [0] * (len(self.spaces) + 1)  # the last one is nowhere
        bit = 1
        for place in self._values(machine, "piece", "at"):
            found[place] |= bit
            bit <<= 1
        first = self.layout.pieces_in
        return found[:-1] == machine.s[first : first + len(self.spaces)] and not found[-1]

    def lying(self, machine: Machine) -> dict[str, list[str]]:
        """For each counter every space that says it lies there."""
        found: dict[str, list[str]] = {}
        first = self.layout.pieces_in
        for i, space in enumerate(self.spaces):
            for name in self._members(self.pieces, machine.s[first + i]):
                found.setdefault(name, []).append(space)
        return found

    def faces(self, machine: Machine) -> dict[str, int]:
        return dict(zip(self.pieces, self._values(machine, "piece", "face"), strict=True))

    def markers(self, machine: Machine) -> dict[str, str]:
        control = self._values(machine, "space", "control")
        return {z: self.players[c] for z, c in zip(self.spaces, control, strict=True) if c >= 0}

    def levels(self, machine: Machine) -> dict[str, int]:
        progress = self._values(machine, "space", "progress")
        return {z: level for z, level in zip(self.spaces, progress, strict=True) if level}

    def points(self, machine: Machine) -> dict[str, int]:
        assert tuple(self.players) == CAMPS
        return dict(zip(self.players, self._values(machine, "player", "vp"), strict=True))

    def flagged(self, machine: Machine, universe: str, flag: str) -> set[str]:
        mask = 0
        for cell in self.layout.flags[universe, flag].values():
            mask |= machine.s[cell]
        return set(self._members(self.pieces if universe == "piece" else self.spaces, mask))

    @staticmethod
    def _members(names: Sequence[str], mask: int) -> Iterator[str]:
        while mask:
            bit = mask & -mask
            yield names[bit.bit_length() - 1]
            mask ^= bit

    def _values(self, machine: Machine, universe: str, attribute: str) -> list[Any]:
        array = self.layout.arrays[universe, attribute]
        return machine.s[array.base : array.base + array.size]
