"""Exact odds: what may come of a procedure when every die falls every way, weighed exactly.

The rules are run, not imitated: a machine whose dice are dictated plays the procedure again for every way
they can fall. What players decide on the way is either taken as the quietest choice (nobody does what he need
not, otherwise the first option) or weighed evenly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from interpreter.running.machine import Code, Machine
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import DEFAULT

MOST_WAYS = 100_000  # so many ways of dice and choices can be looked at
MANY_WAYS = 3_000  # from then on ways that stand alike are counted together
MOST_DECISIONS = 400

Weighed = tuple[tuple[Any, Fraction], ...]  # value and its chance


class _Open(Exception):
    """A die is to be rolled, and nobody has dictated it."""

    def __init__(self, outcomes: Weighed) -> None:
        super().__init__()
        self.outcomes = outcomes


class DictatedMachine(Machine):
    """A machine that takes its chances from a list, and asks when the list is at its end.

    `noticed` holds what was rolled; `before_first` is called at the first roll, with the state as it is then.
    """

    __slots__ = ("before_first", "dictated", "next", "noticed")

    def __init__(self, code: Code, state: list[Any], dictated: Sequence[Any] = ()) -> None:
        super().__init__(code, state, "odds")
        self.dictated = dictated
        self.next = 0
        self.noticed: list[tuple[str, Any]] = []
        self.before_first: Callable[[list[Any]], None] | None = None

    def take(self, purpose: str, outcomes: Weighed) -> Any:
        if self.next >= len(self.dictated):
            if not self.dictated and self.before_first is not None:
                self.before_first(self.s)
            raise _Open(outcomes)
        value = self.dictated[self.next]
        self.next += 1
        self.noticed.append((purpose, value))
        return value

    def roll(self, purpose: str, cell: int, dice: int, faces: int) -> int:
        self.s[cell] += 1
        return int(self.take(purpose, dice_chances(dice, faces)))

    def pick(self, purpose: str, cell: int, group: int) -> int:
        members = [i for i in range(group.bit_length()) if group >> i & 1]
        if not members:
            return -1
        self.s[cell] += 1
        return int(self.take(purpose, tuple((m, Fraction(1, len(members))) for m in members)))


@lru_cache(maxsize=256)
def dice_chances(dice: int, faces: int) -> Weighed:
    """Every total of some dice with its chance; the same numbers as counting all throws."""
    totals = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for total, face in product(totals, range(1, faces + 1)):
            more[total + face] = more.get(total + face, 0) + totals[total]
        totals = more
    return tuple((total, Fraction(ways, faces**dice)) for total, ways in sorted(totals.items()))


@dataclass(frozen=True, slots=True)
class Way:
    """One way things can go: how likely, which dice, and the state it ends in."""

    chance: Fraction
    rolled: tuple[tuple[str, Any], ...]
    state: list[Any] = field(repr=False)
    outcome: tuple[str, int, str, str] | None
    results: tuple[tuple[str, Any], ...]


def explore(
    code: Code,
    state: list[Any],
    procedure: str,
    arguments: Sequence[Any],
    *,
    even: bool = False,
    before_first: Callable[[list[Any]], None] | None = None,
    results: list[tuple[str, Any]] | None = None,
) -> Iterator[Way]:
    """Every way a procedure can go, in the order of the dice.

    `results` is a list into which whoever watches the tables writes; it is emptied before every way.
    """
    trial = Trial(
        lambda dictated: DictatedMachine(code, state[:], dictated),
        lambda machine: machine.begin(procedure, arguments),
        even, before_first, results,
    )  # fmt: skip
    return every_way(trial)


@dataclass(slots=True)
class Trial:
    """What is tried with every fall of the dice: how to set the machine up, and what to begin with."""

    make: Callable[[Sequence[Any]], DictatedMachine]
    begin: Callable[[DictatedMachine], None]
    even: bool = False
    before_first: Callable[[list[Any]], None] | None = None
    results: list[tuple[str, Any]] | None = None
    left: int = DEFAULT.work_per_thought  # all ways together

    def run(self, dictated: Sequence[Any]) -> tuple[DictatedMachine, _Open | None]:
        """Play with these dice; what is open when they do not reach."""
        machine = self.make(dictated)
        machine.before_first = self.before_first
        if self.results is not None:
            self.results.clear()
        try:
            with machine.code.errand(self.left):
                try:
                    self.begin(machine)
                    _decide(machine, self.even)
                finally:
                    self.left = machine.code.remaining()
        except _Open as open_:
            return machine, open_
        return machine, None

    def way(self, chance: Fraction, machine: DictatedMachine, merged: bool = False) -> Way:
        rolled = () if merged else tuple(machine.noticed)
        return Way(chance, rolled, machine.s, _ended(machine), tuple(self.results or ()))


def every_way(trial: Trial) -> Iterator[Way]:
    """One way after the other; when there are very many, those that stand alike between two dice as one."""
    waiting: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    found: list[Way] = []
    while waiting:
        dictated, chance = waiting.pop()
        machine, open_ = trial.run(dictated)
        if open_ is not None:
            waiting.extend(((*dictated, value), chance * share) for value, share in reversed(open_.outcomes))
            continue
        found.append(trial.way(chance, machine))
        if len(found) + len(waiting) > MANY_WAYS:
            trial.before_first = None  # it has been called
            trial.left = DEFAULT.work_per_thought
            yield from _merged(trial)
            return
    yield from found


def _merged(trial: Trial) -> Iterator[Way]:
    """Die by die: positions that are the same in everything that can still matter are gone on with once. A
    pool of dice of which only the hits count has as many as there can be hits."""
    level: dict[Any, tuple[tuple[Any, ...], Fraction]] = {(): ((), Fraction(1))}
    seen = 0
    while level:
        following: dict[Any, tuple[tuple[Any, ...], Fraction]] = {}
        for point, (dictated, chance) in level.items():
            machine, open_ = trial.run(dictated)
            if open_ is None:
                seen += 1
                yield trial.way(chance, machine, merged=True)
                continue
            del point
            for value, share in open_.outcomes:
                longer = (*dictated, value)
                then, further = trial.run(longer)
                seen += 1
                if seen > MOST_WAYS:
                    raise UsageError(f"there are more than {MOST_WAYS:,} ways this can go")
                key = _standing(trial, then, further)
                first, sum_ = following.get(key, (longer, Fraction(0)))
                following[key] = (first, sum_ + chance * share)
        level = following


def _standing(trial: Trial, machine: DictatedMachine, open_: _Open | None) -> Any:
    """Everything that can still matter: the state, the frames, where in the code the next die is rolled and
    what its variables hold, and what the tables have said."""
    inside: list[tuple[str, int, str]] = []
    trace = open_.__traceback__ if open_ is not None else None
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename.startswith("<"):  # generated
            held = {n: v for n, v in frame.f_locals.items() if n not in ("m", "s", "f")}
            inside.append((frame.f_code.co_name, trace.tb_lineno, repr(sorted(held.items()))))
        trace = trace.tb_next
    frames = tuple(map(tuple, machine.stack))
    said = tuple(trial.results or ())
    return repr((machine.s, frames, inside, said, open_ is None, machine.outcome))


def _decide(machine: DictatedMachine, even: bool) -> None:
    for _ in range(MOST_DECISIONS):
        pending = machine.pending
        if pending is None:
            return
        options = [*range(len(pending.options)), *([-1] if pending.out else [])]
        if even and len(options) > 1:
            share = Fraction(1, len(options))
            machine.choose(machine.take("choice", tuple((option, share) for option in options)))
        else:
            machine.choose(-1 if pending.out else 0)
    raise UsageError(f"more than {MOST_DECISIONS} decisions come of this; odds are for single procedures")


def _ended(machine: Machine) -> tuple[str, int, str, str] | None:
    """How the game ended, if a rule ended it (that the procedure has run out does not count)."""
    outcome = machine.outcome
    return outcome if outcome is not None and outcome[3] else None
