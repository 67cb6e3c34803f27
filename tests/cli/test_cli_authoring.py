"""The commands for authors: check, fmt, new and test, on a game of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.kit.command_line import ROOT, run


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of one's own, fresh from `rulesdsl new`."""
    directory = tmp_path / "raid"
    assert run("new", str(directory)).exit_code == 0
    return directory


def spoil(game: Path, old: str, new: str) -> Path:
    chapter = game / "rules" / "01_rules.md"
    text = chapter.read_text(encoding="utf-8")
    assert old in text
    chapter.write_text(text.replace(old, new), encoding="utf-8")
    return chapter


def test_check_json_has_the_promised_form(game: Path) -> None:
    chapter = spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run("check", str(game), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert set(report) == {"schema_version", "errors", "warnings"}
    assert report["schema_version"] == 1
    assert report["warnings"] == []
    (error,) = report["errors"]
    assert set(error) == {"code", "message", "file", "line", "column", "rule", "help", "fixes"}
    assert error["file"] == str(chapter)
    assert "tird" in chapter.read_text(encoding="utf-8").splitlines()[error["line"] - 1]


def test_check_text_shows_the_line_and_counts(game: Path) -> None:
    assert run("check", str(game)).exit_code == 0
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run("check", str(game))
    assert result.exit_code == 1
    assert "error[" in result.stdout
    assert "^" in result.stdout
    assert "1 error" in result.stderr


def test_paths_in_messages_are_short(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    monkeypatch.chdir(game.parent)
    assert run("check", "raid").stdout.startswith("raid/rules/01_rules.md:")


def test_a_game_is_the_same_for_somebody_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its paragraphs name data files, which from there have no directory before them."""
    monkeypatch.chdir(ROOT / "games" / "race_for_berlin")
    for name in (".", "race_for_berlin"):
        result = run("check", name)
        assert (result.exit_code, result.output) == (0, f"{name}: no problems\n")


@pytest.mark.parametrize("command", ["play", "simulate", "test", "ledger"])
def test_a_broken_rulebook_is_reported_wherever_it_is_used(game: Path, command: str) -> None:
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run(command, str(game))
    assert result.exit_code == 1
    assert "error[" in result.stderr
    assert "Traceback" not in result.stderr


def test_fmt_check_and_fmt(game: Path) -> None:
    assert run("fmt", "--check", str(game)).exit_code == 0
    chapter = spoil(game, "parameter last_turn = 6 ", "parameter   last_turn=6   ")
    result = run("fmt", "--check", str(game))
    assert result.exit_code == 1
    assert str(chapter) in result.stdout
    assert run("fmt", str(game)).exit_code == 0
    assert "parameter last_turn = 6 " in chapter.read_text(encoding="utf-8")
    assert run("fmt", "--check", str(chapter)).exit_code == 0


def test_a_new_game_checks_tests_and_plays(game: Path) -> None:
    checked = run("check", "--strict", str(game), "--json")
    assert json.loads(checked.stdout) == {"schema_version": 1, "errors": [], "warnings": []}
    tested = run("test", str(game), "--json")
    assert tested.exit_code == 0
    assert json.loads(tested.stdout)["examples"] >= 3
    assert run("play", str(game), "--seed", "1").exit_code == 0
    played = run("simulate", str(game), "--games", "20", "--seed", "1", "--json")
    assert json.loads(played.stdout)["finished"] == 20


def test_new_overwrites_nothing(game: Path) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    assert run("new", str(game)).exit_code == 2
    assert before == {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}


def test_test_tells_which_example_fails(game: Path) -> None:
    spoil(game, "bonus(riders, ford) = 1", "bonus(riders, ford) = 2")
    result = run("test", str(game))
    assert result.exit_code == 1
    assert re.search(r"\w+\.md:\d+: 3\.2, example 1: .* = 2, but it is 1$", result.stdout, re.MULTILINE)
    failed = json.loads(run("test", str(game), "--json").stdout)["failed"][0]
    place = Path(failed["file"]).read_text(encoding="utf-8").split("\n")[failed["lines"][0] - 1]
    assert "bonus(riders, ford) = 2" in place
