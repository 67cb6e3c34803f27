"""The difference between two rulebooks: exactly what was changed, as a person would write it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rulesdsl.book.loader import GameSource
from rulesdsl.house.differences.difftext import diff_json, diff_text
from rulesdsl.house.differences.rule_diff import RuleDiff, diff_rules
from tests.kit.house_rules import FORD, amends, applied, document, printed

ROOT = Path(__file__).parents[2]
TITLE = "Harder"


def difference(*sections: str) -> tuple[GameSource, RuleDiff]:
    after = applied(document(*sections, title=TITLE))
    return after, diff_rules(printed(), after)


def lines(diff: RuleDiff, number: str) -> list[str]:
    (found,) = [p for p in diff.paragraphs if p.id == number]
    return [f"{sign} {text}" for sign, text in found.lines]


def test_nothing() -> None:
    diff = diff_rules(printed(), printed())
    assert not diff.different
    assert diff_text(printed(), diff) == "The Ford\nnothing is different"


def test_a_line() -> None:
    _, diff = difference(amends("4.1", 'replace "woods": -2 when target.terrain is woods', "Thicker."))
    assert [(p.id, p.verb, p.by) for p in diff.paragraphs] == [("4.1", "changed", (TITLE,))]
    assert lines(diff, "4.1") == [
        "+ Thicker.",
        "  modify fight.die",
        '-     -1 when target.terrain is woods "woods"',
        '+     -2 when target.terrain is woods "woods"',
    ]
    assert diff.values == ()
    assert diff.silent == ()


def test_a_longer_line_does_not_change_its_neighbours() -> None:
    _, diff = difference(amends("4.1", 'replace "walls": -2 when target.terrain is walls and turn > 1'))
    assert [text[0] for text in lines(diff, "4.1")] == [" ", "-", "+"]


def test_whole_paragraphs() -> None:
    new = '## after 3.2 → 3.3 Mud\nIt rains.\n```rules\nmodify entry_cost\n    +1 when turn = 2 "mud"\n```'
    _, diff = difference(
        "## repeals 4.2", new, "## replaces 2.1 Rest\nRest is free.\n```rules\naction rest\n```"
    )
    assert [(p.id, p.verb) for p in diff.paragraphs] == [
        ("2.1", "changed"),
        ("3.3", "added"),
        ("4.2", "repealed"),
    ]
    assert lines(diff, "3.3") == ["+ It rains.", "+ modify entry_cost", '+     +1 when turn = 2 "mud"']
    assert lines(diff, "4.2")[:2] == ["- The guards never lose heart.", "- modify fight.die"]
    assert "- Skirmishers" in lines(diff, "2.1")
    assert "+ Rest" in lines(diff, "2.1")
    assert '- forbid rest when turn = 1 "no rest on the first day"' in lines(diff, "2.1")


def test_settings_in_one_line() -> None:
    text = "set parameter last_turn = 2\nset reading ties = nobody\nset option fog = true"
    _, diff = difference(amends("1.1", text))
    assert lines(diff, "1.1") == [
        "  parameter last_turn: 6 → 2",
        "  reading ties: defender → nobody",
        "  option fog: false → true",
    ]
    assert diff.values == (), "that the scenario follows need not be said"


def test_a_scenario_that_says_otherwise() -> None:
    text = document(amends("1.1", "set option fog = false"), title=TITLE)
    assert not diff_rules(printed(), applied(text)).different
    meeting = replace(printed().scenarios["meeting"], options={"fog": True})
    base = replace(printed(), scenarios={"meeting": meeting})
    diff = diff_rules(base, applied(text, base=base))
    assert [(v.name, v.part, v.before, v.after) for v in diff.values] == [
        ("scenario meeting", "fog", "true", "false")
    ]
    assert (diff.values[0].paragraph, diff.values[0].by) == ("1.1", TITLE)


VALUES = [
    ("set table effort[3] = 2", ("table", "effort", "turn 3", "0", "2")),
    (
        "set table fight[2:1, 2 to 3].attacker_losses = 2",
        ("table", "fight", "odds 2:1, die 2-3", "A1D1", "A2D1"),
    ),
    ('set table fight[3:1, "<=1"] = D1', ("table", "fight", "odds 3:1, die <=1", "–", "D1")),
    ("set r1.strength = 5", ("piece", "r1", "strength[1]", "4", "5")),
    ("set r1.strength[2] = 1", ("piece", "r1", "strength[2]", "2", "1")),
    ("set r1.movement = 3", ("piece", "r1", "movement", "2", "3")),
    ("set r1.start = mill", ("piece", "r1", "start", "camp", "mill")),
    ("set mill.terrain = open", ("space", "mill", "terrain", "woods", "open")),
    ("set border keep/hill.river = true", ("border", "hill/keep", "river", "nothing", "true")),
]


@pytest.mark.parametrize(("statement", "expected"), VALUES)
def test_values(statement: str, expected: tuple[str, ...]) -> None:
    after, diff = difference(amends("5", statement))
    assert [(v.kind, v.subject, v.part, v.before, v.after) for v in diff.values] == [expected]
    assert (diff.values[0].paragraph, diff.values[0].by) == ("5", TITLE)
    assert diff.paragraphs == ()
    text = diff_text(after, diff)
    assert f": {expected[3]} → {expected[4]}" in text
    assert "5 Victory  (changed by Harder)" in text


def test_scenarios_that_place_a_piece_elsewhere_are_named() -> None:
    base = printed(FORD.parents[3] / "games" / "battle_for_germany")
    diff = diff_rules(base, applied(document(amends("2-2", "set us_5.start = hex 2609")), base=base))
    parts = {(value.part, value.before, value.after) for value in diff.values}
    assert ("start (red_star_white_star)", "1815", "2609") in parts
    assert ("start (collapse_in_the_east)", "none", "2609") in parts
    assert len(parts) == 3


def test_what_falls_silent() -> None:
    _, diff = difference("## repeals 3.2")
    assert [(s.paragraph, s.what) for s in diff.silent] == [("1.1", "option fog")]
    _, diff = difference(amends("4.2", 'repeal "guards"'))
    assert [(s.paragraph, s.what) for s in diff.silent] == [("4.2", "define steady")]
    _, diff = difference(amends("3", "quantity march_points(unit) = unit.movement at least 1"))
    assert ("", "table effort") in [(s.paragraph, s.what) for s in diff.silent]
    _, diff = difference(amends("1.1", "set reading ties = nobody"))
    assert [(s.paragraph, s.why) for s in diff.silent] == [("2", "where it asks for ties defender")]
    _, diff = difference(amends("1", "set mill.terrain = open\nset hill.terrain = open"))
    assert [(s.paragraph, s.why) for s in diff.silent] == [
        ("4.1", 'where it asks for "woods": no zone has it now')
    ]
    rivers = "set border north_bank/south_bank.river = no\nset border mill/hill.river = no"
    _, diff = difference(amends("1", rivers))
    assert [s.paragraph for s in diff.silent] == ["3.1"]
    everywhere = ", ".join(f'set table fight[{c}, "{r}"].attacker_losses = 0'
                           for c in ("1:2", "1:1", "2:1") for r in ("<=1", "2-3", "4-5"))  # fmt: skip
    _, diff = difference(amends("4", everywhere.replace(", set", "\nset")))
    assert [s.why for s in diff.silent] == ['no cell has the result "attacker_losses" any more']


def test_an_example_that_cites_a_repealed_paragraph() -> None:
    example = (
        "## amends 3\nMore.\n```example\ngiven:\n    set turn to 1\nexpect:\n    cannot rest by 2.1\n```"
    )
    base = applied(document(example))
    new = "## repeals 2.1\nRest is free."
    more = '## after 2 → 2.2 Rest\n```rules\naction rest "rest"\n```'
    after = applied(document(new, more, title=TITLE), base=base)
    diff = diff_rules(base, after)
    assert [(s.paragraph, s.what) for s in diff.silent] == [("3", "example 1")]
    assert lines(diff, "3") == ["- 1 example"]


def test_the_whole_text() -> None:
    after, diff = difference(
        amends("4.1", 'repeal "stronger"\nset r1.strength = 5', "Numbers do not count."),
        "## repeals 3.2\nClear.",
    )
    assert (
        diff_text(after, diff)
        == """\
The Ford with Harder

3.2 Fog  (repealed by Harder)
  - In fog every unit has one point.
  - modify march_points
  -     = 1 when fog "fog"

4.1 Die modifiers  (changed by Harder)
  + Numbers do not count.
    modify fight.die
  -     +1 when mover.strength > foe.strength "stronger"
    Red guards, strength[1]: 4 → 5

Now silent
    1.1 option fog: nothing uses it any more"""
    )


def test_json_has_the_same_facts() -> None:
    after, diff = difference(amends("4.1", 'repeal "stronger"\nset r1.strength = 5'))
    data = json.loads(json.dumps(diff_json(after, diff)))
    assert data["different"] is True
    assert data["house"] == [{"name": "a", "title": TITLE}]
    assert data["paragraphs"][0]["before"] == ['    +1 when mover.strength > foe.strength "stronger"']
    assert data["values"][0]["subject"] == "r1"


def rulesdsl(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulesdsl", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)


def test_the_commands() -> None:
    done = rulesdsl("diff", str(FORD), "--house", "thick_woods")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("The Ford with Thick woods\n")
    done = rulesdsl("diff", str(FORD), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["different"] is False
    done = rulesdsl("diff", str(FORD), "--house", "thik_woods")
    assert done.returncode == 2
    assert 'did you mean "thick_woods"?' in done.stderr
    compare = (
        "compare",
        str(FORD),
        "--house",
        "early_night",
        "--games",
        "100",
        "--seed",
        "5",
        "--seat",
        "all=random",
    )
    done = rulesdsl(*compare)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Games are shorter: 5.00 turns instead of 7.00" in done.stdout
    again = rulesdsl(*compare, "--json", "--jobs", "2")
    data = json.loads(again.stdout)
    assert [m["name"] for m in data["measures"]][:3] == ["won by Red", "won by Blue", "turns"]
    assert all(sentence in done.stdout for sentence in data["sentences"])


def test_a_player_without_a_counter_is_not_silent() -> None:
    """No unit is red any more, but the rules that speak of red mean the player."""
    _, diff = difference(amends("1", "\n".join(f"set r{n}.owner = blue" for n in (1, 2, 3))))
    assert len(diff.values) == 3
    assert diff.silent == ()
