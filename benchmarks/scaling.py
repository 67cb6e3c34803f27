"""How much faster two workers of a study are than one, and why not more: `python -m benchmarks.scaling`.

Random games of Race for Berlin on a cluster of this machine. The clock runs when every worker has opened
the rules and played enough to have them in machine code: a start of seconds that a long study forgets. One
worker, two workers and two processes that only count are measured by turns, so that all of them see the same
machine; `--games` are played in each turn. What a machine does not give to two processes that share nothing,
no study can have; what is lost beyond that is told by the seconds of the process that collects and schedules,
and by how much more work the same games are for two workers.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from interpreter.studies.batches import Order, Played
from interpreter.studies.cluster import Cluster
from interpreter.studies.crews import DASK_LOCAL
from interpreter.studies.store import Store
from tests.promises.studies import LARGE, machine_gives, study_of

TWICE = 1.8
WARM = 400  # games of each worker before the clock runs


class Turn(NamedTuple):
    """Seconds of the clock; of processor time of the process that collects and schedules, and of its
    workers."""

    clock: float
    here: float
    workers: float


def turn(place: Path, jobs: int, games: int) -> Turn:
    """The study as `rulesdsl study run --on dask-local` plays and keeps it, less its beginning."""
    place.mkdir()
    study = study_of(place, LARGE, games)
    store = Store(place, study)
    crew = Cluster(DASK_LOCAL, jobs)
    arm = study.arms[0]

    def ordered(first: int, last: int) -> list[tuple[Order, Sequence[int]]]:
        return [(Order(arm.number, arm.setup, arm.rules), range(first, last))]

    def taken(played: Played) -> None:
        store.take(played.batch.keys, played.records)

    try:
        rules = store.rules()
        for played in crew.play(ordered(0, WARM * jobs), rules):
            taken(played)
        workers = _pids(crew)
        begun, here, there = time.perf_counter(), time.process_time(), _used(workers)
        for played in crew.play(ordered(WARM * jobs, games), rules):
            taken(played)
        store.finish()
        return Turn(time.perf_counter() - begun, time.process_time() - here, _used(workers) - there)
    finally:
        crew.close()
        store.close()


def _pids(crew: Cluster) -> list[int]:
    local: Any = crew._local
    return [worker.process.pid for worker in local.workers.values()]


def _used(pids: Sequence[int]) -> float:
    """Processor seconds that these processes have had until now (Linux tells)."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40_000, help="played in each turn (40000)")
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args(arguments)
    ones: list[Turn] = []
    twos: list[Turn] = []
    gives: list[float] = []
    with TemporaryDirectory() as folder:
        for number in range(given.turns):
            ones.append(turn(Path(folder) / f"one{number}", 1, given.games))
            twos.append(turn(Path(folder) / f"two{number}", 2, given.games))
            gives.append(machine_gives(2.0))
            ratio = ones[-1].clock / twos[-1].clock
            print(f"turn {number + 1}: {ratio:.2f} ×; two that only count: {gives[-1]:.2f} ×", flush=True)
    found = median(one.clock / two.clock for one, two in zip(ones, twos, strict=True))
    given_by_machine = median(gives)
    one, two = (Turn(*map(median, zip(*turns, strict=True))) for turns in (ones, twos))
    print(
        f"two workers are {found:.2f} × one by the clock ({one.clock:.1f} s and {two.clock:.1f} s; load "
        f"{os.getloadavg()[0]:.1f}, {os.cpu_count()} processors)\n"
        f"two processes that only count are {given_by_machine:.2f} × one here: of what this machine gives, "
        f"{found / given_by_machine:.0%} arrives\n"
        f"the same games were {two.workers / one.workers:.2f} × the work for two workers "
        f"({one.workers:.1f} s and {two.workers:.1f} s of processor)\n"
        f"collecting, keeping and scheduling took {two.here:.1f} s of processor, {two.here / two.clock:.0%} "
        f"of one while two played ({one.here:.1f} s while one did)"
    )
    print("holds" if found >= TWICE else f"does not hold ({TWICE} ×); the reasons stand above")
    return 0 if found >= TWICE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
