"""The opponent that looks through the reply: every option it considers is played on to the end of its part
of the game and through the part of the next rival, in worlds that are the same for all options; then it
is judged.

What it considers says `greedy`: the options that look best a step ahead are tried in turn, and the
worse half is left out again and again (sequential halving), so that most tries go to those between
which it is close. What is done after an option is a tree of its own (`plan_tree`). With little to
spend it plays like `greedy`: another option must have been better by more than luck.

One file: a try, a round of tries and what is made of them are one thought.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from interpreter.agents.budget import Budget, Spending
from interpreter.agents.lots import shuffled
from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.plan_tree import Tree
from interpreter.agents.plans import NONE, NOT_OFFERED, Follower, Plan, noted, otherwise
from interpreter.agents.reckoning import FARTHEST, WIN
from interpreter.agents.reflex import Reflex
from interpreter.agents.sight import Number, Sight, World, thinking, thought_enough
from interpreter.agents.simple import GreedyAgent
from interpreter.agents.turns import Horizon, parts_of
from interpreter.agents.valuing import Weights, as_printed, valuation
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.lines import MOST_PLANNED, Asked
from interpreter.native.steps import NotHere
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine

SCREENED = 48  # options that are looked at a step ahead, by lot when there are more


@dataclass(slots=True)
class Thought:
    """What was tried before a decision: for each option what came of it, world by world."""

    rated: dict[int, Number]  # by `greedy`
    leaves: dict[int, list[Number]] = field(default_factory=dict)
    tries: int = 0
    idle: int = -1  # the option to stop, where one may
    _sum: float = 0.0
    _count: int = 0

    def add(self, option: int, leaf: Number) -> None:
        """One more world."""
        self.leaves.setdefault(option, []).append(leaf)
        if -WIN < leaf < WIN:
            self._sum += abs(float(leaf))
            self._count += 1

    @property
    def scale(self) -> float:
        """How large advantages usually are, to tell how much a lead says about the end of the game."""
        return self._sum / self._count + 1.0 if self._count else 1.0

    def chances(self, option: int) -> list[float]:
        """The leaves of an option as chances to win."""
        return [self.chance(leaf) for leaf in self.leaves[option]]

    def chance(self, leaf: Number) -> float:
        """What a leaf says about the end of the game."""
        if -WIN < leaf < WIN:
            return 0.5 + 0.5 * math.tanh(float(leaf) / (2 * self.scale))
        return 0.5 + 0.5 * max(-1.0, min(1.0, leaf / WIN))

    def mean(self, option: int) -> float:
        """The chance of an option in all the worlds it was tried in."""
        chances = self.chances(option)
        return sum(chances) / len(chances)

    @property
    def first(self) -> int:
        """What looks best a step ahead. Of equals to stop, where one may, else the first: what brings
        nothing is left undone."""
        return max(self.rated, key=lambda n: (self.rated[n], n == self.idle, -n))

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
        return [*tried, *rest]

    def _surely(self, better: int, worse: int) -> bool:
        """Whether one was better than the other in the worlds in which both were tried, by more than luck."""
        pairs = list(zip(self.chances(better), self.chances(worse), strict=False))
        gains = [a - b for a, b in pairs]
        mean = sum(gains) / len(gains)
        if len(gains) < 2:
            return False
        spread = math.sqrt(sum((g - mean) ** 2 for g in gains) / (len(gains) - 1) / len(gains))
        return mean > DOUBT * spread


TRIES_EACH = 6  # tries for each option that is considered
FEWEST = 3  # options that are considered
ENOUGH = 0  # decisions of a line, before which it does not end with the part of a rival
DOUBT = 0.5  # standard errors by which another option must be better than that of `greedy`


class PlanningAgent:
    """Thinks through the reply. With a budget in tries the same seed decides the same."""

    def __init__(
        self, seed: str, budget: Budget, breadth: int = 12, replies: int = 1, weights: Weights | None = None,
        enough: int = ENOUGH,
    ) -> None:  # fmt: skip
        self.seed, self.budget, self.enough = seed, budget, enough
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
            last = sight.count - 1
            thought = Thought(
                GreedyAgent(seed).rated(sight, seed, looked_at, spending.in_a_hurry),
                idle=last if sight.in_world(last) < 0 else -1,
            )
            spending.trying()
            try:
                self._try(sight, seed, thought, spending)
            except RunawayRule:
                if not thought_enough(sight.ruleset):
                    raise
        self.budget.spent(spending)
        return thought

    def _try(self, sight: Sight, seed: str, thought: Thought, spending: Spending) -> None:
        """The best first decisions raced against each other; what comes after each of them is a tree."""
        race = _Race(self, sight, seed, thought, spending)
        breadth = max(FEWEST, min(self.breadth, spending.tries // TRIES_EACH))
        alive = sorted(thought.rated, key=lambda n: (-thought.rated[n], n))[:breadth]
        rounds = max(1, math.ceil(math.log2(len(alive))))
        for _ in range(rounds):
            each = max(1, spending.left(thought.tries) // (rounds * len(alive)))
            for _ in range(each):
                if not all(race.another_world(option) for option in alive):
                    return
            alive = sorted(alive, key=lambda n: (-thought.mean(n), n))[: (len(alive) + 1) // 2]
            rounds -= 1

    def compared(self, sight: Sight, decision: int, options: Iterable[int], worlds: int) -> Thought:
        """Some options in the same worlds, and in none they were chosen for."""
        seed, reflex = f"{self.seed}/{decision}/compared", self.reflex(sight.ruleset)
        thought = Thought(dict.fromkeys(options, 0))
        with thinking(sight.ruleset):
            for number in range(worlds):
                world = sight.imagined(f"{seed}/{number}")
                for option in thought.rated:
                    leaf, _ = self.leaf(world, option, reflex, f"{seed}/{number}")
                    assert leaf is not None
                    thought.add(option, leaf)
        return thought

    def leaf(
        self, world: World, option: int, reflex: Reflex, seed: str, spending: Spending | None = None,
        plan: Plan = NONE, turn: int = -1, pick: float = 0.0,
    ) -> tuple[Number | None, Plan]:  # fmt: skip
        """What an option is worth after the reply, in one world (None when the time is over), and what was
        done in one's own part."""
        sight, until = world.sight, None if spending is None else spending.until
        asked = self.asked(sight, option, plan, turn, pick)
        if reflex.as_printed:
            with suppress(NotHere):
                return native_worlds(sight.ruleset).line(world, asked, seed, until)
        line, made = self.line(sight, world.machine, asked, reflex, Random(seed), spending)
        if spending is not None and spending.late():
            return None, NONE
        return reflex.judged(line, sight.seat), made

    def asked(self, sight: Sight, option: int, plan: Plan = NONE, turn: int = -1, pick: float = 0.0) -> Asked:
        """The line that begins with an option."""
        return Asked(sight.in_world(option), sight.seat, self.replies, self.enough, plan, turn, pick)

    def line(
        self, sight: Sight, world: Machine, asked: Asked, reflex: Reflex, rng: Random,
        spending: Spending | None = None,
    ) -> tuple[Machine, Plan]:  # fmt: skip
        """An option played on through the reply, in one world; not so far when the time is over. And what the
        seat did in its part."""
        line, follower = world.copy(), Follower(asked.plan, reflex.goes_on)
        horizon = Horizon(parts_of(sight.ruleset), line, sight.seat, self.replies, self.enough)
        assert line.pending is not None
        follower.begin(line.pending, asked.index)
        made = [noted(line.pending, asked.index)]
        line.choose(asked.index)
        for number in range(FARTHEST):
            if horizon.reached(line, number) or (spending is not None and spending.late()):
                break
            pending, index = line.pending, NOT_OFFERED
            assert pending is not None
            own = not horizon.later and pending.who == sight.seat and len(pending.options) + pending.out > 1
            if own:
                index = follower.choose(pending)
                if len(made) == asked.turn:
                    index = otherwise(pending, index, asked.pick)
            if index == NOT_OFFERED:
                index = reflex.choose(line, rng)
            if own and len(made) < MOST_PLANNED:
                made.append(noted(pending, index))
            line.choose(index)
        return line, b"".join(made)


class _Race:
    """First decisions that are tried in the same worlds before one decision."""

    def __init__(
        self, agent: PlanningAgent, sight: Sight, seed: str, thought: Thought, spending: Spending
    ) -> None:
        self._agent, self._sight, self._seed = agent, sight, seed
        self._thought, self._spending = thought, spending
        self._reflex = agent.reflex(sight.ruleset)
        self._worlds: list[World] = []
        self._trees: dict[int, Tree] = {}

    def _world(self, number: int) -> World:
        while number >= len(self._worlds):
            self._worlds.append(self._sight.imagined(f"{self._seed}/reply/{len(self._worlds)}"))
        return self._worlds[number]

    def another_world(self, option: int) -> bool:
        """One more world for an option; False when there is no time: what was not played to its end says
        nothing."""
        if not self._spending.more(self._thought.tries):
            return False
        number = len(self._thought.leaves.get(option, ()))
        tree = self._trees.setdefault(option, Tree(f"{self._seed}/{option}"))
        wanted = tree.wanted()
        self._thought.tries += 1
        leaf, made = self._agent.leaf(
            self._world(number), option, self._reflex, f"{self._seed}/{number}", self._spending,
            wanted.plan, wanted.turn, wanted.pick,
        )  # fmt: skip
        if leaf is None:
            return False
        self._thought.add(option, leaf)
        tree.came_of_it(made, self._thought.chance(leaf))
        return True
