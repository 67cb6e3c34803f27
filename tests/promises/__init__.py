"""The promises of the engine as measurements: each counts what it tried and names what failed.

Tests run them with small numbers on every change, `python benchmarks/bars.py` (`make bars`) with the full
ones. A promise is a function from a number to an `Outcome`; nothing here knows a particular game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl.base.resources import shipped_games
from rulesdsl.book.scenario import Scenario

FIXTURES = Path(__file__).parents[2] / "tests" / "testdata" / "games"
FOG = str(FIXTURES / "fog")  # stacks of which only the top is seen
PATROL = str(FIXTURES / "patrol")  # small, with dice, tokens, windows, triggers and secrets
RUNAWAY = str(FIXTURES / "runaway")
MOST_DECISIONS = 20_000  # a game that is longer than this never ends
QUICK = "RULESDSL_QUICK_BARS"  # set by the tests: fewer games, for them and for the processes they start
LONG, MOST_COUNTED = 3_000, 10_000  # decisions of a game: those that a quick run leaves out; counted at most


@dataclass(slots=True)
class Outcome:
    """How often something was tried, and what went wrong (the first few in words)."""

    done: int = 0
    failed: int = 0
    examples: list[str] = field(default_factory=list)
    note: str = ""

    def __post_init__(self) -> None:
        if len(_begun) < 1:
            _begun.append(self)

    def failure(self, what: str) -> None:
        self.failed += 1
        if len(self.examples) < 5:
            self.examples.append(what)

    def add(self, other: Outcome) -> None:
        self.done += other.done
        self.failed += other.failed
        self.examples = (self.examples + other.examples)[:5]


Promise = Callable[[int], Outcome]
_begun: list[Outcome] = []  # the first outcome of a bar is its total: progress is read from it
_jobs = [0]


def begin_bar() -> None:
    _begun.clear()


def done_so_far() -> int:
    return _begun[0].done if _begun else 0


def set_jobs(count: int) -> None:
    """How many processes bars may use that share their work; 0: as many as there are processors."""
    _jobs[0] = count


def jobs() -> int:
    return _jobs[0] or os.cpu_count() or 1


@lru_cache(maxsize=64)
def opened(name: str) -> Game:
    return open_game(name)


@lru_cache(maxsize=64)
def rules_of(name: str) -> tuple[Ruleset, Scenario | None]:
    game = opened(name)
    scenario = game.scenario(None)
    return game.ruleset({}, scenario), scenario


def all_games() -> list[str]:
    """Every game that is tried, and the fixture, the short ones first."""
    return sorted([*tried_games(), PATROL], key=lambda name: (length_of(name), name))


def tried_games() -> list[str]:
    """Every shipped game. On every change (`QUICK`) a few of a collection, and none that takes thousands of
    decisions: those have tests of their own, and the full bars play them all."""
    names = shipped_games()
    if not os.environ.get(QUICK):
        return names
    collected = [name for name in names if name.startswith("classics/")]
    some = [name for name in names if name not in collected] + collected[::4]
    return sorted(name for name in some if length_of(name) < LONG)


def small_games() -> list[str]:
    """Those of which hundreds can be played in a second."""
    return [name for name in all_games() if length_of(name) < 300]


@lru_cache(maxsize=64)
def length_of(name: str) -> int:
    """The decisions of one random game, up to a bound: how much work a game is."""
    return sum(1 for _ in islice(random_game(name, 0), MOST_COUNTED))


def random_game(name: str, seed: int, traced: bool = False) -> Iterator[Machine]:
    """A machine at every decision of a random game, and at its end."""
    ruleset, scenario = rules_of(name)
    machine = ruleset.new_machine(scenario, str(seed), traced)
    machine.begin()
    rng = Random(seed)
    for _ in range(MOST_DECISIONS):
        yield machine
        if machine.pending is None:
            return
        machine.choose(machine.pending.at_random(rng))
    raise AssertionError(f"{name} with seed {seed} does not end")


def random_session(name: str, seed: int, decisions: int) -> Session:
    """A session after some random decisions; it may be over earlier."""
    session = Session.start(opened(name), seed=seed)
    rng = Random(seed)
    play_on(session, rng, decisions)
    return session


def play_on(session: Session, rng: Random, decisions: int) -> None:
    for _ in range(decisions):
        if session.over:
            return
        session.choose(session.options[int(rng.random() * len(session.options))])
