"""docs/tutorial.md: the game it builds from nothing checks without a word, runs its example and plays."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from rulesdsl.base.source import SourceFile
from rulesdsl.language.printing.formatter import format_chapter
from tests.kit.command_line import run

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
FILE = re.compile(r"^(`{3,})\w+ file=(\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def test_the_chapter_stands_as_fmt_would_lay_it() -> None:
    chapters = [found for found in FILE.findall(PAGE.read_text(encoding="utf-8")) if found[1].endswith(".md")]
    assert chapters
    for _, name, text in chapters:
        assert format_chapter(SourceFile(Path(name), text)) == text


def test_it_begins_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text(encoding="utf-8")
    begin = page.split("\n## Begin\n", 1)[1].split("\n## ", 1)[0]
    entries = re.findall(r"^\$ rulesdsl (.*)\n((?:(?!\$ |```).*\n)*)", begin, re.MULTILINE)
    assert len(entries) == 3
    monkeypatch.chdir(tmp_path)
    for arguments, shown in entries:
        result = run(*arguments.split())
        assert result.exit_code == 0, result.output
        assert [line.rstrip() for line in result.output.splitlines()] == shown.splitlines()
    house = {name: text for _, name, text in FILE.findall(page) if name.startswith("house/")}
    for name, text in house.items():
        (tmp_path / "my_game" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "my_game" / name).write_text(text, encoding="utf-8")
    game = open_game(tmp_path / "my_game", tuple(tmp_path / "my_game" / name for name in house))
    assert game.full_title == "My game with A short war"


def test_the_tutorial_builds_a_game(tmp_path: Path) -> None:
    game_directory = tmp_path / "ford"
    for _, name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        if name.startswith("house/"):  # of the game it begins with
            continue
        path = game_directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    game = open_game(game_directory)
    assert not game.warnings, [w.message for w in game.warnings]
    results = run_examples(game)
    assert results
    assert not [r.problems for r in results if not r.passed]
    ruleset = game.ruleset()
    endings = set()
    for seed in range(60):
        rng = random.Random(seed)
        machine = ruleset.new_machine(None, str(seed), traced=False)
        machine.begin()
        while machine.pending is not None:
            machine.choose(machine.pending.at_random(rng))
        assert machine.outcome is not None
        endings.add(machine.outcome[0])
    assert endings == {"wins", "drawn"}
