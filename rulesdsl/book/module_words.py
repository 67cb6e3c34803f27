"""The words between a module and its game (its interface): what one needs or offers, how the other calls it.

A word is written with its signature: `owner(unit): player` is asked of a unit and gives a player,
`german(unit)` is a word that describes units, `sky: dry, mud` a value with these among its alternatives,
`procedure lose_step(unit)` something that is done, `unit` alone anything of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.tables.table import Table
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of
from rulesdsl.language.syntax.rewording import reworded, words_in

_HEAD = re.compile(r"(?:(\w+) )?([\w.]+)(?:\(([^)]*)\))?(?:: (.*))?")


@dataclass(frozen=True, slots=True)
class Word:
    """`{name: "owner(unit): player", says: who moves a unit}`: what a module needs or offers."""

    name: str  # of a statement, an attribute or a value, or `unit.radius` for an attribute of that class
    says: str
    span: Span = field(compare=False, repr=False)
    optional: bool = False  # the module has a statement of its own for games that do not declare it
    kind: str = ""  # procedure, action or route
    takes: tuple[str, ...] | None = None  # None: nothing is said about it
    gives: tuple[str, ...] = ()  # a type, or values among others

    @property
    def head(self) -> str:
        """As it is written in `module.yaml`, in the words of the game."""
        kind = f"{self.kind} " if self.kind else ""
        takes = f"({', '.join(self.takes)})" if self.takes is not None else ""
        return f"{kind}{self.name}{takes}{': ' if self.gives else ''}{', '.join(self.gives)}"


def read_word(text: str, says: str, span: Span, optional: bool = False) -> Word:
    found = _HEAD.fullmatch(text)
    assert found is not None, "the schema has looked at it"
    kind, name, takes, gives = found.groups()
    return Word(
        name=name,
        says=says,
        span=span,
        optional=optional,
        kind=kind or "",
        takes=tuple(takes.split(", ")) if takes is not None else None,
        gives=tuple(gives.split(", ")) if gives else (),
    )


def called(word: Word, names: Mapping[str, str]) -> Word:
    """The same in the words of the game."""

    def ours(text: str) -> str:
        return ".".join(names.get(part, part) for part in text.split("."))

    takes = tuple(map(ours, word.takes)) if word.takes is not None else None
    return replace(word, name=ours(word.name), takes=takes, gives=tuple(map(ours, word.gives)))


def in_the_words_of_the_game(chapters: Iterable[sx.Chapter], names: Mapping[str, str]) -> list[sx.Chapter]:
    """Chapters of a module with the game's words."""
    return [
        replace(
            chapter,
            paragraphs=tuple(
                replace(p, rules=reworded(p.rules, names), examples=reworded(p.examples, names))
                for p in chapter.paragraphs
            ),
            meant=tuple((number, reworded(rule, names), last) for number, rule, last in chapter.meant),
        )
        for chapter in chapters
    ]


def table_called(table: Table, names: Mapping[str, str]) -> Table:
    """A table of a module whose keys and results are values of what the game calls otherwise."""
    keys = tuple(replace(key, of=names.get(key.of, key.of)) for key in table.keys)
    return replace(
        table, keys=keys, result=replace(table.result, of=names.get(table.result.of, table.result.of))
    )


def labels_of(table: Table) -> set[str]:
    """The words that stand in a table itself."""
    rows = [row for page in table.pages for row in page.rows]
    labels = [
        *table.columns,
        *(row.label for row in rows),
        *(page.label for page in table.pages if page.label),
    ]
    return {label.text for label in labels} | {
        value for row in rows for cell in row.cells if isinstance(value := cell.value, str)
    }


def with_plurals(
    names: Mapping[str, str], theirs: Sequence[sx.Chapter], ours: Sequence[sx.Chapter]
) -> dict[str, str]:
    """With `unit` as `counter`, `units` are `counters`: of whatever the module has in the plural."""
    used = words_in(rule for c in theirs for p in c.paragraphs for rule in (*p.rules, *p.examples))
    plurals = {
        rule.name: rule.plural
        for c in (*theirs, *ours) for p in c.paragraphs for rule in p.rules
        if isinstance(rule, sx.ClassDecl) and rule.plural is not None
    }  # fmt: skip
    found = dict(names)
    for theirs_, ours_ in names.items():
        for plural in {plurals.get(theirs_, plural_of(theirs_)), plural_of(theirs_)} & used:
            found.setdefault(plural, plurals.get(ours_, plural_of(ours_)))
    return found


def own_business(chapters: Iterable[sx.Chapter], words: Iterable[Word]) -> set[str]:
    """What a module declares and neither needs nor offers: a game may have something else of that name."""
    declared = {
        rule.name
        for c in chapters for p in c.paragraphs for rule in p.rules
        if isinstance(rule, (sx.Define, sx.Quantity, sx.Procedure, sx.Route))
    }  # fmt: skip
    return declared - {word.name for word in words}
