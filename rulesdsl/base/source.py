"""Places in files: the first layer, on which every message of the project stands.

A `SourceFile` is text that came from somewhere a person can open. A `Span` is a piece of it, counted
the way editors count (lines and columns from 1), so that a message can draw a caret under the words
it speaks of.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from pathlib import Path

from rulesdsl.base.lightclass import dataclass


@dataclass(frozen=True)
class SourceFile:
    """One text file of a game. `shown` is the path as a person should see it in messages."""

    path: Path
    text: str
    shown: str = ""

    def __post_init__(self) -> None:
        if not self.shown:
            object.__setattr__(self, "shown", str(self.path))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """The text of line `number`, counted from 1; empty when there is no such line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """From (line, column) up to, but not including, (end_line, end_column)."""

    file: SourceFile = field(repr=False, compare=False)
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    @property
    def text(self) -> str:
        """What stands there, on the first line."""
        line = self.file.line(self.line)
        end = self.end_column - 1 if self.end_line in (0, self.line) else len(line)
        return line[self.column - 1 : end]

    @property
    def width(self) -> int:
        """How many carets to draw on the first line."""
        if self.end_line and self.end_line != self.line:
            return max(1, len(self.file.line(self.line)) - self.column + 1)
        return max(1, self.end_column - self.column)

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


def nowhere(shown: str = "(built in)") -> Span:
    """A span for things that no file holds."""
    return Span(SourceFile(Path(shown), "", shown), 1, 1, 1, 1)
