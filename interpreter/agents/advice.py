"""Advice and why: what an opponent would do in this seat, what it expects of it, and what comes second.

It is thought by the same agents, from the same sight: advice knows no more than who asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import monotonic

from interpreter.agents.budget import Tries
from interpreter.agents.planning import PlanningAgent
from interpreter.agents.search import SearchAgent, tried
from interpreter.agents.sight import Number, Sight, declares_value, thinking, thought_enough
from interpreter.agents.terms import terms
from interpreter.running.fuel import RunawayRule

SECONDS = 1.2
REASONS_SECONDS = 0.5
TRIES = 48
ROUNDS = 1_000
WORLDS = 8  # in which the best and the second best are compared
MOST_REASONS = 2
SEED = "hint"


@dataclass(frozen=True, slots=True)
class Gain:
    """One term of the value: by how much the better option is ahead in it, in which share of the worlds."""

    label: str
    mean: float
    share: float


@dataclass(frozen=True, slots=True)
class Advice:
    """An option by its index for `Machine.choose`; chances to win, as far as the one who advises can tell."""

    index: int
    chance: float | None = None
    second: int | None = None
    second_chance: float | None = None
    gains: tuple[Gain, ...] = ()

    def why(self, second_text: str) -> str:
        """The reason in a few words; nothing when there is no other option."""
        if self.chance is None:
            return ""
        words = [f"{_percent(self.chance)} by its reckoning"]
        words += [
            f"{gain.label} {gain.mean:+.3g} on average ({'better' if gain.mean > 0 else 'worse'} "
            f"in {_percent(gain.share)})"
            for gain in self.gains
        ]
        if second_text and self.second_chance is not None:
            place = "second best" if self.second_chance < self.chance else "about as good"
            words.append(f"{place}: {second_text} ({_percent(self.second_chance)})")
        return "; ".join(words)


def advise(sight: Sight, decision: int, tries: int = TRIES, seconds: float | None = SECONDS) -> Advice:
    """What to do, and why. Without seconds it is thought as long as it takes: the same on every machine."""
    if sight.count == 1:
        return Advice(sight.index(0))
    if not declares_value(sight.ruleset):
        return _by_tree(sight, decision, ROUNDS if tries == TRIES else tries, seconds)
    agent = PlanningAgent(SEED, Tries(tries, seconds))
    thought = agent.thought(sight, decision)
    best, *others = thought.ranking()
    known = {
        n: sum(thought.chances(n)) / len(thought.chances(n)) for n in (best, *others) if n in thought.leaves
    }
    second = next((n for n in sorted(others, key=lambda n: -known.get(n, -1.0)) if n in known), None)
    if best not in known or second is None:
        return Advice(sight.index(best), known.get(best))
    gains = _gains(sight, agent, best, second, f"{SEED}/{decision}/why", by_the_clock=seconds is not None)
    return Advice(sight.index(best), known[best], sight.index(second), known[second], gains)


def _by_tree(sight: Sight, decision: int, rounds: int, seconds: float | None) -> Advice:
    agent = SearchAgent(SEED, seconds or 1.0, rounds, both=seconds is not None)
    found = sorted(
        tried(sight, agent.searched(sight, decision)).items(), key=lambda item: (-item[1][0], item[0])
    )
    (best, (_, chance)), *others = found
    if not others:
        return Advice(sight.index(best), chance)
    second, (_, second_chance) = others[0]
    return Advice(sight.index(best), chance, sight.index(second), second_chance)


def _gains(
    sight: Sight, agent: PlanningAgent, best: int, second: int, seed: str, by_the_clock: bool
) -> tuple[Gain, ...]:
    """Where the best is ahead of the second after the reply, by the terms of the value."""
    ruleset, until = sight.ruleset, monotonic() + REASONS_SECONDS
    reflex = agent.reflex(ruleset)
    ahead: dict[str, list[Number]] = {}
    worlds = 0
    with thinking(ruleset):
        for number in range(WORLDS):
            if by_the_clock and number > 1 and monotonic() > until:
                break
            world = sight.world(f"{seed}/{number}")
            try:
                one, other = (
                    agent.line(sight, world, agent.asked(sight, option), reflex, Random(f"{seed}/{number}"))[
                        0
                    ]
                    for option in (best, second)
                )
            except RunawayRule:
                if not thought_enough(ruleset):
                    raise
                break
            mine, theirs = terms(ruleset, one, sight.seat), terms(ruleset, other, sight.seat)
            for label in mine.keys() | theirs.keys():
                ahead.setdefault(label, [0] * worlds).append(mine.get(label, 0) - theirs.get(label, 0))
            worlds += 1
            for values in ahead.values():
                values += [0] * (worlds - len(values))
    gains = []
    for label, values in sorted(ahead.items()):
        mean = float(sum(values)) / max(1, len(values))
        share = sum(value * mean > 0 for value in values) / max(1, len(values))
        if label and mean:
            gains.append(Gain(label, mean, share))
    return tuple(sorted(gains, key=lambda gain: -abs(gain.mean))[:MOST_REASONS])


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
