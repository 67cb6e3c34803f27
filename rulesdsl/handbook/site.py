"""The whole handbook: its pages, the addresses of everything in it, and the files it is written to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulesdsl.base.writing import write_file
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.chapters import chapter_pages
from rulesdsl.handbook.pages.front_page import front_page
from rulesdsl.handbook.pages.indexes import index_pages
from rulesdsl.handbook.pages.map_pages import map_pages
from rulesdsl.handbook.pages.records import record_pages
from rulesdsl.handbook.pages.search import search_entries, synonyms
from rulesdsl.handbook.pages.sequence import sequence_page
from rulesdsl.handbook.pages.tables import tables_page
from rulesdsl.handbook.pages.terrain import terrain_page
from rulesdsl.handbook.writers.html import HtmlWriter, anchor_of
from rulesdsl.handbook.writers.markdown import MarkdownWriter
from rulesdsl.handbook.writers.template import frame, heads_itself
from rulesdsl.speaking.blocks import (
    Block,
    Box,
    Fold,
    Grid,
    Heading,
    Item,
    Items,
    Layer,
    Margin,
    Page,
    Paragraph,
    Text,
)
from rulesdsl.speaking.inline import Resolve

_ASSETS = Path(__file__).parent / "assets"
PRINT = "print"


def pages_of(book: Book, extra: Sequence[Page] = ()) -> list[Page]:
    """All pages, in the order of the navigation; `extra` ones stand before the tables."""
    found = [*chapter_pages(book), *extra, sequence_page(book), tables_page(book), terrain_page(book)]
    found += [*map_pages(book), *index_pages(book), *record_pages(book)]
    words = book.chrome
    pages = [replace(page, title=words(page.title)) for page in found if page is not None and page.blocks]
    return [front_page(book, pages), *pages]


class Addresses:
    """Where every target is. The print edition is one page, so there everything is on the same page."""

    def __init__(self, pages: Iterable[Page], suffix: str) -> None:
        self.suffix = suffix
        self.places: dict[str, tuple[str, str]] = {}
        for page in pages:
            self.places.setdefault(f"page:{page.name}", (page.name, f"page-{page.name}"))
            for target in _targets(page.blocks):
                self.places.setdefault(target, (page.name, anchor_of(target)))

    def seen_from(self, page: str) -> Resolve:
        def resolve(target: str) -> str | None:
            place = self.places.get(target)
            if place is None:
                return None
            name, anchor = place
            if page in (name, PRINT):
                return f"#{anchor}"
            whole = target.startswith("page:")
            return f"{name}{self.suffix}" if whole else f"{name}{self.suffix}#{anchor}"

        return resolve


def targets_of(page: Page) -> Iterator[str]:
    """Every place of a page that links can lead to."""
    return _targets(page.blocks)


def _targets(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(target=target) | Text(target=target):
                yield from (target,) if target else ()
            case Paragraph(target=target, inside=inside) | Box(target=target, inside=inside):
                yield from (target,) if target else ()
                yield from _targets(inside)
            case Fold(inside=inside) | Layer(inside=inside) | Margin(inside=inside):
                yield from _targets(inside)
            case Grid(rows=rows):
                yield from (row.target for row in rows if row.target)
            case Items(items=items):
                yield from _item_targets(items)
            case _:
                pass


def _item_targets(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield from (item.target,) if item.target else ()
        yield from _item_targets(item.inside)


# ---- files -------------------------------------------------------------------------------------------
def html_files(book: Book, extra: Sequence[Page] = ()) -> dict[str, str]:
    """File name → text, the same bytes for the same game."""
    pages = pages_of(book, extra)
    addresses = Addresses(pages, ".html")
    spell = book.names.lexicon.spelled
    files: dict[str, str] = {}
    for number, page in enumerate(pages):
        body = HtmlWriter(addresses.seen_from(page.name), spell).blocks(page.blocks)
        before = pages[number - 1] if number else None
        after = pages[number + 1] if number + 1 < len(pages) else None
        files[f"{page.name}.html"] = frame(book, pages, page, body, before, after)
    writer = HtmlWriter(addresses.seen_from(PRINT), spell, unfolded=True)
    parts = [
        f'<article class="sheet{" layer everything" if page.level else ""}" id="page-{page.name}">'
        f"{'' if heads_itself(page) else f'<h1>{writer.text(page.title)}</h1>'}"
        f"{writer.blocks(page.blocks)}</article>"
        for page in pages
    ]
    whole = Page(PRINT, f"{book.source.game.title}: print edition", "", ())
    files[f"{PRINT}.html"] = frame(book, pages, whole, "\n".join(parts), None, None)
    entries = search_entries(pages, addresses.seen_from(""), spell)
    known = {"handbookIndex": entries, "handbookSynonyms": synonyms(book)}
    files["search-index.js"] = "".join(f"window.{name} = {_compact(it)};\n" for name, it in known.items())
    for asset in sorted(_ASSETS.iterdir()):
        files[asset.name] = asset.read_text("utf-8")
    return files


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def markdown_files(book: Book, extra: Sequence[Page] = ()) -> dict[str, str]:
    """The same pages as Markdown, with the drawings as files."""
    pages = pages_of(book, extra)
    addresses = Addresses(pages, ".md")
    files: dict[str, str] = {}
    for page in pages:
        writer = MarkdownWriter(addresses.seen_from(page.name), book.names.lexicon.spelled)
        text = writer.blocks(page.blocks)
        head = "" if heads_itself(page) else f"# {writer.text(page.title)}\n\n"
        files[f"{page.name}.md"] = f'<a id="page-{page.name}"></a>\n{head}{text}\n'
        files |= writer.pictures
    return files


def write_files(files: dict[str, str], directory: Path) -> None:
    """Write them; a file that is already there with the same text is left alone."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = directory / name
        if not path.is_file() or path.read_bytes() != text.encode():
            write_file(path, text)
