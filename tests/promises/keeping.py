"""Long measurements in small parts: each part is written down when it is done, and never done twice.

`python benchmarks/bars.py random-edits --keep DIRECTORY` can be stopped; the same command goes on.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path

from tests.promises import Outcome, jobs

Attempt = tuple[str, Callable[[], str]]  # what is tried, and how: the answer is a word for the summary
FAILED = "failed: "
WORTH_PROCESSES = 20  # attempts
_directory: Path | None = None
_waiting: list[Attempt] = []


class Broken(AssertionError):
    """A promise that does not hold, told by the attempt that found it."""


def keep_in(directory: Path | None) -> None:
    """Where results are kept from now on; None: nowhere."""
    global _directory
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
    _directory = directory


def answers(
    bar: str, attempts: Sequence[Attempt], alone: bool = False, lifetime: int | None = None
) -> Iterator[tuple[str, str]]:
    """Every attempt with its answer, from the file or made now; a broken promise answers `failed: …`.
    `alone`: one after the other, here; `lifetime`: a process makes so many, and all that is left of them
    goes with it."""
    path = _directory / f"{bar}.jsonl" if _directory is not None else None
    known = dict(_known(path)) if path is not None and path.exists() else {}
    yield from ((name, known[name]) for name, _ in attempts if name in known)
    missing = [attempt for attempt in attempts if attempt[0] not in known]
    for name, answer in map(_answer, missing) if alone else _made(missing, lifetime):
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, answer], ensure_ascii=False) + "\n")
        yield name, answer


def _made(attempts: Sequence[Attempt], lifetime: int | None) -> Iterator[tuple[str, str]]:
    """Attempts share nothing, so several processes may do them; a few are not worth the processes."""
    if (jobs() == 1 and lifetime is None) or len(attempts) < WORTH_PROCESSES:
        yield from map(_answer, attempts)
        return
    _waiting[:] = attempts  # the children inherit them: what is tried need not be picklable
    with get_context("fork").Pool(jobs(), maxtasksperchild=lifetime) as pool:
        yield from pool.imap_unordered(_waiting_answer, range(len(attempts)))


def _waiting_answer(index: int) -> tuple[str, str]:
    return _answer(_waiting[index])


def _answer(attempt: Attempt) -> tuple[str, str]:
    name, made = attempt
    try:
        return name, made()
    except Broken as broken:
        return name, f"{FAILED}{broken}"
    except Exception as error:
        # A fault of the attempt itself. Handed on by the pool, a `StopIteration` would end the whole bar
        # as if every attempt had been made.
        return name, f"{FAILED}the attempt broke: {''.join(traceback.format_exception(error)[-3:])}"


def _known(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            name, answer = json.loads(line)
        except ValueError:  # the run was stopped while it wrote this line
            continue
        yield name, answer


def counted(bar: str, attempts: Sequence[Attempt], most: str = "", lifetime: int | None = None) -> Outcome:
    """How many there were of each answer; `most` is the one that half of them must give; see `answers`."""
    outcome = Outcome()
    seen: dict[str, int] = {}
    for name, answer in answers(bar, attempts, lifetime=lifetime):
        outcome.done += 1
        if answer.startswith(FAILED):
            outcome.failure(f"{name}: {answer.removeprefix(FAILED)}")
        else:
            seen[answer] = seen.get(answer, 0) + 1
    if outcome.done != len(attempts):
        outcome.failure(f"only {outcome.done} of {len(attempts)} were answered")
    outcome.note = ", ".join(f"{count} {answer}" for answer, count in sorted(seen.items()))
    if most and 2 * seen.get(most, 0) < outcome.done:
        outcome.failure(f"only {seen.get(most, 0)} of {outcome.done}: {most}")
    return outcome
