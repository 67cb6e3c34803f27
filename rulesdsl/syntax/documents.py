"""Documents: fences, paragraphs, chapters."""

from __future__ import annotations

from rulesdsl.lightclass import dataclass
from rulesdsl.source import SourceFile
from rulesdsl.syntax.examples import Example
from rulesdsl.syntax.nodes import Node
from rulesdsl.syntax.rules import Rule


@dataclass(frozen=True, slots=True)
class Fence(Node):
    """One fenced block of a paragraph: kind `rules` or `example`, the text, the first line of the text."""

    kind: str
    text: str
    first_line: int


@dataclass(frozen=True, slots=True)
class Paragraph(Node):
    """`### 7.1.2 Cost of entering a zone`, its prose, its rules and its examples"""

    id: str
    title: str
    level: int
    prose: str
    fences: tuple[Fence, ...] = ()
    rules: tuple[Rule, ...] = ()
    examples: tuple[Example, ...] = ()
    informative: str | None = None  # `*Informative: why nothing is executed.*`
    data_file: str | None = None  # `*Data: scenarios/campaign.yaml.*`: the data say what this paragraph says


@dataclass(frozen=True, slots=True)
class Chapter:
    """One Markdown file of a rulebook."""

    file: SourceFile
    title: str
    preface: str
    paragraphs: tuple[Paragraph, ...]
    # (kind, name) of statements that could not be read, so that their absence is not reported again
    unread: tuple[tuple[str, str], ...] = ()
    # (paragraph, statement, its last line) where one change makes it readable: others may speak of it
    meant: tuple[tuple[str, Rule, int], ...] = ()
