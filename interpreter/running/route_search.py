"""Routes searched step by step: one engine for marches, retreats, supply lines, ranges and sight.

This is the reference: it asks the rules about every step. Rules come as functions that the compiler has
generated: `step` (the cost of a step, or None when it is forbidden), `stop` (whether a path cannot go on),
`end` (whether it may end), `rung` (how much an end is preferred), `limits` and `start`. They are called with
the traveller (`given`: the state and the arguments of the route) and a step: from, border, to, steps taken,
points spent. In silent code a search by masks answers instead wherever there is a plan for one
(mask_search.py); this one then stands behind it, for what is out of the ordinary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from rulesdsl.checking.bodies.permissions import MOST_STEPS

Points = int | Fraction
Given = tuple[Any, ...]
Asked = Callable[..., Any]
Way = tuple[int, Points, int, int, int]  # space, spent, steps, from, border
Found = dict[int, tuple[Points, int, int, int]]  # space → spent, steps, from, border

NO_RUNG = 999  # of an end that no preference speaks of: it is never taken
OWN_WORK, LINKS_OF_A_SPACE = 40, 8  # names looked up for a step; links of a space, more or less


@dataclass(frozen=True, slots=True)
class Limits:
    """What a traveller may spend and how far he may go; `always` so many steps, whatever they cost."""

    budget: Points | None
    most: int | None
    always: int
    exactly: int | None

    def total(self, spent: Points, taken: int, cost: Points) -> Points | None:
        """What is spent after a step; None when that is too much."""
        total = spent + cost
        if self.budget is not None and total > self.budget:
            return None if taken >= self.always else max(spent, self.budget)
        return total


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of a route before the game."""

    form: str  # "cheapest", "straight", "exactly", "counted" (steps and points, see `labels`)
    minimum: int
    may_be_short: bool  # of a counted one: with steps enough the cheapest way is the best
    spaces: int


class RouteSearch:
    """The search of one route."""

    def __init__(
        self,
        step: Asked,
        stop: Asked,
        end: Asked,
        limits: Asked,
        start: Asked,
        rung: Asked | None,
        links: Sequence[Sequence[tuple[int, int]]],
        geometry: Sequence[Asked],
        charge: Callable[[int], None],
        work: int,
        shape: Shape,
    ) -> None:
        """`geometry`: for straight lines `distance`, `straight_path`, `border_between`; `work`: what the
        rules about one step do without counting it themselves."""
        self.step, self.stop, self.end, self.rung = step, stop, end, rung
        self.limits, self.start = limits, start
        self.links, self.geometry, self.shape = links, geometry, shape
        self.charge, self.turn = charge, LINKS_OF_A_SPACE * (work + OWN_WORK)

    # -- answers
    def ends(self, given: Given) -> int:
        """The set of legal ends, of those that are preferred most."""
        ends, rungs = 0, dict[int, int]()
        for there, spent, steps, here, border in self.ways(given, self.start(*given)):
            if steps < self.shape.minimum or not self.end(*given, here, border, there, steps, spent):
                continue
            if self.rung is None:
                ends |= 1 << there
            else:
                rung = self.rung(*given, here, border, there, steps, spent)
                rungs[rung] = rungs.get(rung, 0) | 1 << there
        if self.rung is None:
            return ends
        best = min(rungs, default=NO_RUNG)
        return rungs[best] if best < NO_RUNG else 0

    def steps(self, given: Given, at: int, spent: Points, taken: int, seen: int) -> dict[int, Points]:
        """{there: spent after}: the steps from `at` from which the path can end legally, as preferred."""
        out: dict[int, Points] = {}
        best = NO_RUNG
        if self.rung is not None:
            best = self.best(given, at, spent, taken, seen)
            if best == NO_RUNG:
                return out
        for there, total, end in self._ends_beyond(given, at, spent, taken, seen, out):
            if self.rung is None or self.rung(*given, *end) == best:
                out[there] = min(total, out.get(there, total))
        return out

    def best(self, given: Given, at: int, spent: Points, taken: int, seen: int) -> int:
        """The most preferred rung that can be reached by going on from `at`."""
        assert self.rung is not None
        best = NO_RUNG
        for _, _, end in self._ends_beyond(given, at, spent, taken, seen, None):
            best = min(best, self.rung(*given, *end))
        return best

    def _ends_beyond(
        self, given: Given, at: int, spent: Points, taken: int, seen: int, known: dict[int, Points] | None
    ) -> Iterator[tuple[int, Points, tuple[int, int, int, int, Points]]]:
        """(first space, spent there, the last step) for every legal end of a path that goes on from `at`.

        Without preferences one end is enough for each first space that is not `known` to cost less already.
        """
        limits, minimum = self.limits_of(given), self.shape.minimum
        one_is_enough = self.rung is None and self.shape.form != "counted"
        if limits.most is not None and taken >= limits.most:
            return
        self.charge(self.turn)
        for first, over in self.links[at]:
            if seen >> first & 1:
                continue
            cost = self.step(*given, at, over, first, taken, spent)
            total = None if cost is None else limits.total(spent, taken, cost)
            if total is None:
                continue
            if one_is_enough and known is not None and known.get(first, total + 1) <= total:
                continue
            near = (at, over, first, taken + 1, total)
            if (one_is_enough or taken + 1 >= minimum) and self.end(*given, *near):
                yield first, total, near
                if one_is_enough:
                    continue
            if self.stop(*given, at, over, first, taken, total):
                continue
            way = (given, 1 << first, total, taken + 1, seen)
            beyond = _listed(self.cheapest(*way)) if one_is_enough else self.ways(*way)
            for there, spent_, steps, here, border in beyond:
                if steps <= taken + 1 or (steps < minimum and not one_is_enough):
                    continue
                far = (here, border, there, steps, spent_)
                if self.end(*given, *far):
                    yield first, total, far
                    if one_is_enough:
                        break

    def limits_of(self, given: Given) -> Limits:
        return Limits(*self.limits(*given))

    # -- ways
    def ways(
        self, given: Given, origins: int, spent: Points = 0, taken: int = 0, closed: int = 0
    ) -> Iterable[Way]:
        """Ways to spaces: where steps are few enough to matter all that are worth knowing, otherwise the
        cheapest."""
        match self.shape.form:
            case "straight":
                found = self.straight(given, origins)
            case "exactly":
                found = self.walk(given, origins)
            case "counted" if not self._has_steps_enough(given):
                return self.labels(given, origins, spent, taken, closed)
            case _:
                found = self.cheapest(given, origins, spent, taken, closed)
        return _listed(found)

    def _has_steps_enough(self, given: Given) -> bool:
        if not self.shape.may_be_short:
            return False
        most = self.limits_of(given).most
        return most is None or most >= self.shape.spaces

    def cheapest(
        self, given: Given, origins: int, spent: Points = 0, taken: int = 0, closed: int = 0
    ) -> Found:
        """The cheapest way to every space; the start is included."""
        limits = self.limits_of(given)
        found: Found = dict.fromkeys(_members(origins), (spent, taken, -1, -1))
        heap: list[tuple[Points, int, int]] = [(spent, taken, here) for here in found]
        while heap:
            spent_, steps, here = heappop(heap)
            came = found[here]
            if came[0] != spent_ or came[1] != steps or not self._goes_on(given, limits, here, *came):
                continue
            for there, border, total in self._steps_from(given, limits, here, spent_, steps, closed):
                old = found.get(there)
                if old is None or (total, steps + 1) < (old[0], old[1]):
                    found[there] = (total, steps + 1, here, border)
                    heappush(heap, (total, steps + 1, there))
        return found

    def _goes_on(
        self, given: Given, limits: Limits, here: int, spent: Points, steps: int, came: int, over: int
    ) -> bool:
        """Whether a path that has come `here` may go on."""
        if came >= 0 and self.stop(*given, came, over, here, steps - 1, spent):
            return False
        return limits.most is None or steps < limits.most

    def _steps_from(
        self, given: Given, limits: Limits, here: int, spent: Points, steps: int, closed: int
    ) -> Iterator[tuple[int, int, Points]]:
        """(there, border, spent after) for every step that is allowed and can be paid."""
        self.charge(self.turn)
        for there, border in self.links[here]:
            if closed >> there & 1:
                continue
            cost = self.step(*given, here, border, there, steps, spent)
            if cost is not None and (total := limits.total(spent, steps, cost)) is not None:
                yield there, border, total

    def labels(
        self, given: Given, origins: int, spent: Points = 0, taken: int = 0, closed: int = 0
    ) -> list[Way]:
        """Every way worth knowing to every space: no other one is both as short and as cheap. A path of at
        least N steps enters no space twice in its first N steps; those are tried one by one."""
        limits, out = self.limits_of(given), list[Way]()
        starts = [(spent, taken, here, -1, -1, closed) for here in _members(origins)]
        if self.shape.minimum > 1:
            starts = self._first_steps(given, limits, starts)
        for spent_, steps, here, came, over, seen in starts:
            heap = [(spent_, steps, here, came, over)]
            shortest: dict[int, int] = {}
            while heap:
                spent_, steps, here, came, over = heappop(heap)
                if here in shortest and shortest[here] <= steps:
                    continue
                shortest[here] = steps
                out.append((here, spent_, steps, came, over))
                if not self._goes_on(given, limits, here, spent_, steps, came, over):
                    continue
                for there, border, total in self._steps_from(given, limits, here, spent_, steps, seen):
                    heappush(heap, (total, steps + 1, there, here, border))
        return out

    def _first_steps(
        self, given: Given, limits: Limits, paths: list[tuple[Points, int, int, int, int, int]]
    ) -> list[tuple[Points, int, int, int, int, int]]:
        """The starts, after as many steps as a path must have; no space is entered twice."""
        starts = []
        while paths:
            path = paths.pop()
            spent, steps, here, came, over, seen = path
            if steps >= self.shape.minimum:
                starts.append(path)
            elif self._goes_on(given, limits, here, spent, steps, came, over):
                seen |= 1 << here
                for there, border, total in self._steps_from(given, limits, here, spent, steps, seen):
                    paths.append((total, steps + 1, there, here, border, seen))
        return starts

    def walk(self, given: Given, origins: int) -> Found:
        """Every end of a path of exactly so many steps, no space entered twice; few steps: all are tried."""
        limits, found = self.limits_of(given), Found()
        exactly = limits.exactly or 0
        if exactly > MOST_STEPS:
            return found
        paths = [(0, 0, here, -1, -1, 1 << here) for here in _members(origins)]
        while paths:
            spent, steps, here, came, over, seen = paths.pop()
            if steps == exactly:
                if here not in found or spent < found[here][0]:
                    found[here] = (spent, steps, came, over)
                continue
            if came >= 0 and self.stop(*given, came, over, here, steps - 1, spent):
                continue
            self.charge(self.turn)
            for there, border in self.links[here]:
                if seen >> there & 1:
                    continue
                cost = self.step(*given, here, border, there, steps, spent)
                if cost is None or (limits.budget is not None and spent + cost > limits.budget):
                    continue
                paths.append((spent + cost, steps + 1, there, here, border, seen | 1 << there))
        return found

    def straight(self, given: Given, origins: int) -> Found:
        """The spaces to which the straight line is open; `steps` is the distance."""
        limits, found = self.limits_of(given), Found()
        distance = self.geometry[0]
        for start in _members(origins):
            found[start] = (0, 0, -1, -1)
            self.charge(self.shape.spaces * OWN_WORK)
            for end in range(self.shape.spaces):
                far = distance(start, end)
                if far <= 0 or (limits.most is not None and far > limits.most):
                    continue
                if limits.exactly is not None and far != limits.exactly:
                    continue
                way = self._along_line(given, limits, start, end)
                if way is not None and (end not in found or way[0] < found[end][0]):
                    found[end] = (way[0], far, way[1], way[2])
        return found

    def _along_line(
        self, given: Given, limits: Limits, start: int, end: int
    ) -> tuple[Points, int, int] | None:
        """(spent, from, border) of the last step along the line to `end`; None when it is not open."""
        _, straight_path, border_between = self.geometry
        ways: dict[int, tuple[Points, int, int]] = {start: (0, -1, -1)}
        for steps, stage in enumerate(straight_path(start, end)):
            before, ways = ways, {}
            self.charge(self.turn)
            for here, (spent, came, over) in before.items():
                if came >= 0 and self.stop(*given, came, over, here, steps - 1, spent):
                    continue
                for there in stage:
                    border = border_between(here, there)
                    cost = self.step(*given, here, border, there, steps, spent)
                    total = None if cost is None else limits.total(spent, steps, cost)
                    if total is not None and (there not in ways or total < ways[there][0]):
                        ways[there] = (total, here, border)
            if not ways:
                break
        return ways.get(end)


def _listed(found: Found) -> Iterator[Way]:
    return ((there, *way) for there, way in found.items())


def _members(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return found
