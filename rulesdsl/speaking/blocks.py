"""What a page of the handbook is made of: a few kinds of blocks, the same for HTML and Markdown.

Texts in blocks are marked texts (`inline`), except prose, which is the author's Markdown. A block with a
`target` is a place that links can lead to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 2
    target: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown as the author wrote it, with marks where it names paragraphs."""

    text: str
    kind: str = ""  # remark: about the paragraph, not of it


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    kind: str = ""  # a class for the look: note, relation, label
    target: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    inside: tuple[Item, ...] = ()
    ordered: bool = False  # whether what is inside happens in order
    target: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Item, ...]
    ordered: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    kind: str = ""  # number, head, changed, estimated, share
    share: float = -1.0  # 0 to 1: drawn as a bar behind the text
    title: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Cell, ...]
    target: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: heads of columns, rows; `first` tells whether the first cell of a row is its head."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    first: bool = True
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Rules as they are written."""

    text: str
    kind: str = "rules"


@dataclass(frozen=True, slots=True)
class Fold:
    """Something a click away."""

    summary: str
    inside: tuple[Block, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG document; `name` is its file in the Markdown edition."""

    svg: str = field(repr=False)
    name: str
    title: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """Something set apart: a reading, an example, a finding."""

    title: str
    inside: tuple[Block, ...]
    kind: Literal["reading", "example", "finding", "note"] = "note"
    target: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A numbered paragraph; `changed` says which house rules changed it (a mark in the margin)."""

    number: str
    title: str
    level: int
    inside: tuple[Block, ...]
    changed: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """What only some ways to read show: `mechanics` derived sentences, `everything` the code as well."""

    level: Literal["mechanics", "everything"]
    inside: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Margin:
    """Beside the text: readings, exceptions, cross references."""

    inside: tuple[Block, ...]


Block = Heading | Prose | Text | Items | Grid | Code | Fold | Picture | Box | Paragraph | Layer | Margin


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `section` is the part of the navigation it stands in."""

    name: str
    title: str
    section: str
    blocks: tuple[Block, ...]
    level: str = ""  # everything: for authors, not for players


def grid(heads: list[str], rows: list[list[str]], caption: str = "", kind: str = "") -> Grid:
    """A table of plain cells."""
    made = tuple(Row(tuple(Cell(text) for text in row)) for row in rows)
    return Grid(tuple(heads), made, caption, kind=kind)
