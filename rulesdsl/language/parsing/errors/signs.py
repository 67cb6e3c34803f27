"""Mistakes that can be seen without the grammar: quotes, brackets, signs the language does not have."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.fixes import Advice
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.suggestions import Attempt, Spellings, Stop, Word, words_of

WRITTEN_OTHERWISE = {
    "“": '"', "”": '"', "„": '"', "'": '"', "‘": '"', "’": '"', "«": '"', "»": '"', "`": '"',
    "–": "-", "—": "-", "−": "-", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "½": "1/2", "¼": "1/4",
    "==": "=", ":=": "=", "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "<>": "!=", "=>": ">=",
    "=<": "<=", "//": "#", "{": "(", "}": ")", "\u00a0": "a space", "%": "a number such as 1/2",
    ";": "a new line",
}  # fmt: skip
_QUOTES = "“”„'‘’«»`´"
_SIGNS = re.compile(r"==|:=|&&|\|\||<>|=>|=<|//")
_IN_WORDS = (
    ("<=", r"is at most|(?:is )?(?:no|not) (?:more|greater) than"),
    (">=", r"is at least|(?:is )?(?:no|not) (?:less|fewer) than"),
    ("<", r"(?:is )?(?:less|fewer|lower|smaller) than"),
    (">", r"(?:is )?(?:more|greater|higher|larger) than"),
    ("=", r"(?:is )?equals?(?: to)?"),
)  # fmt: skip


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

    def inserted(self, start: int, text: str) -> fixes.Making:
        """A word put in at a place of the statement, with the spaces it needs around it."""
        before, behind = self.text[:start], self.text[start:]
        row, column = before.count("\n") + 1, start - before.rfind("\n")
        line = self.line + row - 1
        place = Span(self.file, line, column, line, column)
        glued = text in (":", ",", ")", "]", ".")
        front = "" if glued or not before or before[-1].isspace() else " "
        back = "" if not behind or behind[0].isspace() or behind[0] in ":,)]." else " "
        return fixes.at(place, f"{front}{text}{back}")

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
            text = word.text.rstrip()
            if text == '"':  # the last sign of its line
                message, hint = "this quote closes nothing", 'put a " before the text as well'
                return source.problem(message, word.start, 1, hint, "unclosed")
            hint = Advice('write the quote as "', fixes.whole(f'{text[:-1]}"'))
            if text[-1] not in _QUOTES:
                hint = Advice('put a " after it', fixes.whole(f'{text}"'))
            return source.problem("this text has no closing quote", word.start, len(text), hint, "unclosed")
    return None


def strange_signs(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """Signs of other languages, and what a word processor makes of quotes and dashes."""
    pair = _SIGNS.search(source.text[: stop.offset + 2], max(0, stop.offset - 1))
    sign = pair[0] if pair else source.text[stop.offset : stop.offset + 1]
    start = pair.start() if pair else stop.offset
    known = re.match(r'[\w\s()\[\]<>=+\-*/.,:"#×]', sign, re.ASCII)
    if not sign or (known and not pair):
        return None
    if sign.isalpha():
        return _foreign_letter(source, start)
    other = WRITTEN_OTHERWISE.get(sign, "")
    hint = f"write {other}" if " " in other or other == '"' else f'write "{other}"' if other else ""
    if other and (" " not in other):
        hint = Advice(hint, fixes.whole(other), *_quoted_by(source, start, sign))
    elif sign == "\u00a0":
        hint = Advice(hint, fixes.whole(" "))
    return source.problem(f"{_named(sign)} cannot stand here", start, len(sign), hint)


def _quoted_by(source: Unreadable, start: int, sign: str) -> list[fixes.Making]:
    """Both quotes of a text at once, if a word processor made them."""
    row = source.text[start:].split("\n")[0]
    found = re.match(rf"[{_QUOTES}]([^{_QUOTES}\"]*)[{_QUOTES}\"]", row) if sign in _QUOTES else None
    if found is None:
        return []
    span = source.problem("", start, found.end()).span
    return [fixes.at(span, f'"{found[1]}"')]


def _foreign_letter(source: Unreadable, start: int) -> Diagnostic:
    """`Fürstenwalde`: what a thing is called on the map, not the name the rules have for it."""
    word = next(w for w in re.finditer(r"\w+", source.text) if w.end() > start)
    plain = unicodedata.normalize("NFKD", word[0].replace("ß", "ss").replace("œ", "oe")).encode(
        "ascii", "ignore"
    )
    hint = Advice(f"names are written with the letters a to z, perhaps {plain.decode().lower()}",
                  fixes.whole(plain.decode().lower()))  # fmt: skip
    return source.problem(f'"{word[0]}" cannot be a name', word.start(), len(word[0]), hint)


def comparison_in_words(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """`turn is less than 3`: the language has signs for that."""
    for sign, words in _IN_WORDS:
        for found in re.finditer(rf"\b(?:{words})(?=\s+\w)", source.text):
            if found.start() <= stop.offset <= found.end() + 1:
                message = f'"{found[0]}" cannot stand here'
                return source.problem(
                    message, found.start(), len(found[0]), Advice(f'write "{sign}"', fixes.whole(sign))
                )
    return None


def infinitive(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """`forbid to attack`: the action follows at once."""
    found = re.match(r"\s*(forbid|allow|stop)\s+(to)\s+(\w+)", source.text)
    if found is None or not found.start(2) <= stop.offset <= found.end():
        return None
    return source.problem('"to" cannot stand here', found.start(2), 2,
                          Advice(f"write `{found[1]} {found[3]}`", fixes.whole("")))  # fmt: skip


def key_as_printed(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """`set table combat[3-1, 5-6]`: odds and ranges as tables print them are no keys here."""
    if not re.match(r"\s*set\s+table\b", source.text):
        return None
    for found in re.finditer(r"(?<=[\[,])\s*((\d+)\s*([-/])\s*(\d+))\s*(?=[\],])", source.text):
        if found.start() <= stop.offset <= found.end():
            odds = f"`{found[2]}:{found[4]}`"
            both = f"write {odds} for odds, `{found[2]} to {found[4]}` for a range"
            rising = found[3] == "-" and int(found[2]) < int(found[4])
            message = f'"{found[1]}" is no key of a table'
            return source.problem(
                message,
                found.start(1),
                len(found[1]),
                Advice(
                    both if rising else f"write {odds}",
                    fixes.whole(f"{found[2]}:{found[4]}"),
                    fixes.whole(f"{found[2]} to {found[4]}"),
                ),
            )
    return None


def unclosed_brackets(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """A bracket without its partner."""
    opened: list[Word] = []
    for word in words_of(source.text):
        if word.text in ("(", "["):
            opened.append(word)
        elif word.text in (")", "]"):
            if not opened:
                hint = Advice("", fixes.whole(""))
                told = source.problem(f'this "{word.text}" closes nothing', word.start, 1, hint, "unclosed")
                return _until(source, stop, told)
            opened.pop()
    if not opened or opened[-1].start > stop.offset:
        return None
    sign = opened[-1].text
    closing = ")" if sign == "(" else "]"
    row = source.text[: opened[-1].start].count("\n")
    hint = Advice(
        f'put a "{closing}" where it ends', fixes.whole(""), fixes.after(closing),
        *(source.inserted(w.end, closing) for w in words_of(source.text) if w.row == row + 1 and w.is_name
          and w.start > opened[-1].start),
    )  # fmt: skip
    told = source.problem(f'this "{sign}" is never closed', opened[-1].start, 1, hint, "unclosed")
    return _until(source, stop, told)


def _until(source: Unreadable, stop: Stop, told: Diagnostic) -> Diagnostic:
    """With the place where reading came to a halt, if that is another line: the bracket may belong there."""
    halt = source.problem("", min(stop.offset, len(source.text.rstrip()))).span
    return told if halt.line == told.span.line else replace(told, also=(("it can be read up to here", halt),))


def _named(sign: str) -> str:
    if sign.isprintable() and not sign.isspace():
        return f'"{sign}"'
    return f"the character U+{ord(sign):04X} ({unicodedata.name(sign, 'a control character').lower()})"
