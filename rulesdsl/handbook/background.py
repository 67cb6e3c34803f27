"""One piece of work done by another process meanwhile, where that is possible; otherwise when it is wanted.

Drawing a large map takes as long as everything else together, and needs nothing of it.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection


def meanwhile(work: Callable[[], str]) -> Callable[[], str]:
    """Begin some work; calling what is returned gives its result, and waits for it if need be."""
    if "fork" not in multiprocessing.get_all_start_methods() or (os.cpu_count() or 1) < 2:
        return work
    context = multiprocessing.get_context("fork")  # nothing has to be copied by hand, and no thread runs yet
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, work), daemon=True)
    try:
        process.start()
    except OSError:  # no room for another process
        return work
    there.close()

    def result() -> str:
        try:
            found: str | None = here.recv()
        except EOFError:
            found = None
        process.join()
        return work() if found is None else found  # a failure shows itself here, where it can be reported

    return result


def _send(there: Connection, work: Callable[[], str]) -> None:
    try:
        made: str | None = work()
    except Exception:
        made = None
    there.send(made)
