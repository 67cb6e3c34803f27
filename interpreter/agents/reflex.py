"""How lines of play go on in imagined worlds: everybody takes what looks best a step ahead, quickly.

It is `greedy` with little patience: one world, few options, what was begun is ended as soon as it may
be, or when all who can take part in it do. Dice are rolled anew for every look, so nobody foresees those
of the world he plays in.
"""

from __future__ import annotations

from random import Random

from interpreter.agents.reckoning import ANSWERS, BREADTH, LOOKS, PATIENCE, WIN
from interpreter.agents.sight import Number, advantage, declares_value, rewards
from interpreter.agents.valuing import Valuation
from interpreter.compiling.decision_points import Site, TravelSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from rulesdsl.program import ChooseS


class Reflex:
    """Decides in worlds of one ruleset."""

    def __init__(
        self, ruleset: Ruleset, valuation: Valuation, breadth: int = BREADTH, as_printed: bool = False
    ) -> None:
        self.ruleset, self.valuation, self.breadth = ruleset, valuation, breadth
        self.as_printed = as_printed  # whether the valuation is the rulebook's own
        self._judges = declares_value(ruleset)
        sites = ruleset.fast.blocks.sites
        self.gathers = [
            isinstance(site, Site) and isinstance(site.step, ChooseS) and site.step.result is not None
            for site in sites
        ]
        self.goes_on = [
            isinstance(site, TravelSite) or gathers for site, gathers in zip(sites, self.gathers, strict=True)
        ]

    def choose(self, machine: Machine, rng: Random) -> int:
        """The index for `Machine.choose`. Where nobody knows what a position is worth, any."""
        pending = machine.pending
        assert pending is not None
        count = len(pending.options)
        if count + pending.out == 1:
            return 0 if count else -1
        if not self._judges:
            return pending.at_random(rng)
        tried = (
            list(range(count)) if count <= self.breadth else sorted(rng.sample(range(count), self.breadth))
        )
        if pending.out:
            tried.insert(0, -1)  # what brings nothing is left undone
        best, chosen = None, tried[0]
        seed = f"{machine.seed}?{rng.getrandbits(32)}"
        for index in tried:
            worth_it = self._looked_at(machine, index, seed)
            if best is None or worth_it > best:
                best, chosen = worth_it, index
        return chosen

    def _looked_at(self, machine: Machine, index: int, seed: str) -> Number:
        """What an option is worth a step ahead, as often as there are looks: with each of a few answers to
        the next question, if that is his, too (activated how?); with what it needs at least, or, where
        members are gathered for it, with as many as come."""
        worth_it, gathers, answers = self._looks(machine, index, seed, pressing=False)
        for answer in range(1, answers):
            worth_it = max(worth_it, self._looks(machine, index, seed, pressing=False, answer=answer)[0])
        return max(worth_it, self._looks(machine, index, seed, pressing=True)[0]) if gathers else worth_it

    def _looks(
        self, machine: Machine, index: int, seed: str, pressing: bool, answer: int = 0
    ) -> tuple[Number, bool, int]:
        assert machine.pending is not None
        total: Number = 0
        gathers, answers = False, 0
        for look in range(LOOKS):
            trial, chance = machine.copy(), list[str]()
            trial.seed, trial.watch = f"{seed}/{look}", chance
            met, asked = self._through(trial, index, pressing, answer)
            gathers, answers = gathers or met, max(answers, asked)
            total += self.judged(trial, machine.pending.who)
            if not chance:
                return LOOKS * total, gathers, answers
        return total, gathers, answers

    def _through(self, trial: Machine, index: int, pressing: bool, answer: int) -> tuple[bool, int]:
        """An option, and what it began brought to its end: whoever may stop does, but who is pressing gathers
        members first. Whether there were any to gather, and how many answers to the next question."""
        pending = trial.pending
        assert pending is not None
        place, asking, site, who = len(trial.stack) - 1, trial.stack[-1], pending.site, pending.who
        more, gathers, answers = self.goes_on[site], False, 0
        trial.choose(index)
        for step in range(2 * PATIENCE if pressing else PATIENCE):
            now = trial.pending
            if now is None or place >= len(trial.stack) or trial.stack[place] is not asking:
                break
            if now.site == site and not more:
                break
            count = len(now.options)
            if step == 0 and now.who == who and not now.out and now.site != site and count <= ANSWERS:
                answers = count
                trial.choose(min(answer, count - 1))
                continue
            member = now.who == who and self.gathers[now.site] and count > 0
            gathers = gathers or (member and now.out)
            trial.choose(-1 if now.out and not (pressing and member and step < PATIENCE) else 0)
        return gathers, answers

    def judged(self, machine: Machine, player: int) -> Number:
        """What a position is worth to a player: how the game ended, or his advantage."""
        if machine.pending is None and machine.outcome is not None:
            if machine.payoffs:
                gained: Number = WIN * dict(machine.payoffs).get(player, 0)
                return gained
            shares = rewards(machine, self.ruleset.seats.index.values())
            mine = shares.get(player, 0.0)
            others = max((share for i, share in shares.items() if i != player), default=0.0)
            return WIN if mine > others else -WIN if mine < others or not mine else 0
        values = self.valuation(machine)
        assert values is not None
        return advantage(values, player)
