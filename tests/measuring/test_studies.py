"""Studies: files with mistakes, the same bytes however they are played, nothing lost, reports that can be
checked."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, OrderedDict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("pyarrow")

from interpreter.measuring.comparison import Comparison, Measure
from interpreter.measuring.inference import paired_mean
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.playing.game import open_game
from interpreter.studies import store as keeping
from interpreter.studies.batches import Batch, Key, Order, Played
from interpreter.studies.carrying import carry, unpacked
from interpreter.studies.contents import Grid, Picture, contents
from interpreter.studies.crews import TRIES, Alone, Cutter, PlayerLost, Processes
from interpreter.studies.figures import Distribution, Forest, Row, bins_of, counts_of, draw, span_of
from interpreter.studies.findings import findings_of, judged
from interpreter.studies.hiring import make_crew
from interpreter.studies.running import run_study
from interpreter.studies.store import Store, read_rows
from interpreter.studies.studyfile import Study, read_study
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.cli import group

ROOT = Path(__file__).parents[2]
STUDY = """study: short
title: A short skirmish
question: Does a shorter game favour Blue?
games: 24
count_rules: 2
base: {game: skirmish, seats: {all: random}}
arms:
  - {name: as printed}
  - {name: three turns, options: {last_turn: 3}}
"""
FACTORIAL = """study: crossed
games: 20
count_rules: 0
base: {game: skirmish}
factors:
  - name: length
    levels: [{name: printed}, {name: short, options: {last_turn: 3}}]
  - name: blue
    levels: [{name: random}, {name: greedy, seats: {blue: greedy}}]
"""


def written(directory: Path, text: str = STUDY) -> Path:
    path = directory / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def command(*arguments: str | Path) -> Result:
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "100"})
    return runner.invoke(group.commands, ["study", *map(str, arguments)])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that was played by one process."""
    place = tmp_path_factory.mktemp("study")
    result = command("run", written(place), "--out", place / "out")
    assert result.exit_code == 0, result.output
    return place


def test_a_game_without_scenarios_is_studied(tmp_path: Path) -> None:
    """What all games of an arm share may be nothing; it could not be written down."""
    text = 'study: s\ntitle: S\nquestion: Q?\nseed: "1"\ngames: 2\n'
    text += "base: {game: tic_tac_toe, seats: {all: random}}\n"
    path = tmp_path / "study.yaml"
    path.write_text(text + "arms: [{name: A}, {name: B}]\n", encoding="utf-8")
    for _ in range(2):  # the second time everything is there
        result = command("run", path, "--out", tmp_path / "out")
        assert result.exit_code == 0, result.output
        assert "s: 4 of 4 games, done" in result.output


def digest(directory: Path) -> bytes:
    return (directory / "games.parquet").read_bytes()


# ---- files with mistakes ------------------------------------------------------------------------------
MISTAKES = [
    ("games: 24", "games: many", "games", '"games" must be'),
    ("study: short", "studdy: short", "studdy", 'the study has no "studdy"'),
    ("games: 24", "games: 24\nuntil: {within: 5, at_most: 100}", "until", "either"),
    ("game: skirmish", "game: skirmsh", "skirmsh", "there is no game"),
    ("all: random", "all: clever", "clever", "nobody called"),
    ("last_turn: 3", "last_tern: 3", "last_tern", 'there is no option "last_tern"'),
    ("name: three turns", "name: as printed", "  - {name: as printed, o", "two called"),
    ("options: {last_turn: 3}", "house: [nonsense]", "nonsense", "there is no house rule"),
    ("options: {last_turn: 3}", "scenario: nowhere", "nowhere", "there is no scenario"),
    ("arms:", "factors:\n  - {name: f, levels: [{name: a}, {name: b}]}\narms:", "factors:", "not both"),
    ("all: random", "purple: random", "purple", 'there is no seat "purple"'),
    ("all: random", "all: human", "human", "people cannot play"),
    (
        "options: {last_turn: 3}",
        "readings: {nix: yes}",
        "nix",
        'there is no reading "nix"; there are: supply',
    ),
    ("options: {last_turn: 3}", "readings: {supply_over_river: no}", "no", "use bridge_only, anywhere"),
]


@pytest.mark.parametrize(("old", "new", "where", "what"), MISTAKES, ids=lambda value: value[:20])
def test_a_mistake_in_the_file_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, where: str, what: str
) -> None:
    text = STUDY.replace(old, new)
    with pytest.raises(RulebookError) as error:
        read_study(written(tmp_path, text))
    lines = text.split("\n")
    first = error.value.problems[0]
    assert what in first.message
    assert where in lines[first.span.line - 1]


def test_every_mistake_is_told_once_and_where_it_stands(tmp_path: Path) -> None:
    """The one that an arm overlays is still in `base`, and is not the mistake of every arm."""
    text = STUDY.replace("seats: {all: random}", "options: {stacking: many}")
    text = text.replace("options: {last_turn: 3}", "options: {last_tern: 3}, readings: {nix: yes}")
    with pytest.raises(RulebookError) as error:
        read_study(written(tmp_path, text))
    told = [(problem.span.line, problem.message) for problem in error.value.problems]
    assert [(line, said.rpartition('"')[0].rpartition('"')[2]) for line, said in told] == [
        (6, "many"), (9, "last_turn"), (9, "nix"),
    ]  # fmt: skip


def test_a_house_rule_that_does_not_fit_is_shown_with_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "odd.md").write_text("# Odd\n\n## amends 99\nNothing.\n", encoding="utf-8")
    text = STUDY.replace("options: {last_turn: 3}", "house: [odd.md]")
    with pytest.raises(RulebookError) as error:
        read_study(written(tmp_path, text))
    assert "odd.md:3" in str(error.value)
    assert "study.yaml:9" in str(error.value)


BAD = ["", "[]", "study: 3", "\0", "a: b: c", "study: {x: 1}\nbase: 7\n", "- 1\n- 2"]


@pytest.mark.parametrize("bad", BAD)
def test_no_file_gives_a_traceback(tmp_path: Path, bad: str) -> None:
    result = command("run", written(tmp_path, bad))
    assert result.exit_code == 1
    assert "study.yaml:" in result.output
    assert "bug of ours" not in result.output


# ---- playing ------------------------------------------------------------------------------------------
def test_any_number_of_processes_gives_the_same_bytes(played: Path, tmp_path: Path) -> None:
    for jobs in ("2", "3"):
        result = command("run", played / "study.yaml", "--jobs", jobs, "--out", tmp_path / jobs)
        assert result.exit_code == 0, result.output
        assert digest(tmp_path / jobs) == digest(played / "out")


def test_a_study_plays_the_games_that_simulate_plays(played: Path) -> None:
    study = read_study(played / "study.yaml")
    rows = dict(read_rows(played / "out", study))
    assert set(rows) == {Key(arm, number) for arm in (0, 1) for number in range(24)}
    arm = study.arms[1]
    table = Table(Setup(arm.setup.game, (), None, {"last_turn": "3"}, arm.setup.seats, "short"))
    for number in (0, 5, 23):
        again, kept = table.play(number), rows[Key(1, number)]
        assert (again.winners, again.decisions, again.scores) == (kept.winners, kept.decisions, kept.scores)
        assert kept.seed == f"short/{number}"


def test_a_row_has_everything_to_play_the_game_again(played: Path) -> None:
    import pyarrow.parquet

    row = pyarrow.parquet.read_table(played / "out" / "games.parquet").to_pylist()[30]
    assert (row["game"], row["seed"], row["name"]) == ("skirmish", "short/6", "three turns")
    assert json.loads(row["settings"]) == {"last_turn": "3"}
    assert json.loads(row["seats"]) == {"blue": "random", "red": "random"}
    rules = json.loads((played / "out" / "rules" / f"{row['rules']}.json").read_text("utf-8"))
    assert any(name == "game.yaml" for name, _ in rules["game"])


def test_weights_of_the_opponent_travel_and_stand_in_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker has not the directory of the game, and whoever plays by weights plays otherwise without."""
    place = tmp_path / "skirmish"
    shutil.copytree(open_game("skirmish").source.directory, place)
    (place / "weights.yaml").write_text('percent:\n  "own strength": 900\n', encoding="utf-8")
    carried = carry(open_game(place))
    monkeypatch.setattr("interpreter.studies.carrying._open", OrderedDict())
    monkeypatch.chdir(tmp_path / "skirmish")
    arrived = unpacked(carried)
    assert arrived.weights == (("own strength", 900),)
    assert arrived.ruleset().weights == (("own strength", 900),)
    assert carried.name != carry(open_game("tutorial/skirmish")).name
    path = written(tmp_path, STUDY.replace("game: skirmish", f"game: {place}").replace("24", "2"))
    assert command("run", path, "--out", tmp_path / "out").exit_code == 0
    import pyarrow.parquet

    row = pyarrow.parquet.read_table(tmp_path / "out" / "games.parquet").to_pylist()[0]
    assert json.loads(row["weights"]) == {"own strength": 900}
    (place / "weights.yaml").unlink()
    again = command("run", path, "--out", tmp_path / "out")
    assert again.exit_code == 2
    assert "other weights" in again.output


def test_a_study_needs_no_more_than_its_extra(tmp_path: Path) -> None:
    """pyarrow does without NumPy, and so do studies."""
    code = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from rulesdsl.cli import main\n"
        f"sys.argv = ['rulesdsl', 'study', 'run', {str(written(tmp_path))!r}, '--jobs', '2']\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "48 of 48 games, done" in done.stdout


def test_a_run_that_was_cut_goes_on(played: Path, tmp_path: Path) -> None:
    study = read_study(played / "study.yaml")
    store = Store(tmp_path / "out", study)

    class Tired(Alone):
        def play(self, work: Any, rules: Any) -> Any:
            for number, one in enumerate(super().play(work, rules)):
                if number == 3:
                    raise KeyboardInterrupt
                yield one

    with pytest.raises(KeyboardInterrupt):
        run_study(study, store, Tired())
    store.close()
    kept = dict(read_rows(tmp_path / "out", study))
    assert 0 < len(kept) < 48
    result = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert f"{len(kept)} games found" in result.output
    assert digest(tmp_path / "out") == digest(played / "out")
    again = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert "0 games played" in again.output
    assert digest(tmp_path / "out") == digest(played / "out")


def test_parts_are_put_together_and_nothing_counts_twice(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_PARTS", 3)
    study = read_study(played / "study.yaml")
    rows = dict(read_rows(played / "out", study))
    store = Store(tmp_path / "out", study)
    for key, record in rows.items():
        for _ in range(2):  # by a worker that was thought dead, too
            store.take([key], [record])
            store.write()
    assert len(list((tmp_path / "out" / "parts").glob("*"))) <= 4
    store.finish()
    store.close()
    assert digest(tmp_path / "out") == digest(played / "out")


def test_a_full_disk_keeps_what_was_finished(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.studies.running.KEEP_EVERY", 0.0)
    monkeypatch.setattr("interpreter.studies.running.AT_MOST", 1e9)
    calls = []

    def full(path: Path, content: Any, **more: Any) -> None:
        calls.append(path)
        if len(calls) > 6:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        original(path, content, **more)

    original = keeping.write_file
    monkeypatch.setattr(keeping, "write_file", full)
    result = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "no space left" in result.output
    assert "games kept" in result.output
    monkeypatch.undo()
    kept = dict(read_rows(tmp_path / "out", read_study(played / "study.yaml")))
    assert 0 < len(kept) < 48
    assert command("run", played / "study.yaml", "--out", tmp_path / "out").exit_code == 0
    assert digest(tmp_path / "out") == digest(played / "out")


def test_a_part_for_which_there_is_no_room_is_pressed(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of ten seconds were lost with a disk that had room for them."""
    study = read_study(played / "study.yaml")
    rows = dict(read_rows(played / "out", study))
    store = Store(tmp_path / "out", study)
    store.take([*rows], [*rows.values()])
    tried: list[int] = []

    def nearly_full(path: Path, content: Any, **more: Any) -> None:
        tried.append(len(content))
        if len(tried) == 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        original(path, content, **more)

    original = keeping.write_file
    monkeypatch.setattr(keeping, "write_file", nearly_full)
    store.write()
    store.close()
    assert tried[1] < tried[0]
    assert dict(read_rows(tmp_path / "out", study)) == rows


def test_no_room_for_the_whole_keeps_the_last_games(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last games are written with all others at the end; when that fails, by themselves."""

    def full(path: Path, content: Any, **more: Any) -> None:
        if path.name == keeping.WHOLE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        original(path, content, **more)

    original = keeping.write_file
    monkeypatch.setattr(keeping, "write_file", full)
    result = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "no space left on device; 48 games kept" in result.output
    monkeypatch.undo()
    again = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert "0 games played" in again.output
    assert digest(tmp_path / "out") == digest(played / "out")


def test_a_drive_that_vanishes_is_told_and_not_made_anew(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.studies.running.KEEP_EVERY", 0.0)
    monkeypatch.setattr("interpreter.studies.running.AT_MOST", 1e9)
    place = tmp_path / "out"

    class Gone(Alone):
        def play(self, work: Any, rules: Any) -> Any:
            for number, one in enumerate(super().play(work, rules)):
                if number == 3:
                    shutil.rmtree(place)
                yield one

    monkeypatch.setattr("interpreter.studies.hiring.make_crew", lambda jobs, on: Gone())
    result = command("run", played / "study.yaml", "--out", place)
    assert result.exit_code == 1
    assert "is gone" in result.output
    assert not place.exists()


def test_one_directory_is_for_one_study_and_one_program(played: Path, tmp_path: Path) -> None:
    other = command("run", written(tmp_path, STUDY.replace("24", "25")), "--out", played / "out")
    assert other.exit_code == 2
    assert "another study" in other.output
    store = Store(played / "out", read_study(played / "study.yaml"))
    assert '"running": true' in command("status", played / "out", "--json").output
    busy = command("run", played / "study.yaml", "--out", played / "out")
    store.close()
    assert busy.exit_code == 2
    assert "another program" in busy.output


def test_status_tells_how_far_it_has_come(played: Path) -> None:
    told = command("status", played / "out").output
    assert "48 games of at most 48, done" in told
    assert "three turns" in told
    nothing = command("status", played / "out" / "rules")
    assert nothing.exit_code == 2
    assert "there is no study" in nothing.output


def test_a_damaged_part_is_told(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played / "out", tmp_path / "out")
    (tmp_path / "out" / "games.parquet").write_bytes(digest(played / "out")[:-100])
    result = command("run", played / "study.yaml", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "cannot be read" in result.output


def test_a_bit_that_was_turned_over_is_told(played: Path, tmp_path: Path) -> None:
    """Or it changes no row: never is a game counted that was not played so."""
    rows, path = keeping._read(played / "out" / "games.parquet"), tmp_path / "games.parquet"
    luck, whole, told = Random(1), digest(played / "out"), 0
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[luck.randrange(len(whole))] ^= 1 << luck.randrange(8)
        path.write_bytes(damaged)
        try:
            found = keeping._read(path)
        except UsageError:
            told += 1
        else:
            assert found == rows or set(found[0]) != set(rows[0])  # a column of another name is told later
    assert told > 10


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ["games.parquet", "study.yaml", ".lock"])
def test_what_is_no_file_of_a_study_is_told(played: Path, tmp_path: Path, name: str) -> None:
    """A pipe would be waited for, a link leads elsewhere, and not everything is text."""
    shutil.copytree(played / "out", tmp_path / "out")
    place = tmp_path / "out" / name
    elsewhere = tmp_path / "elsewhere"
    for make, codes in (
        (os.mkfifo, (0, 1, 2)),
        (lambda path: path.symlink_to(elsewhere), (0, 1, 2)),  # what is not there is made anew
        (lambda path: path.write_bytes(b"\xff\xf0"), (0,) if name == ".lock" else (1, 2)),
    ):
        place.unlink()
        make(place)
        result = command("run", played / "study.yaml", "--out", tmp_path / "out")
        assert result.exit_code in codes
        assert "a bug of ours" not in result.output
        assert not elsewhere.exists()


# ---- who plays ----------------------------------------------------------------------------------------
def orders(study: Study) -> list[tuple[Order, list[int]]]:
    return [(Order(arm.number, arm.setup, arm.rules), [*range(6)]) for arm in study.arms]


def test_batches_grow_with_speed_and_hold_every_game_once(played: Path) -> None:
    study = read_study(played / "study.yaml")
    (order, _), *_ = orders(study)
    cutter = Cutter([(order, [*range(500)])])
    seen: list[int] = []
    sizes: list[int] = []
    while (batch := cutter.next()) is not None:
        seen += batch.games
        sizes.append(len(batch.games))
        records = (GameRecord(0, "", "", (), "", "", 0, None, {}),) * len(batch.games)
        cutter.measured(Played(batch, records, 0.01 * len(batch.games)))
    assert seen == [*range(500)]
    assert sizes[0] == 1
    assert max(sizes) == 100  # a second of games of a hundredth


def test_a_game_that_ends_its_process_is_found_and_named(played: Path) -> None:
    (order, _), *_ = orders(read_study(played / "study.yaml"))
    cutter = Cutter([(order, [3])])
    batch = Batch(order, (3,))
    for _ in range(TRIES - 1):
        cutter.lost(batch)
    with pytest.raises(PlayerLost, match="short/3"):
        cutter.lost(batch)


def test_a_process_that_is_killed_loses_no_game(played: Path) -> None:
    study = read_study(played / "study.yaml")
    rules = {arm.rules: carry(arm.game) for arm in study.arms}
    crew = Processes(2)
    got: list[Key] = []
    try:
        for number, one in enumerate(crew.play(orders(study), rules)):
            got += one.batch.keys
            if number == 1:
                assert crew._pool is not None
                os.kill(next(iter(crew._pool._processes)), 9)
    finally:
        crew.close()
    assert sorted(got) == sorted(Key(arm, number) for arm in (0, 1) for number in range(6))


def test_where_to_play_is_told(played: Path) -> None:
    with pytest.raises(UsageError, match="dask-local"):
        make_crew(1, "cloud")


def test_another_engine_is_refused(played: Path) -> None:
    study = read_study(played / "study.yaml")
    (order, _), *_ = orders(study)
    from interpreter.studies.batches import play_batch

    with pytest.raises(UsageError, match="another version"):
        play_batch(Batch(order, (0,), engine="old"), carry(study.arms[0].game))


# ---- findings -----------------------------------------------------------------------------------------
def test_until_stops_at_a_look_and_only_by_width(tmp_path: Path) -> None:
    text = STUDY.replace("games: 24", "until: {within: 20, at_least: 10, at_most: 80}")
    path = written(tmp_path, text)
    result = command("run", path, "--out", tmp_path / "out", "--json")
    found = json.loads(result.stdout)
    looks = found["looks"]
    assert [look["games"] for look in looks] == [10, 20, 40, 80][: len(looks)]
    assert looks[-1]["enough"]
    told = command("run", path, "--out", tmp_path / "out").output
    assert f"within {looks[0]['points']:.1f} points, not enough" in told
    assert all(look["points"] > 20 for look in looks[:-1])
    assert found["games"] == 2 * looks[-1]["games"]


def test_effects_of_a_factorial_are_differences_of_paired_games(tmp_path: Path) -> None:
    path = written(tmp_path, FACTORIAL)
    assert command("run", path, "--out", tmp_path / "out").exit_code == 0
    study = read_study(path)
    rows = dict(read_rows(tmp_path / "out", study))
    found = findings_of(study, rows)
    assert [arm.name for arm in study.arms][1] == "printed · greedy"
    assert [effect.name for effect in found.main] == ["length: short", "blue: greedy"]

    def won(arm: int, number: int) -> int:
        return int("blue" in rows[Key(arm, number)].winners)

    alone = [(won(1, n) - won(0, n) + won(3, n) - won(2, n)) / 2 for n in range(20)]
    both = [won(3, n) - won(2, n) - won(1, n) + won(0, n) for n in range(20)]
    assert found.main[1].difference == pytest.approx(paired_mean(alone)[0])
    assert found.main[1].interval == pytest.approx(paired_mean(alone)[1])
    assert found.together[0].difference == pytest.approx(paired_mean(both)[0])


def test_all_arms_are_judged_together() -> None:
    """What is just surprising in one arm is not when there are seven others."""
    one = Measure("won by A", "wins", "a", 0.5, 0.6, (0, 1), (0, 1), 0.1, (0.01, 0.2), 0.03, 0.03)
    quiet = replace(one, corrected=0.9)

    def comparison(measure: Measure) -> Comparison:
        return Comparison(100, 0, 0, (measure,), (), 0, {})

    (alone,) = judged([comparison(one)])
    assert alone is not None
    assert alone.found
    together = judged([None, comparison(one), *(comparison(quiet) for _ in range(7))])
    assert together[0] is None
    assert not any(found is not None and found.found for found in together)


# ---- the report ---------------------------------------------------------------------------------------
def test_the_report_says_it_in_words_first_and_holds_every_number(played: Path) -> None:
    result = command("report", played / "out")
    assert result.exit_code == 0, result.output
    assert "Games are shorter" in result.stdout
    page = (played / "out" / "report.html").read_text("utf-8")
    assert page.index("What was found") < page.index("<svg")
    assert "Games are shorter" in page
    again = ("To make it again", "--seed short --games 24", "--option last_turn=3")
    for part in ("What cannot be said", "offered", *again):
        assert part in page
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="', page)
    assert (played / "out" / "report.pdf").read_bytes().startswith(b"%PDF")


def test_the_report_is_the_same_text_for_the_same_games(played: Path, tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        command("report", played / "out", "--out", tmp_path / name, "--no-pdf")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_every_bar_of_a_figure_stands_in_the_numbers_below_it(played: Path) -> None:
    study = read_study(played / "study.yaml")
    blocks = contents(findings_of(study, dict(read_rows(played / "out", study))))
    figures = [b.figure for b in blocks if isinstance(b, Picture) and isinstance(b.figure, Distribution)]
    tables = [b for b in blocks if isinstance(b, Grid) and b.title.startswith("Every bar")]
    assert len(figures) == len(tables) > 0
    for figure, table in zip(figures, tables, strict=True):
        for column, (_, values) in enumerate(figure.rows, 1):
            told = {row[0]: int(row[column]) for row in table.rows if row[column] != "0"}
            assert sum(told.values()) == len(values)
            if figure.unit == "turns":
                assert told == {f"{turns:g}": count for turns, count in Counter(values).items()}


def test_whole_numbers_lie_in_the_middle_of_their_bars() -> None:
    """The bar of seven stood between seven and eight."""
    few, many = Distribution("", (("", (4.0, 7.0)),)), Distribution("", (("", (-3.0, 96.0)),))
    assert [span_of(*ends) for ends in pairwise(bins_of(few))] == ["4", "5", "6", "7"]
    assert [span_of(*ends) for ends in pairwise(bins_of(many))][:2] == ["−3 to −1", "0 to 2"]
    halves = Distribution("", (("", (0.5, 2.5)),))
    assert counts_of((0.5, 2.5), bins_of(halves, 2)) == [1, 0, 1]


def test_what_a_level_does_by_itself_is_said_and_a_wish_that_was_not_reached(tmp_path: Path) -> None:
    text = FACTORIAL.replace("games: 20", "until: {within: 1, at_least: 10, at_most: 40}")
    path = written(tmp_path, text)
    assert command("run", path, "--out", tmp_path / "out").exit_code == 0
    result = command("report", tmp_path / "out", "--no-pdf")
    assert "blue = greedy: by itself, as a mean over the other factors, it changes the games" in result.output
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "That certainty was not reached: after 40 games of each arm" in page


def test_a_forest_plot_is_read_without_colour() -> None:
    rows = (Row("one", 5, 2, 8, True, "+5"), Row("other", 1, -3, 5, False, "+1"))
    for width in (760, 350):
        drawing = draw(Forest("points", rows, 0.0, "fewer", "more"), width)
        assert drawing.count("<circle") == 1  # what was not found
        assert drawing.count("l7 7l-7 7") == 1  # what was
        assert 'aria-label="one: +5; other: +1"' in drawing


def test_titles_with_signs_of_other_languages_reach_page_and_paper(tmp_path: Path) -> None:
    text = STUDY.replace("A short skirmish", '"<b> #x $y *z* _w_ \\\\ @q [a]"').replace("24", "4")
    path = written(tmp_path, text)
    assert command("run", path, "--out", tmp_path / "out").exit_code == 0
    assert command("report", tmp_path / "out").exit_code == 0
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<h1>&lt;b&gt; #x $y *z* _w_" in page


def test_the_shipped_study_is_well_formed() -> None:
    study = read_study(ROOT / "studies" / "house_rules_of_berlin.yaml")
    assert len(study.arms) == 8
    assert len({arm.rules for arm in study.arms}) == 8
