"""How long the first prompt of a game takes on a fresh clone: `python -m benchmarks.cold [GAME]`.

Everything is cold: the sources are a copy without compiled files, the cache is an empty folder, and a process of
its own goes from nothing to the first question. Processor time, as a ratio to what Python itself needs to start
on the same machine, by turns, so that a shared machine says something. Before the grammar was made ready
and the cache was kept by content this was 2.6 to 2.9 s, see `BAR`.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
GAME = "race_for_berlin"
PARTS = ("rulesdsl", "interpreter", "grammar", "games", "pyproject.toml")
FIRST_PROMPT = "import sys; from rulesdsl import Session; print(Session.start(sys.argv[1], seed=1).prompt.text)"
BAR = 100.0  # times Python's start-up


def cold(game: str = GAME, runs: int = 3) -> tuple[list[float], list[float]]:
    """Seconds of the processor for the first prompt, and for Python alone, in neighbouring runs."""
    ours, python = [], []
    for clone in _clones(runs):
        python.append(_spent(clone, "pass"))
        ours.append(_spent(clone, FIRST_PROMPT, game))
    return ours, python


def _clones(count: int) -> Iterator[Path]:
    for _ in range(count):
        with TemporaryDirectory(prefix="cold") as folder:
            for part in PARTS:
                _copy(ROOT / part, Path(folder) / part)
            yield Path(folder)


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy(source, target)
    else:  # what is made on a machine is in no clone
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "_data", "bundle"))


def _spent(clone: Path, code: str, *arguments: str) -> float:
    kept = {"HOME": str(clone), "XDG_CACHE_HOME": str(clone / "cache"), "PYTHONPATH": str(clone)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=clone,
        env={**os.environ, **kept},
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str]) -> int:
    ours, python = cold(arguments[0] if arguments else GAME)
    ratios = [one / other for one, other in zip(ours, python, strict=True)]
    print(f"first prompt, all cold   {min(ours):.2f} s (median {median(ours):.2f})")
    print(f"Python alone             {min(python):.3f} s (median {median(python):.3f})")
    print(f"ratio                    {median(ratios):.0f} (bar {BAR:g})")
    return 0 if min(ratios) <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
