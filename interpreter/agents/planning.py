"""The opponent that looks through the reply: every option it considers is played on to the end of its part
of the game and through the part of the next rival, in worlds that are the same for all options; then it
is judged.

What it considers says `greedy`: the options that look best a step ahead are tried in turn, and the
worse half is left out again and again (sequential halving), so that most tries go to those between
which it is close. With little to spend it plays like `greedy`: another option must have been better by
more than luck.

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
from interpreter.agents.plans import (
    MOST_PLANNED,
    NONE,
    NOT_OFFERED,
    Follower,
    Plan,
    cut,
    length,
    noted,
    otherwise,
)
from interpreter.agents.reckoning import FARTHEST, WIN
from interpreter.agents.reflex import Reflex
from interpreter.agents.sight import Number, Sight, World, thinking, thought_enough
from interpreter.agents.simple import GreedyAgent
from interpreter.agents.turns import Horizon, parts_of
from interpreter.agents.valuing import Weights, as_printed, valuation
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.lines import Asked
from interpreter.native.steps import NotHere
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine

SCREENED = 48  # options that are looked at a step ahead, by lot when there are more


@dataclass(slots=True)
class Thought:
    """What was tried before a decision: for each option what came of it, world by world."""

    rated: dict[int, Number]  # by `greedy`
    leaves: dict[int, list[Number]] = field(default_factory=dict)
    plans: dict[int, Plan] = field(default_factory=dict)
    meant: int | None = None  # what was planned before
    tries: int = 0
    _sum: float = 0.0
    _count: int = 0

    def add(self, option: int, leaf: Number) -> None:
        """One more world."""
        self.tell(option, [*self.leaves.get(option, ()), leaf], self.plans.get(option, NONE))

    def tell(self, option: int, leaves: list[Number], plan: Plan) -> None:
        """What came of the best plan for an option so far, world by world."""
        known = len(self.leaves.get(option, ())) if self.plans.get(option) == plan else 0
        self.leaves[option], self.plans[option] = [*leaves], plan
        for leaf in leaves[known:]:
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
        """What was planned before, or what `greedy` would take; the first of equals."""
        if self.meant is not None:
            return self.meant
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


TRIES_EACH = 6  # tries for each option that is considered
FEWEST = 3  # options that are considered
RACING = 0.5  # of the tries go to first decisions, the rest to the plans of the best
FEWEST_WORLDS = 4  # in which plans are compared
FRESH = 0.25  # of the changed plans end in what looks best, the others go on as planned
ENOUGH = 40  # decisions of a line, after which it ends with the next part of a rival
DOUBT = 0.5  # standard errors by which another option must be better than that of `greedy`


class PlanningAgent:
    """Thinks through the reply. With a budget in tries the same seed decides the same."""

    def __init__(
        self, seed: str, budget: Budget, breadth: int = 12, replies: int = 1, weights: Weights | None = None,
        enough: int = ENOUGH,
    ) -> None:  # fmt: skip
        self.seed, self.budget, self.enough = seed, budget, enough
        self._plan: Plan = NONE  # what is still to be done
        self.breadth, self.replies = breadth, replies
        self.weights = weights  # of the terms of the value, instead of those the game brings

    def reflex(self, ruleset: Ruleset) -> Reflex:
        """How it lets lines go on, and judges them."""
        weights = ruleset.weights if self.weights is None else self.weights
        return Reflex(ruleset, valuation(ruleset, weights), as_printed=as_printed(ruleset, weights))

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        thought = self.thought(sight, decision)
        best = thought.ranking()[0]
        self._plan = cut(thought.plans.get(best, NONE), 1)
        return sight.index(best)

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
        """The best first decisions raced against each other, then the best plans made better."""
        race = _Race(self, sight, seed, thought, spending)
        breadth = max(FEWEST, min(self.breadth, spending.tries // TRIES_EACH))
        alive = sorted(thought.rated, key=lambda n: (-thought.rated[n], n))[:breadth]
        kept = self._kept_plan(sight)
        if kept is not None:
            first, plan = kept
            if first not in alive:
                alive.append(first)
            thought.meant = first
        else:
            plan = NONE
        rounds = max(1, math.ceil(math.log2(len(alive))))
        racing = True
        for option in alive:
            racing = racing and race.enter(option, plan)
        for _ in range(rounds):
            if not racing or len(alive) < 2:
                break
            each = max(1, int(RACING * spending.left(thought.tries)) // (rounds * len(alive)))
            for _ in range(each):
                racing = racing and all(race.another_world(option) for option in alive)
            alive = race.best(alive)[: (len(alive) + 1) // 2]
        if racing:
            race.improve()

    def _kept_plan(self, sight: Sight) -> tuple[int, Plan] | None:
        """What was planned before, as far as it is still to be done: the option it means now, and the plan
        from there on."""
        pending = sight.world("").pending
        assert pending is not None
        follower = Follower(self._plan, native_worlds(sight.ruleset).search.goes_on)
        index = follower.choose(pending)
        if index == NOT_OFFERED:
            return None
        rest = follower.rest(pending, index)
        return (index if index >= 0 else sight.count - 1), rest

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


@dataclass(slots=True)
class _Arm:
    """A plan in a race: what came of it, world by world."""

    option: int
    plan: Plan
    leaves: list[Number] = field(default_factory=list)


class _Race:
    """Plans that are tried in the same worlds before one decision."""

    def __init__(
        self, agent: PlanningAgent, sight: Sight, seed: str, thought: Thought, spending: Spending
    ) -> None:
        self._agent, self._sight, self._seed = agent, sight, seed
        self._thought, self._spending = thought, spending
        self._reflex = agent.reflex(sight.ruleset)
        self._worlds: list[World] = []
        self._arms: dict[int, _Arm] = {}

    def _world(self, number: int) -> World:
        while number >= len(self._worlds):
            self._worlds.append(self._sight.imagined(f"{self._seed}/reply/{len(self._worlds)}"))
        return self._worlds[number]

    def _tried(
        self, number: int, option: int, plan: Plan, turn: int = -1, pick: float = 0.0, lot: str = ""
    ) -> tuple[Number | None, Plan]:
        """A plan in a world; nothing when there is no time: what was not played to its end says nothing."""
        if not self._spending.more(self._thought.tries):
            return None, NONE
        self._thought.tries += 1
        return self._agent.leaf(
            self._world(number),
            option,
            self._reflex,
            f"{self._seed}/{number}{lot}",
            self._spending,
            plan,
            turn,
            pick,
        )

    def enter(self, option: int, plan: Plan) -> bool:
        """An option, and with it what is done in the first world; False when there is no more time."""
        leaf, made = self._tried(0, option, plan)
        if leaf is None:
            return False
        self._arms[option] = _Arm(option, made, [leaf])
        self._tell(self._arms[option])
        return True

    def another_world(self, option: int) -> bool:
        """One more world for an option."""
        arm = self._arms[option]
        leaf, _ = self._tried(len(arm.leaves), option, arm.plan)
        if leaf is None:
            return False
        arm.leaves.append(leaf)
        self._tell(arm)
        return True

    def _tell(self, arm: _Arm) -> None:
        self._thought.tell(arm.option, arm.leaves, arm.plan)

    def best(self, options: Iterable[int]) -> list[int]:
        """Options, the best first."""
        return sorted(options, key=lambda n: (-len(self._arms[n].leaves), -self._thought.mean(n), n))

    def improve(self) -> None:
        """As long as there is time: something in the plan of the best, or now and then of the second, is
        done otherwise. What is better in all worlds together, or no worse and shorter, is the plan then."""
        rng = Random(f"{self._seed}/plans")
        for number in range(self._spending.tries):
            ahead = self.best(self._arms)[:2]
            arm = self._arms[ahead[number % 4 == 3 and len(ahead) > 1]]
            if len(arm.leaves) < FEWEST_WORLDS and not self.another_world(arm.option):
                return
            if len(arm.leaves) < FEWEST_WORLDS:
                continue
            planned = length(arm.plan)
            if planned < 2:
                if len(ahead) < 2 or not all(
                    len(self._arms[n].leaves) > len(arm.leaves) or self.another_world(n) for n in ahead
                ):
                    return
                continue
            found = self._challenger(arm, rng, number)
            if found is None:
                return
            if found.plan != arm.plan:
                arm.plan, arm.leaves = found.plan, found.leaves
                self._tell(arm)
                if not self.another_world(arm.option):
                    return

    def _challenger(self, arm: _Arm, rng: Random, number: int) -> _Arm | None:
        """Another plan that is better, or the same; None when there is no more time."""
        planned, worlds = length(arm.plan), len(arm.leaves)
        turn, first = 1 + int(rng.random() * (planned - 1)), number % worlds
        if rng.random() < FRESH:
            leaf, made = self._tried(first, arm.option, cut(arm.plan, 0, turn), lot=f"/{number}")
            if leaf is not None and made != arm.plan:
                leaf, made = self._tried(first, arm.option, made)
        else:
            leaf, made = self._tried(first, arm.option, arm.plan, turn, rng.random())
        if leaf is None:
            return None
        if made == arm.plan:
            return arm
        leaves = {first: leaf}
        chance = self._thought.chance
        ahead = chance(leaf) - chance(arm.leaves[first])
        shorter = length(made) < planned
        for step in range(1, worlds):
            if ahead < 0 or (ahead == 0 and step > 2 and not shorter):
                return arm
            world = (first + step) % worlds
            leaf, _ = self._tried(world, arm.option, made)
            if leaf is None:
                return None
            leaves[world] = leaf
            ahead += chance(leaf) - chance(arm.leaves[world])
        if ahead > 0 or (ahead == 0 and shorter):
            return _Arm(arm.option, made, [leaves[world] for world in range(worlds)])
        return arm
