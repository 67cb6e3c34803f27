"""Simulations: the same for any number of processes, resumable, every game accounted for."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interpreter.measuring.results import open_results
from interpreter.measuring.simulation import GameRecord, Setup, Table, play_games
from interpreter.measuring.statistics import quantile, result_counts, summary, wilson
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli import group
from rulesdsl.cli.map_and_counters import bars, bars_svg, ranges
from rulesdsl.cli.simulate import time_left

ROOT = Path(__file__).parents[2]
SKIRMISH = "tutorial/skirmish"


def run(*arguments: str) -> Result:
    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80"}).invoke(group.commands, ["simulate", *arguments])


def report(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture(scope="module")
def table() -> Table:
    game = open_game(SKIRMISH)
    seats = {"blue": "greedy", "red": "random"}
    return Table(Setup(game.source.directory, (), None, {}, seats, "test"), game)


def test_any_number_of_jobs_gives_the_same_bytes() -> None:
    arguments = (SKIRMISH, "--games", "7", "--seed", "7", "--seat", "red=greedy", "--json")
    outputs = {run(*arguments, "--jobs", jobs).stdout for jobs in ("1", "2", "3")}
    assert len(outputs) == 1


def test_the_report_accounts_for_every_game() -> None:
    found = report(SKIRMISH, "--games", "25", "--seed", "1")
    assert found["games"] == 25
    assert found["finished"] + found["failed"] == 25
    assert sum(found["results"].values()) == found["finished"]
    assert sum(found["reasons"].values()) == found["finished"]
    assert set(found["mean_score"]) == {"blue", "red"}
    assert found["turns_counted_by"] == "the track turn"
    assert found["seed"] == "1"
    assert found["seats"] == {"blue": "random", "red": "random"}
    for share in found["shares"].values():
        low, high = share["interval"]
        assert low <= share["share"] <= high


@pytest.mark.parametrize("ending", ["db", "csv"])
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, ending: str) -> None:
    whole = report(SKIRMISH, "--games", "20", "--seed", "3")
    file = tmp_path / f"results.{ending}"
    report(SKIRMISH, "--games", "8", "--seed", "3", "--out", str(file))
    gone_on = run(SKIRMISH, "--games", "20", "--seed", "3", "--out", str(file), "--jobs", "2", "--json")
    assert "8 games found" in gone_on.stderr
    assert json.loads(gone_on.stdout) == whole
    again = run(SKIRMISH, "--games", "20", "--seed", "3", "--out", str(file), "--json")
    assert "20 games found" in again.stderr
    assert again.stdout == gone_on.stdout


@pytest.mark.parametrize("ending", ["db", "csv"])
def test_another_run_in_the_same_file_is_kept_apart(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"results.{ending}"
    first = report(SKIRMISH, "--games", "5", "--seed", "3", "--out", str(file))
    report(SKIRMISH, "--games", "5", "--seed", "4", "--out", str(file))
    assert report(SKIRMISH, "--games", "5", "--seed", "3", "--out", str(file)) == first
    if ending == "csv":
        assert run("tutorial/hex", "--games", "2", "--seed", "1", "--out", str(file)).exit_code == 2


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    arguments = [SKIRMISH, "--games", "60", "--seed", "9", "--seat", "blue=greedy", "--out", str(file)]
    command = [sys.executable, "-m", "rulesdsl", "simulate", *arguments, "--jobs", "2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None and _kept(file) < 3:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = _kept(file)
    assert kept >= 3
    short = ["8" if word == "60" else word for word in arguments]
    resumed = report(*short)
    fresh = [word for word in short if word not in ("--out", str(file))]
    assert resumed == report(*fresh)


def _kept(file: Path) -> int:
    if not file.exists():
        return 0
    with sqlite3.connect(file) as connection:
        try:
            return int(connection.execute("select count(*) from games").fetchone()[0])
        except sqlite3.OperationalError:  # the table is not there yet, or being written
            return 0


def test_a_cut_line_of_a_csv_is_played_again(tmp_path: Path, table: Table) -> None:
    file = tmp_path / "results.csv"
    records = [table.play(number) for number in range(3)]
    results = open_results(file, table)
    results.add(records)
    results.close()
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    known = open_results(file, table).known()
    assert known == {0: records[0], 1: records[1]}


@pytest.mark.parametrize("ending", ["db", "csv"])
def test_records_come_back_as_they_were(tmp_path: Path, table: Table, ending: str) -> None:
    records = [table.play(0), GameRecord(1, "s/1", "", (), "", "", 5, None, {}, 'a "rule", endless')]
    results = open_results(tmp_path / f"r.{ending}", table)
    results.add(records)
    results.close()
    assert list(open_results(tmp_path / f"r.{ending}", table).known().values()) == records


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, table: Table) -> None:
    file = tmp_path / "r.db"
    file.write_text("this is a letter, not a database " * 100)
    with pytest.raises(UsageError):
        open_results(file, table)


def test_play_makes_a_simulated_game_again(table: Table) -> None:
    """What a report prints is enough to see the game: `rulesdsl play --seed SEED/NUMBER`."""
    from interpreter.agents.seats import agents_for
    from interpreter.agents.sight import Sight

    record = table.play(4)
    session = Session.start(table.game, seed=record.seed)
    agents = agents_for(table.setup.seats, record.seed)
    while not session.over:
        sight = Sight.of(session.ruleset, session.machine)
        index = agents[str(session.player)].choose(sight, len(session.history))
        session.choose(next(option for option in session.options if option.index == index))
    assert session.result is not None
    assert (session.result.winners, session.result.reason) == (record.winners, record.reason)
    assert len(session.history) == record.decisions


def test_a_game_that_never_ends_is_a_failed_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.measuring.simulation.MOST_DECISIONS", 10)
    records = list(play_games(table, range(3)))
    assert all("not over after 10 decisions" in record.failure for record in records)
    found = summary(records, {}, table.players.ids)
    assert (found["games"], found["finished"], found["failed"]) == (3, 0, 3)
    assert len(found["failures"]) == 3


def test_failed_games_make_the_command_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.measuring.simulation.MOST_DECISIONS", 10)
    result = run(SKIRMISH, "--games", "2", "--seed", "1")
    assert result.exit_code == 1
    assert "2 games failed" in result.stderr


def test_rules_are_counted_the_same_way_by_several_processes() -> None:
    arguments = (SKIRMISH, "--games", "6", "--seed", "1", "--rules")
    one, two = report(*arguments), report(*arguments, "--jobs", "2")
    assert one == two
    assert one["rule_counts"]
    assert one["results"] == report(*arguments[:-1])["results"], "counting changes nothing"


def test_the_terminal_report_and_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "games.svg"
    result = run(SKIRMISH, "--games", "20", "--seed", "1", "--svg", str(picture))
    assert result.exit_code == 0
    assert "results" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_a_new_seed_is_printed() -> None:
    result = run("tutorial/tic_tac_toe", "--games", "3")
    assert f"seed {result.stderr.split()[1]}" in result.stdout


# ---- numbers ---------------------------------------------------------------------------------------------
def test_wilson_against_known_values() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 20)[0] == 0.0
    assert wilson(20, 20)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)


def test_results_are_counted_by_name() -> None:
    def made(outcome: str, *winners: str) -> GameRecord:
        return GameRecord(0, "", outcome, winners, "", "", 1, None, {})

    records = [made("wins", "a"), made("drawn"), made("nobody"), made("wins", "a", "b"), made("wins", "a")]
    assert result_counts(records, ["a", "b"]) == {"a": 2, "b": 0, "a+b": 1, "drawn": 1, "nobody": 1}


def test_quantiles_and_ranges() -> None:
    assert [quantile([5, 1, 3, 2, 4], share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)] == [1, 2, 3, 4, 5]
    assert ranges([]) == {}
    assert ranges([3, 3, 5]) == {"3": 2, "4": 0, "5": 1}
    spread = ranges(list(range(-30, 71)))
    assert sum(spread.values()) == 101
    assert "-30 to -21" in spread


def test_bars_are_as_long_as_their_numbers() -> None:
    lines = bars({"a": 10, "bb": 5, "c": 0}, width=40)
    lengths = [line.count("█") for line in lines]
    assert lengths[0] == 2 * lengths[1]
    assert lengths[2] == 0
    assert "<b>" not in bars_svg([("<b>", {"&": 1})])


def test_the_time_left_goes_by_all_games_so_far() -> None:
    """Games come back in bundles: the last few seem to have taken no time at all."""
    assert time_left(12.0, 0, 100) == "time left unknown"
    assert time_left(60.0, 24, 100) == "0:03:10 left"
    assert time_left(7200.0, 100, 200) == "2:00:00 left"
