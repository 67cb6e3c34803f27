"""Blocks as Markdown, for wikis and repositories; pictures are files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulesdsl.handbook.writers.html import anchor_of
from rulesdsl.speaking.blocks import (
    Block,
    Box,
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
    Text,
)
from rulesdsl.speaking.inline import Form, Resolve, Spell, rendered, resolve_addresses, to_markdown

_AS_WRITTEN = dict.fromkeys(("strong", "em", "code", "ins", "del"), ("", ""))


class MarkdownWriter:
    """Writes blocks; `pictures` collects the drawings by file name."""

    def __init__(self, resolve: Resolve, spell: Spell) -> None:
        self.resolve = resolve
        self.spell = spell
        self.pictures: dict[str, str] = {}

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "\n\n".join(text for block in blocks if (text := self.block(block)))

    def block(self, block: Block) -> str:
        match block:
            case Heading(text, level, target):
                return f"{_anchor(target)}{'#' * level} {self.text(text)}"
            case Prose(text):
                return rendered(text, Form(str, self._reference, _AS_WRITTEN)).strip()
            case Text(text):
                return self.text(text)
            case Items(items, ordered):
                return "\n".join(self._items(items, ordered, 0))
            case Grid():
                return self._grid(block)
            case Code(text, kind):
                return f"```{kind}\n{text}\n```"
            case Fold(summary, inside):
                return (
                    f"<details><summary>{self.text(summary)}</summary>\n\n{self.blocks(inside)}\n\n</details>"
                )
            case Picture(svg, name, title):
                self.pictures[f"{name}.svg"] = resolve_addresses(svg, self.resolve)
                return f"![{self.text(title)}]({name}.svg)"
            case Box(title, inside, _, target):
                body = self.blocks(inside).replace("\n", "\n> ")
                return f"{_anchor(target)}> **{self.text(title)}**\n>\n> {body}"
            case Layer(inside=inside) | Margin(inside=inside):
                return self.blocks(inside)
            case Paragraph():
                mark = f" *(changed: {block.changed})*" if block.changed else ""
                size = "#" * min(6, max(1, block.level))
                head = (
                    f"{_anchor(block.target)}{size} {block.number} {self.text(block.title)}".rstrip() + mark
                )
                return f"{head}\n\n{self.blocks(block.inside)}"
            case _:
                assert_never(block)

    def text(self, text: str) -> str:
        return to_markdown(self.spell(text), self.resolve)

    def _reference(self, target: str, words: str) -> str:
        address = self.resolve(target)
        return words if address is None else f"[{words}]({address})"

    def _items(self, items: tuple[Item, ...], ordered: bool, depth: int) -> Iterable[str]:
        for number, item in enumerate(items, 1):
            mark = f"{number}." if ordered else "-"
            yield f"{'    ' * depth}{mark} {self.text(item.text)}"
            yield from self._items(item.inside, item.ordered and len(item.inside) > 1, depth + 1)

    def _grid(self, grid: Grid) -> str:
        lines = [f"*{self.text(grid.caption)}*", ""] if grid.caption else []
        lines.append(f"| {' | '.join(self.text(head) or ' ' for head in grid.heads)} |")
        lines.append(f"|{'---|' * len(grid.heads)}")
        for row in grid.rows:
            first, *others = (self.text(cell.text) for cell in row.cells)
            lines.append(f"| {' | '.join([_anchor(row.target).strip() + first, *others])} |")
        return "\n".join(lines)


def _anchor(target: str) -> str:
    return f'<a id="{anchor_of(target)}"></a>\n' if target else ""
