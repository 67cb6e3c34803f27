"""The computer opponent's file `opponent.md`: read and checked like a chapter, printed nowhere as rules.

Taking it away changes no rule: `checking.whole.opponent` holds that, so the rules can be shown without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from rulesdsl import program as pg
from rulesdsl.book.loader import GameSource
from rulesdsl.language.syntax.documents import of_opponent

Found = TypeVar("Found", pg.DefineRule, pg.QuantityRule)


def rules_only(source: GameSource) -> GameSource:
    """The game without what its opponent reckons; the game itself when it has none."""
    if not any(of_opponent(p.id) for chapter in source.chapters for p in chapter.paragraphs):
        return source
    chapters = [
        (chapter, tuple(p for p in chapter.paragraphs if not of_opponent(p.id)))
        for chapter in source.chapters
    ]
    return replace(
        source,
        chapters=tuple(
            replace(chapter, paragraphs=kept) for chapter, kept in chapters if kept or not chapter.paragraphs
        ),
        changes=tuple(change for change in source.changes if not of_opponent(change.paragraph)),
        base=rules_only(source.base) if source.base is not None else None,
    )


def program_of_rules(program: pg.Program) -> pg.Program:
    """The same for a checked game: no rule speaks of what is left out."""
    if not any(map(of_opponent, program.paragraphs)):
        return program
    return replace(
        program,
        defines=_of_rules(program.defines),
        quantities=_of_rules(program.quantities),
        examples=tuple(example for example in program.examples if not of_opponent(example.paragraph)),
        paragraphs={number: p for number, p in program.paragraphs.items() if not of_opponent(number)},
    )


def _of_rules(table: Mapping[str, Found]) -> dict[str, Found]:
    return {name: found for name, found in table.items() if not of_opponent(found.paragraph)}
