"""How a long line is broken: at its outermost joints first, and no oftener than needed.

The language lets a line go on after `=` and `,`, before `and`, `or`, `when`, `where`, `that`, `until` and
`despite`, and anywhere inside brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WIDTH = 100
INDENT = 4
SHORT_HEAD = 20  # `+1` alone on a line before its `when` looks lost
_JOINT = re.compile(
    r"""(?P<text>"[^"]*") | (?P<open>[(\[]) | (?P<close>[)\]])
      | (?P<comma>(?<=,)[ ]) | (?P<equals>(?<==)[ ]) | (?P<between>between\b)
      | (?P<clause>(?<!possible)[ ]+(?=when\b|despite\b|or[ ]"|until[ ]"))
      | [ ]+(?=(?P<word>and|or|where|that)\b)""",
    re.VERBOSE,
)
_OUTER = ("clause", "or", "and", "where", "comma")
_INNER = ("comma", "or", "and", "where")


@dataclass(frozen=True, slots=True)
class _Joint:
    """A place where a row may end (`start`) and the next begin (`end`); low ranks break first."""

    start: int
    end: int
    rank: int
    depth: int


def line(text: str, depth: int, opens: bool = False) -> str:
    """One line at a depth of blocks. What continues it stands deeper than the block it `opens`."""
    indent = INDENT * depth
    if indent + len(text) <= WIDTH:
        return " " * indent + text
    further = indent + INDENT * (2 if opens else 1)
    return "\n".join(_fill(text, _joints(text), 0, indent, further))


def _joints(text: str) -> list[_Joint]:
    found: list[_Joint] = []
    depth = 0
    defines, pairs = text.startswith("define "), list[int]()
    for joint in _JOINT.finditer(text):
        kind = joint["word"] or joint.lastgroup or ""
        kind = "where" if kind == "that" else kind
        depth += (kind == "open") - (kind == "close")
        match kind:
            case "between":
                pairs.append(depth)
            case "and" if pairs and pairs[-1] == depth:  # `between here and there` stays together
                pairs.pop()
                continue
            case "equals" if defines and depth == 0:
                kind, defines = "clause", False
            case "clause" if depth:
                kind = "or"
            case "clause" if joint.start() < SHORT_HEAD:
                kind = "and"
        if depth == 0 and kind in _OUTER:
            found.append(_Joint(joint.start(), joint.end(), _OUTER.index(kind), 0))
        elif depth and kind in _INNER:
            rank = len(_OUTER) + len(_INNER) * (depth - 1) + _INNER.index(kind)
            found.append(_Joint(joint.start(), joint.end(), rank, depth))
    return found


def _fill(text: str, joints: list[_Joint], start: int, indent: int, further: int) -> list[str]:
    """The rows of `text` from `start`, broken at the joints of the lowest rank, at others only if needed."""
    rank = min((j.rank for j in joints), default=-1)
    if rank < 0 or indent + len(text) - start <= WIDTH:
        return [" " * indent + text[start:].rstrip()]
    rows: list[str] = []
    joined = True  # whether the last part took one row, so that the next may stand beside it
    cuts = [j for j in joints if j.rank == rank]
    for here, there in zip([None, *cuts], [*cuts, None], strict=True):
        begin, end = here.end if here else start, there.start if there else len(text)
        inside = [j for j in joints if begin <= j.start < end]
        if rows and joined and len(rows[-1]) + 1 + end - begin <= WIDTH:
            rows[-1] += f" {text[begin:end]}"
            continue
        column = further + INDENT * here.depth if here else indent
        part = _fill(text[:end], inside, begin, column, further)
        joined = len(part) == 1
        rows += part
    return rows
