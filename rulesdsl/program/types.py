"""The types of the language: a closed, small set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from rulesdsl.base.lightclass import dataclass

Kind = Literal["number", "flag", "text", "enum", "thing", "set", "result", "none", "unknown"]


@dataclass(frozen=True, slots=True)
class Type:
    """`name` is the enumeration, the universe (space, border, piece, player, token, group) or the table;
    `of` is the class inside the universe (`zone`), empty for any."""

    kind: Kind
    name: str = ""
    of: str = ""
    nullable: bool = False
    ratio: bool = False
    low: int | None = None
    high: int | None = None
    of_enum: bool = False  # a set of values of the enumeration `name`

    def __str__(self) -> str:
        noun = self.of or self.name
        match self.kind:
            case "thing":
                return f"{noun} or none" if self.nullable else noun
            case "set":
                return f"set of {noun}s"
            case "enum":
                return f"{self.name} or none" if self.nullable else self.name
            case "result":
                return f"result of table {self.name}"
            case _:
                return self.kind

    @property
    def member(self) -> Type:
        """The type of the members of a set."""
        if self.name == "number":
            return NUMBER
        return Type("enum", self.name) if self.of_enum else Type("thing", self.name, self.of)

    def or_none(self) -> Type:
        return replace(self, nullable=True)


NUMBER = Type("number")
RATIO = Type("number", ratio=True)
FLAG = Type("flag")
TEXT = Type("text")
NONE = Type("none")
UNKNOWN = Type("unknown")


def named(things: Iterable[str | Type]) -> tuple[str, ...]:
    """The names in a row of names and types: of a type its class, its enumeration or its table."""
    names = (one if isinstance(one, str) else one.of or one.name for one in things)
    return tuple(name for name in names if name)


def thing(universe: str, of: str = "", nullable: bool = False) -> Type:
    return Type("thing", universe, of, nullable)


def set_of(universe: str, of: str = "") -> Type:
    return Type("set", universe, of)


def apart(one: Type, other: Type) -> bool:
    """Whether nothing is of both classes. Where a class is not known (a piece, a space) it may be either."""
    return one.name == other.name and bool(one.of and other.of) and one.of != other.of


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is asked for."""
    if "unknown" in (given.kind, wanted.kind):
        return True
    if given.kind == "none":
        return wanted.kind in ("thing", "enum")
    if given.kind != wanted.kind:
        return False
    if given.kind in ("thing", "set"):
        return given.name == wanted.name and not apart(given, wanted)
    if given.kind in ("enum", "result"):
        return given.name == wanted.name
    return True


def join(one: Type, other: Type) -> Type | None:
    """The type of `if … then one else other`, or None when they do not go together."""
    if one.kind == "unknown":
        return other
    if other.kind == "unknown":
        return one
    if one.kind == "none" and other.kind in ("thing", "enum"):
        return other.or_none()
    if other.kind == "none" and one.kind in ("thing", "enum"):
        return one.or_none()
    if not fits(replace(one, of=""), other):  # a zone or a box: some space
        return None
    of = one.of if one.of == other.of else ""
    nullable, ratio = one.nullable or other.nullable, one.ratio and other.ratio
    return Type(one.kind, one.name, of, nullable, ratio, of_enum=one.of_enum and other.of_enum)
