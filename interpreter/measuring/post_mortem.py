"""A game looked at afterwards: the chances after every decision, and the decisions that cost most.

The chances are those of the position as it was (the game is over, nothing is secret any more). Whether a
decision was good is judged by what its player could know then: what he did and what an opponent would have
done are tried in the same worlds of his sight, through the reply.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any

from interpreter.agents.budget import Tries
from interpreter.agents.planning import PlanningAgent
from interpreter.agents.search import SearchAgent, tried
from interpreter.agents.sight import Sight, declares_value, rewards, worth
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.session import Session
from interpreter.playing.sitting import Sitting
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine

SEED = "analyse"
POINTS = 200  # of the curve in games that must be searched to know anything
LOUD = 0.01  # what costs less is no mistake


@dataclass(frozen=True, slots=True)
class Point:
    """The chances of all players before decision `decision` (from 0); the last one is the end of the game."""

    decision: int
    turn: int | None
    chances: dict[str, float]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision after which its player stood worse than he had to."""

    decision: int
    turn: int | None
    player: str
    asked: str
    chosen: str
    better: str
    cost: float  # chances to win that were given away, as far as the engine can tell

    def as_dict(self) -> dict[str, Any]:
        return {"decision": self.decision + 1, "turn": self.turn, "player": self.player, "asked": self.asked,
                "chosen": self.chosen, "better": self.better, "cost": round(self.cost, 4)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PostMortem:
    points: tuple[Point, ...]
    mistakes: tuple[Mistake, ...]
    looked_at: int  # decisions that were judged
    decisions: int  # decisions in which there was a choice

    def as_dict(self) -> dict[str, Any]:
        return {
            "curve": [
                {"decision": p.decision, "turn": p.turn,
                 "chances": {player: round(chance, 4) for player, chance in p.chances.items()}}
                for p in self.points
            ],
            "mistakes": [mistake.as_dict() for mistake in self.mistakes],
            "judged": self.looked_at, "choices": self.decisions,
        }  # fmt: skip


def post_mortem(
    session: Session, tries: int, seconds: float, report: Callable[[int, int], None] | None = None
) -> PostMortem:
    """Look at a game; for so many seconds, the decisions before which chances fell most first."""
    machines = [moment.machine for moment in session.history]
    points = _curve(session, [*machines, session.machine])
    choices = [number for number, moment in enumerate(session.history) if moment.had_a_choice]
    fall = _falls(session, points, choices)
    until = monotonic() + seconds
    mistakes: list[Mistake] = []
    looked_at = 0
    for number in sorted(choices, key=lambda n: (-fall.get(n, 0.0), n)):
        if looked_at and monotonic() > until:
            break
        if (mistake := _judged(session, number, tries)) is not None:
            mistakes.append(mistake)
        looked_at += 1
        if report is not None:
            report(looked_at, len(choices))
    mistakes.sort(key=lambda m: (-m.cost, m.decision))
    return PostMortem(tuple(points), tuple(mistakes), looked_at, len(choices))


# ---- the curve -------------------------------------------------------------------------------------------
def _curve(session: Session, machines: list[Machine]) -> list[Point]:
    ruleset = session.ruleset
    if declares_value(ruleset):
        leads = [_leads(ruleset, machine) for machine in machines]
        start = dict(leads[0])  # sides are not alike: a larger army to begin with is no lead
        leads = [{p: lead - start[p] for p, lead in at.items()} for at in leads]
        sizes = [abs(lead) for at in leads for lead in at.values()]
        scale = 2 * (sum(sizes) / max(1, len(sizes)) + 1)
        found = [{p: 0.5 + 0.5 * math.tanh(lead / scale) for p, lead in at.items()} for at in leads]
        numbers = list(range(len(machines)))
    else:
        every = max(1, math.ceil((len(machines) - 1) / POINTS))
        numbers = sorted({*range(0, len(machines), every), len(machines) - 1})
        found = [_searched(ruleset, machines[n], n) for n in numbers]
    names = {number: player for player, number in ruleset.seats.index.items()}
    points = [
        Point(n, _turn(ruleset, machines[n]), {names[p]: c for p, c in _normed(chances).items()})
        for n, chances in zip(numbers, found, strict=True)
    ]
    if session.machine.outcome is not None:
        shares = rewards(session.machine, ruleset.seats.index.values())
        ended = {names[p]: share for p, share in shares.items()}
        points[-1] = Point(points[-1].decision, points[-1].turn, ended)
    return points


def _leads(ruleset: Ruleset, machine: Machine) -> dict[int, float]:
    """How far each is ahead of the best of the others."""
    values = worth(ruleset, machine) or {}
    return {
        p: float(Fraction(v) - max((w for q, w in values.items() if q != p), default=0))
        for p, v in values.items()
    }


def _searched(ruleset: Ruleset, machine: Machine, number: int) -> dict[int, float]:
    """Chances by a short search from the seat that is asked, equal for the others."""
    players = list(ruleset.seats.index.values())
    if machine.pending is None:
        return dict.fromkeys(players, 1 / len(players))
    sight = Sight.of(ruleset, machine)
    found = tried(sight, SearchAgent(SEED, rounds=40).searched(sight, number))
    chance = max(found.values(), default=(0, 1 / len(players)))[1]
    rest = (1 - chance) / max(1, len(players) - 1)
    return {player: chance if player == sight.seat else rest for player in players}


def _normed(chances: dict[int, float]) -> dict[int, float]:
    total = sum(chances.values())
    return {p: c / total for p, c in chances.items()} if total else chances


def _falls(session: Session, points: list[Point], choices: list[int]) -> dict[int, float]:
    """How far the chances of a player fell from one decision of his to the next."""
    at = {point.decision: point.chances for point in points}
    falls: dict[int, float] = {}
    last: dict[str, int] = {}
    for number in [*choices, len(session.history)]:
        who = session.history[number].who if number < len(session.history) else None
        for player, before in list(last.items()):
            if who in (None, player) and before in at and number in at:
                falls[before] = at[before].get(player, 0.0) - at[number].get(player, 0.0)
        if who is not None:
            last[who] = number
    return falls


# ---- decisions -------------------------------------------------------------------------------------------
def _judged(session: Session, number: int, tries: int) -> Mistake | None:
    moment, ruleset = session.history[number], session.ruleset
    sight = Sight.of(ruleset, moment.machine)
    sitting = Sitting(session.game, ruleset, moment.machine, session.facts)
    chosen = sitting.find(moment.key)
    try:
        chances = _by_plans(sight, number, tries, chosen.index)
    except RunawayRule:
        return None
    mine = chances.get(chosen.index)
    if mine is None or not chances:
        return None
    best = max(chances, key=lambda index: (chances[index], -index))
    if best == chosen.index or chances[best] - mine < LOUD:
        return None
    better = next(option for option in sitting.options if option.index == best)
    prompt = sitting.prompt
    return Mistake(
        decision=number,
        turn=_turn(ruleset, moment.machine),
        player=moment.who,
        asked=prompt.text if prompt is not None else "",
        chosen=chosen.text,
        better=better.text,
        cost=chances[best] - mine,
    )


def _by_plans(sight: Sight, number: int, tries: int, chosen: int) -> dict[int, float]:
    """Index → chance, of the best option and the chosen one, on the same worlds."""
    if not declares_value(sight.ruleset):
        found = tried(sight, SearchAgent(SEED, rounds=10 * tries).searched(sight, number))
        often = max((visits for visits, _ in found.values()), default=0)
        return {
            sight.index(n): chance
            for n, (visits, chance) in found.items()
            if sight.index(n) == chosen or visits == often
        }
    agent = PlanningAgent(SEED, Tries(tries))
    own = next(n for n in range(sight.count) if sight.index(n) == chosen)
    thought = agent.thought(sight, number)
    best = thought.ranking()[0]
    again = agent.compared(sight, number, (best, own), max(4, tries // 2))
    return {sight.index(n): sum(again.chances(n)) / len(again.chances(n)) for n in {best, own}}


def _turn(ruleset: Ruleset, machine: Machine) -> int | None:
    return Sight.of(ruleset, machine).turn if machine.pending is not None else None
