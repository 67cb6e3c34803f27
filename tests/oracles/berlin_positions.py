"""Random positions of Race for Berlin around one zone that is to be attacked."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.oracles.berlin_board import CAMPS, Board, Position, other


@dataclass
class Attempt:
    """A position and who attacks what in it."""

    position: Position
    side: str
    striker: str
    target: str
    ready: set[str]
    forded: set[str]
    driven: set[str]
    surprise: bool
    spared: bool


class Stock:
    """The counters that are not on the map yet, in random order; both counters of an army come together."""

    def __init__(self, rng: random.Random, board: Board) -> None:
        armies = sorted(board.armies)
        rng.shuffle(armies)
        soviets = [name for army in armies for name in sorted(board.armies[army])]
        germans = sorted(u for u, unit in board.units.items() if unit.side == "german")
        rng.shuffle(germans)
        self.left = soviets + germans
        self.board = board

    def take(self, side: str, camp: str | None = None) -> str | None:
        for name in self.left:
            unit = self.board.units[name]
            if unit.side == side and camp in (None, unit.camp):
                self.left.remove(name)
                return name
        return None


def random_attempt(rng: random.Random, board: Board, urban: bool) -> Attempt:
    position, stock = Position(board), Stock(rng, board)
    side, striker = rng.choice(("soviet", "soviet", "german")), rng.choice(CAMPS)
    target = rng.choice([z for z in board.zones if board.is_berlin(z) == urban])
    surroundings = _surroundings(board, target)
    if urban:
        _fill_suburb(rng, position, stock, target, striker if side == "soviet" else rng.choice(CAMPS), True)
        if side == "german":
            place(position, stock.take("german", striker), target)
    else:
        _defend(rng, position, stock, target, side)
        for base in rng.sample(sorted(board.borders[target]), k=min(2, len(board.borders[target]))):
            for _ in range(rng.randint(1, 3)):
                place(position, stock.take(side, striker), base)
    for zone in surroundings:
        if not position.units_in(zone) and zone != target:
            _fill(rng, position, stock, zone)
    _scatter(rng, position)
    ready, waiting = set(), set()
    for name in position.where:
        unit = position.unit(name)
        if (unit.side, unit.camp) == (side, striker) and name not in position.guests:
            (ready if rng.random() < 0.75 else waiting).add(name)
    position.waiting = {u for u in waiting if u not in position.short}
    position.support = {camp: rng.randint(1, 3) for camp in CAMPS}
    mine = [a for a, members in sorted(board.armies.items()) if members & ready]
    named = board.armies[rng.choice(mine)] if mine else set()
    event = rng.random()
    return Attempt(
        position, side, striker, target, ready,
        forded=set(named) if event < 0.15 else set(),
        driven=set(named) if 0.15 <= event < 0.3 else set(),
        surprise=event > 0.85, spared=rng.random() < 0.2,
    )  # fmt: skip


def _surroundings(board: Board, target: str) -> list[str]:
    near = set(board.borders[target])
    return sorted(near | {z for n in near for z in set(board.borders[n]) | board.nexus[n]})


def place(position: Position, name: str | None, zone: str) -> bool:
    """Put a unit where it may stand; says whether it could."""
    if name is None or not position.room(zone, name) or position.rivals_in(zone, name):
        return False
    if position.unit(name).side == "german" and position.board.zones[zone].get("east_of_oder"):
        return False
    position.where[name] = zone
    return True


def _defend(rng: random.Random, position: Position, stock: Stock, target: str, side: str) -> None:
    if side == "soviet":
        for _ in range(rng.randint(1, 3)):
            place(position, stock.take("german"), target)
        return
    camp = rng.choice(CAMPS)
    for _ in range(rng.randint(1, 2)):
        place(position, stock.take("soviet", camp), target)
    _guest(rng, position, stock, target, camp)


def _guest(rng: random.Random, position: Position, stock: Stock, zone: str, host: str) -> None:
    name = stock.take("soviet", other(host))
    if name is not None and rng.random() < 0.25 and position.units_in(zone) and position.room(zone, name):
        position.where[name] = zone
        position.guests.add(name)


def _fill(rng: random.Random, position: Position, stock: Stock, zone: str) -> None:
    board, camp = position.board, rng.choice(CAMPS)
    if board.is_berlin(zone):
        _fill_suburb(rng, position, stock, zone, camp, rng.random() < 0.5)
        return
    what = rng.random()
    if what < 0.3:
        if rng.random() < 0.15:
            position.american.add(zone)
    elif what < 0.65:
        for _ in range(rng.randint(1, 3)):
            place(position, stock.take("german"), zone)
    else:
        for _ in range(rng.randint(1, 2)):
            place(position, stock.take("soviet", camp), zone)
        _guest(rng, position, stock, zone, camp)


def _fill_suburb(
    rng: random.Random, position: Position, stock: Stock, zone: str, camp: str, soviets: bool
) -> None:
    if soviets:
        for _ in range(rng.randint(1, 2)):
            place(position, stock.take("soviet", camp), zone)
    if position.units_in(zone):
        position.progress[zone] = rng.randint(0, 4)
        if position.controlled(zone):
            position.control[zone] = camp
    if rng.random() < 0.5:
        place(position, stock.take("german"), zone)


def _scatter(rng: random.Random, position: Position) -> None:
    """Reduced units, units out of supply, control markers."""
    board = position.board
    for name, zone in position.where.items():
        if rng.random() < 0.3:
            position.reduced.add(name)
        in_berlin = board.is_berlin(zone) and position.unit(name).side == "german"
        if rng.random() < 0.2 and not in_berlin:
            position.short.add(name)
    for zone, facts in board.zones.items():
        free = not position.units_in(zone, "german") and zone not in position.american
        if facts.get("victory_points") and not board.is_berlin(zone) and free and rng.random() < 0.5:
            position.control[zone] = rng.choice(CAMPS)
