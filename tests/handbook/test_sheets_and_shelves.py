"""House rules in words, the sheet of amendments, and one site of several games."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from rulesdsl.base.resources import data_dir
from rulesdsl.cli import docs
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.words_of_changes import amendment_sheet, changes_in_words
from tests.kit.handbook_pages import Document

BERLIN = "race_for_berlin"


def amended() -> Book:
    game = open_game(BERLIN, (data_dir("games") / BERLIN / "house" / "thick_forests.md",))
    return Book(game.source, game.program, Facts())


def test_changes_are_told_in_words_and_struck_where_they_stand() -> None:
    book = amended()
    assert "[-−1-] {+−2+} when the target is woods" in changes_in_words(book, coloured=False)
    assert "\x1b[9m" in changes_in_words(book, coloured=True)
    page = amendment_sheet(book)
    assert "<del>−1</del> <ins>−2</ins>" in page
    assert Document(page).open == []


def test_a_collection_has_a_front_page_that_leads_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = ["tutorial/tic_tac_toe", "tutorial/hex"]
    monkeypatch.setattr("rulesdsl.base.resources.shipped_games", lambda: games)
    first, count = docs._collection(tmp_path, 0, "en")
    page = Document(first.read_text("utf-8"))
    assert count > 20
    assert len(page.addresses) == 4
    assert [to for to in page.addresses if not (tmp_path / to).is_file()] == []
