"""Markdown chapters cut into paragraphs: headings, prose, fenced blocks, each with its line numbers.

Only what a literate rulebook needs is understood: ATX headings and fences. Everything else is prose.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulesdsl import syntax as sx
from rulesdsl.diagnostics import Diagnostic
from rulesdsl.source import SourceFile, Span

PARAGRAPH_ID = re.compile(
    r"(?P<id>(?:\d+(?:[.\-]\d+)*[a-z]?|[A-Za-z]+ \d+[a-z]?|[A-Z](?:\.\d+)+|lexicon|preamble|units|map))"
    r"(?:[.:]?\s+(?P<title>.*))?$"
)
HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*\s*$")
FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>```+|~~~+)\s*(?P<kind>[\w-]*)\s*$")
INFORMATIVE = re.compile(r"^\*Informative: (?P<reason>.+?)\.?\*\s*$", re.MULTILINE)
KNOWN_FENCES = ("rules", "example")


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
            found = INFORMATIVE.search(text)
            paragraphs.append(
                replace(current, prose=text, fences=tuple(fences),
                        informative=found["reason"] if found else None)
            )  # fmt: skip
        prose, fences = [], []

    lines = file.lines
    number = 0
    while number < len(lines):
        line = lines[number].rstrip("\r")
        number += 1
        if fence := FENCE.match(line):
            opened = number
            body: list[str] = []
            closed = False
            while number < len(lines):
                inner = lines[number].rstrip("\r")
                number += 1
                if inner.strip().startswith(fence["marks"]) and not inner.strip().strip(fence["marks"][0]):
                    closed = True
                    break
                body.append(inner)
            span = Span(file, opened, 1, opened, len(line) + 1)
            if not closed:
                problems.append(
                    Diagnostic("unclosed-fence", "this block is never closed", span,
                               help=f"put a line {fence['marks']} after it")
                )  # fmt: skip
            if fence["kind"] in KNOWN_FENCES:
                fences.append(sx.Fence(fence["kind"], "\n".join(body), opened + 1, span=span))
                prose.append(f"\x00{len(fences) - 1}")
            else:
                prose.extend([line, *body, fence["marks"]])
            continue
        if heading := HEADING.match(line):
            found = PARAGRAPH_ID.match(heading["text"])
            if found:
                close()
                span = Span(file, number, 1, number, len(line) + 1)
                current = sx.Paragraph(
                    found["id"], (found["title"] or "").strip(), len(heading["marks"]), "", span=span
                )
                continue
            if current is None and not title:
                title = heading["text"]
                continue
        prose.append(line)
    close()
    return sx.Chapter(file, title, "\n".join(preface).strip(), tuple(paragraphs)), problems
