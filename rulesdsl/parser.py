"""Text to syntax tree: chapters, chunks, and messages for what cannot be read.

A rules block is cut at column 1 into chunks, one statement each, and every chunk is parsed on its own:
one mistake costs one statement, all mistakes are reported at once, and an unchanged chunk is never
parsed twice in a process (`_parse_chunk` is cached on its text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from rulesdsl import amendment_syntax as ax
from rulesdsl import syntax as sx
from rulesdsl.diagnostics import Diagnostic
from rulesdsl.markdown import read_chapter
from rulesdsl.resources import data_dir
from rulesdsl.source import SourceFile, Span
from rulesdsl.syntax_errors import explain_syntax_error

if TYPE_CHECKING:
    from lark import Lark

MAX_NESTING = 64
STATEMENT_HEAD = re.compile(r"(?:#[^\n]*\n|\s)*([a-z]+)[ \t]+([A-Za-z_][A-Za-z0-9_.]*)")
CONTINUES = re.compile(r"(and|or|when|where|despite)\b")


def parse_chapter(file: SourceFile) -> tuple[sx.Chapter, list[Diagnostic]]:
    """Read a Markdown chapter and parse every `rules` and `example` block in it."""
    chapter, problems = read_chapter(file)
    paragraphs: list[sx.Paragraph] = []
    unread: list[tuple[str, str]] = []
    for paragraph in chapter.paragraphs:
        rules: list[sx.Rule] = []
        examples: list[sx.Example] = []
        where = f'{paragraph.id} "{paragraph.title}"' if paragraph.title else paragraph.id
        for fence in paragraph.fences:
            if fence.kind == "rules":
                for line, text in cut_chunks(fence):
                    rule, found = parse_rule(text, file, line)
                    problems += [replace(p, rule=where) for p in found]
                    if rule is not None:
                        rules.append(rule)
                    elif headed := STATEMENT_HEAD.match(text.lstrip()):
                        unread.append((headed[1], headed[2]))
            else:
                example, found = parse_example(fence.text, file, fence.first_line)
                problems += [replace(p, rule=where) for p in found]
                if example is not None:
                    examples.append(example)
        paragraphs.append(replace(paragraph, rules=tuple(rules), examples=tuple(examples)))
    return replace(chapter, paragraphs=tuple(paragraphs), unread=tuple(unread)), problems


def cut_chunks(fence: sx.Fence) -> Iterator[tuple[int, str]]:
    """The statements of a block: (line of the first line, text)."""
    start, lines = fence.first_line, list[str]()
    for offset, line in enumerate(fence.text.split("\n")):
        starts = bool(line.strip()) and not line[0].isspace() and not line.startswith("#")
        if starts and not CONTINUES.match(line) and any(x.strip() for x in lines):
            if any(x.strip() and not x.lstrip().startswith("#") for x in lines):
                yield start, "\n".join(lines)
                start, lines = fence.first_line + offset, []
        lines.append(line)
    if any(x.strip() and not x.lstrip().startswith("#") for x in lines):
        yield start, "\n".join(lines)


def parse_rule(text: str, file: SourceFile, line: int) -> tuple[sx.Rule | None, list[Diagnostic]]:
    """One statement of a rules block."""
    node, problems = _parse(text, file, line, "chunk")
    return (node if isinstance(node, sx.Rule) else None), problems


def parse_example(text: str, file: SourceFile, line: int) -> tuple[sx.Example | None, list[Diagnostic]]:
    """One example block."""
    node, problems = _parse(text, file, line, "example")
    return (node if isinstance(node, sx.Example) else None), problems


def parse_amendment(text: str, file: SourceFile, line: int) -> tuple[ax.Amend | None, list[Diagnostic]]:
    """One statement that only a house rule may make: `set`, `replace`, `repeal`."""
    node, problems = _parse(text, file, line, "amendment")
    return (node if isinstance(node, ax.Amend) else None), problems


def _parse(text: str, file: SourceFile, line: int, start: str) -> tuple[object | None, list[Diagnostic]]:
    from lark.exceptions import LarkError, UnexpectedInput, VisitError

    from rulesdsl.amendment_builder import AmendmentBuilder
    from rulesdsl.treebuilder import TreeBuilder

    builder = AmendmentBuilder if start == "amendment" else TreeBuilder
    if problem := _too_deep(text, file, line):
        return None, [problem]
    try:
        tree = _lark().parse(text.rstrip() + "\n", start=start)
        return builder(file, line).transform(tree), []
    except UnexpectedInput as error:
        return None, [explain_syntax_error(error, text, file, line)]
    except VisitError as error:
        raise error.orig_exc from error  # a bug of ours: the grammar and the tree builder disagree
    except LarkError as error:  # the indenter: a dedent to a column nobody opened
        span = Span(file, line, 1, line, 2)
        message = str(error).split("\n")[0] or "this cannot be read"
        return None, [Diagnostic("syntax", f"the indentation does not fit: {message}", span)]


def _too_deep(text: str, file: SourceFile, line: int) -> Diagnostic | None:
    """Nesting is limited before parsing, so that no recursive walker can fall over later."""
    depth = deepest = 0
    for row, content in enumerate(text.split("\n")):
        indent = len(content) - len(content.lstrip(" "))
        for column, char in enumerate(content):
            depth += (char in "([") - (char in ")]")
            deepest = max(deepest, depth)
            if depth > MAX_NESTING or (indent > 4 * MAX_NESTING and content.strip()):
                span = Span(file, line + row, column + 1, line + row, column + 2)
                return Diagnostic("too-deep", f"more than {MAX_NESTING} levels of nesting", span)
        if content.count(" not ") + content.count(" - ") > 400:
            span = Span(file, line + row, 1, line + row, 2)
            return Diagnostic("too-deep", "this line is too long to be read", span)
    return None


@cache
def _lark() -> Lark:
    from lark import Lark
    from lark.indenter import Indenter

    class RuleIndenter(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB"]
        CLOSE_PAREN_types = ["RPAR", "RSQB"]
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 4

    grammar = (data_dir("grammar") / "rules.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", start=["chunk", "example", "amendment"], postlex=RuleIndenter(),
        propagate_positions=True, maybe_placeholders=True, cache=True,
    )  # fmt: skip
