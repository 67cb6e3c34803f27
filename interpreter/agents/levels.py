"""The levels of the computer, the same in every game: `easy`, `club`, `strong`.

`easy` looks a step ahead and slips now and then. `club` looks through the reply (`planning`), within
some seconds for a whole turn of the game. `strong` thinks longer and looks a part further. Where the
rulebook does not say what a position is worth, all of them search a tree of decisions to the end of the
game (`search`), with less or more patience.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.agents.budget import SecondsATurn, Tries
from interpreter.agents.planning import PlanningAgent
from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight, declares_value
from interpreter.agents.simple import GreedyAgent
from interpreter.running.dice import fair_number

EASY, CLUB, STRONG = LEVELS = ("easy", "club", "strong")


@dataclass(frozen=True, slots=True)
class Strength:
    """What a level may spend, and how far it looks."""

    turn: float  # seconds for a turn of the game
    move: float  # seconds before a decision, in games that are searched to their end
    tries: int  # before one decision, at most
    rounds: int  # the same for searches to the end of the game
    replies: int = 1
    slips: int = 0  # of a hundred decisions


STRENGTHS = {
    EASY: Strength(turn=0.0, move=0.1, tries=0, rounds=40, slips=25),
    CLUB: Strength(turn=4.0, move=0.5, tries=160, rounds=1_000),
    STRONG: Strength(turn=12.0, move=2.0, tries=1_200, rounds=20_000, replies=2),
}


class LevelAgent:
    """A level at a table. With a number of tries it has no clock, and the same seed decides the same."""

    def __init__(self, level: str, seed: str, tries: int = 0) -> None:
        self.seed, self._strength, self._tries = seed, STRENGTHS[level], tries
        strength = self._strength
        budget = Tries(tries) if tries else SecondsATurn(strength.turn, strength.tries)
        self._plans = PlanningAgent(seed, budget, replies=strength.replies)
        self._greedy = GreedyAgent(seed)
        self._tree = SearchAgent(seed, strength.move, tries or strength.rounds, both=not tries)

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        if self._strength.slips and fair_number(self.seed, "slip", decision, 0, 100) < self._strength.slips:
            return sight.index(fair_number(self.seed, "slipped", decision, 0, sight.count))
        if not declares_value(sight.ruleset):
            return self._tree.choose(sight, decision)
        if not self._strength.tries:
            return self._greedy.choose(sight, decision)
        return self._plans.choose(sight, decision)
