"""Expressions: values and conditions."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span, nowhere
from rulesdsl.language.syntax.nodes import Node


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """A value or a condition."""


@dataclass(frozen=True, slots=True)
class Number(Expr):
    """`4` · `1.5`, or `3:1` when `ratio`"""

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
class Keyed(Expr):
    """`player.stock[wool]`: of an attribute that has a value for each of an enumeration"""

    of: Expr
    name: str
    key: Expr
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
    """`adjacent to zone` · `held by player` (after `is`)"""

    relation: str
    other: Expr
    preposition: str = "to"


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    """`one of woods, difficult` · `one of 2, 4, 7` · `woods or difficult` when `plain` (after `is`)"""

    names: tuple[str, ...]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`2 to 4` (after `is`)"""

    low: int
    high: int


Description = Expr | Described | InPlace | AmongSet | Related | OneOf | Within


@dataclass(frozen=True, slots=True)
class Is(Expr):
    """`zone is berlin` · `unit is not in lebus`"""

    subject: Expr
    negated: bool
    description: Description


@dataclass(frozen=True, slots=True)
class Listed(Expr):
    """`(g606, g303 and g72)`: these things together"""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """`table combat[odds, die]`"""

    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Afterwards(Expr):
    """`after play(figure, goal): figure.owner is in_check`: what would hold once a procedure had been done"""

    procedure: str
    arguments: tuple[Argument, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class IfThen(Expr):
    """`if a then b else c`"""

    condition: Expr
    then: Expr
    otherwise: Expr
