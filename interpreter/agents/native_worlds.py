"""Worlds in machine code: the same thoughts, faster (interpreter/native, decision 28).

An agent asks for what it wants of a world: what an option is worth a step ahead, what is left of it after
the reply, how a game at random ends. Here that is done in the machine, or, where the game is not there yet,
or the machine gives something up, the agent is told so (`NotHere`) and does it in Python from the same place:
with the same tries it decides the same.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from time import monotonic, perf_counter
from typing import Any

from interpreter.agents.reckoning import ANSWERS, BREADTH, FARTHEST, LOOKS, PATIENCE, WIN
from interpreter.agents.sight import World, declares_value
from interpreter.agents.turns import parts_of
from interpreter.compiling.decision_points import Site, TravelSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.lines import Asked, Lines, Looked, Ran, Search
from interpreter.native.readiness import Readiness
from interpreter.native.steps import ENDLESS, NotHere
from interpreter.running.machine import Machine, Pending
from rulesdsl.language.conventions import VALUE
from rulesdsl.program import ChooseS

PACE = 20  # thoughts in the machine are so many times faster, and more
MOST_FAILURES = 40  # of this many tries in a row that the machine gives up, none is made again


class NativeWorlds:
    """The worlds of one ruleset. Threads may share it."""

    def __init__(self, ruleset: Ruleset, search: Search, values: tuple[str, ...]) -> None:
        self.ruleset, self.search = ruleset, search
        self.readiness = Readiness(ruleset, values)
        self._own = threading.local()
        self._failures = 0

    @contextmanager
    def thinking(self, somebody_waits: bool) -> Iterator[None]:
        """A thought is thought; when many were, they may be worth a compiler."""
        begun = perf_counter()
        try:
            yield
        finally:
            self.readiness.thought(perf_counter() - begun, somebody_waits)

    @property
    def pace(self) -> int:
        """How many times more may be thought in the same time: where a clock says when a thought is over,
        what it may do is no reason to end it sooner."""
        return PACE if self.readiness.steps is not None else 1

    def lines(self) -> Lines:
        """The machine of this thread; raises `NotHere` when there is none."""
        steps = self.readiness.steps
        if steps is None:
            raise NotHere("not built yet")
        found: Lines | None = getattr(self._own, "lines", None)
        if found is None or found.steps is not steps:
            found = self._own.lines = Lines(steps, steps.new_stepper(), self.search)
        return found

    @contextmanager
    def _granted(self) -> Iterator[list[int]]:
        """What may still be done before the decision; what was done is charged as in Python."""
        code = self.ruleset.fast.code
        code.charge(0)
        left = [ENDLESS if code.left is None else code.left]
        try:
            yield left
        except NotHere as why:
            if why.used_up and code.left is not None:
                code.left = 0  # Python comes no farther, and says so
                raise
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                self.readiness.give_up(str(why))
            raise
        self._failures = 0
        if code.left is not None:
            code.left = left[0]

    def line(self, world: World, asked: Asked, seed: str, until: float | None) -> tuple[Any, bytes]:
        """What a position is worth after an option and the reply (None when there was no time for it), and
        what the seat did in its part."""
        lines = self.lines()
        with self._granted() as left:
            words = world.words(lines.steps)
            patience = None if until is None else until - monotonic()
            found, made, left[0] = lines.line(words, asked, seed, patience, left[0])
        return found, made

    def looks(self, world: World, option: int, breadth: int, patience: int) -> Looked:
        """What an option is worth a step ahead."""
        lines, sight = self.lines(), world.sight
        with self._granted() as left:
            words = world.words(lines.steps)
            found, left[0] = lines.looks(
                words, sight.in_world(option), sight.seat, breadth, patience, left[0]
            )
        return found

    def walk(self, world: World) -> Walk:
        """A world that is gone through decision by decision."""
        return Walk(self, world)

    def charged(self, lines: Lines, index: int) -> None:
        with self._granted() as left:
            lines.stepper.granted.left = left[0]
            lines.stepper.choose(index)
            left[0] = lines.stepper.granted.left

    def playout(self, lines: Lines, farthest: int, rng: Random) -> Ran:
        with self._granted() as left:
            found, left[0] = lines.playout(farthest, rng, left[0])
        return found


class Walk:
    """A line of decisions in one world, in the machine as long as it can be there."""

    def __init__(self, worlds: NativeWorlds | None, world: World) -> None:
        self._worlds, self._world = worlds, world
        self._made: list[int] = []
        self._machine: Machine | None = None
        self._lines: Lines | None = None
        self._pending: Pending | None = None
        try:
            if worlds is None:
                raise NotHere("no worlds")
            self._lines = worlds.lines()
            self._lines.stepper.put(world.words(self._lines.steps))
            self._pending = self._lines.stepper.pending
        except NotHere:
            self._go_back()

    def _go_back(self) -> None:
        """To Python, which comes to the same place."""
        self._lines = None
        self._machine = self._world.machine
        for index in self._made:
            self._machine.choose(index)

    @property
    def pending(self) -> Pending | None:
        return self._pending if self._machine is None else self._machine.pending

    def choose(self, index: int) -> None:
        if self._lines is not None and self._worlds is not None:
            try:
                self._worlds.charged(self._lines, index)
                self._pending = self._lines.stepper.pending
                self._made.append(index)
                return
            except NotHere:
                self._go_back()
        assert self._machine is not None
        self._machine.choose(index)

    def played_out(self, farthest: int, rng: Random) -> tuple[Machine, tuple[Any, ...]]:
        """Random decisions to the end, or so many: the last position, as far as its end tells; and the values
        of the players where it is not over and the machine has asked for them."""
        if self._lines is not None and self._worlds is not None:
            try:
                ran = self._worlds.playout(self._lines, farthest, rng)
            except NotHere:
                self._go_back()
            else:
                machine = Machine(self._worlds.ruleset.fast.code, [], "")
                if ran.is_over:
                    self._lines.steps.ended(machine, ran.end, ran.winners, list(ran.paid))
                return machine, ran.values
        assert self._machine is not None
        machine, random = self._machine, rng.random
        for _ in range(farthest):
            pending = machine.pending
            if pending is None:
                break
            options = len(pending.options)
            number = int(random() * (options + pending.out))
            machine.choose(number if number < options else -1)
        return machine, ()


@lru_cache(maxsize=32)
def native_worlds(ruleset: Ruleset) -> NativeWorlds:
    """The worlds of a ruleset, in the machine as soon as that is worth it."""
    sites, judges, parts = ruleset.fast.blocks.sites, declares_value(ruleset), parts_of(ruleset)
    travels = tuple(isinstance(site, TravelSite) for site in sites)
    gathers = tuple(
        isinstance(site, Site) and isinstance(site.step, ChooseS) and site.step.result is not None
        for site in sites
    )
    search = Search(
        judges, 0, 0, BREADTH, PATIENCE, LOOKS, FARTHEST, WIN, ANSWERS, tuple(ruleset.seats.index.values()),
        tuple(one or other for one, other in zip(travels, gathers, strict=True)), gathers, travels,
        parts.of_players, frozenset(parts.of_others),
    )  # fmt: skip
    values = (ruleset.fast.unit.naming.called("q", VALUE),) if judges else ()
    return NativeWorlds(ruleset, search, values)
