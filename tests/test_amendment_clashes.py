"""House rules that do not fit: clashes with both places, dangling references, mistakes with hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.amendments import apply_house_files, read_house_rule
from rulesdsl.diagnostics import render
from rulesdsl.source import SourceFile
from tests.house_rules import amends, applied, checked, document, files, printed, refused

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
        amends("3", "define twice(number) = number * 2"),
        amends("4", "define twice(number) = number + number"),
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


def test_citations_of_a_repealed_paragraph() -> None:
    more = '## after 3.1 → 3.1a Ferry\n```rules\nforbid rest when turn = 2\n' \
           "allow rest when turn = 1 despite 2.1\n```"  # fmt: skip
    checked(applied(document(more)))
    found = refused(document(more), document("## repeals 2.1", title="No rest"))
    assert {p.code for p in found} >= {"unknown-paragraph"}
    text = "\n".join(render(p) for p in found)
    assert "there is no paragraph 2.1" in text
    assert "b.md" in text


# ---- what cannot be read or is not there -----------------------------------------------------------------
MISTAKES = [
    ("set table efort[1] = 2", "unknown-name", 'did you mean "effort"?'),
    ("set table effort[1, 2] = 3", "wrong-arguments", "write `set table effort[turn] = …`"),
    ("set table effort[0] = 3", "unknown-cell", "there are 1-4, 5, 6+"),
    ("set table effort[often] = 3", "table-label", None),
    ("set table effort[1] = many", "table-cell", None),
    ("set table fight[7:2, 1] = A1", "unknown-cell", "there are 1:2, 1:1, 2:1, 3:1"),
    ("set table fight[1:1, 1] = X1", "table-cell", None),
    ("set table fight[1:1, 1].losses = 2", "unknown-name", None),
    ("set r9.strength = 2", "unknown-name", None),
    ("set r1.strenth = 2", "undeclared-attribute", 'did you mean "strength"?'),
    ("set r1.strength[3] = 2", "unknown-face", None),
    ("set r1.movement[1] = 2", "unknown-face", "write `.movement = …`"),
    ("set r1.strength = lots", "bad-value", None),
    ("set r1.start = moon", "unknown-space", None),
    ("set hill.terrain = wood", "bad-value", 'did you mean "woods"?'),
    ("set r1.moved = true", "not-printed", "printed are owner, movement, strength"),
    ("set border camp/keep.river = true", "unknown-name", None),
    ("set border camp/milll.river = true", "unknown-name", 'did you mean "mill"?'),
    ("set border camp/mill.rivr = true", "undeclared-attribute", 'did you mean "river"?'),
    ("set parameter last_turn = 3", "house-elsewhere", "put this under `## amends 1.1`"),
    ("set parameter lastturn = 3", "unknown-name", 'did you mean "last_turn"?'),
    ('replace "wods": -1', "unknown-label", 'did you mean "woods"?'),
    ('replace "river": -1', "unknown-label", 'it stands in 3.1 "Rivers": put this under `## amends 3.1`'),
    ('replace "woods": forbid rest', "house-replace", 'write `replace "woods": -2 when …`'),
    ("repeal steady", "unknown-name", 'it stands in 4.2 "Morale": put this under `## amends 4.2`'),
    ("repeal fight.die", "unknown-name", 'it stands in 4 "Combat": put this under `## amends 4`'),
    ('modify fight.die\n    +1 "woods"', "house-label", 'write `replace "woods": …`, or use another label'),
    ("define steady(unit) = true", "house-elsewhere", "put this under `## amends 4.2`"),
    ("sett r1.strength = 3", "syntax", 'did you mean "set"?'),
    ("set r1 strength = 3", "syntax", None),
    ("define d = (table fight[3-1, 5]).attacker_losses", "type-mismatch", "write `3:1`"),
    ("modify fight.die\n    +1 when moon", "unknown-name", None),
]


@pytest.mark.parametrize(("rules", "code", "hint"), MISTAKES)
def test_mistakes_have_a_place_and_a_hint(rules: str, code: str, hint: str | None) -> None:
    found = refused(document(amends("4.1", rules)))
    assert code in [p.code for p in found]
    for problem in found:
        assert problem.span.file.shown == "a.md"
        assert 7 <= problem.span.line <= 9
    if hint is not None:
        assert hint in [p.help for p in found]


FORMS = [
    ("# T\n## amnds 3\nx", "house-heading", 2, 'did you mean "amends"?'),
    ("# T\n## amends\nx", "house-heading", 2, None),
    ("# T\n## after 3.1 → 3.9\nx", "house-heading", 2, None),
    ("# T\n## amends 33\nx", "unknown-paragraph", 2, None),
    ("# T\n## amends 3.1 River\nx", "house-title", 2, "leave the title out, or check the number"),
    ("# T\n## after 3.1 → 3.2 Mist\nx", "house-number", 2, "give the new paragraph another number"),
    ("# T\n## after 9 → 9.1 Mist\nx", "unknown-paragraph", 2, None),
    ("# T\n## after 8.1 → 8.2 Mist\nx\n## after 8.2 → 8.1 Dust\nx", "house-number", 2, None),
    ("# T\n## repeals 4.2\n```rules\nset hill.points = 1\n```", "house-block", 3, None),
    (
        '# T\n## replaces 4.2\n```rules\nrepeal "guards"\n```',
        "house-block",
        4,
        "put it under `## amends 4.2`",
    ),
    ("# T\n## amends 4.2\n", "house-empty", 2, None),
    ("# T\n", "house-empty", 1, None),
    ("## repeals 4.2\n", "house-title", 1, "write `# Title` in the first line"),
    ("# T\nrequire: b\n## repeals 4.2", "house-front", 2, 'did you mean "requires"?'),
    ("# T\nrequires: the (other) one\n## repeals 4.2", "house-front", 2, None),
    ("# T\n```rules\nset hill.points = 1\n```\n## repeals 4.2", "rules-without-paragraph", 2, None),
    ("# T\n## amends 3.1\n```rules\nset hill.points = 1\n", "unclosed-fence", 3, None),
]


@pytest.mark.parametrize(("text", "code", "line", "hint"), FORMS)
def test_the_form_of_a_document(text: str, code: str, line: int, hint: str | None) -> None:
    found = [p for p in refused(text) if p.code == code]
    assert found
    assert found[0].span.line == line
    assert hint is None or found[0].help == hint


@pytest.mark.parametrize(("word", "after"), [("no", "false"), ("false", "false"), ("yes", None)])
def test_a_flag_is_told_in_one_way(word: str, after: str | None) -> None:
    changes = applied(document(amends("1", f"set border mill/hill.river = {word}"))).changes
    assert [c.after for c in changes if c.kind == "border"] == ([] if after is None else [after])


def test_what_changes_nothing_is_a_warning() -> None:
    rules = "set table effort[5] = -1\nset hill.points = 2\nset r1.strength = 4"
    source, problems = apply_house_files(printed(), files(document(amends("4.1", rules))))
    assert [(p.code, p.severity) for p in problems] == [("house-no-change", "warning")] * 3
    assert [c.kind for c in source.changes] == ["paragraph"]


def test_the_reason_is_what_stands_before_the_sections() -> None:
    text = document("## repeals 4.2\nToo long.", front="Because\nof this.\n\nrequires: b, c\n\nAnd that.")
    rule, problems = read_house_rule(files(text)[0])
    assert problems == []
    assert rule.reason == "Because\nof this.\n\n\nAnd that."
    assert [(m.kind, m.name, m.span.column) for m in rule.mentions] == [
        ("requires", "b", 11),
        ("requires", "c", 14),
    ]
    assert rule.sections[0].prose == "Too long."
