"""Rates that can be compared: measured by turns, repeated, with their spread.

A machine that other work shares is faster in one second than in the next. So contestants are not measured
one after the other but by turns within each repeat, in a rotating order; a ratio is taken between
neighbours of the same repeat, and the median of the repeats is what is quoted.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypedDict

LATEST = Path(__file__).parent / "latest.json"


class Row(TypedDict):
    """One comparison: rates per second, how many times faster we are, how far the repeats lie apart."""

    name: str
    ours: float
    peer: float
    ratio: float
    spread: float


def interleave(
    contestants: Mapping[str, Callable[[], object]], *, repeats: int = 5, seconds: float = 0.3
) -> dict[str, list[float]]:
    """Calls per second of every contestant, one number per repeat, each measured for about `seconds`."""
    names = list(contestants)
    batches = {name: _batch_size(contestants[name], seconds) for name in names}
    rates: dict[str, list[float]] = {name: [] for name in names}
    for repeat in range(repeats):
        # Whoever runs first after a pause may find a colder or a faster processor: take turns at that too.
        first = repeat % len(names) if names else 0
        for name in names[first:] + names[:first]:
            rates[name].append(_rate(contestants[name], batches[name], seconds))
    return rates


def _batch_size(work: Callable[[], object], seconds: float) -> int:
    """How many calls take about a twentieth of the time: looking at the clock must not cost anything.

    This also warms up what the contestant builds on first use.
    """
    calls = 1
    while True:
        spent = _time(work, calls)
        if spent >= seconds / 20:
            return calls
        calls *= 2 if spent else 16


def _rate(work: Callable[[], object], batch: int, seconds: float) -> float:
    gc.collect()  # nobody pays for the rubbish of the contestant before
    calls, spent = 0, 0.0
    while spent < seconds:
        spent += _time(work, batch)
        calls += batch
    return calls / spent


def _time(work: Callable[[], object], calls: int) -> float:
    start = process_time()  # of this process alone: what others do on the machine does not count
    for _ in range(calls):
        work()
    return process_time() - start


def spread(numbers: Sequence[float]) -> float:
    """Greatest over least: 1.0 is perfectly steady."""
    return max(numbers) / min(numbers)


def compare(name: str, ours: Sequence[float], peer: Sequence[float]) -> Row:
    """The row for two contestants of one `interleave`; ratio and spread are those of the paired repeats."""
    ratios = [mine / theirs for mine, theirs in zip(ours, peer, strict=True)]
    return {
        "name": name,
        "ours": median(ours),
        "peer": median(peer),
        "ratio": median(ratios),
        "spread": spread(ratios),
    }


def table(rows: Sequence[Row]) -> str:
    """The rows as text for a terminal."""
    width = max((len(row["name"]) for row in rows), default=4)
    lines = [f"{'name':<{width}} {'ours/s':>12} {'peer/s':>12} {'ratio':>8} {'spread':>7}"]
    for row in rows:
        numbers = f"{row['ours']:>12,.0f} {row['peer']:>12,.0f} {row['ratio']:>8.2f} {row['spread']:>7.2f}"
        lines.append(f"{row['name']:<{width}} {numbers}")
    return "\n".join(lines)


def write_latest(rows: Sequence[Row], path: Path = LATEST) -> None:
    """Write the rows as a JSON list; a run that is stopped half-way leaves the file of the last run."""
    rounded = [
        {key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in row.items()}
        for row in rows
    ]
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, path)
