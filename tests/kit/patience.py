"""A hang is a property of a text, not of a busy machine: what took too long is tried again first."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

SLOWEST = 1.0  # seconds of the processor for one text
TRIES = 4

Result = TypeVar("Result")


def without_hanging(work: Callable[[], Result], what: str) -> Result:
    """The result of `work`, which must come in time at least once in a few tries."""
    taken: list[float] = []
    for _ in range(TRIES):
        start = time.process_time()
        result = work()
        taken.append(time.process_time() - start)
        if taken[-1] < SLOWEST:
            return result
    times = ", ".join(f"{seconds:.1f}" for seconds in taken)
    raise AssertionError(f"{times} s for {what[:2000]!r}")
