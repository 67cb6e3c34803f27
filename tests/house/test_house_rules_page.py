"""docs/house_rules.md: its files stand as `fmt` lays them, and its commands print what is shown.

After a change on purpose `python -m tests.house.test_house_rules_page` writes what they print now into it.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulesdsl.base.source import SourceFile
from rulesdsl.cli import group
from rulesdsl.language.printing.formatter import format_chapter

PAGE = Path(__file__).parents[2] / "docs" / "house_rules.md"
FILE = re.compile(r"^(`{4})markdown file=(\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```\n(\$ rulesdsl .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ rulesdsl (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
UNSHOWN = "play"  # a whole game is too long for a page
CODES = {"diff": 1, "replay": 1, "check skirmish --house stone_houses.md --house straw_huts.md": 1}


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def write_files(directory: Path) -> None:
    for _, name, written in FILE.findall(text()):
        (directory / name).write_text(written, encoding="utf-8")


def printed(command: str) -> str:
    """What a command prints in the directory of the files; its exit code must be the right one."""
    result = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "120"}).invoke(group.commands, command.split())
    wanted = CODES.get(command, CODES.get(command.split()[0], 0))
    assert result.exit_code == wanted, result.output
    return "" if command.startswith(UNSHOWN) else result.output.rstrip("\n") + "\n"


def filled(page: str, output: Callable[[str], str]) -> str:
    def entry(found: re.Match[str]) -> str:
        return f"$ rulesdsl {found[1]}\n" + output(found[1])

    return BLOCK.sub(lambda block: f"```\n{COMMAND.sub(entry, block[1])}```", page)


def test_the_files_stand_as_fmt_would_lay_them() -> None:
    files = FILE.findall(text())
    assert len(files) >= 3
    for _, name, written in files:
        assert format_chapter(SourceFile(Path(name), written)) == written


def test_every_command_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    commands: list[str] = []

    def output(command: str) -> str:
        commands.append(command.split()[0])
        return printed(command)

    assert filled(text(), output) == text()
    assert set(commands) == {"rule", "check", "diff", "test", "compare", "play", "replay"}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        write_files(Path(place))
        PAGE.write_text(filled(text(), printed), encoding="utf-8")
