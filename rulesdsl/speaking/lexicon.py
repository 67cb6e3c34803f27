"""How a rulebook itself writes its words: “Roman”, “VP”, “Caesar’s”, and what it says “a” before.

Identifiers are written small and without signs. The prose beside them tells how a reader expects to see them:
a word that the prose always writes large, also inside a sentence, is a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from rulesdsl.speaking.inline import NOT_WORDS

if TYPE_CHECKING:
    from rulesdsl.program import Program

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’]s)?(?!\w)")
_CODE = re.compile(r"`[^`]*`")
_INSIDE = re.compile(r"(?<!\w)[a-z0-9][\w'’-]*[,;)]? $")  # before a name inside a sentence
_ALONE = re.compile(r"\s?(?:[^\w\s]|[a-z0-9]|$)")  # what stands after it: no other part of a longer name
_AFTER_NOUN = (
    r"(?=[.,;:)!?]|\s+(?:is|are|was|that|which|when|where|while|if|unless|or|and|in|on|at|of|to|by|with|from|"
    r"for|has|may|must|can|cannot|costs|between|into|across|along|than)\b|\s*$)"
)
_PEOPLE = re.compile(r"(?:n|v|k|l)s$")
_ADVERBS = r"(?:not |already |just |never |ever )*"
_VERBS = ("are|have|were", "is|has|was")


def _letters(word: str) -> str:
    """As identifiers write it: small, without signs and accents."""
    plain = word.replace("’", "").lower()
    if plain.isascii():
        return plain
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


class Lexicon:
    """The words of some texts."""

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, program: Program) -> Lexicon:
        """The words of a rulebook’s prose."""
        return cls(paragraph.prose for paragraph in program.paragraphs.values())

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = "\n\n".join(_CODE.sub(" ", text) for text in texts)
        self._counts: dict[str, int] = {}

    @cached_property
    def written(self) -> dict[str, str]:
        """Words that are always written large, by their letters in small: `vp` → `VP`."""
        small: set[str] = set()
        large: dict[str, None] = {}
        for match in _WORD.finditer(self._text):
            word = match[0].replace("'", "’")
            if word[0].islower():
                small.add(_letters(word))
            elif (len(word) > 1 and word.isupper()) or (len(word) > 2 and self._is_inside(match)):
                large[word] = None
        found = {_letters(word): word for word in large}
        # Where there are “Romans” there is something “Roman”.
        ones = {key[:-1]: word[:-1] for key, word in found.items() if len(key) > 5 and _PEOPLE.search(key)}
        return {key: word for key, word in (ones | found).items() if key not in small}

    def _is_inside(self, word: re.Match[str]) -> bool:
        """Whether a word stands by itself inside a sentence: not first, not part of a longer name."""
        before = self._text[max(0, word.start() - 24) : word.start()]
        return bool(_INSIDE.search(before) and _ALONE.match(self._text, word.end()))

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        keys = {key for key, word in self.written.items() if word != key.capitalize()}
        known = {*self.written, *(key.capitalize() for key in keys)}
        if not known:
            return None
        spelled = sorted(known, key=lambda key: (-len(key), key))  # the longest first
        return re.compile(rf"{NOT_WORDS}|(?<![\w./-])(?:{'|'.join(map(re.escape, spelled))})(?![\w/]|\.\w)")

    def spelled(self, text: str) -> str:
        """A text of the handbook, marks and all, with the names in it written as the rulebook writes them."""
        if self._names is None:
            return text
        return self._names.sub(lambda match: self.written.get(match[0].lower(), match[0]), text)

    def is_noun(self, words: str) -> bool:
        """Whether the rulebook says “a river” where it could not mean “a river crossing”."""
        return self._count(words, rf"\ban? {re.escape(words)}{_AFTER_NOUN}") > 0

    def speaks_of(self, words: str) -> bool:
        """Whether some words stand together in the rulebook."""
        return self._count(words, rf"\b{re.escape(words)}\b") > 0

    def has(self, participle: str) -> int:
        """How often the rulebook says that somebody “has moved”."""
        return self._count(participle, rf"\b(?:has|have|having|had) {_ADVERBS}{re.escape(participle)}\b")

    def was(self, participle: str) -> int:
        """How often that somebody “is moved” or “has been moved”."""
        return self._count(participle, rf"\b(?:is|are|was|were|be|been) {_ADVERBS}{re.escape(participle)}\b")

    def as_several(self, name: str) -> int:
        """How much more often something “are” than “is”."""
        said = rf"(?<!of )(?<!of a )(?<!of an )(?<!of the )(?<!\w){re.escape(name)}"
        count = [self._count(name, rf"{said} (?:{verbs})\b") for verbs in _VERBS]
        return count[0] - count[1]

    def _count(self, words: str, pattern: str) -> int:
        """How often a pattern with these words in it stands in the rulebook, large or small.

        The same is asked again and again, and mostly of words that do not stand there at all: the pattern,
        which is tried letter by letter, is the last resort.
        """
        if words.lower() not in self._in_small:
            return 0
        if pattern not in self._counts:
            self._counts[pattern] = len(re.findall(pattern, self._text, re.IGNORECASE))
        return self._counts[pattern]

    @cached_property
    def _in_small(self) -> str:
        return self._text.lower()

    @lru_cache(maxsize=64)  # noqa: B019 (a lexicon is kept as long as its program)
    def takes_the(self, name: str) -> bool:
        """Whether the prose says “the Gauls” of somebody."""
        return re.search(rf"\b[Tt]he {re.escape(name)}{_AFTER_NOUN}", self._text) is not None

    def is_people(self, name: str) -> bool:
        """Whether a name means several: the prose speaks of “the Romans”."""
        return name.endswith("s") and re.search(rf"\b[Tt]he {re.escape(name)}\b", self._text) is not None
