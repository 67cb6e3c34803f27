"""What a statement that cannot be read was perhaps meant to be: one word changed, added or left out.

A misspelt keyword is often taken for a noun (`march wehn unit`), and the parser stumbles only later. So
the likely changes are simply tried, the most likely first, and the one that can be read is the suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from rulesdsl.base.lightclass import dataclass

# Words that are forgotten more often than others, the likeliest first.
OFTEN_MISSING = (":", "when", "is", "=", "to", "as", "in", "and", "for", "by", "then", "else", "from", ",")
_JOINING = ("is", "and", "when", ",", "=", "in")
_WORD = re.compile(r"""(?P<remark>\#[^\n]*)|(?P<text>"[^"\n]*"?)|(?P<name>[^\W\d]\w*)|\d+|[<>!]=|[^\w\s]""")
STAND_INS = {"NAME": "x", "INT": "1", "STRING": '""', "DICE": "1d6"}
# Words of everyday English or of other languages, and what they are here.
_OTHER_WORDS = {"if": "when", "unless": "when not", "else": "otherwise", "has": "is", "provided": "when"}
_LOOK_BACK = 12
_LIKELY = 8
_EFFORT = 30_000  # characters read for one explanation

Spellings = Mapping[str, tuple[str, ...]]
Attempt = Callable[[str], tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Word:
    """One word or sign of a text, where it stands."""

    text: str
    start: int
    end: int
    row: int
    is_name: bool


@dataclass(frozen=True, slots=True)
class Repair:
    """`kind` is what was wrong from `start` to `end`: a word `misspelt`, `missing` or `superfluous`."""

    kind: str
    start: int
    end: int
    suggestion: str
    whole: str = ""  # the text with this change, when all of it can be read then


def words_of(text: str) -> list[Word]:
    """The words of a text without its comments."""
    words, row, counted = [], 1, 0
    for found in _WORD.finditer(text):
        row += text.count("\n", counted, found.start())
        counted = found.start()
        if found["remark"] is None:
            words.append(Word(found[0], found.start(), found.end(), row, found["name"] is not None))
    return words


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the parser stopped: the place, the row, and the terminals it would have taken there.

    Those in `bridges` it would have taken and then gone on with what it stumbled over.
    """

    offset: int
    row: int
    accepted: Sequence[str]
    bridges: Sequence[str]


def find_repair(text: str, stop: Stop, known: Spellings, attempt: Attempt) -> Repair | None:
    """The likeliest single change after which the text can be read, at least well beyond the stop.

    `known` tells how terminals are spelt, `attempt` where the parser stops in another text (nowhere: None).
    """
    tries = _EFFORT // (len(text) + 200)
    for repair, changed in _changes(text, stop, known):
        tries -= 1
        if tries < 0:
            break
        now = attempt(changed)
        if now is None:
            return replace(repair, whole=changed)
        if now[0] > stop.row + 1:
            return repair
    return None


@lru_cache(4096)
def nearest(word: str, known: frozenset[str]) -> list[tuple[int, str]]:
    """Known words that differ from `word` by a slip or two of the finger, the nearest first."""
    found = []
    letters = set(word)
    for candidate in known:
        allowed = 1 if min(len(word), len(candidate)) < 5 else 2
        if len(letters.symmetric_difference(candidate)) > 2 * allowed:
            continue  # cannot be near; the exact distance takes long
        distance = slips_between(word, candidate, allowed)
        if 0 < distance <= allowed and (len(candidate) > 2 or len(word) == 2):
            found.append((distance, candidate))
    # of two that are as near, the one with the same end: `wis` is `wins` rather than `win`
    return sorted(found, key=lambda entry: (entry[0], word[-1] != entry[1][-1], entry[1]))


def _changes(text: str, stop: Stop, known: Spellings) -> Iterator[tuple[Repair, str]]:
    words = words_of(text)
    at = next((n for n, word in enumerate(words) if word.end > stop.offset), len(words))
    near = words[max(0, at - _LOOK_BACK) : at + 2]
    here = words[max(0, at - 1) : at + 1][::-1]
    for left, right in reversed([*pairwise(near)]):
        if left.text == right.text:
            yield Repair("superfluous", right.start, right.end, ""), _without(text, right)
    if here and (other := _OTHER_WORDS.get(here[0].text)):
        repair = Repair("misspelt", here[0].start, here[0].end, other)
        yield repair, text[: here[0].start] + other + text[here[0].end :]
    yield from _misspelt(text, near, stop.offset, known)
    for word, following in pairwise(near):
        if word.text in ("=", ",") and word.row < following.row:  # such a line goes on: did it have to?
            yield Repair("missing", word.end, word.end, "NAME"), _insert(text, word.end, "x")
    if at:
        place = words[at - 1].end if words[at - 1].row == stop.row or at == len(words) else words[at].start
        yield from _missing(text, place, stop.bridges, known)
    yield from _not_joined(text, near)
    for word in here:
        yield Repair("superfluous", word.start, word.end, ""), _without(text, word)


def _misspelt(text: str, near: list[Word], offset: int, known: Spellings) -> Iterator[tuple[Repair, str]]:
    words = vocabulary(known)
    found = [
        (distance, abs(offset - word.start), word, suggestion)
        for word in near
        if word.is_name and word.text not in words
        for distance, suggestion in nearest(word.text, words)[:3]
    ]
    for _, _, word, suggestion in sorted(found, key=lambda entry: entry[:2]):
        repair = Repair("misspelt", word.start, word.end, suggestion)
        yield repair, text[: word.start] + suggestion + text[word.end :]


def _missing(text: str, place: int, bridges: Sequence[str], known: Spellings) -> Iterator[tuple[Repair, str]]:
    for name, stand_in in STAND_INS.items():
        if name in bridges:
            yield Repair("missing", place, place, name), _insert(text, place, stand_in)
    fixed = {spelt for name in bridges for spelt in known.get(name, ())[:1]}
    for suggestion in sorted(fixed, key=_likelihood)[:_LIKELY]:
        yield Repair("missing", place, place, suggestion), _insert(text, place, suggestion)


def _not_joined(text: str, near: list[Word]) -> Iterator[tuple[Repair, str]]:
    """Two nouns side by side, backwards from the stop: was a word forgotten between them?"""
    for left, right in zip(near[-2::-1], near[:0:-1], strict=True):
        if (left.is_name or left.text in ")]") and right.is_name and left.row == right.row:
            for suggestion in _JOINING:
                yield Repair("missing", left.end, left.end, suggestion), _insert(text, left.end, suggestion)


def vocabulary(known: Spellings) -> frozenset[str]:
    """Every single word of the language."""
    words = {part.strip("()") for spelt in known.values() for phrase in spelt for part in phrase.split()}
    return frozenset(word for word in words if word.isalpha() and len(word) > 1)


def _likelihood(word: str) -> tuple[int, str]:
    return (OFTEN_MISSING.index(word) if word in OFTEN_MISSING else len(OFTEN_MISSING), word)


def _without(text: str, word: Word) -> str:
    return f"{text[: word.start]} {text[word.end :]}"


def _insert(text: str, place: int, word: str) -> str:
    return f"{text[:place]} {word} {text[place:]}"


def slips_between(one: str, other: str, most: int) -> int:
    """Letters changed, added, dropped, or swapped with their neighbour; anything above `most` when more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        above, row, older = row, [i], before
        for j, b in enumerate(other, start=1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, older[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return most + 1
        before = above
    return row[-1]
