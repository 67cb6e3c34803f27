"""The rolls of a game that are not read in a table: what is rolled for, and what has to be reached."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.handbook.book import Book
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Block, Item, Items
from rulesdsl.speaking.inline import capital, plain, rule, said, strong

_LONG = 120


def dice_lines(book: Book) -> Iterator[Block]:
    """`early end of the game (5.2): 1d6; the die + the early end bonus is more than 8: …`"""
    items = []
    for identity, node in book.rules_of(sx.Procedure, sx.Trigger, sx.Token):
        for roll, conditions in _rolls(node):
            asked = [book.own(plain(book.speaker.say(c))) for c in conditions]
            shown = [words for words in dict.fromkeys(asked) if len(words) <= _LONG]
            if shown:
                mark = "▸ " if book.relations.amended_by.get(identity) else ""
                what = strong(capital(book.own(said(roll.purpose or "die"))))
                dice = f"{roll.count}d{roll.faces}"
                items.append(Item(f"{mark}{what} {rule(identity)}: {dice}, {'; '.join(shown)}"))
    if items:
        yield Items(tuple(items), kind="dice")


def _rolls(node: sx.Node) -> Iterator[tuple[sx.Roll, list[sx.Expr]]]:
    """Every roll with the conditions that name it."""
    parts = list(sx.walk(node))
    for roll in (p for p in parts if isinstance(p, sx.Roll)):
        conditions = [
            condition
            for p in parts
            if isinstance(p, sx.If)
            for condition, _ in p.branches
            if any(isinstance(n, sx.Name) and n.id == roll.name for n in sx.walk(condition))
        ]
        yield roll, conditions
