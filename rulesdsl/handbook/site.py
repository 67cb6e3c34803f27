"""The whole handbook: its pages, the addresses of everything in it, and the files it is written to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulesdsl.handbook.blocks import Block, Box, Fold, Grid, Heading, Item, Items, Page, Paragraph, Text
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.chapters import chapter_pages
from rulesdsl.handbook.frontpage import front_page
from rulesdsl.handbook.html import HtmlWriter, anchor_of
from rulesdsl.handbook.indexes import index_pages
from rulesdsl.handbook.inline import Resolve
from rulesdsl.handbook.mappages import map_pages
from rulesdsl.handbook.plainmarkdown import MarkdownWriter
from rulesdsl.handbook.records import record_pages
from rulesdsl.handbook.search import search_entries
from rulesdsl.handbook.sequence import sequence_page
from rulesdsl.handbook.tables import tables_page
from rulesdsl.handbook.template import frame, heads_itself
from rulesdsl.handbook.terrain import terrain_page

_ASSETS = Path(__file__).parent / "assets"
PRINT = "print"


def pages_of(book: Book) -> list[Page]:
    """All pages, in the order of the navigation."""
    found = [*chapter_pages(book), sequence_page(book), tables_page(book), terrain_page(book)]
    found += [*map_pages(book), *index_pages(book), *record_pages(book)]
    pages = [page for page in found if page is not None and page.blocks]
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


def _targets(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(target=target) | Text(target=target):
                yield from (target,) if target else ()
            case Paragraph(target=target, inside=inside) | Box(target=target, inside=inside):
                yield from (target,) if target else ()
                yield from _targets(inside)
            case Fold(inside=inside):
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
def html_files(book: Book) -> dict[str, str]:
    """File name → text, the same bytes for the same game."""
    pages = pages_of(book)
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
        f'<article class="sheet" id="page-{page.name}">'
        f"{'' if heads_itself(page) else f'<h1>{writer.text(page.title)}</h1>'}"
        f"{writer.blocks(page.blocks)}</article>"
        for page in pages
    ]
    whole = Page(PRINT, f"{book.source.game.title}: print edition", "", ())
    files[f"{PRINT}.html"] = frame(book, pages, whole, "\n".join(parts), None, None)
    entries = search_entries(pages, addresses.seen_from(""), spell)
    files["search-index.js"] = (
        f"window.handbookIndex = {json.dumps(entries, ensure_ascii=False, separators=(',', ':'))};\n"
    )
    for asset in sorted(_ASSETS.iterdir()):
        files[asset.name] = asset.read_text("utf-8")
    return files


def markdown_files(book: Book) -> dict[str, str]:
    """The same pages as Markdown, with the drawings as files."""
    pages = pages_of(book)
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
            path.write_bytes(text.encode())
