"""House rules that seem to have nothing to do with each other, and those that really have not."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import render
from rulesdsl.house.applying import apply_house_files
from rulesdsl.house.differences.difftext import diff_json, diff_text
from rulesdsl.house.differences.rule_diff import diff_rules
from tests.kit.house_rules import FORD, amends, applied, checked, document, files, printed, refused

GAME_WITHOUT_TIES = """phase game
    repeat at most last_turn times:
        do player_turn(red)
        do player_turn(blue)
        add 1 to turn
    end game: drawn "equal scores" """

DUTY = """## after 2.1 → 2.1a Duty
```rules
must before rest "duty"
    either turn > 3 "late"
    either turn > 2 "soon"
```"""

# ---- pairs that must be refused, with both places ----------------------------------------------------------
REFUSED = [
    # the whole of a statement, and a line in it
    (amends("3", "quantity march_points(unit) = 2"), amends("3", 'replace "weather": +1'), 'line "weather"'),
    (
        amends("3", "repeal march_points") + "\n\n## repeals 3.2",
        amends("3", 'repeal "weather"'),
        'line "weather"',
    ),
    # two lines under one label
    (
        amends("4.1", 'replace "woods": -2 when target.terrain is woods "dense"'),
        amends("4.1", 'modify fight.die\n    -1 when turn = 1 "dense"'),
        "both change",
    ),
    (
        amends("4.1", 'replace "woods": -2 when target.terrain is woods "dense"'),
        amends("4.1", 'replace "walls": -2 when target.terrain is walls "dense"'),
        "both change",
    ),
    (
        amends("3", 'replace "gone": forbid rest when turn = 3 "gone"'),
        amends("3", 'forbid rest when turn = 4 "gone"'),
        "both change",
    ),
    # the same statement, given twice, would count twice
    (
        amends("4.1", "modify fight.die\n    +1 when turn = 2"),
        amends("4.1", "modify fight.die\n    +1   when turn = 2  # dusk"),
        "both change",
    ),
    (
        amends("1", "piece unit plural soldiers\n    wet: flag"),
        amends("1", "piece unit plural men\n    dry: flag"),
        '"plural" of "unit"',
    ),
    # two that run at the same moment: within a paragraph the names of the files would decide
    (
        amends("2", "after phase player_turn ends: add 1 to turn"),
        amends("2", "after phase player_turn ends: set turn to 1"),
        "both change what is done in 2 when player_turn ends",
    ),
    (
        amends("3", "after unit enters zone: flip unit"),
        amends("3", "after unit enters zone when zone is mill: flip unit to face 0"),
        "both change what is done in 3 when a piece enters",
    ),
    # the whole of a duty, by its label, and one of its rungs
    (DUTY + "\n\n" + amends("2.1a", 'repeal "duty"'), amends("2.1a", 'repeal "late"'), 'the line "late"'),
    # a statement declared anew in a paragraph that the other writes anew
    (
        amends("3", 'quantity march_points(unit) = 2\n    + table effort[turn] "weather"'),
        "## replaces 3\nNobody moves.",
        "3 is amended here and replaced by",
    ),
    # an exception to what the other takes away; a value of a kind that the other narrows
    (
        amends("2.1", 'repeal "no rest on the first day"'),
        amends("3.1", "allow rest when turn = 1 despite 2.1"),
        "2.1 forbids nothing",
    ),
    (
        amends("1", "set r1.strength = 7"),
        amends("1", "piece unit\n    printed strength: 1 to 5 per face"),
        '"7" is no number',
    ),
    # a setting, and the rule that asks for it
    (amends("1.1", "set reading ties = nobody"), amends("2", GAME_WITHOUT_TIES), "sets reading ties"),
    (amends("1.1", "set option fog = yes"), "## repeals 3.2", "sets option fog"),
    (amends("1.1", "set option fog = yes"), amends("3.2", 'repeal "fog"'), "sets option fog"),
    # what is rounded on its way comes before or after
    (
        amends("3", "modify march_points\n    /2 rounded down at least 1 when turn = 1"),
        amends("3.2", "modify march_points\n    /3 rounded down when turn = 1"),
        "which comes first",
    ),
    (
        amends("3", "modify march_points\n    -2 at least 1 when turn = 1"),
        amends("3.2", "modify march_points\n    -1 when turn < 3"),
        "which comes first",
    ),
    (
        amends("3", "modify march_points\n    /2 rounded down when turn = 1"),
        amends("3.2", "modify march_points\n    /2 rounded up when turn = 1"),
        "different roundings",
    ),
    # an example of one that needs the paragraph which the other repeals
    (
        "## after 3.1 → 3.1a Calm\n```example\nexpect: cannot move_unit(r1) by 4.2\n```",
        "## repeals 4.2",
        "no paragraph 4.2",
    ),
    (
        "## replaces 3.2 Calm\n```example\nexpect: cannot move_unit(r1) by 4.2\n```",
        "## repeals 4.2",
        "no paragraph 4.2",
    ),
]


@pytest.mark.parametrize(("one", "other", "words"), REFUSED)
def test_pairs_that_touch_the_same_thing_by_another_way(one: str, other: str, words: str) -> None:
    for texts in permutations((document(one, title="One"), document(other, title="Other"))):
        found = refused(*texts)
        hits = [p for p in found if words in p.message]
        assert hits, [render(p) for p in found]
        places = [{p.span.file.shown, *(span.file.shown for _, span in p.also)} for p in hits]
        assert any({"a.md", "b.md"} <= both for both in places), [render(p) for p in hits]
        assert {p.span.file.shown for p in found} <= {"a.md", "b.md"}


@pytest.mark.parametrize(
    ("one", "other", "clash"), [("any", "9", True), ("any", "3", False), ("8", "9", False)]
)
def test_a_cell_that_any_stands_for(tmp_path: Path, one: str, other: str, clash: bool) -> None:
    """Whoever changes `any` means turn 9, too; turn 3 has a row of its own."""
    shutil.copytree(FORD, tmp_path / "ford")
    table = tmp_path / "ford" / "tables" / "effort.yaml"
    table.write_text(table.read_text(encoding="utf-8").replace('"6+"', '"any"'), encoding="utf-8")
    texts = [document(amends("3", f'set table effort["{label}"] = 2')) for label in (one, other)]
    for order in permutations(files(*texts)):
        _, problems = apply_house_files(printed(tmp_path / "ford"), order)
        assert [p.code for p in problems] == (["house-clash"] if clash else [])


# ---- pairs that are independent ----------------------------------------------------------------------------
ACCEPTED = [
    (amends("4.1", 'repeal "woods"'), amends("4.1", 'replace "walls": -3')),
    (amends("4.1", "modify fight.die\n    +1 when turn = 2"), amends("4.2", "modify fight.die\n    +1")),
    (amends("3", "quantity march_points(unit) = 2"), amends("3.2", 'replace "fog": = 2 when fog')),
    (amends("1", "piece unit\n    wet: flag"), amends("1", "piece unit plural men\n    dry: flag")),
    (amends("1.1", "set reading ties = nobody"), "## repeals 4.2"),
    (amends("1.1", "set option fog = yes"), amends("3.2", 'replace "fog": = 2 when fog')),
    ("## repeals 3.1", "## after 3.1 → 3.1a Fords\nThe place is what counts."),
    ("## repeals 4.2", amends("3", "define steady(unit) = unit is r2")),
    (amends("1", "set r1.strength = 5"), amends("1", "set r1.strength[2] = 3")),
    (
        amends("4", "set table fight[1:1, 3].attacker_losses = 2"),
        amends("4", "set table fight[1:1, 3].defender_losses = 2"),
    ),
    (
        amends("3", "modify march_points\n    /2 rounded down when turn = 1"),
        amends("3.2", "modify march_points\n    /3 rounded down when turn < 4"),
    ),
    (
        amends("3", "modify march_points\n    /2 rounded down when turn = 1"),
        amends("3.2", "modify march_points\n    /3 rounded up when turn = 2"),
    ),
    (amends("1", "set hill.points = 3", "requires"), amends("1", "set mill.points = 3")),
    # the same moment from different paragraphs, in whose order they run; or another moment
    (
        amends("2", "after phase player_turn ends: add 1 to turn"),
        "## after 2 → 2.0 Dusk\n```rules\nafter phase player_turn ends: set turn to 1\n```",
    ),
    (
        amends("2", 'after phase player_turn ends: note "a"\nafter phase player_turn ends: note "b"'),
        amends("2", 'after phase player_turn begins: note "c"'),
    ),
    (DUTY + "\n\n" + amends("2.1a", 'repeal "soon"'), amends("2.1", 'forbid rest when turn = 2 "late"')),
]


@pytest.mark.parametrize(("one", "other"), ACCEPTED)
def test_independent_pairs_in_any_order(one: str, other: str) -> None:
    told = []
    named = files(document(one, title="One"), document(other, title="Other"))
    for order in permutations(named):
        source, problems = apply_house_files(printed(), order)
        assert [render(p) for p in problems if p.severity == "error"] == []
        checked(source)
        told.append(diff_text(source, diff_rules(printed(), source)))
    assert told[0] == told[1]


def test_limits_that_cross_are_the_same_in_whatever_paragraph_they_stand() -> None:
    """`at most` has the last word, so that neither the file nor the paragraph decides."""
    low, high = "modify march_points\n    at most 2", "modify march_points\n    at least 3"
    for one, other in ((low, high), (high, low)):
        program = checked(applied(document(amends("3", one)), document(amends("3.2", other))))
        ops = [c.op for c in program.quantities["march_points"].changes if c.op.startswith("at ")]
        assert ops == ["at least", "at most"]


def test_each_value_is_told_with_the_house_rule_that_gave_it() -> None:
    one = amends("1", "set r1.strength = 5") + "\n\n" + amends("3", "set table effort[4] = 1")
    one += "\n\n" + amends("4", "set table fight[1:1, 3].attacker_losses = 2")
    other = amends("2", "set r1.strength[2] = 3\nset table effort[6] = 1")
    other += "\n\n" + amends("4", "set table fight[1:1, 3].defender_losses = 2")
    other += "\n\n" + amends("4", 'set table fight[2:1, "<=1"] = A2')
    after = applied(document(one, title="One"), document(other, title="Other"))
    values = diff_json(after, diff_rules(printed(), after))["values"]
    assert isinstance(values, list)
    assert {(v["part"], v["paragraph"], v["by"]) for v in values} == {
        ("strength[1]", "1", "One"),
        ("strength[2]", "2", "Other"),
        ("turn 4", "3", "One"),
        ("turn 6", "2", "Other"),
        ("odds 1:1, die 3", "4", "One, Other"),
        ("odds 2:1, die <=1", "4", "Other"),
    }


def test_a_cell_that_another_house_rule_splits_keeps_its_author() -> None:
    one = document(amends("4", 'set table fight[1:1, "2-3"] = D2'), title="One")
    other = document(amends("4", "set table fight[2:1, 3] = D2"), title="Other")
    after = applied(one, other)
    assert {(v.part, v.by) for v in diff_rules(printed(), after).values} == {
        ("odds 1:1, die 2", "One"),
        ("odds 1:1, die 3", "One"),
        ("odds 2:1, die 3", "Other"),
    }


def test_a_printed_statement_that_is_written_twice_is_a_difference() -> None:
    line = 'modify march_points\n    = 1 when fog "fog"\n'
    after = applied(
        document(f"## replaces 3.2 Fog\nIn fog every unit has one point.\n```rules\n{line}{line}```")
    )
    (diff,) = diff_rules(printed(), after).paragraphs
    assert [text for sign, text in diff.lines if sign == "+"] == line.splitlines()
