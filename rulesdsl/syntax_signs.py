"""Mistakes that can be seen without the grammar: quotes, brackets, signs the language does not have."""

from __future__ import annotations

import re
import unicodedata

from rulesdsl.diagnostics import Diagnostic
from rulesdsl.lightclass import dataclass
from rulesdsl.repairs import Attempt, Spellings, Stop, Word, words_of
from rulesdsl.source import SourceFile, Span

WRITTEN_OTHERWISE = {
    "“": '"', "”": '"', "„": '"', "'": '"', "‘": '"', "’": '"', "«": '"', "»": '"', "`": '"',
    "–": "-", "—": "-", "−": "-", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "½": "1/2", "¼": "1/4",
    "==": "=", ":=": "=", "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "<>": "!=", "=>": ">=",
    "=<": "<=", "{": "(", "}": ")", "\u00a0": "a space", "%": "a number such as 1/2", ";": "a new line",
}  # fmt: skip
_SIGNS = re.compile(r"==|:=|&&|\|\||<>|=>|=<")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A statement that cannot be read, and how to ask the parser about changes of it."""

    text: str
    file: SourceFile
    line: int
    start: str
    known: Spellings
    attempt: Attempt | None

    def span(self, row: int, column: int, width: int = 1) -> Span:
        """A place counted from the start of the statement."""
        line = self.line + row - 1
        return Span(self.file, line, column, line, column + max(1, width))

    def problem(
        self, message: str, start: int, width: int = 1, hint: str = "", code: str = "syntax"
    ) -> Diagnostic:
        """Something wrong with the `width` characters from `start`."""
        before = self.text[:start]
        span = self.span(before.count("\n") + 1, start - before.rfind("\n"), width)
        return Diagnostic(code, message, span, help=hint)

    def offset(self, row: int, column: int) -> int:
        """The number of characters before a place."""
        rows = self.text.split("\n")
        row = min(row, len(rows))
        return sum(len(r) + 1 for r in rows[: row - 1]) + min(column - 1, len(rows[row - 1]))


def unclosed_quotes(source: Unreadable, row: int) -> Diagnostic | None:
    """A text that is not closed on its line, up to the row where the parser stopped."""
    for word in words_of(source.text):
        closed = len(word.text) > 1 and word.text.endswith('"')
        if word.text.startswith('"') and not closed and word.row <= row:
            message, width = "this text has no closing quote", len(word.text.rstrip())
            return source.problem(message, word.start, width, 'put a " after it', "unclosed")
    return None


def strange_signs(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """Signs of other languages, and what a word processor makes of quotes and dashes."""
    pair = _SIGNS.search(source.text[: stop.offset + 2], max(0, stop.offset - 1))
    sign = pair[0] if pair else source.text[stop.offset : stop.offset + 1]
    start = pair.start() if pair else stop.offset
    known = re.match(r'[\w\s()\[\]<>=+\-*/.,:"#×]', sign, re.ASCII)
    if not sign or (known and not pair):
        return None
    other = WRITTEN_OTHERWISE.get(sign, "")
    hint = f"write {other}" if " " in other else f'write "{other}"' if other else ""
    return source.problem(f"{_named(sign)} cannot stand here", start, len(sign), hint)


def unclosed_brackets(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """A bracket without its partner."""
    opened: list[Word] = []
    for word in words_of(source.text):
        if word.text in ("(", "["):
            opened.append(word)
        elif word.text in (")", "]"):
            if not opened:
                return source.problem(f'this "{word.text}" closes nothing', word.start, code="unclosed")
            opened.pop()
    if not opened or opened[-1].start > stop.offset:
        return None
    sign = opened[-1].text
    hint = f'put a "{")" if sign == "(" else "]"}" where it ends'
    return source.problem(f'this "{sign}" is never closed', opened[-1].start, 1, hint, "unclosed")


def _named(sign: str) -> str:
    if sign.isprintable() and not sign.isspace():
        return f'"{sign}"'
    return f"the character U+{ord(sign):04X} ({unicodedata.name(sign, 'a control character').lower()})"
