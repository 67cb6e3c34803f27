"""Files that grow while games are played, and what they may already be: a pipe, a torso, somebody's notes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.measuring.growing_file import GrowingFile
from interpreter.measuring.training import Course, Trained, train
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import find_game
from rulesdsl.cli.train import as_yaml

SKIRMISH = find_game("skirmish")
HEAD = "number,outcome\n"


def grown(path: Path) -> GrowingFile:
    return GrowingFile(path, "--out", "writing its games", HEAD)


def trained(log: Path, trials: int = 1, checks: int = 1) -> Trained:
    return train(Course(SKIRMISH, None, "log", 1), trials, checks, 1, log)


def test_a_line_that_a_crash_cut_off_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{HEAD}0,red\n1,bl")
    file = grown(path)
    assert file.content.decode() == f"{HEAD}0,red\n"
    file.append("1,blue\n")
    file.close()
    assert path.read_text() == f"{HEAD}0,red\n1,blue\n"


@pytest.mark.parametrize("text", ["", HEAD[:5]])
def test_a_new_file_or_the_beginning_of_one_gets_its_head(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    grown(path).close()
    assert path.read_text() == HEAD


def test_a_file_of_one_line_without_its_end_is_not_wiped(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("precious")
    with pytest.raises(UsageError, match="something else"):
        grown(path)
    assert path.read_text() == "precious"


def test_only_one_program_is_at_it(tmp_path: Path) -> None:
    file = grown(tmp_path / "x.csv")
    with pytest.raises(UsageError, match="another program"):
        grown(tmp_path / "x.csv")
    file.close()
    grown(tmp_path / "x.csv").close()


def test_a_file_that_is_no_longer_the_one_of_its_name_takes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    file = grown(path)
    path.rename(tmp_path / "y.csv")
    path.write_text("another")
    with pytest.raises(OSError, match="another file"):
        file.append("0,red\n")
    file.close()
    assert path.read_text() == "another"


# ---- trials of a training ------------------------------------------------------------------------------
def test_a_training_goes_on_after_a_crash_in_the_middle_of_a_line(tmp_path: Path) -> None:
    log = tmp_path / "log"
    whole = trained(log)
    lines = log.read_text()
    log.write_text(lines[:-9])
    assert trained(log) == whole
    assert log.read_text() == lines


def test_a_longer_training_is_another_one(tmp_path: Path) -> None:
    """The same trial is played with other weights in it: what was kept would be taken for something else."""
    trained(tmp_path / "log")
    with pytest.raises(UsageError, match="another training"):
        trained(tmp_path / "log", trials=2)


@pytest.mark.parametrize(
    "line",
    [
        '{"name": "trial 0", "points": NaN}',
        '{"name": "trial 0", "points": Infinity}',
        '{"name": "trial 0", "points": 1e300}',
        '{"name": "trial 0", "points": -1}',
        '{"name": "trial 0", "points": true}',
        '{"name": "trial 0", "points": "0.5"}',
        '{"name": "trial 0"}',
        "[" * 100_000,
        "1",
    ],
)
def test_a_log_that_was_changed_is_refused(tmp_path: Path, line: str) -> None:
    log = tmp_path / "log"
    trained(log)
    head = log.read_text().splitlines()[0]
    log.write_text(f"{head}\n{line}\n")
    with pytest.raises(UsageError, match="no file of a training"):
        trained(log)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        trained(tmp_path / "pipe")


def test_weights_are_read_back_whatever_their_terms_are_called(tmp_path: Path) -> None:
    from datetime import date

    from interpreter.playing.weights import weights_in

    weights = (("held \\ by", 90), ("a \\q: x # y", 110), ("zones", 100))
    made = Trained(weights, 2, 0.6, (0.51, 0.7), 10)
    (tmp_path / "weights.yaml").write_text(as_yaml(made, date(2026, 1, 1), 8))
    assert weights_in(tmp_path) == weights
