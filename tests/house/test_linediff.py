"""The lines of a statement in a diff: each as a whole, and only those that are another."""

from __future__ import annotations

import pytest

from rulesdsl.house.differences.rule_diff import diff_rules
from tests.kit.house_rules import amends, applied, document

LONG = (
    "turn = 3 and target.terrain is woods and mover.strength > foe.strength and mover.movement > foe.movement"
)
LADDER = """## after 2.1 → 2.1a Duty
```rules
must before rest "duty"
    either turn > 3 "late"
    else turn > 2 "soon"
    else turn > 1 "any day"

route way(unit)
    from unit.at
    along borders
    prefer in order
        1 zone is hill "up"
        2 zone is mill "down"
        3 zone is keep "home"

define astray(unit) = no zone among way(unit)
```"""


def signed(before: str, after: str, *more: str) -> list[str]:
    """The changed rows of the only paragraph in which two house rules differ."""
    (paragraph,) = diff_rules(applied(document(before)), applied(document(after), *more)).paragraphs
    return [f"{sign} {' '.join(text.split())}" for sign, text in paragraph.lines if sign != " "]


def test_a_line_in_several_rows_is_told_whole() -> None:
    """Its first row may be all that differs, but does not tell which of the lines it is."""
    rules = 'modify fight.die\n    {} when {} "long"\n    -1 when turn = 2'
    long = f"## after 4.1 → 4.1a Long\n```rules\n{rules}\n```"
    rows = signed(*(long.format(value, LONG) for value in ("+1", "+2")))
    assert len(rows) == 4
    for sign, value in (("-", "+1"), ("+", "+2")):
        told = " ".join(row[2:] for row in rows if row[0] == sign)
        assert told == f'{value} when {LONG} "long"'


@pytest.mark.parametrize("gone", ['"late"', '"up"'])
def test_what_moves_up_when_another_is_gone_is_not_changed(gone: str) -> None:
    (row,) = signed(LADDER, LADDER, document(amends("2.1a", f"repeal {gone}")))
    assert row.startswith("- ")
    assert gone in row


def test_preferences_in_another_order_are_another_rule() -> None:
    swapped = LADDER.replace("hill", "x").replace("mill", "hill").replace("x", "mill")
    assert signed(LADDER, swapped) != []
