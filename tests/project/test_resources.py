"""Finding games: by shipped name, by the end of a name, by path; and saying so when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.base import resources
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import data_dir, find_game, shipped_games


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with three games, seen from an empty directory."""
    package = tmp_path / "installed" / "rulesdsl"
    for name in ("big_game", "tutorial/hex", "tutorial/go"):
        directory = package.parent / "games" / name
        directory.mkdir(parents=True)
        (directory / "game.yaml").write_text("game: x\n")
    (package.parent / "games" / "empty").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return package.parent


def test_names_and_paths(shelf: Path) -> None:
    assert shipped_games() == ["big_game", "tutorial/go", "tutorial/hex"]
    assert find_game("big_game") == shelf / "games/big_game"
    assert find_game("tutorial/hex/") == shelf / "games/tutorial/hex"
    assert find_game("hex") == shelf / "games/tutorial/hex"
    assert find_game(shelf / "games" / "big_game") == shelf / "games/big_game"
    assert find_game(shelf / "games" / "big_game" / "game.yaml") == shelf / "games/big_game"


def test_a_directory_hides_a_shipped_game_only_when_it_is_a_game(shelf: Path) -> None:
    own = Path("hex")
    own.mkdir()
    assert find_game("hex") == shelf / "games/tutorial/hex"
    (own / "game.yaml").write_text("game: hex\n")
    assert find_game("hex") == own


MISTAKES = [
    ("bigg_game", 'did you mean "big_game"?'),
    ("tutorial/hx", 'did you mean "tutorial/hex"?'),
    ("zzz", "rulesdsl list"),
    ("", "rulesdsl list"),
    (".", "holds no game.yaml"),
    ("x" * 5000, "rulesdsl list"),
    ("a\0b", "rulesdsl list"),
]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(("name", "said"), MISTAKES)
def test_a_game_that_does_not_exist(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?").replace(".", r"\.")):
        find_game(name)


def test_the_directories_of_a_wheel_are_inside_the_package(shelf: Path) -> None:
    with pytest.raises(UsageError, match="grammar"):
        data_dir("grammar")
    inside = shelf / "rulesdsl" / "_data" / "grammar"
    inside.mkdir(parents=True)
    assert data_dir("grammar") == inside
