"""Honest opponents: one secret among four is found one time in four, however it came about.

And twins: positions that differ only in what a seat may not know give the same worlds, decision and hint.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

from interpreter.agents.seats import make_agent
from interpreter.agents.sight import Sight
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl.cli.play.answers import hint
from tests.promises import FIXTURES, Outcome, opened

CUPS = str(FIXTURES / "cups")
HOW = ("chosen", "listed", "rolled", "drawn", "copied", "two", "dud")
AGENTS = ("random", "greedy", "mcts:12", "easy:8", "club:8", "strong:8")
HINT = "hint"
_SEEKER = 1
_SIGMAS = 4.0  # of a normal distribution: two tables of thousands of games rarely stray so far


def cups(count: int) -> Outcome:
    """`count` games for each agent, for `hint`, and each way to hide."""
    outcome = Outcome()
    shares = []
    for how in HOW:
        for kind in (*AGENTS, HINT):
            found = sum(seek(how, kind, seed) for seed in range(count))
            outcome.done += count
            shares.append(found / count)
            if not honest(found, count):
                outcome.failure(f"{kind} finds what was {how} {found} times of {count}")
    outcome.note = f"found in {min(shares):.1%} to {max(shares):.1%}"
    return outcome


def honest(found: int, count: int) -> bool:
    """Whether so many finds are what a blind seeker has, one in four."""
    return abs(found - count / 4) <= _SIGMAS * sqrt(count * 3 / 16)


def rules(how: str) -> Ruleset:
    game = opened(CUPS)
    return game.ruleset({"how": how}, game.scenario(None))


def hidden(how: str, seed: int) -> Machine:
    """A game in which the seeker has to decide."""
    machine = rules(how).new_machine(None, f"{how}/{seed}", traced=True)
    machine.begin()
    rng = Random(f"{how}/{seed}")
    while machine.pending is not None and machine.pending.who != _SEEKER:
        machine.choose(machine.pending.at_random(rng))
    return machine


def seek(how: str, kind: str, seed: int) -> bool:
    """Whether the seeker finds it."""
    machine = hidden(how, seed)
    machine.choose(decide(how, kind, machine, seed))
    assert machine.outcome is not None
    return machine.outcome[1] == 1 << _SEEKER


def decide(how: str, kind: str, machine: Machine, seed: int) -> int:
    if kind == HINT:
        return hint(Session(opened(CUPS), rules(how), machine, {})).index
    return make_agent(kind, f"seeker/{seed}").choose(Sight.of(rules(how), machine), 0)


def honest_twins(count: int) -> Outcome:
    """The same position with the secret elsewhere: the same worlds, the same decision, the same hint."""
    outcome = Outcome()
    while outcome.done < count:
        for how in HOW:
            machine, seed = hidden(how, outcome.done), outcome.done
            told = everything(how, machine, seed)
            for twin in others(rules(how), machine, how):
                outcome.done += 1
                if everything(how, twin, seed) != told:
                    outcome.failure(f"{how}, seed {seed}: the seeker knows something")
    return outcome


def everything(how: str, machine: Machine, seed: int) -> list[Any]:
    """All that an agent can make of a position."""
    sight = Sight.of(rules(how), machine)
    worlds = [(world.s, world.stack) for world in map(sight.world, ("a", "b", "c"))]
    return [*worlds, *(decide(how, kind, machine, seed) for kind in (*AGENTS, HINT))]


def others(ruleset: Ruleset, machine: Machine, how: str) -> list[Machine]:
    """The same position with the ball under each of the other cups."""
    layout = ruleset.layout
    found = []
    for cup in range(4):
        twin = machine.copy()
        if how == "dud":
            twin.s[layout.flags["space", "dud"][""]] = 1 << cup
        elif how == "rolled":
            twin.s[layout.arrays["player", "number"].base] = cup + 1
        else:
            twin.s[layout.arrays["player", "hidden"].base] = cup
        if twin.s != machine.s:
            found.append(twin)
    return found
