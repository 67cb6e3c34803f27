"""What the search knows: one entry for each place of the handbook, with its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulesdsl.handbook.blocks import (
    Block,
    Box,
    Fold,
    Grid,
    Heading,
    Item,
    Items,
    Page,
    Paragraph,
    Prose,
    Text,
)
from rulesdsl.handbook.inline import Resolve, Spell, plain

Entry = tuple[str, str, str, str]  # where it is, number or kind, title, words
_SPACES = re.compile(r"\s+")


def search_entries(pages: Iterable[Page], resolve: Resolve, spell: Spell) -> list[Entry]:
    """Paragraphs, spaces, counters, tables and terms; in the order of the pages."""
    found = (entry for page in pages if page.name != "index" for entry in _page(page, resolve))
    return [(where, kind, spell(title), spell(words)) for where, kind, title, words in found]


def _page(page: Page, resolve: Resolve) -> Iterator[Entry]:
    yield (resolve(f"page:{page.name}") or "", "", page.title, page.section)
    for block in page.blocks:
        match block:
            case Paragraph(number=number, title=title, target=target, inside=inside):
                yield (resolve(target) or "", number, plain(title), _joined(_words(inside)))
            case Heading(text=text, target=target) if target:
                yield (resolve(target) or "", page.title, plain(text), "")
            case Grid(rows=rows):
                for row in rows:
                    if row.target and not row.target.startswith("rule:"):
                        first, *rest = (plain(cell.text) for cell in row.cells)
                        yield (resolve(row.target) or "", page.title, first, _joined(rest))
            case _:
                pass


def _words(blocks: Iterable[Block]) -> Iterator[str]:
    """Prose, sentences and names; not the code, whose words are in the sentences already."""
    for block in blocks:
        match block:
            case Prose(text=text):
                yield re.sub(r"[*`_#|]", " ", plain(text))
            case Text(text=text, kind=kind) if not kind.startswith("relation"):
                yield plain(text)
            case Items(items=items):
                yield from _item_words(items)
            case Box(title=title, inside=inside, kind=kind) if kind == "reading":
                yield plain(title)
                yield from _words(inside)
            case Fold(inside=inside, kind=kind) if kind not in ("code", "log"):
                yield from _words(inside)
            case _:
                pass


def _item_words(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield plain(item.text)
        yield from _item_words(item.inside)


def _joined(words: Iterable[str]) -> str:
    return _SPACES.sub(" ", " ".join(words)).strip()
