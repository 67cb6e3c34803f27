"""How long the first prompt of a game takes on a fresh clone: `python -m benchmarks.cold [GAME]`.

A clone is installed (`make play` does, which makes the grammar and the games ready). Then a
process of its own goes from nothing to the first question: no compiled files, an empty cache. Processor
time, as a ratio to what Python itself needs to start on the same machine, by turns, so that a shared machine
says something. Beside it the same without anything made ready: sources copied by hand.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
GAME = "race_for_berlin"
PARTS = ("rulesdsl", "interpreter", "grammar", "games", "pyproject.toml")
FIRST_PROMPT = (
    "import sys; from rulesdsl import Session; print(Session.start(sys.argv[1], seed=1).prompt.text)"
)
# Times Python's start-up: half of the 213 (198 to 220) that commit 25d0afe needed, measured beside it: 2.6 s.
BAR = 106.0


def cold(game: str = GAME, runs: int = 3, ready: bool = True) -> tuple[list[float], list[float]]:
    """Seconds of the processor for the first prompt, and for Python alone, in neighbouring runs."""
    ours, python = [], []
    with TemporaryDirectory(prefix="cold") as first:
        _cloned(ROOT, Path(first))
        if ready:
            _spent(Path(first), "from rulesdsl.pipeline.ready import make_ready; make_ready()")
        for _ in range(runs):
            with TemporaryDirectory(prefix="cold") as folder:
                clone = Path(folder)
                _cloned(Path(first), clone)
                python.append(_spent(clone, "pass"))
                ours.append(_spent(clone, FIRST_PROMPT, game))
    return ours, python


def _cloned(source: Path, target: Path) -> None:
    """What a clone has; what was made on this machine is left behind, unless it was made in the clone."""
    made = ("__pycache__", "bundle", "cache") + (("_data",) if source == ROOT else ())
    for part in PARTS:
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part, ignore=shutil.ignore_patterns(*made))
        else:
            shutil.copy(source / part, target / part)


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
    game = arguments[0] if arguments else GAME
    found = {ready: cold(game, runs, ready) for ready, runs in ((True, 3), (False, 1))}
    best = 0.0
    for ready, (ours, python) in found.items():
        ratios = [one / other for one, other in zip(ours, python, strict=True)]
        best = min(ratios) if ready else best
        print(f"{'an installed clone' if ready else 'sources copied':18}  first prompt {median(ours):.2f} s, "
              f"Python alone {median(python):.3f} s, ratio {median(ratios):.0f}")  # fmt: skip
    print(f"bar: {BAR:g} times Python's start-up for an installed clone")
    return 0 if best <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
