"""How large one statement may be: reading it takes no time, and no walker of its tree falls over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.suggestions import words_of

if TYPE_CHECKING:
    from lark import Tree

MOST_CHARACTERS = 40_000
MOST_IN_A_LINE = 4_000
MOST_DIGITS = 15
_LONG_NUMBER = re.compile(rf"\d{{{MOST_DIGITS + 1}}}")


def too_large(text: str, file: SourceFile, line: int) -> Diagnostic | None:
    """What can be seen before reading: length, brackets, indentation, digits."""
    if len(text) > MOST_IN_A_LINE:
        if len(text) > MOST_CHARACTERS:
            message = f"this statement has more than {MOST_CHARACTERS:,} characters"
            return Diagnostic("too-long", message, Span(file, line, 1, line, 2))
        for row, content in enumerate(text.split("\n")):
            if len(content) > MOST_IN_A_LINE:
                message = f"this line has more than {MOST_IN_A_LINE:,} characters"
                return Diagnostic("too-long", message, Span(file, line + row, 1, line + row, 2))
    if deep := re.search(rf"^[ \t]{{{4 * DEFAULT.language_nesting + 1},}}\S", text, re.MULTILINE):
        return _too_deep(text, deep.end() - 1, file, line)
    if _LONG_NUMBER.search(text) or text.count("(") + text.count("[") > DEFAULT.language_nesting:
        return _brackets_and_digits(text, file, line)
    return None


def too_deep(tree: Tree[Any], file: SourceFile, line: int) -> Diagnostic | None:
    """What only the parse tree shows: long chains such as `a.b.c` or `not not not`."""
    level, most = [tree], 2 * DEFAULT.language_nesting  # a bracket or a block makes up to two
    for _ in range(most):
        level = [child for node in level for child in node.children if hasattr(child, "children")]
        if not level:
            return None
    row = getattr(level[0].meta, "line", 1) + line - 1
    column = getattr(level[0].meta, "column", 1)
    message = f"more than {most} things inside each other"
    return Diagnostic("too-deep", message, Span(file, row, column, row, column + 1))


def _brackets_and_digits(text: str, file: SourceFile, line: int) -> Diagnostic | None:
    depth = 0
    for word in words_of(text):
        depth += (word.text in ("(", "[")) - (word.text in (")", "]"))
        if depth > DEFAULT.language_nesting:
            return _too_deep(text, word.start, file, line)
        if word.text.isdigit() and len(word.text) > MOST_DIGITS:
            span = _place(text, word.start, file, line, len(word.text))
            return Diagnostic("too-long", f"a number has at most {MOST_DIGITS} digits", span)
    return None


def _too_deep(text: str, start: int, file: SourceFile, line: int) -> Diagnostic:
    message = f"more than {DEFAULT.language_nesting} levels of nesting"
    return Diagnostic("too-deep", message, _place(text, start, file, line))


def _place(text: str, start: int, file: SourceFile, line: int, width: int = 1) -> Span:
    row = line + text.count("\n", 0, start)
    column = start - text.rfind("\n", 0, start)
    return Span(file, row, column, row, column + width)
