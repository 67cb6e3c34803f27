"""Commands that read: contents of a rulebook, all exceptions, prose alone, the map of a kept game."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.keeping.saves import save
from interpreter.playing.session import Session
from tests.kit.command_line import program, run

GAME = "tutorial/skirmish"


def test_a_rulebook_has_contents() -> None:
    told = run("rule", GAME).output
    assert "1 Components" in told
    assert "  1.1 The map" in told
    assert '"paragraphs"' in run("rule", GAME, "--json").output


def test_prose_without_rules_and_examples() -> None:
    whole, prose = run("rule", GAME, "1.3").output, run("rule", GAME, "1.3", "--prose").output
    assert "    " in whole
    assert prose.splitlines()[0] == whole.splitlines()[0]
    assert len(prose) < len(whole)
    assert not any(line.startswith("    ") for line in prose.splitlines())


def test_all_exceptions_at_once() -> None:
    told = run("exceptions", "race_for_berlin").output
    assert told.startswith("7.1.4 ")
    assert "unless" in told
    assert run("exceptions", "race_for_berlin", "7.1.4").output.count("unless") == told.count("unless")


def test_a_list_says_for_how_many_and_what_to_begin_with() -> None:
    told = " ".join(run("list").output.split())
    assert "For 2 players." in told
    assert "To begin with: tutorial/" in told


def test_the_map_of_a_kept_game(tmp_path: Path) -> None:
    session = Session.start(GAME, seed=3)
    for _ in range(6):
        session.choose(session.options[0])
    save(session, tmp_path / "g.save")
    drawn = run("map", GAME, "--save", str(tmp_path / "g.save"), "--out", str(tmp_path / "g.svg"))
    assert drawn.exit_code == 0, drawn.output
    assert (tmp_path / "g.svg").read_text(encoding="utf-8") != run("map", GAME).output
    refused = run("map", "tutorial/hex", "--save", str(tmp_path / "g.save"))
    assert "is a game of" in str(refused.exception or "") + refused.output


def test_the_map_as_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    for name, begins in (("m.png", b"\x89PNG"), ("m.pdf", b"%PDF"), ("m.svg", b"<svg")):
        assert run("map", "tutorial/hex", "--width", "400", "--out", str(tmp_path / name)).exit_code == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    width = int.from_bytes((tmp_path / "m.png").read_bytes()[16:20], "big")
    assert width == 400
    refused = run("map", "tutorial/hex", "--out", str(tmp_path / "m.jpg"))
    assert "as .svg, .png or .pdf" in str(refused.exception or "") + refused.output
    assert not (tmp_path / "m.jpg").exists()


def test_a_number_that_is_none_is_told_in_words() -> None:
    assert "'many' is not a whole number" in program("docs", GAME, "--out", "x", "--games", "many").stderr


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"# My notes\nprecious\n\n## More\nkept\n"])
def test_a_register_is_not_written_over_something_else(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.md"
    file.write_bytes(content)
    refused = program("readings", GAME, "--out", str(file))
    assert refused.returncode in (1, 2)
    assert "bug of ours" not in refused.stderr
    assert file.read_bytes() == content


def test_a_register_keeps_what_stands_below_it(tmp_path: Path) -> None:
    file = tmp_path / "readings.md"
    assert run("readings", GAME, "--out", str(file)).exit_code == 0
    made = file.read_text(encoding="utf-8")
    file.write_text(f"{made}\n## Mine\nkept\n", encoding="utf-8")
    assert run("readings", GAME, "--out", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == f"{made}\n## Mine\nkept\n"
