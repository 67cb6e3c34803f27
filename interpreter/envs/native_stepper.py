"""Many games stepped by the machine: one call decides in all of them (interpreter/native/batches.py).

A game that the machine gives up goes on in Python, from the position before the decision, until it is over;
the games are the same by their hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from time import perf_counter

import numpy as np

from interpreter.compiling.emit.native.cells import words_of
from interpreter.compiling.emit.native.types import Int, Mask
from interpreter.compiling.ruleset import Ruleset
from interpreter.envs.actions import action_numbers
from interpreter.envs.observations import ObservationFields, Part, observation_fields
from interpreter.envs.payoffs import gains
from interpreter.envs.steppers import Array, PythonStepper, Stepper
from interpreter.native.batches import Ended, Numbering, Shelves
from interpreter.native.compilers import NotNative
from interpreter.native.readiness import Readiness
from interpreter.native.steps import SEQUENCE_ENDED, NativeSteps, NotHere
from interpreter.playing.counters import hides_identity
from interpreter.running.machine import Machine
from interpreter.running.state_json import state_hash
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.book.scenario import Scenario

MOST_ENDS = 10_000  # that are remembered


class NativeStepper:
    """The games of one ruleset in the machine, but for those (`_strays`) that only Python can go on with."""

    def __init__(self, steps: NativeSteps, scenario: Scenario | None, count: int) -> None:
        self.ruleset = steps.ruleset
        self.steps = steps
        self._shelves = Shelves(steps, scenario, _numberings(self.ruleset), count)
        self._python = PythonStepper(self.ruleset, scenario, count)
        self._strays = np.zeros(count, bool)
        self._over = np.zeros(count, np.uint8)
        self._columns = _Columns(steps, observation_fields(self.ruleset))
        self._paid: dict[Ended, Mapping[int, float]] = {}

    def take(self, place: int, machine: Machine) -> None:
        """A game that Python has begun."""
        try:
            laid = self._shelves.lay(place, self.steps.words(machine))
        except NotHere:
            laid = False
        self._strays[place] = not laid
        self._python.machines[place] = machine

    def begin(self, place: int, seed: str) -> None:
        begun = self._shelves.begin(place, seed)
        self._strays[place] = not begun
        if not begun:
            self._python.begin(place, seed)

    def step(self, places: Array, actions: Array, masks: Array, who: Array) -> list[int]:
        astray = self._strays[places]
        here = places[~astray] if astray.any() else places
        chosen = actions[~astray] if astray.any() else actions
        done = self._shelves.decide(here, chosen, masks, who, self._over)
        ended = here[:done][self._over[here[:done]] != 0].tolist()
        if done < len(here):  # the next one is for Python; behind it the machine goes on
            self._stray(here[done])
            ended += self._python.step(here[done : done + 1], chosen[done : done + 1], masks, who)
            ended += self.step(here[done + 1 :], chosen[done + 1 :], masks, who)
        if astray.any():
            ended += self._python.step(places[astray], actions[astray], masks, who)
        return [int(place) for place in ended]

    def look(self, places: Array, masks: Array, who: Array) -> list[int]:
        astray = self._strays[places]
        here = places[~astray]
        done = self._shelves.look(here, masks, who, self._over)
        ended = here[:done][self._over[here[:done]] != 0].tolist()
        if done < len(here):
            self._stray(here[done])
            ended += self.look(here[done:], masks, who)
        if astray.any():
            ended += self._python.look(places[astray], masks, who)
        return [int(place) for place in ended]

    def _stray(self, place: int) -> None:
        self._python.machines[place] = self.steps.machine(self._shelves.words(place))
        self._strays[place] = True

    def _machine(self, place: int) -> Machine:
        if self._strays[place]:
            return self._python.machines[place]
        return self.steps.machine(self._shelves.words(place))

    def paid(self, places: Sequence[int]) -> list[Mapping[int, float]]:
        there = self._shelves.ended([place for place in places if not self._strays[place]])
        return [
            self._python.paid([place])[0] if self._strays[place] else self._worth(next(there))
            for place in places
        ]

    def _worth(self, ended: Ended) -> Mapping[int, float]:
        """Games end in few ways: what each is worth is worked out once."""
        found = self._paid.get(ended)
        if found is None:
            outcome = "drawn" if ended.end == SEQUENCE_ENDED else self.steps.translation.ends[ended.end][0]
            found = gains(self.ruleset, outcome, ended.winners, ended.paid)
            if len(self._paid) < MOST_ENDS:
                self._paid[ended] = found
        return found

    def observe(self, places: Array, seats: Array) -> Array:
        astray = self._strays[places]
        if not astray.any():
            return self._columns.rows(self._shelves, places, seats)
        rows = np.zeros((len(places), len(observation_fields(self.ruleset))), np.float32)
        rows[astray] = self._python.observe(places[astray], seats[astray])
        if not astray.all():
            rows[~astray] = self._columns.rows(self._shelves, places[~astray], seats[~astray])
        return rows

    def hash(self, place: int) -> str:
        return state_hash(self._machine(place))

    @property
    def strays(self) -> int:
        """How many games are with Python now."""
        return int(self._strays.sum())


class _Columns:
    """Where in the words of a state the fields of an observation stand."""

    def __init__(self, steps: NativeSteps, fields: ObservationFields) -> None:
        self.steps, self.fields = steps, fields
        self._words = steps.translation.cells.words
        self._first = {
            group.first + k: (at + k * words_of(group.type), group.type)
            for group, at in steps.translation.cells.offsets()
            for k in range(group.size)
        }
        self._plan = [(part, self._places(part)) for part in fields.parts]

    def _places(self, part: Part) -> list[tuple[int, int]] | None:
        """Word and number of words of each cell or mask of an open part; None when only Python can tell."""
        cells: Iterable[int] = range(*part.cells) if part.cells is not None else part.slots
        found = [self._first.get(cell) for cell in cells]
        places: list[tuple[int, int]] = []
        for one in found:
            match one:
                case (at, Int(none=False)):
                    places.append((at, 1))
                case (at, Mask(signed=False) as type_) if part.slots:
                    places.append((at, type_.words))
                case _:
                    return None
        return places or None

    def rows(self, shelves: Shelves, places: Array, seats: Array) -> Array:
        states = np.zeros((len(places), max(1, self._words)), np.int64)
        shelves.states(places, states)
        into = np.zeros((len(places), len(self.fields)), np.float32)
        machines: list[Machine] = []
        column = 0
        for part, where in self._plan:
            block = into[:, column : column + part.width]
            if part.asks:
                sites, who = np.zeros(len(places), np.int64), np.zeros(len(places), np.int64)
                shelves.asked(places, sites, who)
                block[:, 0] = np.where((who == seats) & (sites >= 0), sites + 1, 0)
            elif where is not None and part.cells is not None:
                block[:] = states[:, [at for at, _ in where]]
            elif where is not None:
                for at, wide in where:
                    packed = np.ascontiguousarray(states[:, at : at + wide]).astype("<i8").view(np.uint8)
                    bits = np.unpackbits(packed, axis=1, bitorder="little")[:, : part.width]
                    np.maximum(block[:, : bits.shape[1]], bits, out=block[:, : bits.shape[1]])
            else:
                machines = machines or [self.steps.machine(shelves.words(place)) for place in places.tolist()]
                for row, (machine, seat) in enumerate(zip(machines, seats.tolist(), strict=True)):
                    values: list[float] = []
                    part.fill(machine, seat, values)
                    block[row] = values
            column += part.width
        return np.clip(into, self.fields.low, self.fields.high, out=into)


class ReadyLater:
    """Python steps the games, and the machine takes them over as soon as it is ready."""

    def __init__(self, ruleset: Ruleset, scenario: Scenario | None, count: int) -> None:
        self._python = PythonStepper(ruleset, scenario, count)
        self._readiness, self._scenario, self._count = _readiness(ruleset), scenario, count
        self._begun: set[int] = set()
        self.now: Stepper = self._python

    def begin(self, place: int, seed: str) -> None:
        self._begun.add(place)
        self.now.begin(place, seed)

    def step(self, places: Array, actions: Array, masks: Array, who: Array) -> list[int]:
        if self.now is not self._python:
            return self.now.step(places, actions, masks, who)
        begun = perf_counter()
        ended = self._python.step(places, actions, masks, who)
        self._readiness.thought(perf_counter() - begun, somebody_waits=True)
        if (steps := self._readiness.steps) is not None:
            self._hand_over(steps)
        return ended

    def _hand_over(self, steps: NativeSteps) -> None:
        try:
            native = NativeStepper(steps, self._scenario, self._count)
        except (NotNative, NotHere) as why:
            self._readiness.give_up(str(why))
            return
        for place in self._begun:
            native.take(place, self._python.machines[place])
        self.now = native

    def look(self, places: Array, masks: Array, who: Array) -> list[int]:
        return self.now.look(places, masks, who)

    def paid(self, places: Sequence[int]) -> list[Mapping[int, float]]:
        return self.now.paid(places)

    def observe(self, places: Array, seats: Array) -> Array:
        return self.now.observe(places, seats)

    def hash(self, place: int) -> str:
        return self.now.hash(place)


def stepper_for(
    ruleset: Ruleset, scenario: Scenario | None, count: int, native: bool | None = None
) -> Stepper:
    """What steps games of these rules here: the machine, now or later, or Python."""
    why = _why_not(ruleset)
    if native is False or (native is None and why):
        return PythonStepper(ruleset, scenario, count)
    try:
        if why:
            raise NotNative(why)
        steps = _readiness(ruleset).now() if native else _readiness(ruleset).steps
        if steps is not None:
            return NativeStepper(steps, scenario, count)
    except (NotNative, NotHere) as error:
        if native:
            raise UsageError(f"native=True: {error}") from None
        return PythonStepper(ruleset, scenario, count)
    return ReadyLater(ruleset, scenario, count)


def _why_not(ruleset: Ruleset) -> str:
    """Options in an order that tells no secret are for Python: the machine has them in another."""
    by_place = map(action_numbers(ruleset).is_by_place, range(len(ruleset.fast.blocks.sites)))
    return "counters lie face down" if hides_identity(ruleset.program) and any(by_place) else ""


def _numberings(ruleset: Ruleset) -> list[Numbering]:
    numbers = action_numbers(ruleset)
    found = []
    for site, _ in enumerate(ruleset.fast.blocks.sites):
        block = numbers.block_of(site)
        found.append(Numbering(block.first, block.size, () if numbers.is_by_place(site) else block.sizes))
    return found


@lru_cache(maxsize=32)
def _readiness(ruleset: Ruleset) -> Readiness:
    return Readiness(ruleset, ())
