"""Whole native games: by number as `simulate` plays them, by a script of choices, many at once.

    games = NativeGames.of(ruleset)                 # raises NotNative with the reason
    games.many(1_000_000, seed=7)                   # a quick generator decides: how they ended
    for played in games.play(scenario, seats, "42", range(100)): …   # as `rulesdsl simulate` plays them

A game that the machine gives up (`stopped`) is one for Python: it may be one that does not come to an end, or
holds a number no word can hold; what is told of it is told there.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.compiling.emit.native.program import DEEPEST, Translation, translate
from interpreter.compiling.emit.native.types import Unsupported
from interpreter.native.building import build
from interpreter.native.compilers import NotNative, find_compiler
from interpreter.native.library import STOPPED, Library, NativeMachine, Order, number
from interpreter.running.fuel import CAUTIOUS_SHARE
from interpreter.running.machine import Machine
from rulesdsl.book.scenario import Scenario

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

MOST_DECISIONS = 100_000
BATCH = 64
_BY_SEEDS, _QUICKLY, _BY_SCRIPT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Played:
    """How a native game went; `stopped` says why it was given up, and is empty when it was not."""

    stopped: str
    decisions: int
    machine: Machine | None
    asked: tuple[tuple[int, int], ...] = ()  # who, and among how many, when it was to be traced


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games went how; `wins` by the number of the player."""

    games: int
    stopped: int
    decisions: int
    drawn: int
    wins: tuple[int, ...]


class NativeGames:
    """A ruleset whose games run in the machine. Threads may share it: each call takes its own machine."""

    def __init__(self, ruleset: Ruleset, library: Library) -> None:
        self.ruleset, self.library = ruleset, library
        self._starts: dict[int, tuple[Scenario | None, list[Any], Any]] = {}
        self._idle: list[NativeMachine] = []
        self._lock = threading.Lock()

    @classmethod
    def of(cls, ruleset: Ruleset, flags: Sequence[str] = ()) -> NativeGames:
        """Translate, build (or find what was built) and load."""
        find_compiler()
        try:
            translation = translate(ruleset)
        except Unsupported as why:
            raise NotNative(f"this game has something the machine cannot express: {why}") from None
        return cls.built(ruleset, translation, flags)

    @classmethod
    def built(cls, ruleset: Ruleset, translation: Translation, flags: Sequence[str] = ()) -> NativeGames:
        return cls(ruleset, Library(build(translation.text, flags), translation, ruleset.fast.names))

    @contextmanager
    def _machine(self) -> Iterator[NativeMachine]:
        with self._lock:
            machine = self._idle.pop() if self._idle else None
        machine = machine or self.library.machine()
        yield machine
        with self._lock:
            self._idle.append(machine)

    def _start(self, scenario: Scenario | None) -> tuple[list[Any], Any]:
        found = self._starts.get(id(scenario))
        if found is None:
            state = self.ruleset.start_state(scenario)
            if not self.library.translation.cells.fits(state):
                raise NotNative("this scenario begins with values the code was not made for")
            found = self._starts[id(scenario)] = (scenario, state, self.library.words_of_state(state))
        return found[1], found[2]

    def fits(self, scenario: Scenario | None) -> bool:
        """Whether games of a scenario can be played here."""
        try:
            self._start(scenario)
        except NotNative:
            return False
        return True

    def _order(self, seed: str) -> Order:
        limits = self.ruleset.limits
        text = seed.encode()
        # as cautious as `Playouts.play`: what may be a game without an end is for Python
        return Order(
            seed=text, seed_length=len(text), granted=limits.work_per_decision // 20,
            left=limits.work_per_game // CAUTIOUS_SHARE, turns=limits.steps_per_decision // 100,
            firings=self.ruleset.playouts.cautious_firings(DEEPEST),
            most_options=limits.options_per_decision, most_decisions=MOST_DECISIONS,
        )  # fmt: skip

    # ---- games -------------------------------------------------------------------------------------------
    def play(
        self, scenario: Scenario | None, seats: Mapping[str, str], seed: str, numbers: Sequence[int]
    ) -> Iterator[tuple[int, Played]]:
        """The games with these numbers between random agents; `seats` → what stands behind the seed of a
        game to make that of its agent. Which positions have occurred is not told: who would ask?"""
        state, start = self._start(scenario)
        order = self._order(seed)
        players = self.ruleset.program.world.universes["player"].index
        texts = {players[seat]: text.encode() for seat, text in seats.items()}
        many = self.library.translation.players
        given = (ctypes.c_char_p * many)(*(texts.get(i) for i in range(many)))
        lengths = (ctypes.c_int64 * many)(*(len(texts.get(i, b"")) for i in range(many)))
        order.by, order.seats, order.seat_lengths = _BY_SEEDS, given, lengths
        words = max(1, self.library.translation.cells.words)
        for first in range(0, len(numbers), BATCH):
            chunk = numbers[first : first + BATCH]
            wanted = (ctypes.c_int64 * len(chunk))(*chunk)
            answers = (self.library.answer * len(chunk))()
            states = (ctypes.c_int64 * (words * len(chunk)))()
            with self._machine() as machine:
                machine.play(start, order, wanted, len(chunk), answers, states)
            for place, one in enumerate(chunk):
                end = states[words * place : words * (place + 1)]
                yield one, self._played(answers[place], end, state, f"{seed}/{one}", ())

    def by_script(
        self, scenario: Scenario | None, seed: str, choices: Sequence[int], trace: bool = False
    ) -> Played:
        """One game in which every choice is given."""
        state, start = self._start(scenario)
        order = self._order(seed)
        order.by, order.script_length = _BY_SCRIPT, len(choices)
        order.script = (ctypes.c_int64 * max(1, len(choices)))(*choices)
        asked = (ctypes.c_int64 * (2 * max(1, len(choices)) if trace else 1))()
        order.keeps_history = int(bool(self.ruleset.layout.positions))
        order.trace, order.trace_room = asked, len(choices) if trace else 0
        answers = (self.library.answer * 1)()
        states = (ctypes.c_int64 * max(1, self.library.translation.cells.words))()
        with self._machine() as machine:
            machine.play(start, order, None, 1, answers, states)
            history = machine.history() if self.ruleset.layout.positions else ()
        count = min(answers[0].traced, len(choices))
        pairs = tuple((asked[2 * k], asked[2 * k + 1]) for k in range(count)) if trace else ()
        return self._played(answers[0], list(states), state, seed, history, pairs)

    def many(self, count: int, seed: int, scenario: Scenario | None = None) -> Tally:
        """So many games with a quick generator: nothing is kept but how they ended. Other threads run on."""
        _, start = self._start(scenario)
        order = self._order(str(seed))
        order.by, order.quick = _QUICKLY, seed & (1 << 64) - 1
        tally = self.library.tally()
        with self._machine() as machine:
            machine.many(start, order, count, tally)
        return Tally(tally.games, tally.stopped, tally.decisions, tally.drawn, tuple(tally.wins))

    def _played(
        self, answer: Any, words: Sequence[int], like: list[Any], seed: str, history: tuple[int, ...],
        asked: tuple[tuple[int, int], ...] = (),
    ) -> Played:  # fmt: skip
        if answer.code:
            return Played(STOPPED.get(answer.code, "something"), answer.decisions, None, asked)
        state = self.library.state_of_words(words, like)
        if self.ruleset.layout.positions:
            state[self.ruleset.layout.positions] = history
        machine = Machine(self.ruleset.fast.code, state, seed)
        if answer.end < 0:
            machine.sequence_ended()
        else:
            outcome, reason, paragraph = self.library.translation.ends[answer.end]
            if outcome == "pays":
                gains = [
                    (answer.players[k], number(answer.gains[k].n, answer.gains[k].d))
                    for k in range(answer.paid)
                ]
                machine.pay(gains, reason, paragraph)
            else:
                machine.end(outcome, answer.winners, reason, paragraph)
        return Played("", answer.decisions, machine, asked)
