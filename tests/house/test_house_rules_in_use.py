"""House rules where they are used: in every command that takes a game, in saves, in replays."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from interpreter.keeping import carried_rules as carried
from interpreter.keeping.divergence import replay_under
from interpreter.keeping.replay import Replay
from interpreter.playing.game import open_game
from rulesdsl import Session
from rulesdsl.cli import group
from rulesdsl.cli.registry import COMMANDS
from tests.kit.house_rules import amends, document

SKIRMISH = Path(__file__).parents[2] / "games" / "tutorial" / "skirmish"
WALLS = document(
    amends("5.5", 'replace "houses": -3 when target is town', "Houses count three."), title="Walls"
)
EXAMPLE = "\n```example\ngiven:\n    place militia in village\nexpect:\n    militia is in village\n```\n"
HORSES = document(amends("1.3", "set dragoons.movement = 1"), title="Horses")


def run(*arguments: str | Path) -> Result:
    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80"}).invoke(group.commands, [*map(str, arguments)])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two house rules in a directory of a person who likes long names."""
    place = tmp_path / "my rules"
    place.mkdir()
    (place / "it's walls (2) & more.md").write_text(WALLS + EXAMPLE, encoding="utf-8")
    (place / "horses.md").write_text(HORSES, encoding="utf-8")
    return place


def both(home: Path) -> list[str | Path]:
    return ["--house", home / "it's walls (2) & more.md", "--house", home / "horses.md"]


# ---- commands ----------------------------------------------------------------------------------------
def command(name: str) -> click.Command:
    found = group.commands.get_command(click.Context(group.commands), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", [name for section in COMMANDS.values() for name in section])
def test_every_command_that_takes_a_game_takes_house_rules(name: str) -> None:
    parameters = {one.name: one for one in command(name).params}
    if name == "merge":  # it takes two of them, and nothing else
        assert {"one", "other"} <= set(parameters)
    elif name == "workshop":  # it writes one of them; others are switched on in it
        assert not parameters["file"].multiple
    elif name == "train":  # what it finds belongs to the printed game
        assert "house" not in parameters
    elif name == "replay" or {"game", "games"} & {
        p for p, one in parameters.items() if isinstance(one, click.Argument)
    }:
        assert parameters["house"].multiple


def test_the_list_of_games_names_their_house_rules() -> None:
    assert "House rules: clear_victory, closed_hands, hitler_lets_go" in " ".join(run("list").output.split())


RUNS = [
    (["check"], "no problems"),
    (["rule", "5.5"], "-3 when target is town"),
    (["exceptions", "5.1"], "no enemy is there"),
    (["diff"], "Dragoons, movement: 3 → 1"),
    (["compare", "--games", "4", "--seed", "1"], "Skirmish at the Bridge with Horses, Walls: 4 games"),
    (["simulate", "--games", "2", "--seed", "1"], "Skirmish at the Bridge with Horses, Walls, scenario"),
    (["play", "--seat", "all=random", "--seed", "1"], "Skirmish at the Bridge with Horses, Walls (seed 1)"),
    (["test"], "changed by the house rules"),
    (["ledger"], "5.5"),
    (["odds", "attack", "force=guards,first_foot", "zone=village"], "%"),
    (["map"], "<svg"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "expected"), RUNS, ids=lambda value: str(value[0]) if value else "")
def test_commands_with_two_house_rules_from_anywhere(home: Path, arguments: list[str], expected: str) -> None:
    name, *rest = arguments
    result = run(name, "tutorial/skirmish", *rest, *both(home))
    assert result.exit_code == (1 if name == "diff" else 0), result.output
    assert expected in result.output


def test_examples_that_house_rules_change_are_no_failures(home: Path) -> None:
    told = json.loads(run("test", "tutorial/skirmish", "--json", *both(home)).stdout)
    assert told["failed"] == []
    assert told["changed"]
    wrong = home / "wrong.md"
    wrong.write_text(WALLS + EXAMPLE.replace("is in village", "is in hill"), encoding="utf-8")
    result = run("test", "tutorial/skirmish", "--house", wrong)
    assert result.exit_code == 1
    assert "1 failed" in result.output


def test_a_paragraph_tells_which_house_rules_had_a_hand_in_it(home: Path) -> None:
    told = run("rule", "tutorial/skirmish", "5.5", *both(home)).output
    assert told.startswith("5.5 Die modifiers  (house rules: Walls)\n")
    assert run("rule", "tutorial/skirmish", "5.4", *both(home)).output.startswith("5.4 Odds, die and table\n")
    as_json = run("rule", "tutorial/skirmish", "5.5", "--json", *both(home))
    assert json.loads(as_json.stdout)["changed_by"] == ["Walls"]


def test_a_paragraph_is_not_shown_with_house_rules_that_do_not_fit(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.md"
    wrong.write_text(document(amends("5.5", 'replace "mud": -3 when target is town')), encoding="utf-8")
    told = run("rule", "tutorial/skirmish", "5.5", "--house", wrong)
    assert (told.exit_code, told.stdout) == (1, "")
    assert "wrong.md:" in told.stderr


def test_what_the_table_says_of_examples_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the house rules that brought them, and a number of two words as it is."""
    monkeypatch.chdir(tmp_path)
    text = "# Cold\n\n## after 5.5 → annex 9 Cold\nIt is cold.\n" + EXAMPLE
    Path("my cold.md").write_text(text, encoding="utf-8")
    played = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "200"}).invoke(
        group.commands,
        ["play", "tutorial/skirmish", "--seed", "1", "--house", "my cold.md", "--seat", "blue=human"],
        input="rule annex 9\nquit\n",
    )
    (command,) = re.findall(r'1 running example: "rulesdsl (.*)"', played.output)
    assert "place militia in village" in run(*shlex.split(command)).output


# ---- saves -------------------------------------------------------------------------------------------
def played(directory: Path, home: Path, decisions: int = 1000) -> Session:
    session = Session.start(open_game(directory, [home / "it's walls (2) & more.md"]), seed=5)
    for number in range(decisions):
        if session.over:
            break
        session.choose((number * 7) % len(session.options))
    return session


def test_a_save_carries_its_house_rules(home: Path, tmp_path: Path) -> None:
    """It opens where neither the game nor the house rule is left, and it can be compared with other rules."""
    own = tmp_path / "my_game"
    shutil.copytree(SKIRMISH, own)
    text = (own / "game.yaml").read_text(encoding="utf-8")
    (own / "game.yaml").write_text(text.replace("game: skirmish", "game: my_game"), encoding="utf-8")
    played(own, home).save(tmp_path / "a.save")
    shutil.rmtree(own)
    (home / "it's walls (2) & more.md").unlink()
    carried._known.clear()
    proved = run("verify", tmp_path / "a.save")
    assert proved.exit_code == 0
    assert ": my_game with Walls, " in proved.output
    shown = Replay.open(tmp_path / "a.save")
    assert [rule.title for rule in shown.session.game.source.house] == ["Walls"]
    under = run("replay", tmp_path / "a.save", "--house", home / "horses.md")
    assert under.exit_code == 1
    assert "made the difference" in under.output


def test_a_save_does_not_depend_on_the_order_of_house_rules(home: Path, tmp_path: Path) -> None:
    paths = [home / "it's walls (2) & more.md", home / "horses.md"]
    saves = []
    for order in (paths, paths[::-1], [*paths, paths[0]]):
        session = Session.start(open_game(SKIRMISH, order), seed=5)
        session.choose(0)
        session.save(tmp_path / "a.save")
        saves.append((tmp_path / "a.save").read_bytes())
        (tmp_path / "a.save").unlink()
    assert saves[0] == saves[1] == saves[2]


def test_a_game_that_has_begun_keeps_its_house_rules(home: Path, tmp_path: Path) -> None:
    played(SKIRMISH, home, decisions=5).save(tmp_path / "a.save")
    arguments = ("play", "--save", tmp_path / "a.save", "--seat", "all=random")
    other = run(*arguments, "--house", home / "horses.md")
    assert other.exit_code == 2
    assert "keeps its house rules" in other.output
    same = run(*arguments, "--house", home / "it's walls (2) & more.md")
    assert same.exit_code == 0
    assert "Skirmish at the Bridge with Walls (going on after 5 decisions)" in same.output


# ---- replays -----------------------------------------------------------------------------------------
def test_the_section_that_makes_the_difference_is_found(home: Path, tmp_path: Path) -> None:
    """Among several: the river is set under 2.1, felt in 5.2 and told in 5.4; nothing else matters yet."""
    several = document(
        amends("2", "set parameter last_turn = 5"),
        amends("2.1", "set border meadow/village.river = false\nset border orchard/hill.river = false"),
        "## after 5.9 → 5.9a Loot\nNothing.",
        title="Several",
    )
    (home / "several.md").write_text(several, encoding="utf-8")
    session = Session.start(open_game(SKIRMISH), seed=5)
    for number in range(60):
        session.choose((number * 7) % len(session.options))
    found = replay_under(session, open_game(SKIRMISH, [home / "several.md"]))
    assert found is not None
    first = found.causes[0]
    assert (first.paragraph, first.what, first.changed) == ("2.1", "made the difference", True)
    assert not {"2", "5.9a"} & {cause.paragraph for cause in found.causes}
    # The other way round: what the game that was played had, and the other has not.
    with_rules = Session.start(open_game(SKIRMISH, [home / "several.md"]), seed=5)
    for decision in session.history[: found.number]:
        with_rules.choose(decision.key)
    back = replay_under(with_rules, open_game(SKIRMISH, [home / "horses.md"]))
    assert back is not None
    assert back.causes[0].paragraph == "2.1"
