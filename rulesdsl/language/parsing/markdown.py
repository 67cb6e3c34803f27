"""Markdown chapters cut into paragraphs: headings, prose, fenced blocks, each with its line numbers.

Only what a literate rulebook needs is understood: ATX headings and fences. Everything else is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.fixes import Advice
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.suggestions import nearest
from rulesdsl.language import syntax as sx

NUMBER = r"(?:\d+(?:[.\-]\d+)*[a-z]?|[A-Za-z]+ \d+[a-z]?|[A-Z](?:\.\d+)+|lexicon|preamble|units|map|opponent)"
TITLE = r"(?:[.:]?\s+(?P<title>.*))?$"
PARAGRAPH_ID = re.compile(rf"(?P<id>{NUMBER}){TITLE}")
# No two neighbouring parts of these may match the same spaces: a long row of them would take minutes.
HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>\S+(?:\s+\S+)*?)(?:\s+#+)?\s*$")
FENCE = re.compile(r"(?P<indent> {0,3})(?P<marks>```+|~~~+)\s*(?:(?P<kind>[\w-]+)\s*)?$")
DATA_FENCE = re.compile(r" {0,3}(?P<marks>```+|~~~+)\s*ya?ml\s+(?P<kind>[\w-]+)(?:=[\w-]+)?\s*$")
DATA = re.compile(r"^\*Data: (?P<file>[\w./-]+?)\.?\*\s*$", re.MULTILINE)
INFORMATIVE = re.compile(r"^\*Informative: (?P<reason>.+?)\.?\*\s*$", re.MULTILINE)
KNOWN_FENCES = ("rules", "example")
DATA_KINDS = ("pieces", "map", "table", "scenario")  # what a house rule may bring, in the form of the files
_LIKE_FENCE = re.compile(r"\s*(?:`+|'''|~+)\s*(?P<kind>rules|example)\s*$")
_LIKE_RULES = re.compile(
    r'(?:(?:modify|define|quantity|procedure|phase|route|window|action) [a-z_.]+(?:[(\n]| ?=| ")'
    r"|set (?:table |border |parameter |reading |option |\w+[.])"
    r'|(?:replace|repeal) "|(?:forbid|allow) [a-z_, ]+ (?:when|despite) |(?:given|when|expect):)'
)


@dataclass(frozen=True, slots=True)
class Heading:
    """`### 7.1.2 Cost of entering a zone`"""

    level: int
    text: str
    line: str
    span: Span


def scan(
    file: SourceFile, problems: list[Diagnostic], with_data: bool = False
) -> Iterator[Heading | sx.Fence | str]:
    """The parts of a file in order: headings, blocks of ours, and every other line as it stands.

    `with_data`: blocks ```yaml pieces, map, table and scenario are read, too, as a house rule brings them.
    """
    lines = file.lines
    number = 0
    while number < len(lines):
        line = lines[number].rstrip("\r")
        number += 1
        span = Span(file, number, 1, number, len(line) + 1)
        if heading := HEADING.match(line):
            yield Heading(len(heading["marks"]), heading["text"], line, span)
            continue
        if with_data and (data := DATA_FENCE.match(line)):
            end, closed = block_end(lines, number, data["marks"], "rules")
            if not closed:
                problems.append(never_closed(data["marks"], span))
            kind = data["kind"] if data["kind"] in DATA_KINDS else _data_kind(data["kind"], span, problems)
            body = [inner.rstrip("\r") for inner in lines[number:end]]
            if kind:
                yield sx.Fence(kind, "\n".join(body), number + 1, span=span)
            number = end + closed
            continue
        fence = FENCE.match(line)
        kind, mistake = (fence["kind"] or "", None) if fence else ("", None)
        if kind not in KNOWN_FENCES and (meant := _meant(line, kind)):
            kind, mistake = meant, Diagnostic("unknown-fence", f"this opens no `{meant}` block", span,
                                              help=Advice(f"write ```{meant} at the start of the line",
                                                          fixes.whole(f"```{meant}")))  # fmt: skip
        if not fence and mistake is None:
            yield line
            continue
        problems += [mistake] if mistake else []
        marks = fence["marks"] if fence else "```"
        end, closed = block_end(lines, number, marks, kind)
        body = [inner.rstrip("\r") for inner in lines[number:end]]
        opened, number = number, end + closed
        if not closed:
            problems.append(never_closed(marks, span))
        if kind in KNOWN_FENCES:
            if body or closed:  # what opens at the end of the file has no line for further problems
                yield sx.Fence(kind, "\n".join(body), opened + 1, span=span)
            continue
        if not kind and _LIKE_RULES.match("\n".join(body).lstrip("\n")):
            problems.append(
                Diagnostic("unknown-fence", "this block is shown, not read", span,
                           help=Advice("write ```rules or ```example if it is meant to be read",
                                       fixes.whole("```rules"), fixes.whole("```example")),
                           severity="warning")
            )  # fmt: skip
        yield from (line, *body, marks)


def _data_kind(written: str, span: Span, problems: list[Diagnostic]) -> str:
    """The kind of a data block that was perhaps meant; the message says which there are."""
    near = nearest(written.casefold(), frozenset(DATA_KINDS))
    singular = {
        "piece": "pieces",
        "counter": "pieces",
        "counters": "pieces",
        "tables": "table",
        "scenarios": "scenario",
    }
    meant = singular.get(written.casefold(), near[0][1] if near else "")
    hint: str = f"there are {', '.join(f'`yaml {kind}`' for kind in DATA_KINDS)}"
    if meant:
        hint = Advice(f"write ```yaml {meant}", fixes.whole(f"```yaml {meant}"))
    problems.append(Diagnostic("unknown-fence", f'a house rule brings no "{written}"', span, help=hint))
    return meant


def _meant(line: str, kind: str) -> str:
    """What a line that opens no block of ours was perhaps meant to open: ```rule, ``rules."""
    if loose := _LIKE_FENCE.match(line):
        return loose["kind"]
    word = kind.casefold()
    near = nearest(word, frozenset(KNOWN_FENCES)) if word not in KNOWN_FENCES else [(0, word)]
    return near[0][1] if near else ""


def block_end(lines: Sequence[str], start: int, marks: str, kind: str) -> tuple[int, bool]:
    """The line (from 0) at which a block is over, and whether it is closed there.

    A block of ours that is never closed ends before the next heading or block of ours.
    """
    headed = len(lines)
    for number in range(start, len(lines)):
        text = lines[number].strip()
        if text.startswith(marks) and not text.strip(marks[0]):
            return number, True
        if kind in KNOWN_FENCES:
            if text.startswith("##"):
                headed = min(headed, number)
            inner = FENCE.match(lines[number].rstrip("\r"))
            if inner and inner["kind"] in KNOWN_FENCES:
                return min(headed, number), False
    return headed, False


def never_closed(marks: str, span: Span) -> Diagnostic:
    return Diagnostic(
        "unclosed-fence", "this block is never closed", span, help=f"put a line {marks} after it"
    )


def _numberless(heading: Heading, above: str) -> Diagnostic:
    message = f"this heading has no number: the rules below it belong to {above}"
    hint = f"begin it with its number, such as `{'#' * heading.level} 4.5 {heading.text}`"
    return Diagnostic("rules-without-paragraph", message, heading.span, help=hint, severity="warning")


def read_chapter(file: SourceFile) -> tuple[sx.Chapter, list[Diagnostic]]:
    """Cut one Markdown file into paragraphs; their rules are still text in `fences`."""
    problems: list[Diagnostic] = []
    title, preface, paragraphs = "", [], list[sx.Paragraph]()
    prose: list[str] = []
    fences: list[sx.Fence] = []
    current: sx.Paragraph | None = None
    bare: Heading | None = None  # one without a number, inside a paragraph

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
            if bare is not None and current is not None and part.kind == "rules":
                problems.append(_numberless(bare, current.id))
                bare = None
            fences.append(part)
            prose.append(f"\x00{len(fences) - 1}")
            continue
        if isinstance(part, Heading):
            found = PARAGRAPH_ID.match(part.text)
            bare = part if found is None and current is not None else None
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
