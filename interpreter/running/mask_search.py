"""How far one gets: searches over masks of spaces, for generated code.

A `LinkTable` holds what never changes about the steps of a route: which there are, at what cost. Costs are
whole numbers in it (halves are counted in halves), so that a search needs no fractions; the exact values
are kept beside them for whoever counts what was spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

Number = int | Fraction
Links = Sequence[Sequence[tuple[int, int]]]  # space → (neighbour, border)*
Barred = tuple[
    int, int, Sequence[int] | None
]  # from these spaces, into those, over these links (all if None)
MOST_TABLES = 256
MOST_REMEMBERED = 4096
MOST_PARTS = 10**9  # of a point, where costs are whole multiples of a part


class LinkTable:
    """The steps of a route from every space, for one kind of traveller."""

    __slots__ = ("all", "least", "mutual", "order", "scale", "steps", "usual")

    def __init__(self, links: Links, cost_of: Callable[[int, int, int], Number | None]) -> None:
        found: list[list[tuple[int, int, Number]]] = []
        for here, around in enumerate(links):
            costs = [(there, border, cost_of(here, border, there)) for there, border in around]
            found.append([(there, border, cost) for there, border, cost in costs if cost is not None])
        values = [cost for around in found for _, _, cost in around]
        self.scale = _common(values)
        self.usual = self.scale > 0 and all(cost > 0 for cost in values)
        self.scale = self.scale or 1
        # space → (cost, neighbours at that cost)*, cheapest first
        self.steps = tuple(self._by_cost(around) for around in found)
        self.least = min((int(cost * self.scale) for cost in values), default=0)
        # space → (neighbour, its bit, cost, exact cost)*, in the order of the map
        self.order = tuple(
            tuple((there, 1 << there, int(cost * self.scale), cost) for there, _, cost in around)
            for around in found
        )
        self.all = tuple(sum({1 << there for there, _, _ in around}) for around in found)
        self.mutual = all(self.all[t] >> h & 1 for h, around in enumerate(found) for t, _, _ in around)

    def _by_cost(self, around: list[tuple[int, int, Number]]) -> tuple[tuple[int, int], ...]:
        masks: dict[int, int] = {}
        for there, _, cost in around:
            whole = int(cost * self.scale)
            masks[whole] = masks.get(whole, 0) | 1 << there
        return tuple(sorted(masks.items()))


def _common(costs: list[Number]) -> int:
    """A number by which all costs become whole; 0 when it would be too large to reckon with."""
    scale = 1
    for denominator in {Fraction(cost).denominator for cost in costs}:
        scale = lcm(scale, denominator)
        if scale > MOST_PARTS:
            return 0
    return scale


class LinkTables(dict[tuple[object, ...], LinkTable]):
    """`tables[facts]`, made when first asked for. A table depends on the facts alone."""

    def __init__(self, links: Links, cost_of: Callable[..., Number | None]) -> None:
        self.links = links
        self.cost_of = cost_of

    def __missing__(self, facts: tuple[object, ...]) -> LinkTable:
        if len(self) >= MOST_TABLES:
            self.clear()
        cost_of = self.cost_of
        made = LinkTable(self.links, lambda here, border, there: cost_of(*facts, here, border, there))
        self[facts] = made
        return made


class Memory(dict[tuple[object, ...], int]):
    """Answers by everything they depend on; forgotten when there are too many."""

    def remember(self, key: tuple[object, ...], answer: int) -> None:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[key] = answer


def spread(
    table: LinkTable,
    start: int,
    closed: int,
    stops: int,
    limit: int,
    generous: bool,
    barred: Sequence[Barred],
) -> int:
    """The spaces that `limit` points lead to; when `generous`, one step may cost more than there is.

    `closed` cannot be entered; from `stops` nobody goes on, unless he starts there.
    """
    steps, least = table.steps, table.least
    free = ~(closed | start)
    if barred:
        barred = [bar for bar in barred if bar[0] and bar[1] & free]
    waves = [0] * (max(limit, 0) + 1)
    reached = 0
    rest = start
    while rest:
        bit = rest & -rest
        rest ^= bit
        here = bit.bit_length() - 1
        for cost, there in steps[here]:
            if cost > limit and not generous:
                break
            if barred:
                there &= ~_barred_from(bit, here, barred)
            if cost <= limit:
                waves[cost] |= there
            else:
                reached |= there & free
    for spent in range(1, limit + 1):
        rest = waves[spent] & free
        if not rest:
            continue
        free ^= rest
        reached |= rest
        left = limit - spent
        if left < least:
            continue
        rest &= ~stops
        while rest:
            bit = rest & -rest
            rest ^= bit
            here = bit.bit_length() - 1
            open_ = ~_barred_from(bit, here, barred) if barred else -1
            for cost, there in steps[here]:
                if cost > left:
                    break
                waves[spent + cost] |= there & open_
    return reached


def _barred_from(bit: int, here: int, barred: Sequence[Barred]) -> int:
    """The spaces that cannot be entered from this one."""
    found = 0
    for origin, goal, links in barred:
        if bit & origin:
            found |= goal if links is None else goal & links[here]
    return found


def flood(neighbours: Sequence[int], start: int, closed: int, stops: int, barred: Sequence[Barred]) -> int:
    """The spaces that any number of steps leads to."""
    if not barred and not stops:
        return _flood_all(neighbours, start, ~(closed | start))
    done = closed | start
    reached = 0
    edge = start
    while edge:
        wave = 0
        while edge:
            bit = edge & -edge
            edge ^= bit
            here = bit.bit_length() - 1
            around = neighbours[here]
            for origin, goal, links in barred:
                if bit & origin:
                    around &= ~(goal if links is None else goal & links[here])
            wave |= around
        wave &= ~done
        done |= wave
        reached |= wave
        edge = wave & ~stops
    return reached


def _flood_all(neighbours: Sequence[int], edge: int, free: int) -> int:
    """The free spaces that can be reached, when nothing but closed spaces is in the way."""
    reached = 0
    while edge:
        bit = edge & -edge
        edge ^= bit
        found = neighbours[bit.bit_length() - 1] & free
        if found:
            free ^= found
            reached |= found
            edge |= found
    return reached


def first_steps(
    table: LinkTable, start: int, closed: int, limit: int, generous: bool, barred: Sequence[Barred]
) -> int:
    """The spaces that one step leads to."""
    reached = 0
    rest = start
    while rest:
        bit = rest & -rest
        rest ^= bit
        here = bit.bit_length() - 1
        for cost, there in table.steps[here]:
            if cost > limit and not generous:
                break
            if barred:
                there &= ~_barred_from(bit, here, barred)
            reached |= there
    return reached & ~closed & ~start


def origins_of(neighbours: Sequence[int], closed: int, stops: int, goal: int) -> int:
    """From where a goal can be reached in one step or more: the flood, backwards. Steps must be mutual."""
    entered = edge = goal & ~closed
    found = 0
    while edge:
        around = 0
        while edge:
            bit = edge & -edge
            edge ^= bit
            around |= neighbours[bit.bit_length() - 1]
        found |= around
        edge = around & ~closed & ~stops & ~entered
        entered |= edge
    return found


# what generated code calls by these names
SEARCHES: dict[str, object] = {
    "LinkTables": LinkTables,
    "Memory": Memory,
    "spread": spread,
    "flood": flood,
    "first_steps": first_steps,
    "origins_of": origins_of,
}
