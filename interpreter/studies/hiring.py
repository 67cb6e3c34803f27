"""Which crew plays a study: this process, several, or a Dask cluster."""

from __future__ import annotations

from interpreter.studies.crews import DASK, DASK_LOCAL, Alone, Crew, Processes
from rulesdsl.base.diagnostics import UsageError


def make_crew(jobs: int, on: str | None) -> Crew:
    """`--jobs N`, and `--on dask-local` or `--on dask://host:port`."""
    if on is None:
        return Alone() if jobs <= 1 else Processes(jobs)
    if on != DASK_LOCAL and not (on.startswith(DASK) and len(on) > len(DASK)):
        raise UsageError(f'--on {on}: write "dask-local", or "dask://host:port" for a scheduler that runs')
    try:
        from interpreter.studies.cluster import Cluster  # only here: Dask is an extra
    except ImportError as error:
        if error.name not in ("distributed", "dask"):
            raise
        raise UsageError("--on needs the extra cluster: pip install 'rulesdsl[cluster]'") from None
    return Cluster(on, jobs)
