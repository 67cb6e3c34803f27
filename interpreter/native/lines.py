"""What searches do with positions, in the machine: looks a step ahead, lines through the reply, games at
random.

The agents say what they want (`Search`: how broad, how patient, who takes part, what a position is worth);
what is done with it is theirs, word for word, with the same generator of random numbers (runtime_lines.h).
Whatever the machine gives up is `NotHere`, and the agent does it in Python from the same place.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from random import Random
from typing import Any

from interpreter.native.library import Fraction_, number
from interpreter.native.steps import NOT_OVER, Granted, NativeSteps, NotHere, Stepper, Words, given_up

MOST_BREADTH = 64
STOPPING, PRESSING = -1, -2


class _Answered(ctypes.Structure):
    _fields_ = [("name", ctypes.c_int64), ("key", ctypes.c_int64 * 16), ("worth", Fraction_)]


class _Looked(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("count", "chanced", "site", "width", "decisions")),
        ("answers", _Answered * (MOST_BREADTH + 1)),
    ]


PLANNED_WORDS = 18  # of one decision of a plan: site, whether it is the way out, the option
MOST_PLANNED = 160


class _Lined(ctypes.Structure):
    _fields_ = [
        ("late", ctypes.c_int64), ("decisions", ctypes.c_int64), ("worth", Fraction_),
        ("planned", ctypes.c_int64), ("made", ctypes.c_int64 * (PLANNED_WORDS * MOST_PLANNED)),
    ]  # fmt: skip


class _Line(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("index", "seat", "replies", "enough", "turn")),
        ("pick", ctypes.c_double), ("patience", ctypes.c_double),
        ("count", ctypes.c_int64), ("plan", ctypes.c_char_p),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a line shall be: an option, whose it is, how far it goes; a plan that is followed, and the
    decision in it at which something else is done, by lot."""

    index: int
    seat: int
    replies: int
    enough: int
    plan: bytes = b""
    turn: int = -1
    pick: float = 0.0


_NUMBERS = (
    "judges", "printed", "weighted", "breadth", "patience", "looks", "pooled", "farthest", "win", "answers",
    "seats",
)  # fmt: skip
_ROWS = ("goes_on", "gathers", "travels", "drawn", "owner_first", "owner_word", "of_something")


def _searching(players: int) -> type[ctypes.Structure]:
    whole, row = ctypes.c_int64, ctypes.c_void_p
    fields = [
        *((name, whole) for name in _NUMBERS), ("seat", whole * players), *((name, row) for name in _ROWS),
    ]  # fmt: skip
    return type("Searching", (ctypes.Structure,), {"_fields_": fields})


def _ran(players: int) -> type[ctypes.Structure]:
    whole = ctypes.c_int64
    fields = [
        *((name, whole) for name in ("decisions", "end", "winners", "paid")), ("payee", whole * players),
        ("gain", Fraction_ * players), ("value", Fraction_ * players),
    ]  # fmt: skip
    return type("Ran", (ctypes.Structure,), {"_fields_": fields})


@dataclass(frozen=True, slots=True)
class Search:
    """What agents do in imagined worlds (agents/native_worlds.py fills it in)."""

    judges: bool  # whether the rulebook says what a position is worth
    printed: int  # which of the values of the translation
    weighted: int
    breadth: int
    patience: int
    looks: int
    farthest: int
    win: int
    answers: int
    seats: tuple[int, ...]
    goes_on: tuple[bool, ...]  # by decision point
    gathers: tuple[bool, ...]
    travels: tuple[bool, ...]
    owners: dict[str, tuple[int, ...]]  # procedure → places in its frame with players it was begun for
    of_something: frozenset[str]  # procedures begun for something else


@dataclass(frozen=True, slots=True)
class Looked:
    """What an option is worth a step ahead, for each line of play that follows it."""

    lines: dict[Any, Any]  # STOPPING, PRESSING, or (site, answer) → worth
    chanced: bool


@dataclass(frozen=True, slots=True)
class Ran:
    """How a game at random went: its end, or the values of the players when it was not over."""

    end: int
    winners: int
    paid: tuple[tuple[int, Any], ...]
    values: tuple[Any, ...]

    @property
    def is_over(self) -> bool:
        return self.end != NOT_OVER


class Lines:
    """One machine that searches. For one thread at a time."""

    def __init__(self, steps: NativeSteps, stepper: Stepper, search: Search) -> None:
        self.steps, self.stepper, self.search = steps, stepper, search
        self._told, self._rows = _told(steps, search)
        self._address = ctypes.addressof(self._told)
        self._looked, self._lined, self._ran = _Looked(), _Lined(), _ran(steps.translation.players)()
        self._seeded = "", _twister(Random(""))  # the same generator for all options in a world
        self._code, self._machine = stepper.code, stepper.pointer
        if not self._draws_alike():
            raise NotHere("another generator of random numbers")

    def _draws_alike(self) -> bool:
        """Whether random numbers here are Python's."""
        for count in (self.search.breadth + 3, 500):
            rng, breadth = Random(str(count)), self.search.breadth
            own = (ctypes.c_int64 * breadth)()
            twister = _buffer(_twister(rng))
            self._code.native_sample(self._machine, twister, count, breadth, _pooled(breadth), own)
            if own[:] != sorted(rng.sample(range(count), breadth)):
                return False
        return True

    def _checked(self, why: int, granted: Granted) -> None:
        if why:
            raise given_up(why, granted)

    def line(
        self, world: Words, asked: Asked, seed: str, patience: float | None, left: int
    ) -> tuple[Any, bytes, int]:
        """An option played on through the reply: what the position is worth then (None: there was no time),
        what the seat has done in its part, and what may still be done."""
        granted, found = self.steps.granted(left), self._lined
        if seed != self._seeded[0]:
            self._seeded = seed, _twister(Random(seed))
        line = _Line(
            asked.index, asked.seat, asked.replies, asked.enough, asked.turn, asked.pick,
            -1.0 if patience is None else max(0.0, patience),
            len(asked.plan) // (8 * PLANNED_WORDS), asked.plan,
        )  # fmt: skip
        self._checked(self._code.native_line(
            self._machine, world, self._address, granted, ctypes.addressof(line),
            _buffer(self._seeded[1]), ctypes.addressof(found),
        ), granted)  # fmt: skip
        if found.late:
            return None, b"", granted.left
        made = ctypes.string_at(
            ctypes.addressof(found) + _Lined.made.offset, 8 * PLANNED_WORDS * found.planned
        )
        return number(found.worth.n, found.worth.d), made, granted.left

    def looks(
        self, world: Words, index: int, seat: int, breadth: int, patience: int, left: int
    ) -> tuple[Looked, int]:
        """What an option is worth a step ahead."""
        granted, out = self.steps.granted(left), self._looked
        self._checked(self._code.native_looks(
            self._machine, world, self._address, granted, index, seat, breadth, patience,
            ctypes.addressof(out),
        ), granted)  # fmt: skip
        lines: dict[Any, Any] = {}
        for one in out.answers[: out.count]:
            key: Any = one.name
            if one.name >= 0:
                key = out.site, one.key[0] if out.width == 1 else tuple(one.key[: out.width])
            lines[key] = number(one.worth.n, one.worth.d)
        return Looked(lines, bool(out.chanced)), granted.left

    def playout(self, farthest: int, rng: Random, left: int) -> tuple[Ran, int]:
        """The position in the machine played on at random."""
        granted, out = self.steps.granted(left), self._ran
        self._checked(self._code.native_playout(
            self._machine, self._address, granted, farthest, _buffer(_twister(rng)), ctypes.addressof(out)
        ), granted)  # fmt: skip
        paid = tuple((out.payee[k], number(out.gain[k].n, out.gain[k].d)) for k in range(out.paid))
        values: tuple[Any, ...] = ()
        if out.end == NOT_OVER and self.search.judges:
            values = tuple(number(out.value[k].n, out.value[k].d) for k in range(len(self.search.seats)))
        return Ran(out.end, out.winners, paid, values), granted.left


def _twister(rng: Random) -> bytes:
    """The state of a generator in words."""
    return array("I", rng.getstate()[1]).tobytes()


def _buffer(twister: bytes) -> Any:
    return ctypes.create_string_buffer(twister, len(twister))


def _pooled(breadth: int) -> int:
    """Up to how many things `Random.sample` shuffles a pool."""
    return 21 + (4 ** ceil(log(breadth * 3, 4)) if breadth > 5 else 0)


def _told(steps: NativeSteps, search: Search) -> tuple[ctypes.Structure, list[Any]]:
    translation = steps.translation
    if search.breadth > MOST_BREADTH:
        raise NotHere("many options at once")
    firsts, words = [0], list[int]()
    for layout in translation.frames:
        words += [layout.places[place - 1][0] for place in search.owners.get(layout.name, ())]
        firsts.append(len(words))

    def flags(given: Sequence[bool]) -> Any:
        return (ctypes.c_int8 * max(1, len(given)))(*map(int, given))

    rows = {
        "goes_on": flags(search.goes_on), "gathers": flags(search.gathers), "travels": flags(search.travels),
        "drawn": flags([outcome in ("drawn", "pays") for outcome, _, _ in translation.ends]),
        "owner_first": (ctypes.c_int32 * len(firsts))(*firsts),
        "owner_word": (ctypes.c_int32 * max(1, len(words)))(*words),
        "of_something": flags([layout.name in search.of_something for layout in translation.frames]),
    }  # fmt: skip
    told = _searching(translation.players)(
        judges=int(search.judges), printed=search.printed, weighted=search.weighted, breadth=search.breadth,
        patience=search.patience, looks=search.looks, pooled=_pooled(search.breadth),
        farthest=search.farthest, win=search.win, answers=search.answers, seats=len(search.seats),
        **{name: ctypes.addressof(row) for name, row in rows.items()},
    )  # fmt: skip
    told.seat[: len(search.seats)] = search.seats
    return told, list(rows.values())
