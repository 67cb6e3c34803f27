"""Where a name that somebody nearly wrote stands, and which words of the language look like it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rulesdsl.base.source import Span
from rulesdsl.base.suggestions import nearest, vocabulary
from rulesdsl.language import syntax as sx

if TYPE_CHECKING:
    from rulesdsl.checking.context import Context, Scope


def place_of(ctx: Context, name: str, scope: Scope | None = None) -> Span | None:
    """Where a name was declared: a misspelt declaration is found by those who miss it."""
    spans = (span for span in _places(ctx, name, scope) if span.file.text)  # what is built in stands nowhere
    return next((word_in(span, name) for span in spans), None)


def _places(ctx: Context, name: str, scope: Scope | None) -> Iterator[Span]:
    var = scope.find(name) if scope is not None else None
    if var is not None and var.span is not None:
        yield var.span
    tables: tuple[Mapping[str, tuple[str, sx.Rule]], ...] = (
        ctx.defines, ctx.quantities, ctx.actions, ctx.routes, ctx.procedures, ctx.windows, ctx.tokens,
    )  # fmt: skip
    yield from (table[name][1].span for table in tables if name in table)
    if name in ctx.settings:
        yield ctx.settings[name].source.span
    world = ctx.world
    if name in world.tracks:
        yield world.tracks[name].span
    if name in world.roles:
        record, part = world.roles[name]
        yield world.records[record].field_spans.get(part, world.records[record].span)
    yield from (record.field_spans[name] for record in world.records.values() if name in record.field_spans)
    for (_, attribute), known in world.attributes.items():
        if attribute == name:
            yield known.span
    yield from (enum.span for enum in world.enums.values() if name in enum.values)


def word_in(span: Span, word: str) -> Span:
    """The place of a word in a statement and the lines indented below it; all of it when it is not there."""
    pattern = re.compile(rf"\b{re.escape(word)}\b")
    number, start = span.line, span.column - 1
    while number <= max(span.line, span.end_line) or span.file.line(number)[:1].isspace():
        if found := pattern.search(span.file.line(number), start):
            return Span(span.file, number, found.start() + 1, number, found.end() + 1)
        number, start = number + 1, 0
    return span


def keywords_like(word: str) -> tuple[str, ...]:
    """The words of the language that differ by one slip of the finger: `wher` may be `when` or `where`."""
    from rulesdsl.language.parsing.grammar import spellings  # only here: the tables take a tenth of a second

    return tuple(near for slips, near in nearest(word, vocabulary(spellings())) if slips == 1)
