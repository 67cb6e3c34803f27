"""Saves: readable, self-contained, verified; and the rules they carry."""

from __future__ import annotations

import base64
import json
import re
import tomllib
import zlib
from pathlib import Path

import pytest

import rulesdsl
from interpreter.keeping import carried_rules as carried
from interpreter.keeping.save_file import WIDTH, SaveError, read_save
from interpreter.keeping.saves import load, save, verify
from rulesdsl import Session
from rulesdsl.base import writing
from tests.kit.saved_games import played, rewritten


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    played().save(path)
    return path


def with_rules(path: Path, texts: object) -> Path:
    packed = base64.b64encode(zlib.compress(json.dumps(texts).encode())).decode()

    def change(lines: list[str]) -> list[str]:
        return [*(line for line in lines[:-1] if not line.startswith("| ")), *_in_lines(packed), lines[-1]]

    return rewritten(path, change)


def _in_lines(packed: str) -> list[str]:
    return [f"| {packed[start : start + WIDTH]}" for start in range(0, len(packed), WIDTH)]


# ---- the file ------------------------------------------------------------------------------------------
def test_a_save_is_readable_text(saved: Path) -> None:
    lines = saved.read_text("utf-8").splitlines()
    assert lines[0].startswith("rulesdsl save 1 #")
    assert any(line.startswith('game "patrol" #') for line in lines)
    assert any(re.fullmatch(r"1 (red|blue) \S+ state [0-9a-f]{16} #[0-9a-f]{12}", line) for line in lines)
    assert lines[-1].startswith("end 20 #")
    assert all(re.search(r" #[0-9a-f]{12}$", line) for line in lines)


def test_the_same_game_gives_the_same_file(saved: Path, tmp_path: Path) -> None:
    played().save(tmp_path / "again.save")
    assert (tmp_path / "again.save").read_bytes() == saved.read_bytes()


def test_a_loaded_game_is_the_game(saved: Path) -> None:
    session, loaded = played(), Session.load(saved)
    assert loaded.hash == session.hash
    assert (loaded.choices, loaded.log, loaded.facts) == (session.choices, session.log, session.facts)
    loaded.undo(20)
    session.undo(20)
    assert loaded.hash == session.hash


def test_the_version_in_saves_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == rulesdsl.__version__


def test_an_old_file_survives_a_failure_to_write(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "replace", fail)
    with pytest.raises(SaveError, match="no space left"):
        save(played(3), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["game.save"]


def test_line_ends_may_be_changed_by_a_mail(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b"\n", b"\r\n"))
    assert verify(saved).ok


# ---- the rules it carries ----------------------------------------------------------------------------------
def test_it_opens_where_the_game_is_not_installed(saved: Path) -> None:
    carried._known.clear()  # the fixture is in no list of games, so it is not found by its name
    loaded = load(saved)
    assert loaded.hash == played().hash
    assert loaded.game.source.files[0].shown.startswith("game.save:")


def test_a_shipped_game_that_is_the_same_is_used(tmp_path: Path) -> None:
    session = Session.start("tutorial/tic_tac_toe")
    session.choose(0)
    session.save(tmp_path / "a.save")
    carried._known.clear()
    assert load(tmp_path / "a.save").game.source.directory.is_dir()


def test_a_game_that_has_changed_since_is_played_by_the_old_rules(tmp_path: Path) -> None:
    home = tmp_path / "tic_tac_toe"
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "rules/01_rules.md"):
        text = (Path(__file__).parents[2] / "games/tutorial/tic_tac_toe" / file).read_text()
        (home / file).write_text(text)
    session = Session.start(home)
    session.choose(4)
    session.save(tmp_path / "a.save")
    rules = (home / "rules/01_rules.md").read_text()
    (home / "rules/01_rules.md").write_text(rules.replace("let mover = cross", "let mover = nought"))
    carried._known.clear()
    assert load(tmp_path / "a.save").hash == session.hash
    assert Session.start(home).player == "nought"


@pytest.mark.parametrize(
    "texts",
    [
        {"game": [["../../etc/x.yaml", "a: 1"]], "house": []},
        {"game": [["/etc/passwd", "a: 1"]], "house": []},
        {"game": [["rules/../../x.md", ""]], "house": []},
        {"game": [["game.yaml", 5]], "house": []},
        {"game": "game.yaml", "house": []},
        {"game": []},
        [],
    ],
)
def test_a_save_cannot_name_other_files(saved: Path, texts: object) -> None:
    carried._known.clear()
    with pytest.raises(SaveError, match="cannot be read; use another copy"):
        load(with_rules(saved, texts))


def test_other_rules_than_those_that_were_played_are_refused(saved: Path) -> None:
    carried._known.clear()
    texts = carried._unpack(read_save(saved))
    texts["game"] = [[name, text.replace("2d6", "3d6")] for name, text in texts["game"]]
    with pytest.raises(SaveError, match="not those it was played with"):
        load(with_rules(saved, texts))


def test_rules_that_would_fill_the_memory_are_refused(saved: Path) -> None:
    carried._known.clear()
    bomb = base64.b64encode(zlib.compress(b" " * 60_000_000, 9)).decode()
    path = rewritten(
        saved, lambda lines: [*(x for x in lines[:-1] if x[:2] != "| "), *_in_lines(bomb), lines[-1]]
    )
    with pytest.raises(SaveError, match="cannot be read"):
        load(path)


def test_rules_of_another_time_are_refused_with_advice(saved: Path) -> None:
    carried._known.clear()
    texts = carried._unpack(read_save(saved))
    texts["game"] = [
        [n, t.replace("phase game", "fase game") if n.endswith(".md") else t] for n, t in texts["game"]
    ]
    new = carried.content_hash((name, text) for name, text in texts["game"])
    path = with_rules(saved, texts)
    path = rewritten(
        path, lambda ls: [f'{x.split()[0]} "{new}"' if x[:7] in ("printed", 'rules "') else x for x in ls]
    )
    with pytest.raises(SaveError, match=r"install that version to open it"):
        load(path)
