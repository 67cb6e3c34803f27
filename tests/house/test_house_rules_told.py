"""What commands say about house rules: nothing that is given is overlooked, what is shown can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.keeping.divergence import replay_under
from interpreter.playing.game import open_game
from rulesdsl import Session
from rulesdsl.house.applying import apply_house_files
from rulesdsl.house.differences.difftext import diff_json
from rulesdsl.house.differences.rule_diff import diff_rules
from tests.house.test_house_rules_in_use import HORSES, WALLS, run
from tests.kit.house_rules import amends, applied, document, files, printed


def test_rules_are_set_off_from_the_text_before_them(tmp_path: Path) -> None:
    """At the table prose is filled to the width of the screen: rules right below it would be filled in."""
    (tmp_path / "mud.md").write_text(
        "# Mud\n\n## after 5.5 → 5.5a Mud\nIt is wet.\n```rules\ndefine wet = turn > 1\n```\n",
        encoding="utf-8",
    )
    shown = run("rule", "tutorial/skirmish", "5.5a", "--house", tmp_path / "mud.md").output
    assert shown == "5.5a Mud  (house rules: Mud)\n\nIt is wet.\n\n    define wet = turn > 1\n"


def test_a_set_up_that_breaks_a_rule_is_told_by_check(tmp_path: Path) -> None:
    """`play` refuses it; who only checks must not be told that there are no problems."""
    wrong = tmp_path / "wrong.md"
    three = "\n".join(f"set {unit}.start = letschin" for unit in ("g303", "g309", "g712"))
    wrong.write_text(document(amends("11.4", three)), encoding="utf-8")
    for command in ("check", "simulate"):
        told = run(command, "race_for_berlin", "--house", wrong)
        assert told.exit_code == 1
        assert "error[house-setup]" in told.output


BESIDE_A_SAVE = [
    ("tutorial/skirmish", ["--house", "horses.md"], "keeps its house rules: leave --house out"),
    ("tutorial/skirmish", ["--option", "last_turn=9"], "keeps its options and readings"),
    ("tutorial/skirmish", ["--scenario", "other"], "keeps its scenario"),
    ("tutorial/hex", [], 'this save is a game of "skirmish", not of "tutorial/hex"'),
]


@pytest.mark.parametrize(("game", "more", "told"), BESIDE_A_SAVE)
def test_odds_of_a_game_that_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, more: list[str], told: str
) -> None:
    """They are those of its own rules; what is given beside it and contradicts it is not overlooked."""
    monkeypatch.chdir(tmp_path)
    for name, rules in (("walls", WALLS), ("horses", HORSES)):
        Path(f"{name}.md").write_text(rules, encoding="utf-8")
    session = Session.start(open_game("tutorial/skirmish", [Path("walls.md")]), seed=5)
    session.choose(0)
    session.save("a.save")
    asked = ["--state", "a.save", "attack", "force=guards,first_foot", "zone=village"]
    result = run("odds", game, *asked, *more)
    assert result.exit_code == 2
    assert told in result.output
    own = run("odds", "tutorial/skirmish", *asked, "--house", "walls.md")
    assert "houses −3" in own.output


def test_a_game_that_ends_otherwise_is_told_with_both_ends(tmp_path: Path) -> None:
    """It ends at the same moment: that it is over is nothing new, who has won is."""
    text = document(amends("7", 'procedure count_points\n    end game: drawn "both are tired"'))
    (tmp_path / "peace.md").write_text(text, encoding="utf-8")
    game = open_game("tutorial/skirmish")
    for seed in range(20):
        session = Session.start(game, seed=seed)
        while not session.over:
            session.choose(0)
        if session.result is not None and session.result.reason == "more points":
            break
    found = replay_under(session, open_game("tutorial/skirmish", [tmp_path / "peace.md"]))
    assert found is not None
    assert found.what.startswith("it was: won by ")
    assert found.what.endswith(" (more points); it is: drawn (both are tired)")


# ---- differences -----------------------------------------------------------------------------------------
SETTINGS = [
    ("set parameter last_turn = 5", ("parameter", "last_turn", "6", "5")),
    ("set reading ties = nobody", ("reading", "ties", "defender", "nobody")),
    ("set option fog = yes", ("option", "fog", "false", "true")),
]


@pytest.mark.parametrize(("rules", "told"), SETTINGS)
def test_a_setting_is_a_value_for_programs(rules: str, told: tuple[str, ...]) -> None:
    after = applied(document(amends("1.1", rules), title="Other days"))
    (value,) = json.loads(json.dumps(diff_json(after, diff_rules(printed(), after))))["values"]
    assert (value["kind"], value["subject"], value["before"], value["after"]) == told
    assert (value["paragraph"], value["by"]) == ("1.1", "Other days")


# ---- what falls silent ---------------------------------------------------------------------------------
QUIET_TURN = (
    "phase player_turn(player)\n    player chooses a unit for move_unit(unit): player moves unit by march"
)
LEFT = [
    (QUIET_TURN, [("3", "forbid move_unit", 'where it asks for "moved": nothing is marked so now')]),
    (QUIET_TURN + "\n    for each unit: mark unit as moved", []),
    (QUIET_TURN + "\n    for each unit: set unit.moved to true", []),
]


@pytest.mark.parametrize(("phase", "expected"), LEFT)
def test_a_flag_that_nothing_marks_any_more(phase: str, expected: list[tuple[str, str, str]]) -> None:
    diff = diff_rules(printed(), applied(document(amends("2", phase))))
    assert [(one.paragraph, one.what, one.why) for one in diff.silent if "moved" in one.why] == expected


# ---- paragraphs ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("command", ["rule", "exceptions"])
def test_a_repealed_paragraph_is_known(tmp_path: Path, command: str) -> None:
    (tmp_path / "swim.md").write_text("# No bridge\n\n## repeals 4.7\n", encoding="utf-8")
    told = run(command, "tutorial/skirmish", "4.7", "--house", tmp_path / "swim.md")
    assert told.exit_code == 2
    assert '4.7 "The bridge" is repealed by "No bridge"' in told.output


def test_four_spaces_make_no_rules_block() -> None:
    """They do elsewhere in Markdown; the rule would be taken for prose."""
    text = document("## amends 1.1\nLess.\n\n    set parameter last_turn = 2\n")
    _, (problem,) = apply_house_files(printed(), files(text))
    assert (problem.code, problem.severity, problem.span.line) == ("house-prose", "warning", 8)
