"""Expressions and noun phrases."""

from __future__ import annotations

from fractions import Fraction

from lark import Token as LarkToken
from lark import v_args
from lark.tree import Meta

from rulesdsl.base.source import Span
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.build.places import Children, PlacedTransformer, text_of, words_of


@v_args(meta=True)
class ExpressionBuilder(PlacedTransformer):
    """One method per rule of the grammar."""

    # -- expressions
    def or_expr(self, meta: Meta, c: Children) -> sx.Logic:
        return sx.Logic("or", tuple(c), span=self._span(meta))

    def and_expr(self, meta: Meta, c: Children) -> sx.Logic:
        return sx.Logic("and", tuple(c), span=self._span(meta))

    def negation(self, meta: Meta, c: Children) -> sx.Expr:
        match c[0]:
            case sx.Is(subject, negated, description):  # `not x is y` says what `x is not y` says
                return sx.Is(subject, not negated, description, span=self._span(meta))
            case _:
                pass  # anything else is simply denied
        return sx.Not(c[0], span=self._span(meta))

    def compare(self, meta: Meta, c: Children) -> sx.Compare:
        return sx.Compare(str(c[1]), c[0], c[2], span=self._span(meta))

    def compare_equal(self, meta: Meta, c: Children) -> sx.Compare:
        return sx.Compare("=", c[0], c[1], span=self._span(meta))

    def is_(self, meta: Meta, c: Children) -> sx.Is:
        return sx.Is(c[0], len(c) == 3, c[-1], span=self._span(meta))

    def every_is(self, meta: Meta, c: Children) -> sx.EveryIs:
        return sx.EveryIs(c[0], len(c) == 3, c[-1], span=self._span(meta))

    def every_satisfies(self, meta: Meta, c: Children) -> sx.Every:
        return sx.Every(c[0], c[1], span=self._span(meta))

    def described(self, meta: Meta, c: Children) -> sx.Described:
        return sx.Described(words_of(c), span=self._span(meta))

    def is_in(self, meta: Meta, c: Children) -> sx.InPlace:
        return sx.InPlace(c[0], span=self._span(meta))

    def is_among(self, meta: Meta, c: Children) -> sx.AmongSet:
        return sx.AmongSet(c[0], span=self._span(meta))

    def is_related(self, meta: Meta, c: Children) -> sx.Related:
        return sx.Related(str(c[0]), c[2], c[1], span=self._span(meta))

    def prep_to(self, meta: Meta, c: Children) -> str:
        return "to"

    def prep_of(self, meta: Meta, c: Children) -> str:
        return "of"

    def prep_from(self, meta: Meta, c: Children) -> str:
        return "from"

    def prep_by(self, meta: Meta, c: Children) -> str:
        return "by"

    def prep_with(self, meta: Meta, c: Children) -> str:
        return "with"

    def prep_over(self, meta: Meta, c: Children) -> str:
        return "over"

    def is_one_of(self, meta: Meta, c: Children) -> sx.OneOf:
        return sx.OneOf(words_of([x for x in c if x is not None]), span=self._span(meta))

    def is_either(self, meta: Meta, c: Children) -> sx.Is:
        first, last = self._token_span(c[1]), self._token_span(c[-1])
        place = Span(self.file, first.line, first.column, last.end_line, last.end_column)
        return sx.Is(c[0], False, sx.OneOf(words_of(c[1:]), True, span=place), span=self._span(meta))

    def is_range(self, meta: Meta, c: Children) -> sx.Within:
        return sx.Within(int(str(c[0])[:15]), int(str(c[1])[:15]), span=self._span(meta))

    def listing(self, meta: Meta, c: Children) -> sx.Listed:
        return sx.Listed(tuple(c), span=self._span(meta))

    def negative(self, meta: Meta, c: Children) -> sx.Negative:
        return sx.Negative(c[0], span=self._span(meta))

    def attr(self, meta: Meta, c: Children) -> sx.Attr:
        return sx.Attr(c[0], str(c[1]), span=self._span(meta), name_span=self._token_span(c[1]))

    def keyed(self, meta: Meta, c: Children) -> sx.Keyed:
        name = self._token_span(c[1])
        return sx.Keyed(c[0], str(c[1]), c[2], span=self._span(meta), name_span=name)

    def number(self, meta: Meta, c: Children) -> sx.Number:
        return sx.Number(Fraction(int(str(c[0])[:15])), span=self._span(meta))

    def decimal(self, meta: Meta, c: Children) -> sx.Number:
        return sx.Number(Fraction(str(c[0])[:15].rstrip(".")), span=self._span(meta))

    def ratio(self, meta: Meta, c: Children) -> sx.Number:
        left, right = str(c[0]).split(":")
        return sx.Number(Fraction(int(left[:9]), max(1, int(right[:9]))), True, span=self._span(meta))

    def text(self, meta: Meta, c: Children) -> sx.Text:
        return sx.Text(text_of(c[0]), span=self._span(meta))

    def name(self, meta: Meta, c: Children) -> sx.Name:
        return sx.Name(str(c[0]), span=self._span(meta))

    def numbered(self, meta: Meta, c: Children) -> sx.Numbered:
        return sx.Numbered(str(c[0]), str(c[1]), span=self._span(meta))

    def call(self, meta: Meta, c: Children) -> sx.Call:
        return sx.Call(str(c[0]), c[1], span=self._span(meta))

    def some(self, meta: Meta, c: Children) -> sx.Some:
        return sx.Some(c[0], span=self._span(meta))

    def no(self, meta: Meta, c: Children) -> sx.NoneOf:
        return sx.NoneOf(c[0], span=self._span(meta))

    def the(self, meta: Meta, c: Children) -> sx.The:
        return sx.The(c[0], span=self._span(meta))

    def number_of(self, meta: Meta, c: Children) -> sx.NumberOf:
        return sx.NumberOf(c[0], span=self._span(meta))

    def sum_of(self, meta: Meta, c: Children) -> sx.SumOf:
        return sx.SumOf(c[0], c[1], span=self._span(meta))

    def extreme_of(self, meta: Meta, c: Children) -> sx.ExtremeOf:
        return sx.ExtremeOf(str(c[0]).split()[0], c[1], c[2], span=self._span(meta))

    def lookup(self, meta: Meta, c: Children) -> sx.Lookup:
        return sx.Lookup(str(c[0]), tuple(c[1:]), span=self._span(meta))

    def afterwards(self, meta: Meta, c: Children) -> sx.Afterwards:
        return sx.Afterwards(str(c[0]), c[1] if len(c) > 2 else (), c[-1], span=self._span(meta))

    def if_then(self, meta: Meta, c: Children) -> sx.IfThen:
        return sx.IfThen(c[0], c[1], c[2], span=self._span(meta))

    def noun_phrase(self, meta: Meta, c: Children) -> sx.NounPhrase:
        words = [x for x in c if isinstance(x, LarkToken)]
        tails = tuple(x for x in c if isinstance(x, sx.Tail))
        spans = tuple(self._token_span(x) for x in words)
        return sx.NounPhrase(words_of(words), tails, span=self._span(meta), word_spans=spans)

    def noun_phrase_related(self, meta: Meta, c: Children) -> sx.NounPhrase:
        words = [x for x in c if isinstance(x, LarkToken)]
        other = c[len(words)]
        related = sx.TailRelated(str(words[-1]), other, span=self._token_span(words[-1]))
        tails = (related, *(x for x in c if isinstance(x, sx.Tail)))
        spans = tuple(self._token_span(x) for x in words[:-1])
        return sx.NounPhrase(words_of(words[:-1]), tails, span=self._span(meta), word_spans=spans)

    def tail_in(self, meta: Meta, c: Children) -> sx.TailIn:
        return sx.TailIn(c[0], span=self._span(meta))

    def tail_among(self, meta: Meta, c: Children) -> sx.TailAmong:
        return sx.TailAmong(c[0], span=self._span(meta))

    def tail_except(self, meta: Meta, c: Children) -> sx.TailExcept:
        return sx.TailExcept(c[0], span=self._span(meta))

    def tail_between(self, meta: Meta, c: Children) -> sx.TailBetween:
        return sx.TailBetween(c[0], c[1], span=self._span(meta))

    def tail_with(self, meta: Meta, c: Children) -> sx.TailWith:
        return sx.TailWith(str(c[0]).split()[-1], c[1], span=self._span(meta))

    def tail_of(self, meta: Meta, c: Children) -> sx.TailOf:
        return sx.TailOf(c[0], span=self._span(meta))

    def tail_that_is(self, meta: Meta, c: Children) -> sx.TailWhere:
        span = self._span(meta)
        it = sx.Name("it", span=span)
        return sx.TailWhere(sx.Is(it, len(c) == 2, c[-1], span=span), True, span=span)

    def tail_that_does(self, meta: Meta, c: Children) -> sx.TailWhere:
        return sx.TailWhere(self._deed(meta, c), True, span=self._span(meta))

    def tail_that_does_not(self, meta: Meta, c: Children) -> sx.TailWhere:
        span = self._span(meta)
        return sx.TailWhere(sx.Not(self._deed(meta, c), span=span), True, span=span)

    def _deed(self, meta: Meta, c: Children) -> sx.Call:
        """`may_strike zone`: what the members do, and to what."""
        values = (sx.Name("it", span=self._span(meta)), *c[1:])
        arguments = tuple(sx.Argument(None, value, span=value.span) for value in values)
        return sx.Call(str(c[0]), arguments, span=self._span(meta))

    def tail_nearest(self, meta: Meta, c: Children) -> sx.TailNearest:
        return sx.TailNearest(c[0], span=self._span(meta))

    def tail_as(self, meta: Meta, c: Children) -> sx.TailAs:
        return sx.TailAs(str(c[0]), span=self._span(meta))

    def tail_where(self, meta: Meta, c: Children) -> sx.TailWhere:
        return sx.TailWhere(c[0], span=self._span(meta))
