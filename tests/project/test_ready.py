"""What an installation brings along: found by content, anywhere, and read past when something changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesdsl.base import cache
from rulesdsl.base.resources import data_dir, find_game
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game
from rulesdsl.book.texts import read_texts, typed_text
from rulesdsl.language.parsing import grammar
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.pipeline import ready

GAME = "tutorial/skirmish"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder made ready for one game, in a program in which a chapter of it was typed in before."""
    made = tmp_path / "ready"
    chapter = sorted((data_dir("games") / GAME / "rules").glob("*.md"))[0]
    parse_chapter(typed_text(chapter, chapter.read_text(encoding="utf-8") + "\nTyped.\n"))
    for module in (cache, ready, grammar):
        monkeypatch.setattr(module, "ready_folder", lambda: made)
    monkeypatch.setattr(ready, "shipped_games", lambda: [GAME])
    monkeypatch.setattr(cache, "_folder", lambda: None)
    monkeypatch.delenv("RULESDSL_NO_CACHE", raising=False)
    assert ready.make_ready() > 5
    cache._memory.clear()
    return made


def files_read(directory: Path) -> list[str]:
    """The names of the files of a game that had to be read, because nobody knew what they say."""
    fresh: list[str] = []

    def memory(kind: str, file: SourceFile, read: Callable[[], object]) -> object:
        def noted() -> object:
            fresh.append(file.path.name)
            return read()

        return cache.remembered(kind, file, noted)

    files, problems = read_texts(directory)
    assert not problems
    assemble_game(directory, files, memory=memory)  # type: ignore[arg-type]
    return fresh


def test_another_checkout_starts_warm(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "clone" / "skirmish"
    shutil.copytree(find_game(GAME), elsewhere)
    assert files_read(elsewhere) == []


def test_an_edited_chapter_is_read(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "skirmish"
    shutil.copytree(find_game(GAME), elsewhere)
    chapter = sorted((elsewhere / "rules").glob("*.md"))[0]
    chapter.write_text(chapter.read_text(encoding="utf-8") + "\nAnother sentence.\n", encoding="utf-8")
    assert files_read(elsewhere) == [chapter.name]


def test_a_damaged_entry_is_read_past(folder: Path) -> None:
    for entry in folder.glob("chapter-*"):
        entry.write_bytes(entry.read_bytes()[:-2] + b"]]")
    assert {name.rpartition(".")[2] for name in files_read(find_game(GAME))} == {"md"}


def test_tables_come_from_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(text: str) -> None:
        raise AssertionError("the tables were built again")

    monkeypatch.setattr(grammar, "_built", refused)
    monkeypatch.setattr(grammar, "_cache_file", lambda text: None)
    grammar.load_parser.cache_clear()
    try:
        assert {terminal.name for terminal in grammar.load_parser().terminals} >= {"_NL", "LPAR"}
    finally:
        monkeypatch.undo()
        grammar.load_parser.cache_clear()
