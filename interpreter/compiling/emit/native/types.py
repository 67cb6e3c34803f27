"""Machine types: what the values of generated code are in words, and how two of them are joined.

A whole number is a 64-bit word with known limits; `None` is a word no number has. A mask is as many words as
its highest bit needs; a negative one (`~a`) has one bit more, so that its sign can be asked. Every number is
also a mask, as in Python. Fractions are two words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST = (1 << 63) - 1  # of a whole number in a word; the least one left is None
WORD = 64
WIDEST = 1 << 16  # bits of a mask


class Unsupported(Exception):
    """Something the native back end cannot express; says what."""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number from `low` to `high`; `none`: or None."""

    low: int
    high: int
    none: bool = False


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of the numbers below `bits`; `signed`: or all but such a set."""

    bits: int
    signed: bool = False

    @property
    def words(self) -> int:
        return max(1, -(-(self.bits + self.signed) // WORD))


@dataclass(frozen=True, slots=True)
class Frac:
    """An exact fraction, or None."""

    none: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """None, and nothing else."""


@dataclass(frozen=True, slots=True)
class Tup:
    """Several values."""

    members: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table known before the game: `count` members, the last of which is that of none."""

    member: Type
    count: int


@dataclass(frozen=True, slots=True)
class Rows:
    """The members of a mask, to be gone through or counted."""

    mask: Mask


@dataclass(frozen=True, slots=True)
class List:
    """A list that is filled while a function runs."""

    member: Type | None


@dataclass(frozen=True, slots=True)
class Steps:
    """Spaces in the order in which they were put, each with what was spent on the way (or None)."""

    value: Type | None


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The steps of a route (running/mask_search.py)."""

    name: str


@dataclass(frozen=True, slots=True)
class Links:
    """`table.all`: for every space a mask of neighbours; or None."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words of an author, each a number: they can be compared, and handed on to the machine."""


Type = Int | Mask | Frac | Nothing | Tup | Table | Rows | List | Steps | LinkTable | Links | Text
BIT = Int(0, 1)
WIDE = Int(-MOST, MOST)


def of_number(value: int) -> Int | Mask:
    """The type of a known number."""
    if -MOST <= value <= MOST:
        return Int(value, value)
    return Mask(value.bit_length(), value < 0)


def as_mask(type_: Type) -> Mask:
    """The mask a number is."""
    match type_:
        case Mask():
            return type_
        case Int(none=False):
            low, high = type_.low, type_.high
            return Mask(
                max(high.bit_length() if high > 0 else 0, low.bit_length() if low < 0 else 0), low < 0
            )
        case Rows():
            return type_.mask
        case _:
            raise Unsupported(f"a mask made of {spoken(type_)}")


def joined(a: Type | None, b: Type | None) -> Type | None:
    """The type of what is one or the other."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    match a, b:
        case Int(), Int():
            return Int(min(a.low, b.low), max(a.high, b.high), a.none or b.none)
        case Nothing(), Int() | Frac():
            return replace(b, none=True)
        case Int() | Frac(), Nothing():
            return replace(a, none=True)
        case Frac(), Frac():
            return Frac(a.none or b.none)
        case Int(none=one), Frac(none=other):
            return Frac(one or other)
        case Frac(none=one), Int(none=other):
            return Frac(one or other)
        case (Mask(), Mask() | Int()) | (Int(), Mask()):
            left, right = as_mask(a), as_mask(b)
            return Mask(max(left.bits, right.bits), left.signed or right.signed)
        case Rows(), Rows():
            found = joined(a.mask, b.mask)
            assert isinstance(found, Mask)
            return Rows(found)
        case Tup(), Tup() if len(a.members) == len(b.members):
            return Tup(tuple(_sure(joined(x, y)) for x, y in zip(a.members, b.members, strict=True)))
        case List(), List():
            return List(joined(a.member, b.member))
        case Steps(), Steps():
            return Steps(joined(a.value, b.value))
        case (Links(), Nothing()) | (Nothing(), Links()):
            return Links()
        case Table(), Table():  # shorter ones are filled up
            return Table(_sure(joined(a.member, b.member)), max(a.count, b.count))
        case _:
            raise Unsupported(f"one variable for {spoken(a)} and {spoken(b)}")


def _sure(type_: Type | None) -> Type:
    assert type_ is not None
    return type_


def widened(old: Type | None, new: Type) -> Type:
    """A type that keeps growing, made as large as it can get: what counts up in a loop has no known limit."""
    match old, new:
        case Int(), Int():
            low = new.low if new.low >= old.low else _step_down(new.low)
            return Int(low, new.high if new.high <= old.high else MOST, new.none)
        case List(member=first), List(member=then) if then is not None:
            return List(widened(first, then))
        case Steps(value=first), Steps(value=then) if then is not None:
            return Steps(widened(first, then))
        case Tup(), Tup():
            return Tup(tuple(widened(x, y) for x, y in zip(old.members, new.members, strict=True)))
        case Mask(), Mask() if new.bits > WIDEST:
            raise Unsupported("a mask that grows without end")
        case _:
            return new


def _step_down(low: int) -> int:
    return 0 if low >= 0 else -1 if low == -1 else -MOST


def category(type_: Type) -> str:
    """Values of different categories never share a variable; those of one do, joined."""
    match type_:
        case List():
            return "list"
        case Steps():
            return "steps"
        case LinkTable():
            return "links"
        case Rows():
            return "rows"
        case Tup():
            return "tuple"
        case Table():
            return "table"
        case _:
            return ""


def spoken(type_: Type | None) -> str:
    match type_:
        case None:
            return "nothing known"
        case Int():
            return "a number"
        case Mask():
            return "a mask"
        case Frac():
            return "a fraction"
        case _:
            return f"a {type(type_).__name__.lower()}"


def c_type(type_: Type | None) -> str:
    """What C calls it."""
    match type_:
        case Int() | Text() | None | Nothing():
            return "int64_t"
        case Mask():
            return f"m{type_.words}"
        case Rows():
            return f"m{type_.mask.words}"
        case Frac():
            return "frac"
        case LinkTable():
            return "const links *"
        case Links():
            return "const MS *"
        case Tup() | List() | Steps():
            return struct_name(type_)
        case Table(member=member):
            return f"const {table_type(member)} *"
        case _:
            raise Unsupported(f"a variable for {spoken(type_)}")


def struct_name(type_: Type) -> str:
    match type_:
        case Tup(members=(Mask(), Mask(), Links())):
            return "bar"
        case List(member=Tup(members=(Mask(), Mask(), Links()))):
            return "bars"
        case Tup(members=members):
            return "t_" + "_".join(_short(member) for member in members)
        case List(member=member):
            return "list_" + _short(member)
        case Steps(value=value):
            return "steps_" + ("f" if isinstance(value, Frac) else "i")
        case _:
            raise Unsupported(f"a structure for {spoken(type_)}")


def _short(type_: Type | None) -> str:
    match type_:
        case Int() | None | Nothing():
            return "i"
        case Mask():
            return f"m{type_.words}"
        case Frac():
            return "f"
        case Links():
            return "a"
        case Tup():
            return struct_name(type_)
        case _:
            raise Unsupported(f"a part that is {spoken(type_)}")


def table_type(member: Type) -> str:
    """Of the members of a table: numbers take no more room than they need."""
    match member:
        case Int(low=low, high=high, none=False):
            for bits in (8, 16, 32):
                if -(1 << bits - 1) <= low and high < 1 << bits - 1:
                    return f"int{bits}_t"
            return "int64_t"
        case Table(member=inner):
            return table_type(inner)
        case Text():
            return "int32_t"
        case _:
            return c_type(member)
