"""Cells of the state that are read again before anything can have changed them are read once.

Works on the finished lines of one function. `s[68 + v]` means the same wherever it stands as long as no
line between writes to that array, calls a procedure or gives `v` another value. Asking for a cell has no
side effects and always a value, so it may be asked for before it is known whether it matters. The same
goes for a few functions that only look, like `neighbours_of(…)`; they cost more, so they are not asked
ahead where perhaps nobody asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_READ = re.compile(r"\bs\[(\d+) \+ ([A-Za-z_]\w*)\]")
_LOOK = re.compile(r"\b(?:neighbours_of|borders_of|occupied|standing_in)\(")
_WRITE = re.compile(r"\bs\[(?:(\d+) \+ )?[^\[\]]*\] (?:[-+|&^]|<<|>>)?=(?!=)")
_ASSIGNED = re.compile(r"^([A-Za-z_]\w*(?:(?:, | = )[A-Za-z_]\w*)*) (?:[-+|&^])?= ")
_CALLS = re.compile(r"\b(?:do|body)_\d+\(|\bm\.(?!fuel|firings|end)")
_SKIPPED = ("elif ", "else:", "while ", "def ")
_PERHAPS = (" and ", " or ", " if ")  # what stands behind these may never be asked for
Find = Callable[[str], list[str]]


@dataclass(slots=True)
class _Group:
    """Readings that all give the same value; the first of them comes before all others."""

    first: int
    depth: int
    lines: list[int] = field(default_factory=list)
    weight: int = 0


def shared_reads(lines: list[str]) -> list[str]:
    """The lines of a function body, with repeated readings named."""
    return _shared(_shared(lines, _looks, "l_"), _cells, "e_")


def _cells(code: str) -> list[str]:
    found = [match.group(0) for match in _READ.finditer(code)]
    if any(word in code for word in _PERHAPS):  # they count half
        return [text for text in dict.fromkeys(found) for _ in range(max(1, found.count(text) // 2))]
    return found


def _looks(code: str) -> list[str]:
    """Whole calls, not those inside others."""
    if any(word in code for word in _PERHAPS):
        return []
    found: list[str] = []
    end = 0
    while (start := _LOOK.search(code, end)) is not None:
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        found.append(code[start.start() : end])
    return found


def _shared(lines: list[str], find: Find, prefix: str) -> list[str]:
    names: dict[int, list[tuple[str, str]]] = {}
    before: dict[int, list[str]] = {}
    count = 0
    for text, group in _groups(lines, find):
        if group.weight < 2:
            continue
        count += 1
        before.setdefault(group.first, []).append(f"{'    ' * group.depth}{prefix}{count} = {text}")
        for number in group.lines:
            names.setdefault(number, []).append((text, f"{prefix}{count}"))
    out: list[str] = []
    for number, line in enumerate(lines):
        for text, name in names.get(number, ()):
            line = line.replace(text, name)
        out += [*before.get(number, ()), line]
    return out


def _groups(lines: list[str], find: Find) -> list[tuple[str, _Group]]:
    known: dict[str, _Group] = {}
    found: list[tuple[str, _Group]] = []
    for number, line in enumerate(lines):
        code = line.lstrip(" ")
        depth = (len(line) - len(code)) // 4
        for text in [text for text, group in known.items() if group.depth > depth]:
            del known[text]
        if not code.startswith(_SKIPPED) and not _WRITE.search(code):
            for text in find(code):
                group = known.get(text)
                if group is None:
                    group = known[text] = _Group(number, depth)
                    found.append((text, group))
                if number not in group.lines:
                    group.lines.append(number)
                group.weight += 1
        if code.startswith(("for ", "while ")) or _CALLS.search(code):
            known.clear()
        else:
            _forget(known, code)
    return found


def _forget(known: dict[str, _Group], code: str) -> None:
    """Drop what a line may change."""
    for write in _WRITE.finditer(code):
        base = write.group(1)
        for text in [*known]:
            if base is None or not text.startswith("s[") or text.startswith(f"s[{base} +"):
                del known[text]
    assigned = _ASSIGNED.match(code)
    if assigned is not None:
        names = set(re.findall(r"\w+", assigned.group(1)))
        for text in [*known]:
            if names & set(re.findall(r"[A-Za-z_]\w*", text)):
                del known[text]
