"""Expressions: every name found, every type fitting. One function per kind of node."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from rulesdsl import program as pg
from rulesdsl.checking.bodies.descriptions import describe, equal
from rulesdsl.checking.bodies.phrases import noun_phrase, warn_swallowed
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import resolve_name
from rulesdsl.checking.names.references import arguments, attribute, call, lookup, numbered
from rulesdsl.checking.names.series import keyed
from rulesdsl.language import syntax as sx
from rulesdsl.program.logic import afterwards
from rulesdsl.program.types import FLAG, NUMBER, RATIO, TEXT, UNKNOWN, Type, fits, join


def expression(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type | None = None) -> pg.E:
    """Resolve an expression. `wanted` helps to read a bare word (an enumeration value, an id)."""
    found = _expression(ctx, scope, node, wanted)
    if wanted is not None and not fits(found.type, wanted):
        ctx.mismatch(wanted, found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    return found


def condition(ctx: Context, scope: Scope, node: sx.Expr) -> pg.E:
    return expression(ctx, scope, node, FLAG)


def number(ctx: Context, scope: Scope, node: sx.Expr) -> pg.E:
    return expression(ctx, scope, node, NUMBER)


def group(ctx: Context, scope: Scope, node: sx.Expr, universe: str = "", of: str = "") -> pg.E:
    """A set; a single thing stands for the set that holds it. It may have to be `of` a class."""
    found = expression(ctx, scope, node)
    found = _as_set(found, node)
    if found.type.kind not in ("set", "unknown"):
        ctx.mismatch("a set", found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    wanted = Type("set", universe, of)
    if universe and found.type.kind == "set" and not fits(found.type, wanted):
        ctx.mismatch(wanted, found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    return found


def fitting(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type) -> pg.E:
    """A value for a place of this type: one thing that is named may stand where a set is wanted."""
    if wanted.kind == "set" and (
        isinstance(node, (sx.Numbered, sx.Attr, sx.Keyed, sx.The))
        or (isinstance(node, sx.Name) and node.id != "none")
    ):
        return group(ctx, scope, node, wanted.name, wanted.of)
    return expression(ctx, scope, node, wanted.or_none() if wanted.kind == "thing" else wanted)


def _expression(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type | None) -> pg.E:
    node = sx.closed(node)
    match node:
        case sx.Number(value=value, ratio=ratio):
            whole = value.numerator if value.denominator == 1 else value
            return pg.Const(whole, type=RATIO if ratio else NUMBER, source=node)
        case sx.Text(value=text):
            return pg.Const(text, type=TEXT, source=node)
        case sx.Name():
            return resolve_name(ctx, scope, node, wanted)
        case sx.Numbered():
            return numbered(ctx, node)
        case sx.Attr():
            return attribute(ctx, scope, node)
        case sx.Keyed():
            return keyed(ctx, scope, node)
        case sx.Call():
            return call(ctx, scope, node)
        case sx.Negative(value=value):
            inner = number(ctx, scope, value)
            return pg.Arith("-", pg.Const(0, type=NUMBER), inner, type=NUMBER, source=node)
        case sx.Arithmetic():
            return _arithmetic(ctx, scope, node)
        case sx.Not(value=value):
            return pg.NotE(condition(ctx, scope, value), type=FLAG, source=node)
        case sx.Logic(op="and", parts=parts) if wanted is None or wanted.kind == "set":
            return _both(ctx, scope, node, parts)
        case sx.Listed(parts=parts):
            return _union(ctx, node, [group(ctx, scope, part) for part in parts])
        case sx.Logic(op=op, parts=parts):
            return pg.LogicE(op, tuple(condition(ctx, scope, p) for p in parts), type=FLAG, source=node)
        case sx.Compare():
            return _compare(ctx, scope, node)
        case sx.Is(subject=subject, negated=negated, description=description):
            plain = replace(node, negated=False) if negated else node  # facts show what was asked
            found = describe(ctx, scope, expression(ctx, scope, subject), description, plain)
            return pg.NotE(found, type=FLAG, source=node) if negated else found
        case sx.NounPhrase():
            return noun_phrase(ctx, scope, node)[0]
        case sx.Some(phrase=phrase):
            members, var, _ = noun_phrase(ctx, scope, phrase)
            warn_swallowed(ctx, members, var, denied=False)
            return pg.SomeE(members, type=_of(members, FLAG), source=node)
        case sx.NoneOf(phrase=phrase):
            asked = sx.Some(phrase, span=node.span)  # facts show what was asked, not its denial
            members, var, _ = noun_phrase(ctx, scope, phrase)
            warn_swallowed(ctx, members, var, denied=True)
            return pg.NotE(pg.SomeE(members, type=FLAG, source=asked), type=_of(members, FLAG), source=node)
        case sx.EveryIs(phrase=phrase, negated=negated, description=description):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            found = describe(ctx, inside, pg.VarGet(var, type=var.type), description, node)
            return _every(members, var, found if negated else _not(found), node)
        case sx.Every(phrase=phrase, condition=inner_condition):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            return _every(members, var, _not(condition(ctx, inside, inner_condition)), node)
        case sx.The(phrase=phrase):
            _not_the_first(ctx, scope, phrase)
            members, var, _ = noun_phrase(ctx, scope, phrase)
            return pg.FirstE(members, type=var.type.or_none(), source=node)
        case sx.NumberOf(phrase=phrase):
            return pg.CountE(noun_phrase(ctx, scope, phrase)[0], type=NUMBER, source=node)
        case sx.SumOf(value=value, phrase=phrase):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            return pg.SumE(members, var, number(ctx, inside, value), type=_of(members, NUMBER), source=node)
        case sx.ExtremeOf(extreme=extreme, value=value, phrase=phrase):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            inner = number(ctx, inside, value)
            return pg.ExtremeE(extreme, members, var, inner, type=NUMBER, source=node)
        case sx.Lookup():
            return lookup(ctx, scope, node)
        case sx.Afterwards():
            return _afterwards(ctx, scope, node, wanted)
        case sx.IfThen():
            return _if_then(ctx, scope, node, wanted)
        case _:
            assert_never(node)


def _both(ctx: Context, scope: Scope, node: sx.Expr, parts: tuple[sx.Expr, ...]) -> pg.E:
    """Conditions that hold together; or, where that is wanted, things that are named: `g606 and g72`."""
    found = [_expression(ctx, scope, part, FLAG) for part in parts]
    if all(part.type.kind in ("thing", "set") for part in found):
        return _union(ctx, node, [_as_set(part, written) for part, written in zip(found, parts, strict=True)])
    for number, (part, written) in enumerate(zip(found, parts, strict=True)):
        if not fits(part.type, FLAG):
            ctx.mismatch(FLAG, part.type, written.span)
            found[number] = pg.Const(0, type=UNKNOWN, source=written)
    return pg.LogicE("and", tuple(found), type=FLAG, source=node)


def _as_set(found: pg.E, node: sx.Expr) -> pg.E:
    if found.type.kind == "thing":
        return pg.SingleSet(found, type=Type("set", found.type.name, found.type.of), source=node)
    return found


def _union(ctx: Context, node: sx.Expr, groups: list[pg.E]) -> pg.E:
    found = groups[0]
    for other in groups[1:]:
        if "unknown" in (found.type.kind, other.type.kind):
            return pg.Const(0, type=UNKNOWN, source=node)
        if found.type.name != other.type.name:
            ctx.mismatch(found.type, other.type, node.span)
            return pg.Const(0, type=UNKNOWN, source=node)
        of = found.type.of if found.type.of == other.type.of else ""
        found = pg.SetOp("|", found, other, type=Type("set", found.type.name, of), source=node)
    return found


def _of(members: pg.E, type_: Type) -> Type:
    """What is asked of things that are not known is not known either."""
    return UNKNOWN if members.type.kind == "unknown" else type_


def _not(value: pg.E) -> pg.E:
    return pg.NotE(value, type=FLAG, source=value.source)


def _every(members: pg.E, var: pg.Var, broken: pg.E, node: sx.Node) -> pg.E:
    """`every x is y` holds when no x is not y."""
    rest = pg.Filter(members, var, broken, type=members.type, source=node)
    return pg.NotE(pg.SomeE(rest, type=FLAG, source=node), type=FLAG, source=node)


def _arithmetic(ctx: Context, scope: Scope, node: sx.Arithmetic) -> pg.E:
    left, right = number(ctx, scope, node.left), number(ctx, scope, node.right)
    if isinstance(left, pg.Const) and isinstance(right, pg.Const) and node.op == "/":
        if right.value == 0:
            if right.type.kind != "unknown":  # of a name that means nothing, that much has been told
                ctx.problem("division-by-zero", "this divides by zero", node.right.span)
            return left
        if isinstance(left.value, (int, Fraction)) and isinstance(right.value, (int, Fraction)):
            value = Fraction(left.value) / Fraction(right.value)
            whole = value.numerator if value.denominator == 1 else value
            return pg.Const(whole, type=NUMBER, source=node)
    return pg.Arith(node.op, left, right, type=NUMBER, source=node)


def _compare(ctx: Context, scope: Scope, node: sx.Compare) -> pg.E:
    if node.op in ("=", "!="):
        left = expression(ctx, scope, node.left)
        hint = left.type if left.type.kind in ("enum", "thing") else None
        right = _expression(ctx, scope, node.right, hint)
        found = equal(ctx, left, right, node)
        return _not(found) if node.op == "!=" else found
    left = expression(ctx, scope, node.left)
    if left.type.kind == "enum" and ctx.world.enums[left.type.name].ordered:
        right = expression(ctx, scope, node.right, left.type)
    else:
        if not fits(left.type, NUMBER):
            ctx.mismatch("a number", left.type, node.left.span)
        right = number(ctx, scope, node.right)
    return pg.CompareE(node.op, left, right, type=FLAG, source=node)


def _afterwards(ctx: Context, scope: Scope, node: sx.Afterwards, wanted: Type | None) -> pg.E:
    """What may follow without choices and chance is looked at when all rules are known (whole/afterwards)."""
    name, known = node.procedure, node.procedure in ctx.procedures
    given: tuple[pg.E, ...] = ()
    if known:
        ctx.used.add(name)
        given = arguments(ctx, scope, name, node.arguments, ctx.bodies.params_of(ctx, name), node)
    elif name in ctx.actions:
        ctx.problem("afterwards", f'"{name}" is an action: it says what may be done, not what happens then',
                    node.span, "name the procedure that does it", about=(name,))  # fmt: skip
    else:
        ctx.unknown("no procedure or phase is called", name, node.span, ctx.procedures)
    value = _expression(ctx, scope, node.value, wanted)
    if not known:
        return pg.Const(0, type=UNKNOWN, source=node)
    return afterwards(name, given, value, node)


def _if_then(ctx: Context, scope: Scope, node: sx.IfThen, wanted: Type | None) -> pg.E:
    test = condition(ctx, scope, node.condition)
    then = _expression(ctx, scope, node.then, wanted)
    otherwise = _expression(ctx, scope, node.otherwise, wanted or then.type)
    type_ = join(then.type, otherwise.type)
    if type_ is None:
        ctx.problem(
            "type-mismatch",
            f"one branch is a {then.type}, the other a {otherwise.type}",
            node.span,
            about=(then.type, otherwise.type),
        )
        type_ = UNKNOWN
    return pg.IfE(test, then, otherwise, type=type_, source=node)


def _not_the_first(ctx: Context, scope: Scope, phrase: sx.NounPhrase) -> None:
    """`the player chooses` where a player is known by that name: it would be the first of all players."""
    word = phrase.words[-1]
    if len(phrase.words) == 1 and not phrase.tails and scope.find(word) is not None:
        message = f'"the {word}" is the first {word} of the game, whoever is meant here'
        ctx.problem("ambiguous-name", message, phrase.span, f"write `{word}`, without the")
