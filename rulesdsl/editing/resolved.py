"""Names inside of expressions and steps, as the checker resolved them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulesdsl import program as pg
from rulesdsl.base.source import Span
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.editing.written import noun_name
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import singular_of
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute, World


def resolved_names(ctx: Context, rule: object) -> Iterator[Occurrence]:
    """Every name of one rule of a program; variables with the place where they are declared."""
    variables: dict[int, pg.Var] = {}
    for part in parts_of(rule):
        if isinstance(part, pg.VarGet):
            variables[id(part.var)] = part.var
        elif isinstance(part, pg.Var):
            variables[id(part)] = part
            continue
        source = getattr(part, "source", None)
        if isinstance(source, sx.Node) and source.span.file.text:
            yield from _named(ctx, part, source)
    for var in variables.values():
        if var.span is not None and var.name != "it" and (place := _declared(var)) is not None:
            yield Occurrence(variable(var), place, declares=True)


def variable(var: pg.Var, word: str = "") -> Symbol:
    """A variable is known by the place that declares it; a member of `attackers` is also an `attacker`."""
    span = var.span
    place = f"{span.file.path}:{span.line}:{span.column}" if span is not None else ""
    return Symbol("variable", f"{word or var.name}@{place}")


def _declared(var: pg.Var) -> Span | None:
    assert var.span is not None
    span = word_in(var.span, var.name)
    if span.text == var.name:
        # `units as victim`: the first word of that name may be another one
        found = re.search(rf"\bas\s+({re.escape(var.name)})\b", var.span.file.line(var.span.line))
        if found and found.start(1) >= var.span.column - 1:
            return Span(span.file, var.span.line, found.start(1) + 1, var.span.line, found.end(1) + 1)
        return span
    return None


def parts_of(value: object) -> Iterator[object]:
    """Everything inside a rule of a program."""
    pending = [value]
    while pending:
        part = pending.pop()
        if part is None or isinstance(part, (str, int, sx.Node, Type, Attribute, World, Span)):
            continue
        if isinstance(part, tuple):
            pending.extend(part)
        elif is_dataclass(part):
            yield part
            if not isinstance(part, pg.Var):
                pending.extend(getattr(part, name) for name in _names_of(type(part)))


def _names_of(kind: type) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(spec.name for spec in fields(kind))
    return _FIELDS[kind]


_FIELDS: dict[type, tuple[str, ...]] = {}


def _named(ctx: Context, part: object, source: sx.Node) -> Iterator[Occurrence]:
    match part:
        case pg.VarGet(var=var) if isinstance(source, sx.Name):
            place = _without_article(source)
            if place.text == source.id:  # `that is river` speaks of it without saying so
                yield Occurrence(variable(var, source.id), place)
        case pg.TrackGet(track=name) if isinstance(source, sx.Name):
            yield from _word(Symbol("track", name), source)
        case pg.SettingGet(name=name):
            yield from _word(Symbol("setting", name), source)
        case pg.FieldGet(record=record, field=name):
            yield from _record(record, source)
            symbol = Symbol("field", f"{record}.{name}")
            yield from _word(symbol, source) or _word(symbol, source, singular_of(name))
        case pg.AttrGet(attribute=attribute):
            yield from _word(Symbol("attribute", f"{attribute.universe}.{attribute.name}"), source)
        case pg.CallE(define=name):
            yield from _word(Symbol("define", name), source)
            yield from _arguments(ctx, name, source)
        case pg.QuantityE(quantity=name):
            yield from _record(name.partition(".")[0] if "." in name else "", source)
            yield from _word(Symbol("quantity", name), source)
            yield from _arguments(ctx, name, source)
        case pg.RouteE(route=name):
            yield from _word(Symbol("route", name), source)
        case pg.LegalE(action=name):
            yield from _word(Symbol("action", name), source)
        case pg.ResultField(result=pg.E(type=Type(name=table)), field=name):
            yield from _word(Symbol("column", f"{table}.{name}"), source)
        case pg.ClassSet():
            yield from _class_set(ctx, part, source)
        case pg.Const(value=int() as value) if part.type.kind in ("enum", "thing") and value >= 0:
            yield from _constant(ctx, part.type, value, source)
        case pg.SetAttr(attribute=attribute) | pg.MarkS(attribute=attribute):
            yield from _changed(attribute, source)
        case pg.SetTrack(track=name) if isinstance(source, (sx.Assign, sx.Increase)):
            yield from _word(Symbol("track", name), source.target)
        case pg.SetField(record=record, field=name) if isinstance(source, (sx.Assign, sx.Increase)):
            yield from _record(record, source.target)
            yield from _word(Symbol("field", f"{record}.{name}"), source.target)
        case pg.DoS(procedure=name) if isinstance(source, sx.Do):
            for given in source.arguments:
                if given.name is not None and (param := _parameter(ctx, name, given.name)) is not None:
                    yield Occurrence(variable(param), word_in(given.span, given.name))


def _word(symbol: Symbol, source: sx.Node, word: str = "") -> list[Occurrence]:
    """A symbol where its word stands in a piece of source, if that is what stands there."""
    word = word or symbol.word
    match source:
        case sx.Name(id=written):
            return [Occurrence(symbol, _without_article(source))] if written == word else []
        case sx.Attr(name=written):
            return [Occurrence(symbol, source.name_span)] if written == word else []
        case sx.Call(name=written):
            return [Occurrence(symbol, word_in(source.span, word))] if written == word else []
        case sx.Related(relation=written) | sx.TailRelated(relation=written):
            return [Occurrence(symbol, word_in(source.span, word))] if written == word else []
        case _:
            pass  # its word stands nowhere
    return []


def _without_article(name: sx.Name) -> Span:
    """`is a hex`: the name is the second word."""
    return name.span if name.span.text == name.id else word_in(name.span, name.id)


def _record(record: str, source: sx.Node) -> Iterator[Occurrence]:
    match source:
        case sx.Attr(of=sx.Name(id=word)) if word == record:
            yield Occurrence(Symbol("record", record), source.of.span)


def _arguments(ctx: Context, name: str, source: sx.Node) -> Iterator[Occurrence]:
    """`f(target: zone)` names a parameter of f."""
    if isinstance(source, sx.Call):
        for given in source.arguments:
            if given.name is not None and (var := _parameter(ctx, name, given.name)) is not None:
                yield Occurrence(variable(var), word_in(given.span, given.name))


def _parameter(ctx: Context, owner: str, name: str) -> pg.Var | None:
    params = ctx.resolved[owner].params if owner in ctx.resolved else ctx.params.get(owner, ())
    return next((var for var in params if var.name == name), None)


def _class_set(ctx: Context, part: pg.ClassSet, source: sx.Node) -> Iterator[Occurrence]:
    if isinstance(source, sx.Name):
        if source.id in ctx.world.nouns:
            yield Occurrence(Symbol("noun", noun_name(ctx, source.id)), _without_article(source))
        elif part.type.of_enum:
            yield Occurrence(Symbol("enum", part.type.name), _without_article(source))


def _constant(ctx: Context, type_: Type, value: int, source: sx.Node) -> Iterator[Occurrence]:
    if type_.kind == "enum" and type_.name in ctx.world.enums:
        values = ctx.world.enums[type_.name].values
        if value < len(values):
            yield from _word(Symbol("value", f"{type_.name}.{values[value]}"), source)
    elif type_.kind == "thing" and value < len(ctx.world.universes[type_.name]):
        symbol = Symbol("thing", f"{type_.name}:{ctx.world.universes[type_.name].ids[value]}")
        if isinstance(source, sx.Numbered):
            yield Occurrence(symbol, word_in(source.span, source.number))
        else:
            yield from _word(symbol, source)


def _changed(attribute: Attribute, source: sx.Node) -> Iterator[Occurrence]:
    symbol = Symbol("attribute", f"{attribute.universe}.{attribute.name}")
    match source:
        case sx.Assign(target=target) | sx.Increase(target=target):
            yield from _word(symbol, target)
        case sx.Mark(flag=flag) | sx.Unmark(flag=flag) if flag == attribute.name:
            line = source.span.file.line(source.span.line)
            if found := re.compile(rf"\bas\s+({re.escape(flag)})\b").search(line, source.span.column - 1):
                span = source.span
                place = Span(span.file, span.line, found.start(1) + 1, span.line, found.end(1) + 1)
                yield Occurrence(symbol, place)
