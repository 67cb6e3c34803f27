"""Two house rules that clash, and a third one that has both: it says anew what they dispute."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from rulesdsl.base.diagnostics import RulebookError, UsageError, errors
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource
from rulesdsl.house.bringing import with_new_things
from rulesdsl.house.edits import Edit
from rulesdsl.house.numbering import numbered
from rulesdsl.house.own_names import with_own_names
from rulesdsl.house.reading.documents import read_house_rule
from rulesdsl.house.resolving.sections import resolve
from rulesdsl.house.resolving.statements import declared
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_rule


@dataclass(frozen=True, slots=True)
class Merged:
    """The text of the third house rule, and how many places an author must still decide."""

    text: str
    settled: int
    open: int


def merged_rule(source: GameSource, files: Sequence[SourceFile], title: str = "") -> Merged:
    """What two house rules both want. Raises `UsageError` when they do not clash, or cannot be merged."""
    rules = []
    for file in files:
        rule, problems = read_house_rule(file)
        if errors(problems):
            raise RulebookError(problems)
        rules.append(rule)
    rules = with_own_names(source, numbered(source, rules))
    source, _, problems = with_new_things(source, rules)
    edits, found = resolve(source, rules)
    problems += found
    if errors(problems):
        raise RulebookError(problems)
    pairs = [(one, other) for one in edits for other in edits if _clash(one, other, rules[0])]
    if not pairs:
        raise UsageError("these two do not clash: name both with --house")
    sections: dict[str, list[str]] = {}
    counts = [0, 0]
    for one, other in pairs:
        if {one.section.verb, other.section.verb} != {"amends"}:
            what = f"{one.section.verb} and {other.section.verb} {one.section.paragraph}"
            raise UsageError(f"{what} cannot be merged: give one of the paragraphs another number")
        text, is_open = _both(source, one, other)
        counts[is_open] += 1
        sections.setdefault(one.section.paragraph, []).append(text)
    names = ", ".join(rule.name for rule in rules)
    lead = "Both house rules change this; here is what holds."
    joined = {number: "\n".join(texts) for number, texts in sections.items()}
    blocks = [f"## amends {number}\n{lead}\n```rules\n{text}\n```\n" for number, text in joined.items()]
    heading = title or " and ".join(rule.title for rule in rules)
    front = (
        f"# {heading}\nBoth at once: {' and '.join(rule.title for rule in rules)}.\n\nrequires: {names}\n\n"
    )
    return Merged(front + "\n".join(blocks), *counts)


def _clash(one: Edit, other: Edit, first: object) -> bool:
    if one.rule is other.rule or one.rule is not first:
        return False
    if one.region is not None and other.region is not None:
        return one.region.overlaps(other.region)
    if one.keys & other.keys:
        return True
    wholes = [{key[:3] for key in edit.keys if key[0] == "name"} for edit in (one, other)]
    return bool(wholes[0] & other.keys or wholes[1] & one.keys)  # a part of something, and the whole of it


def _both(source: GameSource, one: Edit, other: Edit) -> tuple[str, bool]:
    """One text for both; the second version in remarks where the lines themselves dispute."""
    left, right = _text(one), _text(other)
    base = _printed(source, one)
    if base:
        lines = three_way(base.split("\n"), left.split("\n"), right.split("\n"))
        if lines is not None:
            return "\n".join(lines), False
    said = "\n".join(f"#   {line}" for line in right.split("\n"))
    return f"# “{other.rule.title}” has it so:\n{said}\n{left}", True


def _text(edit: Edit) -> str:
    rule = next((rule for rule in edit.section.rules if rule.span == edit.span), None)
    if rule is not None:
        return print_rule(rule).rstrip()
    span = edit.span
    last = max(
        span.line, span.end_line - (span.end_column <= 1)
    )  # up to the start of a line is not that line
    return "\n".join(span.file.lines[span.line - 1 : last]).rstrip()


def _printed(source: GameSource, edit: Edit) -> str:
    """The statement as it is printed."""
    rule = next((rule for rule in edit.section.rules if rule.span == edit.span), None)
    name = declared(rule) if isinstance(rule, sx.Rule) else None
    for chapter in source.chapters:
        for paragraph in chapter.paragraphs:
            for printed in paragraph.rules:
                if name is not None and declared(printed) == name:
                    return print_rule(printed).rstrip()
    return ""


def three_way(base: list[str], left: list[str], right: list[str]) -> list[str] | None:
    """Both changes of a text, or None where they touch the same lines."""
    changes = []
    for side in (left, right):
        for tag, start, end, first, last in SequenceMatcher(None, base, side, autojunk=False).get_opcodes():
            if tag != "equal":
                changes.append((start, end, side[first:last]))
    changes.sort(key=lambda change: (change[0], change[1]))
    for (begin, end, _), (start, last, _) in pairwise(changes):
        added = begin == end or start == last  # of two that add lines side by side, which comes first?
        if start < end or (start == end and added):
            return None
    merged: list[str] = []
    at = 0
    for start, end, lines in changes:
        merged += [*base[at:start], *lines]
        at = end
    return merged + base[at:]
