"""Blocks as HTML elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulesdsl.handbook.writers.markup import markdown_to_html
from rulesdsl.speaking.blocks import (
    Block,
    Box,
    Cell,
    Code,
    Fold,
    Grid,
    Heading,
    Item,
    Items,
    Layer,
    Margin,
    Paragraph,
    Picture,
    Prose,
    Row,
    Text,
)
from rulesdsl.speaking.inline import Resolve, Spell, escape, resolve_addresses, to_html


def anchor_of(target: str) -> str:
    """The id of a place: `rule:event 3` → `rule-event-3`."""
    return "".join(c if c.isalnum() or c in ".-_" else "-" for c in target)


class HtmlWriter:
    """Writes blocks; `resolve` knows the addresses of targets as seen from the page that is
    written, `spell` how the rulebook writes its names.

    On paper nothing can be unfolded, so with `unfolded` everything is open.
    """

    def __init__(self, resolve: Resolve, spell: Spell, unfolded: bool = False) -> None:
        self.resolve = resolve
        self.spell = spell
        self.unfolded = unfolded

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "\n".join(self.block(block) for block in blocks)

    def block(self, block: Block) -> str:
        match block:
            case Heading(text, level, target):
                return f"<h{level}{_id(target)}>{self.text(text)}</h{level}>"
            case Prose(text, kind):
                made = markdown_to_html(text, self.resolve, 4)
                return f"<div{_class(kind)}>{made}</div>" if kind else made
            case Text(text, kind, target):
                return f"<p{_class(kind)}{_id(target)}>{self.text(text)}</p>" if text else ""
            case Items(items, ordered, kind):
                return self._items(items, ordered, kind)
            case Grid():
                return self._grid(block)
            case Code(text, kind):
                written = _diff(text) if kind == "diff" else escape(text)
                return f'<pre class="code {kind}"><code>{written}</code></pre>'
            case Fold(summary, inside, kind):
                head = f"<summary>{self.text(summary)}</summary>"
                is_open = " open" if self.unfolded else ""
                return f"<details{_class(kind)}{is_open}>{head}{self.blocks(inside)}</details>"
            case Picture(svg, name, title, kind):
                drawn = resolve_addresses(svg, self.resolve)
                look = f"picture {kind or name}"
                return f'<figure class="{look}" tabindex="0" aria-label="{escape(title)}">{drawn}</figure>'
            case Box(title, inside, kind, target):
                head = f'<p class="box-title">{self.text(title)}</p>'
                return f'<aside class="box {kind}"{_id(target)}>{head}{self.blocks(inside)}</aside>'
            case Layer(level, inside):
                return f'<div class="layer {level}">{self.blocks(inside)}</div>' if inside else ""
            case Margin(inside):
                return f'<div class="margin">{self.blocks(inside)}</div>'
            case Paragraph():
                return self._paragraph(block)
            case _:
                assert_never(block)

    def text(self, text: str) -> str:
        return to_html(self.spell(text), self.resolve)

    def _paragraph(self, block: Paragraph) -> str:
        size = min(5, max(1, block.level))
        anchor = anchor_of(block.target)
        number = f'<a class="number" href="#{anchor}">{escape(block.number)}</a>'
        title = f' <span class="title">{self.text(block.title)}</span>' if block.title else ""
        mark = f'<p class="change-mark">Changed: {escape(block.changed)}</p>' if block.changed else ""
        look = "paragraph changed" if block.changed else "paragraph"
        head = f"<h{size}>{number}{title}</h{size}>"
        return f'<section class="{look}" id="{anchor}">{head}{mark}\n{self.blocks(block.inside)}</section>'

    def _items(self, items: tuple[Item, ...], ordered: bool, kind: str) -> str:
        name = "ol" if ordered else "ul"
        inside = "".join(self._item(item) for item in items)
        return f"<{name}{_class(kind)}>{inside}</{name}>"

    def _item(self, item: Item) -> str:
        inside = self._items(item.inside, item.ordered and len(item.inside) > 1, "") if item.inside else ""
        return f"<li{_id(item.target)}>{self.text(item.text)}{inside}</li>"

    def _grid(self, grid: Grid) -> str:
        caption = f"<caption>{self.text(grid.caption)}</caption>" if grid.caption else ""
        heads = "".join(f'<th scope="col">{self.text(head)}</th>' for head in grid.heads)
        rows = "".join(self._row(row, grid.first) for row in grid.rows)
        table = (
            f"<table{_class(grid.kind)}>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )
        look = "scroll paged" if "paged" in grid.kind else "scroll"
        return f'<div class="{look}" tabindex="0">{table}</div>'

    def _row(self, row: Row, first: bool) -> str:
        cells = "".join(self._cell(cell, first and not number) for number, cell in enumerate(row.cells))
        return f"<tr{_class(row.kind)}{_id(row.target)}>{cells}</tr>"

    def _cell(self, cell: Cell, head: bool) -> str:
        title = f' title="{escape(cell.title)}"' if cell.title else ""
        bar = f' style="--share:{cell.share:.4f}"' if cell.share >= 0 else ""
        inside = f"{self.text(cell.text)}"
        if head:
            return f'<th scope="row"{_class(cell.kind.replace("head", "").strip())}{title}>{inside}</th>'
        return f"<td{_class(cell.kind)}{title}{bar}>{inside}</td>"


def _id(target: str) -> str:
    return f' id="{anchor_of(target)}"' if target else ""


def _class(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""


def _diff(text: str) -> str:
    kinds = {"+": "ins", "-": "del"}
    lines = []
    for line in text.split("\n"):
        element = kinds.get(line[:1])
        lines.append(f"<{element}>{escape(line)}</{element}>" if element else escape(line))
    return "\n".join(lines)
