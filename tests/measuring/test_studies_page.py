"""docs/studies.md and docs/learning.md: every file, command and example runs and prints what it says.

After a change on purpose `python -m tests.measuring.test_studies_page` writes what is printed
now into docs/studies.md.
"""

from __future__ import annotations

import doctest
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulesdsl.cli import group

DOCS = Path(__file__).parents[2] / "docs"
STUDIES, LEARNING = DOCS / "studies.md", DOCS / "learning.md"
FILE = re.compile(r"^```yaml file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```\n(\$ rulesdsl .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ rulesdsl (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
CODES = {"study run wrong.yaml": 1}
UNSHOWN = re.compile(r"^(?:\d+ games played in .*|written: .*)\n", re.MULTILINE)  # times, and where files are


def printed(command: str) -> str:
    result = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160"}).invoke(group.commands, command.split())
    assert result.exit_code == CODES.get(command, 0), result.output
    return UNSHOWN.sub("", result.output)


def filled(page: str, output: Callable[[str], str]) -> str:
    def entry(found: re.Match[str]) -> str:
        return f"$ rulesdsl {found[1]}\n" + output(found[1])

    return BLOCK.sub(lambda block: f"```\n{COMMAND.sub(entry, block[1])}```", page)


def write_files(directory: Path) -> None:
    for name, text in FILE.findall(STUDIES.read_text("utf-8")):
        (directory / name).write_text(text, encoding="utf-8")


def test_every_command_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("pyarrow", "typst"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    page = STUDIES.read_text("utf-8")
    assert len(BLOCK.findall(page)) >= 2
    assert filled(page, printed) == page
    assert (tmp_path / "short" / "report.pdf").exists()


def test_the_report_that_is_linked_is_there_and_names_no_place_of_the_machine() -> None:
    report = (DOCS / "reports" / "house_rules_of_berlin.html").read_text("utf-8")
    assert "The house rules of Race for Berlin" in report
    assert not re.search(r"(?<![\w.])/(?:work|tmp|root|home)/", report)


def test_the_examples_about_learning_hold() -> None:
    for package in ("pettingzoo", "pyspiel"):
        pytest.importorskip(package)
    told: list[str] = []
    text = LEARNING.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "learning", str(LEARNING), 0)
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.attempted > 20
    assert not result.failed, "".join(told)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        write_files(Path(place))
        STUDIES.write_text(filled(STUDIES.read_text("utf-8"), printed), encoding="utf-8")
