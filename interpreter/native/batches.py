"""Many positions side by side in the machine, decided in one call: actions in, who is asked and what is
offered out, into rows that somebody else has made (runtime_batches.h).

    shelves = Shelves(steps, numberings, 1_000)
    shelves.begin(place, "7/0")                          # False: this game is one for Python
    shelves.decide(places, actions, masks, who, over)    # how many were done; the one after them is Python's
    shelves.words(place), shelves.states(places)         # positions as `NativeSteps` reads them

While the machine works, other threads run: each may have shelves of its own over the same `NativeSteps`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compiling.emit.native.stepping import WIDEST_OPTION
from interpreter.native.compilers import NotNative
from interpreter.native.library import number
from interpreter.native.steps import END, HEAD, LONGEST_SEED, PAID, WINNERS, NativeSteps, Words

if TYPE_CHECKING:
    from rulesdsl.book.scenario import Scenario

Rows = Any  # of NumPy: as many bytes as the machine will write


class Numbering(NamedTuple):
    """The actions of a decision point: from `first` on, `span` of them; by what is chosen, the last part
    running fastest, or, without `sizes`, by its place in the list of options."""

    first: int
    span: int
    sizes: tuple[int, ...]


class Ended(NamedTuple):
    """How a game ended, as the machine tells it."""

    end: int
    winners: int
    paid: tuple[tuple[int, Any], ...]


class _Numbering(ctypes.Structure):
    _fields_ = [
        ("first", ctypes.c_int64),
        ("span", ctypes.c_int64),
        ("parts", ctypes.c_int64),
        ("size", ctypes.c_int64 * WIDEST_OPTION),
    ]


class Shelves:
    """`count` games. For one thread at a time."""

    def __init__(
        self, steps: NativeSteps, scenario: Scenario | None, numberings: Sequence[Numbering], count: int
    ) -> None:
        self.steps, self.count = steps, count
        self._code = steps.library.code
        self._machine = steps.library.machine()  # kept as long as its pointer is used
        self._granted = steps.granted()
        self._start = steps.start(steps.ruleset.start_state(scenario), "")
        self._sites = (_Numbering * max(1, len(numberings)))(
            *(
                _Numbering(one.first, one.span, len(one.sizes), (ctypes.c_int64 * WIDEST_OPTION)(*one.sizes))
                for one in numberings
            )
        )
        self._all = self._code.native_shelves(count)
        if not self._all:
            raise NotNative("there is no memory for so many games")

    def __del__(self) -> None:
        if made := getattr(self, "_all", None):
            self._code.native_clear(made)
            self._all = None

    def begin(self, place: int, seed: str) -> bool:
        """A new game, run to its first decision; whether the machine could."""
        text = seed.encode() + b"/"
        return len(text) <= LONGEST_SEED and bool(
            self._code.native_begin(
                self._machine.pointer, self._all, self._start, text, len(text), self._granted, place
            )
        )

    def lay(self, place: int, words: Words) -> bool:
        """A position that was made of one of Python's."""
        return bool(self._code.native_lay(self._machine.pointer, self._all, words, place))

    def decide(self, places: Rows, actions: Rows, masks: Rows, who: Rows, over: Rows) -> int:
        """Decide in these places (64-bit numbers, as the actions are) and write what is asked next."""
        return int(
            self._code.native_decide(
                self._machine.pointer, self._all, self._sites, self._granted, places.ctypes.data,
                actions.ctypes.data, len(places), masks.shape[1], masks.ctypes.data, who.ctypes.data,
                over.ctypes.data,
            )
        )  # fmt: skip

    def look(self, places: Rows, masks: Rows, who: Rows, over: Rows) -> int:
        return int(
            self._code.native_look(
                self._machine.pointer, self._all, self._sites, places.ctypes.data, len(places),
                masks.shape[1], masks.ctypes.data, who.ctypes.data, over.ctypes.data,
            )
        )  # fmt: skip

    def words(self, place: int) -> Words:
        out = ctypes.create_string_buffer(8 * self._code.native_laid(self._all, place))
        self._code.native_taken(self._all, place, out)
        return out.raw

    def ended(self, places: Sequence[int]) -> Iterator[Ended]:
        """How the games in these places have ended."""
        players = self.steps.translation.players
        wide = HEAD + 3 * players
        heads = (ctypes.c_int64 * (wide * len(places)))()
        self._code.native_heads(self._all, (ctypes.c_int64 * len(places))(*places), len(places), heads)
        ways = zip(heads[END::wide], heads[WINNERS::wide], heads[PAID::wide], strict=True)
        for game, (end, winners, count) in enumerate(ways):
            paid: tuple[tuple[int, Any], ...] = ()
            if count:
                first = game * wide + HEAD
                whom, gains = heads[first : first + players], heads[first + players : first + 3 * players]
                paid = tuple((whom[k], number(gains[2 * k], gains[2 * k + 1])) for k in range(count))
            yield Ended(end, winners, paid)

    def asked(self, places: Rows, sites: Rows, who: Rows) -> None:
        """Write for each of these places which decision point asks, -1: none, and whom."""
        self._code.native_asks(self._all, places.ctypes.data, len(places), sites.ctypes.data, who.ctypes.data)

    def states(self, places: Rows, out: Rows) -> None:
        """Write the states of these places, a row of words for each."""
        self._code.native_states(self._all, places.ctypes.data, len(places), out.ctypes.data)
