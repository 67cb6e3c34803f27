"""House rules: what each statement does, that order does not matter, and how clashes are told."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from rulesdsl import syntax as sx
from rulesdsl.amendments import (
    apply_house_files,
    apply_house_rules,
    find_house_rule,
    read_house_rule,
    shipped_house_rules,
)
from rulesdsl.amendments.draft import paragraphs_of
from rulesdsl.changes import changes_of
from rulesdsl.diagnostics import UsageError, render
from rulesdsl.printer import print_rule
from rulesdsl.source import SourceFile
from tests.house_rules import FORD, amends, applied, checked, document, files, play, printed, refused


def rules_text(source, number: str) -> str:
    return "\n".join(print_rule(rule) for rule in paragraphs_of(source)[number].rules)


# ---- what the statements do --------------------------------------------------------------------------
def test_a_cell_of_a_table() -> None:
    after = applied(document(amends("4", "set table fight[2:1, 6] = A1D2\nset table effort[5] = 3")))
    assert after.tables["fight"].lookup(2, 6).value == {"attacker_losses": 1, "defender_losses": 2}
    assert after.tables["fight"].lookup(2, 7).value == {"attacker_losses": 0, "defender_losses": 2}
    assert after.tables["fight"].lookup(1, 6).value == {"attacker_losses": 0, "defender_losses": 1}
    assert after.tables["effort"].lookup(5).value == 3
    assert after.tables["effort"].source_of("5") == "house: A test"
    assert printed().tables["effort"].lookup(5).value == -1


def test_a_part_of_a_row_splits_it() -> None:
    after = applied(document(amends("3", "set table effort[3] = 2\nset table effort[8] = 1")))
    effort = after.tables["effort"]
    assert [row.label.text for row in effort.pages[0].rows] == ["1-2", "3", "4", "5", "6-7", "8", "9+"]
    assert [effort.lookup(turn).value for turn in range(1, 11)] == [0, 0, 2, 0, -1, -1, -1, 1, -1, -1]


def test_several_rows_and_one_field() -> None:
    after = applied(
        document(
            amends("4", 'set table effort[4 to 5] = 7\nset table fight["1:1", "2-3"].defender_losses = 2')
        )
    )
    effort = after.tables["effort"]
    assert [effort.lookup(turn).value for turn in (3, 4, 5, 6)] == [0, 7, 7, -1]
    for die in (2, 3):
        found = after.tables["fight"].lookup(1, die).value
        assert found == {"attacker_losses": 1, "defender_losses": 2}


def test_values_of_pieces_spaces_and_borders() -> None:
    after = applied(
        document(
            amends(
                "1",
                "set r1.strength = 6\nset r1.strength[2] = 5\nset b1.movement = 1\nset the_mill.points = 1/2\n"
                "set hill.terrain = open\nset border hill/mill.river = no\nset b3.start = keep",
            )
        )
    )
    assert [face["strength"] for face in after.pieces["r1"].faces] == [6, 5]
    assert after.pieces["b1"].attributes["movement"] == 1
    assert after.pieces["b3"].start == "keep"
    assert after.scenarios["meeting"].setup["keep"] == ("b1", "b2", "b3")
    assert after.map is not None
    assert after.map.spaces["mill"].attributes["points"] * 2 == 1
    assert after.map.border("mill", "hill").attributes["river"] == "no"
    assert after.pieces["r1"].source_of("strength") == "house: A test"
    program = checked(after)
    river = program.world.attributes["border", "river"]
    assert sum(int(v) for v in river.values) == 1


def test_settings() -> None:
    text = "set parameter last_turn = 2\nset reading ties = nobody\nset option fog = true"
    program = checked(applied(document(amends("1.1", text))))
    assert [program.settings[name].default for name in ("last_turn", "ties", "fog")] == [2, 1, 1]
    after = applied(document(amends("1.1", "set option fog = true")))
    assert after.scenarios["meeting"].options["fog"] == "true", "the scenario may not undo it"


def test_lines_by_their_label() -> None:
    text = (
        'replace "woods": -3 when target.terrain is woods\nrepeal "stronger"\n'
        'replace "walls": -1 when target.terrain is walls "stone walls"'
    )
    after = applied(document(amends("4.1", text)))
    assert rules_text(after, "4.1") == (
        "modify fight.die\n"
        '    -3 when target.terrain is woods "woods"\n'
        '    -1 when target.terrain is walls "stone walls"'
    )
    text = 'replace "no rest on the first day": forbid rest when turn < 3'
    after = applied(document(amends("2.1", text)))
    assert 'forbid rest when turn < 3 "no rest on the first day"' in rules_text(after, "2.1")
    checked(after)


def test_repealing_the_last_line_repeals_the_statement() -> None:
    after = applied(document(amends("3.1", 'repeal "river"')))
    paragraph = paragraphs_of(after)["3.1"]
    assert paragraph.rules == ()
    assert "\x00" not in paragraph.prose


def test_statements_replace_by_name_or_are_added() -> None:
    text = 'define steady(unit) = unit is r1\n\nmodify fight.die\n    +1 when turn > 3 "late"'
    after = applied(document(amends("4.2", text, "Only Red has guards.")))
    assert "define steady(unit) = unit is r1" in rules_text(after, "4.2")
    assert "b1" not in rules_text(after, "4.2")
    prose = paragraphs_of(after)["4.2"].prose
    assert prose.startswith("The guards never lose heart.")
    assert "Only Red has guards." in prose
    checked(after)


def test_a_class_gains_attributes() -> None:
    after = applied(document(amends("1", "piece unit\n    tired: flag\n    printed movement: 0 to 9")))
    decl = next(r for r in paragraphs_of(after)["1"].rules if isinstance(r, sx.ClassDecl) and r.name == "unit")
    assert [a.name for a in decl.attributes] == ["owner", "movement", "strength", "tired"]
    checked(after)


def test_whole_paragraphs() -> None:
    new = "## replaces 4.2 Panic\nHorses shy.\n```rules\nmodify fight.die\n    -1 when turn = 1 \"dawn\"\n```"
    more = "## after 3.2 → 3.3 Mud\nIt rains.\n```rules\nmodify entry_cost\n    +1 when turn = 2 \"mud\"\n```"
    after = applied(document(new, more, "## after 3.2 -> 3.2a Dust\nNothing.", "## repeals 3.1"))
    numbers = [p.id for p in after.chapters[0].paragraphs]
    assert numbers == ["1", "1.1", "2", "2.1", "3", "3.2", "3.2a", "3.3", "4", "4.1", "4.2", "5"]
    found = paragraphs_of(after)
    assert (found["4.2"].title, found["4.2"].level, found["3.3"].level) == ("Panic", 3, 3)
    assert after.game.paragraphs is not None
    assert [p.id for p in after.game.paragraphs] == numbers
    assert [p.title for p in after.game.paragraphs if p.id in ("4.2", "3.3")] == ["Mud", "Panic"]
    checked(after)
    assert len(play(after, 5)) == 5


def test_examples_come_with_the_house_rule() -> None:
    text = "## amends 5\nMore.\n```example\ngiven:\n    place r1 in hill\nwhen:\n    do count_points()\n" \
           "expect:\n    red.score = 2\n```"  # fmt: skip
    after = applied(document(text))
    assert [e.rule for e in checked(after).examples] == ["5", "5"]


def test_who_changed_what_is_known() -> None:
    after = applied(
        document(amends("4.1", 'repeal "woods"\nset table effort[5] = 0'), title="First"),
        document("## repeals 4.2", amends("3", "set r2.movement = 4"), title="Second"),
    )
    assert [(c.house, c.verb) for c in changes_of(after.changes, "paragraph", "4.2")] == [("b", "repeals")]
    (cell,) = changes_of(after.changes, "table", "effort")
    assert (cell.part, cell.before, cell.after, cell.title) == ("5", "-1", "0", "First")
    (value,) = changes_of(after.changes, "piece", "r2")
    assert (value.part, value.before, value.after, value.paragraph) == ("movement", "3", "4", "3")
    assert after.base is printed()
    assert [rule.title for rule in after.house] == ["First", "Second"]


# ---- order, names, fingerprints ----------------------------------------------------------------------
STACK = (
    document(amends("4.1", 'replace "woods": -2\nset table effort[3] = 1\nset r1.strength = 5')),
    document(amends("4.1", 'repeal "walls"\nset table effort[4] = 2', "Walls fall."), "## repeals 3.2"),
    document('## after 3.1 → 3.1a Mud\n```rules\nmodify entry_cost\n    +1 when turn = 2 "mud"\n```',
             amends("4.1", 'modify fight.die\n    +1 when turn = 3 "noon"'), front="requires: a"),
    document(amends("3.1a", 'replace "mud": +2 when turn = 2'), front="requires: c\nconflicts: z"),
)  # fmt: skip


def test_the_order_of_files_does_not_matter() -> None:
    first = applied(*STACK)
    for order in permutations(files(*STACK)):
        source, _ = apply_house_files(printed(), order)
        assert replace(source, files=()) == replace(first, files=())
        assert source.content_hash() == first.content_hash()
        assert source.changes == first.changes
    checked(first)


def test_the_fingerprint_knows_house_rules() -> None:
    one = applied(document(amends("3", "set r2.movement = 4")))
    other = applied(document(amends("3", "set r2.movement = 5")))
    assert len({printed().content_hash(), one.content_hash(), other.content_hash()}) == 3
    moved = SourceFile(Path("/somewhere/else/a.md"), one.house[0].file.text)
    assert apply_house_files(printed(), [moved])[0].content_hash() == one.content_hash()


def test_files_anywhere_and_shipped_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(document(amends("3", "set r2.movement = 4")))
    after, problems = apply_house_rules(printed(), [path, str(path)])
    assert problems == []
    assert after.pieces["r2"].attributes["movement"] == 4
    assert shipped_house_rules(FORD) == ["early_night", "thick_woods"]
    assert find_house_rule(FORD, "thick_woods") == FORD / "house" / "thick_woods.md"
    with pytest.raises(UsageError, match='did you mean "thick_woods"'):
        find_house_rule(FORD, "thik_woods")
    after, problems = apply_house_rules(printed(), ["thick_woods", "early_night"])
    assert problems == []
    assert len(play(after, 5)) == 5


def test_no_house_rules_change_nothing() -> None:
    assert apply_house_files(printed(), []) == (printed(), [])


# ---- clashes: both places, and nothing runs ------------------------------------------------------------
CLASHES = [
    (amends("4", "set table effort[3] = 1"), amends("3", 'set table effort["1-4"] = 2'), "both change table effort"),
    (amends("4", "set table fight[1:1, 3] = A1"), amends("4", "set table fight[1:1, 3].attacker_losses = 2"), None),
    (amends("1", "set r1.strength = 5"), amends("1", "set r1.strength[1] = 6"), 'both change "strength[1]" of "r1"'),
    (amends("1", "set hill.points = 5"), amends("2", "set hill.points = 5"), 'both change "points" of "hill"'),
    (amends("1", "set border mill/hill.river = no"), amends("1", "set border hill/mill.river = true"), "both"),
    (amends("1", "set r1.start = mill"), amends("1", "set r1.start = hill"), '"start" of "r1"'),
    (amends("1.1", "set parameter last_turn = 5"), amends("1.1", "set parameter last_turn = 4"), '"last_turn"'),
    (amends("4.1", 'repeal "woods"'), amends("4.1", 'replace "woods": -2'), 'the line "woods"'),
    (amends("4.2", "define steady(unit) = true"), amends("4.2", "repeal steady"), '"steady"'),
    ("## repeals 4.2", "## repeals 4.2", "paragraph 4.2"),
    ("## repeals 4.2", "## replaces 4.2\nNew.", "paragraph 4.2"),
    ("## repeals 4.2", amends("4.2", "define steady(unit) = true"), "4.2 is amended here and repealed by"),
    ("## replaces 4.2\nNew.", "## amends 4.2\nMore.", "4.2 is amended here and replaced by"),
    ("## after 3.2 → 3.3 Mud\nWet.", "## after 3.1 → 3.3 Dust\nDry.", "paragraph 3.3"),
    (amends("3", "define twice(number) = number * 2"), amends("4", "define twice(number) = number + number"), None),
    (amends("4.1", 'modify fight.die\n    +1 when turn = 1 "dawn"'),
     amends("4.1", 'modify fight.die\n    +2 when turn = 1 "dawn"'), None),
    (amends("3.2", 'modify march_points\n    = 3 when turn = 2 "wind"'),
     amends("3.2", 'modify march_points\n    = 2 when turn = 2 "rain"'), "two rules may set"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "words"), CLASHES)
def test_clashes_show_both_places(one: str, other: str, words: str | None) -> None:
    for texts in ((document(one, title="One"), document(other, title="Other")),) * 2:
        found = refused(*texts)
        assert any(words is None or words in p.message for p in found), [p.message for p in found]
        for problem in found:
            places = {problem.span.file.shown, *(span.file.shown for _, span in problem.also)}
            assert places & {"a.md", "b.md"}
            assert problem.span.line > 1
        assert any(
            {"a.md", "b.md"} <= {p.span.file.shown, *(s.file.shown for _, s in p.also)} for p in found
        )


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
    (problem,) = refused(document(text, front="- conflicts: z, b"), document("## repeals 4.2", title="The other"))
    assert problem.message == '"a" cannot be played together with "b"'
    assert problem.also[0][1].file.shown == "b.md"


def test_two_house_rules_of_one_name() -> None:
    one = SourceFile(Path("x/a.md"), document("## repeals 4.2"))
    other = SourceFile(Path("y/a.md"), document("## repeals 3.2"))
    _, problems = apply_house_files(printed(), [one, other])
    assert [p.code for p in problems] == ["house-twice"]


DANGLING = [
    ("## repeals 1.1", '"last_turn"', 2, "49"),
    ("## repeals 4.1\n\n## repeals 4", "enemy", 3, "61"),
    (amends("1", "enum terrain: open, woods"), "walls", 2, None),
    (amends("4.2", "repeal steady"), "steady", 6, "145"),
    ("## replaces 3\nNothing moves.", "march", 3, None),
]


@pytest.mark.parametrize(("text", "word", "line", "there"), DANGLING)
def test_dangling_references_point_to_the_house_rule(
    text: str, word: str, line: int, there: str | None
) -> None:
    found = [p for p in refused(document(text, title="Cruel")) if word in p.message]
    assert found
    for problem in found:
        assert problem.span.file.shown == "a.md"
        assert 'because "Cruel" ' in problem.message or problem.code == "bad-value"
    places = [str(span.line) for p in found for _, span in p.also]
    assert there is None or there in places


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
    ("set hill.control = red", "not-printed", "printed are terrain, points"),
    ("set border camp/keep.river = true", "unknown-name", None),
    ("set border camp/milll.river = true", "unknown-name", 'did you mean "mill"?'),
    ("set border camp/mill.rivr = true", "undeclared-attribute", 'did you mean "river"?'),
    ("set parameter last_turn = 3", "house-elsewhere", "put this under `## amends 1.1`"),
    ("set parameter lastturn = 3", "unknown-name", 'did you mean "last_turn"?'),
    ('replace "wods": -1', "unknown-label", 'did you mean "woods"?'),
    ('replace "river": -1', "unknown-label", 'it stands in 3.1 "Rivers": put this under `## amends 3.1`'),
    ('replace "woods": forbid rest', "house-replace", 'write `replace "woods": -2 when …`'),
    ("repeal steady", "unknown-name", None),
    ('modify fight.die\n    +1 "woods"', "house-label", 'write `replace "woods": …`, or use another label'),
    ("define steady(unit) = true", "house-elsewhere", "put this under `## amends 4.2`"),
    ("sett r1.strength = 3", "syntax", 'did you mean "set"?'),
    ("set r1 strength = 3", "syntax", None),
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
    ("# T\n## replaces 4.2\n```rules\nrepeal \"guards\"\n```", "house-block", 4, "put it under `## amends 4.2`"),
    ("# T\n## amends 4.2\n", "house-empty", 2, None),
    ("# T\n", "house-empty", 1, None),
    ("## repeals 4.2\n", "house-title", 1, "write `# Title` in the first line"),
    ("# T\nrequire: b\n## repeals 4.2", "house-front", 2, 'did you mean "requires"?'),
    ("# T\nrequires: the (other) one\n## repeals 4.2", "house-front", 2, None),
    ("# T\n```rules\nset hill.points = 1\n```\n## repeals 4.2", "rules-without-paragraph", 2, None),
    ("# T\n## amends 3.1\n```rules\nset hill.points = 1\n", "unclosed-fence", 3, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "line", "hint"), FORMS)
def test_the_form_of_a_document(text: str, code: str, line: int, hint: str | None) -> None:
    found = [p for p in refused(text) if p.code == code]
    assert found
    assert found[0].span.line == line
    assert hint is None or found[0].help == hint


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
    assert [(m.kind, m.name, m.span.column) for m in rule.mentions] == [("requires", "b", 11), ("requires", "c", 14)]
    assert rule.sections[0].prose == "Too long."
