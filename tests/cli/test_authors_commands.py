"""Commands for authors: a house rule begun, merged, shared as a variant; words, places, fixes, sentences."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulesdsl.base.resources import data_dir
from rulesdsl.cli.group import commands
from rulesdsl.house.merging import three_way

SKIRMISH = "tutorial/skirmish"
MARCH = """# {title}
Why.

## amends 4.1
So.
```rules
route march(unit)
    from unit.at
    cost entry_cost(border){cost}
    budget unit.movement{budget}
    at least 1 step
```
"""


def run(*arguments: str, code: int = 0) -> Result:
    """The command as typed; the code it ends with is the second thing that is tested."""
    result = CliRunner().invoke(commands, list(arguments), catch_exceptions=True)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_house_rule_is_begun(here: Path) -> None:
    run("house", "new", SKIRMISH, "Tired horses", "--amend", "4.1")
    text = (here / "tired_horses.md").read_text(encoding="utf-8")
    assert text.startswith("# Tired horses\n")
    assert "route march(unit)" in text
    run("check", SKIRMISH, "--house", "tired_horses.md")
    assert "1 failed" in run("test", SKIRMISH, "--house", "tired_horses.md", code=1).output
    assert "exists already" in run("house", "new", SKIRMISH, "Tired horses", "--amend", "4.1", code=2).output
    assert "did you mean" in run("house", "new", SKIRMISH, "More", "--amend", "44.1", code=2).output
    run("house", "new", SKIRMISH, "Rain", "--after", "4.1")
    assert "## after 4.1 → 4.1a Rain" in (here / "rain.md").read_text(encoding="utf-8")


def test_words_and_places() -> None:
    assert "unit.strength" in run("words", SKIRMISH, "unit").output
    assert "target.terrain" in run("words", SKIRMISH, "combat.die").output
    assert {"kind": "value", "text": "town", "about": "terrain"} in json.loads(
        run("words", SKIRMISH, "terrain", "--json").output
    )
    assert "did you mean" in run("words", SKIRMISH, "unitt", code=2).output
    found = json.loads(run("find", SKIRMISH, "supply", "--json").output)
    assert {"route", "paragraph", "prose"} <= {one["kind"] for one in found}
    run("find", SKIRMISH, "no such words anywhere", code=1)


def test_two_that_clash_are_merged(here: Path) -> None:
    (here / "mud.md").write_text(MARCH.format(title="Mud", cost=" + 1", budget=""), encoding="utf-8")
    (here / "boots.md").write_text(MARCH.format(title="Boots", cost="", budget=" + 2"), encoding="utf-8")
    both = ("--house", "mud.md", "--house", "boots.md")
    assert "both change" in run("check", SKIRMISH, *both, code=1).output
    run("merge", SKIRMISH, "mud.md", "boots.md")
    text = (here / "mud_and_boots.md").read_text(encoding="utf-8")
    assert "cost entry_cost(border) + 1" in text
    assert "budget unit.movement + 2" in text
    run("check", SKIRMISH, *both, "--house", "mud_and_boots.md")


def test_two_that_do_not_clash_need_no_third(here: Path) -> None:
    (here / "mud.md").write_text(MARCH.format(title="Mud", cost=" + 1", budget=""), encoding="utf-8")
    other = "# Long\nWhy.\n\n## amends 1.2\n```rules\nset parameter last_turn = 9\n```\n"
    (here / "long.md").write_text(other, encoding="utf-8")
    result = CliRunner().invoke(commands, ["merge", SKIRMISH, "mud.md", "long.md"])
    assert result.exit_code in (1, 2)
    assert "do not clash" in result.output or "stands in" in result.output


def test_lines_that_dispute_are_left_to_the_author(here: Path) -> None:
    (here / "mud.md").write_text(MARCH.format(title="Mud", cost=" + 1", budget=""), encoding="utf-8")
    (here / "snow.md").write_text(MARCH.format(title="Snow", cost=" + 2", budget=""), encoding="utf-8")
    assert "1 place to decide" in run("merge", SKIRMISH, "mud.md", "snow.md").output
    text = (here / "mud_and_snow.md").read_text(encoding="utf-8")
    assert "# “Snow” has it so:" in text
    run("check", SKIRMISH, "--house", "mud.md", "--house", "snow.md", "--house", "mud_and_snow.md")


def test_three_ways() -> None:
    base = ["a", "b", "c", "d"]
    assert three_way(base, ["a", "B", "c", "d"], ["a", "b", "c", "D"]) == ["a", "B", "c", "D"]
    assert three_way(base, ["a", "B", "c", "d"], ["a", "X", "c", "d"]) is None
    assert three_way(base, ["a", "b", "x", "c", "d"], ["a", "b", "y", "c", "d"]) is None


def test_a_variant_travels(here: Path) -> None:
    (here / "mud.md").write_text(MARCH.format(title="Mud", cost=" + 1", budget=""), encoding="utf-8")
    run("variant", "new", SKIRMISH, "Friday evening", "--house", "mud.md", "--option", "last_turn=5")
    (here / "mud.md").unlink()
    assert "house rule mud (in this file)" in run("variant", "show", "friday_evening.yaml").output
    assert "entry_cost(border) + 1" in run("diff", "--variant", "friday_evening.yaml", code=1).output
    games = run("simulate", "--variant", "friday_evening.yaml", "--games", "2", "--json").output
    assert "last_turn" in games or games
    wrong = run("test", "tutorial/hex", "--variant", "friday_evening.yaml", code=2)
    assert "not of" in wrong.output
    (here / "bad.yaml").write_text("game: skirmish\nhous: [x]\n", encoding="utf-8")
    assert 'did you mean "house"?' in run("check", "--variant", "bad.yaml", code=2).output
    assert "no variant" in run("check", "--variant", "nowhere.yaml", code=2).output


def test_a_variant_names_only_house_rules_of_its_game(here: Path) -> None:
    """It may be a stranger's, and what is played travels with the save."""
    (here / "mine.md").write_text(MARCH.format(title="Mine", cost=" + 1", budget=""), encoding="utf-8")
    for name in ("mine.md", "mine", str(here / "mine.md"), "../mine.md"):
        (here / "x.yaml").write_text(f"game: skirmish\nhouse: [{name}]\n", encoding="utf-8")
        refused = run("check", "--variant", "x.yaml", code=2).output
        assert "comes with no house rule" in refused
        assert "Mine" not in refused


def test_slips_are_mended_on_disk(here: Path) -> None:
    game = here / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    chapter = game / "rules" / "01_sequence.md"
    text = chapter.read_text(encoding="utf-8")
    broken = text.replace("unit.owner", "unit.ownr", 1).replace("define supplied(", "define suplied(", 1)
    chapter.write_text(broken, encoding="utf-8")
    result = run("check", str(game), "--fix")
    assert "2 changes in 1 file" in result.output
    assert chapter.read_text(encoding="utf-8") == text
    assert "0 changes" in run("check", str(game), "--fix").output


def test_rules_are_read_back(here: Path) -> None:
    (here / "mud.md").write_text(MARCH.format(title="Mud", cost=" + 1", budget=""), encoding="utf-8")
    told = run("check", SKIRMISH, "--house", "mud.md", "--explain").output
    assert "4.1 Marching: The march of a unit" in told
    assert "5.1" not in told
