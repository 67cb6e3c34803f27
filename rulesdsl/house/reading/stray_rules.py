"""Rules that were meant, but stand among the prose of a house rule: taken for prose they would be ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.language.parsing.parser import parse_amendment, parse_rule
from rulesdsl.language.syntax import amendments as ax

MOST_TRIED = 50  # in a section: whoever writes more than that writes prose
MOST_ROWS = 8  # that are read as one rule
_SMALL = re.compile(r"[a-z]+ ")  # rules begin with a small letter, sentences with a capital one
_OTHER_BLOCK = re.compile(r"^(`{3,}|~{3,}).*?(^\1|\Z)", re.MULTILINE | re.DOTALL)  # has a warning of its own
_HINT = "put it between the lines ```rules and ```"


def stray_rules(section: ax.Section, file: SourceFile) -> Iterator[Diagnostic]:
    """A warning for the first lines that read as a rule, without a word too many."""
    for rows in islice(_candidates(section.prose), MOST_TRIED):
        if any(_is_rule(text, file) for text in (rows[0], "\n".join(rows))):
            lines = [line.rstrip() for line in file.lines]
            below = range(section.span.line, len(lines))
            place = next((n + 1 for n in below if lines[n].lstrip() == rows[0]), section.span.line)
            span = Span(file, place, 1, place, len(rows[0]) + 1)
            message = "this reads like a rule, but stands outside of the rules blocks"
            yield Diagnostic("house-prose", message, span, severity="warning", help=_HINT)
            return  # who forgot the block forgot it for all of them


def _candidates(prose: str) -> Iterator[list[str]]:
    """Lines that may be the beginning of a rule, with those below."""
    for block in re.split(r"\n\s*\n", _OTHER_BLOCK.sub("\n", prose)):
        # four spaces make a block of code elsewhere in Markdown
        rows = [row.rstrip() for row in dedent(block).split("\n")]
        yield from (rows[n : n + MOST_ROWS] for n, row in enumerate(rows) if _SMALL.match(row))


def _is_rule(text: str, file: SourceFile) -> bool:
    read = parse_amendment(text, file, 1, thorough=False), parse_rule(text, file, 1, thorough=False)
    return any(node is not None and not problems for node, problems in read)
