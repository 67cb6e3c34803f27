"""Where a march may end: every destination with its cheapest way, by the very steps the game asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from interpreter.acts.lookahead import INNER, Enough, Lookahead, Node
from interpreter.compiling.decision_points import TravelSite
from interpreter.state.position import Position

NO_FURTHER = "goes no further"


@dataclass(frozen=True, slots=True)
class Destination:
    """A space where a march may end: how to go there, what it costs, what comes after it."""

    space: int
    way: tuple[int, ...]
    cost: Any
    stops: str
    node: Node  # after the halt, if one has to be said


def is_march(look: Lookahead, node: Node) -> bool:
    """Whether the question is for the next step of a piece."""
    return not node.ended and isinstance(look.site(node), TravelSite)


def destinations(look: Lookahead, start: Node) -> Iterator[Destination]:
    """From the cheapest on; stops without a word when the limit is reached (see `Lookahead.whole`)."""
    site = look.site(start)
    assert isinstance(site, TravelSite)
    height = len(start.machine.stack) - 1
    piece = start.machine.stack[height][site.piece_slot]
    layout = look.ruleset.layout
    seen, given, order = {Position(layout, start.machine.s).at(piece)}, set[int](), 0
    waiting: list[tuple[Any, int, int, tuple[int, ...], Node]] = [(0, 0, 0, (), start)]
    try:
        while waiting:
            cost, steps, _, way, node = heappop(waiting)
            here = Position(layout, node.machine.s).at(piece)
            options = look.sitting(node).options
            if way and options[-1].index < 0 and here not in given:
                given.add(here)
                yield Destination(here, way, cost, "", look.choose(node, options[-1]))
            for option in options:
                if option.index < 0:
                    continue
                child = look.choose(node, option)
                assert node.machine.pending is not None
                there = node.machine.pending.options[option.index]
                spent, on_the_way = child.frame[site.piece_slot + 1], (*way, there)
                if child.relation == INNER and not child.ended and is_march(look, child):
                    if there not in seen:
                        seen.add(there)
                        order += 1
                        heappush(waiting, (spent, steps + 1, order, on_the_way, child))
                elif there not in given:
                    given.add(there)
                    yield Destination(there, on_the_way, spent, NO_FURTHER, child)
    except Enough:
        look.whole = False
