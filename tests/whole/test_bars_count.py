"""A bar says how often it tried something: an attempt that breaks in an unforeseen way is a failure, and
never the end of the bar."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.promises import set_jobs
from tests.promises.keeping import WORTH_PROCESSES, Attempt, Broken, counted


def raising(error: Exception | None) -> Callable[[], str]:
    def attempt() -> str:
        if error is not None:
            raise error
        return "fine"

    return attempt


@pytest.mark.parametrize("error", [StopIteration(), ValueError("odd"), Broken("as foreseen")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_attempts_that_break_are_counted(error: Exception, jobs: int) -> None:
    count = 2 * WORTH_PROCESSES
    attempts: list[Attempt] = [(str(n), raising(error if n == 3 else None)) for n in range(count)]
    set_jobs(jobs)
    try:
        outcome = counted("none", attempts)
    finally:
        set_jobs(0)
    assert (outcome.done, outcome.failed) == (count, 1)
    assert outcome.note == f"{count - 1} fine"
