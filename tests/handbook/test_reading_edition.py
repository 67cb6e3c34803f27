"""The reading edition on paper, and the three ways to read on the screen."""

from __future__ import annotations

from functools import lru_cache

import pytest

from interpreter.playing.game import open_game
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.pages.chapters import chapter_pages
from rulesdsl.speaking.blocks import Layer, Paragraph, Picture, Prose
from rulesdsl.typesetting.edition import reading_edition
from rulesdsl.typesetting.marks import marked_to_typst
from rulesdsl.typesetting.printing_press import Document, pages_of_pdf, typeset
from rulesdsl.typesetting.prose import prose_to_typst

BERLIN = "race_for_berlin"


@lru_cache(maxsize=2)
def book(name: str) -> Book:
    game = open_game(name)
    return Book(game.source, game.program, Facts())


def paragraph(name: str, identity: str) -> Paragraph:
    return next(
        block
        for page in chapter_pages(book(name))
        for block in page.blocks
        if isinstance(block, Paragraph) and block.number == identity
    )


def test_a_paragraph_opens_with_its_prose_and_hides_its_program() -> None:
    inside = paragraph(BERLIN, "8.1.1").inside
    shown = [block for block in inside if not isinstance(block, Layer)]
    assert sum(isinstance(block, Prose) for block in shown) == 1
    levels = {block.level for block in inside if isinstance(block, Layer)}
    assert levels == {"mechanics", "everything"}


def test_a_printed_example_has_a_cut_out_of_the_map() -> None:
    [picture] = [block for block in paragraph(BERLIN, "annex 3").inside if isinstance(block, Picture)]
    assert "Lebus" in picture.svg
    assert "Dresden" not in picture.svg
    assert not [block for block in paragraph(BERLIN, "8.1.3").inside if isinstance(block, Picture)]


def test_the_booklet_has_thirty_pages_at_most() -> None:
    pytest.importorskip("typst")
    document = reading_edition(book(BERLIN))
    assert pages_of_pdf(typeset(document)) <= 30
    assert "#front(" in document.source  # title and contents
    assert "map.svg" in document.drawings


def test_words_of_an_author_are_words_on_paper() -> None:
    pytest.importorskip("typst")
    hostile = '#panic() $x$ *a* _b_ `c` <d> @e [f] \\ // 1. - + = "q" ~'
    assert "#panic" not in marked_to_typst(hostile, lambda target: False).replace("\\#panic", "")
    made = prose_to_typst(
        "A *word*, #panic(), a | b\n\n- one\n- two\n\n| x | y |\n|---|---|\n| 1 | 2 |", bool
    )
    assert "#emph[word]" in made
    assert "\\#panic" in made
    assert "columns: 2" in made


def test_pages_are_counted_and_not_lines_of_the_contents() -> None:
    pytest.importorskip("typst")
    assert pages_of_pdf(typeset(Document("= One\n= Two\n= Three\n= Four"))) == 1
    assert pages_of_pdf(typeset(Document("= One\n#pagebreak()\n= Two\n= Three\n= Four"))) == 2
