"""What steps many games: the protocol, and the silent Python code, one game after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from interpreter.compiling.ruleset import Ruleset
from interpreter.envs.actions import ActionNumbers, action_numbers
from interpreter.envs.observations import observation_fields, unpacked
from interpreter.envs.payoffs import payoffs
from interpreter.running.machine import Machine, Pending
from interpreter.running.mask_options import MaskOptions
from interpreter.running.state_json import state_hash
from rulesdsl.book.scenario import Scenario

Array = Any  # of NumPy: its shape is said where it is made
NOBODY = -1
NUMBERED_OTHERWISE = 1 << 62  # beyond every action: what is left of one is below zero


class Stepper(Protocol):
    """Holds some games and steps them; fills the arrays it is given."""

    def begin(self, place: int, seed: str) -> None:
        """A new game in this place, run to its first decision."""
        ...

    def step(self, places: Array, actions: Array, masks: Array, who: Array) -> list[int]:
        """Decide in these places (64-bit numbers, as the actions are), what is offered there, and `look` what
        is asked next."""
        ...

    def look(self, places: Array, masks: Array, who: Array) -> list[int]:
        """Write who is asked and what is offered into the rows of these places; the places that are over."""
        ...

    def paid(self, places: Sequence[int]) -> list[Mapping[int, float]]:
        """What the games there were worth to each player."""
        ...

    def observe(self, places: Array, seats: Array) -> Array:
        """What the players with these numbers may know, a row for each."""
        ...

    def hash(self, place: int) -> str: ...


class PythonStepper:
    """The silent code of a ruleset, game after game; arrays are filled for all of them together."""

    def __init__(self, ruleset: Ruleset, scenario: Scenario | None, count: int) -> None:
        self.ruleset, self.scenario = ruleset, scenario
        self.numbers: ActionNumbers = action_numbers(ruleset)
        self.machines: list[Machine] = [ruleset.new_machine(scenario, "", traced=False)] * count
        # of decision points that ask about one thing: the first number of its block, and how many there are
        self._first: list[int] = []
        self._sizes: dict[int, int] = {}
        for number, _ in enumerate(ruleset.fast.blocks.sites):
            block = self.numbers.block_of(number)
            plain = len(block.sizes) == 1 and not self.numbers.is_by_place(number)
            self._first.append(block.first if plain else NUMBERED_OTHERWISE)
            if plain:
                self._sizes[block.first] = block.size

    def begin(self, place: int, seed: str) -> None:
        machine = self.ruleset.new_machine(self.scenario, seed, traced=False)
        machine.begin()
        self.machines[place] = machine

    def step(self, places: Array, actions: Array, masks: Array, who: Array) -> list[int]:
        there = places.tolist()
        machines, firsts, index = self.machines, self._first, self.numbers.index
        next_ones: list[Pending | None] = []
        for place, action in zip(there, actions.tolist(), strict=True):
            machine = machines[place]
            pending = machine.pending
            if pending is not None and type(options := pending.options) is MaskOptions and action:
                value = action - firsts[pending.site]  # (below zero where they are numbered otherwise)
                if value >= 0 and options.mask >> value & 1:
                    machine.chosen = value
                    machine.pending = None
                    machine.run()
                    next_ones.append(machine.pending)
                    continue
            machine.choose(index(machine, action))
            next_ones.append(machine.pending)
        return self._write(there, next_ones, masks, who)

    def look(self, places: Array, masks: Array, who: Array) -> list[int]:
        there = places.tolist()
        return self._write(there, [self.machines[place].pending for place in there], masks, who)

    def _write(
        self, places: Sequence[int], decisions: Sequence[Pending | None], masks: Array, who: Array
    ) -> list[int]:
        """Sets of one block become rows together: most decisions of most games are of this kind."""
        asked = [NOBODY if pending is None else pending.who for pending in decisions]
        if len(places) == len(who):
            masks.fill(0)
            who[:] = asked
        else:
            masks[places] = 0
            who[places] = asked
        over: list[int] = []
        firsts = self._first
        alike: dict[int, tuple[list[int], list[int]]] = {first: ([], []) for first in self._sizes}
        for place, pending in zip(places, decisions, strict=True):
            if pending is None:
                over.append(place)
                continue
            options = pending.options
            if type(options) is MaskOptions and not pending.out and (first := firsts[pending.site]) in alike:
                rows, sets = alike[first]
                rows.append(place)
                sets.append(options.mask)
            else:
                masks[place, self.numbers.legal(self.machines[place])] = 1
        for first, (rows, sets) in alike.items():
            if sets:
                size = self._sizes[first]
                masks[rows, first : first + size] = unpacked(sets, size)
        return over

    def paid(self, places: Sequence[int]) -> list[Mapping[int, float]]:
        return [payoffs(self.ruleset, self.machines[place]) for place in places]

    def observe(self, places: Array, seats: Array) -> Array:
        machines = [self.machines[place] for place in places.tolist()]
        return observation_fields(self.ruleset).rows(machines, seats.tolist())

    def hash(self, place: int) -> str:
        return state_hash(self.machines[place])
