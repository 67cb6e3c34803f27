"""One thing that could be written, and the choice among many of them."""

from __future__ import annotations

from collections.abc import Iterable

from rulesdsl.base.lightclass import dataclass

MOST = 400


@dataclass(frozen=True, slots=True)
class Proposal:
    """`typed` is the part of it that stands there already and is replaced; `rank` 0 fits best."""

    word: str
    kind: str
    detail: str = ""
    rank: int = 1
    typed: str | None = None
    insert: str = ""


def narrowed(found: Iterable[Proposal], typed: str) -> list[Proposal]:
    """Each once, in the order in which they are likely, those that begin as typed first."""
    small = typed.casefold()
    once: dict[str, Proposal] = {}
    for one in found:
        known = once.get(one.word)
        if known is None or one.rank < known.rank:
            once[one.word] = one
    matching = [
        one for one in once.values() if small in one.word.casefold() or small in one.detail.casefold()
    ]
    matching.sort(key=lambda one: (not one.word.casefold().startswith(small), one.rank, one.word))
    return matching[:MOST]
