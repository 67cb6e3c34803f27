"""Names that mean what they mean by where they stand: `modify strength`, `do fight`, `despite 7.1.4`, types.

Names inside of expressions depend on types and variables: those come from the checker (resolved.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from rulesdsl.base.source import Span
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT, ODDS


def written_names(ctx: Context, rule: sx.Node) -> Iterator[Occurrence]:
    """Every such name of one statement or example."""
    if isinstance(rule, sx.Rule):
        yield from _head(ctx, sx.closed(rule))
    for node in sx.walk(rule):
        yield from _inside(ctx, node)


def _at(kind: str, name: str, span: Span, word: str = "", declares: bool = False) -> Iterator[Occurrence]:
    """The symbol at the first place of its word in a span, if it stands there at all."""
    word = word or Symbol(kind, name).word
    place = word_in(span, word)
    if place.text == word:
        yield Occurrence(Symbol(kind, name), place, declares)


def _after(span: Span, lead: str, kind: str, name: str, word: str = "") -> Iterator[Occurrence]:
    """The symbol behind a word of the language, on one of the lines of a span."""
    word = word or Symbol(kind, name).word
    for number in range(span.line, max(span.line, span.end_line) + 1):
        line = span.file.line(number)
        start = span.column - 1 if number == span.line else 0
        if found := re.compile(rf"\b{lead}\s+(?:[\w.]+\s*,\s*)*({re.escape(word)})\b").search(line, start):
            place = Span(span.file, number, found.start(1) + 1, number, found.end(1) + 1)
            yield Occurrence(Symbol(kind, name), place)
            return


def _head(ctx: Context, node: sx.AnyRule) -> Iterator[Occurrence]:
    """What a statement declares or changes."""
    span = node.span
    match node:
        case sx.Define(name=name, form=form):
            written = name.removeprefix(INVARIANT) if form == "always" else name
            yield from _at("define", name, span, written, declares=True)
        case sx.Quantity(name=name, record=record) | sx.Modify(name=name, record=record):
            full = f"{record}.{name}" if record else name
            if record:
                yield from _at("record", record, span)
            yield from _at("quantity", full, span, name, declares=isinstance(node, sx.Quantity))
        case sx.Search(name=name, procedure=does):
            yield from _at("define", name, span, declares=True)
            yield from _after(span, "do", "procedure", does)
        case sx.Action(name=name):
            yield from _at("action", name, span, declares=True)
        case sx.Route(name=name):
            yield from _at("route", name, span, declares=True)
            for word, _ in node.through:
                yield from _after(span, "through", "noun", noun_name(ctx, word), word)
            for word, _ in node.ending:
                yield from _after(span, r"ending\s+in", "noun", noun_name(ctx, word), word)
            if node.along is not None and node.along in ctx.world.nouns:
                yield from _after(span, "along", "noun", noun_name(ctx, node.along), node.along)
        case sx.Procedure(name=name):
            weighed = name.startswith(ODDS) and span.text.startswith("weigh")
            yield from _at(
                "procedure", name, span, name.removeprefix(ODDS) if weighed else name, declares=True
            )
        case sx.Window(name=name):
            yield from _at("window", name, span, declares=True)
        case sx.Token(name=name):
            yield from _at("token", name, span, declares=True)
        case sx.Reading(name=name, alternatives=values):
            yield from _at("setting", name, span, declares=True)
            for value in values:
                yield from _at("value", f"{name}.{value}", span, declares=True)
        case sx.Option(name=name) | sx.Parameter(name=name):
            yield from _at("setting", name, span, declares=True)
        case sx.Enumeration(name=name, values=values):
            yield from _at("enum", name, span, declares=True)
            for value in values:
                yield from _at("value", f"{name}.{value}", span, declares=True)
        case sx.TrackDecl(name=name):
            yield from _at("track", name, span, declares=True)
        case sx.RecordDecl(name=name, fields=parts):
            yield from _at("record", name, span, declares=True)
            for part in parts:
                yield from _at("field", f"{name}.{part.name}", part.span, part.name, declares=True)
        case sx.ClassDecl():
            yield from _class(node)
        case sx.GroupDecl(name=name, piece=piece, attribute=attribute):
            yield from _at("noun", name, span, declares=True)
            yield from _at("noun", piece, span)
            yield from _at("attribute", f"piece.{attribute}", span)
        case sx.Permission(actions=actions):
            for name in actions:
                yield from _at("action" if name in ctx.actions else "route", name, span)
            if node.via is not None and node.via_name is not None and node.via_name in ctx.world.nouns:
                via = node.via.replace(" ", r"\s+")
                yield from _after(span, via, "noun", noun_name(ctx, node.via_name), node.via_name)
        case sx.Must(action=name):
            yield from _at("action", name, span)
        case sx.Trigger(event=event):
            yield from _event(ctx, event)
        case _:
            assert_never(node)


def _class(node: sx.ClassDecl) -> Iterator[Occurrence]:
    name = node.name or node.kind
    yield from _at("noun", name, node.span, declares=True)
    if node.plural:
        yield from _at("noun", name, node.span, node.plural)
    for attribute in node.attributes:
        full = f"{node.kind}.{attribute.name}"
        yield from _at("attribute", full, attribute.span, attribute.name, declares=True)
        for shown in attribute.showing:
            yield from _at("attribute", f"{node.kind}.{shown}", attribute.span, shown)


def _event(ctx: Context, event: sx.Event) -> Iterator[Occurrence]:
    if event.kind in ("begins", "ends"):
        yield from _at("procedure", event.subject, event.span)
        return
    yield from _at("noun", event.subject, event.span)
    found = ctx.world.nouns.get(event.subject)
    if event.object and event.kind == "changes" and found is not None:
        yield from _at("attribute", f"{found[0]}.{event.object}", event.span, event.object)
    elif event.object:
        yield from _at("noun", event.object, event.span)


def _inside(ctx: Context, node: sx.Node) -> Iterator[Occurrence]:
    """Names inside of a statement that stand for themselves."""
    match node:
        case sx.ParagraphRef(id=number):
            yield Occurrence(Symbol("paragraph", number), node.span)
        case sx.Do(name=name):
            yield from _after(node.span, "do", "procedure", name)
        case sx.OpenWindow(name=name):
            yield from _after(node.span, "open", "window", name)
        case sx.PlayIn(window=name):
            yield from _after(node.span, r"play\s+in", "window", name)
        case sx.Travel(route=name):
            yield from _after(node.span, "by", "route", name)
        case sx.Mark(until=str() as name):
            yield from _after(node.span, r"end\s+of", "procedure", name)
        case sx.ActionUse(name=name):
            yield from _at("action", name, node.span)
        case sx.Lookup(table=name):
            yield from _after(node.span, "table", "table", name)
        case sx.With(record=name, arguments=arguments):
            yield from _after(node.span, "with", "record", name)
            for argument in arguments:
                if argument.name is not None:
                    yield from _at("field", f"{name}.{argument.name}", argument.span, argument.name)
        case sx.SettingGiven(name=name):
            yield from _at("setting", name, node.span)
            if isinstance(node.value, sx.Name):
                yield from _at("value", f"{name}.{node.value.id}", node.value.span)
        case sx.Example(scenario=str() as name):
            yield from _after(node.span, "scenario", "scenario", name)
        case sx.Param(name=name, type=None) if name in ctx.world.nouns or name in ctx.world.enums:
            yield from _noun_or_enum(ctx, name, node.span)
        case sx.Type(parts=parts):
            for part in parts:
                yield from _noun_or_enum(ctx, part, node.span)
        case sx.Attribute(default=sx.Name(id=word), type=type_, name=name):
            yield from _default(ctx, name, type_, word, node)
        case sx.TrackDecl(default=sx.Name(id=word), type=type_, name=name):
            yield from _default(ctx, name, type_, word, node)
        case _:
            pass  # has no names but in its parts


def _noun_or_enum(ctx: Context, word: str, span: Span) -> Iterator[Occurrence]:
    if word in ctx.world.nouns:
        yield from _at("noun", noun_name(ctx, word), span, word)
    elif word in ctx.world.enums:
        yield from _at("enum", word, span)
    else:
        enums = [enum for enum in ctx.world.enums.values() if word in enum.values]
        inline = [enum for enum in enums if enum.span == span and enum.span.file is span.file]
        if inline:
            yield from _at("value", f"{inline[0].name}.{word}", span, word, declares=True)


def _default(
    ctx: Context, name: str, type_: sx.Type, word: str, node: sx.Attribute | sx.TrackDecl
) -> Iterator[Occurrence]:
    if node.default is None:
        return
    enum = type_.parts[0] if len(type_.parts) == 1 else name
    if enum in ctx.world.enums and word in ctx.world.enums[enum].values:
        yield from _at("value", f"{enum}.{word}", node.default.span, word)
    for part in type_.parts:  # a player, a space: `track mover: player = white`
        universe = ctx.world.nouns[part][0] if part in ctx.world.nouns else ""
        if universe and word in ctx.world.universes[universe].index:
            yield from _at("thing", f"{universe}:{word}", node.default.span, word)


def noun_name(ctx: Context, word: str) -> str:
    """The class a singular or plural speaks of."""
    if word not in ctx.world.plurals:
        return word
    meant = ctx.world.nouns[word]
    return next((n for n, m in ctx.world.nouns.items() if m == meant and n not in ctx.world.plurals), word)
