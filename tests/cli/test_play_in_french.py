"""The terminal in another language: every sentence is there, what is typed is understood, prose is shown."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import rulesdsl
from rulesdsl.cli.group import commands as cli
from rulesdsl.cli.play.commands import HELP, WORDS, read_line
from rulesdsl.cli.play.tongue import ENGLISH, FILES, languages, speak, t, typed_as

PACKAGE = Path(rulesdsl.__file__).parent / "cli"
OTHERS = [language for language in languages() if language != ENGLISH]


@pytest.fixture(autouse=True)
def _english_again() -> object:
    yield
    speak(ENGLISH)


def asked() -> set[str]:
    """Everything the terminal says, by its English words."""
    files = [*(PACKAGE / "play").glob("*.py"), PACKAGE / "odds_lines.py"]
    calls = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    first = (
        node.args[0]
        for node in calls
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "t"
        and node.args
    )
    return {str(word.value) for word in first if isinstance(word, ast.Constant)} | set(HELP.values())


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_the_terminal_is_there(language: str) -> None:
    read = yaml.safe_load((FILES / f"{language}.yaml").read_text("utf-8"))
    assert len(asked()) > 90
    assert sorted(asked() - set(read["said"])) == []
    differs = [e for e, other in read["said"].items() if e.count("{}") != other.count("{}")]
    assert differs == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_command_has_a_word_and_the_english_one_is_understood(language: str) -> None:
    speak(language)
    for word in WORDS - {"auto"}:
        own = typed_as(word)
        assert own != word
        assert read_line(own).word == read_line(word).word == word
    assert read_line("pourquoi pas e4").word == "why not"
    assert read_line("why not e4").word == "why not"
    assert read_line("annuler!") == read_line("undo!")
    assert read_line("fini").word == "done"


def played(*typed: str, game: str = "tutorial/tic_tac_toe") -> str:
    arguments = ["play", game, "--seed", "1", "--language", "fr"]
    told = CliRunner().invoke(cli, arguments, input="".join(f"{line}\n" for line in typed))
    assert told.exit_code == 0, told.output
    return told.output


def test_a_game_is_played_in_french() -> None:
    told = played("aide", "regle 2.1", "1", "annuler!", "zzz", "conseil", "1", "2", "3", "4", "5", "6", "7")
    for sentence in (
        "Tapez aide pour avoir de l'aide.", "Vous êtes Cross.", "lire un paragraphe de la règle", "repris : ",
        "Seule une case vide", "aucune option ne s'appelle « zzz »", "conseil : ", "plateau", "la fin",
    ):  # fmt: skip
        assert sentence in " ".join(told.split()), sentence
    assert "Type help" not in told


def test_a_language_nobody_speaks_is_told() -> None:
    told = CliRunner().invoke(cli, ["play", "tutorial/tic_tac_toe", "--language", "xx\x1b"])
    assert told.exit_code == 2
    assert "it speaks en, fr" in told.output
    assert "Traceback" not in told.output


def test_braces_in_what_a_game_says_are_no_places() -> None:
    speak("fr")
    assert t("{odd} words") == "{odd} words"
    assert t("hint: {}, {}{}", 1, "{x}", "") == "conseil : 1, {x}"
