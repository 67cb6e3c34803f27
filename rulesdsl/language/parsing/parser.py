"""Text to syntax tree: chapters, chunks, and messages for what cannot be read.

A rules block is cut at column 1 into chunks, one statement each, and every chunk is parsed on its own:
one mistake costs one statement, all mistakes are reported at once, and an unchanged chunk is never
parsed twice in a process.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.base.suggestions import words_of
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.chunks import cut_chunks
from rulesdsl.language.parsing.errors.signs import Unreadable
from rulesdsl.language.parsing.errors.syntax_errors import NOT_INDENTED, bad_dedent, explain_syntax_error
from rulesdsl.language.parsing.markdown import read_chapter
from rulesdsl.language.parsing.reuse import KnownStatements
from rulesdsl.language.parsing.statement_limits import too_deep, too_large
from rulesdsl.language.syntax import amendments as ax

THOROUGH_EXPLANATIONS = 20  # per chapter: what comes after is seldom worth the search for its cause
MOST_PROBLEMS = 200
_MOST_REMEMBERED = 10_000
STATEMENT_HEAD = re.compile(r"(?:#[^\n]*\n|\s)*(\w+)((?:[ \t]+[A-Za-z_]\w*)*)([^\n]*)")
# Statements that bring no things into the world: without one of them, only its name may be missed.
WITH_NAMES_ONLY = frozenset(
    ("define", "always", "quantity", "action", "route", "procedure", "weigh", "phase", "window", "reading",
     "option", "parameter", "modify", "forbid", "allow", "stop", "must", "after")
)  # fmt: skip


def parse_chapter(
    file: SourceFile, known: KnownStatements | None = None
) -> tuple[sx.Chapter, list[Diagnostic]]:
    """Read a Markdown chapter and parse every `rules` and `example` block in it, unless it is known."""
    chapter, problems = read_chapter(file)
    known = known or KnownStatements()
    paragraphs: list[sx.Paragraph] = []
    unread: list[tuple[str, str]] = []
    meant: list[tuple[str, sx.Rule, int]] = []
    for paragraph in chapter.paragraphs:
        rules: list[sx.Rule] = []
        examples: list[sx.Example] = []
        where = f'{paragraph.id} "{paragraph.title}"' if paragraph.title else paragraph.id
        for fence in paragraph.fences:
            if fence.kind == "rules":
                for line, text in cut_chunks(fence):
                    if len(problems) > MOST_PROBLEMS:
                        break
                    rule, found = known.find("chunk", text, file, line), list[Diagnostic]()
                    if not isinstance(rule, sx.Rule):
                        thorough = len(problems) < THOROUGH_EXPLANATIONS
                        rule, found = parse_rule(text, file, line, thorough)
                    problems += [replace(p, paragraph=where) for p in not_again(problems, found)]
                    if rule is not None:
                        rules.append(rule)
                    elif (likely := _meant(text, file, line)) is not None:
                        meant.append((paragraph.id, likely, line + text.count("\n")))
                    else:
                        unread += _perhaps_declared(text)
            else:
                example, found = known.find("example", fence.text, file, fence.first_line), []
                if not isinstance(example, sx.Example):
                    example, found = parse_example(fence.text, file, fence.first_line)
                problems += [replace(p, paragraph=where) for p in found]
                if example is not None:
                    examples.append(example)
        paragraphs.append(replace(paragraph, rules=tuple(rules), examples=tuple(examples)))
    if len(problems) > MOST_PROBLEMS:
        message = "there are so many mistakes above that the rest of this chapter was not read"
        problems.append(Diagnostic("too-many-mistakes", message, problems[-1].span))
    read = replace(chapter, paragraphs=tuple(paragraphs), unread=tuple(unread), meant=tuple(meant))
    return read, problems


def _perhaps_declared(text: str) -> list[tuple[str, str]]:
    """Kind and name of a statement that cannot be read. Its name may be any word of its first line, since
    any of them may be one too many; it is empty where none follows the kind."""
    headed = STATEMENT_HEAD.match(text)
    if headed is None:
        return []
    if not headed[2]:
        return [(headed[1], "")]
    behind = re.findall(r"[A-Za-z_]\w*", headed[3].split("=")[0].split('"')[0])
    return [(headed[1], name) for name in (*headed[2].split(), *behind)]


def parse_rule(
    text: str, file: SourceFile, line: int, thorough: bool = True
) -> tuple[sx.Rule | None, list[Diagnostic]]:
    """One statement of a rules block. `thorough`: look for the likeliest cause if it cannot be read."""
    node, problems = _parse(text, file, line, "chunk", thorough)
    return (node if isinstance(node, sx.Rule) else None), problems


def _meant(text: str, file: SourceFile, line: int) -> sx.Rule | None:
    """The statement that the explanation of a mistake takes an unreadable one for."""
    read = _read_before.get((text, file.path, file.shown, line, "chunk", True))
    if read is None or not read.meant:
        return None
    headed = STATEMENT_HEAD.match(read.meant)
    if headed is None or (
        headed[1] not in WITH_NAMES_ONLY and len(words_of(read.meant)) != len(words_of(text))
    ):
        return None  # a word too many or too few may make other things of a declaration
    node = _read(read.meant, file, line, "chunk", thorough=False).node
    return node if isinstance(node, sx.Rule) else None


def parse_example(text: str, file: SourceFile, line: int) -> tuple[sx.Example | None, list[Diagnostic]]:
    """One example block."""
    node, problems = _parse(text, file, line, "example")
    return (node if isinstance(node, sx.Example) else None), problems


def parse_amendment(
    text: str, file: SourceFile, line: int, thorough: bool = True
) -> tuple[ax.Amend | None, list[Diagnostic]]:
    """One statement that only a house rule may make: `set`, `replace`, `repeal`."""
    node, problems = _parse(text, file, line, "amendment", thorough)
    return (node if isinstance(node, ax.Amend) else None), problems


def not_again(problems: list[Diagnostic], found: list[Diagnostic]) -> list[Diagnostic]:
    """A body that is not indented is one mistake, however many steps it has."""
    if problems and problems[-1].code == "indentation" and found and found[0].help == NOT_INDENTED:
        return []
    return found


def _parse(
    text: str, file: SourceFile, line: int, start: str, thorough: bool = True
) -> tuple[object | None, list[Diagnostic]]:
    """From memory when this very text was read at this very place before."""
    key = (text, file.path, file.shown, line, start, thorough)
    if key not in _read_before:
        if len(_read_before) >= _MOST_REMEMBERED:
            _read_before.clear()
        _read_before[key] = _read(text, file, line, start, thorough)
    read = _read_before[key]
    return read.node, list(read.problems)


@dataclass(frozen=True, slots=True)
class _Read:
    """The tree of a statement, or what is wrong and the text that was perhaps meant."""

    node: object | None
    problems: tuple[Diagnostic, ...] = ()
    meant: str = ""


_read_before: dict[tuple[str, Path, str, int, str, bool], _Read] = {}


def _read(text: str, file: SourceFile, line: int, start: str, thorough: bool) -> _Read:
    from lark.exceptions import UnexpectedInput

    # only here: what is remembered needs no lark, which is slow to load
    from rulesdsl.language.parsing.build.builder import TreeBuilder
    from rulesdsl.language.parsing.grammar import BadDedent, load_parser, spellings

    if problem := too_large(text, file, line):
        return _Read(None, (problem,))
    builder = TreeBuilder
    if start == "amendment":
        from rulesdsl.language.parsing.build.amendments import AmendmentBuilder as builder
    attempt = partial(_stops_at, start=start) if thorough else None
    source = Unreadable(text, file, line, start, spellings(), attempt)
    try:
        tree = load_parser().parse(text.rstrip() + "\n", start=start)
    except UnexpectedInput as error:
        told = explain_syntax_error(error, source)
        return _Read(None, (told.problem,), told.meant)
    except BadDedent as error:
        return _Read(None, (bad_dedent(source, error.row),))
    if problem := too_deep(tree, file, line):
        return _Read(None, (problem,))
    return _Read(builder(file, line).transform(tree))


def _stops_at(text: str, start: str) -> tuple[int, int] | None:
    """Row and column where the parser cannot go on in a text, or None when it can read all of it."""
    from lark.exceptions import UnexpectedInput

    from rulesdsl.language.parsing.grammar import BadDedent, load_parser  # only here: lark is slow to load

    try:
        load_parser().parse(text.rstrip() + "\n", start=start)
    except UnexpectedInput as error:
        return error.line, error.column
    except BadDedent as error:
        return error.row, 1
    return None
