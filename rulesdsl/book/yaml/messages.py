"""What PyYAML's complaints mean to an author: where the mistake is, in our words, with a suggestion.

The parser reports the place where it gave up; for a bracket or a quote that is never closed the
mistake is where it was opened, often many lines above.
"""

from __future__ import annotations

from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile, Span

_QUOTE_IT = "put the whole text in double quotes"


@dataclass(frozen=True, slots=True)
class _Said:
    """One complaint: a fragment of the parser's text, and what we say instead."""

    fragment: str
    message: str
    hint: str = ""
    opened: bool = False  # the mistake is where the construct was opened


_SAID = (
    _Said("expected ',' or ']'", 'this list is not closed, or a "," is missing', 'end it with "]"', True),
    _Said("expected ',' or '}'", 'this mapping is not closed, or a "," is missing', 'end it with "}"', True),
    _Said("unexpected end of stream", "this quote is never closed", "", True),
    _Said("unexpected document", "this quote is never closed", "", True),
    _Said("tab character", "a line may not be indented with a tab", "use spaces"),
    _Said("unknown escape character", "a backslash in double quotes starts an escape", "use single quotes"),
    _Said("Unicode character escape", "this escape is no character", "write the character itself"),
    _Said("expected escape sequence of", "this escape is not complete", "write the character itself"),
    _Said("mapping values are not allowed", 'a ":" is not expected here',
          "quote text that holds a colon; or the line above is not finished; or the indentation is off"),
    _Said("sequence entries are not allowed", 'a list item "- " must start on its own line'),
    _Said("expected '-' indicator", 'this line should start with "- " like those above'),
    _Said("node content", "a value is missing here"),
    _Said("could not find expected ':'", 'there is no ":" after this key', 'write "key: value"', True),
    _Said("tag", "tags are not allowed", "quote the value to make it text"),
    _Said("an anchor", "anchors are not allowed", _QUOTE_IT),
    _Said("an alias", "aliases are not allowed", _QUOTE_IT),
    _Said("block scalar", 'after "|" or ">" the line must end'),
    _Said("directive", 'a line may not start with "%"', _QUOTE_IT),
    _Said("incompatible YAML", 'a line may not start with "%"', _QUOTE_IT),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Suspects:
    """Places noted while reading, where a mistake may really be when the parser gives up later."""

    open_bracket: Span | None = None  # the innermost list or mapping in brackets
    long_quote: Span | None = None  # the last quoted text that went over several lines


def syntax_problem(source: SourceFile, error: Any, suspects: Suspects) -> Diagnostic:
    """The diagnostic for an error of the parser (`yaml.YAMLError`, which need not have a place)."""
    problem = str(getattr(error, "problem", None) or "")
    context = str(getattr(error, "context", None) or "")
    stopped = _place(source, getattr(error, "problem_mark", None))
    opened = _place(source, getattr(error, "context_mark", None))
    place = stopped or opened or Span(source, 1, 1, 1, 2)
    quote, bracket = suspects.long_quote, suspects.open_bracket
    if quote and quote.end_line == place.line:
        # A quote that is missing swallows the next line up to its first quote.
        return _place_it(_Said("", "this quote is not closed on its line", opened=True), quote, place)
    if bracket and not _text_after(source, place):
        return _place_it(_Said("", "this bracket is never closed", opened=True), bracket, place)
    before = _unfinished_line(source, place)
    if before and "mapping values are not allowed" in problem:
        return _place_it(_Said("", 'there is no ":" in this line', 'write "key: value"', True), before, place)
    for said in _SAID:
        if said.fragment in problem or said.fragment in context:
            return _place_it(said, opened, place)
    return _by_the_line(source, place, problem)


def _text_after(source: SourceFile, place: Span) -> bool:
    rest = [source.line(place.line)[place.column - 1 :], *source.lines[place.line :]]
    return any(line.strip() and not line.lstrip().startswith("#") for line in rest)


def _unfinished_line(source: SourceFile, place: Span) -> Span | None:
    """The line above, when it has no colon and so cannot be the pair it should be."""
    if ":" in source.line(place.line)[: place.column - 1]:
        return None  # the second colon of a line
    for line in range(place.line - 1, 0, -1):
        text = source.line(line)
        bare = text.strip()
        if bare and not bare.startswith("#"):
            start = len(text) - len(text.lstrip()) + 1
            return (
                None
                if ":" in bare or bare[0] in "-[{"
                else Span(source, line, start, line, start + len(bare))
            )
    return None


def _place_it(said: _Said, opened: Span | None, place: Span) -> Diagnostic:
    if not said.opened or opened is None:
        return Diagnostic("yaml-syntax", said.message, place, help=said.hint)
    also = (("reading stopped here", place),) if place.line != opened.line else ()
    return Diagnostic("yaml-syntax", said.message, opened, help=said.hint, also=also)


def _by_the_line(source: SourceFile, place: Span, problem: str) -> Diagnostic:
    """The remaining complaints say little; what stands at the place says more."""
    text = source.line(place.line)
    found = text[place.column - 1 : place.column]
    if "cannot start any token" in problem and found != "\t":
        return Diagnostic("yaml-syntax", f'a value may not start with "{found}"', place, help=_QUOTE_IT)
    if found == "\t":
        return Diagnostic("yaml-syntax", "a line may not be indented with a tab", place, help="use spaces")
    if found and found in "]},":
        return Diagnostic("yaml-syntax", f'this "{found}" has nothing to end', place)
    if text[: place.column - 1].strip():
        message = "there is more text after a finished value"
        return Diagnostic("yaml-syntax", message, place, help="put the whole value in one pair of quotes")
    if text.strip():
        message = "this line does not fit to the lines above it"
        return Diagnostic(
            "yaml-syntax", message, place, help='check the indentation and the ":" after the key'
        )
    return Diagnostic("yaml-syntax", "the file ends too early", place)


def _place(source: SourceFile, mark: Any) -> Span | None:
    if mark is None:
        return None
    line, column = mark.line + 1, mark.column + 1
    if line > len(source.lines):  # libyaml counts one line more at the end of a file
        line = len(source.lines)
        column = len(source.line(line)) + 1
    return Span(source, line, column, line, column + 1)
