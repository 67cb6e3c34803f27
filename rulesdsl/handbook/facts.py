"""What running the rules found out: handed to the handbook by whoever can run them.

The handbook belongs to the front end and plays no game; `interpreter.handbook` fills these in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of a breakdown: `+1 "river"` by 7.1.2, and the value after it."""

    paragraph: str
    label: str
    op: str
    amount: str
    value: str


def signed(op: str, amount: str) -> str:
    """What a line of a breakdown does: `+1`, `−2`, `×2`, `at least 3`; what is negative is not added."""
    if op in ("+", "-") and amount.startswith("-"):
        op, amount = ("-" if op == "+" else "+"), amount[1:]
    sign = {"x": "×", "/": "÷", "-": "−", "=": "= "}.get(op, op)
    return f"{sign}{' ' if len(op) > 1 else ''}{amount}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A quantity at one moment, with everything that went into it."""

    name: str
    value: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation of an example: `value` is what came out, where there is a value to be shown."""

    text: str
    holds: bool
    value: str = ""
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class ExampleReport:
    """What became of an example when it was played."""

    holds: bool
    problems: tuple[str, ...]
    log: tuple[tuple[str, str], ...]  # (paragraph, what happened)
    checks: tuple[Check, ...]
    breakdowns: tuple[Breakdown, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    id: str
    title: str
    status: str
    examples: int
    fired: int
    extra: bool


@dataclass(frozen=True, slots=True)
class Distribution:
    """Results with their exact chances, in the order in which the die brings them."""

    chances: tuple[tuple[str, Fraction], ...]
    expected: tuple[tuple[str, Fraction], ...] = ()  # field → what it is on average


@dataclass(frozen=True, slots=True)
class TableOdds:
    """The chances of a table that is read with dice: (page, column, modifier) → results.

    `missing` are the dice for which a table has no row, which the checker excludes unless the modifier is
    greater than the rules allow.
    """

    table: str
    paragraph: str
    dice: str
    modifier: str  # the quantity that changes the die, in the words of the rules; empty when nothing does
    modifiers: tuple[int, ...]
    usual: tuple[int, int]  # the least and the greatest modifier the rules can give, as far as it is known
    columns: tuple[tuple[str, ...], ...]  # (page and) column labels
    chances: Mapping[tuple[tuple[str, ...], int], Distribution]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that was computed. Without any, the handbook is complete but for the computed parts."""

    examples: Mapping[tuple[str, int], ExampleReport] = field(default_factory=dict)
    ledger: tuple[LedgerRow, ...] = ()
    games: int = 0
    odds: Mapping[str, TableOdds] = field(default_factory=dict)
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # scenario → who takes part, by name
