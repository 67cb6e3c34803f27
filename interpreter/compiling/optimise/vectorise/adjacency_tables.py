"""Neighbours under conditions that never change: `some hex adjacent to it where no lake is between`.

Which neighbours pass such a condition is found out before the game, once for every space. What is left to
ask in play is who stands there: a look into a table, for one space or for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.compiling.ir.values import Constant
from interpreter.compiling.optimise.constants import is_printed, value_of, written
from interpreter.compiling.optimise.fold import COMPARE
from interpreter.compiling.unit import Unit
from rulesdsl import program as pg
from rulesdsl.book.tables.table import NoResult
from rulesdsl.program.logic import both
from rulesdsl.program.walk import uses_var

MOST_REMEMBERED = 4096


class Around(dict[int, int]):
    """`AROUND[mask]`: all that is beside a set of spaces, remembered. It depends on the mask alone."""

    def __init__(self, table: Sequence[int]) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, mask: int) -> int:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        table, rest, found = self.table, mask, 0
        while rest:
            bit = rest & -rest
            rest ^= bit
            found |= table[bit.bit_length() - 1]
        self[mask] = found
        return found

    def __repr__(self) -> str:  # constants of generated code are told apart by how they are written
        return f"Around({self.table!r})"


def fixed_between(unit: Unit, tests: Sequence[pg.E], one: pg.Var, other: pg.Var) -> list[pg.E]:
    """Those of some conditions that speak of both of two spaces, and of nothing that changes."""
    two = frozenset({one, other})
    return [
        test
        for test in tests
        if uses_var(test, {one}) and uses_var(test, {other}) and is_printed(unit, test, two)
    ]


def near_table(unit: Unit, tests: Sequence[pg.E], place: pg.Var, near: pg.Var) -> Constant | None:
    """The name of a table: for every space `place` its neighbours `near` that pass; for none no space."""
    key = f"near {written(both(tests), {place: 'place', near: 'near'})}"
    if key not in unit.tables:
        table = _neighbours_if(unit, tests, place, near)
        unit.tables[key] = None if table is None else unit.constant("near", table)
    return unit.tables[key]


def around_table(unit: Unit, tests: Sequence[pg.E], place: pg.Var, near: pg.Var) -> Constant | None:
    """The name of an `Around`: for every set of spaces `near` all spaces `place` whose neighbour one is."""
    key = f"around {written(both(tests), {place: 'place', near: 'near'})}"
    if key not in unit.tables:
        table = _neighbours_if(unit, tests, place, near)
        unit.tables[key] = None if table is None else unit.constant("around", Around(_turned_round(table)))
    return unit.tables[key]


def distance_table(unit: Unit, op: str, far: int) -> Constant:
    """The name of a table: for every space those that are so far from it; last who is so far from none.

    As `distance` has it: there is no way (and none has no distance) when it is -1.
    """
    key = f"distance {op} {far}"
    found = unit.tables.get(key)
    if found is None:
        world, holds = unit.program.world, COMPARE[op]
        around = [
            sum({1 << there for there, border in links if border not in world.passages})
            for links in world.adjacency
        ]
        everything = (1 << len(around)) - 1
        table = [_so_far(around, 1 << here, everything, holds, far) for here in range(len(around))]
        found = unit.tables[key] = unit.constant("far", (*table, everything if holds(-1, far) else 0))
    return found


def _so_far(
    around: Sequence[int], edge: int, everything: int, holds: Callable[[object, object], object], far: int
) -> int:
    seen, steps, found = 0, 0, 0
    while edge:
        seen |= edge
        if holds(steps, far):
            found |= edge
        beside, rest = 0, edge
        while rest:
            bit = rest & -rest
            rest ^= bit
            beside |= around[bit.bit_length() - 1]
        edge = beside & ~seen
        steps += 1
    return found | (everything & ~seen if holds(-1, far) else 0)


def _neighbours_if(unit: Unit, tests: Sequence[pg.E], place: pg.Var, near: pg.Var) -> tuple[int, ...] | None:
    around = unit.program.world.adjacency
    passages = unit.program.world.passages
    test, found = both(tests), list[int]()
    try:
        for here, links in enumerate(around):
            beside = {there for there, border in links if border not in passages}
            found.append(sum(1 << to for to in beside if value_of(unit, test, {place: here, near: to})))
    except NoResult:
        return None
    return (*found, 0)


def _turned_round(table: tuple[int, ...]) -> tuple[int, ...]:
    """For every neighbour the spaces whose neighbour it is."""
    found = [0] * (len(table) - 1)
    for here, mask in enumerate(table[:-1]):
        while mask:
            bit = mask & -mask
            mask ^= bit
            found[bit.bit_length() - 1] |= 1 << here
    return (*found, 0)
