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
