"""Two agents that do not think far: one rolls a die, one looks a step ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.reckoning import WIN
from interpreter.agents.sight import (
    Number,
    Sight,
    World,
    advantage,
    declares_value,
    rewards,
    thinking,
    thought_enough,
    worth,
)
from interpreter.compiling.decision_points import Site, TravelSite
from interpreter.native.lines import PRESSING, STOPPING
from interpreter.native.steps import NotHere
from interpreter.running.dice import fair_number
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Frame, Machine
from rulesdsl.program import ChooseS

STOP, PRESS_ON = "stop", "press on"
_NAMES = {STOPPING: STOP, PRESSING: PRESS_ON}
CHANCED = "chance"
FEWEST_LOOKS = 4  # options that are looked at in any hurry: the first that comes along is no choice
CHOICE = "choice"  # what a random agent casts dice for
Lines = dict[Any, Number]  # lines of play → what they are worth


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """Every option is equally likely."""

    seed: str

    def choose(self, sight: Sight, decision: int) -> int:
        return sight.index(random_number(self.seed, decision, sight.count))


def random_number(seed: str, decision: int, count: int) -> int:
    """The option that `RandomAgent` takes: all it needs to know is how many there are."""
    return fair_number(seed, CHOICE, decision, 0, count)


@dataclass(frozen=True, slots=True)
class GreedyAgent:
    """Takes the option after which the rulebook's `value(player)` is best for him. Between equals, and
    when there is no such quantity, he rolls a die.

    An option often only begins something ("attack the village": with whom? does anybody interrupt? what
    do the dice say?). So what was begun is first brought to its end, in a few lines: every answer to the
    next question if that is his too, then stopping as soon as one may; and pressing on where members are
    gathered one by one. Each line is tried in several worlds, the mean counts, and the best line is what the
    option is worth. Options that look bad in one world are not tried in others. Who has thought as long as
    he may decides among the options he has come to.
    """

    seed: str
    worlds: int = 5
    finalists: int = 5
    patience: int = 6  # decisions for which one presses on
    breadth: int = 12  # answers to the next question that are looked at

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        candidates: Sequence[int] = range(sight.count)
        if declares_value(sight.ruleset):
            with native_worlds(sight.ruleset).thinking(somebody_waits=False), thinking(sight.ruleset):
                candidates = self._best(sight, f"{self.seed}/{decision}")
        return sight.index(candidates[fair_number(self.seed, "tie", decision, 0, len(candidates))])

    def _best(self, sight: Sight, seed: str) -> list[int]:
        worth = self.rated(sight, seed)
        best = max(worth.values())
        return [n for n, value in worth.items() if value == best]

    def rated(
        self, sight: Sight, seed: str, options: Sequence[int] = (), hurry: Callable[[], bool] | None = None
    ) -> dict[int, Number]:
        """What options (all, unless some are named) are worth, in all the worlds they were tried in together:
        those he has come to (before there was `hurry`), and of them those that looked best."""
        chance: list[str] = []
        world = sight.imagined(f"{seed}/0")
        totals = self._looked_at(sight, world, options or range(sight.count), chance, hurry)
        if chance:
            first = sorted(totals, key=lambda n: (-max(totals[n].values()), n))[: self.finalists]
            totals = {n: totals[n] for n in sorted(first)}
            for number in range(1, self.worlds):
                world = sight.imagined(f"{seed}/{number}")
                more = self._looked_at(sight, world, totals, chance, hurry)
                if len(more) < len(totals):  # what was tried before decides
                    break
                if number == 1 and more == totals:  # the dice were rolled for something else
                    break
                totals = {n: _added(lines, more[n], number) for n, lines in totals.items()}
        return {n: max(lines.values()) for n, lines in totals.items()}

    def _looked_at(
        self, sight: Sight, world: World, options: Iterable[int], chance: list[str],
        hurry: Callable[[], bool] | None = None,
    ) -> dict[int, Lines]:  # fmt: skip
        """What options are worth in one world: of all of them, or of those there was time for."""
        found: dict[int, Lines] = {}
        again = isinstance(options, dict)  # options of which something is known already
        for number in options:
            if hurry is not None and (again or len(found) >= FEWEST_LOOKS) and hurry():
                break
            try:
                found[number] = self._lines(sight, world, number, chance)
            except RunawayRule:
                if not ((found or again) and thought_enough(sight.ruleset)):
                    raise
                break
        return found

    def _lines(self, sight: Sight, world: World, number: int, chance: list[str]) -> Lines:
        """What an option is worth in one world, for each line of play that follows it."""
        try:
            looked = native_worlds(sight.ruleset).looks(world, number, self.breadth, self.patience)
        except NotHere:
            return self._lines_in_python(sight, world.machine, number, chance)
        if looked.chanced:
            chance.append(CHANCED)
        return {_NAMES.get(name, name): value for name, value in looked.lines.items()}

    def _lines_in_python(self, sight: Sight, world: Machine, number: int, chance: list[str]) -> Lines:
        start = _copy(world, chance)
        begun = _Begun(sight, start)
        start.choose(sight.in_world(number))
        pending = start.pending
        if pending is None or not begun.goes_on(start):
            return {STOP: _value(sight, start)}
        answers: list[tuple[Any, int]] = [(STOP, -1)]
        if pending.who == sight.seat and begun.gathers and pending.site == begun.site:
            answers.append((PRESS_ON, 0))
        elif pending.who == sight.seat and len(pending.options) <= self.breadth:
            answers = [((pending.site, value), i) for i, value in enumerate(pending.options)]
            answers += [(STOP, -1)] if pending.out else []
        lines: Lines = {}
        for name, index in answers:
            line = _copy(start, chance)
            begun.asking = line.stack[begun.place]
            if name not in (STOP, PRESS_ON):
                line.choose(index)
            self._finish(line, begun, sight.seat if name == PRESS_ON else -1)
            lines[name] = _value(sight, line)
        return lines

    def _finish(self, line: Machine, begun: _Begun, pressing: int) -> None:
        """Go on until what was begun has ended; everybody but `pressing` stops when he may.

        In the end he does, too: what has not ended would look as if it cost nothing.
        """
        for step in range(2 * self.patience):
            pending = line.pending
            if pending is None or not begun.goes_on(line):
                return
            if pending.out and (pending.who != pressing or step >= self.patience):
                line.choose(-1)
            else:
                line.choose(fair_number(line.seed, "way", step, 0, len(pending.options)))


class _Begun:
    """What an option began: it goes on until its procedure has ended or asks the same question anew."""

    __slots__ = ("asking", "gathers", "place", "site", "travels")

    def __init__(self, sight: Sight, machine: Machine) -> None:
        assert machine.pending is not None
        self.place = len(machine.stack) - 1
        self.asking: Frame = machine.stack[-1]
        self.site = machine.pending.site
        site = sight.ruleset.fast.blocks.sites[self.site]
        self.gathers = (
            isinstance(site, Site) and isinstance(site.step, ChooseS) and site.step.result is not None
        )
        self.travels = isinstance(site, TravelSite)

    def goes_on(self, machine: Machine) -> bool:
        if machine.pending is None or self.place >= len(machine.stack):
            return False
        if machine.stack[self.place] is not self.asking:
            return False
        return self.gathers or self.travels or machine.pending.site != self.site


def _copy(machine: Machine, chance: list[str]) -> Machine:
    copy = machine.copy()
    copy.watch = chance
    return copy


def _added(lines: Lines, more: Lines, worlds: int) -> Lines:
    """Sums over one more world; a line that could not be played there counts as what it has been so far."""
    return {name: total + more.get(name, Fraction(total, worlds)) for name, total in lines.items()}


def _value(sight: Sight, machine: Machine) -> Number:
    if machine.pending is None and machine.outcome is not None:
        if machine.payoffs:
            gained: Number = WIN * dict(machine.payoffs).get(sight.seat, 0)
            return gained
        shares = rewards(machine, sight.ruleset.seats.index.values())
        mine = shares.get(sight.seat, 0.0)
        others = max((share for i, share in shares.items() if i != sight.seat), default=0.0)
        return WIN if mine > others else -WIN if mine < others or not mine else 0
    values = worth(sight.ruleset, machine)
    assert values is not None
    return advantage(values, sight.seat)
