"""Games on a Dask cluster (`dask.distributed`): workers may die, join, and the scheduler may be restarted.

The rules of each table travel once, as a task whose name is their content hash: every worker fetches them
when it first needs them, and when the worker that held them dies, the task is done again elsewhere. A batch
is a task, too. Whatever is lost is given out again; a record counts by the number of its game, so nothing
counts twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from importlib import import_module
from typing import Any

from interpreter.studies.batches import Batch, Order, Played, play_batch
from interpreter.studies.carrying import Carried
from interpreter.studies.crews import DASK, DASK_LOCAL, Cutter, Rules
from rulesdsl.base.diagnostics import UsageError

distributed: Any = import_module("distributed")  # by name: whether it has types must not matter

AHEAD = 2  # batches that wait at every worker, so that it never waits for us
PATIENCE = 120.0  # seconds for a scheduler that does not answer, or a cluster without workers
POLL = 0.5
CALLED = "rules-"  # how the names of their tasks begin
MOST_RULES_LOST = 50  # then it is more than chance that workers die with them
UNDISTURBED = "interpreter.studies.undisturbed"  # what a worker of our own does before all else
REPLACE_EVERY = 5.0  # seconds after which workers that are missing are asked for again
_LOST = (
    distributed.KilledWorker,
    distributed.client.FutureCancelledError,
    asyncio.CancelledError,
    distributed.TimeoutError,
    FutureTimeout,
    OSError,
    distributed.comm.CommClosedError,
)


class Cluster:
    """A cluster of our own on this machine (`dask-local`), or one that runs already."""

    def __init__(self, on: str, jobs: int, patience: float = PATIENCE) -> None:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # losses are expected, and told here
        self.patience = patience
        self._local: Any = None
        self._jobs, self._asked_for_more = jobs, time.monotonic()
        if on == DASK_LOCAL:
            self._local = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None,
                silence_logs=logging.CRITICAL, preload=[UNDISTURBED],
            )  # fmt: skip
            self.address = str(self._local.scheduler_address)
        else:
            self.address = f"tcp://{on.removeprefix(DASK)}"
        self._client: Any = None
        self._round = 0
        self._rules_lost = 0
        self.restarts = 0  # how often the scheduler was lost and found

    def play(self, work: Sequence[tuple[Order, Sequence[int]]], rules: Rules) -> Iterator[Played]:
        cutter = Cutter(work)
        running: dict[Any, Batch] = {}
        sent: dict[str, Any] = {}
        since = time.monotonic()  # of the last sign of life
        self._connect()
        while True:
            if self._client.status != "running":
                for future in list(running):
                    cutter.lost_with_the_scheduler(running.pop(future))
                sent.clear()
                self._reconnect()
                since = time.monotonic()
            slots = self._slots()
            self._replace_lost(slots)
            try:
                while len(running) < max(1, slots) * AHEAD and (batch := cutter.next()) is not None:
                    running[self._submit(batch, rules, sent)] = batch
            except _LOST:
                continue
            if not running:
                return
            done = self._finished(running)
            for future in done:
                batch = running.pop(future)
                played = self._result(future, batch, cutter, sent)
                if played is not None:
                    since = time.monotonic()
                    cutter.measured(played)
                    yield played
            if not done and slots == 0 and time.monotonic() - since > self.patience:
                raise UsageError(f"no worker at {self.address} for {self.patience:.0f} s")
            if slots:
                since = time.monotonic()

    def _submit(self, batch: Batch, rules: Rules, sent: dict[str, Any]) -> Any:
        carried = rules[batch.order.rules]
        if carried.name not in sent:
            key = f"{CALLED}{carried.name}-{self._rules_lost}"
            sent[carried.name] = self._client.submit(_as_it_is, carried, key=key)
        self._round += 1
        first, last = batch.games[0], batch.games[-1]
        key = f"games-{batch.order.rules[:8]}-{batch.order.table}-{first}-{last}-{self._round}"
        return self._client.submit(play_batch, batch, sent[carried.name], key=key, pure=False, retries=2)

    def _finished(self, running: dict[Any, Batch]) -> list[Any]:
        with suppress(*_LOST), self._client.as_current():
            distributed.wait(list(running), timeout=POLL, return_when="FIRST_COMPLETED")
        return [future for future in running if future.status != "pending"]

    def _result(self, future: Any, batch: Batch, cutter: Cutter, sent: dict[str, Any]) -> Played | None:
        """None when it was lost; what went wrong in a game is raised here."""
        try:
            if future.status in ("cancelled", "lost"):
                cutter.lost_with_the_scheduler(batch)
                return None
            played: Played = future.result(timeout=30)
            return played
        except distributed.KilledWorker as error:
            if str(error.task).startswith(CALLED) and self._rules_lost < MOST_RULES_LOST:
                self._forget_rules(str(error.task), sent)
                cutter.lost_with_the_scheduler(batch)
            else:
                cutter.lost(batch)
        except _LOST:
            cutter.lost_with_the_scheduler(batch)
        finally:
            with suppress(*_LOST):
                future.release()
        return None

    def _forget_rules(self, key: str, sent: dict[str, Any]) -> None:
        """Workers that died one after the other held these rules, and Dask will not send them again by that
        name. That says nothing against any game: they get another name, once for all who wait."""
        for name, future in list(sent.items()):
            if future.key == key:
                del sent[name]
                self._rules_lost += 1

    def _slots(self) -> int:
        with suppress(*_LOST, ValueError):
            return sum(self._client.nthreads().values())
        return 0

    def _replace_lost(self, slots: int) -> None:
        """Dask gives a worker of its own cluster up that was not back within seconds, which on a machine with
        other work it cannot be; asked for as many as there were, it starts another."""
        late = time.monotonic() - self._asked_for_more > REPLACE_EVERY
        if self._local is not None and slots < self._jobs and late:
            self._asked_for_more = time.monotonic()
            with suppress(*_LOST):
                self._local.scale(self._jobs)

    def _connect(self) -> None:
        if self._client is not None and self._client.status == "running":
            return
        try:
            self._client = distributed.Client(self.address, timeout=10, set_as_default=False)
        except _LOST as error:
            raise UsageError(
                f"no Dask scheduler answers at {self.address} ({type(error).__name__})"
            ) from None

    def _reconnect(self) -> None:
        """A scheduler that was restarted knows nothing: what was under way is given out again."""
        self._shut_client()
        deadline = time.monotonic() + self.patience
        while True:
            try:
                self._connect()
                self.restarts += 1
                return
            except UsageError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(POLL)

    def _shut_client(self) -> None:
        if self._client is not None:
            with suppress(*_LOST):
                self._client.close(timeout=2)
            self._client = None

    def close(self) -> None:
        self._shut_client()
        if self._local is not None:
            with suppress(*_LOST):
                self._local.close(timeout=5)
            self._local = None


def _as_it_is(carried: Carried) -> Carried:
    return carried
