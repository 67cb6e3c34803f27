"""House rules with mistakes: what cannot be read or is not there, told with its place and a hint."""

from __future__ import annotations

import pytest

from rulesdsl.house.applying import apply_house_files, read_house_rule
from tests.kit.house_rules import amends, applied, document, files, printed, refused

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
    ("set r1.strength = 1/0", "division-by-zero", None),
    ("set border camp/mill.river = 1/0", "division-by-zero", None),
    ("set table effort[1] = 2/0", "division-by-zero", None),
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


# The message as a whole: it speaks of what the author wrote, in the section where it stands.
MESSAGES = [
    ("1", "set r1.strength = true", '"true" is no number ("strength")', "amends 1", ""),
    ("1.1", "set parameter last_turn = many", '"many" is no number ("last_turn")', "amends 1.1", ""),
    ("1.1", "set parameter last_turn = turn", '"turn" is no number ("last_turn")', "amends 1.1", ""),
    ("1.1", "set option fog = perhaps", '"perhaps" is no flag ("fog")', "amends 1.1", "write true or false"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "rules", "message", "where", "hint"), MESSAGES)
def test_what_a_message_says(number: str, rules: str, message: str, where: str, hint: str) -> None:
    (problem,) = refused(document(amends(number, rules)))
    assert (problem.message, problem.paragraph, problem.help) == (message, where, hint)


def test_several_prohibitions_under_one_label() -> None:
    """They declare no name, so that nobody can declare them anew; each can be repealed by its words."""
    twice = 'forbid rest when turn = 2 "no"\nforbid move_unit when turn = 2 "no"'
    new = f"## after 3.2 → 3.3 Sunday\n```rules\n{twice}\n```"
    (problem,) = refused(document(new), document(amends("3.3", 'repeal "no"')))
    assert problem.help == "write `repeal forbid rest` or `repeal forbid move_unit`"


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


def test_a_title_is_told_as_it_is_written() -> None:
    (problem,) = refused("# T\n## after 3.2 → 3.3 Tom's day\nx\n## amends 3.3 Day\nx")
    assert problem.message == """3.3 is called "Tom's day\""""


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
