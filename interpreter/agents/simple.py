"""Two agents that do not think far: one rolls a die, one looks a step ahead."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.agents.sight import Number, Sight, advantage, rewards, worth
from interpreter.dice import fair_number
from interpreter.machine import Frame, Machine

WIN = 10**9  # beyond every value a rulebook gives
EAGERNESS = (0, 2, 1)  # of four chances, how many to go on when one could also stop, for each line tried


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """Every option is equally likely."""

    seed: str

    def choose(self, sight: Sight, decision: int) -> int:
        return sight.index(random_number(self.seed, decision, sight.count))


def random_number(seed: str, decision: int, count: int) -> int:
    """The option that `RandomAgent` takes: all it needs to know is how many there are."""
    return fair_number(seed, "choice", decision, 0, count)


@dataclass(frozen=True, slots=True)
class GreedyAgent:
    """Takes the option after which the rulebook's `value(player)` is best for him. Between equals, and
    when there is no such quantity, he rolls a die.

    An option often only begins something ("attack the village": with whom? does anybody interrupt? what
    do the dice say?). So what was begun is first brought to its end, in a few ways: whoever is asked takes
    the way out when there is one, sometimes something else. Each way is tried in several worlds, the mean
    counts, and the best way is what the option is worth. Options that look bad in one world are not
    tried in others.
    """

    seed: str
    worlds: int = 5
    finalists: int = 5
    patience: int = 6  # decisions until what was begun must have ended

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        seed = f"{self.seed}/{decision}"
        candidates = list(range(sight.count))
        if worth(sight.ruleset, sight.world(seed)) is not None:
            candidates = self._best(sight, seed)
        return sight.index(candidates[fair_number(self.seed, "tie", decision, 0, len(candidates))])

    def _best(self, sight: Sight, seed: str) -> list[int]:
        worlds = [sight.world(f"{seed}/{number}") for number in range(self.worlds)]
        chance: list[str] = []
        totals = {n: self._lines(sight, worlds[0], n, chance) for n in range(sight.count)}
        if chance:
            first = sorted(totals, key=lambda n: (-max(totals[n]), n))[: self.finalists]
            totals = {n: totals[n] for n in sorted(first)}
            for world in worlds[1:]:
                for n, sums in totals.items():
                    more = self._lines(sight, world, n, chance)
                    totals[n] = [a + b for a, b in zip(sums, more, strict=True)]
        best = max(max(sums) for sums in totals.values())
        return [n for n, sums in totals.items() if max(sums) == best]

    def _lines(self, sight: Sight, world: Machine, number: int, chance: list[str]) -> list[Number]:
        """What an option is worth in one world, for each way to go on."""
        start = world.copy()
        start.watch = chance
        place, asking = len(start.stack) - 1, start.stack[-1]
        start.choose(sight.index(number))
        if not _goes_on(start, place, asking):  # nothing was begun: all ways are the same
            return [_value(sight, start)] * len(EAGERNESS)
        values = []
        for way in range(len(EAGERNESS)):
            line = start.copy()
            line.watch = chance
            self._finish(line, way, place)
            values.append(_value(sight, line))
        return values

    def _finish(self, line: Machine, way: int, place: int) -> None:
        """Go on until the procedure that asked has ended."""
        asking = line.stack[place]
        for step in range(self.patience):
            pending = line.pending
            if pending is None or not _goes_on(line, place, asking):
                return
            options = len(pending.options)
            if pending.out and fair_number(line.seed, f"way {way}", step, 1, 4) >= EAGERNESS[way]:
                line.choose(-1)
            else:
                line.choose(fair_number(line.seed, f"way {way}", step, 0, options))


def _goes_on(machine: Machine, place: int, asking: Frame) -> bool:
    """Whether the procedure that asked is still under way."""
    return machine.pending is not None and place < len(machine.stack) and machine.stack[place] is asking


def _value(sight: Sight, machine: Machine) -> Number:
    if machine.pending is None and machine.outcome is not None:
        players = len(sight.ruleset.program.world.universes["player"])
        shares = rewards(machine, players)
        others = max(share for i, share in enumerate(shares) if i != sight.seat) if players > 1 else 0.0
        return WIN if shares[sight.seat] > others else -WIN if shares[sight.seat] < others else 0
    values = worth(sight.ruleset, machine)
    assert values is not None
    return advantage(values, sight.seat)
