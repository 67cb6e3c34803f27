"""Expressions: values, conditions, noun phrases."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from rulesdsl.lightclass import dataclass
from rulesdsl.source import Span, nowhere
from rulesdsl.syntax.nodes import Node


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """A value or a condition."""


@dataclass(frozen=True, slots=True)
class Number(Expr):
    """`4`, or `3:1` when `ratio`"""

    value: Fraction
    ratio: bool = False


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """`"words"`"""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Expr):
    """`unit` · `none` · `true` · `it`"""

    id: str


@dataclass(frozen=True, slots=True)
class Numbered(Expr):
    """`hex 5017`: a thing whose id is a number"""

    noun: str
    number: str


@dataclass(frozen=True, slots=True)
class Attr(Expr):
    """`unit.at`"""

    of: Expr
    name: str
    name_span: Span = field(default_factory=nowhere, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`target: zone` or just `zone`"""

    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`contested(zone)`"""

    name: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Negative(Expr):
    """`-x`"""

    value: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Expr):
    """`a + b` · `a - b` · `a * b` · `a / b`"""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """`not x`"""

    value: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """`a and b and c` · `a or b`"""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """`a >= b` · `a = b`"""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Described(Node):
    """`german armoured unit` (after `is`)"""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InPlace(Node):
    """`in zone` (after `is`)"""

    place: Expr


@dataclass(frozen=True, slots=True)
class AmongSet(Node):
    """`among attackers` (after `is`)"""

    group: Expr


@dataclass(frozen=True, slots=True)
class Related(Node):
    """`adjacent to zone` (after `is`)"""

    relation: str
    other: Expr


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    """`one of woods, difficult` (after `is`)"""

    names: tuple[str, ...]


Description = Expr | Described | InPlace | AmongSet | Related | OneOf


@dataclass(frozen=True, slots=True)
class Is(Expr):
    """`zone is berlin` · `unit is not in lebus`"""

    subject: Expr
    negated: bool
    description: Description


@dataclass(frozen=True, slots=True)
class Tail(Node):
    """What narrows a noun phrase."""


@dataclass(frozen=True, slots=True)
class TailIn(Tail):
    """`… in zone`"""

    place: Expr


@dataclass(frozen=True, slots=True)
class TailAmong(Tail):
    """`… among attackers`"""

    group: Expr


@dataclass(frozen=True, slots=True)
class TailExcept(Tail):
    """`… except attackers`"""

    group: Expr


@dataclass(frozen=True, slots=True)
class TailBetween(Tail):
    """`borders between attackers and target`"""

    one: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class TailWith(Tail):
    """`… with least it.attack`"""

    extreme: str
    value: Expr


@dataclass(frozen=True, slots=True)
class TailNearest(Tail):
    """`… nearest to unit.at by march`"""

    place: Expr
    route: str | None


@dataclass(frozen=True, slots=True)
class TailAs(Tail):
    """`… as victim`"""

    name: str


@dataclass(frozen=True, slots=True)
class TailWhere(Tail):
    """`… where it.progress > 1`"""

    condition: Expr


@dataclass(frozen=True, slots=True)
class TailRelated(Tail):
    """`… adjacent to zone`"""

    relation: str
    other: Expr


@dataclass(frozen=True, slots=True)
class NounPhrase(Expr):
    """`armoured german units in zone where …`"""

    words: tuple[str, ...]
    tails: tuple[Tail, ...] = ()
    word_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    @property
    def alias(self) -> str | None:
        return next((t.name for t in self.tails if isinstance(t, TailAs)), None)


@dataclass(frozen=True, slots=True)
class Some(Expr):
    """`some armoured attacker`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class NoneOf(Expr):
    """`no enemy unit in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class EveryIs(Expr):
    """`every attacker is armoured`"""

    phrase: NounPhrase
    negated: bool
    description: Description


@dataclass(frozen=True, slots=True)
class Every(Expr):
    """`every attacker satisfies it.strength > 3`"""

    phrase: NounPhrase
    condition: Expr


@dataclass(frozen=True, slots=True)
class The(Expr):
    """`the unit in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class NumberOf(Expr):
    """`number of units in zone`"""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class SumOf(Expr):
    """`sum of strength(it) over attackers`"""

    value: Expr
    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class ExtremeOf(Expr):
    """`greatest of it.progress over berlin zones`"""

    extreme: str
    value: Expr
    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """`table combat[odds, die]`"""

    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IfThen(Expr):
    """`if a then b else c`"""

    condition: Expr
    then: Expr
    otherwise: Expr
