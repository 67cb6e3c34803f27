"""What follows a first decision in one's own part, as a tree: which ways to go on were tried, and what came
of them.

Lines go on by reflex where the tree ends, so what reflex does comes first at every node; other options are
tried there by lot, the more the oftener the node was come to (progressive widening). Among those that were
tried the better and the less known are come back to (the UCT rule). Each try is made in a world of its
own, so that a way is good for what it brings on the average and not for the dice of one world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from interpreter.agents.plans import NONE, SIZE, Plan

EXPLORATION = 0.25  # of chances to win


@dataclass(slots=True)
class Node:
    """What became of one row of decisions."""

    visits: int = 0
    total: float = 0.0  # of chances to win
    children: dict[Plan, Node] = field(default_factory=dict)  # by the next decision

    def best(self) -> tuple[Plan, Node]:
        """The way to go on by the UCT rule; the first of equals."""
        known = math.log(self.visits)
        return max(
            self.children.items(),
            key=lambda child: (
                child[1].total / child[1].visits + EXPLORATION * math.sqrt(known / child[1].visits)
            ),
        )

    @property
    def is_narrow(self) -> bool:
        """Whether something else should be tried here."""
        return len(self.children) < math.floor(math.sqrt(self.visits))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line to be tried: a plan, and the decision in it at which something else is done, by lot."""

    plan: Plan
    turn: int = -1
    pick: float = 0.0


class Tree:
    """All that was tried after one option."""

    def __init__(self, seed: str) -> None:
        self._root = Node()
        self._first = NONE  # the option itself, as it is noted in plans
        self._rng = Random(seed)

    def wanted(self) -> Wanted:
        """The line to be tried next."""
        node, way = self._root, [self._first]
        while node.children:
            if node.is_narrow:
                return Wanted(b"".join(way), len(way), self._rng.random())
            decision, node = node.best()
            way.append(decision)
        return Wanted(b"".join(way))

    def came_of_it(self, made: Plan, chance: float) -> None:
        """A line was tried: what was done in it, and what it brought."""
        node, self._first = self._root, made[:SIZE]
        node.visits += 1
        node.total += chance
        for at in range(SIZE, len(made), SIZE):
            decision = made[at : at + SIZE]
            child = node.children.get(decision)
            new = child is None
            if child is None:
                child = node.children[decision] = Node()
            node = child
            node.visits += 1
            node.total += chance
            if new:
                return
