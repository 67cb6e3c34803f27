"""Looking ahead over atomic decisions of one player, as far as nothing comes out that he could not know.

The look is taken in a world that fits what the player knows (`Sight`): whatever is hidden from him is drawn
anew, so what he is offered cannot depend on it. A look ends where dice fall, chance decides, something is
revealed, or somebody else is asked. Work is counted; who asks for too much gets less, never something wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic
from typing import Any

from interpreter.agents.sight import Sight
from interpreter.compiling.decision_points import Site, TravelSite
from interpreter.compiling.emit.blocks.blocks import is_straight
from interpreter.playing.moments import BARRIERS, IllegalChoice, Option
from interpreter.playing.reveals import eyes_on
from interpreter.playing.session import Session
from interpreter.playing.sitting import Sitting
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from rulesdsl import program as pg
from rulesdsl.program.walk import all_steps
from rulesdsl.program.windows import window_of

# the same for everybody and always: what is drawn anew must not tell how often somebody decided
SEED = "acts"
# how the next question belongs to what was begun: part of it, the same once more, more members, not at all
INNER, AGAIN, GATHER, ELSEWHERE = "inner", "again", "gather", ""


@dataclass(frozen=True, slots=True)
class Limit:
    """How far one looks: so many decisions tried, so many seconds."""

    nodes: int = 3_000
    seconds: float = 1.5


class Enough(Exception):
    """The limit is reached."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision on the way: which site asked, at which height of the stack."""

    site: int
    height: int


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the look: the machine at the next question, what was chosen to come here, and how the
    question belongs to it. `ended` says why there is no looking further (`dice`, `player`, `over` …)."""

    machine: Machine
    keys: tuple[str, ...] = ()
    path: tuple[Asked, ...] = ()  # of the act that is under way, without those that are over
    relation: str = ELSEWHERE
    again: int = -1  # which decision of the path is asked again
    ended: str = ""
    frame: tuple[Any, ...] = ()  # the variables of who asked, as the last choice left them
    eyes: tuple[int, ...] | None = None  # who sees what is hidden; None where nobody has looked yet

    @property
    def is_over(self) -> bool:
        """Whether the act that led here is complete: nothing of it is asked any more."""
        return bool(self.ended) or self.relation == ELSEWHERE or (self.relation == AGAIN and self.again == 0)


class Lookahead:
    """The look of the player who is asked now."""

    def __init__(self, session: Session, limit: Limit | None = None) -> None:
        self.session, self.ruleset = session, session.ruleset
        self.limit = limit or Limit()
        self._nodes, self._until = 0, monotonic() + self.limit.seconds
        self.whole = True  # whether the limit has not been reached
        self._watches_eyes = bool(self.ruleset.program.visibility)
        self._blocks = self.ruleset.full.blocks
        self._start_eyes: tuple[Machine, tuple[int, ...]] | None = None  # of the last node that knew no eyes

    def start(self) -> Node:
        """Where the game stands, with everything unknown drawn anew. What it takes to see that (rules are
        compiled when they are first used) is not part of looking ahead."""
        found = Node(Sight.of(self.ruleset, self.session.machine).world(SEED))
        self._until = monotonic() + self.limit.seconds
        return found

    def sitting(self, node: Node) -> Sitting:
        """The question at a node, with its options in words."""
        return Sitting(self.session.game, self.ruleset, node.machine, self.session.facts)

    def site(self, node: Node) -> Any:
        assert node.machine.pending is not None
        return self._blocks.sites[node.machine.pending.site]

    def choose(self, node: Node, option: Option) -> Node:
        """What comes of an option."""
        self._nodes += 1
        if self._nodes > self.limit.nodes or monotonic() > self._until:
            raise Enough
        machine = node.machine.copy()
        pending, stack = machine.pending, machine.stack
        assert pending is not None
        asked = Asked(pending.site, len(stack) - 1)
        frames, keys = stack[:], (*node.keys, option.key)
        path = (*(() if node.relation == ELSEWHERE else node.path), asked)
        eyes = self._eyes(node)
        machine.watch = []
        try:
            machine.choose(option.index)
        except RunawayRule:  # told when it is really chosen
            return Node(machine, keys, path, ended="player")
        seen, machine.watch = machine.watch or [], None
        found = Node(machine, keys, path, frame=tuple(frames[asked.height]))
        if eyes and machine.pending is not None:
            found = replace(found, eyes=self._eyes(found))
            if any(after & ~had for had, after in zip(eyes, found.eyes or (), strict=True)):
                seen = [*seen, "reveal"]
        ended = self._ended(machine, pending.who, seen)
        return replace(found, ended=ended) if ended else self._related(found, frames)

    def _eyes(self, node: Node) -> tuple[int, ...]:
        """Who sees what is hidden at a node: asked once, however many options are tried there."""
        if not self._watches_eyes:
            return ()
        if node.eyes is not None:
            return node.eyes
        if self._start_eyes is None or self._start_eyes[0] is not node.machine:
            self._start_eyes = (node.machine, tuple(eyes_on(self.sitting(node))))
        return self._start_eyes[1]

    def _ended(self, machine: Machine, who: int, seen: Sequence[str]) -> str:
        if machine.pending is None:
            return "over"
        barrier = next((b for b in BARRIERS if b in seen), "")
        if not barrier and machine.pending.who != who:
            return "player"
        if not barrier and window_of(self.ruleset.program, self._blocks.sites[machine.pending.site].step):
            return "window"  # whether somebody wants to play a token is a question of its own
        return barrier

    def _related(self, node: Node, frames: list[Any]) -> Node:
        """How the question that has come belongs to the decisions before it."""
        stack, pending = node.machine.stack, node.machine.pending
        assert pending is not None
        now = Asked(pending.site, len(stack) - 1)
        both = min(len(stack), len(frames))
        alive = [a for a in node.path if a.height < both and stack[a.height] is frames[a.height]]
        if now in node.path:
            place = node.path.index(now)
            if self._steps_on(node, frames, now):
                return replace(node, relation=INNER)
            relation = GATHER if self.gathers(node) else AGAIN
            return replace(node, relation=relation, again=place, path=node.path[:place])
        for asked in reversed(alive):
            first, end = self._blocks.inside.get(asked.site, (0, 0))
            if first <= stack[asked.height][0] < end:
                return replace(node, relation=INNER)
        return node

    def _steps_on(self, node: Node, frames: list[Any], now: Asked) -> bool:
        """Whether the same march goes on: the same piece, asked by the same frame."""
        site, stack = self._blocks.sites[now.site], node.machine.stack
        if not isinstance(site, TravelSite) or now != node.path[-1]:
            return False
        if stack[now.height] is not frames[now.height]:
            return False
        return bool(stack[now.height][site.piece_slot + 2] > 0)

    def follow(self, draft: tuple[str, ...]) -> Node:
        """The node after some keys; raises when they cannot be chosen one after the other as an act."""
        node = self.start()
        for number, key in enumerate(draft):
            if node.ended:
                raise IllegalChoice(f"{draft[number]!r} cannot be planned: {node.ended} comes before it")
            node = self.choose(node, self.sitting(node).find(key))
        return node

    def gathers(self, node: Node) -> bool:
        """Whether the question at a node collects members one by one."""
        site = self.site(node)
        return isinstance(site, Site) and isinstance(site.step, pg.ChooseS) and site.step.result is not None

    def is_bare(self, node: Node) -> bool:
        """Whether every option at a node is an act by itself, and nothing can come out by it: known from the
        rules alone, so nobody has to be asked what he would answer to each move of a board game."""
        site = self.site(node)
        if not isinstance(site, Site) or not isinstance(site.step, pg.ChooseS) or self.gathers(node):
            return False
        program = self.ruleset.program
        return is_open(program) and is_straight(site.step.body, program)


@lru_cache(maxsize=64)
def is_open(program: pg.Program) -> bool:
    """Whether a game knows neither dice nor chance nor secrets."""
    chance = (pg.RollS, pg.PickS, pg.ShuffleS, pg.TokenS)
    return not (
        program.tokens or program.visibility or any(isinstance(s, chance) for s in all_steps(program))
    )
