"""What stands before the first section of a house rule: its reason, what it requires, what it excludes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.language.syntax import amendments as ax

MENTIONS = ("requires", "conflicts")
_FRONT = re.compile(r"\s*(?:[-*]\s+)?\**(?P<word>[A-Za-z]+(?: with)?)\**:\**\s*(?P<names>.*?)\s*$")
_NAME = re.compile(r"[\w-]+")


def read_front(
    file: SourceFile, prose: Sequence[str], problems: list[Diagnostic]
) -> tuple[str, tuple[ax.Mention, ...]]:
    """The reason and the mentions. What only looks like a mention is a problem: nobody would heed it."""
    kept: list[str] = []
    mentions: list[ax.Mention] = []
    number = 0
    for line in prose:
        found = _FRONT.match(line)
        near = _mention_meant(found["word"]) if found else ""
        if not found or not near:
            kept.append(line)
            continue
        span = line_span(file, line, number)
        number = span.line
        if found["word"] in MENTIONS:
            mentions += _mentions(found, line, span, problems)
        else:
            message = f'"{found["word"]}:" is not understood here'
            problems.append(Diagnostic("house-front", message, span, help=f'did you mean "{near}"?'))
    return "\n".join(kept).strip(), tuple(mentions)


def misplaced_mentions(section: ax.Section) -> Iterator[Diagnostic]:
    """`requires:` under a section would be taken for its text."""
    file, number = section.span.file, section.span.line
    for line in section.prose.split("\n"):
        found = _FRONT.match(line)
        if found and found["word"] in MENTIONS:
            span = line_span(file, line, number)
            number = span.line
            message = f'"{found["word"]}:" stands before the first section'
            yield Diagnostic("house-front", message, span, help="put this line under the title")


def line_span(file: SourceFile, line: str, after: int) -> Span:
    """Where a line stands, looked for after line `after`."""
    lines = [text.rstrip("\r") for text in file.lines[after:]]
    number = lines.index(line) + after + 1
    return Span(file, number, 1, number, len(line) + 1)


def _mentions(
    found: re.Match[str], line: str, span: Span, problems: list[Diagnostic]
) -> Iterator[ax.Mention]:
    kind, start = found["word"], found.start("names")
    names = list(_NAME.finditer(line, start))
    if not names or re.sub(r"[\w\s,-]", "", line[start:]):
        hint = f"write `{kind}: name_of_its_file, another`"
        message = f'after "{kind}:" stand the names of house rules'
        problems.append(Diagnostic("house-front", message, span, help=hint))
        return
    for one in names:
        place = Span(span.file, span.line, one.start() + 1, span.line, one.end() + 1)
        yield ax.Mention(kind, one[0], span=place)


def _mention_meant(word: str) -> str:
    """`Requires:` and `conflicts with:` look like words of ours."""
    near = get_close_matches(word.removesuffix(" with").casefold(), MENTIONS, n=1, cutoff=0.75)
    return near[0] if near else ""
