"""The index of the words players use: terms and titles, with the paragraphs that speak of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.handbook.analysis.chart import printed_features
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.translations import own_prose
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Block, Cell, Grid, Row
from rulesdsl.speaking.english import in_words
from rulesdsl.speaking.inline import capital, said

_TERM = re.compile(r"\*\*([^*\n]{3,40})\*\*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST = 36  # paragraphs of one entry: what is everywhere leads nowhere
_SMALL = frozenset({
    "from", "with", "into", "over", "that", "this", "these", "than", "when", "where", "what", "which",
    "after", "before", "between", "only", "other", "each", "every", "some", "more", "most", "less", "then",
    "their", "them", "they", "have", "does", "must", "will", "would", "could", "both", "many", "much", "same",
    "once", "twice", "first", "last", "next", "general", "example", "examples", "table",
})  # fmt: skip


def word_index(book: Book) -> Iterator[Block]:
    """One row for each word, in the order of the alphabet."""
    texts = {
        identity: "\n".join(_title_and_prose(book, identity, paragraph)).lower()
        for identity, paragraph in book.program.paragraphs.items()
    }
    rows = []
    for word in sorted(_words(book), key=str.casefold):
        pattern = re.compile(rf"(?<!\w){re.escape(_stem(word.lower()))}\w{{0,3}}(?!\w)")
        found = [identity for identity, text in texts.items() if pattern.search(text)]
        if 0 < len(found) <= _MOST:
            rows.append(Row((Cell(capital(word), "head"), Cell(book.rules(found)))))
    if rows:
        yield Grid((book.chrome("Word"), book.chrome("Paragraphs")), tuple(rows), kind="entries")


def _words(book: Book) -> set[str]:
    """Terms in bold, words of titles, classes of things, what is printed on the map; each once."""
    found: dict[str, str] = {}
    for identity, paragraph in book.program.paragraphs.items():
        title, prose = _title_and_prose(book, identity, paragraph)
        for term in _TERM.findall(prose if identity in book.translation else paragraph.prose):
            found.setdefault(_stem(term.lower().strip(" .:")), said(term).strip(" .:"))
        for word in _WORD.findall(title):
            if word.lower() not in _SMALL:
                small = word.lower() in _plain(book)
                found.setdefault(_stem(word.lower()), said(word.lower() if small else word))
    for feature in printed_features(book):
        called = book.own(in_words(feature))
        found.setdefault(_stem(called.lower()), called)
    for noun in book.names.nouns():
        called = book.own(in_words(noun))
        found.setdefault(_stem(called.lower()), called)
    return set(found.values())


def _title_and_prose(book: Book, identity: str, paragraph: sx.Paragraph) -> tuple[str, str]:
    """Of a paragraph, in the reader's language."""
    other = book.translation.get(identity)
    return (paragraph.title, own_prose(paragraph)) if other is None else (other.title, other.prose)


def _plain(book: Book) -> str:
    """The prose, for the question whether a word of a title is written small inside a sentence."""
    text: str | None = book.__dict__.get("plain_prose")
    if text is None:
        text = book.__dict__["plain_prose"] = "\n".join(
            [p.prose for p in book.program.paragraphs.values()]
            + [other.prose for other in book.translation.values()]
        )
    return text


def _stem(word: str) -> str:
    for ending in ("ies", "es", "s", "ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word
