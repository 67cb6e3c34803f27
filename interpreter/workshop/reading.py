"""The rulebook as it is read, and what house rules change, as HTML of our own making."""

from __future__ import annotations

from typing import Any

from interpreter.workshop.bench import Bench, Looked
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.pages.change_sheet import change_sheet
from rulesdsl.handbook.pages.chapters import chapter_title, paragraph_block
from rulesdsl.handbook.words_of_changes import amendment_sheet
from rulesdsl.handbook.writers.html import HtmlWriter, anchor_of
from rulesdsl.house.differences.rule_diff import diff_rules


def address(target: str) -> str | None:
    """Paragraphs are on the page; of everything else only the words stay."""
    return f"#{anchor_of(target)}" if target.startswith("rule:") else None


def rulebook(bench: Bench) -> list[dict[str, Any]]:
    """Chapters with their paragraphs, each as it stands in the handbook."""
    if bench.chapters is not None:
        return bench.chapters
    book = bench.book
    writer = HtmlWriter(address, book.names.lexicon.spelled)
    told = []
    for chapter in book.source.chapters:
        paragraphs = [
            {"id": paragraph.id, "title": paragraph.title, "level": paragraph.level,
             "html": writer.blocks(paragraph_block(book, paragraph).inside)}
            for paragraph in chapter.paragraphs
        ]  # fmt: skip
        if paragraphs:
            told.append({"title": chapter_title(chapter), "paragraphs": paragraphs})
    bench.chapters = told
    return told


def changes(bench: Bench, looked: Looked) -> dict[str, Any]:
    """What is different, in words: every sentence before and after, what falls silent."""
    assert looked.source is not None
    assert looked.program is not None
    book = Book(looked.source, looked.program, Facts(), before=bench.book.speaker)
    writer = HtmlWriter(address, book.names.lexicon.spelled)
    base = looked.source.base
    touched = diff_rules(base, looked.source) if base is not None else None
    numbers = [one.id for one in touched.paragraphs] if touched is not None else []
    return {"html": writer.blocks(change_sheet(book)), "paragraphs": numbers}


def sheet(bench: Bench, looked: Looked) -> str:
    """The page to print."""
    assert looked.source is not None
    assert looked.program is not None
    return amendment_sheet(Book(looked.source, looked.program, Facts(), before=bench.book.speaker))
