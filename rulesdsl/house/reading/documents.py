"""From the text of a house rule to its tree: title, reason, what it requires, its sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic, errors, meant
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.house.reading.front import line_span, misplaced_mentions, read_front
from rulesdsl.house.reading.stray_rules import stray_rules
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.chunks import cut_chunks
from rulesdsl.language.parsing.markdown import DATA_KINDS, NUMBER, TITLE, Heading, scan
from rulesdsl.language.parsing.parser import (
    MOST_PROBLEMS,
    THOROUGH_EXPLANATIONS,
    not_again,
    parse_amendment,
    parse_example,
    parse_rule,
)
from rulesdsl.language.syntax import amendments as ax

NEW = "new"  # instead of a number: the machine chooses one
VERBS = ("amends", "replaces", "repeals", "after")
AMEND_WORDS = ("set", "replace", "repeal", "in", "strike", "say")
_FORBID_TOKEN = re.compile(r"\s*forbid\s+token\s")
_ON_OLD = re.compile(rf"(?P<verb>amends|replaces|repeals)\s+(?P<id>{NUMBER}){TITLE}")
_AFTER = re.compile(
    rf"(?P<verb>after)\s+(?P<anchor>{NUMBER})\s*(?:→|->)\s*(?P<id>{NEW}(?=\s|$)|{NUMBER}){TITLE}"
)
_FORMS = (
    "write `## amends 7.2.2`, `## replaces 7.2.2 Title`, `## repeals 7.2.2` or `## after 7.2.2 → new Title`"
)


BLOCK = re.compile(r"^\x00\d+\n?", re.MULTILINE)  # where a block stands in prose
_GLUED = re.compile(r"#{1,6}(?P<text>[^#\s].*?)\s*$")  # without the space that makes a heading of it
_CELL = re.compile(r"set\s+(?!table\b)(\w+)\s*\[")
_SIGNS = re.compile(r"§\s*|\.(?=\s|$)")  # signs that people put around a number
_ONE_OF = "it starts with one of"


def read_house_rule(file: SourceFile) -> tuple[ax.HouseRule, list[Diagnostic]]:
    """The document, as much of it as can be read, and everything that is wrong with its form."""
    reading = _Reading(file)
    for part in scan(file, reading.problems, with_data=True):
        match part:
            case Heading(level=1) if not reading.title and reading.section is None:
                reading.title = part.text
            case Heading(level=1):
                hint = "a file holds one house rule; write the other into a file of its own"
                reading.problem("house-title", "this is a second title", part.span, hint)
            case Heading(level=2):
                reading.open(part)
            case Heading() if _section_of(part.text):
                reading.wrong_marks(part.text, part.span)
                reading.open(part)
            case str() if (glued := _GLUED.match(part)) and _section_of(glued["text"]):
                span = line_span(file, part, reading.last_glued)
                reading.last_glued = span.line
                reading.wrong_marks(glued["text"], span)
                reading.open(Heading(2, glued["text"], part, span))
            case Heading():
                reading.prose.append(part.line)
            case sx.Fence(kind=kind) if kind in DATA_KINDS:
                reading.data.append(part)
            case sx.Fence():
                reading.fences.append(part)
                reading.prose.append(f"\x00{len(reading.fences) - 1}")
            case _:
                reading.prose.append(part)
    return reading.finish(), reading.problems


@dataclass(slots=True)
class _Reading:
    """What has been read so far; `section` is the one that is open."""

    file: SourceFile
    problems: list[Diagnostic] = field(default_factory=list)
    title: str = ""
    reason: str = ""
    mentions: tuple[ax.Mention, ...] = ()
    sections: list[ax.Section] = field(default_factory=list)
    section: ax.Section | None = None
    in_front: bool = True
    last_glued: int = 0
    prose: list[str] = field(default_factory=list)
    fences: list[sx.Fence] = field(default_factory=list)
    data: list[sx.Fence] = field(default_factory=list)

    def problem(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.problems.append(Diagnostic(code, message, span, help=help))

    def wrong_marks(self, text: str, span: Span) -> None:
        self.problem("house-heading", "this heading is no section", span,
                     Advice(f"write `## {text}`", fixes.whole(f"## {text}")))  # fmt: skip

    def open(self, heading: Heading) -> None:
        found = _section_of(heading.text)
        if found is None and not self.title and self.in_front:
            self.title = heading.text  # one mistake: the title has a mark too many
            self.problem("house-title", "a house rule begins with its title", heading.span,
                         Advice(f"write `# {heading.text}`", fixes.whole(f"# {heading.text}")))  # fmt: skip
            return
        self.close()
        if found is None:
            word = heading.text.split()[0].rstrip(":") if heading.text.split() else ""
            message = "this heading does not say what is changed"
            near = get_close_matches(word.casefold(), VERBS, n=1)
            plain = _SIGNS.sub("", heading.text)
            hint = meant(near[0], word) if near and word not in VERBS else _FORMS
            hint = Advice(f"write `## {plain}`", fixes.whole(f"## {plain}")) if _section_of(plain) else hint
            self.problem("house-heading", message, heading.span, hint)
            return
        parts = found.groupdict()
        title = (parts["title"] or "").strip()
        self.section = ax.Section(
            parts["verb"], parts["id"], title, parts.get("anchor") or "", span=heading.span
        )
        if not title and self.section.verb == "after":
            self.problem("house-heading", "a new paragraph needs a title", heading.span, _FORMS)

    def close(self) -> None:
        prose = "\n".join(self.prose).strip("\n")
        if self.section is not None:
            self.sections.append(
                self.parsed(
                    replace(self.section, prose=prose, fences=tuple(self.fences), data=tuple(self.data))
                )
            )
        elif self.in_front:
            self.front()
        self.prose, self.fences, self.data, self.section, self.in_front = [], [], [], None, False

    def front(self) -> None:
        """Everything before the first section."""
        self.reason, self.mentions = read_front(self.file, self.prose, self.problems)
        for fence in (*self.fences, *self.data):
            hint = "put a heading such as `## amends 7.2.2` above it"
            self.problem("rules-without-paragraph", "this block stands under no heading", fence.span, hint)

    def parsed(self, section: ax.Section) -> ax.Section:
        """The section with its blocks read."""
        rules: list[sx.Rule] = []
        amends: list[ax.Amend] = []
        examples: list[sx.Example] = []
        for fence in (*section.fences, *section.data):
            if section.verb == "repeals":
                message = f"{section.paragraph} is repealed: there can be no block here"
                hint = Advice(
                    "write `replaces` to put something in its place",
                    fixes.at(section.span, section.span.text.replace("repeals", "replaces")),
                )
                self.problem("house-block", message, fence.span, hint)
            elif fence.kind in DATA_KINDS:
                continue
            elif fence.kind == "example":
                example, found = parse_example(fence.text, self.file, fence.first_line)
                self.add(section, found)
                examples += [example] if example is not None else []
            else:
                for line, text in cut_chunks(fence):
                    if len(self.problems) > MOST_PROBLEMS:
                        break
                    self.chunk(section, line, text, rules, amends)
        self.problems += misplaced_mentions(section)
        self.add(section, stray_rules(section, self.file))
        said = rules or amends or examples or section.data or BLOCK.sub("", section.prose).strip()
        if section.verb == "amends" and not said and not errors(self.problems):
            self.problem("house-empty", f"this says nothing about {section.paragraph}", section.span)
        return replace(section, rules=tuple(rules), amends=tuple(amends), examples=tuple(examples))

    def chunk(
        self, section: ax.Section, line: int, text: str, rules: list[sx.Rule], amends: list[ax.Amend]
    ) -> None:
        code = next((row for row in text.split("\n") if row.strip() and not row.startswith("#")), "")
        thorough = len(self.problems) < THOROUGH_EXPLANATIONS
        word = re.match(r"\s*(\w*)", code)
        first = word[1] if word else ""
        if first in AMEND_WORDS or _FORBID_TOKEN.match(code):
            amend, found = parse_amendment(text, self.file, line, thorough)
            if cell := _CELL.match(code):
                found = [replace(p, help=f"write `set table {cell[1]}[…] = …`") for p in found]
            if amend is not None and section.verb != "amends" and not _is_data(amend):
                message = f"`{first}` changes something that is there; `{section.verb}` writes it anew"
                hint = Advice(
                    f"put it under `## amends {section.paragraph}`", fixes.under_section(section.paragraph)
                )
                self.problem("house-block", message, amend.span, hint)
            elif amend is not None:
                amends.append(amend)
        else:
            rule, found = parse_rule(text, self.file, line, thorough)
            if rule is not None:
                rules.append(rule)
            elif near := get_close_matches(first.casefold(), AMEND_WORDS, n=1, cutoff=0.75):
                found = [replace(p, help=meant(near[0], first)) for p in found]
            else:
                words = ", ".join(AMEND_WORDS)
                found = [replace(p, help=p.help.replace(_ONE_OF, f"{_ONE_OF} {words},")) for p in found]
            found = not_again(self.problems, found)
        self.add(section, found)

    def add(self, section: ax.Section, found: Iterable[Diagnostic]) -> None:
        self.problems += [replace(p, paragraph=f"{section.verb} {section.paragraph}") for p in found]

    def finish(self) -> ax.HouseRule:
        self.close()
        top = Span(self.file, 1, 1, 1, len(self.file.line(1)) + 1)
        if not self.title:
            hint = "write `# Title` in the first line"
            self.problem("house-title", "a house rule begins with its title", top, hint)
        if not self.sections and not self.problems:
            self.problem("house-empty", "this house rule changes nothing", top, _FORMS)
        if len(self.problems) > MOST_PROBLEMS:
            message = "there are so many mistakes above that the rest of this house rule was not read"
            self.problem("too-many-mistakes", message, self.problems[-1].span)
        name = self.file.path.stem
        return ax.HouseRule(
            self.file, name, self.title or name, self.reason, self.mentions, tuple(self.sections),
            span=top,
        )  # fmt: skip


def _section_of(text: str) -> re.Match[str] | None:
    return _ON_OLD.match(text) or _AFTER.match(text)


def _is_data(amend: ax.Amend) -> bool:
    """What may stand under any heading: values that are printed, and steps put into what stands elsewhere."""
    anywhere = ax.SetCell | ax.SetValue | ax.SetBorder | ax.PutStep | ax.LeaveOut | ax.ForbidToken
    return isinstance(amend, anywhere)
