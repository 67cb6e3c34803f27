"""A batch: some games of one table, the unit that is sent to whoever has time. Here it is played."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import Any, NamedTuple, Protocol

from interpreter.playing.game import Game
from interpreter.studies.carrying import Carried, engine, unpacked
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import changed_limits, set_limits

MOST_TABLES = 64


class Key(NamedTuple):
    """Which game this is: the number of the table, and that of the game. Nothing is counted twice under
    one."""

    table: int
    game: int


class Playing(Protocol):
    """A table at which games are played."""

    def prepare(self, many: bool) -> None: ...

    def records(self, numbers: Sequence[int], many: bool) -> Iterator[Any]: ...


class Seating(Protocol):
    """What is played at a table, small enough to be sent: a `Setup`, or trials of a training."""

    def game_seed(self, number: int) -> str: ...

    def named(self) -> str:
        """What tells tables by the same rules apart, wherever their files lie."""
        ...

    def table(self, game: Game) -> Playing: ...


@dataclass(frozen=True)
class Order:
    """A table as it is ordered: what is played there, and by which rules."""

    table: int
    setup: Seating
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
        return list(map(Key._make, zip(repeat(self.order.table), self.games, strict=False)))


@dataclass(frozen=True)
class Played:
    """The records of a batch, and the seconds they took (without opening the rules)."""

    batch: Batch
    records: tuple[Any, ...]  # of a study `GameRecord`s
    seconds: float


_tables: OrderedDict[tuple[str, str], Playing] = OrderedDict()


def play_batch(batch: Batch, carried: Carried) -> Played:
    """Every game of the batch; the same records wherever and however often it is done."""
    if batch.engine != engine():
        raise UsageError(
            f"a worker has another version of rulesdsl ({engine()}) than the study ({batch.engine}): "
            "install the same one everywhere"
        )
    set_limits(dict(batch.limits))
    table = table_of(batch.order, carried)
    table.prepare(batch.order.many)
    start = time.perf_counter()
    records = tuple(table.records(batch.games, batch.order.many))
    return Played(batch, records, time.perf_counter() - start)


def table_of(order: Order, carried: Carried) -> Playing:
    key = (carried.name, order.setup.named())
    if key not in _tables:
        _tables[key] = order.setup.table(unpacked(carried))
        if len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
    _tables.move_to_end(key)
    return _tables[key]
