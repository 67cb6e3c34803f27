"""The opponent that looks through the reply: every option it considers is played on to the end of its part
of the game and through the part of the next rival, in worlds that are the same for all options; then it
is judged.

What it considers says `greedy`: the options that look best a step ahead are tried in turn, and the
worse half is left out again and again (sequential halving), so that most tries go to those between
which it is close. With little to spend it plays like `greedy`: another option must have been better by
more than luck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from interpreter.agents.budget import Budget, Spending
from interpreter.agents.lots import shuffled
from interpreter.agents.native_worlds import World, native_worlds
from interpreter.agents.reflex import Reflex
from interpreter.agents.sight import Number, Sight, thinking, thought_enough
from interpreter.agents.simple import WIN, GreedyAgent
from interpreter.agents.turns import Horizon, parts_of
from interpreter.agents.valuing import Weights, as_printed, valuation
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.steps import NotHere
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine

FARTHEST = 400  # decisions of one line
SCREENED = 48  # options that are looked at a step ahead, by lot when there are more


@dataclass(slots=True)
class Thought:
    """What was tried before a decision: for each option what came of it, world by world."""

    rated: dict[int, Number]  # by `greedy`
    leaves: dict[int, list[Number]] = field(default_factory=dict)
    tries: int = 0
    _sum: float = 0.0
    _count: int = 0

    def add(self, option: int, leaf: Number) -> None:
        """One more world."""
        self.leaves.setdefault(option, []).append(leaf)
        self.tries += 1
        if -WIN < leaf < WIN:
            self._sum += abs(float(leaf))
            self._count += 1

    @property
    def scale(self) -> float:
        """How large advantages usually are, to tell how much a lead says about the end of the game."""
        return self._sum / self._count + 1.0 if self._count else 1.0

    def chances(self, option: int) -> list[float]:
        """The leaves of an option as chances to win."""
        scale = 2 * self.scale
        return [
            0.5 + 0.5 * (math.tanh(leaf / scale) if -WIN < leaf < WIN else max(-1.0, min(1.0, leaf / WIN)))
            for leaf in self.leaves[option]
        ]

    @property
    def first(self) -> int:
        """What `greedy` would take; the first of equals."""
        return max(self.rated, key=lambda n: (self.rated[n], -n))

    def ranking(self) -> list[int]:
        """The options, the best first: those that stayed longer among the better ones, then by their mean."""
        means = {n: sum(chances) / len(chances) for n in self.leaves if (chances := self.chances(n))}
        tried = sorted(means, key=lambda n: (-len(self.leaves[n]), -means[n], n))
        rest = sorted((n for n in self.rated if n not in means), key=lambda n: (-self.rated[n], n))
        if (
            tried
            and (first := self.first) in means
            and tried[0] != first
            and not self._surely(tried[0], first)
        ):
            tried.remove(first)
            tried.insert(0, first)
        return (
            [*tried, *rest]
            if self.first in means
            else [self.first, *(n for n in (*tried, *rest) if n != self.first)]
        )

    def _surely(self, better: int, worse: int) -> bool:
        """Whether one was better than the other in the worlds in which both were tried, by more than luck."""
        pairs = list(zip(self.chances(better), self.chances(worse), strict=False))
        gains = [a - b for a, b in pairs]
        mean = sum(gains) / len(gains)
        if len(gains) < 2:
            return False
        spread = math.sqrt(sum((g - mean) ** 2 for g in gains) / (len(gains) - 1) / len(gains))
        return mean > DOUBT * spread


DOUBT = 0.5  # standard errors by which another option must be better than that of `greedy`


class PlanningAgent:
    """Thinks through the reply. With a budget in tries the same seed decides the same."""

    def __init__(
        self, seed: str, budget: Budget, breadth: int = 12, replies: int = 1, weights: Weights | None = None
    ) -> None:
        self.seed, self.budget = seed, budget
        self.breadth, self.replies = breadth, replies
        self.weights = weights  # of the terms of the value, instead of those the game brings

    def reflex(self, ruleset: Ruleset) -> Reflex:
        """How it lets lines go on, and judges them."""
        weights = ruleset.weights if self.weights is None else self.weights
        return Reflex(ruleset, valuation(ruleset, weights), as_printed=as_printed(ruleset, weights))

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        return sight.index(self.thought(sight, decision).ranking()[0])

    def thought(self, sight: Sight, decision: int) -> Thought:
        """What it thinks before a decision."""
        spending = self.budget.spending(sight)
        seed = f"{self.seed}/{decision}"
        waits = spending.until is not None
        worlds = native_worlds(sight.ruleset)
        with worlds.thinking(waits), thinking(sight.ruleset, worlds.pace if waits else spending.pace):
            looked_at = shuffled(list(range(sight.count)), seed, "screen")[:SCREENED]
            thought = Thought(GreedyAgent(seed).rated(sight, seed, looked_at, spending.in_a_hurry))
            spending.trying()
            try:
                self._try(sight, seed, thought, spending)
            except RunawayRule:
                if not thought_enough(sight.ruleset):
                    raise
        self.budget.spent(spending)
        return thought

    def _try(self, sight: Sight, seed: str, thought: Thought, spending: Spending) -> None:
        alive = sorted(thought.rated, key=lambda n: (-thought.rated[n], n))[: self.breadth]
        reflex = self.reflex(sight.ruleset)
        rounds, worlds = max(1, math.ceil(math.log2(len(alive)))), 0
        while len(alive) > 1:
            granted = thought.tries + max(len(alive), spending.left(thought.tries) // rounds)
            while thought.tries < granted:
                world = sight.imagined(f"{seed}/reply/{worlds}")
                for option in alive:
                    if not spending.more(thought.tries):
                        return
                    leaf = self.leaf(world, option, reflex, f"{seed}/{worlds}", spending)
                    if leaf is None:  # what was not played to its end says nothing
                        return
                    thought.add(option, leaf)
                worlds += 1
                if worlds == 1:  # only now it is known how long a try takes
                    granted = max(granted, spending.left(thought.tries) // rounds)
            rounds = max(1, rounds - 1)
            means = {n: sum(thought.chances(n)) for n in alive}
            alive = sorted(sorted(alive, key=lambda n: (-means[n], n))[: (len(alive) + 1) // 2])

    def compared(self, sight: Sight, decision: int, options: Iterable[int], worlds: int) -> Thought:
        """Some options in the same worlds, and in none they were chosen for."""
        seed, reflex = f"{self.seed}/{decision}/compared", self.reflex(sight.ruleset)
        thought = Thought(dict.fromkeys(options, 0))
        with thinking(sight.ruleset):
            for number in range(worlds):
                world = sight.imagined(f"{seed}/{number}")
                for option in thought.rated:
                    leaf = self.leaf(world, option, reflex, f"{seed}/{number}")
                    assert leaf is not None
                    thought.add(option, leaf)
        return thought

    def leaf(
        self, world: World, option: int, reflex: Reflex, seed: str, spending: Spending | None = None
    ) -> Number | None:
        """What an option is worth after the reply, in one world; None when the time is over."""
        sight, until = world.sight, None if spending is None else spending.until
        if reflex.as_printed:
            with suppress(NotHere):
                found: Number | None = native_worlds(sight.ruleset).line(
                    world, option, self.replies, seed, until
                )
                return found
        line = self.line(sight, world.machine, option, reflex, Random(seed), spending)
        if spending is not None and spending.late():
            return None
        return reflex.judged(line, sight.seat)

    def line(
        self, sight: Sight, world: Machine, option: int, reflex: Reflex, rng: Random,
        spending: Spending | None = None,
    ) -> Machine:  # fmt: skip
        """An option played on through the reply, in one world; not so far when the time is over."""
        line = world.copy()
        horizon = Horizon(parts_of(sight.ruleset), line, sight.seat, self.replies)
        line.choose(sight.in_world(option))
        for _ in range(FARTHEST):
            if horizon.reached(line) or (spending is not None and spending.late()):
                break
            line.choose(reflex.choose(line, rng))
        return line
