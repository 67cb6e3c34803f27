"""House rules: what each statement does, that order does not matter, and how clashes are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, UsageError
from rulesdsl.base.source import SourceFile
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.house.applying import (
    apply_house_files,
    find_house_rule,
    read_house_files,
    shipped_house_rules,
)
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_rule
from tests.kit.house_rules import FORD, amends, applied, checked, document, files, play, printed


def _applied(names: Sequence[str | Path]) -> tuple[GameSource, list[Diagnostic]]:
    """House rules by name or file, over the printed game."""
    return apply_house_files(printed(), read_house_files(printed().directory, names))


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
                "set r1.strength = 6\nset r1.strength[2] = 5\nset b1.movement = 1\n"
                "set the_mill.points = 1/2\n"
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
    assert after.map.border("mill", "hill").attributes["river"] is False
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
    decl = next(
        r for r in paragraphs_of(after)["1"].rules if isinstance(r, sx.ClassDecl) and r.name == "unit"
    )
    assert [a.name for a in decl.attributes] == ["owner", "movement", "strength", "moved", "tired"]
    checked(after)


def test_two_house_rules_each_give_a_class_something() -> None:
    texts = [document(amends("1", f"piece unit\n    {name}: flag")) for name in ("tired", "wet")]
    decl = next(
        r
        for r in paragraphs_of(applied(*texts))["1"].rules
        if isinstance(r, sx.ClassDecl) and r.name == "unit"
    )
    assert [a.name for a in decl.attributes][-2:] == ["tired", "wet"]


def test_things_whose_name_is_a_number() -> None:
    base = printed(FORD.parents[3] / "games" / "battle_for_germany")
    text = "set hex 2609.terrain = rough\nset border hex 2609/hex 2610.river = true\nset us_5.start = 0512"
    after = applied(document(amends("2-2", f"{text}\nset us_7.start = hex 0513")), base=base)
    assert after.map is not None
    assert after.map.spaces["2609"].attributes["terrain"] == "rough"
    assert after.map.border("2609", "2610").attributes["river"] is True
    assert [after.pieces[piece].start for piece in ("us_5", "us_7")] == ["0512", "0513"]


def test_whole_paragraphs() -> None:
    new = '## replaces 4.2 Panic\nHorses shy.\n```rules\nmodify fight.die\n    -1 when turn = 1 "dawn"\n```'
    more = '## after 3.2 → 3.3 Mud\nIt rains.\n```rules\nmodify entry_cost\n    +1 when turn = 2 "mud"\n```'
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
    text = "## amends 5\nMore.\n```example\ngiven:\n    place r1 in hill\nexpect:\n    score(red) = 2\n```"
    after = applied(document(text))
    assert [e.paragraph for e in checked(after).examples] == ["5", "5"]


def changes_of(changes: Iterable[Change], kind: str, subject: str) -> list[Change]:
    """What was changed in one paragraph, table or thing."""
    return [change for change in changes if change.kind == kind and change.subject == subject]


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
    after, problems = _applied([path, str(path)])
    assert problems == []
    assert after.pieces["r2"].attributes["movement"] == 4
    assert shipped_house_rules(FORD) == ["early_night", "thick_woods"]
    assert find_house_rule(FORD, "thick_woods") == FORD / "house" / "thick_woods.md"
    with pytest.raises(UsageError, match='did you mean "thick_woods"'):
        find_house_rule(FORD, "thik_woods")
    after, problems = apply_house_files(
        printed(), read_house_files(printed().directory, ["thick_woods", "early_night"])
    )
    assert problems == []
    assert len(play(after, 5)) == 5


def test_no_house_rules_change_nothing() -> None:
    assert apply_house_files(printed(), []) == (printed(), [])
