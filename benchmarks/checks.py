"""What an author waits for: `python benchmarks/checks.py`, part of `make bars`.

How long `rulesdsl --help` and a warm `rulesdsl check` of every shipped game take as processes of their own,
and how long an editor waits for all problems of the largest game after one paragraph was changed. Each line
is the least and the median of several runs, in seconds, beside its bar; elapsed time and the processor's (on
a machine that other work shares, only the latter says something). The exit code is 1 when a bar is missed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.pipeline.workspace import Workspace

ROOT = Path(__file__).parents[1]
HELP, CHECK, EDIT = 0.2, 1.0, 0.15
RUNS = 5


class Line(NamedTuple):
    """One thing waited for: seconds elapsed and of the processor for every run, and the bar."""

    name: str
    elapsed: list[float]
    processor: list[float]
    bar: float

    @property
    def holds(self) -> bool:
        return min(self.elapsed) < self.bar or min(self.processor) < self.bar


def measure(name: str, bar: float, work: Callable[[], float | None], runs: int = RUNS) -> Line:
    """`work` gives the processor time it used, unless that is this process's own."""
    elapsed, processor = [], []
    for _ in range(runs):
        begun, used = perf_counter(), process_time()
        told = work()
        elapsed.append(perf_counter() - begun)
        processor.append(process_time() - used if told is None else told)
    return Line(name, elapsed, processor, bar)


def program(*arguments: str) -> float:
    """Run our program once; the processor time of the process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "rulesdsl", *arguments], check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def edits(game: str) -> Line:
    """One paragraph after the other gets a new first line of its rules, then all problems are asked for."""
    workspace = Workspace(data_dir("games") / game)
    assert not workspace.problems()
    changes = _changes(workspace)

    def edit() -> None:
        path, text = next(changes)
        workspace.edit(path, text)
        assert not workspace.problems()

    return measure(f"{game}, one paragraph edited", EDIT, edit, runs=40)


def _changes(workspace: Workspace) -> Iterator[tuple[Path, str]]:
    number = 0
    while True:
        for path in workspace.paths:
            text = workspace.text(path)
            places = [i for i in range(len(text)) if text.startswith("```rules\n", i)]
            if not places:
                continue
            number += 1
            place = places[number % len(places)] + len("```rules\n")
            yield path, f"{text[:place]}# edit {number}\n{text[place:]}"


def main() -> int:
    lines = [measure("rulesdsl --help", HELP, lambda: program("--help"))]
    games = shipped_games()
    for game in games:
        program("check", game)  # now it is warm
        lines.append(measure(f"rulesdsl check {game}", CHECK, lambda game=game: program("check", game)))  # type: ignore[misc]
    largest = max(
        games, key=lambda game: sum(p.stat().st_size for p in (data_dir("games") / game).rglob("*.md"))
    )
    lines.append(edits(largest))
    print(f"{'':<44} {'elapsed: least':>14} {'median':>7} {'processor: least':>17} {'median':>7} {'bar':>6}")
    for line in lines:
        name, elapsed, processor, bar = line
        print(
            f"{name:<44} {min(elapsed):>14.3f} {median(elapsed):>7.3f} {min(processor):>17.3f}"
            f" {median(processor):>7.3f} {bar:>6.2f}{'' if line.holds else '  missed'}"
        )
    return 0 if all(line.holds for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
