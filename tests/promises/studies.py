"""Studies: the same bytes on a cluster whose workers are killed, and how much keeping the books costs."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from interpreter.studies.batches import Key, Played
from interpreter.studies.columns import arrow
from interpreter.studies.crews import Alone, Crew
from interpreter.studies.hiring import make_crew
from interpreter.studies.running import run_study
from interpreter.studies.store import Store
from interpreter.studies.studyfile import Study, read_study
from tests.promises import Outcome

KILLS = 20
MOST_OVERHEAD = 0.03
LARGE, SMALL = "race_for_berlin", "tutorial/skirmish"


def study_of(place: Path, game: str, games: int) -> Study:
    path = place / "study.yaml"
    path.write_text(
        f"study: bar\ngames: {games}\ncount_rules: 0\nbase: {{game: {game}}}\narms: [{{name: one}}]\n"
    )
    return read_study(path)


class Counting:
    """A crew that notes what it hands over and how long playing took, and is disturbed on the way."""

    def __init__(self, crew: Crew, disturb: Any = None) -> None:
        self.crew, self.disturb = crew, disturb
        self.keys: list[Key] = []
        self.playing = 0.0

    def play(self, work: Any, rules: Any) -> Iterator[Played]:
        begun = time.process_time()
        for one in self.crew.play(work, rules):
            self.playing += time.process_time() - begun
            self.keys += one.batch.keys
            if self.disturb is not None:
                self.disturb(len(self.keys))
            yield one
            begun = time.process_time()

    def close(self) -> None:
        self.crew.close()


class Took(NamedTuple):
    """Seconds of the clock, and of this process."""

    clock: float
    processor: float


def played(study: Study, place: Path, crew: Crew) -> tuple[bytes, Took]:
    """What is kept in the end, and how long it took."""
    store = Store(place, study)
    begun, worked = time.perf_counter(), time.process_time()
    try:
        run_study(study, store, crew)
    finally:
        crew.close()
        store.close()
    took = Took(time.perf_counter() - begun, time.process_time() - worked)
    return (place / "games.parquet").read_bytes(), took


def cluster(count: int) -> Outcome:
    """`count` games on two worker processes, of which some are killed at random: none lost, none twice, the
    bytes of one process. The note tells how much faster two workers are than one when nobody is killed, and
    how much work it is for each: on a machine that others share the clock alone says little."""
    outcome = Outcome()
    kills = KILLS if count >= 1_000 else 2
    rng = random.Random(1)
    moments = sorted(rng.sample(range(1, max(kills + 1, count * 9 // 10)), kills))
    with TemporaryDirectory() as folder:
        place = Path(folder)
        study = study_of(place, LARGE, count)
        workers = make_crew(2, "dask-local")

        def kill(done: int) -> None:
            while moments and done >= moments[0]:
                moments.pop(0)
                local = getattr(workers, "_local")  # noqa: B009
                alive = [w.process.pid for w in local.workers.values() if w.process is not None]
                if pids := [pid for pid in alive if pid]:
                    os.kill(rng.choice(pids), 9)

        crew = Counting(workers, kill)
        spread, _ = played(study, place / "killed", crew)
        alone, _ = played(study, place / "alone", Alone())
        outcome.done = len(crew.keys)
        if sorted(crew.keys) != [Key(0, number) for number in range(count)]:
            outcome.failure(f"{count} games were ordered, {len(crew.keys)} handed over")
        if spread != alone:
            outcome.failure("the games of the cluster are not those of one process")
        runs = []
        for jobs in (1, 2):
            before = os.times()
            _, took = played(study, place / f"{jobs}", make_crew(jobs, "dask-local"))
            after = os.times()
            worked = after.children_user + after.children_system
            runs.append((took.clock, worked - before.children_user - before.children_system))
        (one, alone_worked), (two, both_worked) = runs
        gives = machine_gives()
        outcome.note = (
            f"{kills} kills; two workers {one / two:.2f} × one by the clock (load {os.getloadavg()[0]:.1f}, "
            f"{os.cpu_count()} processors); work of two {both_worked:.0f} s of processor, of one "
            f"{alone_worked:.0f} s; two processes that only count are {gives:.2f} × one here now"
        )
    return outcome


def machine_gives(seconds: float = 4.0) -> float:
    """How much more two processes get done than one while others use the machine, too: no crew of two can be
    faster than that. They only count, and share nothing."""
    with get_context("spawn").Pool(2) as pool:
        pool.map(_counted, [0.1, 0.1])  # (they are there)
        (one,) = pool.map(_counted, [seconds])
        two = sum(pool.map(_counted, [seconds, seconds], chunksize=1))
    return two / one


def _counted(seconds: float) -> int:
    until, count = time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        count += 1
    return count


def overhead(count: int) -> Outcome:
    """`count` small games and a twenty-fifth as many large ones: what is not playing, as a share of playing.

    Judged are both together. A small game takes a tenth of a millisecond in the machine: of that a row in
    a table is a larger share, which is told."""
    outcome = Outcome()
    notes = []
    books = playing = 0.0
    arrow()  # what is imported once is not the books of this study
    with TemporaryDirectory() as folder:
        for game, games in ((SMALL, count), (LARGE, max(4, count // 25))):
            place = Path(folder) / game.replace("/", "_")
            place.mkdir()
            crew = Counting(Alone())
            study = study_of(place, game, games)
            for arm in study.arms:
                _ = arm.game.ruleset(arm.setup.settings, arm.game.scenario(arm.scenario)).playouts
            _, took = played(study, place / "out", crew)
            kept = took.processor - crew.playing
            books, playing = books + kept, playing + crew.playing
            each = f"{1e6 * crew.playing / games:,.0f} µs of playing, {1e6 * kept / games:.1f} of books"
            notes.append(f"{games} of {game}: each {each} ({kept / crew.playing:.2%})")
            outcome.done += games
    outcome.note = f"{books / playing:.2%} for the books; {'; '.join(notes)}"
    if books / playing > MOST_OVERHEAD:
        outcome.failure(outcome.note)
    return outcome
