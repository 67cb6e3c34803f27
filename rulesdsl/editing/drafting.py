"""New text for an author to go on from: a house rule, an example, a change made into a house rule."""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.base.fixes import Edit, Fix
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import GameSource
from rulesdsl.editing.desk import Desk
from rulesdsl.house.differences.rule_diff import statement_pairs
from rulesdsl.house.reading.documents import BLOCK
from rulesdsl.house.resolving.statements import declared
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.printing.printer import print_rule

_MOST_STATEMENTS = 3
TO_DO = "say here why"


def slug(title: str) -> str:
    """The name of the file of a house rule."""
    words = re.findall(r"[a-z0-9]+", title.casefold())
    return "_".join(words) or "house_rule"


def new_house_rule(source: GameSource, title: str, amend: str = "", after: str = "") -> str:
    """A whole file: reason, section, statements of the paragraph, an example that fails."""
    paragraphs = {p.id: p for chapter in source.chapters for p in chapter.paragraphs}
    number = amend or after
    if number not in paragraphs:
        hint = did_you_mean(number, paragraphs) or "see `rulesdsl rule`"
        raise UsageError(f'there is no paragraph "{number}" ({hint})')
    paragraph = paragraphs[number]
    head = f"# {title}\n{TO_DO}.\n\n"
    if after:
        new = free_number(number, paragraphs)
        said = "Say here what the new rule is.\n```rules\n# a statement\n```\n"
        body = f"## after {number} → {new} {title}\n{said}"
        return head + body + _example()
    rules = paragraph.rules[:_MOST_STATEMENTS]
    told = re.sub(r"\n{2,}", "\n", BLOCK.sub("", paragraph.prose)).strip()
    quoted = "".join(f"> {line}\n" for line in told.split("\n")) if told else ""
    if not rules:
        return f"{head}## amends {number}\n{quoted}Say here what is different.\n{_example()}"
    block = "\n".join(print_rule(rule).rstrip() for rule in rules if declared(rule) is not None)
    block = block or "\n".join(f"# {line}" for line in print_rule(rules[0]).rstrip().split("\n"))
    return (
        f"{head}## amends {number}\n{quoted}Say here what is different, and change the statements below.\n"
        f"```rules\n{block}\n```\n{_example()}"
    )


def free_number(number: str, taken: dict[str, sx.Paragraph]) -> str:
    """A number after another one that nobody has."""
    for letter in "abcdefghijklmnopqrstuvwxyz":
        if f"{number}{letter}" not in taken:
            return f"{number}{letter}"
    raise UsageError(f"{number} has 26 paragraphs after it already")


def _example() -> str:
    """An example that cannot hold: who starts must say what he expects."""
    remark = "# say what is given, what happens and what is expected; this one fails on purpose"
    return f"```example\n{remark}\nexpect: 1 = 2\n```\n"


def as_house_rule(desk: Desk, path: Path, title: str) -> tuple[str, str]:
    """The changes that are typed in a chapter as a house rule, and the chapter as it was before."""
    most = DEFAULT.rule_file_bytes
    before = read_source(path, most).text
    old, _ = parse_chapter(SourceFile(path, before))
    new, problems = parse_chapter(SourceFile(path, desk.text(path)))
    if problems:
        raise UsageError("the chapter cannot be read as it is now: repair it first")
    earlier = {paragraph.id: paragraph for paragraph in old.paragraphs}
    sections: list[str] = []
    for paragraph in new.paragraphs:
        was = earlier.get(paragraph.id)
        if was is None:
            raise UsageError(f"{paragraph.id} is a new paragraph: write it into a house rule with `## after`")
        lines = []
        for one, other in statement_pairs(was.rules, paragraph.rules):
            if other is not None:
                lines.append(print_rule(other).rstrip())
            elif one is not None:
                name = declared(one)
                lines.append(f"repeal {name[1]}" if name else f"repeal {print_rule(one).split(chr(10))[0]}")
        if lines:
            block = "\n".join(lines)
            sections.append(
                f"## amends {paragraph.id}\nSay here what is different.\n```rules\n{block}\n```\n"
            )
    if not sections:
        raise UsageError("no statement of this chapter differs from the file")
    return f"# {title}\n{TO_DO}.\n\n" + "\n".join(sections), before


def changed_chapter(desk: Desk, path: Path) -> bool:
    """Whether a chapter says something else than its file."""
    if path.suffix != ".md" or not desk.owns(path) or not path.is_file():
        return False
    return read_source(path, DEFAULT.rule_file_bytes).text != desk.text(path)


def example_below(desk: Desk, path: Path, line: int) -> Fix | None:
    """An example under the block in which a line stands."""
    lines = desk.text(path).split("\n")
    end = next((n for n in range(line, len(lines)) if lines[n].startswith("```")), None)
    if end is None:
        return None
    file = SourceFile(path, desk.text(path))
    column = len(lines[end]) + 1
    place = Span(file, end + 1, column, end + 1, column)
    text = "\n```example\nexpect: 1 = 2\n```"
    return Fix("add an example", (Edit(place, text),))


def below_block(desk: Desk, path: Path, line: int, text: str) -> Edit | None:
    """A block under the one in which a line stands."""
    fix = example_below(desk, path, line)
    return Edit(fix.edits[0].span, f"\n```example\n{text}\n```") if fix is not None else None


def second_face(desk: Desk, path: Path, line: int) -> Fix | None:
    """A counter with one face gets the other one, to be changed."""
    text = desk.text(path).split("\n")
    row = text[line - 1] if line <= len(text) else ""
    found = re.search(r"faces: \[(\{[^{}\]]*\})\]", row)
    if path.name != "pieces.yaml" or found is None:
        return None
    file = SourceFile(path, desk.text(path))
    place = Span(file, line, found.end(1) + 1, line, found.end(1) + 1)
    return Fix("add a second face", (Edit(place, f", {found[1]}"),))
