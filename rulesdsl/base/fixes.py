"""Changes that a message proposes: made where the problem is found, applied by whoever shows it.

A help text may be an `Advice`: a text that also knows the change it speaks of. The diagnostic it is given to
keeps the text and turns the change into `Fix`es at its own place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for a piece of a file."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What a key could do: `title` is said to the author, `edits` do not overlap."""

    title: str
    edits: tuple[Edit, ...]


Making = Callable[[Span], Fix | None]


class Advice(str):
    """A help text with the changes it speaks of, the likeliest first."""

    __slots__ = ("makings",)
    makings: tuple[Making, ...]

    def __new__(cls, text: str, *makings: Making) -> Advice:
        made = super().__new__(cls, text)
        made.makings = makings
        return made

    def fixes(self, span: Span) -> tuple[Fix, ...]:
        return tuple(fix for making in self.makings if (fix := making(span)) is not None)


def word(wrong: str, right: str) -> Making:
    """Another word in the place of the first `wrong` one."""

    def make(span: Span) -> Fix | None:
        place = _find(span, wrong)
        return replaced(place, right) if place is not None else None

    return make


def whole(right: str) -> Making:
    """Another text for everything the message points at."""
    return lambda span: replaced(span, right)


def after(text: str) -> Making:
    """Something at the end of the last line of the place, before a remark or a label."""

    def make(span: Span) -> Fix | None:
        line = span.file.line(span.end_line or span.line).split("#")[0].rstrip()
        label = re.search(r'\s+"[^"]*"\s*$', line)
        column = (label.start() if label else len(line)) + 1
        number = span.end_line or span.line
        return Fix(f"add “{text.strip()}”", (Edit(Span(span.file, number, column, number, column), text),))

    return make


def line_below(text: str, number: int = 0) -> Making:
    """A new line below the place, or below another line of the file."""

    def make(span: Span) -> Fix:
        below = number or span.end_line or span.line
        end = len(span.file.line(below)) + 1
        return Fix(f"add “{text.strip()}”", (Edit(Span(span.file, below, end, below, end), f"\n{text}"),))

    return make


def at(place: Span, right: str) -> Making:
    """Another text at a place of its own."""
    return lambda _: replaced(place, right)


def replaced(span: Span, right: str) -> Fix:
    if not right:
        return Fix(f"leave out “{span.text}”", (Edit(span, ""),))
    return Fix(f"write “{right}”", (Edit(span, right),))


def under_section(number: str) -> Making:
    """The statement moved under `## amends NUMBER` of the same house rule."""

    def make(span: Span) -> Fix:
        lines = span.file.lines
        first, last = span.line, max(span.line, span.end_line - (span.end_column == 1))
        body = "\n".join(lines[first - 1 : last])
        gone = Edit(Span(span.file, first, 1, last + 1, 1), "")
        heading = next(
            (
                n
                for n, line in enumerate(lines, 1)
                if re.match(rf"##\s+amends\s+{re.escape(number)}(?![\w.])", line)
            ),
            0,
        )
        fence = next(
            (n for n in range(heading + 1, len(lines) + 1) if lines[n - 1].startswith("```rules")), 0
        )
        between = any(line.startswith("## ") for line in lines[heading:fence]) if heading and fence else True
        if heading and fence and not between:
            place, text = Span(span.file, fence + 1, 1, fence + 1, 1), f"{body}\n"
        else:
            end = len(lines)
            column = len(lines[-1]) + 1
            place = Span(span.file, end, column, end, column)
            text = f"\n## amends {number}\n```rules\n{body}\n```\n"
        return Fix(f"put this under “## amends {number}”", (gone, Edit(place, text)))

    return make


def section_number(number: str) -> Making:
    """Where all of a section belongs elsewhere: its heading changed."""

    def make(span: Span) -> Fix | None:
        for row in range(span.line, 0, -1):
            if found := re.match(r"##\s+(amends|replaces)\s+(\S+)", span.file.line(row)):
                place = Span(span.file, row, found.start(2) + 1, row, found.end(2) + 1)
                return Fix(f"write “## {found[1]} {number}” above", (Edit(place, number),))
        return None

    return make


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made; the last first, so that no place moves before it is reached."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return min(starts[min(line, len(lines) + 1) - 1] + column - 1, len(text))

    made = [
        (
            offset(e.span.line, e.span.column),
            offset(e.span.end_line or e.span.line, e.span.end_column),
            e.text,
        )
        for e in edits
    ]
    for start, end, new in sorted(made, reverse=True):
        text = text[:start] + new + text[max(start, end) :]
    return text


def _find(span: Span, wrong: str) -> Span | None:
    pattern = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)")
    for number in range(span.line, max(span.line, span.end_line) + 1):
        start = span.column - 1 if number == span.line else 0
        if found := pattern.search(span.file.line(number), start):
            return Span(span.file, number, found.start() + 1, number, found.end() + 1)
    # of an entry of a data file the message may point at the value, and speak of its key
    before = list(pattern.finditer(span.file.line(span.line)[: max(span.column - 1, 0)]))
    if before and span.file.path.suffix == ".yaml":
        return Span(span.file, span.line, before[-1].start() + 1, span.line, before[-1].end() + 1)
    return None


def either(words: Sequence[str], wrong: str) -> tuple[Making, ...]:
    """One of several words instead of a wrong one."""
    return tuple(word(wrong, right) for right in words)
