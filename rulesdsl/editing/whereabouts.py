"""Where the names of a checked game stand, found out for the places that are asked about.

After a keystroke the checker has resolved some of the rules anew, of a large game sometimes hundreds, and to
list the names of one takes a millisecond. So nothing is listed beforehand: a line asks the rules that have a
statement there, a file those that have one in it, a symbol those in which its word stands. What was listed
of a rule that is still the same is known (`Remembering`).
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from rulesdsl import program as pg
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.source import Span
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.context import Context
from rulesdsl.checking.remembering import Unit, words_in
from rulesdsl.editing.housenames import house_names
from rulesdsl.editing.resolved import resolved_names
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.editing.written import noun_name, written_names
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of, singular_of

Kept = TypeVar("Kept")
Stated = sx.Node | Unit  # what stands for itself, or was resolved from one or several statements
_MOST_KEPT = 20_000  # names of rules: several times those of the largest game


class Remembering:
    """What was made of an object, as long as it is asked for now and then; the object is held with it."""

    def __init__(self) -> None:
        self._now: dict[tuple[str, int], tuple[object, Any]] = {}
        self._before: dict[tuple[str, int], tuple[object, Any]] = {}

    def __call__(self, kind: str, of: object, make: Callable[[], Kept]) -> Kept:
        key = (kind, id(of))
        held = self._now.get(key)
        if held is None and (held := self._before.get(key)) is not None and held[0] is of:
            self._now[key] = held
        if held is not None and held[0] is of:
            known: Kept = held[1]
            return known
        made = make()
        if len(self._now) >= _MOST_KEPT:  # what nobody asked for since the last time is forgotten
            self._before, self._now = self._now, {}
        self._now[key] = of, made
        return made


class Whereabouts:
    """The names in the rules of a game as they were checked."""

    def __init__(
        self, source: GameSource, ctx: Context, program: pg.Program, units: Iterable[Unit],
        remembered: Remembering,
    ) -> None:  # fmt: skip
        self.source, self.ctx, self.program = source, ctx, program
        self.units = tuple(units)
        self.remembered = remembered

    # ---- asked ---------------------------------------------------------------------------------------
    def on_line(self, path: Path, line: int) -> list[Occurrence]:
        """The names on one line of a file."""
        return [
            o for o in self._between(path, line, line) if o.span.line == line and o.span.file.path == path
        ]

    def in_file(self, path: Path) -> list[Occurrence]:
        """The names in one file."""

        def made() -> list[Occurrence]:
            return [o for o in self._between(path, 1, sys.maxsize) if o.span.file.path == path]

        return self.remembered(f"in {path}", self.program, made)

    def of_symbol(self, symbol: Symbol) -> list[Occurrence]:
        """Where a symbol stands."""
        forms = self._forms(symbol)
        near = [one for one in self._alone if not forms.isdisjoint(self._words(one))]
        units = [unit for unit in self.units if not forms.isdisjoint(unit.words)]
        return [o for o in self._names((*near, *units)) if o.symbol == symbol]

    def rules_in(self, path: Path, first: int, last: int) -> Iterator[object]:
        """The rules that have a statement on some lines of a file."""
        for one in self._near(path, first, last):
            if isinstance(one, Unit):
                yield from _rules_in(one.made)
        yield from self.program.visibility.values()

    def _between(self, path: Path, first: int, last: int) -> Iterator[Occurrence]:
        return self._names(self._near(path, first, last))

    def _near(self, path: Path, first: int, last: int) -> list[Stated]:
        """What has a statement on some lines of a file, or before them and may reach to there."""
        placed = sorted(self._placed.get(path, ()), key=_line)
        begun = bisect_right(placed, first, key=_line)
        while begun and placed[begun - 1][0] == placed[bisect_right(placed, first, key=_line) - 1][0]:
            begun -= 1  # several may begin on one line: a statement, and the rule that it is part of
        near = placed[begun : bisect_right(placed, last, key=_line)]
        return list({id(one): one for _, one in near}.values())

    def _names(self, stated: Iterable[Stated]) -> Iterator[Occurrence]:
        for one in stated:
            yield from self._of(one)
        yield from self._loose

    def _forms(self, symbol: Symbol) -> frozenset[str]:
        """The words by which statements speak of a symbol."""
        word = symbol.word
        if symbol.kind == "paragraph":
            return frozenset((word, f"§{word}"))
        nouns = self.ctx.world.nouns if symbol.kind == "noun" else ()
        alike = {noun for noun in nouns if noun_name(self.ctx, noun) == symbol.name}
        parts = symbol.name.replace(":", ".").split(".")
        return frozenset((word, singular_of(word), plural_of(word), *parts, *alike))

    # ---- what there is -------------------------------------------------------------------------------
    @cached_property
    def _alone(self) -> list[sx.Node]:
        """Headings, statements and examples: what they say by where it stands."""
        return [
            node
            for chapter in self.source.chapters
            for paragraph in chapter.paragraphs
            for node in (paragraph, *paragraph.rules, *paragraph.examples)
        ]

    @cached_property
    def _placed(self) -> dict[Path, list[tuple[int, Stated]]]:
        """By file: what has a statement in it, with the line where that begins."""
        found: dict[Path, list[tuple[int, Stated]]] = {}
        with nothing_collected():
            for node in self._alone:
                for path, line in self._places(node):
                    found.setdefault(path, []).append((line, node))
            for unit in self.units:
                for node in unit.nodes:
                    for path, line in self._places(node):
                        found.setdefault(path, []).append((line, unit))
        return found

    @cached_property
    def _loose(self) -> list[Occurrence]:
        """Of rules that no one statement has: who may see what; and of house rules what is no statement."""
        seen = [o for rule in self.program.visibility.values() for o in resolved_names(self.ctx, rule)]
        return [*seen, *(o for house in self.source.house for o in house_names(self.ctx, house))]

    # ---- one of them ---------------------------------------------------------------------------------
    def _places(self, node: sx.Node) -> Iterable[tuple[Path, int]]:
        """The statements in which parts of a node stand: its own, and where a house rule put something in."""
        if not self.source.house or isinstance(node, sx.Paragraph):
            return ((node.span.file.path, node.span.line),)
        return self.remembered("places", node, partial(_places_in, node))

    def _words(self, node: sx.Node) -> frozenset[str]:
        if isinstance(node, sx.Paragraph):
            return frozenset((node.id,))
        return self.remembered("words", node, partial(words_in, (node,)))

    def _of(self, one: Stated) -> list[Occurrence]:
        return self.remembered("names", one, partial(self._listed, one))

    def _listed(self, one: Stated) -> list[Occurrence]:
        if isinstance(one, Unit):
            return [o for rule in _rules_in(one.made) for o in resolved_names(self.ctx, rule)]
        return [_heading(one)] if isinstance(one, sx.Paragraph) else list(written_names(self.ctx, one))


def _line(placed: tuple[int, Stated]) -> int:
    return placed[0]


def _rules_in(made: object) -> Iterator[object]:
    """What the checker made of a unit: a rule, or one with the procedure that it brings along."""
    if isinstance(made, tuple):
        for part in made:
            yield from _rules_in(part)
    elif isinstance(made, dict):
        yield from made.values()
    else:
        yield made


def _places_in(node: sx.Node) -> list[tuple[Path, int]]:
    found = {(node.span.file.path, node.span.line): True}
    for part in sx.walk(node):
        if part.span.file.path != node.span.file.path:
            found[part.span.file.path, part.span.line] = True
    return list(found)


def _heading(paragraph: sx.Paragraph) -> Occurrence:
    span = paragraph.span
    start = span.file.line(span.line).find(paragraph.id)
    place = Span(span.file, span.line, start + 1, span.line, start + 1 + len(paragraph.id))
    return Occurrence(Symbol("paragraph", paragraph.id), place, declares=True)
