"""The handbook of every shipped game, made by the command, in a process of its own: under five seconds.

What counts is the processor's time, start of Python included: a machine that others share is not slower than
it is. Files and grammar are remembered from run to run: measured are both states, each against the limit.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rulesdsl.base.resources import shipped_games
from tests.promises import Outcome

SECONDS = 5.0


def handbook_times(repeats: int) -> Outcome:
    """The best of some runs for each game, with a memory and with an empty one: each must hold."""
    outcome = Outcome()
    longest = {"remembered": ("", 0.0), "with nothing remembered": ("", 0.0)}
    for name in sorted(shipped_games()):
        with tempfile.TemporaryDirectory() as kept:
            first = seconds_for(name, kept)
            measured = {"remembered": min(seconds_for(name, kept) for _ in range(repeats))}
        measured["with nothing remembered"] = min(first, *(first_seconds_for(name) for _ in range(repeats)))
        for state, best in measured.items():
            outcome.done += 1
            longest[state] = max(longest[state], (name, best), key=lambda one: one[1])
            if best > SECONDS:
                outcome.failure(f"{name}, {state}: {best:.2f} s")
    told = (f"{name}, {best:.2f} s of processor {state}" for state, (name, best) in longest.items())
    outcome.note = f"longest: {'; '.join(told)}"
    return outcome


def first_seconds_for(name: str) -> float:
    """The same in a home where nothing was ever run: not even the grammar has been built."""
    with tempfile.TemporaryDirectory() as kept:
        return seconds_for(name, kept)


def seconds_for(name: str, kept: str) -> float:
    """Processor seconds of `rulesdsl docs`, all of it; `kept` is where the parser remembers."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "XDG_CACHE_HOME": kept, "PYTHONPATH": str(root)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled
    before = os.times()
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "rulesdsl", "docs", name, "--out", out]
        subprocess.run(command, check=True, env=environment, cwd=root, stdout=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)
