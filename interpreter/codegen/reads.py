"""Cells of the state that are read again before anything can have changed them are read once.

Works on the finished lines of one function. `s[68 + v]` means the same wherever it stands as long as no
line between writes to that array, calls a procedure or gives `v` another value. Asking for a cell has no
side effects and always a value, so it may be asked for before it is known whether it matters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_READ = re.compile(r"\bs\[(\d+) \+ ([A-Za-z_]\w*)\]")
_WRITE = re.compile(r"\bs\[(?:(\d+) \+ )?[^\[\]]*\] (?:[-+|&^]|<<|>>)?=(?!=)")
_ASSIGNED = re.compile(r"^([A-Za-z_]\w*(?:(?:, | = )[A-Za-z_]\w*)*) (?:[-+|&^])?= ")
_CALLS = re.compile(r"\b(?:do|body)_\d+\(|\bm\.(?!fuel|firings|end)")
_SKIPPED = ("elif ", "else:", "while ", "def ")


@dataclass(slots=True)
class _Group:
    """Readings of one cell that all give the same value; the first of them comes before all others."""

    first: int
    depth: int
    lines: list[int] = field(default_factory=list)
    weight: int = 0


def shared_reads(lines: list[str]) -> list[str]:
    """The lines of a function body, with repeated readings named."""
    groups = _groups(lines)
    names: dict[int, list[tuple[str, str]]] = {}
    before: dict[int, list[str]] = {}
    count = 0
    for text, group in groups:
        if group.weight < 2:
            continue
        count += 1
        before.setdefault(group.first, []).append(f"{'    ' * group.depth}e_{count} = {text}")
        for number in group.lines:
            names.setdefault(number, []).append((text, f"e_{count}"))
    out: list[str] = []
    for number, line in enumerate(lines):
        for text, name in names.get(number, ()):
            line = line.replace(text, name)
        out += [*before.get(number, ()), line]
    return out


def _groups(lines: list[str]) -> list[tuple[str, _Group]]:
    known: dict[str, _Group] = {}
    found: list[tuple[str, _Group]] = []
    for number, line in enumerate(lines):
        code = line.lstrip(" ")
        depth = (len(line) - len(code)) // 4
        for text in [text for text, group in known.items() if group.depth > depth]:
            del known[text]
        loop = code.startswith(("for ", "while "))
        if not code.startswith(_SKIPPED) and not _WRITE.search(code):
            reads = [match.group(0) for match in _READ.finditer(code)]
            # what stands behind `and`, `or`, `if` may never be asked for: it counts less
            doubtful = any(word in code for word in (" and ", " or ", " if "))
            for text in dict.fromkeys(reads):
                group = known.get(text)
                if group is None:
                    group = known[text] = _Group(number, depth)
                    found.append((text, group))
                group.lines.append(number)
                times = reads.count(text)
                group.weight += max(1, times // 2) if doubtful and times > 1 else times
        if loop or _CALLS.search(code):
            known.clear()
        else:
            _forget(known, code)
    return found


def _forget(known: dict[str, _Group], code: str) -> None:
    """Drop what a line may change."""
    for write in _WRITE.finditer(code):
        base = write.group(1)
        for text in [text for text in known if base is None or text.startswith(f"s[{base} +")]:
            del known[text]
    assigned = _ASSIGNED.match(code)
    if assigned is not None:
        names = re.findall(r"\w+", assigned.group(1))
        for text in [text for text in known if text.rsplit(" ", 1)[1][:-1] in names]:
            del known[text]
