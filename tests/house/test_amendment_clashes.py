"""House rules that do not fit: clashes with both places, dangling references."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import render
from rulesdsl.base.source import SourceFile
from rulesdsl.house.applying import apply_house_files
from tests.kit.house_rules import amends, applied, checked, document, files, printed, refused

# ---- clashes: both places, and nothing runs ------------------------------------------------------------
CLASHES = [
    (
        amends("4", "set table effort[3] = 1"),
        amends("3", 'set table effort["1-4"] = 2'),
        "both change table effort",
    ),
    (
        amends("4", "set table fight[1:1, 3] = A1"),
        amends("4", "set table fight[1:1, 3].attacker_losses = 2"),
        None,
    ),
    (
        amends("1", "set r1.strength = 5"),
        amends("1", "set r1.strength[1] = 6"),
        'both change "strength[1]" of "r1"',
    ),
    (
        amends("1", "set hill.points = 5"),
        amends("2", "set hill.points = 5"),
        'both change "points" of "hill"',
    ),
    (
        amends("1", "set border mill/hill.river = no"),
        amends("1", "set border hill/mill.river = true"),
        "both",
    ),
    (amends("1", "set r1.start = mill"), amends("1", "set r1.start = hill"), '"start" of "r1"'),
    (
        amends("1.1", "set parameter last_turn = 5"),
        amends("1.1", "set parameter last_turn = 4"),
        '"last_turn"',
    ),
    (amends("4.1", 'repeal "woods"'), amends("4.1", 'replace "woods": -2'), 'the line "woods"'),
    (amends("4.2", "define steady(unit) = true"), amends("4.2", "repeal steady"), '"steady"'),
    (amends("1", "piece unit\n    wet: flag"), amends("1", "piece unit\n    wet: number"), '"wet" of "unit"'),
    (amends("1", "piece unit\n    wet: flag"), amends("1", "repeal unit"), '"unit"'),
    ("## repeals 4.2", "## repeals 4.2", "paragraph 4.2"),
    ("## repeals 4.2", "## replaces 4.2\nNew.", "paragraph 4.2"),
    ("## repeals 4.2", amends("4.2", "define steady(unit) = true"), "4.2 is amended here and repealed by"),
    ("## replaces 4.2\nNew.", "## amends 4.2\nMore.", "4.2 is amended here and replaced by"),
    ("## after 3.2 → 3.3 Mud\nWet.", "## after 3.1 → 3.3 Dust\nDry.", "paragraph 3.3"),
    (
        amends("3", "track luck: number = 0"),
        amends("4", "track luck: number = 1"),
        None,
    ),
    (
        amends("4.1", 'modify fight.die\n    +1 when turn = 1 "dawn"'),
        amends("4.1", 'modify fight.die\n    +2 when turn = 1 "dawn"'),
        None,
    ),
    (
        amends("3.2", 'modify march_points\n    = 3 when turn = 2 "wind"'),
        amends("3.2", 'modify march_points\n    = 2 when turn = 2 "rain"'),
        "two rules may set",
    ),
]


@pytest.mark.parametrize(("one", "other", "words"), CLASHES)
def test_clashes_show_both_places(one: str, other: str, words: str | None) -> None:
    pair = document(one, title="One"), document(other, title="Other")
    for texts in (pair, pair[::-1]):
        found = refused(*texts)
        assert any(words is None or words in p.message for p in found), [p.message for p in found]
        for problem in found:
            places = {problem.span.file.shown, *(span.file.shown for _, span in problem.also)}
            assert places & {"a.md", "b.md"}
            assert problem.span.line > 1
        assert any({"a.md", "b.md"} <= {p.span.file.shown, *(s.file.shown for _, s in p.also)} for p in found)


def test_a_thing_changed_twice_in_one_document() -> None:
    (problem,) = refused(document(amends("1", "set hill.points = 5\nset hill.points = 4")))
    assert problem.message == '"points" of "hill" is changed twice'
    assert problem.also[0][1].line == problem.span.line - 1


def test_requires_and_conflicts() -> None:
    text = amends("1", "set hill.points = 5")
    (problem,) = refused(document(text, front="requires: thick_woods"))
    assert (problem.code, problem.span.line, problem.span.column) == ("house-requires", 3, 11)
    assert problem.help == "add `--house thick_woods`"
    (problem,) = refused(document(text, front="requires: thik_woods"))
    assert problem.help == 'did you mean "thick_woods"?'
    (problem,) = refused(
        document(text, front="- conflicts: z, b"), document("## repeals 4.2", title="The other")
    )
    assert problem.message == '"a" cannot be played together with "b"'
    assert problem.also[0][1].file.shown == "b.md"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("thik_woods", 'did you mean "thick_woods"?'),
        ("Thick-Woods", 'did you mean "thick_woods"?'),
        ("thick_woods", None),
        ("thick_woods_2", None),
        ("b", None),
        ("elsewhere", None),
    ],
)
def test_a_misspelt_conflict_is_not_overlooked(name: str, hint: str | None) -> None:
    """It would never be felt; a house rule that is not known here may well stand elsewhere."""
    text = document(amends("1", "set hill.points = 5"), front=f"conflicts: {name}")
    _, problems = apply_house_files(printed(), files(text))
    assert [(p.severity, p.span.line, p.help) for p in problems] == ([("warning", 3, hint)] if hint else [])


def test_a_house_rule_that_may_stand_anywhere_is_asked_for_by_its_file() -> None:
    for name in ("elsewhere", "ab"):  # a.md itself is not what is missing
        (problem,) = refused(document("## repeals 4.2", front=f"requires: {name}"))
        assert problem.help == "add `--house FILE`"


def test_names_that_two_new_paragraphs_declare_are_shown() -> None:
    text = '## after 3.2 → 3.{} New\nx\n```rules\naction wet(zone) "wet"\n```'
    (problem,) = refused(document(text.format(3)), document(text.format(4)))
    places = [problem.span, *(span for _, span in problem.also)]
    assert [span.file.line(span.line) for span in places] == ['action wet(zone) "wet"'] * 2


def test_two_house_rules_of_one_name() -> None:
    one = SourceFile(Path("x/a.md"), document("## repeals 4.2"))
    other = SourceFile(Path("y/a.md"), document("## repeals 3.2"))
    _, problems = apply_house_files(printed(), [one, other])
    assert [p.code for p in problems] == ["house-twice"]


OVERLAPS = [
    ("unit is moved", "unit is tired", True),  # two flags may both be set
    ("unit is moved", "unit.strength > 3", True),
    ("unit is r1", "unit is r2", False),
    ("unit.owner is red", "unit.owner is blue", False),
    ("unit.at.terrain is woods", "unit.at.terrain is open", False),
    ("unit is moved", "unit is not moved", False),
    ("turn = 1", "turn = 2", False),
]


@pytest.mark.parametrize(("one", "other", "clash"), OVERLAPS)
def test_two_that_set_a_number_must_exclude_each_other(one: str, other: str, clash: bool) -> None:
    """Whether two conditions exclude each other: otherwise the order of files would decide."""
    text = '## after 3.1 → 3.1{} New\n```rules\nmodify entry_cost\n    = {} when {} "new"\n```'
    tired = amends("1", "piece unit\n    tired: flag")
    texts = document(text.format("a", 2, one)), document(text.format("b", 3, other), tired)
    if not clash:
        checked(applied(*texts))
        return
    (problem,) = refused(*texts)
    assert problem.code == "clash"
    assert {problem.span.file.shown, problem.also[0][1].file.shown} == {"a.md", "b.md"}


DANGLING = [
    ("## repeals 1.1", '"last_turn"', "repeat at most last_turn"),
    ("## repeals 4.1\n\n## repeals 4", "enemy", "where it is enemy to unit"),
    (amends("1", "enum terrain: open, woods"), "walls", None),
    (amends("4.2", "repeal steady"), "steady", "when mover is steady"),
    ("## replaces 3\nNothing moves.", "march", None),
]


@pytest.mark.parametrize(("text", "word", "there"), DANGLING)
def test_dangling_references_point_to_the_house_rule(text: str, word: str, there: str | None) -> None:
    found = [p for p in refused(document(text, title="Cruel")) if word in p.message]
    assert found
    for problem in found:
        assert problem.span.file.shown == "a.md"
        assert 'because "Cruel" ' in problem.message or problem.code == "bad-value"
    places = [span.file.line(span.line) for p in found for _, span in p.also]
    assert there is None or any(there in text for text in places)


def test_all_paragraphs_that_need_what_is_lost_are_named() -> None:
    """A missing name is told once; whoever repeals a paragraph wants to know all that hangs on it."""
    using = (
        "## after 3.1 → 3.1a {}\n```rules\ndefine {}(zone) = turn < last_turn and zone is {} # last_turn\n```"
    )
    more = using.format("Ferry", "quiet", "hill"), using.replace("3.1a", "3.1b").format("Mud", "wet", "mill")
    found = refused(*map(document, more), document("## repeals 1.1", title="Cruel"))
    (problem,) = (p for p in found if '"last_turn"' in p.message)
    assert problem.span.file.shown == "a.md"
    assert [(text, span.file.shown) for text, span in problem.also] == [
        ('"Cruel" takes it away here', "c.md")
    ]
    assert problem.help == 'needed by 3.1a "Ferry", 2 and 3.1b'
    (alone,) = (p for p in refused(document("## repeals 1.1")) if "last_turn" in p.message)
    assert alone.help == 'change 2 "Sequence of play" as well'
    assert [text for text, _ in alone.also] == ["it is needed here"]


def test_what_took_a_name_away_is_shown_and_not_what_else_spoke_of_it() -> None:
    route = "route march(unit)\n    from unit.at\n    along borders\n    budget march_points(unit)"
    gone = amends("3", f"{route}\nrepeal entry_cost") + "\n\n## repeals 3.1"
    more = "## after 3.2 → 3.2a Mud\n```rules\nmodify entry_cost\n    +1 when turn = 3\n```"
    (problem,) = refused(document(gone, title="No costs"), document(more))
    ((text, place),) = problem.also
    assert (text, place.text) == ('"No costs" takes it away here', "repeal entry_cost")


def test_citations_of_a_repealed_paragraph() -> None:
    more = '## after 3.1 → 3.1a Ferry\n```rules\nforbid rest when turn = 2\n' \
           "allow rest when turn = 1 despite 2.1\n```"  # fmt: skip
    checked(applied(document(more)))
    found = refused(document(more), document("## repeals 2.1", title="No rest"))
    assert {p.code for p in found} >= {"unknown-paragraph"}
    text = "\n".join(render(p) for p in found)
    assert "there is no paragraph 2.1" in text
    assert "b.md" in text


def test_new_paragraphs_of_one_number_stand_in_the_same_order_whoever_brings_them() -> None:
    """3.01 and 3.1 are read as one number: triggers in them must not follow the names of files."""
    text = '## after 3 → 3.{0} New\n```rules\nafter phase player_turn ends: note "{0}"\n```'
    for order in permutations(("03", "3")):
        program = checked(applied(*(document(text.format(number)) for number in order)))
        assert [trigger.paragraph for trigger in program.triggers] == ["3.03", "3.3"]
