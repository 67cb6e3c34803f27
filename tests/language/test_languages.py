"""Two languages: the chrome has its French, and a translation is checked against its original."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

import rulesdsl
from interpreter.playing.game import open_game
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import data_dir
from rulesdsl.handbook import Book, Facts, html_files
from rulesdsl.handbook.chrome import Chrome, languages
from rulesdsl.handbook.translations import slips

PACKAGE = Path(rulesdsl.__file__).parent
GAME = "tutorial/tic_tac_toe"
_ASKED = re.compile(r"""(?:\bwords|\bchrome)\(\s*["']([^"'{}]+)["']""")


def asked() -> set[str]:
    """Everything the code asks the chrome for, by its English words."""
    rooms = ("handbook", "aid", "typesetting")
    texts = [file.read_text("utf-8") for room in rooms for file in (PACKAGE / room).rglob("*.py")]
    return {english for text in texts for english in _ASKED.findall(text)}


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_every_word_of_the_chrome_is_there(language: str) -> None:
    known = yaml.safe_load((PACKAGE / "handbook" / "languages" / f"{language}.yaml").read_text("utf-8"))
    assert len(asked()) > 25
    assert sorted(asked() - set(known)) == []


def test_a_language_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="there are en, fr"):
        Chrome("xx")


def test_the_handbook_speaks_french() -> None:
    game = open_game(GAME)
    files = html_files(Book(game.source, game.program, Facts(), "fr"))
    page = files["rules-01-rules.html"]
    assert '<html lang="fr">' in page
    assert "Seule une case vide" in page
    assert "Règles et mécanismes" in page
    assert "Only an empty cell" not in page


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("### 2.1 Marquer une case\nSeule une case vide peut être marquée.\n", "", "2.1 is not translated"),
        ("Seule une case vide", "Seules 2 cases vides", "with 2"),
        ("Seule une case vide peut être marquée.", "", "2.1 has no words"),
    ],
)
def test_a_slip_of_a_translation_is_found(tmp_path: Path, old: str, new: str, told: str) -> None:
    copy = tmp_path / "tic_tac_toe"
    shutil.copytree(data_dir("games") / GAME, copy)
    file = copy / "rules" / "fr" / "01_rules.md"
    source = open_game(copy).source
    assert slips(source, "fr") == []
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    assert [slip for slip in slips(source, "fr") if told in slip.text]


# ---- readings
READINGS = """mariage:
  title: Le mariage
"""


def test_readings_of_a_whole_translation_are_there_with_the_same_numbers(tmp_path: Path) -> None:
    copy = tmp_path / "race_for_berlin"
    shutil.copytree(data_dir("games") / "race_for_berlin", copy)
    source = open_game(copy).source
    assert slips(source, "fr") == []
    file = copy / "rules" / "fr" / "readings.yaml"
    text = file.read_text("utf-8")
    for old, new, told in (
        ("flight_stacking:", "flight_stackings:", "the reading flight_stacking is not translated"),
        ("every_turn:", "each_turn:", "xii_army_test has no words for every_turn"),
        ("à partir du tour 4, jusqu'à", "à partir du tour 5, jusqu'à", "numbers of until_success"),
        ("au tour 8 le test", "au tour 9 le test", "reason of the reading xii_army_test"),
    ):
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")
        assert [slip for slip in slips(source, "fr") if told in slip.text], told
    file.write_text(READINGS, "utf-8")
    assert len(slips(source, "fr")) > 60


def test_a_reading_is_told_in_words_in_both_languages() -> None:
    game = open_game("race_for_berlin")
    for language, shown in (
        ("en", ("A unit that flees needs a zone with room.", "Could also be read: if no zone has room")),
        ("fr", ("Une unité qui fuit a besoin d'une zone", "Pourrait aussi se lire\u00a0: si aucune zone")),
    ):
        book = Book(game.source, game.program, Facts(), language)
        page = html_files(book)["rules-02-administrative.html"]
        words = re.sub(r"<[^>]+>", "", page)
        for sentence in shown:
            assert sentence in words, sentence


def test_the_front_page_is_in_the_readers_language() -> None:
    game = open_game("race_for_berlin")
    page = re.sub(r"<[^>]+>", " ", html_files(Book(game.source, game.program, Facts(), "fr"))["index.html"])
    for english in (
        "Players",
        "Scenarios",
        "Made from the rules",
        "worked example",
        "Reference",
        "Components",
    ):
        assert english not in page, english
    assert "Joukov et Koniev font la course" in page
