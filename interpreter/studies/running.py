"""Running a study: what is missing is played, what was played is kept, and when it is enough it stops.

Nothing here depends on who plays: whether to go on is decided at fixed numbers of games, by all games up to
there, in the order of their numbers.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter

from interpreter.measuring.comparison import Comparison, compare_games
from interpreter.measuring.inference import Interval
from interpreter.measuring.simulation import MANY_GAMES, GameRecord
from interpreter.measuring.statistics import wilson
from interpreter.running.fuel import RunawayRule
from interpreter.studies.batches import Order
from interpreter.studies.columns import Rows
from interpreter.studies.crews import Crew
from interpreter.studies.store import Store, seats_of
from interpreter.studies.studyfile import Arm, Study

KEEP_EVERY = 10.0  # seconds between two writes: what a crash may cost
AT_MOST = 0.01  # of the time is for writing: on a slow disk or a busy machine it is done less often
ROUND = 50

Advance = Callable[[int], None]
Total = Callable[[int], None]


@dataclass(frozen=True)
class Look:
    """How certain one was after so many games of each arm: half the widest interval, in points."""

    games: int
    widest: float
    enough: bool


def run_study(
    study: Study, store: Store, crew: Crew, advance: Advance = lambda n: None, total: Total = lambda n: None
) -> list[Look]:
    """Play what is missing until it is enough; every look that was taken."""
    looks: list[Look] = []
    with _set_aside():
        for number, games in enumerate(study.stopping.looks):
            missing = work_for(study, store.rows, games)
            total(sum(len(numbers) for _, numbers in missing))
            last = number == len(study.stopping.looks) - 1
            _play(store, crew, missing, advance, last)
            if last:
                store.finish()
            looks.append(look_at(study, store.rows, games, last))
            if looks[-1].enough and not last:
                store.finish()
                break
    return looks


@contextmanager
def _set_aside() -> Iterator[None]:
    """The rules stay as long as games are played by them: Python need not look through all of them for
    garbage whenever some thousand games have been kept, which was a third of keeping them."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _play(
    store: Store, crew: Crew, missing: Sequence[tuple[Order, Sequence[int]]], advance: Advance, last: bool
) -> None:
    rules = store.rules()
    kept, pause = time.monotonic(), KEEP_EVERY
    try:
        for played in crew.play(missing, rules) if missing else ():
            store.take(played.batch.keys, played.records)
            advance(len(played.records))
            unless_dear(played.records)
            if (begun := time.monotonic()) - kept > pause:
                store.write()
                kept = time.monotonic()
                pause = max(KEEP_EVERY, (kept - begun) / AT_MOST)
    except BaseException:
        store.write()
        raise
    if not last:  # (all is written next)
        store.write()


def unless_dear(records: Sequence[GameRecord]) -> None:
    for record in records:
        if record.dear:
            where = f"game {record.number} (seed {record.seed})"
            raise RunawayRule(f"{where} failed, and no more were played: {record.failure}")


def work_for(study: Study, rows: Rows, games: int) -> list[tuple[Order, list[int]]]:
    """What is missing until every arm has so many games, in rounds over all arms: whoever looks on the way
    sees
    all of them. Games with counted rules are tables of their own."""
    work: list[tuple[Order, list[int]]] = []
    many = games >= MANY_GAMES
    there: dict[int, set[int]] = {arm.number: set() for arm in study.arms}
    for key in rows:
        there[key.table].add(key.game)
    for first, last in _rounds(study.count_rules, games):
        for arm in study.arms:
            missing = [n for n in range(first, last) if n not in there[arm.number]]
            setup = replace(arm.setup, count_rules=last <= study.count_rules)
            if missing:
                work.append((Order(arm.number, setup, arm.rules, many), missing))
    return work


def _rounds(counted: int, games: int) -> list[tuple[int, int]]:
    """The counted games, then as many again and again twice as many, but not fewer than `ROUND`."""
    ends = [min(counted, games)]
    while ends[-1] < games:
        ends.append(min(games, max(ROUND, 2 * ends[-1])))
    return [(first, last) for first, last in zip([0, *ends], ends, strict=False) if first < last]


def records_of(arm: Arm, rows: Rows, games: int) -> list[GameRecord]:
    """Those of the first games of an arm that were played, in order."""
    found = [record for (table, game), record in rows.items() if table == arm.number and game < games]
    found.sort(key=attrgetter("number"))
    return found


def comparison_of(study: Study, arm: Arm, rows: Rows, games: int) -> Comparison:
    """An arm beside what it is compared with, over the first games that both have played."""
    base = study.baseline(arm)
    before = {record.number: record for record in records_of(base, rows, games)}
    pairs = [(before[one.number], one) for one in records_of(arm, rows, games) if one.number in before]
    return compare_games([one for one, _ in pairs], [one for _, one in pairs], seats_of((base, arm)))


def look_at(study: Study, rows: Rows, games: int, last: bool) -> Look:
    intervals = [
        measure.interval
        for arm in study.arms
        if study.baseline(arm) is not arm
        for measure in comparison_of(study, arm, rows, games).measures
        if measure.kind == "wins"
    ] or [interval for arm in study.arms for interval in _shares(records_of(arm, rows, games))]
    widest = max((100 * (high - low) / 2 for low, high in intervals), default=100.0)
    return Look(games, widest, last or bool(study.stopping.within and widest <= study.stopping.within))


def _shares(records: Sequence[GameRecord]) -> list[Interval]:
    """Where nothing is compared: the intervals of the win rates themselves."""
    finished = [record.winners for record in records if not record.failure]
    won: Counter[str] = Counter()
    for winners, games in Counter(finished).items():
        won.update(dict.fromkeys(winners, games))
    return [wilson(won[player], len(finished)) for player in sorted(won)]


def looks_taken(study: Study, rows: Rows) -> list[Look]:
    """The looks at which all games were there, made again from the games."""
    looks: list[Look] = []
    for number, games in enumerate(study.stopping.looks):
        if work_for(study, rows, games):
            break
        looks.append(look_at(study, rows, games, last=number == len(study.stopping.looks) - 1))
        if looks[-1].enough:
            break
    return looks
