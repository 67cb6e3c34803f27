"""Expressions that are sets, and what is asked of sets."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.program.expressions import E, Var


@dataclass(frozen=True, slots=True, eq=False)
class NumbersE(E):
    """Whole numbers from one to another, as a set to choose from."""

    low: E
    high: E


@dataclass(frozen=True, slots=True, eq=False)
class ClassSet(E):
    """Everything of a class: `units`."""


@dataclass(frozen=True, slots=True, eq=False)
class PiecesIn(E):
    place: E


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours(E):
    """The spaces adjacent to a space."""

    place: E


@dataclass(frozen=True, slots=True, eq=False)
class BordersBetween(E):
    """Borders that join one of these spaces with one of those (each side a space or a set of spaces)."""

    one: E
    other: E


@dataclass(frozen=True, slots=True, eq=False)
class SpacesOf(E):
    """The spaces in which these pieces stand."""

    pieces: E


@dataclass(frozen=True, slots=True, eq=False)
class SetOp(E):
    """`&` both, `|` either, `-` the first without the second"""

    op: str
    left: E
    right: E


@dataclass(frozen=True, slots=True, eq=False)
class SingleSet(E):
    """The set that holds one thing (empty for none)."""

    value: E


@dataclass(frozen=True, slots=True, eq=False)
class Filter(E):
    """The members `var` of a set for which a condition holds."""

    group: E
    var: Var
    condition: E


@dataclass(frozen=True, slots=True, eq=False)
class Member(E):
    value: E
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class SomeE(E):
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class CountE(E):
    group: E


@dataclass(frozen=True, slots=True, eq=False)
class FirstE(E):
    """The first member, or none."""

    group: E


@dataclass(frozen=True, slots=True, eq=False)
class SumE(E):
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class ExtremeE(E):
    """The least or greatest value over a set; 0 when the set is empty."""

    extreme: str
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class ArgExtreme(E):
    """The members with the least or greatest value."""

    extreme: str
    group: E
    var: Var
    value: E


@dataclass(frozen=True, slots=True, eq=False)
class NearestE(E):
    """The members of a set of spaces nearest to a place, in steps."""

    group: E
    place: E
