"""Two agents that do not think far: one rolls a die, one looks a step ahead."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.agents.sight import Number, Sight, advantage, rewards, worth
from interpreter.dice import fair_number
from interpreter.machine import Machine

WIN = 10**9  # beyond every value a rulebook gives


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """Every option is equally likely."""

    seed: str

    def choose(self, sight: Sight, decision: int) -> int:
        return sight.index(fair_number(self.seed, "choice", decision, 0, sight.count))


@dataclass(frozen=True, slots=True)
class GreedyAgent:
    """Takes the option after which the rulebook's `value(player)` is best for him, on the average of a
    few worlds when chance has a say. Between equals, and when there is no such quantity, he rolls a die.

    A decision often only begins something ("choose a unit" … "choose where to"): as long as the same
    player goes on deciding, his next decisions are tried at random a few times and the best end counts.
    """

    seed: str
    samples: int = 4
    follow: int = 3
    patience: int = 6

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        seed = f"{self.seed}/{decision}"
        best: list[int] = []
        best_score: Number | None = None
        if worth(sight.ruleset, sight.world(seed)) is not None:
            worlds = [sight.world(f"{seed}/{sample}") for sample in range(self.samples)]
            for number in range(sight.count):
                score = self._score(sight, worlds, number)
                if best_score is None or score > best_score:
                    best, best_score = [number], score
                elif score == best_score:
                    best.append(number)
        candidates = best or list(range(sight.count))
        return sight.index(candidates[fair_number(self.seed, "tie", decision, 0, len(candidates))])

    def _score(self, sight: Sight, worlds: list[Machine], number: int) -> Number:
        """The sum over the worlds; one world is enough when no chance was involved."""
        total: Number = 0
        for world in worlds:
            chance: list[str] = []
            trial = world.copy()
            trial.watch = chance
            trial.choose(sight.index(number))
            total += self._best_end(sight, trial, chance)
            if not chance:
                return total * len(worlds)
        return total

    def _best_end(self, sight: Sight, trial: Machine, chance: list[str]) -> Number:
        best = _value(sight, trial)
        if not _asks(trial, sight.seat):
            return best
        for attempt in range(self.follow):
            line = trial.copy()
            line.watch = chance
            for step in range(self.patience):
                if not _asks(line, sight.seat):
                    break
                pending = line.pending
                assert pending is not None
                count = len(pending.options) + pending.out
                number = fair_number(trial.seed, f"follow {attempt}", step, 0, count)
                line.choose(number if number < len(pending.options) else -1)
                best = max(best, _value(sight, line))
        return best


def _asks(machine: Machine, seat: int) -> bool:
    return machine.pending is not None and machine.pending.who == seat


def _value(sight: Sight, machine: Machine) -> Number:
    if machine.pending is None and machine.outcome is not None:
        players = len(sight.ruleset.program.world.universes["player"])
        shares = rewards(machine, players)
        others = max(share for i, share in enumerate(shares) if i != sight.seat) if players > 1 else 0.0
        return WIN if shares[sight.seat] > others else -WIN if shares[sight.seat] < others else 0
    values = worth(sight.ruleset, machine)
    assert values is not None
    return advantage(values, sight.seat)
