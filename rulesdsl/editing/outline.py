"""A file at a glance: paragraphs and what they declare; what can be folded; the usual layout."""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.editing.desk import Desk
from rulesdsl.house.resolving.statements import declared, subject
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.chunks import cut_chunks
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.printing.formatter import format_chapter

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_KEY = re.compile(r"( *)(?:- )?(\"?[\w./ -]+\"?):")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an outline, with what is inside of it; lines are counted from 1."""

    name: str
    kind: str
    first: int
    last: int
    inside: tuple[Entry, ...] = ()


def outline(desk: Desk, path: Path) -> list[Entry]:
    """The paragraphs of a chapter with their statements, sections of a house rule, keys of a data file."""
    text = desk.text(path)
    if path.suffix == ".yaml":
        return _of_yaml(text)
    return _of_markdown(SourceFile(path, text))


def _of_markdown(file: SourceFile) -> list[Entry]:
    """Headings nest by their marks."""
    statements = _statements(file)
    heads = [
        (n, len(found[1]), found[2])
        for n, line in _outside_of_fences(file.lines)
        if (found := _HEADING.match(line))
    ]
    flat: list[tuple[int, Entry]] = []
    for index, (number, level, title) in enumerate(heads):
        last = next((n - 1 for n, other, _ in heads[index + 1 :] if other <= level), len(file.lines))
        own_last = heads[index + 1][0] - 1 if index + 1 < len(heads) else len(file.lines)
        own = tuple(one for one in statements if number < one.first <= own_last)
        flat.append((level, Entry(title, "paragraph", number, last, own)))
    return _nested(flat)


def _nested(flat: list[tuple[int, Entry]]) -> list[Entry]:
    found: list[Entry] = []
    while flat:
        level, head = flat.pop(0)
        below: list[tuple[int, Entry]] = []
        while flat and flat[0][0] > level:
            below.append(flat.pop(0))
        inside = (*head.inside, *_nested(below))
        found.append(Entry(head.name, head.kind, head.first, head.last, inside))
    return found


def _outside_of_fences(lines: list[str]) -> list[tuple[int, str]]:
    found, inside = [], False
    for number, line in enumerate(lines, 1):
        if line.startswith(("```", "~~~")):
            inside = not inside
        elif not inside:
            found.append((number, line))
    return found


def _statements(file: SourceFile) -> list[Entry]:
    """Everything that stands in blocks, by its name or what it is about."""
    found: list[Entry] = []
    chapter, _ = parse_chapter(file)
    known = {rule.span.line: rule for p in chapter.paragraphs for rule in p.rules}
    for kind, first, text in fences(file):
        if kind == "example":
            found.append(Entry("example", "example", first - 1, first + text.count("\n")))
            continue
        for line, chunk in cut_chunks(sx.Fence("rules", text, first)):
            rows = chunk.rstrip().split("\n")
            start = next((n for n, row in enumerate(rows) if row.strip() and not row.startswith("#")), 0)
            rule = known.get(line + start)
            name = (
                ((declared(rule) or ("", ""))[1] or subject(rule)) if rule is not None else rows[start][:50]
            )
            what = type(rule).__name__.lower() if rule is not None else "statement"
            found.append(Entry(name, what, line + start, line + len(rows) - 1))
    return found


def fences(file: SourceFile) -> list[tuple[str, int, str]]:
    """(kind, first line of the text, text) of every block of ours."""
    found: list[tuple[str, int, str]] = []
    kind, start = "", 0
    for number, line in enumerate(file.lines, 1):
        opened = re.match(r" {0,3}(?:```+|~~~+)\s*(\w*)\s*$", line)
        if opened and kind:
            if kind in ("rules", "example"):
                found.append((kind, start, "\n".join(file.lines[start - 1 : number - 1])))
            kind = ""
        elif opened:
            kind, start = opened[1] or "text", number + 1
    return found


def _of_yaml(text: str) -> list[Entry]:
    lines = text.split("\n")
    heads = [
        (n, len(found[1]), found[2].strip('"'))
        for n, line in enumerate(lines, 1)
        if (found := _KEY.match(line))
    ]
    tops = [(n, name) for n, indent, name in heads if indent == 0]
    entries: list[Entry] = []
    for index, (number, name) in enumerate(tops):
        last = tops[index + 1][0] - 1 if index + 1 < len(tops) else len(lines)
        inside = tuple(_item(lines, n) for n, indent, _ in heads if number < n <= last and indent <= 4)
        entries.append(Entry(name, "key", number, last, inside[:500]))
    return entries


def _item(lines: list[str], number: int) -> Entry:
    line = lines[number - 1].strip()
    named = re.search(r"\bid: ([\w{}]+)", line)
    key = _KEY.match(line)
    return Entry(named[1] if named else (key[2].strip('"') if key else line[:30]), "item", number, number)


def folds(desk: Desk, path: Path) -> list[tuple[int, int, str]]:
    """(first line, last line, kind) of what can be folded."""

    def inside(entries: list[Entry] | tuple[Entry, ...]) -> list[tuple[int, int, str]]:
        found = []
        for one in entries:
            found += [(one.first, one.last, one.kind)] if one.last > one.first else []
            found += inside(one.inside)
        return found

    file = SourceFile(path, desk.text(path))
    blocks = [(first - 1, first + text.count("\n") + 1, kind) for kind, first, text in fences(file)]
    return sorted({*inside(outline(desk, path)), *(blocks if path.suffix == ".md" else ())})


def formatted(desk: Desk, path: Path) -> str:
    """The file in the usual layout; statements that cannot be read stay as they are, data as well."""
    text = desk.text(path)
    return format_chapter(SourceFile(path, text), []) if path.suffix == ".md" else text
