"""Noun phrases, what narrows them, and what is asked of them: some, no, every, the, number, sum, extreme."""

from __future__ import annotations

from dataclasses import field

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.language.syntax.expressions import Description, Expr
from rulesdsl.language.syntax.nodes import Node


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
    """`… nearest to unit.at`"""

    place: Expr


@dataclass(frozen=True, slots=True)
class TailAs(Tail):
    """`… as victim`"""

    name: str


@dataclass(frozen=True, slots=True)
class TailWhere(Tail):
    """`… where it.progress > 1` · `… that are ready` · `… that may_strike zone` when `that`"""

    condition: Expr
    that: bool = False


@dataclass(frozen=True, slots=True)
class TailOf(Tail):
    """`… of player`"""

    owner: Expr


@dataclass(frozen=True, slots=True)
class TailRange(Tail):
    """`a number as bid from 1 to player.coins`"""

    low: Expr
    high: Expr


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
