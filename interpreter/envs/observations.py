"""What a seat may know as a row of numbers of fixed length, derived from the program.

Things and values of enumerations are their numbers (none is -1), flags 0 or 1, everything else itself. What
not everybody may see is preceded by a 1 when the seat sees it now; when it does not, both are 0. A field
has a name (`fields`), so that a row can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.counters import counters_in_order, hidden_pieces, hides_identity
from interpreter.running.machine import Machine
from interpreter.state.token_cells import HELD, IN_BAG, SPENT, token_cells
from rulesdsl import program as pg
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.types import Type

FAR = float(1 << 24)  # beyond it a float32 no longer tells whole numbers apart
Numbers = Any  # of NumPy
Fill = Callable[[Machine, int, list[float]], None]
Cells = tuple[int, int] | None
Slots = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Part:
    """Some fields that are filled together; open ones are cells of the state in a row, or the bits of masks
    (a flag is kept in several, one for each time it may last until)."""

    width: int
    fill: Fill
    cells: Cells = None
    slots: Slots = ()
    asks: bool = False  # which decision point asks the seat


class ObservationFields:
    """The fields of a game, and the row of a seat."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.fields: list[Field] = []
        self.parts: list[Part] = []
        self._hides = hides_identity(ruleset.program)
        self._asked()
        self._tracks()
        self._attributes()
        self._tokens()
        if self._hides:
            self._counters()
        self.low = np.array([field.low for field in self.fields], np.float32)
        self.high = np.array([field.high for field in self.fields], np.float32)

    def __len__(self) -> int:
        return len(self.fields)

    def row(self, machine: Machine, seat: int) -> Numbers:
        """What the player with this number may know now."""
        values: list[float] = []
        for part in self.parts:
            part.fill(machine, seat, values)
        return np.clip(np.array(values, np.float32), self.low, self.high)

    def rows(self, machines: Sequence[Machine], seats: Sequence[int]) -> Numbers:
        """The rows of many games: what everybody sees is read for all of them together."""
        into = np.zeros((len(machines), len(self.fields)), np.float32)
        place = 0
        for part in self.parts:
            block = into[:, place : place + part.width]
            if part.cells is not None:
                first, last = part.cells
                block[:] = [machine.s[first:last] for machine in machines]
            elif part.slots:
                mask = _union(part.slots)
                block[:] = unpacked([mask(machine.s) for machine in machines], part.width)
            else:
                for number, (machine, seat) in enumerate(zip(machines, seats, strict=True)):
                    values: list[float] = []
                    part.fill(machine, seat, values)
                    block[number] = values
            place += part.width
        return np.clip(into, self.low, self.high, out=into)

    def _part(self, since: int, fill: Fill, cells: Cells = None, slots: Slots = ()) -> None:
        """The fields that were added since there were so many, and what fills them."""
        self.parts.append(Part(len(self.fields) - since, fill, cells, slots))

    def _field(self, name: str, type_: Type) -> None:
        low, high = -FAR, FAR
        world = self.ruleset.program.world
        if type_.kind == "flag":
            low, high = 0.0, 1.0
        elif type_.kind == "thing":
            low, high = -1.0, float(len(world.universes[type_.name]))
        elif type_.kind == "enum":
            low, high = -1.0, float(len(world.enums[type_.name].values))
        self.fields.append(Field(name, low, high))

    def _asked(self) -> None:
        """Which decision point asks the seat, counted from 1; 0: it is not asked."""
        sites = len(self.ruleset.fast.blocks.sites)
        self.fields.append(Field("asked", 0.0, float(sites)))

        def fill(machine: Machine, seat: int, values: list[float]) -> None:
            pending = machine.pending
            values.append(pending.site + 1 if pending is not None and pending.who == seat else 0)

        self.parts.append(Part(1, fill, asks=True))

    def _tracks(self) -> None:
        world, layout = self.ruleset.program.world, self.ruleset.layout
        for track in world.tracks.values():
            visibility = self.ruleset.program.visibility.get((OF_GAME, track.name))
            since, cell = len(self.fields), layout.cells_of(OF_GAME, track.name)[0]
            if visibility is not None:
                self.fields.append(Field(f"{track.name} is seen", 0.0, 1.0))
            self._field(track.name, track.type)
            self._part(since, self._cell(cell, visibility), (cell, cell + 1) if visibility is None else None)

    def _cell(self, cell: int, visibility: Any) -> Fill:
        def open_(machine: Machine, seat: int, values: list[float]) -> None:
            values.append(_number(machine.s[cell]))

        def guarded(machine: Machine, seat: int, values: list[float]) -> None:
            seen = self._sees(machine, seat, visibility, -1)
            values += (1.0, _number(machine.s[cell])) if seen else (0.0, 0.0)

        return open_ if visibility is None else guarded

    def _sees(self, machine: Machine, seat: int, visibility: Any, thing: int) -> bool:
        env: dict[pg.Var, Any] = {} if visibility.thing is None else {visibility.thing: thing}
        viewers = self.ruleset.evaluate(machine.s, visibility.viewers, env)
        return bool(viewers >> seat & 1)

    def _attributes(self) -> None:
        """State attributes of spaces, pieces, players and groups, thing by thing."""
        program, layout = self.ruleset.program, self.ruleset.layout
        for (universe, name), attribute in program.world.attributes.items():
            if attribute.printed or universe == "token" or attribute.type.kind == "text":
                continue
            ids, since = program.world.universes[universe].ids, len(self.fields)
            visibility = program.visibility.get((universe, name))
            guarded = visibility is not None or (universe == "piece" and self._hides)
            for identity in ids:
                if guarded:
                    self.fields.append(Field(f"{name} of {identity} is seen", 0.0, 1.0))
                self._field(f"{name} of {identity}", attribute.type)
            flag = attribute.type.kind == "flag"
            base = 0 if flag else layout.cells_of(universe, name).start
            slots = layout.masks_of(universe, name) if flag else ()
            read = _flag_reader(_union(slots), len(ids)) if flag else _array_reader(base, len(ids))
            if guarded:
                self._part(since, self._guarded(read, universe, visibility))
            else:
                self._part(since, _openly(read), None if flag else (base, base + len(ids)), slots)

    def _guarded(self, read: Callable[[list[Any]], list[float]], universe: str, visibility: Any) -> Fill:
        def fill(machine: Machine, seat: int, values: list[float]) -> None:
            unknown = hidden_pieces(self.ruleset, machine.s, seat) if universe == "piece" else 0
            for thing, value in enumerate(read(machine.s)):
                seen = not unknown >> thing & 1
                if seen and visibility is not None:
                    seen = self._sees(machine, seat, visibility, thing)
                values += (1.0, value) if seen else (0.0, 0.0)

        return fill

    def _tokens(self) -> None:
        """Of each token where the seat knows it to be (-1 it does not, 0 in the bag, then the players, then
        out of
        the game), and how many everybody holds."""
        cells = token_cells(self.ruleset.layout)
        if cells is None:
            return
        world = self.ruleset.program.world
        tokens, players = world.universes["token"].ids, world.universes["player"].ids
        since = len(self.fields)
        self.fields += [Field(f"place of {token}", -1.0, len(players) + 1.0) for token in tokens]
        self.fields += [Field(f"tokens of {player}", 0.0, float(len(tokens))) for player in players]

        def fill(machine: Machine, seat: int, values: list[float]) -> None:
            s = machine.s
            held = [0] * len(players)
            for token in range(len(tokens)):
                state, holder = s[cells.state + token], s[cells.holder + token]
                if state == HELD:
                    held[holder] += 1
                if state == SPENT:
                    values.append(len(players) + 1)
                elif not cells.knows(s, token, seat):
                    values.append(-1)
                else:
                    values.append(0 if state == IN_BAG else holder + 1)
            values += held

        self._part(since, fill)

    def _counters(self) -> None:
        """In each space, how many counters lie there of which the seat does not know what they are."""
        spaces = self.ruleset.program.world.universes["space"].ids
        most, since = float(len(self.ruleset.program.world.universes["piece"])), len(self.fields)
        self.fields += [Field(f"unknown counters in {space}", 0.0, most) for space in spaces]

        def fill(machine: Machine, seat: int, values: list[float]) -> None:
            counts = [0] * len(spaces)
            hidden = hidden_pieces(self.ruleset, machine.s, seat)
            for space, _ in counters_in_order(self.ruleset, machine, hidden).values():
                if space >= 0:
                    counts[space] += 1
            values += counts

        self._part(since, fill)


def _array_reader(base: int, count: int) -> Callable[[list[Any]], list[float]]:
    def read(s: list[Any]) -> list[float]:
        return [_number(value) for value in s[base : base + count]]

    return read


def _union(slots: tuple[int, ...]) -> Callable[[list[Any]], int]:
    if len(slots) == 1:
        (only,) = slots
        return lambda s: int(s[only])

    def union(s: list[Any]) -> int:
        mask = 0
        for slot in slots:
            mask |= s[slot]
        return mask

    return union


def _flag_reader(mask: Callable[[list[Any]], int], count: int) -> Callable[[list[Any]], list[float]]:
    def read(s: list[Any]) -> list[float]:
        bits = mask(s)
        return [bits >> i & 1 for i in range(count)]

    return read


def _openly(read: Callable[[list[Any]], list[float]]) -> Fill:
    def fill(machine: Machine, seat: int, values: list[float]) -> None:
        values += read(machine.s)

    return fill


def unpacked(sets: Sequence[int], size: int) -> Numbers:
    """Sets as rows of 0 and 1."""
    if size <= 64:
        words = np.array(sets, "<u8")
        return np.unpackbits(words.view(np.uint8).reshape(len(sets), 8), axis=1, bitorder="little")[:, :size]
    wide = (size + 7) // 8
    packed = b"".join([one.to_bytes(wide, "little") for one in sets])
    rows = np.frombuffer(packed, np.uint8).reshape(len(sets), wide)
    return np.unpackbits(rows, axis=1, bitorder="little")[:, :size]


def _number(value: Any) -> float:
    """Sets are counted, fractions rounded to what a float32 holds; texts and results of tables say
    nothing."""
    if type(value) is int:
        return float(max(-(1 << 24), min(1 << 24, value)))
    try:
        return float(value)
    except (TypeError, ValueError):
        return 0.0


@lru_cache(maxsize=32)
def observation_fields(ruleset: Ruleset) -> ObservationFields:
    return ObservationFields(ruleset)
