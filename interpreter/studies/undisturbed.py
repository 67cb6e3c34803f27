"""Read by every worker of `dask-local` when it starts: Ctrl-C is for the program that collects the games.

The terminal sends it to all of them, and each would tell at length where it was interrupted.
"""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Dask calls this by its name."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
