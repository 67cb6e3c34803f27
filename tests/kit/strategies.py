"""Random expressions and steps of every kind, for hypothesis; only such as some text stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rulesdsl.language import syntax as sx

Strategy = SearchStrategy[Any]
WORDS = ("unit", "units", "zone", "german", "whole", "berlin", "border", "it", "none", "at", "x", "day_2")
names = st.sampled_from(WORDS)
numbers = st.integers(0, 12)
texts = st.text(st.sampled_from("abc äß–'#:()[]\\ when"), max_size=12)


def several(elements: Strategy, least: int = 0, most: int = 3) -> Strategy:
    return st.lists(elements, min_size=least, max_size=most).map(tuple)


def maybe(element: Strategy) -> Strategy:
    return st.none() | element


def nested(smallest: Strategy, larger: Callable[[Strategy], list[Strategy]], depth: int) -> Strategy:
    """Like `st.recursive`, but with a depth, and without its habit of spelling out huge strategies."""
    inner = smallest
    for _ in range(depth):
        inner = _one_level(smallest, st.one_of(larger(inner)))
    return inner


def _one_level(smallest: Strategy, larger: Strategy) -> Strategy:
    @st.composite
    def drawn(draw: st.DrawFn) -> Any:
        return draw(larger if draw(st.integers(0, 2)) else smallest)

    return drawn()


# ---- expressions -------------------------------------------------------------------------------------
def _arguments(expr: Strategy) -> Strategy:
    return several(st.builds(sx.Argument, maybe(names), expr))


def _tails(expr: Strategy) -> Strategy:
    return st.one_of(
        st.builds(sx.TailIn, expr),
        st.builds(sx.TailAmong, expr),
        st.builds(sx.TailExcept, expr),
        st.builds(sx.TailBetween, expr, expr),
        st.builds(sx.TailWith, st.sampled_from(["least", "greatest"]), expr),
        st.builds(sx.TailNearest, expr),
        st.builds(sx.TailAs, names),
        st.builds(sx.TailWhere, expr),
        st.builds(sx.TailOf, expr),
        st.builds(sx.TailWhere, _relatives(expr), st.just(True)),
    )


def _relatives(expr: Strategy) -> Strategy:
    """`that is held by player` · `that may_strike zone` · `that do not see it`"""
    it = sx.Name("it")
    described = _descriptions(expr).filter(lambda found: not isinstance(found, sx.OneOf))
    deeds = st.builds(
        lambda name, objects: sx.Call(name, tuple(sx.Argument(None, e) for e in (it, *objects))),
        names, several(expr, most=1),
    )  # fmt: skip
    return st.one_of(st.builds(sx.Is, st.just(it), st.booleans(), described), deeds, st.builds(sx.Not, deeds))


def noun_phrases(expr: Strategy) -> Strategy:
    """As after `some` or `for each`, where one word is enough."""
    related = st.builds(lambda tail, more: (tail, *more), st.builds(sx.TailRelated, names, expr),
                        several(_tails(expr), most=2))  # fmt: skip
    return st.builds(sx.NounPhrase, several(names, 1), several(_tails(expr)) | related)


def number_phrases(expr: Strategy) -> Strategy:
    """`a number as offer from 1 to 6 where …`, as after `chooses`."""
    ranges = st.builds(sx.TailRange, expr, expr).map(lambda tail: (tail,))
    called = st.just(()) | st.builds(sx.TailAs, names).map(lambda tail: (tail,))
    asked = st.just(()) | st.builds(sx.TailWhere, expr).map(lambda tail: (tail,))
    tails = st.tuples(called, ranges, asked).map(lambda parts: parts[0] + parts[1] + parts[2])
    return st.builds(sx.NounPhrase, st.just(("number",)), tails)


def _is_set(phrase: sx.NounPhrase) -> bool:
    """A single bare word is a name, not a noun phrase."""
    return len(phrase.words) + len(phrase.tails) > 1


def _before_is(phrase: sx.NounPhrase) -> bool:
    """`every unit where …` cannot go on with `is`: the condition would take it."""
    return not phrase.tails or not isinstance(phrase.tails[-1], sx.TailWhere)


def _descriptions(expr: Strategy) -> Strategy:
    return st.one_of(
        expr,
        st.builds(sx.Described, several(names, 1)),
        st.builds(sx.InPlace, expr),
        st.builds(sx.AmongSet, expr),
        st.builds(sx.Related, names, expr, st.sampled_from(["to", "of", "from", "by", "with", "over"])),
        st.builds(sx.OneOf, several(names | numbers.map(str), 1)),
        st.builds(sx.Within, numbers, numbers),
    )


def _larger(expr: Strategy) -> list[Strategy]:
    phrase, described = noun_phrases(expr), _descriptions(expr)
    extreme = st.sampled_from(["least", "greatest"])
    return [
        phrase.filter(_is_set),
        st.builds(sx.Attr, expr, names),
        st.builds(sx.Keyed, expr, names, expr),
        st.builds(sx.Call, names, _arguments(expr)),
        st.builds(sx.Negative, expr),
        st.builds(sx.Arithmetic, st.sampled_from("+-*/"), expr, expr),
        st.builds(sx.Not, expr.filter(lambda found: not isinstance(found, sx.Is))),
        st.builds(sx.Listed, several(expr, 3, 4)),
        st.builds(sx.Logic, st.sampled_from(["and", "or"]), several(expr, 2)),
        st.builds(sx.Compare, st.sampled_from(["=", "!=", "<", ">", "<=", ">="]), expr, expr),
        st.builds(sx.Is, expr, st.booleans(), described),
        st.builds(sx.Is, expr, st.just(False), st.builds(sx.OneOf, several(names, 2), st.just(True))),
        st.builds(sx.EveryIs, phrase.filter(_before_is), st.booleans(), described),
        st.builds(sx.Every, phrase, expr),
        st.builds(sx.Some, phrase),
        st.builds(sx.NoneOf, phrase),
        st.builds(sx.The, phrase),
        st.builds(sx.NumberOf, phrase),
        st.builds(sx.SumOf, expr, phrase),
        st.builds(sx.ExtremeOf, extreme, expr, phrase),
        st.builds(sx.Lookup, names, several(expr, 1)),
        st.builds(sx.IfThen, expr, expr, expr),
        st.builds(sx.Afterwards, names, _arguments(expr), expr),
    ]


_leaves = [
    st.builds(sx.Name, names),
    st.builds(sx.Numbered, names, st.sampled_from(["7", "0512"])),
    st.builds(sx.Numbered, names, st.from_regex("[0-9]{1,4}", fullmatch=True)),
    st.builds(sx.Number, numbers.map(Fraction)),
    st.builds(sx.Number, numbers.map(lambda n: Fraction(2 * n + 1, 4))),
    st.builds(sx.Number, st.builds(Fraction, numbers, st.integers(1, 9)), st.just(True)),
    st.builds(sx.Text, texts),
]
small_exprs = nested(st.one_of(_leaves), _larger, 2)
EXPRESSIONS = [*_leaves, *_larger(small_exprs)]
exprs = st.one_of(EXPRESSIONS)
phrases = noun_phrases(small_exprs)

# ---- statements --------------------------------------------------------------------------------------
_e = small_exprs
action_uses = st.builds(sx.ActionUse, names, _arguments(_e))
_counts = st.one_of(
    st.builds(sx.Count, st.sampled_from(["up to", "at least", "exactly"]), _e),
    st.just(sx.Count("any number of", None)),
)


def _number(value: int) -> sx.Number:
    return sx.Number(Fraction(value))


SIMPLE_STATEMENTS = [
    st.builds(sx.Let, names, exprs),
    st.builds(sx.Assign, _e, _e),
    st.builds(sx.Increase, _e, _e, st.sampled_from([1, -1])),
    st.builds(sx.Mark, _e, names, maybe(names)),
    st.builds(sx.Unmark, _e, names),
    st.builds(sx.Move, _e.map(lambda piece: (piece,)), _e),
    st.builds(sx.Move, several(_e, 1), _e, st.just(True)),
    st.builds(sx.Remove, _e),
    st.builds(sx.Flip, _e, maybe(_e)),
    st.builds(sx.Put, _e, st.booleans()),
    st.builds(sx.Swap, _e, _e),
    st.builds(sx.Do, names, _arguments(_e)),
    st.builds(sx.Roll, numbers, numbers, names, maybe(texts)),
    st.builds(sx.Pool, _e, numbers, several(numbers.map(_number), 1), st.just(""), names, maybe(texts)),
    st.builds(
        sx.Pool,
        _e,
        numbers,
        _e.map(lambda aim: (aim,)),
        st.sampled_from(["more", "less"]),
        names,
        maybe(texts),
    ),
    st.builds(sx.Pick, phrases),
    st.builds(sx.Remember, names),
    st.builds(sx.Shuffle, _e),
    st.builds(sx.Draw, _e),
    st.builds(sx.ReturnToken, _e),
    st.builds(sx.Discard, _e),
    st.builds(sx.Give, _e, _e, st.booleans()),
    st.builds(sx.Show, _e, maybe(_e)),
    st.builds(sx.OpenWindow, names),
    st.just(sx.Cancel()),
    st.just(sx.Leave()),
    st.just(sx.Finish()),
    st.builds(sx.EndGame, st.just("wins"), _e, maybe(texts)),
    st.builds(sx.EndGame, st.sampled_from(["drawn", "nobody"]), st.none(), maybe(texts)),
    st.builds(sx.EndGame, st.just("gets"), st.none(), maybe(texts), phrases, _e),
    st.builds(sx.EndGame, st.just("gets"), st.none(), maybe(texts), phrases, st.none(), several(_e, 1)),
    st.builds(sx.Note, texts, several(_e)),
    st.builds(sx.Travel, _e, _e, names),
]


def _together(phrase: sx.NounPhrase, choice: sx.Choose) -> sx.Together:
    """Who chooses is whom the phrase names."""
    return sx.Together(phrase, replace(choice, player=sx.Name(phrase.alias or phrase.words[-1])))


def _compound(stmt: Strategy) -> list[Strategy]:
    body = several(stmt, 1)
    items = st.builds(sx.MenuItem, texts, maybe(_e), maybe(action_uses), body)
    ways_out = st.builds(sx.WayOut, texts, maybe(action_uses))
    out = (maybe(action_uses), maybe(ways_out), maybe(texts))
    choice = (_e, maybe(_counts), several(phrases, 1, 2), *out)
    number = (_e, st.none(), several(phrases | number_phrases(_e), 1, 2), *out)  # numbers are not counted off
    return [
        st.builds(sx.If, several(st.tuples(_e, body), 1), maybe(body)),
        st.builds(sx.ForEach, phrases, maybe(_e), body),
        st.builds(sx.ForEach, phrases, st.none(), body, _e),
        st.builds(sx.ForEach, phrases, st.none(), body, st.none(), _e),
        st.builds(sx.Repeat, _e, maybe(_e), body),
        st.builds(sx.With, names, _arguments(_e), body),
        st.builds(sx.Choose, *choice, several(_e), st.none(), st.none()),
        st.builds(sx.Choose, *number, several(_e), st.none(), st.none()),
        st.builds(sx.Choose, *choice, several(_e), body, maybe(body)),
        st.builds(
            sx.Choose, _e, st.none(), several(phrases, 1, 2), maybe(action_uses), ways_out, maybe(texts),
            several(_e), body, st.none(), st.just(True),
        ),
        st.builds(
            _together, phrases, st.builds(sx.Choose, *choice, several(_e), body, st.none()),
        ),
        st.builds(sx.Menu, _e, maybe(texts), several(items, 1)),
        st.builds(sx.Menu, _e, st.none(), items.map(lambda item: (item,)), st.just(True), maybe(body)),
    ]  # fmt: skip


STATEMENTS = [*SIMPLE_STATEMENTS, *_compound(nested(st.one_of(SIMPLE_STATEMENTS), _compound, 1))]
bodies = several(st.one_of(STATEMENTS), 1)
