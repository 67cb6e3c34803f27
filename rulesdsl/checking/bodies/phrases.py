"""Noun phrases: adjectives, a noun, and tails that narrow it, as a set and its member variable."""

from __future__ import annotations

from typing import assert_never

from rulesdsl import program as pg
from rulesdsl.base.source import Span
from rulesdsl.checking.bodies.descriptions import other_of, related
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import adjective, attributes_like, known_words, space_of, tell_ambiguous
from rulesdsl.checking.names.near_names import keywords_like
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of, singular_of
from rulesdsl.program.types import FLAG, UNKNOWN, Type, set_of, thing

SWALLOWED = 'this belongs to the "where" before it, but does not speak of its members'
IN_PARENTHESES = "put the noun with its `where` in parentheses, or this condition in front of it"


def noun_phrase(ctx: Context, scope: Scope, node: sx.NounPhrase) -> tuple[pg.E, pg.Var, Scope]:
    """The set, the variable of its members, and a scope in which that variable is `it`."""
    spans = node.word_spans or (node.span,) * len(node.words)
    base = _numbers(ctx, scope, node) or _base(ctx, scope, node.words, spans)
    alias = node.alias
    var = pg.Var(alias or "it", base.type.member if base.type.kind == "set" else UNKNOWN, node.span)
    inside = scope.inner(("it", var), *([(alias, var)] if alias else []))
    if base.type.kind == "unknown":
        for tail in node.tails:
            if isinstance(tail, (sx.TailIn, sx.TailAmong)):
                ctx.bodies.expression(ctx, scope, tail.place if isinstance(tail, sx.TailIn) else tail.group)
        return base, var, inside
    member = pg.VarGet(var, type=var.type, source=node)
    found = base
    for word, span in zip(node.words[:-1], spans, strict=False):
        test = adjective(ctx, scope, member, word, span)
        if test.type.kind == "unknown" and keywords_like(word):  # what the whole was to be is not known
            return pg.Const(0, type=UNKNOWN, source=node), var, inside
        found = pg.Filter(found, var, test, type=found.type, source=node)
    for tail in node.tails:
        found = _apply(ctx, scope, inside, found, var, tail)
    return found, var, inside


def _numbers(ctx: Context, scope: Scope, node: sx.NounPhrase) -> pg.E | None:
    """`a number from 1 to player.coins`: whole numbers as a set."""
    for tail in node.tails:
        if isinstance(tail, sx.TailRange):
            low, high = ctx.bodies.number(ctx, scope, tail.low), ctx.bodies.number(ctx, scope, tail.high)
            return pg.NumbersE(low, high, type=set_of("number"), source=tail)
    return None


def _base(ctx: Context, scope: Scope, words: tuple[str, ...], spans: tuple[Span, ...]) -> pg.E:
    world, noun, span = ctx.world, words[-1], spans[-1]
    node = sx.Name(noun, span=span)
    var = scope.find(noun)
    if var is not None and var.type.kind == "set":
        return pg.VarGet(var, type=var.type, source=node)
    if noun in world.roles:
        record, part = world.roles[noun]
        ctx.used.add(f"{record}.{part}")
        return pg.FieldGet(record, part, type=world.records[record].fields[part], source=node)
    if noun in world.nouns:
        return pg.ClassSet(type=set_of(*world.nouns[noun]), source=node)
    if noun in ctx.defines and not ctx.defines[noun][1].params:
        ctx.used.add(noun)
        define = ctx.bodies.resolve_define(ctx, noun)
        if define.type.kind == "set":
            return pg.CallE(noun, (), type=define.type, source=node)
    for name in world.enums:  # `chooses a direction`: the values of an enumeration
        if noun in (name, plural_of(name)):
            return pg.ClassSet(type=Type("set", name, of_enum=True), source=node)
    track = world.tracks.get(noun)
    if track is not None and track.type.kind == "set":
        ctx.used.add(noun)
        return pg.TrackGet(noun, type=track.type, source=node)
    known = known_words(ctx, scope)
    if noun in ctx.unread or plural_of(noun) in ctx.missed:
        pass
    elif slips := [n for n, word in enumerate(words[:-1]) if word not in known and keywords_like(word)]:
        # `some unit were it.side is player`: taken for one phrase, whose last word is no noun
        ctx.unknown("nothing is called", words[slips[0]], spans[slips[0]], ())
        ctx.missed.add("it")
    elif noun in known:
        comma = len(words) == 2 and scope.find(words[0]) is not None
        hint = f'perhaps "," is missing before "{noun}"' if comma else ""
        ctx.problem(
            "not-a-noun", f'"{noun}" is no kind of thing that can be counted', span, hint, about=(noun,)
        )
    else:
        near = ctx.unknown(
            "no kind of thing is called", noun, span, [*world.nouns, *world.roles], code="unknown-noun"
        )
        # Whoever speaks of one of them, or uses the right word for what it was, has made no second mistake.
        ctx.missed |= {near, plural_of(noun), singular_of(noun)}
    return pg.Const(0, type=UNKNOWN, source=node)


def _apply(ctx: Context, scope: Scope, inside: Scope, found: pg.E, var: pg.Var, tail: sx.Tail) -> pg.E:
    universe = found.type.name
    member = pg.VarGet(var, type=var.type, source=tail)
    tail = sx.closed(tail)
    match tail:
        case sx.TailAs() | sx.TailRange():
            return found
        case sx.TailIn(place=place):
            where = ctx.bodies.expression(ctx, scope, place)
            if universe == "piece" and where.type.kind == "thing":
                inside_place = pg.PiecesIn(space_of(where), type=found.type, source=tail)
                return pg.SetOp("&", inside_place, found, type=found.type, source=tail)
            if universe == "piece" and where.type.kind == "set" and where.type.name == "space":
                test = pg.Member(space_of(member), where, type=FLAG, source=tail)
                return pg.Filter(found, var, test, type=found.type, source=tail)
            if where.type.kind == "set" and where.type.name == universe:
                return pg.SetOp("&", found, where, type=found.type, source=tail)
            ctx.mismatch("a place", where.type, place.span)
            return found
        case sx.TailAmong(group=members):
            others = ctx.bodies.group(ctx, scope, members, universe, found.type.of)
            return pg.SetOp("&", others, found, type=found.type, source=tail)
        case sx.TailExcept(group=members):
            others = ctx.bodies.group(ctx, scope, members, universe, found.type.of)
            return pg.SetOp("-", found, others, type=found.type, source=tail)
        case sx.TailBetween(one=one, other=other):
            if universe != "border":
                ctx.problem("type-mismatch", "only borders lie between two places", tail.span)
                return found
            ends = [_places(ctx, scope, e) for e in (one, other)]
            between = pg.BordersBetween(ends[0], ends[1], type=found.type, source=tail)
            return pg.SetOp("&", between, found, type=found.type, source=tail)
        case sx.TailWith(extreme=extreme, value=value):
            measured = ctx.bodies.number(ctx, inside, value)
            return pg.ArgExtreme(extreme, found, var, measured, type=found.type, source=tail)
        case sx.TailNearest(place=place):
            where = _places(ctx, scope, place)
            if universe != "space":
                ctx.problem("type-mismatch", "only spaces can be nearest to a place", tail.span)
            return pg.NearestE(found, where, type=found.type, source=tail)
        case sx.TailOf(owner=owner):
            whose = ctx.bodies.expression(ctx, scope, owner)
            own = attributes_like(ctx, member, whose.type)
            if whose.type.kind == "unknown":
                return found
            if not own:
                noun = found.type.of or universe
                ctx.problem(
                    "type-mismatch",
                    f"a {noun} has nothing that is a {whose.type}",
                    tail.span,
                    about=(noun, whose.type),
                )
                return found
            if len(own) > 1:
                tell_ambiguous(ctx, own, "…", tail.span)
            same = pg.CompareE("=", own[0], whose, type=FLAG, source=tail)
            return pg.Filter(found, var, same, type=found.type, source=tail)
        case sx.TailWhere(condition=written):
            return pg.Filter(
                found, var, ctx.bodies.condition(ctx, inside, written), type=found.type, source=tail
            )
        case sx.TailRelated(relation=relation, other=other):
            if relation == "adjacent":
                places = pg.Neighbours(_places(ctx, scope, other), type=set_of("space"), source=tail)
                if universe == "space":
                    return pg.SetOp("&", places, found, type=found.type, source=tail)
                test = pg.Member(space_of(member), places, type=FLAG, source=tail)
                return pg.Filter(found, var, test, type=found.type, source=tail)
            relates = related(ctx, member, relation, other_of(ctx, scope, relation, other), tail)
            return pg.Filter(found, var, relates, type=found.type, source=tail)
        case _:
            assert_never(tail)


def _places(ctx: Context, scope: Scope, node: sx.Expr) -> pg.E:
    """A space, or a set of spaces; pieces stand for where they are."""
    found = ctx.bodies.expression(ctx, scope, node)
    if found.type.kind == "set" and found.type.name == "piece":
        return pg.SpacesOf(found, type=set_of("space"), source=node)
    if found.type.kind == "thing" and found.type.name == "piece":
        return space_of(found)
    if found.type.kind in ("set", "thing") and found.type.name == "space":
        return found
    ctx.mismatch("a place", found.type, node.span)
    return pg.Const(-1, type=thing("space", nullable=True), source=node)


def warn_swallowed(ctx: Context, members: pg.E, var: pg.Var, denied: bool) -> None:
    """`no unit where a(it) and b` is read as no unit for which a and b hold, whatever the lines suggest.

    `some unit where a(it) and b` means the same either way, so only `or` and denials are looked at.
    """
    match members:
        case pg.Filter(source=sx.TailWhere(), condition=pg.LogicE(op=op, parts=parts)):
            if op == "and" and not denied:
                return
            for part in parts:
                if part.source is not None and not _may_mention(part, var):
                    ctx.problem("where-swallows", SWALLOWED, part.source.span, IN_PARENTHESES, warning=True)
        case _:
            pass


def _may_mention(part: pg.E, var: pg.Var) -> bool:
    """Whether it speaks of the variable, or of something unknown that may."""
    return any(
        e.type.kind == "unknown" or (isinstance(e, pg.VarGet) and e.var is var) for e in expressions_in(part)
    )
