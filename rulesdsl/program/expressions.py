"""Expressions whose names are resolved and whose types are known; sets are in sets.py."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute

Constant = int | Fraction | str


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A variable: parameter, `let`, loop member or choice. Two variables are the same only if identical."""

    name: str
    type: Type
    span: Span | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class E:
    """An expression with its type and the source it came from (for explanations)."""

    type: Type
    source: sx.Node | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Const(E):
    """A number, a text, a truth value (0/1), an index of a thing or an enumeration value; none is -1."""

    value: Constant


@dataclass(frozen=True, slots=True, eq=False)
class VarGet(E):
    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class TrackGet(E):
    track: str


@dataclass(frozen=True, slots=True, eq=False)
class FieldGet(E):
    """A field of the record that is being resolved: `combat.target`."""

    record: str
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class SettingGet(E):
    """A reading, option or parameter: constant during a game."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class AttrGet(E):
    attribute: Attribute
    of: E


@dataclass(frozen=True, slots=True, eq=False)
class Arith(E):
    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class NotE(E):
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class LogicE(E):
    op: str  # and, or
    parts: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompareE(E):
    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class CallE(E):
    """A define, by name."""

    define: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QuantityE(E):
    quantity: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RouteE(E):
    """The set of spaces in which a route may end."""

    route: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LegalE(E):
    """Whether an action is allowed: `legal attack(unit, zone)` (the name of an action used as a call)."""

    action: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BuiltinE(E):
    name: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlayableE(E):
    """Whether a token may be played in a window by who holds it: no author writes it, windows ask it."""

    window: str
    arguments: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LookupE(E):
    table: str
    keys: tuple[E, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ResultField(E):
    """One field of a table's result: `result.r`."""

    result: E
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class AfterE(E):
    """What would be the value once a procedure had been done: asked of a copy of the state.

    `value` speaks of no variable but `own`, which are `given` what they are now: `figure.at` is where the
    figure will be, but the figure is the one that is meant now.
    """

    procedure: str
    arguments: tuple[E, ...]
    own: tuple[Var, ...]
    given: tuple[E, ...]
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class IfE(E):
    condition: E
    then: E
    otherwise: E


@dataclass(frozen=True, slots=True, eq=False)
class StepFact(E):
    """`first_step`, `steps`, `spent` inside a route."""

    name: str
