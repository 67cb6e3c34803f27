"""Everything the pages of a handbook are written from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.changes import Change
from rulesdsl.handbook.english import listed
from rulesdsl.handbook.facts import Facts
from rulesdsl.handbook.inline import rule as rule_link
from rulesdsl.handbook.names import Names
from rulesdsl.handbook.relations import References, Relations, relate
from rulesdsl.handbook.say_expressions import Speaker
from rulesdsl.loader import GameSource


@dataclass(frozen=True, eq=False)
class Book:
    """A checked game, and what running it found out."""

    source: GameSource
    program: pg.Program
    facts: Facts

    @cached_property
    def names(self) -> Names:
        return Names(self.program)

    @cached_property
    def speaker(self) -> Speaker:
        return Speaker(self.names)

    @cached_property
    def printed_speaker(self) -> Speaker:
        """Says the rules as they were before the house rules, which may have taken names away."""
        from rulesdsl.checker import check

        program = check(self.source.base)[0] if self.source.base is not None else None
        return Speaker(Names(program)) if program is not None else self.speaker

    @cached_property
    def references(self) -> References:
        return References(self.program.paragraphs)

    @cached_property
    def relations(self) -> Relations:
        return relate(self.program, self.names, self.references, self.source.changes)

    @cached_property
    def ledger_ids(self) -> tuple[tuple[str, str], ...]:
        """Number and title of every item of the ledger."""
        listed_items = self.source.game.paragraphs
        if listed_items is not None:
            return tuple((p.id, p.title) for p in listed_items)
        return tuple((p.id, p.title) for p in self.program.paragraphs.values())

    def title_of(self, rule: str) -> str:
        paragraph = self.program.paragraphs.get(rule)
        return paragraph.title if paragraph is not None else ""

    def rule(self, rule: str) -> str:
        """A paragraph with its title, leading to it."""
        return rule_link(rule, self.title_of(rule))

    def rules(self, numbers: list[str]) -> str:
        return listed([rule_link(number) for number in numbers])

    def changes(self, kind: str, subject: str) -> list[Change]:
        return [c for c in self.source.changes if c.kind == kind and c.subject == subject]

    def rules_of(self, *kinds: type[sx.Rule]) -> list[tuple[str, sx.Rule]]:
        """Every statement of some kinds with its paragraph, in printed order."""
        return [
            (identity, node)
            for identity, paragraph in self.program.paragraphs.items()
            for node in paragraph.rules
            if isinstance(node, kinds)
        ]
