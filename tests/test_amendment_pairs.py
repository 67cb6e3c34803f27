"""House rules that seem to have nothing to do with each other, and those that really have not."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulesdsl.amendments import apply_house_files, apply_house_rules, find_house_rule
from rulesdsl.checker import check
from rulesdsl.diagnostics import UsageError, render
from rulesdsl.differences.difftext import diff_json, diff_text
from rulesdsl.differences.rulediff import diff_rules
from rulesdsl.limits import DEFAULT
from tests.house_rules import amends, applied, checked, document, files, printed, refused

GAME_WITHOUT_TIES = """phase game
    repeat at most last_turn times:
        do player_turn(red)
        do player_turn(blue)
        add 1 to turn
    end game: drawn "equal scores" """

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


# ---- the place of a mistake is in the house rule -----------------------------------------------------------
BLAMED = [
    (amends("1", "piece unit\n    printed movement: flag"), "    printed movement: flag"),
    (amends("1", "space zone\n    printed points: terrain"), "    printed points: terrain"),
    (amends("1", "enum terrain: open, woods, walls, bog\nset hill.terrain = bog"), None),
    (amends("1", "record fight\n    target: unit"), "    target: unit"),
    (amends("4", "procedure lose_step(zone)\n    mark unit as moved"), "procedure lose_step(zone)"),
    (amends("3", 'action move_unit(zone) "go"'), 'action move_unit(zone) "go"'),
    (amends("1", "track turn: 1 to 20 = 1\ntrack score: number = 0"), None),
    ("## after 3.1 → 3.1a Twice\n```rules\ndefine steady(unit) = true\n```", "define steady(unit) = true"),
    ("## repeals 1", "## repeals 1"),
    (
        "## after 3.1 → 3.1a X\n```rules\nmodify fight.die\n    = 1 when target.terrain is walls\n"
        "modify fight.die\n    = 2 when target.terrain is woods\n```\n\n"
        + amends("1", "enum terrain: open, woods, walls\nenum ground: walls, woods"),
        None,
    ),
]


@pytest.mark.parametrize(("text", "line"), BLAMED)
def test_every_error_stands_in_the_house_rule(text: str, line: str | None) -> None:
    source, problems = apply_house_files(printed(), files(document(text)))
    _, more = check(source)
    found = [p for p in (*problems, *more) if p.severity == "error"]
    assert found or line is None
    for problem in found:
        assert problem.span.file.shown == "a.md", render(problem)
    assert line is None or line in {p.span.file.line(p.span.line) for p in found}


def test_a_hundred_counters_that_no_longer_fit_are_told_in_a_few_messages() -> None:
    found = refused(document(amends("1", "piece unit\n    printed movement: flag")))
    values = [p for p in found if p.code == "bad-value"]
    assert len(values) == 3
    assert [p.help for p in values if "more" in p.help] == ["write true or false; and 3 more like it"]


# ---- documents ---------------------------------------------------------------------------------------------
FRONTS = [
    ("**requires:** thick_woods", "", "house-requires", 3),
    ("**Requires**: thick_woods", "", "house-front", 3),
    ("", "requires: thick_woods", "house-front", 7),
    ("", "- conflicts: thick_woods", "house-front", 7),
    ("requires: a", "", "house-front", 3),
    ("conflicts: a", "", "house-front", 3),
]


@pytest.mark.parametrize(("front", "inside", "code", "line"), FRONTS)
def test_a_mention_is_never_taken_for_prose(front: str, inside: str, code: str, line: int) -> None:
    text = document(f"## amends 1\nMore.\n{inside}\n```rules\nset hill.points = 5\n```", front=front)
    (problem,) = refused(text)
    assert (problem.code, problem.span.line) == (code, line)


HEADINGS = [
    ("## amends §4.2\nx", "house-heading", 2, "write `## amends 4.2`"),
    ("## amends 4.2.\nx", "house-heading", 2, "write `## amends 4.2`"),
    ("## repeals 4.2\n# Another\n## repeals 3.2", "house-title", 3, None),
    ("# Another\n## repeals 3.2", "house-title", 2, None),
    ("## after 3.1 → 3.1 Rivers\nx", "house-number", 2, "give the new paragraph another number"),
    ("## amends 1\n```rules\nset r1.start = hill, mill\n```", "unknown-space", 4, None),
    ("## amends 1\n```rules\nset r1.strength = 3, 4\n```", "bad-value", 4, None),
]


@pytest.mark.parametrize(("text", "code", "line", "hint"), HEADINGS)
def test_one_mistake_one_message(text: str, code: str, line: int, hint: str | None) -> None:
    (problem,) = refused(f"# T\n{text}\n")
    assert (problem.code, problem.span.line) == (code, line)
    assert hint is None or problem.help == hint
    assert "('" not in problem.message
    assert "(3" not in problem.message


def test_a_block_with_nothing_but_a_comment_says_nothing() -> None:
    (problem,) = refused(document(amends("4.1", "# to be written")))
    assert (problem.code, problem.span.line) == ("house-empty", 5)


def test_house_rules_of_one_title_are_told_apart_by_their_files() -> None:
    (problem,) = refused(*[document(amends("1", "set hill.points = 5"), title="Hills")] * 2)
    assert problem.message == '"Hills" (a) and "Hills" (b) both change "points" of "hill"'


def test_what_is_in_the_paragraph_already_is_not_added_again() -> None:
    text = amends("4.2", 'modify fight.die\n    +1 when mover is steady "guards"')
    assert [p.code for p in refused(document(text))] == ["house-label"]
    bare = document("## replaces 2.1\n```rules\naction rest\nforbid rest when turn = 1\n```")
    base, _ = apply_house_files(printed(), files(bare))
    _, problems = apply_house_files(base, files(document(amends("2.1", "forbid rest  when turn = 1"))))
    assert [(p.code, p.message) for p in problems] == [("house-clash", '2.1 "Skirmishers" says this already')]


def test_house_rules_of_any_length_are_read_or_refused() -> None:
    chain = "\n".join(f"## after {f'3.1.{n - 1}' if n > 1 else '3.1'} → 3.1.{n} N\nx" for n in range(1, 2000))
    after = applied(document(chain))
    numbers = [p.id for chapter in after.chapters for p in chapter.paragraphs]
    assert numbers[numbers.index("3.1") :][:2000] == ["3.1", *(f"3.1.{n}" for n in range(1, 2000))]
    many = "\n".join(f"## after 3.1 → 3.1.{n} N\nx" for n in range(DEFAULT.rules + 1))
    (problem,) = refused(document(many))
    assert (problem.code, problem.span.file.shown) == ("too-many-rules", "a.md")


def test_a_directory_is_no_house_rule(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a directory"):
        find_house_rule(printed().directory, tmp_path)
    (tmp_path / "b.md").write_text("\ufeff" + document("## repeals 4.2"), encoding="utf-8")
    source, problems = apply_house_rules(printed(), [tmp_path / "b.md", tmp_path / "." / "b.md"])
    assert problems == []
    assert [rule.name for rule in source.house] == ["b"]
