"""The reading edition: the rules as a booklet, with contents, running heads and the map as a fold-out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.chapters import chapter_pages
from rulesdsl.handbook.pages.map_pages import map_pages
from rulesdsl.handbook.pages.records import record_pages
from rulesdsl.handbook.pages.sequence import sequence_page
from rulesdsl.handbook.pages.terrain import terrain_page
from rulesdsl.handbook.site import targets_of
from rulesdsl.handbook.writers.template import heads_itself
from rulesdsl.speaking.blocks import Fold, Layer, Page, Paragraph, Picture
from rulesdsl.speaking.english import listed
from rulesdsl.speaking.inline import said
from rulesdsl.typesetting.marks import quoted
from rulesdsl.typesetting.printing_press import Document
from rulesdsl.typesetting.writer import TypstWriter

_STYLE = Path(__file__).parent / "reading.typ"


def reading_edition(book: Book) -> Document:
    """Prose, tables, printed examples with a cut-out of the map, readings in the margin; nothing derived."""
    pages = [*chapter_pages(book)]
    reference = [page for page in (_as_list(sequence_page(book)), terrain_page(book)) if page is not None]
    changes = [page for page in record_pages(book) if page.name == "changes"]
    parts = [*pages, *reference, *changes]
    targets = {target for page in parts for target in targets_of(_shown(page))}
    targets |= {f"page:{page.name}" for page in parts}
    writer = TypstWriter(targets.__contains__, book.names.lexicon.spelled)
    body = [_page(writer, page) for page in parts]
    body += _fold_out(book, writer)
    return Document("\n\n".join((_STYLE.read_text("utf-8"), _front(book), *body)), writer.drawings)


def _shown(page: Page) -> Page:
    """A page with what a reader sees of it: targets inside layers are not in the booklet."""
    blocks = tuple(
        replace(block, inside=tuple(b for b in block.inside if not isinstance(b, Layer)))
        if isinstance(block, Paragraph)
        else block
        for block in page.blocks
        if not isinstance(block, Layer)
    )
    return replace(page, blocks=blocks)


def _as_list(page: Page) -> Page:
    """A page that is drawn and told as a list, as the list: paper has no style sheet for drawings."""
    lists = tuple(inside for block in page.blocks if isinstance(block, Fold) for inside in block.inside)
    return replace(page, blocks=lists or page.blocks)


def _page(writer: TypstWriter, page: Page) -> str:
    place = writer.label(f"page:{page.name}")
    if heads_itself(page):
        return f"{place}{writer.blocks(page.blocks)}"
    return f"#chapter[{writer.text(page.title)}]{place}\n\n{writer.blocks(page.blocks)}"


def _front(book: Book) -> str:
    """Title, what the game is, who plays it, and the contents with their pages."""
    game, words = book.source.game, book.chrome
    lines = [said(game.summary or "")]
    lines.append(f"{words('Players')}: {listed([said(p.name) for p in game.players])}.")
    if book.source.house:
        titles = listed([said(house.title) for house in book.source.house])
        lines.append(f"{words('With house rules')}: {titles}.")
    shown = ", ".join(quoted(line) for line in lines if line)
    return f"#front({quoted(said(game.title))}, ({shown},), {quoted(words('Contents'))})"


def _fold_out(book: Book, writer: TypstWriter) -> Sequence[str]:
    """The map on a sheet of its own, as large as it is."""
    for page in map_pages(book):
        for block in page.blocks:
            if page.name == "map" and isinstance(block, Picture):
                writer.picture(block)
                return [f"#fold-out({quoted(block.name + '.svg')}, {quoted(book.chrome('Map'))})"]
    return []
