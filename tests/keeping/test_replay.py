"""Replays: stepping, jumping, filtering, seats, other rules; and the commands `replay` and `verify`."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.keeping.divergence import replay_under
from interpreter.keeping.replay import Replay
from interpreter.playing.game import open_game
from rulesdsl import Session
from rulesdsl.base.diagnostics import UsageError

ROOT = Path(__file__).parents[2]
PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"
NIGHT = """\
# Night

## after 2 → 2.9 Night
```rules
after phase turn_of ends:
    player chooses a unit where it.side is player or "nobody" "who sleeps":
        mark unit as moved until end of turn_of
```
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    session = Session.start(PATROL, seed=8)
    number = 0
    while not session.over:
        session.choose((number * 5) % len(session.options))
        number += 1
    path = tmp_path_factory.mktemp("saves") / "game.save"
    session.save(path)
    return path


def rulesdsl(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "rulesdsl", *arguments]
    return subprocess.run(
        command, input=typed, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


# ---- looking at a game -----------------------------------------------------------------------------------
def test_every_decision_can_be_looked_at(game: Path) -> None:
    replay = Replay.open(game)
    steps = list(replay.steps())
    assert [step.number for step in steps] == list(range(len(replay) + 1))
    assert [step.key for step in steps[1:]] == replay.session.choices
    assert sum(len(step.lines) for step in steps) == len(replay.session.log)
    for number in (0, 7, len(replay)):
        assert len(replay.at(number).history) == number
    with pytest.raises(UsageError, match="is none of them"):
        replay.at(len(replay) + 1)


def test_turns_are_found_by_the_track_that_counts_them(game: Path) -> None:
    replay = Replay.open(game)
    assert replay.track == "round"
    for turn in ("1", "2", "5"):
        first = replay.first_of_turn(turn)
        assert replay.turn(first) == turn
        assert first == 0 or replay.turn(first - 1) != turn
    with pytest.raises(UsageError, match="there is no turn 9"):
        replay.first_of_turn("9")
    with pytest.raises(UsageError, match="counts no turns"):
        Replay(Session.start("tutorial/tic_tac_toe")).first_of_turn("1")


def test_one_unit_can_be_followed(game: Path) -> None:
    replay = Replay.open(game)
    about = list(replay.steps("r2"))
    assert 0 < len(about) < len(replay)
    assert all("r2" in step.things for step in about)
    pieces = replay.session.ruleset.program.world.universes["piece"]
    name = pieces.names[pieces.index["r2"]]
    assert name != "r2"
    assert list(replay.steps(name.upper())) == about, "by its name, too"
    with pytest.raises(UsageError, match=r'nothing is called "r22".*did you mean'):
        list(replay.steps("r22"))
    with pytest.raises(UsageError, match=r'nothing is called "qqqqqqqq"$'):
        list(replay.steps("qqqqqqqq"))


def test_a_seat_sees_what_it_saw(game: Path) -> None:
    replay = Replay.open(game)
    replay.look_from("red")
    steps = list(replay.steps())
    texts = [text for step in steps for _, text in step.lines]
    assert sorted(texts) == sorted(entry.text for entry in replay.session.log_of("red"))
    assert all(step.key == "" and step.lines for step in steps[1:] if step.who != "red")
    others = [step.who != "red" for step in steps[1:]]
    assert (True, True) not in itertools.pairwise(others), "how often others decided is not told"
    assert all(step.key != "" for step in steps if step.who == "red")
    replay.look_from("RED")
    assert replay.seat == "red"
    with pytest.raises(UsageError, match='no seat "rad"; did you mean "red"'):
        replay.look_from("rad")


# ---- other rules -----------------------------------------------------------------------------------------
def changed(tmp_path: Path, old: str, new: str) -> Path:
    home = tmp_path / "patrol"
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "pieces.yaml", "rules/01_patrol.md"):
        (home / file).write_text((PATROL / file).read_text().replace(old, new))
    return home


def test_the_same_rules_make_no_difference(game: Path) -> None:
    assert replay_under(Replay.open(game).session, open_game(PATROL)) is None


@pytest.mark.parametrize(
    ("old", "new", "paragraph", "what"),
    [
        (
            'where it.side is active >= 2 "full"',
            'where it.side is active >= 1 "full"',
            "2.1",
            "no longer possible",
        ),
        ("add 1 to unit.side.score", "add 2 to unit.side.score", "2.1", "score 2"),
        ("roll 1d6 as fate", "roll 1d8 as fate", "2", "1d8 for fate"),
        ('or "enough"', 'or "that will do"', "2", "that will do"),
    ],
)
def test_the_paragraph_that_makes_the_difference_is_named(
    game: Path, tmp_path: Path, old: str, new: str, paragraph: str, what: str
) -> None:
    session = Replay.open(game).session
    found = replay_under(session, open_game(changed(tmp_path, old, new)))
    assert found is not None
    assert 0 <= found.number <= len(session.history)
    assert what in found.what
    assert paragraph in [cause.paragraph for cause in found.causes]


def test_a_new_question_is_told_as_a_question(game: Path, tmp_path: Path) -> None:
    """Though the log of the printed game goes on where the other one stops to ask."""
    rule = tmp_path / "rest.md"
    rule.write_text(NIGHT, encoding="utf-8")
    session = Replay.open(game).session
    found = replay_under(session, open_game(PATROL, [rule]))
    assert found is not None
    assert found.what.startswith("Red is asked: who sleeps; it was ")
    assert [(c.paragraph, c.what) for c in found.causes] == [("2.9", "made the difference: asks")]
    told = rulesdsl("replay", str(game), "--house", str(rule))
    assert told.stdout.startswith(f"played: {session.game.title}\nunder:  {session.game.title} with Night\n")
    assert told.returncode == 1


# ---- commands ----------------------------------------------------------------------------------------------
def test_verify_says_that_all_is_well(game: Path) -> None:
    result = rulesdsl("verify", str(game))
    assert result.returncode == 0
    assert "all as written" in result.stdout
    report = json.loads(rulesdsl("verify", "--json", str(game)).stdout)
    assert report["ok"] is True
    assert report["verified"] == report["decisions"] > 20


def test_verify_names_the_first_bad_entry(game: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.save"
    bad.write_text(game.read_text().replace("\n5 ", "\n5  ", 1))
    result = rulesdsl("verify", str(bad))
    assert result.returncode == 1
    assert "line 16" in result.stderr
    assert "4 decisions before it are intact" in result.stderr
    assert "Traceback" not in result.stderr


def test_replay_without_a_terminal_prints_everything(game: Path) -> None:
    result = rulesdsl("replay", str(game))
    count = len(Replay.open(game))
    assert result.returncode == 0
    assert f"\n{count}/{count} round" in result.stdout
    assert "the end: won by " in result.stdout


def test_replay_follows_commands_that_are_piped_in(game: Path) -> None:
    typed = "\n\nb\nturn 3\nunit r1\nn\nall\nseat blue\n4\nview\nopen\nwhat?\nturn 99\nq\n"
    result = rulesdsl("replay", str(game), typed=typed)
    assert result.returncode == 0
    heads = [line for line in result.stdout.splitlines() if "/" in line.split(" ")[0]]
    assert [head.split("/")[0] for head in heads[:4]] == ["0", "1", "2", "1"]
    assert "round 3" in heads[4]
    assert '"seat": "blue"' in result.stdout
    assert "Enter, n   the next decision" in result.stdout
    assert "there is no turn 99" in result.stderr


def test_replay_as_json_for_one_seat(game: Path) -> None:
    answer = json.loads(rulesdsl("replay", str(game), "--json", "--seat", "red", "--at", "5").stdout)
    assert answer["steps"][0]["decision"] == 5
    assert {step["key"] for step in answer["steps"] if step["player"] != "red"} == {""}


def test_replay_of_what_is_no_save() -> None:
    result = rulesdsl("replay", str(PATROL / "game.yaml"))
    assert result.returncode == 1
    assert "is no save" in result.stderr


def test_replay_under_house_rules(tmp_path: Path) -> None:
    session = Session.start("race_for_berlin", seed=4)
    number = 0
    while number < 60:
        session.choose((number * 3) % len(session.options))
        number += 1
    path = tmp_path / "b.save"
    session.save(path)
    found = rulesdsl("replay", str(path), "--house", "stalin_telephones", "--json")
    assert found.returncode == 1, found.stderr
    assert json.loads(found.stdout)["differs"]["causes"][0]["changed"] is True
