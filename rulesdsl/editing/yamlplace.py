"""Where the cursor is in a data file that is being typed: under which keys, and at a key or at a value.

The file need not be readable at the moment. Lines count by their indentation; what stands in brackets is read
from the line on which the outermost bracket was opened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulesdsl.base.lightclass import dataclass

_LINE = re.compile(
    r'(?P<indent>\s*)(?P<dash>(?:-\s+)*)(?:(?:"(?P<quoted>[^"]*)"|(?P<plain>[\w.+/~\-]+)):(?:\s+|$))?'
)
_OPEN, _CLOSE = "{[", "}]"


@dataclass(frozen=True, slots=True)
class Place:
    """`path`: the keys, outermost first, without the places in lists; `key`: a key stands here, not a value;
    `given`: what the same mapping says before the cursor; `typed`: as much of the word as is there."""

    path: tuple[str, ...]
    key: bool
    given: dict[str, str]
    typed: str
    line: int


@dataclass(slots=True)
class _Bracket:
    sign: str
    key: str
    given: dict[str, str]


def place_in(lines: Sequence[str], line: int, column: int) -> Place:
    """Line and column are counted from 1."""
    here = lines[line - 1][: column - 1] if line <= len(lines) else ""
    begun = _begun(lines, line)
    text = "\n".join([*lines[begun - 1 : line - 1], here])
    head = _LINE.match(text)
    assert head is not None
    typed = re.search(r"\w*$", here)
    word = typed[0] if typed else ""
    indent = len(head["indent"]) + len(head["dash"])
    path = _keys_above(lines, begun, indent if text.strip() else max(indent, column - 1))
    given = _beside(lines, begun, indent)
    own = head["quoted"] or head["plain"] or ""
    if own:
        path = [*path, own]
    brackets = _brackets(text[head.end() :])
    if not brackets:
        return Place(tuple(path), not own, given, word, line)
    for bracket in brackets[:-1]:
        path += [bracket.key] if bracket.key else []
    last = brackets[-1]
    at_key = last.sign == "{" and not last.key
    path += [last.key] if last.sign == "{" and last.key else []
    return Place(tuple(path), at_key, last.given, word, line)


def _begun(lines: Sequence[str], line: int) -> int:
    """The line on which the outermost bracket around a line was opened; the line itself outside of any."""
    top = next(
        (
            n
            for n in range(line, 0, -1)
            if n <= len(lines) and lines[n - 1][:1].strip() and lines[n - 1][0] != "#"
        ),
        1,
    )
    depth, begun = 0, top
    for number in range(top, line + 1):
        if depth <= 0:
            depth, begun = 0, number
        row = re.sub(r'"[^"]*"|\s#.*$', "", lines[number - 1]) if number <= len(lines) else ""
        depth += sum(row.count(sign) for sign in _OPEN) - sum(row.count(sign) for sign in _CLOSE)
    return begun


def _keys_above(lines: Sequence[str], line: int, indent: int) -> list[str]:
    """The keys under which a line stands, outermost first."""
    keys: list[str] = []
    for row in reversed(lines[: line - 1]):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        head = _LINE.match(row)
        assert head is not None
        dash, own = len(head["indent"]), len(head["indent"]) + len(head["dash"])
        word = head["quoted"] or head["plain"]
        if word and own < indent:
            keys.insert(0, word)
            indent = own
        if head["dash"] and dash < indent:
            indent = dash + 1 if not keys or own >= indent else dash  # a list may stand as deep as its key
        if indent <= 0:
            break
    return keys


def _beside(lines: Sequence[str], line: int, indent: int) -> dict[str, str]:
    """What the mapping by lines says above a line."""
    found: dict[str, str] = {}
    for row in reversed(lines[: line - 1]):
        head = _LINE.match(row)
        assert head is not None
        own = len(head["indent"]) + len(head["dash"])
        if row.strip() and own < indent:
            break
        word = head["quoted"] or head["plain"]
        if word and own == indent:
            found.setdefault(word, row[head.end() :].strip().strip('"'))
        if head["dash"] and own == indent:
            break
    return found


def _brackets(text: str) -> list[_Bracket]:
    """The brackets that are open at the end of a text, outermost first."""
    found: list[_Bracket] = []
    word, quoted = "", ""
    for number, sign in enumerate(text):
        if quoted:
            if sign == quoted:
                quoted = ""
            else:
                word += sign
        elif sign in "\"'" and not word.strip():
            quoted = sign
        elif sign in _OPEN:
            found.append(_Bracket(sign, "", {}))
            word = ""
        elif sign in _CLOSE:
            if found:
                found.pop()
            word = ""
        elif not found:
            continue
        elif (
            sign == ":"
            and found[-1].sign == "{"
            and not found[-1].key
            and text[number + 1 : number + 2] in (" ", "")
        ):
            found[-1].key, word = word.strip(), ""
        elif sign == ",":
            if found[-1].sign == "{":
                found[-1].given[found[-1].key] = word.strip()
                found[-1].key = ""
            word = ""
        else:
            word += sign
    return found
