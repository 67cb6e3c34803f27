"""Games that stop at every decision, in the machine and in Python: every prompt, option, frame and state; and
what agents think in worlds there and here."""

from __future__ import annotations

import os
from random import Random
from typing import Any

from interpreter.agents.budget import Tries
from interpreter.agents.native_worlds import NativeWorlds, native_worlds
from interpreter.agents.planning import PlanningAgent
from interpreter.agents.search import Node, SearchAgent
from interpreter.agents.sight import Sight, declares_value
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.compilers import NotNative
from interpreter.native.steps import NativeSteps, NotHere
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from rulesdsl.book.scenario import Scenario
from tests.promises import MOST_DECISIONS, Outcome, all_games, small_games
from tests.promises.native import drawn_rules, sanitized

SAME_RULES = 5  # games of one ruleset before another is drawn: compilers are slow
THOUGHTS = 12  # the same for thoughts
AFRESH = 0.2  # of the positions are made anew of what Python has, instead of being gone on with
TRIES = 24


def unlike(one: Machine, other: Machine) -> str:
    """What is different about two positions; nothing when all is the same."""
    if one.s != other.s:
        cell = next(n for n, (a, b) in enumerate(zip(one.s, other.s, strict=True)) if a != b)
        return f"cell {cell} is {one.s[cell]!r} and {other.s[cell]!r}"
    if one.stack != other.stack:
        return f"frames are {one.stack} and {other.stack}"
    if (one.outcome, one.payoffs, one.seed) != (other.outcome, other.payoffs, other.seed):
        return f"ends as {one.outcome} and {other.outcome}"
    a, b = one.pending, other.pending
    if a is None or b is None:
        return "" if a is b else "one is over, the other is not"
    if (a.site, a.who, a.out, list(a.options)) != (b.site, b.who, b.out, list(b.options)):
        return f"asks {a} and {b}"
    return ""


def stepped(
    steps: NativeSteps, scenario: Scenario | None, seed: int, draw: Random, most: int = MOST_DECISIONS
) -> tuple[int, str]:
    """One random game, decision by decision: how many were the same, and what is different."""
    machine = steps.ruleset.new_machine(scenario, str(seed), traced=False)
    with steps.stepper() as at:
        try:
            start = steps.start(machine.s, str(seed))
        except NotHere as why:
            return 0, f"it does not begin: {why}"
        at.put(start)
        at.run()
        machine.begin()
        for number in range(most):
            what = unlike(steps.machine(at.words()), machine)
            if what:
                return number, f"seed {seed}, decision {number}: {what}"
            if machine.pending is None:
                return number, ""
            if draw.random() < AFRESH:
                at.put(steps.words(machine))
            index = machine.pending.at_random(draw)
            try:
                machine.choose(index)
            except RunawayRule:
                return number, ""
            try:
                at.choose(index)
            except NotHere as why:
                return number, f"seed {seed}, decision {number}: given up ({why})"
    return most, ""


def native_steps(count: int, flags: tuple[str, ...] = ()) -> Outcome:
    """So many games over all shipped games, their scenarios, readings and house rules."""
    outcome, decisions = Outcome(), 0
    names = small_games() if os.environ.get("RULESDSL_QUICK_BARS") or flags else all_games()
    for number in range(max(1, -(-count // SAME_RULES))):
        rng = Random(f"steps {number}")
        told, ruleset, scenario = drawn_rules(names[number % len(names)], rng)
        try:
            steps = NativeSteps.of(ruleset, (), flags)
        except NotNative as why:
            outcome.failure(f"{told}: {why}")
            continue
        for seed in range(min(SAME_RULES, count - outcome.done)):
            outcome.done += 1
            same, what = stepped(steps, scenario, seed, rng)
            decisions += same
            if what:
                outcome.failure(f"{told}: {what}")
    outcome.note = f"{decisions} decisions"
    return outcome


def thoughts(worlds: NativeWorlds, steps: NativeSteps | None, machine: Machine, number: int) -> Any:
    """What an agent thinks before one decision, all of it, in the machine or (without) in Python."""
    ruleset = worlds.ruleset
    worlds.readiness.use(steps)
    sight = Sight.of(ruleset, machine)
    if declares_value(ruleset):
        thought = PlanningAgent("7", Tries(TRIES), replies=1 + number % 2).thought(sight, number)
        return thought.rated, thought.leaves, thought.ranking()
    return _told(SearchAgent("7", rounds=TRIES).searched(sight, number))


def _told(node: Node) -> Any:
    return (
        node.visits,
        node.offered,
        node.total,
        {move: _told(child) for move, child in node.children.items()},
    )


def other_thoughts(
    ruleset: Ruleset, scenario: Scenario | None, rng: Random, count: int, flags: tuple[str, ...] = ()
) -> list[str]:
    """So many decisions of random games, thought about there and here: what is different."""
    worlds = native_worlds(ruleset)
    steps = NativeSteps.of(ruleset, worlds.readiness.values, flags)
    found, machine = list[str](), Machine(ruleset.fast.code, [], "")
    for number in range(count):
        for _ in range(1 + int(rng.random() * 40)):
            if machine.pending is None:
                machine = ruleset.new_machine(scenario, str(rng.random()), traced=False)
                machine.begin()
            if machine.pending is not None:
                machine.choose(machine.pending.at_random(rng))
        if machine.pending is None or len(machine.pending.options) + machine.pending.out < 2:
            continue
        there, here = (thoughts(worlds, one, machine, number) for one in (steps, None))
        if there != here:
            found.append(f"thought {number}: {str(there)[:200]} and {str(here)[:200]}")
    worlds.readiness.use(steps)
    return found


def native_thoughts(count: int, flags: tuple[str, ...] = ()) -> Outcome:
    """So many decisions over all shipped games, thought about in the machine and in Python."""
    outcome = Outcome()
    names = small_games() if os.environ.get("RULESDSL_QUICK_BARS") or flags else all_games()
    for number in range(max(1, -(-count // THOUGHTS))):
        rng = Random(f"thoughts {number}")
        told, ruleset, scenario = drawn_rules(names[number % len(names)], rng)
        many = min(THOUGHTS, count - outcome.done)
        outcome.done += many
        try:
            for what in other_thoughts(ruleset, scenario, rng, many, flags):
                outcome.failure(f"{told}: {what}")
        except NotNative as why:
            outcome.failure(f"{told}: {why}")
    return outcome


def sanitized_steps(count: int) -> Outcome:
    """Decisions under the address and undefined-behaviour sanitizers, and as many thoughts."""
    outcome = sanitized(count, "stepping.native_steps")
    more = sanitized(count, "stepping.native_thoughts")
    outcome.done += more.done
    for example in more.examples:
        outcome.failure(example)
    return outcome
