"""Names in what only house rules say: headings with paragraph numbers, `set`, `repeal`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.base.source import Span
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax

_DECLARING = (
    ("define", "defines"), ("quantity", "quantities"), ("action", "actions"), ("route", "routes"),
    ("procedure", "procedures"), ("window", "windows"), ("token", "tokens"),
)  # fmt: skip


def house_names(ctx: Context, rule: ax.HouseRule) -> Iterator[Occurrence]:
    """The names of a house rule that stand in no ordinary statement."""
    for section in rule.sections:
        for number in dict.fromkeys((section.anchor, section.paragraph)):
            if number:
                yield from _number(
                    section.span, number, declares=section.verb == "after" and number != section.anchor
                )
        for amend in section.amends:
            yield from _amend(ctx, amend)


def _number(span: Span, number: str, declares: bool = False) -> Iterator[Occurrence]:
    line = span.file.line(span.line)
    if found := re.search(rf"(?<![\w.]){re.escape(number)}(?![\w.])", line):
        place = Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)
        yield Occurrence(Symbol("paragraph", number), place, declares)


def _at(kind: str, name: str, span: Span, word: str = "") -> Iterator[Occurrence]:
    word = word or Symbol(kind, name).word
    place = word_in(span, word)
    if place.text == word:
        yield Occurrence(Symbol(kind, name), place)


def _amend(ctx: Context, node: ax.Amend) -> Iterator[Occurrence]:
    match node:
        case ax.SetSetting(name=name, value=value):
            yield from _at("setting", name, node.span)
            if isinstance(value, sx.Name):
                yield from _at("value", f"{name}.{value.id}", value.span)
        case ax.SetValue(thing=thing, attribute=name, values=values):
            universe = _universe(ctx, thing.rpartition(" ")[2])
            if universe:
                yield from _at("thing", f"{universe}:{thing.rpartition(' ')[2]}", node.span)
                yield from _attribute(ctx, universe, name, values, node.span)
        case ax.SetBorder(here=here, there=there, attribute=name, values=values):
            for end in (here, there):
                yield from _at("thing", f"space:{end.rpartition(' ')[2]}", node.span)
            yield from _attribute(ctx, "border", name, values, node.span)
        case ax.SetCell(table=table, keys=keys, value=value):
            yield from _at("table", table, node.span)
            known = ctx.tables.get(table)
            for key, written in zip(known.keys if known is not None else (), keys, strict=False):
                if key.of in ctx.world.enums and written.text in ctx.world.enums[key.of].values:
                    yield from _at("value", f"{key.of}.{written.text}", written.span)
            if known is not None and isinstance(value, sx.Name) and known.result.of in ctx.world.enums:
                yield from _at("value", f"{known.result.of}.{value.id}", value.span)
        case ax.Repeal(name=name, labelled=False):
            for kind, table_name in _DECLARING:
                if name in getattr(ctx, table_name):
                    yield from _at(kind, name, node.span)
        case _:
            pass  # has no names but in its parts


def _universe(ctx: Context, thing: str) -> str:
    return next((u for u, all_of in ctx.world.universes.items() if thing in all_of.index), "")


def _attribute(
    ctx: Context, universe: str, name: str, values: tuple[sx.Expr, ...], span: Span
) -> Iterator[Occurrence]:
    found = ctx.world.attributes.get((universe, name))
    if found is None:
        return
    line = span.file.line(span.line)
    if place := re.compile(rf"\.({re.escape(name)})\b").search(line, span.column - 1):
        where = Span(span.file, span.line, place.start(1) + 1, span.line, place.end(1) + 1)
        yield Occurrence(Symbol("attribute", f"{universe}.{name}"), where)
    for value in values:
        if isinstance(value, sx.Name) and found.type.kind == "enum":
            yield from _at("value", f"{found.type.name}.{value.id}", value.span)
        elif isinstance(value, sx.Name) and found.type.kind == "thing":
            yield from _at("thing", f"{found.type.name}:{value.id}", value.span)
