"""Markdown chapters cut into paragraphs: headings, prose, fenced blocks, each with its line numbers.

Only what a literate rulebook needs is understood: ATX headings and fences. Everything else is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulesdsl import syntax as sx
from rulesdsl.diagnostics import Diagnostic
from rulesdsl.lightclass import dataclass
from rulesdsl.source import SourceFile, Span

NUMBER = r"(?:\d+(?:[.\-]\d+)*[a-z]?|[A-Za-z]+ \d+[a-z]?|[A-Z](?:\.\d+)+|lexicon|preamble|units|map)"
TITLE = r"(?:[.:]?\s+(?P<title>.*))?$"
PARAGRAPH_ID = re.compile(rf"(?P<id>{NUMBER}){TITLE}")
# No two neighbouring parts of these may match the same spaces: a long row of them would take minutes.
HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>\S+(?:\s+\S+)*?)(?:\s+#+)?\s*$")
FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>```+|~~~+)\s*(?:(?P<kind>[\w-]+)\s*)?$")
DATA = re.compile(r"^\*Data: (?P<file>[\w./-]+?)\.?\*\s*$", re.MULTILINE)
INFORMATIVE = re.compile(r"^\*Informative: (?P<reason>.+?)\.?\*\s*$", re.MULTILINE)
KNOWN_FENCES = ("rules", "example")


@dataclass(frozen=True, slots=True)
class Heading:
    """`### 7.1.2 Cost of entering a zone`"""

    level: int
    text: str
    line: str
    span: Span


def scan(file: SourceFile, problems: list[Diagnostic]) -> Iterator[Heading | sx.Fence | str]:
    """The parts of a file in order: headings, blocks of ours, and every other line as it stands."""
    lines = file.lines
    number = 0
    while number < len(lines):
        line = lines[number].rstrip("\r")
        number += 1
        span = Span(file, number, 1, number, len(line) + 1)
        if heading := HEADING.match(line):
            yield Heading(len(heading["marks"]), heading["text"], line, span)
            continue
        fence = FENCE.match(line)
        if not fence:
            yield line
            continue
        opened = number
        body: list[str] = []
        closed = False
        while number < len(lines) and not closed:
            inner = lines[number].rstrip("\r")
            number += 1
            closed = inner.strip().startswith(fence["marks"]) and not inner.strip().strip(fence["marks"][0])
            if not closed:
                body.append(inner)
        if not closed:
            problems.append(never_closed(fence["marks"], span))
        if fence["kind"] in KNOWN_FENCES:
            yield sx.Fence(fence["kind"], "\n".join(body), opened + 1, span=span)
        else:
            yield from (line, *body, fence["marks"])


def never_closed(marks: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "unclosed-fence", "this block is never closed", span, help=f"put a line {marks} after it"
    )


def read_chapter(file: SourceFile) -> tuple[sx.Chapter, list[Diagnostic]]:
    """Cut one Markdown file into paragraphs; their rules are still text in `fences`."""
    problems: list[Diagnostic] = []
    title, preface, paragraphs = "", [], list[sx.Paragraph]()
    prose: list[str] = []
    fences: list[sx.Fence] = []
    current: sx.Paragraph | None = None

    def close() -> None:
        nonlocal prose, fences
        text = "\n".join(prose).strip("\n")
        if current is None:
            preface.append(text)
            for fence in fences:
                problems.append(
                    Diagnostic("rules-without-paragraph", "this block stands under no numbered heading",
                               fence.span, help="put a heading such as `## 1 Components` above it")
                )  # fmt: skip
        else:
            found, stored = INFORMATIVE.search(text), DATA.search(text)
            paragraphs.append(
                replace(current, prose=text, fences=tuple(fences),
                        informative=found["reason"] if found else None,
                        data_file=stored["file"] if stored else None)
            )  # fmt: skip
        prose, fences = [], []

    for part in scan(file, problems):
        if isinstance(part, sx.Fence):
            fences.append(part)
            prose.append(f"\x00{len(fences) - 1}")
            continue
        if isinstance(part, Heading):
            found = PARAGRAPH_ID.match(part.text)
            if found:
                close()
                current = sx.Paragraph(
                    found["id"], (found["title"] or "").strip(), part.level, "", span=part.span
                )
                continue
            if current is None and not title:
                title = part.text
                continue
            part = part.line
        prose.append(part)
    close()
    return sx.Chapter(file, title, "\n".join(preface).strip(), tuple(paragraphs)), problems
