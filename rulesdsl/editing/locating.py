"""Where the cursor is: in which block and statement of a chapter, under which heading."""

from __future__ import annotations

import re

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.parsing.chunks import CONTINUES
from rulesdsl.language.parsing.markdown import NUMBER

_FENCE = re.compile(r" {0,3}(?:```+|~~~+)\s*(\w*)\s*$")
_HEADING = re.compile(
    rf"#{{1,6}}\s+(?:(?:amends|replaces|repeals)\s+|after\s+\S+(?:\s+\d+)?\s*(?:→|->)\s*)?(?P<id>{NUMBER})(?![\w.])"
)
AMENDING = ("set", "replace", "repeal")


@dataclass(frozen=True, slots=True)
class Spot:
    """`block` is `rules`, `example` or empty; `first` the line of the statement, `before` its text up to the
    cursor without the word there, `word` as much of that as is typed."""

    block: str
    paragraph: str
    first: int
    before: str
    word: str
    line: str  # of the cursor, up to it
    behind: str  # the rest of the statement


def spot(text: str, line: int, column: int) -> Spot:
    """Line and column are counted from 1."""
    lines = text.split("\n")
    here = lines[line - 1][: column - 1] if line <= len(lines) else ""
    kind, opened = "", 0
    paragraph = ""
    for number, row in enumerate(lines[: line - 1], 1):
        if fence := _FENCE.match(row):
            kind, opened = ("", 0) if kind else (fence[1] or "text", number)
        elif not kind and (heading := _HEADING.match(row)):
            paragraph = heading["id"]
    block = kind if kind in ("rules", "example") else ""
    first = opened + 1 if block else line
    if block == "rules":
        for number in range(line, opened, -1):
            row = lines[number - 1] if number < line else here
            if row.strip() and not row[0].isspace() and not row.startswith("#") and not CONTINUES.match(row):
                first = number
                break
    word = re.search(r"[A-Za-z_]\w*$", here)
    typed = word[0] if word else ""
    before = "\n".join([*lines[first - 1 : line - 1], here[: len(here) - len(typed)]])
    return Spot(block, paragraph, first, before, typed, here, _behind(lines, line, column, block))


def _behind(lines: list[str], line: int, column: int, block: str) -> str:
    """What of the statement stands after a place and the word there."""
    rest = re.sub(r"^\w*", "", lines[line - 1][column - 1 :]) if line <= len(lines) else ""
    found = [rest]
    for row in lines[line:] if block else ():
        if _FENCE.match(row) or (block == "rules" and row[:1].strip() and not CONTINUES.match(row)):
            break
        found.append(row)
    return "\n".join(found)
