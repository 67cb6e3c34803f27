"""Everything the pages of a handbook are written from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulesdsl import program as pg
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.checker import check
from rulesdsl.checking.opponent_file import program_of_rules, rules_only
from rulesdsl.handbook.analysis.relations import References, Relations, relate
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.handbook.facts import Facts
from rulesdsl.handbook.translations import (
    Translated,
    TranslatedReading,
    read_readings,
    read_translation,
    read_words,
)
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.english import listed
from rulesdsl.speaking.inline import rule as rule_link
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.say.expressions import Speaker


@dataclass(frozen=True, eq=False)
class Book:
    """The rules of a checked game, without those of its computer opponent, and what running it found out."""

    source: GameSource
    program: pg.Program
    facts: Facts
    language: str = "en"  # of everything that is not the rulebook's own
    before: Speaker | None = None  # says the printed rules, for whoever has checked them already

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", rules_only(self.source))
        object.__setattr__(self, "program", program_of_rules(self.program))

    @cached_property
    def chrome(self) -> Chrome:
        """The words of the handbook itself, in the reader's language."""
        return Chrome(self.language)

    @cached_property
    def translation(self) -> dict[str, Translated]:
        """The prose in the reader's language; what a house rule changed is not in it."""
        if self.language == "en":
            return {}
        found = read_translation(self.source, self.language)
        return {i: t for i, t in found.items() if i not in self.relations.amended_by}

    @cached_property
    def translated_readings(self) -> dict[str, TranslatedReading]:
        """Readings in the reader's language; those that a house rule touched are in its own words."""
        if self.language == "en":
            return {}
        changed = {change.subject for change in self.source.changes if change.kind == "setting"}
        found = read_readings(self.source, self.language)
        return {name: reading for name, reading in found.items() if name not in changed}

    @cached_property
    def names(self) -> Names:
        return Names(self.program)

    @cached_property
    def speaker(self) -> Speaker:
        return Speaker(self.names)

    @cached_property
    def printed_speaker(self) -> Speaker:
        """Says the rules as they were before the house rules, which may have taken names away."""
        if self.before is not None:
            return self.before
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

    @cached_property
    def _words(self) -> dict[str, str]:
        return {} if self.language == "en" else read_words(self.source, self.language)

    def own(self, words: str) -> str:
        """A name or a label of the rules in the reader's language, as far as the rulebook tells."""
        return self._words.get(words.lower(), words) if self._words else words

    def title_of(self, paragraph: str) -> str:
        """The title of a paragraph, in the reader's language where there is a translation."""
        translated = self.translation.get(paragraph)
        if translated is not None and translated.title:
            return translated.title
        known = self.program.paragraphs.get(paragraph)
        return known.title if known is not None else ""

    def rule(self, paragraph: str) -> str:
        """A paragraph with its title, leading to it."""
        return rule_link(paragraph, self.title_of(paragraph))

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
