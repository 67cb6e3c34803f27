"""Who plays: this process, several of it, or a cluster. All play the same games, in batches of about a
second.

A crew is given orders (tables and numbers of games) and hands back records in any order. What it was given
and did not hand back has not been played: whoever asked keeps the books.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context
from typing import Protocol

from interpreter.studies.batches import Batch, Order, Played, play_batch
from interpreter.studies.carrying import Carried

SECONDS = 1.0  # what a batch should take
MOST_GAMES = 2_000
TRIES = 5  # that a batch may take its player with it
DASK = "dask://"
DASK_LOCAL = "dask-local"

Rules = Mapping[str, Carried]


class Crew(Protocol):
    """Plays games."""

    def play(self, work: Sequence[tuple[Order, Sequence[int]]], rules: Rules) -> Iterator[Played]: ...

    def close(self) -> None: ...


class PlayerLost(Exception):
    """A game took its process with it, again and again."""


class Cutter:
    """Cuts work into batches, by the time that games have taken so far."""

    def __init__(self, work: Sequence[tuple[Order, Sequence[int]]]) -> None:
        self._waiting = [(order, deque(games)) for order, games in work if games]
        self._again: deque[Batch] = deque()
        self._rate: dict[int, float] = {}  # table → seconds a game
        self._losses: dict[tuple[int, tuple[int, ...]], int] = {}

    def next(self) -> Batch | None:
        if self._again:
            return self._again.popleft()
        if not self._waiting:
            return None
        order, games = self._waiting[0]
        known = self._rate.get(order.table)
        count = 1 if known is None else max(1, min(MOST_GAMES, int(SECONDS / max(known, 1e-6))))
        batch = Batch(order, tuple(games.popleft() for _ in range(min(count, len(games)))))
        if not games:
            self._waiting.pop(0)
        return batch

    def measured(self, played: Played) -> None:
        each = played.seconds / max(1, len(played.records))
        old = self._rate.get(played.batch.order.table, each)
        self._rate[played.batch.order.table] = (old + each) / 2

    def lost_with_the_scheduler(self, batch: Batch) -> None:
        """Nothing is wrong with it: again, as it is."""
        self._again.append(batch)

    def lost(self, batch: Batch) -> None:
        """Whoever played it is gone: again, in halves, so that one bad game is found."""
        key = (batch.order.table, batch.games)
        self._losses[key] = self._losses.get(key, 0) + 1
        if len(batch.games) == 1:
            if self._losses[key] >= TRIES:
                seed = batch.order.setup.game_seed(batch.games[0])
                raise PlayerLost(f"game {batch.games[0]} (seed {seed}) ended its process {TRIES} times")
            self._again.append(batch)
            return
        middle = len(batch.games) // 2
        self._again += [
            Batch(batch.order, part, batch.engine, batch.limits)
            for part in (batch.games[:middle], batch.games[middle:])
        ]


class Alone:
    """This process."""

    def play(self, work: Sequence[tuple[Order, Sequence[int]]], rules: Rules) -> Iterator[Played]:
        cutter = Cutter(work)
        while (batch := cutter.next()) is not None:
            played = play_batch(batch, rules[batch.order.rules])
            cutter.measured(played)
            yield played

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Several processes of this machine. One that dies is replaced."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            method = "fork" if "fork" in get_all_start_methods() else "spawn"
            self._pool = ProcessPoolExecutor(self.jobs, get_context(method), _leave_interrupts_alone)
        return self._pool

    def play(self, work: Sequence[tuple[Order, Sequence[int]]], rules: Rules) -> Iterator[Played]:
        cutter = Cutter(work)
        running: dict[Future[Played], Batch] = {}
        try:
            while True:
                while len(running) < self.jobs + 1 and (batch := cutter.next()) is not None:
                    future = self._started().submit(play_batch, batch, rules[batch.order.rules])
                    running[future] = batch
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                broken = False
                for future in done:
                    batch = running.pop(future)
                    try:
                        played = future.result()
                    except BrokenProcessPool:
                        broken = True
                        cutter.lost(batch)
                        continue
                    cutter.measured(played)
                    yield played
                if broken:
                    for future in list(running):  # all of them went down with the pool
                        cutter.lost(running.pop(future))
                    self.close()
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _leave_interrupts_alone() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that collects
