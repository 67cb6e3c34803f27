"""What lark says when it cannot go on, turned into what an author wants to hear."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.diagnostics import Diagnostic, did_you_mean
from rulesdsl.source import SourceFile, Span

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

STATEMENT_WORDS = (
    "enum", "scale", "space", "border", "piece", "player", "group", "track", "record", "define",
    "quantity", "modify", "action", "forbid", "allow", "stop", "must", "route", "phase", "procedure",
    "after", "window", "token", "reading", "option", "parameter",
)  # fmt: skip
WORDS = {
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "NAME": "a name", "INT": "a number", "STRING": "a text in quotes", "LPAR": '"("', "RPAR": '")"',
    "COLON": '":"', "EQUAL": '"="', "COMMA": '","', "DOT": '"."', "$END": "the end of the rule",
    "DICE": "dice such as 1d6", "RULE_NUMBER": "a paragraph number", "COMPARE": "a comparison",
    "LSQB": '"["', "RSQB": '"]"', "PLUS": '"+"', "MINUS": '"-"', "RATIO": "a ratio such as 3:1",
}  # fmt: skip


def explain_syntax_error(error: UnexpectedInput, text: str, file: SourceFile, line: int) -> Diagnostic:
    """A diagnostic at the word lark stumbled over, or just after the last word when something is missing."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    row, column, found = max(1, error.line), max(1, error.column), ""
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken):
        found = str(error.token)
        expected = set(error.accepts or error.expected)
        if error.token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
            return _at_line_end(error.token.type, text, file, line, row, expected)
    elif isinstance(error, UnexpectedCharacters):
        rest = text.split("\n")[row - 1][column - 1 :] if row <= text.count("\n") + 1 else ""
        word = re.match(r"\w+|\W", rest)
        found = word[0] if word else rest[:1]
        expected = set(error.allowed or ())
    first = found.split("\n")[0].strip() or "this"
    span = Span(file, line + row - 1, column, line + row - 1, column + max(1, len(first)))
    help_text = _suggestion(first, expected, column == 1)
    return Diagnostic("syntax", f'"{first}" cannot stand here', span, help=help_text)


def _at_line_end(
    kind: str, text: str, file: SourceFile, line: int, row: int, expected: set[str]
) -> Diagnostic:
    lines = text.split("\n")
    row = min(row, len(lines))
    while row > 1 and not lines[row - 1].strip():
        row -= 1
    if kind == "_INDENT":
        row = min(row + 1, len(lines))
        span = Span(file, line + row - 1, 1, line + row - 1, 2)
        return Diagnostic("syntax", "this line is indented, but the line above opens no block", span)
    content = lines[row - 1].split("#")[0].rstrip()
    column = len(content) + 1
    span = Span(file, line + row - 1, column, line + row - 1, column + 1)
    return Diagnostic("syntax", "the line ends too early", span, help=_expected(expected))


def _suggestion(found: str, expected: set[str], starts_line: bool) -> str:
    if starts_line and found.isidentifier():
        return did_you_mean(found, STATEMENT_WORDS) or (
            "a rule starts with one of " + ", ".join(STATEMENT_WORDS)
        )
    words = [w for name in expected for w in _spelling(name)]
    return did_you_mean(found, words) or _expected(expected)


def _expected(expected: set[str]) -> str:
    shown = sorted({WORDS[e] for e in expected if e in WORDS})
    words = sorted({w for e in expected if e not in WORDS for w in _spelling(e)})
    both = [*shown, *(f'"{w}"' for w in words)]
    if not both:
        return ""
    if len(both) > 8:
        both = [*both[:8], "…"]
    return "expected " + ", ".join(both)


def _spelling(terminal: str) -> list[str]:
    """`_AT_LEAST` is spelt `at least`."""
    if terminal in WORDS or not re.fullmatch(r"_?[A-Z_]+", terminal):
        return []
    return [terminal.strip("_").lower().replace("_", " ")]
