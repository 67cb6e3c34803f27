"""Expressions and noun phrases as canonical text, with no more parentheses than the grammar needs.

Whoever writes a word after an expression that might swallow it says so in `then`; see `print_levels`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.levels import (
    AND,
    COMMA,
    COMPARE,
    DOT,
    IS,
    NOTHING,
    OF,
    OR,
    OR_WORD,
    OVER,
    PLUS,
    STAR,
    TAIL,
    TO,
    Follow,
    Level,
    description_swallows,
    level_of,
    swallows,
)

__all__ = ["Level", "print_arguments", "print_description", "print_expr", "print_exprs", "print_phrase"]


def print_expr(expr: sx.Expr, level: Level = Level.EXPR, then: Follow = NOTHING) -> str:
    """`expr` in a place of the grammar that takes `level` and goes on with one of the tokens `then`."""
    text = _plain(sx.closed(expr))
    return f"({text})" if level_of(expr) < level or swallows(expr) & then else text


def print_exprs(exprs: Iterable[sx.Expr]) -> str:
    """A list between commas."""
    *front, last = exprs
    return ", ".join([*(print_expr(e, then=COMMA) for e in front), print_expr(last)])


def print_arguments(arguments: tuple[sx.Argument, ...]) -> str:
    """`(target: zone, 3)`"""
    texts = []
    for number, argument in enumerate(arguments, start=1):
        then = COMMA if number < len(arguments) else NOTHING
        name = f"{argument.name}: " if argument.name is not None else ""
        texts.append(name + print_expr(argument.value, then=then))
    return f"({', '.join(texts)})"


def print_phrase(phrase: sx.NounPhrase, then: Follow = NOTHING) -> str:
    """A noun phrase where the grammar takes nothing else; only its last part can be put in parentheses."""
    parts = [" ".join(phrase.words)]
    for number, tail in enumerate(phrase.tails, start=1):
        following = phrase.tails[number] if number < len(phrase.tails) else None
        owned = OF if isinstance(following, sx.TailOf) else NOTHING
        words = _tail(tail, then if following is None else TAIL | owned)
        parts.append(_SINGULAR.sub("that are", words) if _plural(phrase) else words)
    return " ".join(parts)


_SINGULAR = re.compile("^that is")


def _plural(phrase: sx.NounPhrase) -> bool:
    """`zones that are`: by its letters, since declarations are not known here; both are read alike."""
    return bool(phrase.words) and phrase.words[-1].endswith("s")


def print_description(description: sx.Description, then: Follow = NOTHING) -> str:
    """What stands after `is`; a tail that comes `then` would be taken by its last part."""
    match description:
        case sx.Expr():
            return print_expr(description, Level.POSTFIX)
        case sx.Described((word,)):  # with its article, or it would be read as a name
            return f"an {word}" if word[0] in "aeiou" else f"a {word}"
        case sx.Described(words):
            return " ".join(words)
        case sx.InPlace(place):
            return f"in {print_expr(place, Level.POSTFIX, then)}"
        case sx.AmongSet(group):
            return f"among {print_expr(group, Level.POSTFIX, then)}"
        case sx.Related(relation, sx.ExtremeOf() as other) if description.preposition == "with":
            return f"{relation} with ({print_expr(other)})"  # `with least …` would be a tail of its own
        case sx.Related(relation, other):
            return f"{relation} {description.preposition} {print_expr(other, Level.POSTFIX, then)}"
        case sx.OneOf(names, plain):
            return " or ".join(names) if plain else f"one of {', '.join(names)}"
        case sx.Within(low, high):
            return f"{low} to {high}"
        case _:
            assert_never(description)


def _plain(expr: sx.AnyExpr) -> str:
    match expr:
        case sx.Number(value, ratio):
            return f"{value.numerator}:{value.denominator}" if ratio else _decimal(value)
        case sx.Text(value):
            return f'"{value}"'
        case sx.Name(id):
            return id
        case sx.Numbered(noun, number):
            return f"{noun} {number}"
        case sx.Attr(of, name):
            return f"{print_expr(of, Level.POSTFIX, DOT)}.{name}"
        case sx.Keyed(of, name, key):
            return f"{print_expr(of, Level.POSTFIX, DOT)}.{name}[{print_expr(key)}]"
        case sx.Call(name, arguments):
            return name + print_arguments(arguments)
        case sx.Listed(parts):
            *front, last = parts
            listed = [*(print_expr(part, Level.POSTFIX, COMMA) for part in front[:-1]),
                      print_expr(front[-1], Level.POSTFIX, AND)]  # fmt: skip
            return f"({', '.join(listed)} and {print_expr(last, Level.POSTFIX)})"
        case sx.Lookup(table, keys):
            return f"table {table}[{print_exprs(keys)}]"
        case sx.Negative(value):
            return f"-{print_expr(value, Level.UNARY)}"
        case sx.Arithmetic():
            return _arithmetic(expr)
        case sx.Not(value):
            return f"not {print_expr(value, Level.NOT)}"
        case sx.Logic(op, parts):
            level, then = (Level.NOT, AND) if op == "and" else (Level.AND, OR)
            texts = [
                print_expr(part, level, then | OR_WORD if op == "or" and _one_word(following) else then)
                for part, following in pairwise(parts)
            ] + [print_expr(parts[-1], level)]
            # `or "stop"` is the way out of a choice
            return f" {op} ".join(f"({text})" if text.startswith('"') else text for text in texts)
        case sx.Compare(op, left, right):
            return f"{print_expr(left, Level.SUM, COMPARE)} {op} {print_expr(right, Level.SUM)}"
        case sx.Is(subject, negated, description):
            return f"{print_expr(subject, Level.SUM, IS)} {_verb(negated)} {print_description(description)}"
        case sx.EveryIs(phrase, negated, description):
            return f"every {print_phrase(phrase, IS)} {_verb(negated)} {print_description(description)}"
        case sx.Every(phrase, condition):
            return f"every {print_phrase(phrase)} satisfies {print_expr(condition, Level.NOT)}"
        case sx.Afterwards(name, arguments, value):
            given = print_arguments(arguments) if arguments else ""
            return f"after {name}{given}: {print_expr(value, Level.OR)}"
        case sx.IfThen(condition, then_, otherwise):
            return f"if {print_expr(condition)} then {print_expr(then_)} else {print_expr(otherwise)}"
        case _:
            return _about_phrase(expr)


def _one_word(expr: sx.Expr) -> bool:
    """What would be taken for a second description: `zone is town or rough`."""
    return isinstance(expr, (sx.Name, sx.Afterwards))  # `after` begins like a word


def _decimal(value: Fraction) -> str:
    """`4` · `1.5`; only numbers that end are written so."""
    if value.denominator == 1:
        return str(value)
    whole = str(Decimal(value.numerator) / Decimal(value.denominator))
    return whole if Fraction(whole) == value else str(value)


def _verb(negated: bool) -> str:
    return "is not" if negated else "is"


def _about_phrase(expr: sx.OfGroup | sx.Some | sx.NoneOf) -> str:
    match expr:
        case sx.NounPhrase():
            return print_phrase(expr)
        case sx.Some(phrase):
            return f"some {print_phrase(phrase)}"
        case sx.NoneOf(phrase):
            return f"no {print_phrase(phrase)}"
        case sx.The(phrase):
            return f"the {print_phrase(phrase)}"
        case sx.NumberOf(phrase):
            return f"number of {print_phrase(phrase)}"
        case sx.SumOf(value, phrase):
            return f"sum of {print_expr(value, Level.SUM, OVER)} over {print_phrase(phrase)}"
        case sx.ExtremeOf(extreme, value, phrase):
            return f"{extreme} of {print_expr(value, Level.SUM, OVER)} over {print_phrase(phrase)}"
        case _:
            assert_never(expr)


def _arithmetic(expr: sx.Arithmetic) -> str:
    adds = expr.op in "+-"
    left = print_expr(expr.left, Level.SUM if adds else Level.PRODUCT, PLUS if adds else STAR)
    right = print_expr(expr.right, Level.PRODUCT if adds else Level.UNARY)
    if expr.op == "/" and left.isdigit() and right.isdigit():
        return f"{left}/{right}"  # a half is one number to a reader
    return f"{left} {expr.op} {right}"


def _tail(tail: sx.Tail, then: Follow) -> str:
    tail = sx.closed(tail)
    match tail:
        case sx.TailIn(place):
            return f"in {print_expr(place, Level.POSTFIX, then)}"
        case sx.TailAmong(group):
            return f"among {print_expr(group, Level.POSTFIX, then)}"
        case sx.TailExcept(group):
            return f"except {print_expr(group, Level.POSTFIX, then)}"
        case sx.TailBetween(one, other):
            left = print_expr(one, Level.POSTFIX, AND)
            return f"between {left} and {print_expr(other, Level.POSTFIX, then)}"
        case sx.TailWith(extreme, value):
            return f"with {extreme} {print_expr(value, Level.SUM, then)}"
        case sx.TailNearest(place):
            return f"nearest to {print_expr(place, Level.POSTFIX, then)}"
        case sx.TailRange(low, high):
            return f"from {print_expr(low, Level.SUM, TO)} to {print_expr(high, Level.SUM, then)}"
        case sx.TailAs(name):
            return f"as {name}"
        case sx.TailOf(owner):
            return f"of {print_expr(owner, Level.POSTFIX, then)}"
        case sx.TailWhere(condition, True) if (said := _relative(condition, then)) is not None:
            return said
        case sx.TailWhere(condition):
            return f"where {print_expr(condition, Level.OR, then)}"
        case sx.TailRelated(relation, other):
            return f"{relation} to {print_expr(other, Level.POSTFIX, then)}"
        case _:
            assert_never(tail)


def _relative(condition: sx.Expr, then: Follow) -> str | None:
    """`that are ready` · `that may_strike zone` · `that do not see it`"""
    match condition:
        case sx.Is(_, negated, sx.Expr() as value) if description_swallows(value) & then:
            return f"that {_verb(negated)} ({print_expr(value)})"
        case sx.Is(_, negated, description):
            return f"that {_verb(negated)} {print_description(description, then)}"
        case sx.Not(sx.Call(name, arguments)):
            return f"that do not {_deed(name, arguments)}"
        case sx.Call(name, arguments):
            return f"that {_deed(name, arguments)}"
        case _:
            pass  # no relative clause
    return None


def _deed(name: str, arguments: tuple[sx.Argument, ...]) -> str:
    objects = [argument.value for argument in arguments[1:]]
    return " ".join([name, *(_object(value) for value in objects)])


def _object(value: sx.Expr) -> str:
    """What a verb is about: named, or in parentheses."""
    text = print_expr(value, Level.POSTFIX)
    core = value
    while isinstance(core, (sx.Attr, sx.Keyed)):
        core = core.of
    named = isinstance(core, (sx.Name, sx.Call, sx.Numbered))
    return text if named or level_of(core) < Level.POSTFIX else f"({text})"
