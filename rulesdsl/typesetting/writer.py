"""Blocks of the handbook as Typst: what stands on paper is what the first way to read shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

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
from rulesdsl.speaking.inline import Resolve, Spell, resolve_addresses
from rulesdsl.typesetting.marks import Known, marked_to_typst, quoted
from rulesdsl.typesetting.prose import prose_to_typst


class TypstWriter:
    """Writes blocks; `drawings` collects the pictures by name, `placed` the targets that were written."""

    def __init__(self, known: Known, spell: Spell, layers: frozenset[str] = frozenset()) -> None:
        self.known = known
        self.spell = spell
        self.layers = layers
        self.drawings: dict[str, str] = {}
        self.placed: set[str] = set()

    def blocks(self, blocks: Iterable[Block]) -> str:
        return "\n\n".join(text for group in _side_by_side(blocks) if (text := self._group(group)))

    def _group(self, group: list[Block]) -> str:
        """Several parts of one table stand beside each other."""
        if len(group) == 1:
            return self.block(group[0])
        cells = ", ".join(f"[{self.block(block)}]" for block in group)
        return f"#grid(columns: {min(len(group), 3)}, column-gutter: 8pt, row-gutter: 6pt, {cells})"

    def block(self, block: Block) -> str:
        match block:
            case Heading(text, level, target):
                return f"#heading(level: {level}, outlined: false)[{self.text(text)}]{self.label(target)}"
            case Prose(text):
                return prose_to_typst(text, self.known)
            case Text(text, kind, target):
                return f"#said({quoted(kind)})[{self.text(text)}]{self.label(target)}" if text else ""
            case Items(items, ordered, kind):
                return f"#entries({quoted(kind)})[{self.items(items, ordered)}]"
            case Grid():
                return self.grid(block)
            case Code(text):
                return f"#code-block({quoted_lines(text)})"
            case Fold(summary, inside):
                return f"#par[#strong[{self.text(summary)}]]\n\n{self.blocks(inside)}"
            case Picture():
                return self.picture(block)
            case Box(title, inside, kind, target):
                body = f"[{self.text(title)}][{self.blocks(inside)}]"
                return f"#boxed({quoted(kind)}){body}{self.label(target)}"
            case Layer(level, inside):
                return self.blocks(inside) if level in self.layers else ""
            case Margin(inside):
                return self.blocks(inside)
            case Paragraph():
                return self.paragraph(block)
            case _:
                assert_never(block)

    def paragraph(self, block: Paragraph) -> str:
        notes = [note for part in block.inside if isinstance(part, Margin) for note in part.inside]
        text = self.blocks(part for part in block.inside if not isinstance(part, Margin))
        changed = self.text(f"Changed: {block.changed}") if block.changed else ""
        level = max(1, min(4, block.level - 1))
        head = f"#numbered({level}, {quoted(block.number)}, [{self.text(block.title)}])"
        beside = self.blocks(notes)
        if changed:
            beside = f"#changed[{changed}]\n\n{beside}"
        return f"{head}{self.label(block.target)}\n\n#beside[{text}][{beside}]"

    def text(self, text: str) -> str:
        return marked_to_typst(self.spell(text), self.known)

    def label(self, target: str) -> str:
        """A place that links lead to; the same target is placed once."""
        if not target or target in self.placed or not self.known(target):
            return ""
        self.placed.add(target)
        return f"#metadata(none)#label({quoted(target)})"

    def items(self, items: tuple[Item, ...], ordered: bool) -> str:
        kind = "enum" if ordered else "list"
        made = (
            f"[{self.text(item.text)}{self.label(item.target)}"
            f"{self.items(item.inside, item.ordered and len(item.inside) > 1) if item.inside else ''}]"
            for item in items
        )
        return f"#{kind}({', '.join(made)})"

    def grid(self, grid: Grid) -> str:
        columns = len(grid.heads)
        heads = ", ".join(f"[#cell[{self.text(head)}]]" for head in grid.heads)
        rows = ", ".join(self._row(row, columns, grid.first) for row in grid.rows)
        caption = f"#table-title[{self.text(grid.caption)}]\n" if grid.caption else ""
        return (
            f"#block(breakable: {'true' if len(grid.rows) > 14 else 'false'})[{caption}#paper-table("
            f"columns: {columns}, kind: {quoted(grid.kind)}, table.header({heads}), {rows})]"
        )

    def _row(self, row: Row, columns: int, first: bool) -> str:
        cells = [self._cell(cell, first and not n) for n, cell in enumerate(row.cells)]
        cells += ["[]"] * (columns - len(cells))
        cells[0] = f"{cells[0][:-1]}{self.label(row.target)}]" if row.target else cells[0]
        return ", ".join(cells)

    def _cell(self, cell: Cell, head: bool) -> str:
        inside = self.text(cell.text)
        if "changed" in cell.kind:
            inside = f"#changed-cell[{inside}]"
        return f"[#cell[#strong[{inside}]]]" if head else f"[#cell[{inside}]]"

    def picture(self, block: Picture, width: str = "100%") -> str:
        name = f"{block.name}.svg"
        nowhere: Resolve = lambda target: None  # noqa: E731
        self.drawings[name] = resolve_addresses(block.svg, nowhere)
        return f"#figure-of({quoted(name)}, {quoted(block.kind or block.name)}, [{self.text(block.title)}])"


def _side_by_side(blocks: Iterable[Block]) -> list[list[Block]]:
    groups: list[list[Block]] = []
    for block in blocks:
        paged = isinstance(block, Grid) and "paged" in block.kind and len(block.heads) <= 3
        last = groups[-1][0] if groups else None
        if paged and isinstance(last, Grid) and "paged" in last.kind and len(last.heads) <= 3:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def quoted_lines(text: str) -> str:
    """A text of several lines as a string of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
