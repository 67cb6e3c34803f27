"""README.md tells the truth: the house rule it opens with, its diff, the counts of what is here, the Python.

Figures of long runs (compare, strength, speed) are not made again here; their commands stand beside them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.measuring.ledger import ledger
from interpreter.playing.game import open_game
from rulesdsl.cli import group

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOUSE = ROOT / "games" / "race_for_berlin" / "house"
FOLDERS = ("tutorial", "classics")  # of several games each
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ROW = re.compile(r"^\| `games/(\w+)/` \| (.*) \|$", re.MULTILINE)
COUNT = re.compile(
    r"(\d+|" + "|".join(NUMBERS) + r") (numbered items|running examples|switchable readings|house rules)"
)


def test_the_house_rule_it_opens_with_is_the_shipped_one() -> None:
    shown = README.split("````markdown\n", 1)[1].split("````", 1)[0]
    shipped = (HOUSE / "clear_victory.md").read_text(encoding="utf-8")
    assert shown == shipped.split("```example", 1)[0]


def test_its_diff_is_what_the_command_prints() -> None:
    command = "rulesdsl diff race_for_berlin --house clear_victory"
    shown = README.split(f"$ {command}\n", 1)[1].split("```", 1)[0]
    result = CliRunner().invoke(group.commands, command.split()[1:], env={"NO_COLOR": "1", "COLUMNS": "120"})
    assert result.exit_code == 1  # the rules differ
    assert result.output.rstrip() == shown.rstrip()


@pytest.mark.parametrize(("game", "told"), [row for row in ROW.findall(README) if row[0] not in FOLDERS])
def test_what_is_here_is_counted(game: str, told: str) -> None:
    opened = open_game(game)
    known = {
        "numbered items": ledger(opened)["total"],
        "running examples": len(opened.program.examples),
        "switchable readings": sum(s.kind == "reading" for s in opened.program.settings.values()),
        "house rules": len(list((opened.source.directory / "house").glob("*.md"))),
    }
    counted = COUNT.findall(told)
    for number, what in counted:
        assert (NUMBERS.index(number) if number in NUMBERS else int(number)) == known[what], what
    assert counted or f"{known['numbered items']} of {known['numbered items']} items" in told


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(README.split("```python\n", 1)[1].split("```", 1)[0], {})
    assert "Result(" in capsys.readouterr().out
