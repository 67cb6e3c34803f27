"""The sheet of changes: what house rules change, on one page, to lie on the table beside the printed rules.

Nothing is written for it. Both versions of a statement are said with the same words as in the chapters and
compared word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.book.loader import GameSource
from rulesdsl.checking.checker import paragraph_order
from rulesdsl.handbook.book import Book
from rulesdsl.house.differences.rule_diff import ParagraphDiff, ValueDiff, diff_rules, statement_pairs
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Block, Code, Fold, Heading, Item, Items, Text
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, deleted, em, inserted, link, rule, said, strong
from rulesdsl.speaking.say.rules import say_rule
from rulesdsl.speaking.sentence_diff import ELLIPSIS, merged_item, merged_items, whole

_VERBS = {"added": "new", "repealed": "repealed", "changed": "changed"}
_SETTINGS = re.compile(r"\b\w+_\w+\b")


def change_sheet(book: Book) -> Iterator[Block]:
    yield Items(tuple(_house_rules(book)), kind="house")
    base = book.source.base
    if base is None:
        return
    difference = diff_rules(base, book.source)
    if not difference.different:
        yield Text("Nothing is different from the printed rules.", "note")
    paragraphs = {one.id: one for one in difference.paragraphs}
    values: dict[str, list[ValueDiff]] = {}
    for value in difference.values:
        values.setdefault(value.paragraph, []).append(value)
    for number in sorted({*paragraphs, *values}, key=paragraph_order):
        found = paragraphs.get(number)
        yield _head(book, number, found, values.get(number, []))
        if found is not None:
            yield from _sentences(book, base, number, found.verb)
        if number in values:
            yield Items(tuple(_values(book, values[number])), kind="sentences values")
        if found is not None and found.lines:
            lines = "\n".join(f"{sign} {text}".rstrip() for sign, text in found.lines)
            yield Fold("As the engine runs it", (Code(lines, "diff"),), "code")
    if difference.silent:
        yield Heading("Now without effect", 3)
        yield Items(
            tuple(
                Item(f"{number + ' ' if number else ''}{_words(one.what)}: {_words(one.why)}.")
                for one in difference.silent
                for number in [rule(one.paragraph) if one.paragraph else ""]
            ),
            kind="sentences",
        )
    yield Text(
        f"{deleted('Struck out')}: printed, no longer so. {inserted('Underlined')}: so it is now. "
        f"{ELLIPSIS} what stays as it is.",
        "note",
    )


def _house_rules(book: Book) -> Iterator[Item]:
    for house in book.source.house:
        reason = " ".join(house.reason.split())
        yield Item(f"{strong(said(house.title))}{f': {said(reason)}' if reason else ''}")


def _head(book: Book, number: str, found: ParagraphDiff | None, values: list[ValueDiff]) -> Heading:
    title = found.title if found is not None else book.title_of(number)
    by = found.by if found is not None else tuple(dict.fromkeys(v.by for v in values if v.by))
    verb = _VERBS[found.verb] if found is not None else "changed"
    shown = rule(number, title) if number else "Values"
    return Heading(f"{shown} {em(f'{verb}: {said(listed(list(by)))}' if by else verb)}", 3)


# ---- sentences ---------------------------------------------------------------------------------------
def _sentences(book: Book, base: GameSource, number: str, verb: str) -> Iterator[Block]:
    """The words of the author and the rules, before and after in one."""
    old, new = paragraphs_of(base).get(number), paragraphs_of(book.source).get(number)
    prose = [item for item in merged_items(_prose(old), _prose(new)) if item.text != ELLIPSIS]
    if verb == "added":  # all of it is new, so nothing has to be marked
        prose = list(_prose(new))
    if prose:
        yield Items(tuple(prose), kind="prose")
    said_rules = tuple(_statements(book, old, new, verb))
    if said_rules:
        yield Items(said_rules, kind="sentences")


def _prose(paragraph: sx.Paragraph | None) -> tuple[Item, ...]:
    """Each piece of the prose that stands by itself."""
    text = re.sub(r"(?m)^\x00.*$", "", paragraph.prose) if paragraph is not None else ""
    pieces = (" ".join(piece.split()) for piece in re.split(r"\n\s*\n|\n(?=\s*[-*] )", text))
    return tuple(Item(said(re.sub(r"[*`]", "", piece))) for piece in pieces if piece)


def _statements(book: Book, old: sx.Paragraph | None, new: sx.Paragraph | None, verb: str) -> Iterator[Item]:
    for before, after in statement_pairs(old.rules if old else (), new.rules if new else ()):
        was = say_rule(book.printed_speaker, before) if before is not None else None
        now = say_rule(book.speaker, after) if after is not None else None
        if was is not None and now is not None:
            yield merged_item(was, now)
        elif was is not None:
            yield whole(was, deleted)
        elif now is not None:
            yield now if verb == "added" else whole(now, inserted)


# ---- values ------------------------------------------------------------------------------------------
def _values(book: Book, values: list[ValueDiff]) -> Iterator[Item]:
    """One line for each table, counter or zone: `turn 4: 3 → 2; turn 5: 2 → 1`."""
    things: dict[tuple[str, str], list[ValueDiff]] = {}
    for value in values:
        things.setdefault((value.kind, value.subject), []).append(value)
    for (kind, subject), found in things.items():
        name = found[0].name
        if kind == "table":
            name = capital(in_words(book.program.tables[subject].title))
        if not found[0].part:  # the whole of it is new
            yield Item(f"{link(f'{kind}:{subject}', _words(name))}: {inserted(_words(found[0].after))}.")
            continue
        told = "; ".join(
            f"{_words(v.part)} {deleted(_words(v.before))} → {inserted(_words(v.after))}" for v in found
        )
        yield Item(f"{link(f'{kind}:{subject}', _words(name))}: {told}.")


def _words(text: str) -> str:
    """Names of the rules as words."""
    return said(_SETTINGS.sub(lambda match: in_words(match[0]), text))
