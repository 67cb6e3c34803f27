"""`mcts`: Monte-Carlo tree search over the worlds that fit what the seat knows.

Each round draws one world (secrets and dice anew), walks down a tree of decisions by the UCT rule,
adds one node, and plays on at random until the game is over or the horizon is reached. A node stands
for the decisions that led to it, not for a state: dice and secrets may have fallen differently each time,
so a child counts how often it was there to be chosen at all (information-set search).

In such a world the others know what is drawn for them and for us. Whoever lets them play their best there
believes that they see through him: he never bluffs and folds too much. So, where something is hidden,
others are thought to do anything most of the time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interpreter.agents.native_worlds import Walk, native_worlds
from interpreter.agents.sight import Sight, Values, advantage, hides_something, rewards, thinking, worth

Move = tuple[int, int, Any]  # decision point, who decides, what is chosen


@dataclass(slots=True)
class Node:
    """What became of one line of decisions. `total` is counted for the player who made the last one."""

    visits: int = 0
    offered: int = 0
    total: float = 0.0
    children: dict[Move, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchAgent:
    """Thinks for `seconds`, or for `rounds` if that is given: then the same seed decides the same. With
    `both` it ends with whichever is over first."""

    seed: str
    seconds: float = 1.0
    rounds: int = 0
    horizon: int = 300  # decisions of a playout, before its value is looked at
    exploration: float = 0.9
    both: bool = False
    open_mind: float = 0.75  # where something is hidden, so often others are thought to do anything

    def choose(self, sight: Sight, decision: int) -> int:
        if sight.count == 1:
            return sight.index(0)
        return _favourite(sight, self.searched(sight, decision))

    def searched(self, sight: Sight, decision: int) -> Node:
        """The root of the tree when there was no more time."""
        root = Node()
        scale = _Scale()
        sight.get_ready()
        started, done = time.monotonic(), 0
        worlds = native_worlds(sight.ruleset)
        while True:
            # one round may not take longer than a whole thought of others
            with worlds.thinking(self.both or not self.rounds), thinking(sight.ruleset):
                world = sight.imagined(f"{self.seed}/{decision}/{done}")
                self._round(sight, root, worlds.walk(world), scale, Random(world.seed))
            done += 1
            left = self._rounds_left(done, time.monotonic() - started)
            if self._settled(left, _lead(root)):
                return root

    def _settled(self, left: float, lead: int) -> bool:
        """Whether the rounds that are left cannot change the choice any more."""
        return left <= 0 or left < lead

    def _rounds_left(self, done: int, spent: float) -> float:
        """How many more rounds there is time for."""
        by_clock = (self.seconds - spent) * done / max(spent, 1e-9)
        if self.both:
            return min(self.rounds - done, by_clock)
        return self.rounds - done if self.rounds else by_clock

    def _round(self, sight: Sight, root: Node, world: Walk, scale: _Scale, rng: Random) -> None:
        path: list[tuple[Node, int]] = []
        node = root
        secrets = hides_something(sight.ruleset)
        while world.pending is not None:
            pending = world.pending
            anything = secrets and pending.who != sight.seat and rng.random() < self.open_mind
            number, move, new = self._select(node, world, rng, anything)
            world.choose(number)
            node = node.children[move]
            path.append((node, pending.who))
            if new:
                break
        result = _play_out(sight, world, self.horizon, scale, rng)
        for reached, player in path:
            reached.visits += 1
            reached.total += result.get(player, 0.0)

    def _select(self, node: Node, world: Walk, rng: Random, anything: bool) -> tuple[int, Move, bool]:
        """The option to try: one that was never tried, or the best by the UCT rule; or `anything`."""
        pending = world.pending
        assert pending is not None
        moves: list[tuple[int, Move]] = [
            (i, (pending.site, pending.who, value)) for i, value in enumerate(pending.options)
        ]
        if pending.out:
            moves.append((-1, (pending.site, pending.who, None)))
        fresh = [entry for entry in moves if entry[1] not in node.children]
        for _, move in moves:
            if move in node.children:
                node.children[move].offered += 1
        if fresh:
            index, move = fresh[int(rng.random() * len(fresh))]
            node.children[move] = Node(offered=1)
            return index, move, True
        if anything:
            return *moves[int(rng.random() * len(moves))], False
        best, best_bound = moves[0], -math.inf
        for entry in moves:
            child = node.children[entry[1]]
            spread = math.sqrt(math.log(child.offered) / child.visits)
            bound = child.total / child.visits + self.exploration * spread
            if bound > best_bound:
                best, best_bound = entry, bound
        return *best, False


class _Scale:
    """How large values usually are in this search, to bring them between 0 and 1."""

    __slots__ = ("count", "most", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.most = 0.0  # the greatest payoff so far

    def share(self, difference: float) -> float:
        self.count += 1
        self.total += abs(difference)
        usual = self.total / self.count
        return 0.5 + 0.5 * math.tanh(difference / (2 * usual)) if usual else 0.5

    def gains(self, payoffs: dict[int, Any], players: Collection[int]) -> dict[int, float]:
        """What each gets as a number from 0 to 1, in proportion: twice as much is twice as good."""
        self.most = max([self.most, *(abs(float(gain)) for gain in payoffs.values())])
        return {p: 0.5 + 0.5 * float(payoffs.get(p, 0)) / self.most if self.most else 0.5 for p in players}


def _play_out(sight: Sight, world: Walk, horizon: int, scale: _Scale, rng: Random) -> dict[int, float]:
    """Random decisions to the end; a game that goes on beyond the horizon is judged by its values."""
    last, found = world.played_out(horizon, rng)
    players = sight.ruleset.seats.index.values()
    if last.outcome is not None and last.payoffs:
        return scale.gains(dict(last.payoffs), players)
    if last.outcome is not None:
        return rewards(last, players)
    values: Values | None = dict(zip(players, found, strict=True)) if found else None
    if values is None and last.pending is not None:
        values = worth(sight.ruleset, last)
    if values is None:
        return dict.fromkeys(players, 1 / len(players))
    return {player: scale.share(float(advantage(values, player))) for player in players}


def _lead(root: Node) -> int:
    """By how many visits the best option is ahead of the next one."""
    visits = sorted((child.visits for child in root.children.values()), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else 0


def _favourite(sight: Sight, root: Node) -> int:
    """The option that was tried most often; the first of equals."""
    visits = {number: visits for number, (visits, _) in tried(sight, root).items()}
    return sight.index(max(visits, key=lambda number: (visits[number], -number), default=0))


def tried(sight: Sight, root: Node) -> dict[int, tuple[int, float]]:
    """Option → how often it was tried, and what came of it on average, from 0 to 1."""
    pending = sight.world("").pending
    assert pending is not None
    found = {}
    for number in range(sight.count):
        value = pending.options[number] if number < len(pending.options) else None
        child = root.children.get((pending.site, pending.who, value))
        if child is not None:
            found[number] = child.visits, child.total / max(1, child.visits)
    return found
