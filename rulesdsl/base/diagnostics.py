"""Problems as values: every pass returns `Diagnostic`s, and only `render` makes text of them.

Messages are part of the product: lower case, no full stop, a stable code, the place with a caret,
the paragraph it happened in, and a suggestion whenever one can be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from difflib import SequenceMatcher, get_close_matches
from typing import Literal

from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice, Fix
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.base.suggestions import nearest, slips_between

Severity = Literal["error", "warning"]
_ALIKE = 0.7  # of the letters, in this order


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem, found at one place (`also` names the second place of a clash).

    `about` are the names it speaks of, in the order of the message, said by whoever found it: names that are
    declared or missing, values, ids, numbers of paragraphs. Nobody reads them out of the message.
    """

    code: str
    message: str
    span: Span
    paragraph: str = ""
    help: str = ""
    also: tuple[tuple[str, Span], ...] = ()
    severity: Severity = "error"
    fixes: tuple[Fix, ...] = field(default=(), compare=False)
    about: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.help, Advice):
            object.__setattr__(self, "fixes", (*self.help.fixes(self.span), *self.fixes))
            object.__setattr__(self, "help", str(self.help))

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.span.file.shown, self.span.line, self.span.column, self.code, self.message)


class RulebookError(Exception):
    """The author's text cannot be used; carries every problem that was found."""

    def __init__(self, problems: Iterable[Diagnostic]) -> None:
        self.problems = in_order(problems)
        super().__init__("\n".join(summary(p) for p in self.problems[:5]))


class UsageError(Exception):
    """The command was called in a way that cannot work (exit code 2)."""


def in_order(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, each problem once: two that differ in their second place are two."""
    once = {(problem.sort_key, _other_places(problem)): problem for problem in reversed(list(problems))}
    return [once[key] for key in sorted(once)]


def _other_places(problem: Diagnostic) -> tuple[tuple[str, str, int, int], ...]:
    return tuple((text, span.file.shown, span.line, span.column) for text, span in problem.also)


def nearest_word(word: str, known: Iterable[str]) -> str:
    """The known word most like `word`, or nothing when none is near; never the word itself."""
    candidates = sorted({*known} - {word})
    # one slip of the finger is likelier than a word with the same letters
    slips = [candidate for slips, candidate in nearest(word, frozenset(candidates)) if slips == 1]
    near = get_close_matches(word, slips or candidates, n=3, cutoff=0.6)
    return next((candidate for candidate in near if _is_near(word, candidate)), "")


def _is_near(word: str, candidate: str) -> bool:
    """A slip or two, or the greater part of it: a word of another language is like many, and means none."""
    short, long = sorted((word, candidate), key=len)
    if long.startswith(short) or SequenceMatcher(None, candidate, word).ratio() >= _ALIKE:
        return True
    allowed = 1 if len(short) < 5 else 2
    return slips_between(word, candidate, allowed) <= allowed


def number_of(count: int, noun: str) -> str:
    """`1 error`, `2 errors`"""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A help text that offers the nearest known word, or nothing when none is near."""
    near = nearest_word(word, known)
    return meant(near, word) if near else ""


def meant(near: str, wrong: str) -> str:
    """A help text that offers a word instead of another one; who shows it can put it there."""
    return Advice(f'did you mean "{near}"?', fixes.word(wrong, near))


def summary(problem: Diagnostic) -> str:
    """The first line of a message: place, severity, code, text."""
    span = problem.span
    return (
        f"{span.file.shown}:{span.line}:{span.column}: {problem.severity}[{problem.code}]: {problem.message}"
    )


def render(problem: Diagnostic) -> str:
    """The whole message, with the line it speaks of and a caret under the words."""
    parts = [summary(problem), *_excerpt(problem.span)]
    for label, span in problem.also:
        parts.append(f"   = {label}: {span.file.shown}:{span.line}:{span.column}")
        parts.extend(_excerpt(span))
    if problem.paragraph:
        parts.append(f"   = in rule {problem.paragraph}")
    if problem.help:
        parts.append(f"   = help: {problem.help}")
    return "\n".join(parts)


def to_json(problem: Diagnostic) -> dict[str, object]:
    """The form of `--json`: plain values, stable keys."""
    return {
        "code": problem.code,
        "message": problem.message,
        "file": problem.span.file.shown,
        "line": problem.span.line,
        "column": problem.span.column,
        "rule": problem.paragraph,
        "help": problem.help,
        "fixes": [_fix_to_json(fix) for fix in problem.fixes],
    }


def _fix_to_json(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "edits": [
            {
                "file": edit.span.file.shown, "line": edit.span.line, "column": edit.span.column,
                "end_line": edit.span.end_line or edit.span.line, "end_column": edit.span.end_column,
                "text": edit.text,
            }
            for edit in fix.edits
        ],
    }  # fmt: skip


def errors(problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [p for p in problems if p.severity == "error"]


def _excerpt(span: Span) -> list[str]:
    text = span.file.line(span.line)
    if not text.strip():
        return []
    gutter = str(span.line)
    blank = " " * len(gutter)
    before = "".join("\t" if c == "\t" else " " for c in text[: span.column - 1])
    return [f" {blank} |", f" {gutter} | {text}", f" {blank} | {before}{'^' * span.width}"]
