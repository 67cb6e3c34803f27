"""A batch: some games of one table, the unit that is sent to whoever has time. Here it is played."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.studies.carrying import Carried, engine, unpacked
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import changed_limits, set_limits

MOST_TABLES = 64


class Key(NamedTuple):
    """Which game this is: the number of the table, and that of the game. Nothing is counted twice under
    one."""

    table: int
    game: int


@dataclass(frozen=True)
class Order:
    """A table as it is ordered: what is played there, and by which rules."""

    table: int
    setup: Setup
    rules: str  # content hash
    many: bool = True  # worth compiling for games at one go


@dataclass(frozen=True)
class Batch:
    order: Order
    games: tuple[int, ...]
    engine: str = field(default_factory=engine)
    limits: Mapping[str, int] = field(default_factory=changed_limits)

    @cached_property
    def keys(self) -> list[Key]:
        return [Key(self.order.table, game) for game in self.games]


@dataclass(frozen=True)
class Played:
    """The records of a batch, and the seconds they took (without opening the rules)."""

    batch: Batch
    records: tuple[GameRecord, ...]
    seconds: float


_tables: OrderedDict[tuple[str, str], Table] = OrderedDict()


def play_batch(batch: Batch, carried: Carried) -> Played:
    """Every game of the batch; the same records wherever and however often it is done."""
    if batch.engine != engine():
        raise UsageError(
            f"a worker has another version of rulesdsl ({engine()}) than the study ({batch.engine}): "
            "install the same one everywhere"
        )
    set_limits(dict(batch.limits))
    table = table_of(batch.order, carried)
    if batch.order.many and table.at_one_go:
        _ = table.ruleset.playouts
    start = time.perf_counter()
    records = tuple(table.records(batch.games, batch.order.many))
    return Played(batch, records, time.perf_counter() - start)


def table_of(order: Order, carried: Carried) -> Table:
    key = (order.rules, repr(replace(order.setup, game="", house=())))  # type: ignore[arg-type]
    if key not in _tables:
        _tables[key] = Table(order.setup, unpacked(carried))
        if len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
    _tables.move_to_end(key)
    return _tables[key]
