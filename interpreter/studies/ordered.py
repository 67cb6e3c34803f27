"""`--on` for whoever wants games in the order of their numbers: `simulate` and `compare`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.measuring.simulation import MANY_GAMES, GameRecord, Table
from interpreter.studies.batches import Key, Order
from interpreter.studies.carrying import carry
from interpreter.studies.hiring import make_crew
from interpreter.studies.running import unless_dear


def play_together_on(
    tables: Sequence[Table], numbers: Sequence[int], jobs: int, on: str
) -> Iterator[tuple[GameRecord, ...]]:
    """For each number the games of all tables, in this order, whoever finishes first."""
    if not numbers:
        return
    rules = {table.game.program.content_hash: carry(table.game) for table in tables}
    many = len(numbers) >= MANY_GAMES
    orders = [
        Order(number, table.setup, table.game.program.content_hash, many)
        for number, table in enumerate(tables)
    ]
    crew = make_crew(jobs, on)
    found: dict[Key, GameRecord] = {}
    place = 0
    try:
        for played in crew.play([(order, numbers) for order in orders], rules):
            unless_dear(played.records)
            found.update(zip(played.batch.keys, played.records, strict=True))
            while place < len(numbers) and all(Key(o.table, numbers[place]) in found for o in orders):
                yield tuple(found.pop(Key(o.table, numbers[place])) for o in orders)
                place += 1
    finally:
        crew.close()
