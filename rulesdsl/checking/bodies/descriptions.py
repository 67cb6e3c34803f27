"""What may stand after `is`: words, places, sets, relations, values; and whether two values can be equal."""

from __future__ import annotations

from fractions import Fraction

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import adjective, as_argument, resolve_name, space_of
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import CANCELLED
from rulesdsl.program.types import FLAG, NONE, NUMBER, UNKNOWN, Type, fits, thing


def describe(ctx: Context, scope: Scope, subject: pg.E, description: sx.Description, node: sx.Node) -> pg.E:
    """The condition after `is`."""
    if subject.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    match description:
        case sx.Described(words=words):
            parts = tuple(adjective(ctx, scope, subject, word, description.span) for word in words)
            return pg.LogicE("and", parts, type=FLAG, source=node)
        case sx.InPlace(place=place):
            where = ctx.bodies.expression(ctx, scope, place)
            here = space_of(subject)
            if where.type.kind == "set":
                return pg.Member(here, where, type=FLAG, source=node)
            return equal(ctx, here, where, node)
        case sx.AmongSet(group=members):
            universe, of = (subject.type.name, subject.type.of) if subject.type.kind == "thing" else ("", "")
            found = ctx.bodies.group(ctx, scope, members, universe, of)
            return pg.Member(subject, found, type=FLAG, source=node)
        case sx.Related(relation=relation, other=other):
            found = related(ctx, subject, relation, other_of(ctx, scope, relation, other), description)
            _preposition(ctx, description)
            return found
        case sx.OneOf(names=names, plain=plain):
            parts = tuple(_either(ctx, scope, subject, n, description, node, plain) for n in names)
            return pg.LogicE("or", parts, type=FLAG, source=node)
        case sx.Within(low=low, high=high):
            if not fits(subject.type, NUMBER):
                ctx.mismatch("a number", subject.type, node.span)
                return pg.Const(0, type=UNKNOWN, source=node)
            ends = ((">=", low), ("<=", high))
            limits = tuple(
                pg.CompareE(op, subject, pg.Const(end, type=NUMBER, source=description), type=FLAG,
                            source=node)
                for op, end in ends
            )  # fmt: skip
            return pg.LogicE("and", limits, type=FLAG, source=node)
        case sx.Name(id="odd" | "even" as word) if _counts(ctx, scope, subject, word):
            two = pg.Const(2, type=NUMBER, source=description)
            rest = pg.BuiltinE("remainder", (subject, two), type=NUMBER, source=node)
            return pg.CompareE(
                "=", rest, pg.Const(int(word == "odd"), type=NUMBER, source=description), type=FLAG,
                source=node,
            )  # fmt: skip
        case sx.Name(id=word):
            return _is_word(ctx, scope, subject, description, word, node)
        case _:
            return equal(ctx, subject, ctx.bodies.expression(ctx, scope, description, None), node)


def _either(
    ctx: Context, scope: Scope, subject: pg.E, word: str, written: sx.OneOf, node: sx.Node, plain: bool
) -> pg.E:
    """One of several words, or of several numbers. After a plain `or` a condition may stand as well."""
    if word.isdigit():
        number = sx.Number(Fraction(int(word[:15])), span=written.span)
        return equal(ctx, subject, ctx.bodies.expression(ctx, scope, number, None), node)
    name = sx.Name(word, span=written.span)
    if plain and word != written.names[0] and is_condition(ctx, scope, word):
        return ctx.bodies.condition(ctx, scope, name)
    return describe(ctx, scope, subject, name, node)


def is_condition(ctx: Context, scope: Scope, word: str) -> bool:
    """Whether a word by itself holds or does not: `zone is open or cancelled`."""
    var = scope.find(word)
    if var is not None:
        return var.type.kind == "flag"
    if word in ("true", "false", CANCELLED, "first_step"):
        return True
    track = ctx.world.tracks.get(word)
    if track is not None:
        return track.type.kind == "flag"
    fields = [r.fields[word] for r in ctx.world.records.values() if word in r.fields]
    if fields:
        return fields[0].kind == "flag"
    if word in ctx.settings:
        return ctx.settings[word].type.kind == "flag"
    return word in ctx.defines and not ctx.defines[word][1].params


def _counts(ctx: Context, scope: Scope, subject: pg.E, word: str) -> bool:
    """`turn is odd`, where the word is not one of the game's own."""
    return fits(subject.type, NUMBER) and scope.find(word) is None and word not in ctx.world.tracks


def _preposition(ctx: Context, written: sx.Related) -> None:
    """A relation whose head says `foreign to` is not `foreign of` something elsewhere."""
    declared = ctx.defines.get(written.relation)
    form = declared[1].form if declared is not None else ""
    if declared is None:
        form = "to" if written.relation == "adjacent" else ""
    if form not in ("", "is", "verb", written.preposition):
        said = f"{written.relation} {form}"
        ctx.problem(
            "wrong-preposition", f'it is called "{said}"', written.span,
            Advice(f"write `{said}`", fixes.word(written.preposition, form)), about=(written.relation,),
        )  # fmt: skip


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


def other_of(ctx: Context, scope: Scope, relation: str, other: sx.Expr) -> pg.E:
    """What something is related to: a bare word is read as what the relation wants there."""
    if relation in ctx.defines and len(ctx.defines[relation][1].params) == 2:
        params = ctx.bodies.resolve_define(ctx, relation).params
        if len(params) == 2 and isinstance(other, sx.Name):
            return ctx.bodies.fitting(ctx, scope, other, params[1].type)
    return ctx.bodies.expression(ctx, scope, other)


def related(ctx: Context, subject: pg.E, relation: str, other: pg.E, node: sx.Node) -> pg.E:
    """`x is adjacent to y`, or a define with two parameters used as a relation."""
    if relation == "adjacent":
        places = pg.Neighbours(space_of(other), type=Type("set", "space"), source=node)
        return pg.Member(space_of(subject), places, type=FLAG, source=node)
    if relation not in ctx.defines:
        two = [n for n, (_, d) in ctx.defines.items() if len(d.params) == 2]
        ctx.unknown("no relation is called", relation, node.span, ["adjacent", *two])
        return pg.Const(0, type=UNKNOWN, source=node)
    ctx.used.add(relation)
    define = ctx.bodies.resolve_define(ctx, relation)
    values = (subject, other)
    if any(value.type.kind == "unknown" for value in values):
        return pg.Const(0, type=UNKNOWN, source=node)
    if len(define.params) != 2 or not all(
        fits(v.type, as_argument(p.type)) for v, p in zip(values, define.params, strict=False)
    ):
        ctx.problem(
            "wrong-arguments", f'"{relation}" does not relate these two', node.span, about=(relation,)
        )
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
        ctx.problem(
            "type-mismatch",
            f"a {left.type} is never a {right.type}",
            node.span,
            hint,
            about=(left.type, right.type),
        )
    return pg.CompareE("=", left, right, type=FLAG, source=node)
