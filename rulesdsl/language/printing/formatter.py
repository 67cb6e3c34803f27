"""`rulesdsl fmt`: the `rules` and `example` blocks of a chapter in canonical layout.

Prose is not touched. A statement is printed from its tree, then compared word by word with what the author
wrote: that brings back the author's spelling where the language has two (`is`, `are`), puts every comment
and blank line where it stood, and leaves the statement alone whenever something would be lost. What the
language has learnt to say better is said so (`modern`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.chunks import cut_chunks
from rulesdsl.language.parsing.markdown import FENCE, KNOWN_FENCES, block_end, never_closed
from rulesdsl.language.parsing.parser import parse_amendment, parse_example, parse_rule
from rulesdsl.language.printing.amendments import print_amendment
from rulesdsl.language.printing.modern import modern
from rulesdsl.language.printing.printer import print_example, print_rule
from rulesdsl.language.syntax import amendments as ax

SAME_WORD = {
    "are": "is", "choose": "chooses", "win": "wins", "step": "steps", "satisfy": "satisfies", "×": "x",
    "an": "a", "one": "a",
}  # fmt: skip
ARTICLES = ("a", "an", "one")
MAY_GO = ("(", ")", ":", *ARTICLES)
MAY_COME = ("(", ")", "default", "a")
COMMENT_COLUMN = 60  # a comment behind a longer row does not push its neighbours to the right
_PIECE = re.compile(
    r"""(?P<blank>(?<=\n)[ \t]*\n) | (?P<comment>\#[^\n]*)
      | (?P<word>"[^"\n]*" | (?<!\w)[x×](?=[ \t]*[0-9(]) | [^\W\d]\w* | \d+ | [^\w\s])""",
    re.VERBOSE,
)
_STEPS = re.compile(r"(?m)^[a-z]+")


def format_chapter(file: SourceFile, unread: list[Diagnostic] | None = None) -> str:
    """The whole text of the file, its blocks formatted. `unread` gains a problem for what is left alone."""
    unread = [] if unread is None else unread
    written: list[str] = []
    lines = file.lines
    number = 0
    while number < len(lines):
        opening = lines[number]
        written.append(opening)
        number += 1
        fence = FENCE.match(opening.rstrip("\r"))
        if not fence:
            continue
        end, closed = block_end(lines, number, fence["marks"], fence["kind"])
        body = lines[number:end]
        if fence["kind"] in KNOWN_FENCES and closed:
            ending = "\r" if opening.endswith("\r") else ""
            plain = "\n".join(line.rstrip("\r") for line in body)
            block = sx.Fence(fence["kind"], plain, number + 1)
            body = [line + ending for line in _block(block, file, unread)]
        elif fence["kind"] in KNOWN_FENCES:
            unread.append(never_closed(fence["marks"], Span(file, number, 1, number, len(opening) + 1)))
        written += [*body, *lines[end : end + closed]]
        number = end + closed
    return "\n".join(written)


def _block(fence: sx.Fence, file: SourceFile, unread: list[Diagnostic]) -> list[str]:
    chunks = list(cut_chunks(fence)) if fence.kind == "rules" else [(fence.first_line, fence.text)]
    rows = [row for line, text in chunks for row in _chunk(text, line, fence.kind, file, unread)]
    return _no_double_blanks(rows if chunks else fence.text.split("\n"))


def _no_double_blanks(rows: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for row in rows:
        if row.strip() or (kept and kept[-1]):
            kept.append(row if row.strip() else "")
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _chunk(text: str, line: int, kind: str, file: SourceFile, unread: list[Diagnostic]) -> Iterator[str]:
    """One statement, with the comments and blank lines before and after it."""
    rows = text.split("\n")
    code = [n for n, row in enumerate(rows) if row.strip() and not row.lstrip().startswith("#")]
    if not code:
        yield from rows
        return
    first, last = code[0], code[-1]
    yield from (row.strip() for row in rows[:first])
    formatted = _statement("\n".join(rows[first : last + 1]), line + first, kind, file, unread)
    yield from formatted
    for row in rows[last + 1 :]:
        yield (_indent(formatted[-1]) if row[:1].isspace() else "") + row.strip()


def _indent(row: str) -> str:
    return row[: len(row) - len(row.lstrip())]


def _statement(text: str, line: int, kind: str, file: SourceFile, unread: list[Diagnostic]) -> list[str]:
    """Formatted; or as it was written when it cannot be read, or when formatting would lose anything."""
    as_written = text.split("\n")
    node, problems = _parse(text, line, kind, file)
    unread += problems
    if node is None:
        return as_written
    node = modern(node)
    formatted = _with_comments(_Words.of(text), _Words.of(_print(node)))
    if formatted is None or _Words.of(formatted).comment_texts() != _Words.of(text).comment_texts():
        return as_written
    if kind == "example" and _STEPS.findall(formatted) != _STEPS.findall(text):
        return as_written  # what is played and what is expected by turns is read in that order
    again, _ = _parse(formatted, 1, kind, SourceFile(Path(file.shown), formatted))
    return formatted.split("\n") if again == node else as_written


def _parse(
    text: str, line: int, kind: str, file: SourceFile
) -> tuple[sx.Rule | sx.Example | ax.Amend | None, list[Diagnostic]]:
    if kind == "example":
        return parse_example(text, file, line)
    if re.match(
        r"(set|replace|repeal|in|strike|say|forbid\s+token)\b", text
    ):  # what only a house rule may say
        return parse_amendment(text, file, line)
    return parse_rule(text, file, line)


def _print(node: sx.Rule | sx.Example | ax.Amend) -> str:
    match node:
        case sx.Rule():
            return print_rule(node)
        case sx.Example():
            return print_example(node)
        case ax.Amend():
            return print_amendment(node)


@dataclass(frozen=True, slots=True)
class _Remark:
    """A comment, or a blank line (no text). It belongs to the word after it, or before it if `trailing`."""

    text: str
    trailing: bool
    word: int


@dataclass(frozen=True, slots=True)
class _Words:
    """A text taken apart: its words with the row each stands in, and its remarks."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    rows: tuple[int, ...]
    remarks: tuple[_Remark, ...]

    @staticmethod
    def of(text: str) -> _Words:
        words, starts, rows, remarks = [], [], [], []
        row, counted = 0, 0
        for found in _PIECE.finditer(text):
            row += text.count("\n", counted, found.start())
            counted = found.start()
            if found["word"] is not None:
                words.append(found[0])
                starts.append(found.start())
                rows.append(row)
            else:
                trailing = found["comment"] is not None and bool(rows) and rows[-1] == row
                word = len(words) - 1 if trailing else len(words)
                remarks.append(_Remark(found[0].strip(), trailing, word))
        return _Words(text, tuple(words), tuple(starts), tuple(rows), tuple(remarks))

    def comment_texts(self) -> list[str]:
        return [remark.text for remark in self.remarks if remark.text]

    def plain(self) -> list[str]:
        return [SAME_WORD.get(word, word) for word in self.words]


def _with_comments(source: _Words, printed: _Words) -> str | None:
    """The printed text in the author's spelling and with the author's remarks; None when in doubt."""
    found = _align(source, printed) or _align_loosely(source, printed)
    if found is None:
        return None
    place, spelling = found
    rows = _respell(printed, spelling).split("\n")
    before: dict[int, list[str]] = {}
    behind: dict[int, str] = {}
    for remark in source.remarks:
        word = place[remark.word][remark.trailing]
        row = printed.rows[word]
        if remark.trailing:
            if row in behind:
                return None
            behind[row] = remark.text
        elif remark.text or word == 0 or printed.rows[word - 1] < row:
            before.setdefault(row, []).append(_indent(rows[row]) + remark.text)
    for row, column in _columns(rows, behind, before).items():
        rows[row] = f"{rows[row]:{column}}{behind[row]}"
    return "\n".join(text for n, row in enumerate(rows) for text in [*before.get(n, []), row])


def _columns(rows: list[str], behind: Container[int], apart: Container[int]) -> dict[int, int]:
    """Where the comments behind rows begin: those of neighbouring rows below each other."""
    columns: dict[int, int] = {}
    run: list[int] = []
    for row in range(len(rows)):
        if row not in behind:
            run = []
            continue
        goes_on = run and row not in apart and _indent(rows[row]) == _indent(rows[row - 1])
        run = [*run, row] if goes_on else [row]
        widest = max((len(rows[n]) for n in run if len(rows[n]) <= COMMENT_COLUMN), default=0)
        columns |= {n: max(widest, len(rows[n])) + 2 for n in run}
    return columns


def _align(source: _Words, printed: _Words) -> tuple[list[tuple[int, int]], dict[int, str]] | None:
    """For each word of the source its word in print, and the words to be spelt as in the source.

    A word that is no longer printed has two places: the word after the gap and the word before it.
    """
    place: list[tuple[int, int]] = []
    spelling: dict[int, str] = {}
    old, new = source.plain(), printed.plain()
    at, article = 0, ""
    for number, word in enumerate(old):
        while at < len(new) and new[at] != word and new[at] in MAY_COME:
            at += 1
        if at < len(new) and new[at] == word:
            spelling[at] = article + source.words[number]
            article = ""
            place.append((at, at))
            at += 1
        elif word in MAY_GO:
            article = f"{word} " if word in ARTICLES else article
            place.append((min(at, len(new) - 1), max(at - 1, 0)))
        else:
            return None
    return (place, spelling) if all(word in MAY_COME for word in new[at:]) else None


def _align_loosely(source: _Words, printed: _Words) -> tuple[list[tuple[int, int]], dict[int, str]] | None:
    """The same where words changed or clauses changed places; the tree tells whether it still says the same.

    None when a comment stands beside a word that is gone: it might go astray.
    """
    place: list[tuple[int, int] | None] = [None] * len(source.words)
    spelling: dict[int, str] = {}
    matcher = SequenceMatcher(None, source.plain(), printed.plain(), autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            place[old + step] = (new + step, new + step)
            if source.words[old + step] not in (*ARTICLES, "is", "are"):
                spelling[new + step] = source.words[old + step]
    place[-1] = (len(printed.words) - 1,) * 2  # what stands behind a statement stays behind it
    for remark in source.remarks:
        if remark.text and (remark.word >= len(place) or place[remark.word] is None):
            return None
    found: list[tuple[int, int]] = []
    for spot in place:
        last = found[-1][1] if found else 0
        found.append(spot if spot is not None else (min(last + 1, len(printed.words) - 1), last))
    return found, spelling


def _respell(printed: _Words, spelling: dict[int, str]) -> str:
    parts, done = [], 0
    for number, (word, start) in enumerate(zip(printed.words, printed.starts, strict=True)):
        parts += [printed.text[done:start], spelling.get(number, word)]
        done = start + len(word)
    return "".join(parts) + printed.text[done:]
