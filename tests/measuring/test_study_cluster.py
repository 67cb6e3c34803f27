"""Studies on a Dask cluster of real worker processes: the same bytes, nothing lost, nothing counted twice."""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")

from distributed import KilledWorker

from interpreter.measuring.training import Course, train
from interpreter.playing.game import open_game
from interpreter.studies.batches import Batch, Key, Order, Played
from interpreter.studies.cluster import Cluster
from interpreter.studies.crews import DASK_LOCAL, Alone, Crew, Cutter
from interpreter.studies.running import run_study
from interpreter.studies.store import Store
from interpreter.studies.studyfile import Study, read_study
from interpreter.studies.trials import trials_on

STUDY = """study: spread
games: {games}
count_rules: 0
base: {{game: skirmish}}
arms: [{{name: printed}}, {{name: short, options: {{last_turn: 3}}}}]
"""


def study_of(place: Path, games: int) -> Study:
    path = place / "study.yaml"
    path.write_text(STUDY.format(games=games), encoding="utf-8")
    return read_study(path)


def bytes_of(study: Study, place: Path, crew: Crew) -> bytes:
    store = Store(place, study)
    try:
        run_study(study, store, crew)
    finally:
        crew.close()
        store.close()
    return (place / "games.parquet").read_bytes()


class Watched:
    """A crew that counts what it hands over, and is disturbed on the way."""

    def __init__(self, crew: Cluster, disturb: Any) -> None:
        self.crew, self.disturb = crew, disturb
        self.keys: list[Key] = []

    def play(self, work: Any, rules: Any) -> Iterator[Played]:
        for number, one in enumerate(self.crew.play(work, rules)):
            self.keys += one.batch.keys
            self.disturb(number)
            yield one

    def close(self) -> None:
        self.crew.close()


def test_workers_that_are_killed_lose_nothing_and_the_bytes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.studies.crews.SECONDS", 0.05)  # many batches, so that some are under way
    monkeypatch.setattr("interpreter.studies.cluster.REPLACE_EVERY", 0.5)
    study = study_of(tmp_path, 150)
    # as on a machine that is busy: no worker is back before Dask gives it up
    dask: Any = pytest.importorskip("dask")
    monkeypatch.setitem(dask.config.config["distributed"]["deploy"], "lost-worker-timeout", "10ms")
    cluster = Cluster(DASK_LOCAL, 2)
    rng, killed = random.Random(1), []

    def kill(number: int) -> None:
        if number in (2, 9):
            workers = [w.process.pid for w in cluster._local.workers.values() if w.process is not None]
            alive = [pid for pid in workers if pid]
            if alive:
                killed.append(rng.choice(alive))
                os.kill(killed[-1], 9)

    crew = Watched(cluster, kill)
    assert bytes_of(study, tmp_path / "cluster", crew) == bytes_of(study, tmp_path / "alone", Alone())
    assert len(killed) == 2
    assert sorted(crew.keys) == [Key(arm, number) for arm in (0, 1) for number in range(150)]


def test_training_on_a_cluster_finds_the_same_weights(tmp_path: Path) -> None:
    course = Course(open_game("tutorial/skirmish").source.directory, None, "t", 1)
    alone = train(course, 2, 1, 1, None)
    with trials_on(course, 1, DASK_LOCAL) as results:
        assert train(course, 2, 1, 1, tmp_path / "log", results=results) == alone
    log = (tmp_path / "log").read_text("utf-8")
    assert sorted(re.findall(r'"name": "(\w+ \d)"', log)) == ["check 0", "trial 0", "trial 1"]


def start_scheduler(port: int) -> subprocess.Popen[bytes]:
    code = (
        "import asyncio, distributed\n"
        "async def main():\n"
        f"    s = await distributed.Scheduler(port={port}, dashboard_address=None)\n"
        "    w = await distributed.Nanny(s.address, nthreads=1)\n"
        "    await s.finished()\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", code], stdout=quiet, stderr=quiet, start_new_session=True)


def test_a_scheduler_that_is_restarted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.studies.crews.SECONDS", 0.05)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = [start_scheduler(port)]
    deadline = time.monotonic() + 60
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        assert time.monotonic() < deadline
        time.sleep(0.1)
    study = study_of(tmp_path, 100)
    cluster = Cluster(f"dask://127.0.0.1:{port}", 1, patience=90)

    def restart(number: int) -> None:
        if number == 4:
            os.killpg(running[-1].pid, 9)
            running[-1].wait()
            running.append(start_scheduler(port))

    try:
        crew = Watched(cluster, restart)
        assert bytes_of(study, tmp_path / "cluster", crew) == bytes_of(study, tmp_path / "alone", Alone())
        assert len(running) == 2
        assert cluster.restarts >= 1
    finally:
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()


def test_rules_that_went_down_with_their_workers_are_sent_by_another_name(tmp_path: Path) -> None:
    """Dask gives a task up whose workers died four times. So it did the rules: every batch failed with them,
    until one of its games was blamed."""
    study = study_of(tmp_path, 8)
    cluster: Any = object.__new__(Cluster)
    cluster._client, cluster._round, cluster._rules_lost = FakeClient(), 0, 0
    store = Store(tmp_path / "out", study)
    rules = store.rules()
    store.close()
    order = Order(0, study.arms[0].setup, study.arms[0].rules)
    cutter = Cutter([(order, range(8))])
    sent: dict[str, Any] = {}
    first = cutter.next()
    assert first is not None
    future = cluster._submit(first, rules, sent)
    (before,) = sent.values()
    future.error = KilledWorker(before.key, None, 3)
    for _ in range(3):  # every batch that waited for them tells it
        assert cluster._result(future, first, cutter, sent) is None
        assert cutter.next() is first  # whole, and not blamed
    cluster._submit(first, rules, sent)
    (after,) = sent.values()
    assert after.key != before.key
    future.error = KilledWorker(future.key, None, 3)  # the games themselves: tried in parts
    batch = Batch(order, (1, 2))
    assert cluster._result(future, batch, cutter, sent) is None
    halves = cutter.next(), cutter.next()
    assert [half and half.games for half in halves] == [(1,), (2,)]


class FakeClient:
    def submit(self, *given: Any, key: str, **more: Any) -> FakeFuture:
        return FakeFuture(key)


class FakeFuture:
    """One that ends as it is told."""

    status = "error"

    def __init__(self, key: str) -> None:
        self.key, self.error = key, Exception()

    def result(self, timeout: float) -> None:
        raise self.error

    def release(self) -> None:
        pass
