"""What house rules changed in a game: carried by the effective game, for the site and for messages."""

from __future__ import annotations

from dataclasses import field

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that one house rule changed.

    `kind` is paragraph, rule, setting, table, piece, space, border or example; `subject` its number, name
    or id; `part` a cell, an attribute or a label. A paragraph that is changed at all has a change of its
    own kind, and further ones for what was changed in it.
    """

    verb: str  # amends, replaces, repeals, inserts
    kind: str
    subject: str
    part: str
    before: str
    after: str
    paragraph: str  # the paragraph under which the house rule says it
    house: str  # the name of the house rule
    title: str  # and its title
    span: Span = field(compare=False, repr=False)
    labels: tuple[str, ...] = ()  # of a cell: those of its page, column and row
