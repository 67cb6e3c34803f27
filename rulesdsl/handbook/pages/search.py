"""What the search knows: one entry for each place of the handbook, with its words.

What players read (titles, prose) counts more than what is derived, and a paragraph more than a counter: an
entry keeps them apart. How a question is answered is the script's business (`assets/search.js`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from rulesdsl.handbook.book import Book
from rulesdsl.speaking.blocks import (
    Block,
    Box,
    Cell,
    Fold,
    Grid,
    Heading,
    Item,
    Items,
    Layer,
    Margin,
    Page,
    Paragraph,
    Prose,
    Text,
)
from rulesdsl.speaking.inline import Resolve, Spell, plain

# where it is, number or kind, title, words a player reads, words that are derived, how much it counts
Entry = tuple[str, str, str, str, str, float]
_SPACES = re.compile(r"\s+")
_THESAURUS = Path(__file__).parent.parent / "thesaurus.yaml"
_ALSO = re.compile(r"\*\*([^*]+)\*\*,? (?:also|or) \*([^*]+)\*")
_PARAGRAPH, _TABLE, _THING, _PAGE = 1.0, 0.8, 0.35, 0.3


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of some blocks: those one reads and those that are derived."""

    read: str
    derived: str


def search_entries(pages: Iterable[Page], resolve: Resolve, spell: Spell) -> list[Entry]:
    """Paragraphs, spaces, counters, tables and terms; in the order of the pages."""
    found = (
        entry
        for page in pages
        if page.name not in ("index", "terms", "words")
        for entry in _page(page, resolve)
    )
    return [
        (where, kind, spell(title), spell(read), spell(derived), weight)
        for where, kind, title, read, derived, weight in found
    ]


def synonyms(book: Book) -> list[list[str]]:
    """Words that mean the same to players: those of the trade, and what the rulebook calls “also”."""
    trade = yaml.safe_load(_THESAURUS.read_text("utf-8"))
    groups = [[str(word) for word in group] for group in trade]
    for paragraph in book.program.paragraphs.values():
        groups += [[one.strip(), other.strip()] for one, other in _ALSO.findall(paragraph.prose)]
    return groups


def _page(page: Page, resolve: Resolve) -> Iterator[Entry]:
    section = "" if page.level else page.section
    yield (resolve(f"page:{page.name}") or "", "", page.title, section, "", _PAGE)
    for block in page.blocks:
        match block:
            case Paragraph(number=number, title=title, target=target, inside=inside):
                words = _of(inside)
                yield (resolve(target) or "", number, plain(title), words.read, words.derived, _PARAGRAPH)
            case Heading(text=text, target=target) if target:
                yield (resolve(target) or "", page.title, plain(text), "", "", _TABLE)
            case Grid(rows=rows):
                for row in rows:
                    if row.target and not row.target.startswith("rule:"):
                        first, *rest = (plain(cell.text) for cell in row.cells)
                        yield (resolve(row.target) or "", page.title, first, "", _joined(rest), _THING)
            case _:
                pass


def _of(blocks: Iterable[Block]) -> _Words:
    blocks = tuple(blocks)
    return _Words(_joined(_words(blocks, False)), _joined(_words(blocks, True)))


def _words(blocks: Iterable[Block], derived: bool, inside_layer: bool = False) -> Iterator[str]:
    """Prose, sentences and names; not the code, whose words are in the sentences already."""
    for block in blocks:
        match block:
            case Layer(inside=inside):
                yield from _words(inside, derived, True)
            case Margin(inside=inside):
                yield from _words(inside, derived, True)
            case Box(title=title, inside=inside, kind=kind) if kind == "reading":
                yield from (plain(title),) if derived else ()
                yield from _words(inside, derived, inside_layer)
            case Fold(inside=inside, kind=kind) if kind not in ("code", "log"):
                yield from _words(inside, derived, inside_layer)
            case _ if inside_layer == derived:
                yield from _own(block)
            case _:
                pass


def _own(block: Block) -> Iterator[str]:
    match block:
        case Prose(text=text):
            yield re.sub(r"[*`_#|]", " ", plain(text))
        case Text(text=text, kind=kind) if not kind.startswith("relation"):
            yield plain(text)
        case Items(items=items, kind=kind) if kind != "relations":
            yield from _item_words(items)
        case Grid(rows=rows, caption=caption):
            yield plain(caption)
            yield from (_cell(row.cells[0]) for row in rows if row.cells)
        case _:
            pass


def _cell(cell: Cell) -> str:
    return plain(cell.text)


def _item_words(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield plain(item.text)
        yield from _item_words(item.inside)


def _joined(words: Iterable[str]) -> str:
    return _SPACES.sub(" ", " ".join(words)).strip()
