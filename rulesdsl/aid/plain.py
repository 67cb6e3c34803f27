"""The aid as plain text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.aid.sections import Aid
from rulesdsl.speaking.blocks import Block, Grid, Item, Items, Text
from rulesdsl.speaking.inline import Spell, plain


def aid_text(aid: Aid, spell: Spell) -> str:
    lines = [aid.title, "=" * len(aid.title), *aid.notes]
    for section in aid.sections:
        lines += ["", section.title.upper()]
        for block in section.blocks:
            lines += _lines(block)
    return spell("\n".join(lines))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Items(items=items, ordered=ordered):
            yield from _items(items, ordered, 0)
        case Text(text=text):
            yield plain(text)
        case Grid(heads=heads, rows=rows, caption=caption):
            table = [[plain(h) for h in heads], *([plain(c.text) for c in row.cells] for row in rows)]
            if max(len(text) for row in table for text in row) > 24:
                yield from _long(table)
                return
            widths = [max(len(row[n]) for row in table if n < len(row)) for n in range(len(heads))]
            yield from (plain(caption),) if caption else ()
            for row in table:
                yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=False)).rstrip()
        case _:
            pass


def _long(table: list[list[str]]) -> Iterator[str]:
    """A table with long cells: one line for each of them."""
    heads, *rows = table
    for row in rows:
        yield row[0]
        for head, text in zip(heads[1:], row[1:], strict=False):
            if text not in ("", "—"):
                yield f"  {head}: {text}"


def _items(items: tuple[Item, ...], ordered: bool, depth: int) -> Iterator[str]:
    for number, item in enumerate(items, 1):
        mark = f"{number}." if ordered else "-"
        yield f"{'   ' * depth}{mark} {plain(item.text)}"
        yield from _items(item.inside, item.ordered, depth + 1)
