"""What generated code calls: arithmetic (numbers.py), tables, geometry. Bound once per ruleset."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import ceil, floor

from interpreter.running.grid_lines import sight_functions
from interpreter.running.numbers import (
    argument,
    clamp,
    divide,
    exact,
    kept,
    minus,
    numbers_between,
    odds,
    plus,
    remainder,
    round_down,
    round_nearest,
    round_up,
    times,
    too_large,
    within,
)
from interpreter.running.rays import ray_functions
from interpreter.state.symbols import naming_of
from rulesdsl import program as pg
from rulesdsl.book.tables.table import Table
from rulesdsl.program.world import World


def bind_runtime(program: pg.Program) -> dict[str, object]:
    """The names that generated code of this program may use."""
    world = program.world
    names: dict[str, object] = {
        "divide": divide, "times": times, "plus": plus, "minus": minus, "kept": kept, "within": within,
        "argument": argument, "too_large": too_large, "round_down": round_down, "round_up": round_up,
        "round_nearest": round_nearest,
        "odds": odds, "clamp": clamp, "remainder": remainder, "floor": floor, "ceiling": ceil,
        "heappush": heappush, "heappop": heappop, "min": min, "max": max, "abs": abs, "len": len,
        "None": None, "__builtins__": {},
    }  # fmt: skip
    names |= _geometry(world)
    names |= {"numbers_between": numbers_between, "next_round": next_round}
    for table in program.tables.values():
        names[naming_of(program).called("T", table.id)] = _table(table, world)
    return names


def next_round(left: int, first: int) -> int:
    """The member that comes next round the table, when it goes round from `first`."""
    ahead = left >> max(first, 0) << max(first, 0) or left
    return (ahead & -ahead).bit_length() - 1


def _united(sets: Sequence[int]) -> Callable[[int], int]:
    """A function that gives the union of the sets of all members of a mask."""

    def united(mask: int) -> int:
        out = 0
        while mask:
            bit = mask & -mask
            mask ^= bit
            out |= sets[bit.bit_length() - 1]
        return out

    return united


def _geometry(world: World) -> dict[str, object]:
    borders_only = [tuple(x for x in links if x[1] not in world.passages) for links in world.adjacency]
    adjacent = [sum(1 << there for there, _ in links) for links in borders_only]
    incident = [sum(1 << border for _, border in links) for links in borders_only]
    adj, inc = (*adjacent, 0), (*incident, 0)
    ends = world.border_ends

    neighbours_of, borders_of = _united(adj), _united(inc)

    # The map does not change: from each space all distances are worked out once, when somebody asks.
    rows: list[array[int] | None] = [None] * len(world.adjacency)

    def distances_from(a: int) -> array[int]:
        row = array("h", [-1]) * len(rows)
        row[a] = 0
        edge = [a]
        while edge:
            around = [there for here in edge for there, _ in borders_only[here]]
            steps = row[edge[0]] + 1
            edge = []
            for there in around:
                if row[there] < 0:
                    row[there] = steps
                    edge.append(there)
        rows[a] = row
        return row

    def distance(a: int, b: int) -> int:
        if a < 0 or b < 0:
            return -1
        return (rows[a] or distances_from(a))[b]

    def nearest(group: int, start: int) -> int:
        seen = edge = start
        while edge:
            if found := edge & group:
                return found
            edge = neighbours_of(edge) & ~seen
            seen |= edge
        return 0

    def squared_distance(a: int, b: int) -> int:
        one, other = world.positions[a], world.positions[b]
        if a < 0 or b < 0 or one is None or other is None:
            return -1
        return sum(round(1000 * (p - q)) ** 2 for p, q in zip(one, other, strict=True))

    def other_end(border: int, space: int) -> int:
        if border < 0:
            return -1
        a, b = ends[border]
        return b if a == space else a

    def ends_of(border: int) -> int:
        return 0 if border < 0 else 1 << ends[border][0] | 1 << ends[border][1]

    def border_between(a: int, b: int) -> int:
        both = inc[a] & inc[b] if a >= 0 and b >= 0 else 0
        return (both & -both).bit_length() - 1

    return {
        "ADJ": adj, "INC": inc, "LINKS": (*borders_only, ()), "WAYS": (*world.adjacency, ()),
        "neighbours_of": neighbours_of, "borders_of": borders_of,
        "distance": lru_cache(maxsize=1 << 16)(distance), "nearest": nearest,
        "squared_distance": squared_distance, "other_end": other_end,
        "border_between": border_between, "ends_of": ends_of, **sight_functions(world),
        **ray_functions(world),
    }  # fmt: skip


def _labels(world: World, word: str) -> tuple[str, ...]:
    """The labels of a named key by number: values of an enumeration, ids of a universe; none comes last."""
    known = world.enums[word].values if word in world.enums else world.universes[world.nouns[word][0]].ids
    return (*known, "none")


def _converted(table: Table, world: World, value: object) -> object:
    """A result as generated code has it: names as numbers, the fields of a record in their order."""
    shape = table.result
    if isinstance(value, dict):
        out = []
        for field in shape.fields:
            part = value.get(field.name, 0)
            if field.kind == "name" and field.of in world.enums:
                part = world.enums[field.of].values.index(part) if part is not None else -1
            out.append(int(part) if isinstance(part, bool) else part)
        return tuple(out)
    if shape.kind == "name":
        return world.enums[shape.of].values.index(value) if value is not None else -1
    return int(value) if isinstance(value, bool) else value


def table_results(table: Table, world: World) -> list[object]:
    """Everything that may be found in a table."""
    return [exact(_converted(table, world, cell.value)) for cell in table.cells()]


def _table(table: Table, world: World) -> Callable[..., object]:
    """A lookup that remembers: the reference implementation is asked once per key."""
    memory: dict[tuple[object, ...], object] = {}
    enums = [_labels(world, key.of) if key.kind == "name" else None for key in table.keys]
    kinds = [k.kind for k in table.keys]

    def lookup(*keys: object) -> object:
        try:
            return memory[keys]
        except KeyError:
            asked = [
                e[int(str(k))] if e is not None else bool(k) if kind == "flag" else k
                for k, e, kind in zip(keys, enums, kinds, strict=True)
            ]
            value = exact(_converted(table, world, table.lookup(*asked).value))  # type: ignore[arg-type]
            memory[keys] = value
            return value

    return lookup
