"""Many games at once, into NumPy arrays.

    games = BatchedGames("tutorial/connect_four", 1_000, seed="7")
    while not games.over.all():
        games.step(games.at_random(rng))

Game i is game number i of the seed, as `rulesdsl simulate` counts them, and ends in the same state as a
session with the same choices. How the games are stepped is a `Stepper`: today the silent Python code, one
game after another; a machine that steps all of them natively has to do no more than this class asks of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from interpreter.compiling.ruleset import Ruleset
from interpreter.envs.actions import ActionNumbers, action_numbers
from interpreter.envs.observations import observation_fields, unpacked
from interpreter.envs.payoffs import payoffs
from interpreter.playing.game import Game, join_settings, open_game
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

    def step(self, places: Sequence[int], actions: Sequence[int], masks: Array, who: Array) -> list[int]:
        """Decide in these places, what is offered there, and `look` what is asked next."""
        ...

    def look(self, places: Sequence[int], masks: Array, who: Array) -> list[int]:
        """Write who is asked and what is offered into the rows of these places; the places that are over."""
        ...

    def paid(self, place: int) -> Mapping[int, float]: ...

    def observe(self, places: Sequence[int], seats: Sequence[int]) -> Array:
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
            plain = block is not None and len(block.sizes) == 1
            self._first.append(block.first if plain and block is not None else NUMBERED_OTHERWISE)
            if plain and block is not None:
                self._sizes[block.first] = block.size

    def begin(self, place: int, seed: str) -> None:
        machine = self.ruleset.new_machine(self.scenario, seed, traced=False)
        machine.begin()
        self.machines[place] = machine

    def step(self, places: Sequence[int], actions: Sequence[int], masks: Array, who: Array) -> list[int]:
        machines, firsts, index = self.machines, self._first, self.numbers.index
        next_ones: list[Pending | None] = []
        for place, action in zip(places, actions, strict=True):
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
        return self._write(places, next_ones, masks, who)

    def look(self, places: Sequence[int], masks: Array, who: Array) -> list[int]:
        return self._write(places, [self.machines[place].pending for place in places], masks, who)

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

    def paid(self, place: int) -> Mapping[int, float]:
        return payoffs(self.ruleset, self.machines[place])

    def observe(self, places: Sequence[int], seats: Sequence[int]) -> Array:
        return observation_fields(self.ruleset).rows([self.machines[place] for place in places], seats)

    def hash(self, place: int) -> str:
        return state_hash(self.machines[place])


class BatchedGames:
    """`count` games of one rulebook.

    `masks` (count × actions, 0 or 1), `who` (the number of the seat that is asked, -1 when the game is over),
    `over`, `rewards` (count × seats, of the games that ended in the last step), `numbers` (which game of
    the seed). With `renewed` a game that is over makes room for the next one in the following step.
    """

    def __init__(
        self,
        game: str | Path | Game,
        count: int,
        *,
        seed: str = "0",
        scenario: str | None = None,
        house: Sequence[str | Path] = (),
        options: Mapping[str, Any] | None = None,
        readings: Mapping[str, Any] | None = None,
        renewed: bool = False,
    ) -> None:
        self.game = game if isinstance(game, Game) else open_game(game, house)
        chosen = self.game.scenario(scenario)
        self.ruleset = self.game.ruleset(join_settings(options or {}, readings or {}), chosen)
        self.seed, self.renewed, self.count = str(seed), renewed, count
        self.seats = list(self.ruleset.seats.ids)
        self._seat_numbers = list(self.ruleset.seats.index.values())
        self._seat_of = np.full(max(self._seat_numbers) + 2, NOBODY, np.int16)
        self._seat_of[self._seat_numbers] = range(len(self.seats))
        self.actions = action_numbers(self.ruleset)
        self.stepper: Stepper = stepper_for(self.ruleset, chosen, count)
        self.masks = np.zeros((count, self.actions.size), np.uint8)
        self._asked = np.full(count, NOBODY, np.int16)
        self.over = np.zeros(count, bool)
        self.rewards = np.zeros((count, len(self.seats)), np.float32)
        self.numbers = np.arange(count)
        self._next = count
        self._everybody = np.arange(count)
        for place in range(count):
            self.stepper.begin(place, f"{self.seed}/{place}")
        self._ended(self.stepper.look(range(count), self.masks, self._asked))

    @property
    def who(self) -> Array:
        """The seat that is asked in each game, by its place in `seats`."""
        return self._seat_of[self._asked]

    def _ended(self, places: list[int]) -> None:
        if places:
            gains = [self.stepper.paid(place) for place in places]
            self.rewards[places] = [[paid[seat] for seat in self._seat_numbers] for paid in gains]
            self.over[places] = True

    def step(self, actions: Sequence[int] | Array) -> None:
        """One decision in every game that goes on; what is given for the others is not looked at. Raises
        `ValueError` when something is not offered, and then no game has changed."""
        given = np.asarray(actions, np.int64)
        over = np.flatnonzero(self.over)
        going = np.flatnonzero(~self.over) if len(over) else self._everybody
        decided = given[going]
        self._refuse(going, decided)
        self.rewards.fill(0)
        ended = self.stepper.step(going.tolist(), decided.tolist(), self.masks, self._asked)
        if self.renewed and len(over):
            renewed = over.tolist()
            for place in renewed:
                self.stepper.begin(place, f"{self.seed}/{self._next}")
                self.numbers[place] = self._next
                self._next += 1
            self.over[renewed] = False
            ended += self.stepper.look(renewed, self.masks, self._asked)
        self._ended(ended)

    def _refuse(self, going: Array, decided: Array) -> None:
        known = (decided >= 0) & (decided < self.actions.size)
        offered = known & (self.masks[going, np.where(known, decided, 0)] != 0)
        if not offered.all():
            place = int(np.argmin(offered))
            raise ValueError(f"action {decided[place]} is not offered in game {going[place]}")

    def at_random(self, rng: np.random.Generator) -> Array:
        """In every game one of the actions that are offered, each equally likely; 0 where the game is
        over."""
        counts = self.masks.sum(axis=1, dtype=np.int32)
        wanted = (rng.random(self.count) * counts).astype(np.int32)
        columns = np.nonzero(self.masks)[1]
        starts = np.zeros(self.count, np.int64)
        np.cumsum(counts[:-1], out=starts[1:])
        chosen = np.zeros(self.count, np.int64)
        going = counts > 0
        chosen[going] = columns[(starts + wanted)[going]]
        return chosen

    def observations(self) -> Array:
        """What the seat that is asked may know, for every game; zeros where the game is over."""
        rows = np.zeros((self.count, len(observation_fields(self.ruleset))), np.float32)
        going = np.flatnonzero(~self.over).tolist()
        if going:
            rows[going] = self.stepper.observe(going, self._asked[going].tolist())
        return rows

    def hashes(self) -> list[str]:
        """The fingerprint of every position, as of a session."""
        return [self.stepper.hash(place) for place in range(self.count)]


def stepper_for(ruleset: Ruleset, scenario: Scenario | None, count: int) -> Stepper:
    """What steps games of these rules fastest here. A native machine is asked for in this place."""
    return PythonStepper(ruleset, scenario, count)
