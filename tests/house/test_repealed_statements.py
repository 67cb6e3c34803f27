"""`repeal forbid march`: statements that declare no name and bear no label, by their first words."""

from __future__ import annotations

import pytest

from rulesdsl.house.differences.rule_diff import diff_rules
from rulesdsl.language import syntax as sx
from tests.kit.house_rules import amends, applied, checked, document, play, refused

MUD = """## after 3.2 → 3.3 Mud
```rules
forbid move_unit when turn = 3
forbid move_unit when unit.movement > 2 and turn = 4
forbid rest, move_unit when turn = 5
forbid rest when turn = 6 "no rest in the mud"
stop march into zone when zone.terrain is woods

must before rest when turn = 2
    either turn > 1

after unit enters zone when turn = 2: mark unit as moved until end of player_turn

after unit enters zone when zone.points > 1:
    note "a rich place"
```"""
ALL = 8


def rules_of(*house: str) -> tuple[sx.Rule, ...]:
    source = applied(document(MUD, title="Mud"), *house)
    checked(source)
    return next(p.rules for c in source.chapters for p in c.paragraphs if p.id == "3.3")


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("forbid move_unit when turn", 0),
        ("forbid move_unit when unit.movement > 2", 1),
        ("forbid  move_unit   when unit.movement > 2 and turn = 4  # too hard", 1),
        ("forbid rest, move_unit", 2),
        ("forbid rest when turn = 6", 3),
        ('forbid rest when turn = 6 "no rest in the mud"', 3),
        ("stop march", 4),
        ("must before rest", 5),
        ("must before rest when turn = 2\n    either turn > 1", 5),
        ("after unit enters zone when turn = 2:", 6),
        ("after unit enters zone when zone.points > 1", 7),
    ],
)
def test_one_statement_goes_and_the_others_stay(words: str, number: int) -> None:
    before = rules_of()
    assert len(before) == ALL
    after = rules_of(document(amends("3.3", f"repeal {words}")))
    assert after == (*before[:number], *before[number + 1 :])


def test_a_statement_is_written_anew() -> None:
    house = document(amends("3.3", "repeal stop march\nstop march into zone when zone.terrain is walls"))
    assert len(rules_of(house)) == ALL
    play(applied(document(MUD, title="Mud"), house), 2)


def test_the_difference_shows_what_went() -> None:
    after = applied(document(MUD, title="Mud"), document(amends("3.3", "repeal stop march")))
    (change,) = [c for c in after.changes if c.kind == "rule" and c.house == "b"]
    assert change.subject == "stop march"
    assert (change.before, change.after) == ("stop march into zone when zone.terrain is woods", "")
    (paragraph,) = diff_rules(applied(document(MUD, title="Mud")), after).paragraphs
    assert list(paragraph.lines) == [("-", change.before)]


MISTAKES = [
    ("repeal forbid move_unit", "ambiguous-name",
     "write more of its words: `repeal forbid move_unit when turn` or "
     "`repeal forbid move_unit when unit.movement` or `repeal forbid rest, move_unit`"),
    ("repeal forbid rest", "ambiguous-name",
     "write more of its words: `repeal forbid rest, move_unit` or `repeal forbid rest when`"),
    ("repeal forbid march", "unknown-name", None),
    ("repeal after unit enters zone", "ambiguous-name", None),
    ("repeal stop marching", "unknown-name", "write `repeal stop march into zone`"),
    ("repeal allow march", "unknown-name", None),
    ("repeal march", "unknown-name", "write `repeal stop march into zone`"),
    ('repeal "stop march"', "unknown-label", "write `repeal stop march into zone`"),
    ("repeal modify entry_cost", "unknown-name",
     'it stands in 3.1 "Rivers": put this under `## amends 3.1`'),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "hint"), MISTAKES)
def test_what_is_not_one_statement_is_refused(words: str, code: str, hint: str | None) -> None:
    (problem,) = refused(document(MUD, title="Mud"), document(amends("3.3", words)))
    assert (problem.code, problem.span.file.shown) == (code, "b.md")
    assert hint is None or problem.help == hint


@pytest.mark.parametrize(
    "other", ["repeal forbid rest when turn = 6", 'replace "no rest in the mud": forbid rest when turn = 2']
)
def test_two_house_rules_over_one_statement_clash(other: str) -> None:
    one = document(amends("3.3", "repeal forbid rest when"), title="One")
    (problem,) = refused(document(MUD, title="Mud"), one, document(amends("3.3", other), title="Other"))
    assert (problem.code, [s.file.shown for _, s in problem.also]) == ("house-clash", ["b.md"])
    assert problem.span.file.shown == "c.md"
