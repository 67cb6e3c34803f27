"""Many games at once, into NumPy arrays.

    games = BatchedGames("tutorial/connect_four", 1_000, seed="7")
    while not games.over.all():
        games.step(games.at_random(rng))

Game i is game number i of the seed, as `rulesdsl simulate` counts them, and ends in the same state as a
session with the same choices. What steps the games (`steppers`, `native_stepper`) makes no difference but to
the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from interpreter.envs.actions import action_numbers
from interpreter.envs.native_stepper import stepper_for
from interpreter.envs.observations import observation_fields
from interpreter.envs.steppers import NOBODY, Array, Stepper
from interpreter.playing.game import Game, join_settings, open_game


class BatchedGames:
    """`count` games of one rulebook.

    `masks` (count × actions, 0 or 1), `who` (the number of the seat that is asked, -1 when the game is over),
    `over`, `rewards` (count × seats, of the games that ended in the last step), `numbers` (which game of
    the seed). With `renewed` a game that is over makes room for the next one in the following step.

    `native`: True, build the rules now and wait for it (`UsageError` says why they cannot be); False, Python
    alone; None, in Python until the machine is ready. The games are the same. Each thread may have games of
    its own.
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
        native: bool | None = None,
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
        self.stepper: Stepper = stepper_for(self.ruleset, chosen, count, native)
        self.masks = np.zeros((count, self.actions.size), np.uint8)
        self._asked = np.full(count, NOBODY, np.int16)
        self.over = np.zeros(count, bool)
        self.rewards = np.zeros((count, len(self.seats)), np.float32)
        self.numbers = np.arange(count)
        self._next = count
        self._everybody = np.arange(count, dtype=np.int64)
        self._rows = np.arange(count + 1) * self.actions.size  # where each row of `masks` begins
        for place in range(count):
            self.stepper.begin(place, f"{self.seed}/{place}")
        self._ended(self.stepper.look(self._everybody, self.masks, self._asked))

    @property
    def who(self) -> Array:
        """The seat that is asked in each game, by its place in `seats`."""
        return self._seat_of[self._asked]

    def _ended(self, places: list[int]) -> None:
        if places:
            gains = self.stepper.paid(places)
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
        ended = self.stepper.step(going, decided, self.masks, self._asked)
        if self.renewed and len(over):
            for place in over.tolist():
                self.stepper.begin(place, f"{self.seed}/{self._next}")
                self.numbers[place] = self._next
                self._next += 1
            self.over[over] = False
            ended += self.stepper.look(over, self.masks, self._asked)
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
        offered = np.flatnonzero(self.masks.view(bool))  # (row by row)
        starts = np.searchsorted(offered, self._rows)
        counts = np.diff(starts)
        wanted = starts[:-1] + (rng.random(self.count) * counts).astype(np.int64)
        going = counts > 0
        chosen = np.zeros(self.count, np.int64)
        chosen[going] = offered[wanted[going]] - self._rows[:-1][going]
        return chosen

    def observations(self) -> Array:
        """What the seat that is asked may know, for every game; zeros where the game is over."""
        rows = np.zeros((self.count, len(observation_fields(self.ruleset))), np.float32)
        going = np.flatnonzero(~self.over)
        if len(going):
            rows[going] = self.stepper.observe(going, self._asked[going])
        return rows

    def hashes(self) -> list[str]:
        """The fingerprint of every position, as of a session."""
        return [self.stepper.hash(place) for place in range(self.count)]
