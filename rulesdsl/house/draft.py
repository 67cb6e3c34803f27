"""The game while house rules are written into it; `finish` makes a game of it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import is_, is_not

from rulesdsl.book.entries import Entry
from rulesdsl.book.game_file import Paragraph as LedgerEntry
from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.borders import Border
from rulesdsl.book.pieces import Piece
from rulesdsl.book.scenario import Scenario
from rulesdsl.book.tables.table import Table
from rulesdsl.checking.checker import paragraph_order
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_example, print_rule
from rulesdsl.language.syntax.documents import of_opponent


def _same(new: Mapping[str, object], old: Mapping[str, object]) -> bool:
    """Nothing was changed: what was made of the old may be used again (checking/remembering.py)."""
    return len(new) == len(old) and all(map(is_, new.values(), old.values()))


@dataclass(slots=True)
class OpenParagraph:
    """A paragraph that is being amended: its statements with the block each came from (None: added)."""

    written: sx.Paragraph
    rules: list[tuple[int | None, sx.Rule]]
    prose: list[str] = field(default_factory=list)
    examples: list[sx.Example] = field(default_factory=list)

    @staticmethod
    def of(paragraph: sx.Paragraph) -> OpenParagraph:
        return OpenParagraph(paragraph, [(_block_of(paragraph, rule), rule) for rule in paragraph.rules])

    def closed(self) -> sx.Paragraph:
        """The paragraph as it reads now. A block none of whose statements changed stays as it was typed."""
        old = self.written
        texts: list[str] = [old.prose, *self.prose]
        fences: list[sx.Fence] = []
        for number, fence in enumerate(old.fences):
            before = [rule for rule in old.rules if _block_of(old, rule) == number]
            now = [rule for block, rule in self.rules if block == number]
            if before and not now:
                texts[0] = texts[0].replace(f"\x00{number}", "")
            fences.append(fence if now == before else replace(fence, text=_printed(now)))
        if added := [rule for block, rule in self.rules if block is None]:
            texts.append(f"\x00{len(fences)}")
            fences.append(sx.Fence("rules", _printed(added), added[0].span.line, span=added[0].span))
        for example in self.examples:
            texts.append(f"\x00{len(fences)}")
            fences.append(sx.Fence("example", print_example(example), example.span.line, span=example.span))
        rules = tuple(rule for _, rule in self.rules)
        return replace(
            old,
            prose="\n\n".join(text for text in texts if text),
            fences=tuple(fences),
            rules=rules,
            examples=(*old.examples, *self.examples),
            informative=None if rules and not old.rules else old.informative,
        )


def _printed(rules: list[sx.Rule]) -> str:
    return "\n\n".join(map(print_rule, rules))


def _block_of(paragraph: sx.Paragraph, rule: sx.Rule) -> int | None:
    for number, fence in enumerate(paragraph.fences):
        lines = fence.text.count("\n") + 1
        if fence.kind == "rules" and fence.first_line <= rule.span.line < fence.first_line + lines:
            return number
    return None


@dataclass(slots=True)
class Draft:
    """Everything an edit may touch, by id."""

    base: GameSource
    paragraphs: dict[str, sx.Paragraph]
    tables: dict[str, Table]
    pieces: dict[str, Piece]
    spaces: dict[str, Entry]
    borders: dict[frozenset[str], Border]
    scenarios: dict[str, Scenario]
    opened: dict[str, OpenParagraph] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)  # new paragraph → the one it stands after
    rewritten: set[str] = field(default_factory=set)  # replaced or repealed paragraphs

    @staticmethod
    def of(source: GameSource) -> Draft:
        return Draft(
            base=source,
            paragraphs=paragraphs_of(source),
            tables=dict(source.tables),
            pieces=dict(source.pieces),
            spaces=dict(source.map.spaces) if source.map else {},
            borders={frozenset(b.between): b for b in source.map.borders} if source.map else {},
            scenarios=dict(source.scenarios),
        )

    def amend(self, number: str) -> OpenParagraph:
        """The paragraph, ready to be changed."""
        if number not in self.opened:
            self.opened[number] = OpenParagraph.of(self.paragraphs[number])
        return self.opened[number]

    def finish(self) -> GameSource:
        base = self.base
        for number, paragraph in self.opened.items():
            self.paragraphs[number] = paragraph.closed()
        chapters = tuple(
            replace(chapter, paragraphs=self._paragraphs([p.id for p in chapter.paragraphs]))
            for chapter in base.chapters
        )
        game_map = base.map
        if game_map is not None:
            borders = tuple(self.borders[frozenset(b.between)] for b in game_map.borders)
            if not _same(self.spaces, game_map.spaces) or any(map(is_not, borders, game_map.borders)):
                game_map = replace(game_map, spaces=self.spaces, borders=borders)
        ledger = base.game.paragraphs
        if ledger is not None:
            ledger = self._ledger(ledger)
        return replace(
            base, game=replace(base.game, paragraphs=ledger), chapters=chapters, map=game_map,
            pieces=base.pieces if _same(self.pieces, base.pieces) else self.pieces,
            tables=self.tables, scenarios=self.scenarios,
        )  # fmt: skip

    def _paragraphs(self, numbers: list[str]) -> tuple[sx.Paragraph, ...]:
        return tuple(self.paragraphs[n] for n in self._with_new(numbers) if n in self.paragraphs)

    def _with_new(self, numbers: list[str]) -> list[str]:
        """New paragraphs after the ones they name; several after the same one in the order of numbers."""
        after: dict[str, list[str]] = {}
        # 3.01 and 3.1 are the same number, not the same paragraph: never the order of house rules
        for new in sorted(self.anchors, key=lambda one: (paragraph_order(one), one), reverse=True):
            after.setdefault(self._place_after(new, numbers), []).append(new)
        found: list[str] = []
        waiting = numbers[::-1]
        while waiting:
            found.append(waiting.pop())
            waiting += after.get(found[-1], ())
        return found

    def _place_after(self, new: str, numbers: list[str]) -> str:
        """2.5 after 2.4 stands behind all that 2.4 has below it; only 2.4.0 stands before 2.4.1."""
        last = anchor = self.anchors[new]
        below = f"{anchor}."
        if anchor not in numbers or new.startswith(below):
            return anchor
        levels = {p.id: p.level for p in paragraphs_of(self.base).values()}
        for number in numbers[numbers.index(anchor) + 1 :]:
            if not number.startswith(below) and levels.get(number, 0) <= levels.get(anchor, 0):
                break
            last = number
        return last

    def _ledger(self, entries: tuple[LedgerEntry, ...]) -> tuple[LedgerEntry, ...]:
        known = {entry.id: entry for entry in entries}
        for number in (n for n in (*self.anchors, *self.rewritten) if not of_opponent(n)):
            paragraph = self.paragraphs.get(number)
            if paragraph is None:
                known.pop(number, None)
            else:
                extra = known[number].extra if number in known else True
                known[number] = LedgerEntry(number, paragraph.title, extra, paragraph.span)
        numbers = self._with_new([entry.id for entry in entries])
        return tuple(known[n] for n in numbers if n in known)


def paragraphs_of(source: GameSource) -> dict[str, sx.Paragraph]:
    return {p.id: p for chapter in source.chapters for p in chapter.paragraphs}


def title_of(paragraphs: Mapping[str, sx.Paragraph], number: str) -> str:
    """`7.2.2 "Held by Hitler"`"""
    found = paragraphs.get(number)
    return f'{number} "{found.title}"' if found is not None and found.title else number
