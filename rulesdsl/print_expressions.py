"""Expressions and noun phrases as canonical text, with no more parentheses than the grammar needs.

Two things decide about parentheses. A *level* says how tightly an expression binds, as in any language.
The second is peculiar to ours: a noun phrase is greedy, so what ends with one may swallow the word that
comes next (`some unit in zone` swallows `.control`, `where` swallows `and`). `_swallows` names the kinds of
token an expression would swallow, and whoever writes such a token after it says so in `then`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from rulesdsl import syntax as sx


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
_AND, _COMPARE, _DOT, _IS, _OR = (frozenset({kind}) for kind in ("and", "compare", "dot", "is", "or"))
_PLUS, _STAR = frozenset({"+"}), frozenset({"*"})
_CONDITION = _AND | _OR | _COMPARE | _IS | _PLUS | _STAR | _DOT


def print_expr(expr: sx.Expr, level: Level = Level.EXPR, then: Follow = NOTHING) -> str:
    """`expr` in a place of the grammar that takes `level` and goes on with one of the tokens `then`."""
    text = _plain(expr)
    return f"({text})" if _level(expr) < level or _swallows(expr) & then else text


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
        parts.append(_tail(tail, TAIL if number < len(phrase.tails) else then))
    return " ".join(parts)


def print_description(description: sx.Description) -> str:
    """What stands after `is`."""
    match description:
        case sx.Expr():
            return print_expr(description, Level.POSTFIX)
        case sx.Described((word,)):  # with its article, or it would be read as a name
            return f"an {word}" if word[0] in "aeiou" else f"a {word}"
        case sx.Described(words):
            return " ".join(words)
        case sx.InPlace(place):
            return f"in {print_expr(place, Level.POSTFIX)}"
        case sx.AmongSet(group):
            return f"among {print_expr(group, Level.POSTFIX)}"
        case sx.Related(relation, other):
            return f"{relation} to {print_expr(other, Level.POSTFIX)}"
        case sx.OneOf(names):
            return f"one of {', '.join(names)}"


def _plain(expr: sx.Expr) -> str:
    match expr:
        case sx.Number(value, ratio):
            return f"{value.numerator}:{value.denominator}" if ratio else str(value)
        case sx.Text(value):
            return f'"{value}"'
        case sx.Name(id):
            return id
        case sx.Numbered(noun, number):
            return f"{noun} {number}"
        case sx.Attr(of, name):
            return f"{print_expr(of, Level.POSTFIX, _DOT)}.{name}"
        case sx.Call(name, arguments):
            return name + print_arguments(arguments)
        case sx.Lookup(table, keys):
            return f"table {table}[{print_exprs(keys)}]"
        case sx.Negative(value):
            return f"-{print_expr(value, Level.UNARY)}"
        case sx.Arithmetic():
            return _arithmetic(expr)
        case sx.Not(value):
            return f"not {print_expr(value, Level.NOT)}"
        case sx.Logic(op, parts):
            level, then = (Level.NOT, _AND) if op == "and" else (Level.AND, _OR)
            texts = [print_expr(part, level, then) for part in parts[:-1]] + [print_expr(parts[-1], level)]
            # `or "stop"` is the way out of a choice
            return f" {op} ".join(f"({text})" if text.startswith('"') else text for text in texts)
        case sx.Compare(op, left, right):
            return f"{print_expr(left, Level.SUM, _COMPARE)} {op} {print_expr(right, Level.SUM)}"
        case sx.Is(subject, negated, description):
            return f"{print_expr(subject, Level.SUM, _IS)} {_verb(negated)} {print_description(description)}"
        case sx.EveryIs(phrase, negated, description):
            return f"every {print_phrase(phrase, _IS)} {_verb(negated)} {print_description(description)}"
        case sx.Every(phrase, condition):
            return f"every {print_phrase(phrase)} satisfies {print_expr(condition, Level.NOT)}"
        case sx.IfThen(condition, then_, otherwise):
            return f"if {print_expr(condition)} then {print_expr(then_)} else {print_expr(otherwise)}"
        case _:
            return _about_phrase(expr)


def _verb(negated: bool) -> str:
    return "is not" if negated else "is"


def _about_phrase(expr: sx.Expr) -> str:
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
            return f"sum of {print_expr(value, Level.SUM)} over {print_phrase(phrase)}"
        case sx.ExtremeOf(extreme, value, phrase):
            return f"{extreme} of {print_expr(value, Level.SUM)} over {print_phrase(phrase)}"
    raise AssertionError(f"no text for {type(expr).__name__}")


def _arithmetic(expr: sx.Arithmetic) -> str:
    adds = expr.op in "+-"
    left = print_expr(expr.left, Level.SUM if adds else Level.PRODUCT, _PLUS if adds else _STAR)
    right = print_expr(expr.right, Level.PRODUCT if adds else Level.UNARY)
    if expr.op == "/" and left.isdigit() and right.isdigit():
        return f"{left}/{right}"  # a half is one number to a reader
    return f"{left} {expr.op} {right}"


def _tail(tail: sx.Tail, then: Follow) -> str:
    match tail:
        case sx.TailIn(place):
            return f"in {print_expr(place, Level.POSTFIX, then)}"
        case sx.TailAmong(group):
            return f"among {print_expr(group, Level.POSTFIX, then)}"
        case sx.TailExcept(group):
            return f"except {print_expr(group, Level.POSTFIX, then)}"
        case sx.TailBetween(one, other):
            left = print_expr(one, Level.POSTFIX, _AND)
            return f"between {left} and {print_expr(other, Level.POSTFIX, then)}"
        case sx.TailWith(extreme, value):
            return f"with {extreme} {print_expr(value, Level.SUM, then)}"
        case sx.TailNearest(place, route):
            by = f" by {route}" if route else ""
            return f"nearest to {print_expr(place, Level.POSTFIX, BY if route else then)}{by}"
        case sx.TailAs(name):
            return f"as {name}"
        case sx.TailWhere(condition):
            return f"where {print_expr(condition, Level.OR, then)}"
        case sx.TailRelated(relation, other):
            return f"{relation} to {print_expr(other, Level.POSTFIX, then)}"
    raise AssertionError(f"no text for {type(tail).__name__}")


def _level(expr: sx.Expr) -> Level:
    match expr:
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
        case _:
            return Level.POSTFIX


def _swallows(expr: sx.Expr) -> Follow:
    """Which tokens would be taken as a continuation of the last noun phrase in `expr`."""
    match expr:
        case sx.Negative(value) | sx.Not(value):
            return _inner(value, _level(expr))
        case sx.Arithmetic(op, _, right):
            return _inner(right, Level.PRODUCT if op in "+-" else Level.UNARY)
        case sx.Logic(op, parts):
            return _inner(parts[-1], Level.NOT if op == "and" else Level.AND)
        case sx.Compare(_, _, right):
            return _inner(right, Level.SUM)
        case sx.Is(_, _, description) | sx.EveryIs(_, _, description):
            return _description_swallows(description)
        case sx.Every(_, condition):
            return _inner(condition, Level.NOT)
        case sx.IfThen(_, _, otherwise):
            return _inner(otherwise, Level.EXPR)
        case sx.NounPhrase():
            return _phrase_swallows(expr)
        case sx.Some() | sx.NoneOf() | sx.The() | sx.NumberOf() | sx.SumOf() | sx.ExtremeOf():
            return _phrase_swallows(expr.phrase)
        case _:
            return NOTHING


def _inner(expr: sx.Expr, level: Level) -> Follow:
    return NOTHING if _level(expr) < level else _swallows(expr)


def _description_swallows(description: sx.Description) -> Follow:
    match description:
        case sx.Name():
            return WORD | TO
        case sx.Expr():
            return _DOT | _inner(description, Level.POSTFIX)
        case sx.Described():
            return WORD
        case sx.InPlace(operand) | sx.AmongSet(operand) | sx.Related(_, operand):
            return _DOT | _inner(operand, Level.POSTFIX)
        case sx.OneOf():
            return COMMA


def _phrase_swallows(phrase: sx.NounPhrase) -> Follow:
    if not phrase.tails:
        return WORD | TAIL | (TO if len(phrase.words) > 1 else NOTHING)
    match phrase.tails[-1]:
        case (
            sx.TailIn(operand) | sx.TailAmong(operand) | sx.TailExcept(operand)
            | sx.TailBetween(_, operand) | sx.TailRelated(_, operand)
        ):  # fmt: skip
            return TAIL | _DOT | _inner(operand, Level.POSTFIX)
        case sx.TailWith(_, value):
            return TAIL | _DOT | _PLUS | _STAR | _inner(value, Level.SUM)
        case sx.TailNearest(place, route):
            return TAIL | (NOTHING if route else BY | _DOT | _inner(place, Level.POSTFIX))
        case sx.TailWhere(condition):
            return TAIL | _CONDITION | _inner(condition, Level.OR)
        case _:
            return TAIL
