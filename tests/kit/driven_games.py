"""Games driven by agents for those who look at their positions, and how a position is read and told apart."""

from __future__ import annotations

import marshal
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any

from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.seats import agent_seed, make_agent
from interpreter.agents.sight import Sight, declares_value
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.compilers import NotNative
from interpreter.running.machine import Machine
from rulesdsl.book.scenario import Scenario

RANDOM = "random"
Choice = Callable[[Machine, random.Random], int]
_PLAIN = 2  # the format of marshal that depends on nothing but the values


def driven(
    ruleset: Ruleset,
    scenario: Scenario | None,
    kind: str,
    seed: str,
    sparks: float = 0.0,
    at_random: Choice | None = None,
) -> Iterator[tuple[int, Machine, random.Random]]:
    """A game between agents of a kind, at every decision; after its end once more. `sparks`: the share of
    decisions that are random all the same, so that no two games are alike."""
    rng = random.Random(seed)
    machine = ruleset.new_machine(scenario, seed, traced=False)
    machine.begin()
    agents = {}
    if kind != RANDOM:
        think_in_the_machine(ruleset)
        index = ruleset.program.world.universes["player"].index
        agents = {number: make_agent(kind, agent_seed(seed, name)) for name, number in index.items()}
    decision = 0
    while machine.pending is not None:
        yield decision, machine, rng
        if not agents or (sparks and rng.random() < sparks):
            machine.choose(at_random(machine, rng) if at_random else machine.pending.at_random(rng))
        else:
            machine.choose(agents[machine.pending.who].choose(Sight.of(ruleset, machine), decision))
        decision += 1
    yield decision, machine, rng


def think_in_the_machine(ruleset: Ruleset) -> None:
    """Agents of this process think in machine code from the first decision on, if there is a compiler. They
    decide the same (tests/promises/stepping.py)."""
    if declares_value(ruleset):
        with suppress(NotNative):
            native_worlds(ruleset).readiness.now()


def digest(state: list[Any]) -> bytes:
    """Eight bytes that tell positions apart: the same in every process."""
    try:
        plain = marshal.dumps(state, _PLAIN)
    except ValueError:  # fractions
        plain = repr(state).encode()
    return blake2b(plain, digest_size=8).digest()


def members(mask: int, ids: Sequence[str]) -> set[str]:
    """The names of the bits of a mask."""
    found = set()
    while mask:
        low = mask & -mask
        found.add(ids[low.bit_length() - 1])
        mask ^= low
    return found


def marked(ruleset: Ruleset, s: list[Any], universe: str, name: str) -> set[str]:
    """Everything that carries a mark."""
    mask = 0
    for cell in ruleset.layout.flags[universe, name].values():
        mask |= s[cell]
    return members(mask, ruleset.program.world.universes[universe].ids)
