"""`rulesdsl compare`: pairs of games, whatever stops them; the statistics are in test_statistics.py."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interpreter.measuring import simulation
from interpreter.measuring.simulation import Table
from rulesdsl.cli import group
from rulesdsl.cli.simulate import table_for
from tests.kit.house_rules import amends, document

GAME = "tutorial/skirmish"
HORSES = document(amends("1.3", "set dragoons.movement = 1"), title="Horses")
WALLS = document(amends("5.5", 'replace "houses": -3 when target is town'), title="Walls")
NO_PEACE = document(amends("2", 'after phase impulse ends: note "the day goes on"'), title="No peace")
MUD = """\
# Mud

## after 4.1 → 4.1a Mud
```rules
after unit enters zone: do stick(unit)
procedure stick(unit)
    let here = unit.at
    remove unit
    place unit in here
after unit is placed: do stick(unit)
```
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80"}).invoke(group.commands, [*map(str, arguments)])


@pytest.fixture
def house(tmp_path: Path) -> list[str]:
    """Two house rules, as arguments of a command."""
    (tmp_path / "horses.md").write_text(HORSES, encoding="utf-8")
    (tmp_path / "walls.md").write_text(WALLS, encoding="utf-8")
    return ["--house", str(tmp_path / "horses.md"), "--house", str(tmp_path / "walls.md")]


def test_columns_never_touch(house: list[str]) -> None:
    lines = run("compare", GAME, "--games", "3", "--seed", "2", *house).output.split("\n")
    rows = [line for line in lines if " to " in line]
    ends = [[found.start() for found in re.finditer(r"\d\)  ", line)][:2] for line in rows]
    assert len(rows) >= 4
    assert ends == [ends[0]] * len(rows)


def test_only_the_first_games_count_rules(house: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesdsl.cli.compare.RULES_COUNTED", 5)
    arguments = ("compare", GAME, "--games", "8", "--seed", "2", "--json", *house)
    few = json.loads(run(*arguments).stdout)
    monkeypatch.setattr("rulesdsl.cli.compare.RULES_COUNTED", 100)
    every = json.loads(run(*arguments).stdout)
    assert (few["rules_counted"], every["rules_counted"]) == (5, 8)
    assert few["measures"] == every["measures"]  # games played at one go are the same games


def test_pairs_are_the_same_games_for_any_number_of_jobs(house: list[str]) -> None:
    tables = [table_for(GAME, files, None, {}, (), "7") for files in ((), (Path(house[1]), Path(house[3])))]
    alone = list(zip(*(simulation.play_games(table, range(6)) for table in tables), strict=True))
    assert list(simulation.play_together(tables, range(6), jobs=2)) == alone
    assert all(before.seed == after.seed for before, after in alone)


def test_ctrl_c_reports_the_pairs_that_were_played(house: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("compare", GAME, "--games", "3", "--seed", "2", *house)
    play = simulation.play_together

    def interrupted(tables: Sequence[Table], numbers: Sequence[int], jobs: int) -> Iterator[Any]:
        yield from islice(play(tables, numbers, jobs), pairs)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "play_together", interrupted)
    arguments = ("compare", GAME, "--games", "9", "--seed", "2", *house)
    pairs = 3
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (130, whole.stdout)
    assert result.stderr == "interrupted: these are the first 3 of 9 games\n"
    pairs = 1  # one game has no spread
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (130, "", "interrupted")


def test_rules_that_run_away_are_named_and_leave_no_figures(tmp_path: Path) -> None:
    (tmp_path / "mud.md").write_text(MUD, encoding="utf-8")
    arguments = ("compare", GAME, "--games", "3", "--seed", "1", "--house", tmp_path / "mud.md")
    told = run(*arguments)
    assert told.exit_code == 1
    assert "inf" not in told.stdout
    assert "No game came to an end under both sets of rules." in told.stdout
    assert "game 0 (seed 1/0, house rules) failed: this rule is nested too deeply" in told.stderr
    assert "3 pairs did not come to an end" in told.stderr
    data = json.loads(run(*arguments, "--json").stdout)
    assert (data["games"], data["failed"], data["measures"]) == (0, 3, [])


@pytest.mark.parametrize("games", [3, 8])
def test_rules_that_decide_nothing_are_said_to(
    tmp_path: Path, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paragraph that is used, but changes nothing; in the second case in games that count no rules."""
    monkeypatch.setattr("rulesdsl.cli.compare.RULES_COUNTED", 5)
    (tmp_path / "talk.md").write_text(NO_PEACE, encoding="utf-8")
    told = run("compare", GAME, "--games", str(games), "--seed", "1", "--house", tmp_path / "talk.md")
    assert told.stdout.endswith(
        f"In these {games} games the house rules changed neither who wins nor scores nor length.\n"
    )


def test_a_clock_is_warned_of_once(house: list[str]) -> None:
    told = run("compare", GAME, "--games", "2", "--seed", "1", "--seat", "blue=mcts:0.001s", *house)
    assert told.stderr.count("note: who thinks by the clock does not decide the same twice") == 1
