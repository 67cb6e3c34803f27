"""Exact numbers of a size that games need. Whatever a rule does with them, they stop growing with a message.

There are two bounds. What is *kept* (in the state, in a variable) is at most `LARGEST`. What comes up on the
way to a value is at most `HUGE`, which is far beyond: nobody meets it who does not multiply for its own sake.
No denominator is larger than `LARGEST`. Whole numbers are plain `int`s: that they stay below `HUGE` is proven
when code is generated (codegen/magnitude.py), and only where it cannot be is a result looked at (`plus`,
`times`). Fractions are `Exact`s, which look at every result themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any, Self

from interpreter.running.fuel import TooLarge

Number = int | Fraction
LARGEST = 10**18
KEPT_BITS = LARGEST.bit_length()
HUGE_BITS = 384
HUGE = 1 << HUGE_BITS


class Exact(Fraction):
    """A fraction whose every sum, product and quotient is bounded."""

    __slots__ = ()

    def __new__(cls, numerator: Any = 0, denominator: Any = None) -> Self:
        made = super().__new__(cls, numerator, denominator)
        if made.denominator > LARGEST or not -HUGE <= made.numerator <= HUGE:
            raise TooLarge
        return made


def _made(numerator: int, denominator: int) -> Exact:
    """A fraction in its lowest terms, looked at once: making one anew would find them again."""
    if denominator > LARGEST or not -HUGE <= numerator <= HUGE:
        raise TooLarge
    made = object.__new__(Exact)
    made._numerator, made._denominator = numerator, denominator  # type: ignore[attr-defined]
    return made


def _bounded(name: str) -> Callable[..., Any]:
    plain = getattr(Fraction, name)

    def operation(self: Exact, *other: Any) -> Any:
        value = plain(self, *other)
        return _made(value.numerator, value.denominator) if isinstance(value, Fraction) else value

    return operation


def _with_whole(name: str, quick: Callable[[int, int, int], int]) -> Callable[..., Any]:
    """An operation that leaves the denominator as it is when the other number is whole."""
    otherwise = _bounded(name)

    def operation(self: Exact, other: Any) -> Any:
        if type(other) is not int:
            return otherwise(self, other)
        denominator = self.denominator
        return _made(quick(self.numerator, denominator, other), denominator)

    return operation


for _name in (
    "add",
    "radd",
    "sub",
    "rsub",
    "mul",
    "rmul",
    "truediv",
    "rtruediv",
    "mod",
    "rmod",
    "neg",
    "abs",
):
    setattr(Exact, f"__{_name}__", _bounded(f"__{_name}__"))
for _name, _quick in {
    "add": lambda n, d, whole: n + whole * d, "radd": lambda n, d, whole: n + whole * d,
    "sub": lambda n, d, whole: n - whole * d, "rsub": lambda n, d, whole: whole * d - n,
}.items():  # fmt: skip
    setattr(Exact, f"__{_name}__", _with_whole(f"__{_name}__", _quick))


def exact(value: Any) -> Any:
    """A value from a data file or a rulebook, with the fractions in it bounded."""
    if isinstance(value, Fraction) and not isinstance(value, Exact):
        return Exact(value)
    if isinstance(value, tuple):
        return tuple(map(exact, value)) if any(isinstance(v, (Fraction, tuple)) for v in value) else value
    if type(value) is dict:
        return {exact(key): exact(part) for key, part in value.items()}
    return value


def too_large() -> Number:
    """For a number that stands in a rulebook, and is more than any game needs."""
    raise TooLarge


def within(value: Number) -> Number:
    """A whole number on the way to a value."""
    if not -HUGE <= value <= HUGE:
        raise TooLarge
    return value


def argument(value: Number) -> Number:
    """A number that is handed to a define, a quantity, an action or a route."""
    if not -_LARGEST_ARGUMENT <= value <= _LARGEST_ARGUMENT:
        raise TooLarge
    return value


_LARGEST_ARGUMENT = 1 << HUGE_BITS // 2


def kept(value: Number) -> Number:
    """A number on its way into the state."""
    if not -LARGEST <= value <= LARGEST:
        raise TooLarge
    return value


def plus(a: Number, b: Number) -> Number:
    return within(a + b)


def minus(a: Number, b: Number) -> Number:
    return within(a - b)


def times(a: Number, b: Number) -> Number:
    """A product; numbers no game needs are refused before they fill the memory."""
    return within(a * b)


def divide(a: Number, b: Number) -> Number:
    """Exact division; a whole result is a whole number. Dividing by nothing gives nothing."""
    if b == 0:
        return 0
    if type(a) is int and type(b) is int:
        whole, rest = divmod(a, b)
        return Exact(a, b) if rest else whole
    value = Exact(Fraction(a) / b)
    return value.numerator if value.denominator == 1 else value


def round_down(value: Number) -> int:
    return floor(value)


def round_up(value: Number) -> int:
    return ceil(value)


def round_nearest(value: Number) -> int:
    """Halves are rounded up, as at a table."""
    return floor(value + _HALF)


_HALF = Exact(1, 2)


MOST_TO_CHOOSE = 1_000  # the greatest number that can be chosen


def numbers_between(low: Number, high: Number) -> int:
    """The whole numbers from one to another as a mask, from 0 to the greatest that can be chosen."""
    first, last = max(0, ceil(low)), min(MOST_TO_CHOOSE, floor(high))
    return (1 << last + 1) - (1 << first) if first <= last else 0


def odds(attack: Number, defence: Number) -> Number:
    """n:1 or 1:n in favour of the defender; against nothing the odds are as good as can be."""
    if defence <= 0:
        return 1000
    if attack <= 0:
        return one_to(1000)
    if attack >= defence:
        return within(floor(attack // defence))
    return one_to(ceil(-(-defence // attack)))


class _OneTo(Exact):
    """1:n, asked for again and again as the key of a table: it knows its hash."""

    __slots__ = ("_known",)
    _known: int

    def __new__(cls, numerator: Any = 1, denominator: Any = None) -> Self:
        made = super().__new__(cls, numerator, denominator)
        made._known = Fraction.__hash__(made)
        return made

    def __hash__(self) -> int:  # type: ignore[override]
        return self._known


@lru_cache(maxsize=1024)
def one_to(number: int) -> Fraction:
    return _OneTo(1, number)


def clamp(value: Number, low: Number, high: Number) -> Number:
    return min(max(value, low), high)


def remainder(value: Number, by: Number) -> Number:
    return value % by if by else 0
