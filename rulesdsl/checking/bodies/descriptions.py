"""What may stand after `is`: words, places, sets, relations, values; and whether two values can be equal."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import adjective, resolve_name, space_of
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import FLAG, NONE, UNKNOWN, Type, fits, thing


def describe(ctx: Context, scope: Scope, subject: pg.E, description: sx.Description, node: sx.Node) -> pg.E:
    """The condition after `is`."""
    from rulesdsl.checking.bodies.expressions import expression, group

    if subject.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    match description:
        case sx.Described(words=words):
            parts = tuple(adjective(ctx, scope, subject, word, description.span) for word in words)
            return pg.LogicE("and", parts, type=FLAG, source=node)
        case sx.InPlace(place=place):
            where = expression(ctx, scope, place)
            here = space_of(subject)
            if where.type.kind == "set":
                return pg.Member(here, where, type=FLAG, source=node)
            return equal(ctx, here, where, node)
        case sx.AmongSet(group=members):
            universe, of = (subject.type.name, subject.type.of) if subject.type.kind == "thing" else ("", "")
            found = group(ctx, scope, members, universe, of)
            return pg.Member(subject, found, type=FLAG, source=node)
        case sx.Related(relation=relation, other=other):
            return related(ctx, subject, relation, expression(ctx, scope, other), description)
        case sx.OneOf(names=names):
            parts = tuple(
                describe(ctx, scope, subject, sx.Name(n, span=description.span), node) for n in names
            )
            return pg.LogicE("or", parts, type=FLAG, source=node)
        case sx.Name(id=word):
            return _is_word(ctx, scope, subject, description, word, node)
        case _:
            return equal(ctx, subject, expression(ctx, scope, description, None), node)


def _is_word(ctx: Context, scope: Scope, subject: pg.E, written: sx.Name, word: str, node: sx.Node) -> pg.E:
    var = scope.find(word)
    if var is not None:
        value = pg.VarGet(var, type=var.type, source=written)
        if var.type.kind == "set" and subject.type.kind == "thing":
            return pg.Member(subject, value, type=FLAG, source=node)
        return equal(ctx, subject, value, node)
    if word == "none":
        return pg.CompareE("=", subject, pg.Const(-1, type=NONE), type=FLAG, source=node)
    if subject.type.kind == "thing":
        universe = ctx.world.universes[subject.type.name]
        if word in universe.index and word not in ctx.world.nouns:
            number = universe.index[word]
            here = pg.Const(number, type=thing(universe.name, universe.class_of(number)), source=written)
            return equal(ctx, subject, here, node)
        if word in ctx.world.tracks or _is_thing_field(ctx, word):
            return equal(ctx, subject, resolve_name(ctx, scope, written, subject.type), node)
        return adjective(ctx, scope, subject, word, written.span)
    return equal(ctx, subject, resolve_name(ctx, scope, written, subject.type), node)


def _is_thing_field(ctx: Context, word: str) -> bool:
    return any(word in r.fields and r.fields[word].kind == "thing" for r in ctx.world.records.values())


def related(ctx: Context, subject: pg.E, relation: str, other: pg.E, node: sx.Node) -> pg.E:
    """`x is adjacent to y`, or a define with two parameters used as a relation."""
    if relation == "adjacent":
        places = pg.Neighbours(space_of(other), type=Type("set", "space"), source=node)
        return pg.Member(space_of(subject), places, type=FLAG, source=node)
    if relation not in ctx.defines:
        two = [n for n, (_, d) in ctx.defines.items() if len(d.params) == 2]
        ctx.unknown("no relation is called", relation, node.span, ["adjacent", *two])
        return pg.Const(0, type=UNKNOWN, source=node)
    from rulesdsl.checking.bodies.meanings import resolve_define

    ctx.used.add(relation)
    define = resolve_define(ctx, relation)
    values = (subject, other)
    if len(define.params) != 2 or not all(
        fits(v.type, p.type) for v, p in zip(values, define.params, strict=False)
    ):
        ctx.problem("wrong-arguments", f'"{relation}" does not relate these two', node.span)
    return pg.CallE(relation, values, type=FLAG, source=node)


def _likens(left: pg.E, right: pg.E, node: sx.Node) -> bool:
    """`zone = woods` instead of `zone is woods`"""
    return isinstance(node, sx.Compare) and left.type.kind == "thing" and right.type.kind == "enum"


def equal(ctx: Context, left: pg.E, right: pg.E, node: sx.Node) -> pg.E:
    if not fits(left.type, right.type) and not fits(right.type, left.type):
        hint = ""
        if _likens(left, right, node):
            hint = Advice('write "is": what a thing is like is no value', fixes.word("=", "is"),
                          fixes.word("!=", "is not"))  # fmt: skip
        ctx.problem("type-mismatch", f"a {left.type} is never a {right.type}", node.span, hint)
    return pg.CompareE("=", left, right, type=FLAG, source=node)
