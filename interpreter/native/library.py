"""A native library in this process: its structures, its questions to Python, its machines."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.compiling.emit.native.cells import words_of
from interpreter.compiling.emit.native.program import Translation
from interpreter.compiling.emit.native.types import Frac, Int, Mask, Tup, Type
from interpreter.native.compilers import NotNative
from interpreter.running.fuel import STOPS
from interpreter.running.numbers import Exact

NONE = -(1 << 63)
_ALIGNED = 64
_WORD = (1 << 64) - 1
STOPPED = {
    2: "work", 3: "a number too large for a word", 4: "a table without a result", 5: "too many options",
    6: "procedures in each other", 7: "something outside of its limits", 8: "a seat without a player",
    9: "too many decisions", 10: "memory", 11: "a function without an answer", 12: "a search step by step",
}  # fmt: skip

_ORACLE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64)
)


class Order(ctypes.Structure):
    """What a game is played with (`order` in runtime_entry.h)."""

    _fields_ = [
        ("seed", ctypes.c_char_p), ("seed_length", ctypes.c_int64),
        ("seats", ctypes.POINTER(ctypes.c_char_p)), ("seat_lengths", ctypes.POINTER(ctypes.c_int64)),
        ("by", ctypes.c_int64), ("quick", ctypes.c_uint64),
        ("script", ctypes.POINTER(ctypes.c_int64)), ("script_length", ctypes.c_int64),
        ("trace", ctypes.POINTER(ctypes.c_int64)), ("trace_room", ctypes.c_int64),
        ("granted", ctypes.c_int64), ("left", ctypes.c_int64), ("turns", ctypes.c_int64),
        ("firings", ctypes.c_int64), ("most_options", ctypes.c_int64), ("most_decisions", ctypes.c_int64),
        ("keeps_history", ctypes.c_int64),
    ]  # fmt: skip


class Fraction_(ctypes.Structure):
    _fields_ = [("n", ctypes.c_int64), ("d", ctypes.c_int64)]


def answer_type(players: int) -> type[ctypes.Structure]:
    """`answer` in runtime_entry.h."""
    fields = [
        (name, ctypes.c_int64) for name in ("code", "end", "winners", "decisions", "traced", "paid", "work")
    ]
    more = [("players", ctypes.c_int64 * players), ("gains", Fraction_ * players)]
    return type("Answer", (ctypes.Structure,), {"_fields_": [*fields, *more]})


def tally_type(players: int, ends: int) -> type[ctypes.Structure]:
    """`tally` in runtime_entry.h."""
    fields = [(name, ctypes.c_int64) for name in ("games", "stopped", "decisions", "drawn")]
    more = [("ends", ctypes.c_int64 * (ends + 1)), ("wins", ctypes.c_int64 * players)]
    return type("Tally", (ctypes.Structure,), {"_fields_": [*fields, *more]})


class Library:
    """One game's code, loaded. Its machines may be used by several threads, each by one at a time."""

    def __init__(self, path: Path, translation: Translation, names: dict[str, Any]) -> None:
        try:
            self._code = ctypes.CDLL(str(path))
        except OSError as error:
            with suppress(OSError):
                path.unlink()  # damaged where it is kept: the next who wants it builds it anew
            raise NotNative(f"the library could not be loaded: {error}") from None
        self.translation = translation
        self._declare()
        if not self._is_of_this_game():
            raise NotNative("the library is not of this game")
        self._room = ctypes.create_string_buffer(len(translation.data) + _ALIGNED)
        start = ctypes.addressof(self._room)
        start += -start % _ALIGNED
        ctypes.memmove(start, translation.data, len(translation.data))
        self._oracle = _ORACLE(_answering(translation, names))
        self._data = ctypes.c_void_p(start)

    def _is_of_this_game(self) -> bool:
        return bool(
            self._code.native_sizes(0) == ctypes.sizeof(self.answer)
            and self._code.native_sizes(1) == self.translation.cells.words
        )

    def _declare(self) -> None:
        self._declare_memory()
        self.answer = answer_type(self.translation.players)
        self.tally = tally_type(self.translation.players, self.translation.tallied)
        code, words = self._code, ctypes.POINTER(ctypes.c_int64)
        code.native_play.restype = None
        code.native_play.argtypes = [
            ctypes.c_void_p, words, ctypes.POINTER(Order), words, ctypes.c_int64, ctypes.c_void_p, words,
        ]  # fmt: skip
        code.native_many.restype = None
        code.native_many.argtypes = [
            ctypes.c_void_p, words, ctypes.POINTER(Order), ctypes.c_int64, ctypes.c_void_p,
        ]  # fmt: skip
        code.native_history.restype = ctypes.c_int64
        code.native_history.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64), ctypes.c_int64]

    def _declare_memory(self) -> None:
        code = self._code
        code.native_sizes.restype, code.native_sizes.argtypes = ctypes.c_int64, [ctypes.c_int64]
        code.native_new.restype, code.native_new.argtypes = ctypes.c_void_p, [ctypes.c_void_p, _ORACLE]
        code.native_free.restype, code.native_free.argtypes = None, [ctypes.c_void_p]

    def machine(self) -> NativeMachine:
        made = self._code.native_new(self._data, self._oracle)
        if not made:
            raise NotNative("there is no memory for a machine")
        return NativeMachine(self._code, made, self)

    # ---- states ------------------------------------------------------------------------------------------
    def words_of_state(self, state: Sequence[Any]) -> Any:
        """A state in words, as games begin with it."""
        out = (ctypes.c_int64 * max(1, self.translation.cells.words))()
        for group, first in self.translation.cells.offsets():
            at = first
            for cell in range(group.first, group.end):
                for word in words_of_value(state[cell], group.type):
                    out[at] = word
                    at += 1
        return out

    def state_of_words(self, words: Sequence[int], like: Sequence[Any]) -> list[Any]:
        """A state as Python has it; cells that are never in the machine are as in another state."""
        state = list(like)
        for group, first in self.translation.cells.offsets():
            wide = words_of(group.type)
            for place in range(group.size):
                at = first + place * wide
                state[group.first + place] = value_of_words(words[at : at + wide], group.type)
        return state


class NativeMachine:
    """Memory for one game at a time."""

    def __init__(self, code: Any, pointer: int, library: Library) -> None:
        self._code, self.pointer = code, pointer
        self._library = library  # whose tables it reads: they live as long as it does

    def __del__(self) -> None:
        if self.pointer:
            self._code.native_free(self.pointer)
            self.pointer = 0

    def play(self, start: Any, order: Order, numbers: Any, count: int, answers: Any, states: Any) -> None:
        self._code.native_play(self.pointer, start, ctypes.byref(order), numbers, count, answers, states)

    def many(self, start: Any, order: Order, count: int, tally: Any) -> None:
        self._code.native_many(self.pointer, start, ctypes.byref(order), count, ctypes.byref(tally))

    def history(self) -> tuple[int, ...]:
        """The positions that occurred in the last game."""
        count = self._code.native_history(self.pointer, None, 0)
        out = (ctypes.c_uint64 * max(1, count))()
        self._code.native_history(self.pointer, out, count)
        return tuple(out[:count])


def _signed(word: int) -> int:
    word &= _WORD
    return word - (1 << 64) if word >> 63 else word


def words_of_value(value: Any, type_: Type | None) -> list[int]:
    match type_:
        case Mask():
            return [_signed(int(value) >> 64 * k) for k in range(type_.words)]
        case Frac():
            exact = Fraction(value)
            return [exact.numerator, exact.denominator]
        case _:
            return [int(value)]


def value_of_words(words: Sequence[int], type_: Type | None) -> Any:
    match type_:
        case Mask():
            value = sum((word & _WORD) << 64 * k for k, word in enumerate(words))
            return value - (1 << 64 * len(words)) if type_.signed and words[-1] < 0 else value
        case Frac():
            return number(words[0], words[1])
        case _:
            return words[0]


def number(n: int, d: int) -> int | Fraction:
    return n if d == 1 else Exact(n, d)


def _answering(translation: Translation, names: dict[str, Any]) -> Callable[..., int]:
    """What the code asks of Python: tables and lines, by the functions that Python itself uses."""
    asked = [(names.get(name), keys) for name, keys in translation.oracles]
    gives = translation.answers

    def answer(which: int, keys: Any, out: Any) -> int:
        try:
            function, count = asked[which]
            if function is None:
                return 0
            given = [number(keys[2 * k], keys[2 * k + 1]) for k in range(count)]
            _put(function(*given), gives[which], out)
        except STOPS:
            return 0
        except Exception:  # whatever it is: the game is played again by Python, which tells
            return 0
        return 1

    return answer


def _put(value: Any, type_: Type, out: Any) -> None:
    match type_:
        case Mask():
            for k, word in enumerate(words_of_value(value, type_)):
                out[k] = word
        case Tup(members=members):
            for k, (part, member) in enumerate(zip(value, members, strict=True)):
                out[2 * k], out[2 * k + 1] = _pair(part, member)
        case _:
            out[0], out[1] = _pair(value, type_)


def _pair(value: Any, type_: Type) -> tuple[int, int]:
    if value is None:
        return (NONE, 1) if isinstance(type_, Int) else (0, 0)
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator) >= 1 << 63:
        raise OverflowError
    return exact.numerator, exact.denominator
