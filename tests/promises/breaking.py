"""Damaged chapters, data files, house rules and saves: no traceback, no hang, no damage in silence.

The mutators and what reads their bytes are in `tests/fuzzing`; there the same can be fed by atheris.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzzing.harnesses import OWN, REFUSED, standing_place
from tests.fuzzing.trials import Found
from tests.promises import Outcome
from tests.promises.keeping import Broken, counted

_AT_ONCE = 100  # numbers of one attempt: each is short


def broken_chapters(count: int) -> Outcome:
    return _broken("chapters", count)


def broken_data(count: int) -> Outcome:
    return _broken("yaml", count)


def broken_house_rules(count: int) -> Outcome:
    return _broken("house", count)


def broken_saves(count: int) -> Outcome:
    return _broken("saves", count)


def _broken(kind: str, count: int) -> Outcome:
    """Numbers 0 to `count`, each a damaged file of this kind; a tenth at least must be refused."""
    total = Outcome()
    refused = 0
    standing_place()  # before there are other processes
    parts = [range(first, min(count, first + _AT_ONCE)) for first in range(0, count, _AT_ONCE)]
    attempts = [(f"{part.start} to {part.stop}", _attempt(kind, part)) for part in parts]
    found = counted(f"broken-{kind}", attempts)
    for answer in found.note.split(", ") if found.note else []:
        times, words = answer.split(" ", 1)
        refused += int(times) * int(words.split()[0])
    total.done, total.failed, total.examples = count, found.failed, found.examples
    total.note = f"{refused} refused with a place or a sentence"
    if not found.failed and refused < count // 10:
        total.failure(f"only {refused} of {count} were refused: that is little damage")
    return total


def _attempt(kind: str, part: range) -> Callable[[], str]:
    def attempt() -> str:
        refused = 0
        for number in part:
            try:
                refused += OWN[kind](number) == REFUSED
            except Found as found:
                raise Broken(f"{kind} {number}: {found}") from found
        return f"{refused} refused"

    return attempt
