"""When an expression needs parentheses: how tightly it binds, and what it would swallow.

Levels are those of any language. The second is peculiar to ours: a noun phrase is greedy, so what ends with
one may swallow the word that comes next (`some unit in zone` swallows `.control`, `where` swallows `and`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from rulesdsl.language import syntax as sx


class Level(IntEnum):
    """The rules of the grammar from loosest to tightest; a place takes its own level and all above."""

    EXPR = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    PRODUCT = 6
    UNARY = 7
    POSTFIX = 8


Follow = frozenset[str]
NOTHING: Follow = frozenset()
BY, COMMA, TAIL, TO, WORD = (frozenset({kind}) for kind in ("by", "comma", "tail", "to", "word"))
FROM, OF, OVER = frozenset({"from"}), frozenset({"of"}), frozenset({"over"})
_PREPOSITIONS = BY | FROM | OF | OVER | TO
OR_WORD = frozenset({"or word"})  # `is town`, and then `or` with a single word
AND, COMPARE, DOT, IS, OR = (frozenset({kind}) for kind in ("and", "compare", "dot", "is", "or"))
PLUS, STAR = frozenset({"+"}), frozenset({"*"})
_OBJECT = frozenset({"object"})
_CONDITION = AND | OR | COMPARE | IS | PLUS | STAR | DOT


def level_of(expr: sx.Expr) -> Level:
    """How tightly the outermost part of `expr` binds."""
    expr = sx.closed(expr)
    match expr:
        case sx.Afterwards():
            return Level.NOT
        case sx.NounPhrase() | sx.IfThen():  # an `if` inside something else reads better in parentheses
            return Level.EXPR
        case sx.Logic(op):
            return Level.AND if op == "and" else Level.OR
        case sx.Not():
            return Level.NOT
        case sx.Compare() | sx.Is() | sx.EveryIs() | sx.Every():
            return Level.COMPARISON
        case sx.Arithmetic(op):
            return Level.SUM if op in "+-" else Level.PRODUCT
        case sx.Negative():
            return Level.UNARY
        case (
            sx.Number()
            | sx.Text()
            | sx.Name()
            | sx.Numbered()
            | sx.Attr()
            | sx.Keyed()
            | sx.Call()
            | sx.Lookup()
            | sx.Listed()
        ):
            return Level.POSTFIX
        case sx.Some() | sx.NoneOf() | sx.The() | sx.NumberOf() | sx.SumOf() | sx.ExtremeOf():
            return Level.POSTFIX
        case _:
            assert_never(expr)


def swallows(expr: sx.Expr) -> Follow:
    """Which tokens would be taken as a continuation of the last noun phrase in `expr`."""
    expr = sx.closed(expr)
    match expr:
        case sx.Negative(value) | sx.Not(value):
            return _inner(value, level_of(expr))
        case sx.Arithmetic(op, _, right):
            return _inner(right, Level.PRODUCT if op in "+-" else Level.UNARY)
        case sx.Logic(op, parts):
            return _inner(parts[-1], Level.NOT if op == "and" else Level.AND)
        case sx.Compare(_, _, right):
            return _inner(right, Level.SUM)
        case sx.Is(_, negated, description):
            return description_swallows(description) - (OR_WORD if negated else NOTHING)
        case sx.EveryIs(_, _, description):
            return description_swallows(description) - OR_WORD
        case sx.Every(_, condition):
            return _inner(condition, Level.NOT)
        case sx.Afterwards(_, _, value):
            return AND | OR | OR_WORD | _inner(value, Level.OR)
        case sx.IfThen(_, _, otherwise):
            return _inner(otherwise, Level.EXPR)
        case sx.NounPhrase():
            return _phrase_swallows(expr)
        case sx.Some() | sx.NoneOf() | sx.The() | sx.NumberOf() | sx.SumOf() | sx.ExtremeOf():
            return _phrase_swallows(expr.phrase)
        case (
            sx.Number()
            | sx.Text()
            | sx.Name()
            | sx.Numbered()
            | sx.Attr()
            | sx.Keyed()
            | sx.Call()
            | sx.Lookup()
            | sx.Listed()
        ):
            return NOTHING
        case _:
            assert_never(expr)


def _inner(expr: sx.Expr, level: Level) -> Follow:
    return NOTHING if level_of(expr) < level else swallows(expr)


def description_swallows(description: sx.Description) -> Follow:
    """The same for what stands after `is`."""
    match description:
        case sx.Name():
            return WORD | OR_WORD | _PREPOSITIONS
        case sx.Number():
            return TO
        case sx.Expr():
            return DOT | _inner(description, Level.POSTFIX)
        case sx.Described():
            return WORD
        case sx.InPlace(operand) | sx.AmongSet(operand) | sx.Related(_, operand):
            return DOT | _inner(operand, Level.POSTFIX)
        case sx.OneOf(_, plain):
            return OR_WORD | AND if plain else COMMA
        case sx.Within():
            return NOTHING
        case _:
            assert_never(description)


def _phrase_swallows(phrase: sx.NounPhrase) -> Follow:
    if not phrase.tails:
        return WORD | TAIL | OF | (TO if len(phrase.words) > 1 else NOTHING)
    last = sx.closed(phrase.tails[-1])
    match last:
        case (
            sx.TailIn(operand) | sx.TailAmong(operand) | sx.TailExcept(operand)
            | sx.TailBetween(_, operand) | sx.TailRelated(_, operand) | sx.TailOf(operand)
        ):  # fmt: skip
            return TAIL | OF | DOT | _inner(operand, Level.POSTFIX)
        case sx.TailWith(_, value) | sx.TailRange(_, value):
            return TAIL | DOT | PLUS | STAR | _inner(value, Level.SUM)
        case sx.TailNearest(place):
            return TAIL | DOT | _inner(place, Level.POSTFIX)
        case sx.TailWhere(sx.Is(_, _, description), that=True):
            return TAIL | DOT | description_swallows(description) - OR_WORD
        case sx.TailWhere(sx.Call(_, arguments) | sx.Not(sx.Call(_, arguments)), that=True):
            return TAIL | DOT if len(arguments) > 1 else TAIL | WORD | _OBJECT
        case sx.TailWhere(condition):
            return TAIL | _CONDITION | _inner(condition, Level.OR)
        case sx.TailAs():
            return TAIL
        case _:
            assert_never(last)
