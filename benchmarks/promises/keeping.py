"""Long measurements in small parts: each part is written down when it is done, and never done twice.

`python benchmarks/bars.py random-edits --keep DIRECTORY` can be stopped; the same command goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.promises import Outcome

Attempt = tuple[str, Callable[[], str]]  # what is tried, and how: the answer is a word for the summary
FAILED = "failed: "
_directory: Path | None = None


class Broken(AssertionError):
    """A promise that does not hold, told by the attempt that found it."""


def keep_in(directory: Path | None) -> None:
    """Where results are kept from now on; None: nowhere."""
    global _directory
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
    _directory = directory


def answers(bar: str, attempts: Iterable[Attempt]) -> Iterator[tuple[str, str]]:
    """Every attempt with its answer, from the file or made now; a broken promise answers `failed: …`."""
    path = _directory / f"{bar}.jsonl" if _directory is not None else None
    known = dict(_known(path)) if path is not None and path.exists() else {}
    waiting = list(attempts)
    for number, (name, attempt) in enumerate(waiting, 1):
        answer = known.get(name)
        if answer is None:
            try:
                answer = attempt()
            except Broken as broken:
                answer = f"{FAILED}{broken}"
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([name, answer], ensure_ascii=False) + "\n")
                print(f"{bar} {number}/{len(waiting)} {name}: {answer}", file=sys.stderr, flush=True)
        yield name, answer


def _known(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            name, answer = json.loads(line)
        except ValueError:  # the run was stopped while it wrote this line
            continue
        yield name, answer


def counted(bar: str, attempts: Iterable[Attempt]) -> Outcome:
    """How many there were of each answer."""
    outcome = Outcome()
    seen: dict[str, int] = {}
    for name, answer in answers(bar, attempts):
        outcome.done += 1
        if answer.startswith(FAILED):
            outcome.failure(f"{name}: {answer.removeprefix(FAILED)}")
        else:
            seen[answer] = seen.get(answer, 0) + 1
    outcome.note = ", ".join(f"{count} {answer}" for answer, count in sorted(seen.items()))
    return outcome
