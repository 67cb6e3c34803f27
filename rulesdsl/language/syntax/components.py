"""The statements that say what there is: classes and attributes, groups, tracks, records; and settings."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.syntax.expressions import Expr
from rulesdsl.language.syntax.nodes import Node, Rule

IDENTITY = "identity"
STACK = "stack"  # `height: stack`: an attribute that says how high in its stack a piece lies


@dataclass(frozen=True, slots=True)
class Type(Node):
    """`number` · `zone or none` · `1 to 10` · `set of units` · `plain or woods`"""

    parts: tuple[str, ...]
    low: int | None = None
    high: int | None = None
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Enumeration(Rule):
    """`enum terrain: plain, woods` (`scale letter: A, B, C` is ordered)"""

    name: str
    values: tuple[str, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`printed index: number` · `plan: number = 0 visible to it` · `quiet moved: flag "has moved"`

    Of `stock: number per resource` each value of the enumeration has its own.
    """

    name: str
    type: Type
    printed: bool
    per_face: bool
    default: Expr | None
    visible_to: Expr | None
    quiet: bool = False
    wording: str | None = None
    per: str = ""  # `stock: number per resource`: the enumeration of whose values each has its own
    showing: tuple[str, ...] = ()  # of `identity visible to …`: what the back of a counter tells

    @property
    def is_identity(self) -> bool:
        """`identity visible to owner showing side`: not a value, but who knows which piece a counter is."""
        return self.type.parts == (IDENTITY,)


@dataclass(frozen=True, slots=True)
class ClassDecl(Rule):
    """`space zone` with its attributes; also `border`, `piece unit`, `player`, `token class`

    In a sentence of its own, where it is spoken of, one attribute: `unit may be pinned "is stuck", quietly`,
    `unit has aim: 1 to 6 = 3`. Such a one is `said`, and of the kind of its class (book/spoken_state.py).
    """

    kind: str
    name: str
    plural: str | None
    attributes: tuple[Attribute, ...]
    said: bool = False


@dataclass(frozen=True, slots=True)
class GroupDecl(Rule):
    """`group army from unit.army`"""

    name: str
    piece: str
    attribute: str


@dataclass(frozen=True, slots=True)
class TrackDecl(Rule):
    """`track turn: 1 to 10 = 1` · `quiet track moving: flag` · `track stopped: flag "nobody may move"`"""

    name: str
    type: Type
    default: Expr | None
    visible_to: Expr | None
    quiet: bool = False
    wording: str | None = None


@dataclass(frozen=True, slots=True)
class Param(Node):
    """`unit` · `target: zone`"""

    name: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class RecordDecl(Rule):
    """`record combat` with its fields"""

    name: str
    fields: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Reading(Rule):
    """`reading die_range: clamp (default), reroll "why"`, or a line for each in words and `because "why"`"""

    name: str
    alternatives: tuple[str, ...]
    default: str
    reason: str | None
    wordings: tuple[str, ...] = ()  # what each alternative means, in their order; empty in the short form
    more_defaults: tuple[str, ...] = ()  # marked as the default after the first one was: a slip

    @property
    def settled(self) -> bool:
        """Only one way is played: it records what was assumed, and can not be switched."""
        return len(self.alternatives) == 1

    def worded(self) -> tuple[tuple[str, str], ...]:
        """Each alternative with what it means, the default first."""
        pairs = zip(self.alternatives, self.wordings or ("",) * len(self.alternatives), strict=True)
        return tuple(sorted(pairs, key=lambda pair: pair[0] != self.default))


@dataclass(frozen=True, slots=True)
class Option(Rule):
    """`option fog: flag = false "what it does"`"""

    name: str
    type: Type
    default: Expr
    reason: str | None


@dataclass(frozen=True, slots=True)
class Parameter(Rule):
    """`parameter activations = 4 "units per impulse"`"""

    name: str
    value: Expr
    reason: str | None
