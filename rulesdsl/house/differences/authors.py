"""Who changed a value, and under which paragraph: the one thing a comparison takes from the house rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulesdsl.base.source import Span
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.book.tables.labels import KeyKind, Range, parse_label
from rulesdsl.book.tables.table import Table
from rulesdsl.house.resolving.labels import Meaning, inside

_REST = re.compile(r"[\[ ].*")  # after the name of an attribute: a face, or the scenarios that are meant


def author(after: GameSource, kind: str, thing: str, part: str, labels: Sequence[str]) -> tuple[str, str]:
    """The paragraph and the titles of the house rules that gave a value; empty when none of them says so."""
    if kind == "scenario" and part:  # it changes because a setting of its did
        found = [c for c in after.changes if c.kind == "setting" and c.subject == part]
    else:
        found = [c for c in after.changes if (c.kind, c.subject) == (kind, thing)]
    if kind == "table" and part:
        found = [c for c in found if _same_cell(after.tables[thing], c, labels)]
    elif kind != "scenario" or not part:
        exact = [c for c in found if c.part == part]
        found = exact or [c for c in found if c.part == _REST.sub("", part)]
    titles = dict.fromkeys(change.title for change in found)
    return (found[0].paragraph if found else ""), ", ".join(titles)


def _same_cell(table: Table, change: Change, labels: Sequence[str]) -> bool:
    """Whether a change means this cell, or a row or column of which another house rule made it a part."""
    return bool(change.labels) and all(
        _within(key.kind, label, whole, change)
        for key, label, whole in zip(table.keys, labels, change.labels, strict=True)
    )


def _within(kind: KeyKind, label: str, whole: str, change: Change) -> bool:
    if label == whole or not whole:  # a whole row or column is new
        return True
    one, other = _meaning(kind, label, change.span), _meaning(kind, whole, change.span)
    if isinstance(one, Range) and isinstance(other, Range):
        return inside(one, other)
    return one == other and type(one) is type(other)


_MEANINGS: dict[tuple[KeyKind, str], Meaning] = {}  # each label is read once, not for every change


def _meaning(kind: KeyKind, text: str, span: Span) -> Meaning:
    if (kind, text) not in _MEANINGS:
        _MEANINGS[kind, text] = parse_label(kind, text, span)[0].meaning
    return _MEANINGS[kind, text]
