"""The tutorial games against independent answers: known counts, hand-written twins, invariants.

All of it runs on the machine itself, in the silent flavour of the code; a few games are played in the
traced flavour beside it, which must offer the same and end the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self

import pytest

from benchmarks.baselines import AnyGame, plain
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.oracles.perft import complete_games, perft

BOARD_GAMES = sorted(plain.GAMES)
ALL_GAMES = [*BOARD_GAMES, "skirmish"]
MOST_DECISIONS = 3_000


def cell(ids: Sequence[str], value: Any) -> str:
    return ids[value]


# How an option of ours is called in the hand-written games.
NAMES: dict[str, Callable[[Sequence[str], Any], str]] = {
    "tic_tac_toe": cell,
    "connect_four": lambda ids, value: ids[value][0],
    "breakthrough": lambda ids, value: f"{ids[value[0]]}-{ids[value[1]]}",
    "hex": cell,
}
# As deep as a second or two allows; `test_oracles` compares the oracle itself with known counts.
DEPTHS = {"tic_tac_toe": 5, "connect_four": 5, "breakthrough": 4, "hex": 2}


@cache
def opened(name: str) -> Game:
    return open_game(f"tutorial/{name}")


def begun(name: str, seed: int = 0, traced: bool = False) -> Machine:
    """A game at its first decision."""
    game = opened(name)
    scenario = game.scenario()
    machine = game.ruleset({}, scenario).new_machine(scenario, str(seed), traced)
    machine.begin()
    return machine


class Played:
    """A machine with the methods by which the oracles count."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def legal(self) -> Sequence[int]:
        pending = self.machine.pending
        return () if pending is None else range(len(pending.options))

    def play(self, move: int) -> None:
        self.machine.choose(move)

    def over(self) -> bool:
        return self.machine.pending is None

    def copy(self) -> Self:
        return type(self)(self.machine.copy())


def names(name: str, machine: Machine) -> list[str]:
    ids = opened(name).program.world.universes["space"].ids
    options = machine.pending.options if machine.pending is not None else []
    return [NAMES[name](ids, value) for value in options]


def winner(machine: Machine) -> int | None:
    """The number of the player who won, None for a draw."""
    assert machine.outcome is not None
    won = machine.outcome[1]
    assert won in (0, 1, 2)
    return None if won == 0 else won - 1


# ---- the rulebooks -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_rulebook_has_no_warnings_and_its_examples_hold(name: str) -> None:
    game = opened(name)
    assert game.warnings == ()
    results = run_examples(game)
    assert len(results) >= 2
    assert [(r.paragraph, r.problems) for r in results if not r.passed] == []


# ---- the four board games against their oracles --------------------------------------------------------
@pytest.mark.parametrize("name", BOARD_GAMES)
def test_as_many_ways_to_play_as_the_oracle_finds(name: str) -> None:
    ours, theirs = Played(begun(name)), plain.GAMES[name].new()
    for depth in range(1, DEPTHS[name] + 1):
        assert perft(ours, depth) == perft(theirs, depth)


def test_breakthrough_has_the_known_counts() -> None:
    start = Played(begun("breakthrough"))
    assert [perft(start, depth) for depth in (1, 2, 3, 4)] == [22, 484, 11_132, 256_036]


def test_tic_tac_toe_has_255168_games() -> None:
    assert complete_games(Played(begun("tic_tac_toe"))) == 255_168


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_the_same_moves_and_the_same_winner_as_the_oracle(name: str) -> None:
    for seed in range(100):
        rng = random.Random(seed)
        ours, theirs = begun(name), plain.GAMES[name].new()
        while not theirs.over():
            assert ours.pending is not None
            assert ours.pending.who == theirs.player
            assert not ours.pending.out
            mine = names(name, ours)
            moves = {theirs.name(move): move for move in theirs.legal()}
            assert sorted(mine) == sorted(moves)
            number = rng.randrange(len(mine))
            theirs.play(moves[mine[number]])
            ours.choose(number)
        assert ours.pending is None
        assert winner(ours) == theirs.winner()


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_as_many_ways_to_go_on_after_random_beginnings(name: str) -> None:
    """Captures, full columns and wins are rare near the start: count where they are not."""
    rng = random.Random(11)
    for _ in range(4):
        ours, theirs = begun(name), plain.GAMES[name].new()
        for _ in range(rng.randrange(4, 30)):
            if not theirs.over():
                follow(name, ours, theirs, rng)
        if not theirs.over():
            assert perft(Played(ours), 2) == perft(theirs, 2)


def follow(name: str, ours: Machine, theirs: AnyGame, rng: random.Random) -> None:
    """The same random move in both."""
    mine = names(name, ours)
    number = rng.randrange(len(mine))
    theirs.play(next(m for m in theirs.legal() if theirs.name(m) == mine[number]))
    ours.choose(number)


# ---- all games -----------------------------------------------------------------------------------------
def choose_at_random(machine: Machine, rng: random.Random) -> int:
    """Any option, the way out included; the number that was chosen."""
    pending = machine.pending
    assert pending is not None
    assert pending.options or pending.out
    number = rng.randrange(len(pending.options) + pending.out)
    chosen = number if number < len(pending.options) else -1
    machine.choose(chosen)
    return chosen


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_silent_code_plays_as_the_traced_code_does(name: str) -> None:
    for seed in range(8):
        rng = random.Random(seed)
        silent, traced = begun(name, seed), begun(name, seed, traced=True)
        while silent.pending is not None:
            assert silent.pending == traced.pending
            assert silent.s == traced.s
            traced.choose(choose_at_random(silent, rng))
        assert traced.pending is None
        assert silent.outcome == traced.outcome


def test_skirmish_plays_to_the_end_and_keeps_its_limits() -> None:
    ends: set[str] = set()
    for seed in range(200):
        rng = random.Random(seed)
        machine = begun("skirmish", seed)
        for _ in range(MOST_DECISIONS):
            if machine.pending is None:
                break
            choose_at_random(machine, rng)
            check_skirmish(machine)
        assert machine.pending is None
        assert machine.outcome is not None
        ends.add(machine.outcome[2])
    # Every way to end a game has come up, so none of them is out of reach.
    assert ends == {"more points", "equal points", "the enemy has no units left"}


def check_skirmish(machine: Machine) -> None:
    game = opened("skirmish")
    ruleset, world = game.ruleset({}, game.scenario()), game.program.world
    layout, state = ruleset.layout, machine.s
    at, face = layout.arrays["piece", "at"].base, layout.arrays["piece", "face"].base
    control = layout.arrays["space", "control"].base
    owners = world.attributes["piece", "owner"].values
    units, zones = len(world.universes["piece"]), len(world.universes["space"])
    places = [state[at + unit] for unit in range(units)]
    held = [state[layout.pieces_in + zone] for zone in range(-1, zones)]
    assert sum(mask.bit_count() for mask in held) == units
    for unit, place in enumerate(places):
        assert held[place + 1] >> unit & 1, "a unit stands in one place, and the place knows it"
        assert state[face + unit] in (0, 1)
    for zone in range(zones):
        here = [unit for unit, place in enumerate(places) if place == zone]
        assert len(here) <= 2 or is_marching(ruleset, machine)
        assert len({owners[unit] for unit in here}) <= 1, "enemies never share a zone"
        assert all(state[control + zone] == owners[unit] for unit in here)


def is_marching(ruleset: Any, machine: Machine) -> bool:
    """A unit on its way may pass through a full zone."""
    pending = machine.pending
    return pending is not None and type(ruleset.fast.blocks.sites[pending.site]).__name__ == "TravelSite"
