"""Games that stop at every decision, in machine code: positions as words, made of any position that Python
has, gone on with, and given back.

    steps = NativeSteps.of(ruleset)                 # raises NotNative with the reason
    with steps.stepper() as at:
        at.put(steps.words(machine))                # raises NotHere: this position is one for Python
        at.choose(0)                                # raises NotHere, too: Python tells what went wrong
        at.pending, at.words()                      # who is asked what; the position, to be kept or copied
    steps.machine(words)                            # the same as a `Machine`

A position is a `bytes`: copying one costs nothing, and it belongs to no thread.

One file: how a position is read from words and how it is written must be seen side by side.
"""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.compiling.emit.native.cells import words_of
from interpreter.compiling.emit.native.frames import FrameLayout, parts_in_frame
from interpreter.compiling.emit.native.stepping import StepTranslation, translate_steps
from interpreter.compiling.emit.native.types import Frac, Int, Mask, Tup, Type, Unsupported
from interpreter.native.building import build
from interpreter.native.compilers import NotNative, find_compiler
from interpreter.native.library import (
    STOPPED,
    Fraction_,
    Library,
    NativeMachine,
    number,
    value_of_words,
    words_of_value,
)
from interpreter.running.machine import Machine, MaskOptions, Pending

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

Words = bytes  # a position, as the machine has it (`state.position.Position` reads one of Python)
(
    WORDS, DEEP, PILE, SERIAL, SITE, WHO, OUT, WIDTH, OFFERED, OFFER_WORDS, END, WINNERS, PAID, REMEMBERED,
    SEED, _, HEAD,
) = range(17)  # fmt: skip
NOT_OVER, SEQUENCE_ENDED = -2, -1
_NUMBER, _OR_NONE, _BITS, _ANY, _DENOMINATOR, _OR_NOTHING = range(6)
LONGEST_SEED = 512 - 64  # bytes, as `native_admits` has it
ENDLESS = 1 << 60  # work, where nobody counts what many runs do together


class NotHere(Exception):
    """A position, or what would follow it, that the machine leaves to Python."""

    used_up = False  # whether it was given up because all that is done for one purpose may do no more


class Granted(ctypes.Structure):
    """What may be done until the next decision (`granted_` in runtime_steps.h)."""

    _fields_ = [
        (name, ctypes.c_int64) for name in ("work", "left", "steps", "firings", "deepest", "most_options")
    ]


class _Limit(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("kind", "low", "high")]


class StepLibrary(Library):
    """One game's decisions, loaded."""

    translation: StepTranslation

    def _is_of_this_game(self) -> bool:
        sizes = self._code.native_sizes
        return bool(sizes(1) == self.translation.cells.words and sizes(3) == len(self.translation.frames))

    def _declare(self) -> None:
        self._declare_memory()
        code, place, granted = self._code, ctypes.c_void_p, ctypes.POINTER(Granted)
        whole, words = ctypes.c_int64, ctypes.c_char_p
        for name, gives, takes in (
            ("admits", whole, (words, whole, place)), ("put", whole, (place, words)),
            ("words", whole, (place,)), ("get", None, (place, place)), ("run", whole, (place, granted)),
            ("choose", whole, (place, whole, granted)), ("asked", None, (place, place)),
            ("options", None, (place, place)),
            ("walk", whole, (place, words, granted, ctypes.c_uint64, whole)),
            ("sample", None, (place, place, whole, whole, whole, place)),
            ("line", whole, (place, words, place, granted, place, place, place)),
            ("looks", whole, (place, words, place, granted, whole, whole, whole, whole, place)),
            ("playout", whole, (place, place, granted, whole, place, place)),
            ("shelves", place, (whole,)), ("clear", None, (place,)),
            ("begin", whole, (place, place, words, words, whole, granted, whole)),
            ("lay", whole, (place, place, words, whole)), ("laid", whole, (place, whole)),
            ("taken", None, (place, whole, place)), ("heads", None, (place, place, whole, place)),
            ("decide", whole, (*[place] * 3, granted, place, place, whole, whole, place, place, place)),
            ("look", whole, (place, place, place, place, whole, whole, place, place, place)),
            ("asks", None, (place, place, whole, place, place)),
            ("states", None, (place, place, whole, place)),
        ):  # fmt: skip
            function = getattr(code, f"native_{name}")
            function.restype, function.argtypes = gives, list(takes)

    @property
    def code(self) -> Any:
        return self._code


class Stepper:
    """One position in a machine of its own, gone on with in place. For one thread at a time."""

    def __init__(self, steps: NativeSteps, machine: NativeMachine) -> None:
        self.steps, self._machine = steps, machine
        self.code, self.pointer = steps.library.code, machine.pointer
        self.granted = steps.granted()
        self._head = (ctypes.c_int64 * 6)()

    def put(self, words: Words) -> None:
        """Let this be the position."""
        if self.code.native_put(self.pointer, words):
            raise NotHere("memory")

    def words(self) -> Words:
        """The position, to be kept."""
        out = ctypes.create_string_buffer(8 * self.code.native_words(self.pointer))
        self.code.native_get(self.pointer, out)
        return out.raw

    def run(self) -> None:
        """Go on from a position in which nobody is asked."""
        if why := self.code.native_run(self.pointer, self.granted):
            raise given_up(why, self.granted)

    def choose(self, index: int) -> None:
        """Go on with the option at `index`; -1 is the way out. The position is lost when that fails."""
        if why := self.code.native_choose(self.pointer, index, self.granted):
            raise given_up(why, self.granted)

    def asked(self) -> tuple[int, int, int, bool]:
        """Site (-1: the game is over), who, how many options, whether there is a way out."""
        head = self._head
        self.code.native_asked(self.pointer, head)
        return head[0], head[1], head[3], bool(head[2])

    @property
    def pending(self) -> Pending | None:
        """The decision that waits, its options written out."""
        head = self._head
        self.code.native_asked(self.pointer, head)
        site, who, out, count, width, _ = head
        if site < 0:
            return None
        row = (ctypes.c_int64 * (count * width))()
        self.code.native_options(self.pointer, row)
        flat = row[:]
        options: list[Any] = (
            flat if width == 1 else list(zip(*(flat[k::width] for k in range(width)), strict=True))
        )
        return Pending(site, who, options, bool(out))

    def walk(self, start: Words, seed: int, decisions: int) -> int:
        """Decisions at random, one after the other, and the game anew when it is over; for measuring."""
        return int(self.code.native_walk(self.pointer, start, self.granted, seed, decisions))


class NativeSteps:
    """A ruleset whose decisions run in the machine. Threads may share it."""

    def __init__(self, ruleset: Ruleset, library: StepLibrary) -> None:
        self.ruleset, self.library = ruleset, library
        self.translation = library.translation
        self._lock = threading.Lock()
        self._idle: list[Stepper] = []
        self._plan = [
            (g.first, g.end, g.type, 8 * words_of(g.type)) for g, _ in self.translation.cells.offsets()
        ]
        self._kept = [cell for g in self.translation.cells.groups if g.kept for cell in range(g.first, g.end)]
        self._like = ruleset.start_state(None)  # cells that are never in the machine
        self._limits, self._rows = _limits(self.translation)

    @classmethod
    def of(cls, ruleset: Ruleset, values: tuple[str, ...] = (), flags: Sequence[str] = ()) -> NativeSteps:
        """Translate, build (or find what was built) and load."""
        find_compiler()
        return cls.built(ruleset, translated(ruleset, values), flags)

    @classmethod
    def built(
        cls, ruleset: Ruleset, translation: StepTranslation, flags: Sequence[str] = (), gently: bool = False
    ) -> NativeSteps:
        path = build(translation.text, flags, gently)
        return cls(ruleset, StepLibrary(path, translation, ruleset.fast.names))

    def granted(self, left: int | None = None) -> Granted:
        """What may be done until the next decision, and by all that is done for one purpose."""
        limits = self.ruleset.limits
        return Granted(
            limits.work_per_decision, ENDLESS if left is None else left, limits.steps_per_decision,
            limits.triggers_per_decision, limits.call_depth, limits.options_per_decision,
        )  # fmt: skip

    @contextmanager
    def stepper(self) -> Iterator[Stepper]:
        with self._lock:
            found = self._idle.pop() if self._idle else None
        found = found or self.new_stepper()
        found.granted = self.granted()
        yield found
        with self._lock:
            self._idle.append(found)

    def new_stepper(self) -> Stepper:
        return Stepper(self, self.library.machine())

    # ---- from Python and back ----------------------------------------------------------------------------
    def words(self, machine: Machine, seed: str | None = None) -> Words:
        """A position of Python's in words, with dice of another seed when one is given."""
        if machine.script is not None or machine.outcome is not None or machine.pending is None:
            raise NotHere("a position that is no decision")
        return self._words(machine.s, machine.stack, machine.pending, machine.seed if seed is None else seed)

    def reseeded(self, words: Words, seed: str) -> Words:
        """The same position with other dice to come."""
        head = array("q", words[: 8 * HEAD])
        end = 8 * (head[WORDS] - (head[SEED] + 7) // 8)
        text = seed.encode() + b"/"
        if len(text) > LONGEST_SEED:
            raise NotHere("a long seed")
        head[WORDS], head[SEED] = end // 8 + (len(text) + 7) // 8, len(text)
        return b"".join((head.tobytes(), words[8 * HEAD : end], text, bytes(-len(text) % 8)))

    def start(self, state: list[Any], seed: str) -> Words:
        """The position before the first step of a game."""
        begins = self.translation.begins
        pad = self.ruleset.fast.code.pads["game"]
        return self._words(state, [[begins, *pad]], None, seed)

    def _words(self, s: list[Any], stack: list[list[Any]], pending: Pending | None, seed: str) -> Words:
        try:
            state = self._state(s)
            heights, pile = self._pile(stack)
            past: tuple[int, ...] = s[self.ruleset.layout.positions] if self.ruleset.layout.positions else ()
            text = seed.encode() + b"/"
            head = [0] * HEAD
            offer = array("q")
            head[SITE], head[END] = -1, NOT_OVER
            if pending is not None:
                options = pending.options
                head[SITE], head[WHO], head[OUT], head[OFFERED] = (
                    pending.site,
                    pending.who,
                    pending.out,
                    len(options),
                )
                if len(options) and isinstance(options[0], tuple):
                    head[WIDTH] = len(options[0])
                    offer.extend(part for option in options for part in option)
                else:
                    head[WIDTH] = 1
                    offer.extend(options)
            players = array("q", [0] * (3 * self.translation.players))
            head[DEEP] = head[SERIAL] = len(stack)
            head[PILE], head[OFFER_WORDS], head[REMEMBERED], head[SEED] = (
                len(pile),
                len(offer),
                len(past),
                len(text),
            )
            seeded = text + bytes(-len(text) % 8)
            parts = [
                players.tobytes(), heights.tobytes(), state, pile.tobytes(), offer.tobytes(),
                array("Q", past).tobytes(), seeded,
            ]  # fmt: skip
            head[WORDS] = HEAD + sum(map(len, parts)) // 8
            words = b"".join([array("q", head).tobytes(), *parts])
        except (TypeError, OverflowError, KeyError, ValueError, AttributeError, IndexError):
            raise NotHere("a value the code was not made for") from None
        if not self.library.code.native_admits(words, head[WORDS], ctypes.addressof(self._limits)):
            raise NotHere("a value the code was not made for")
        return words

    def redrawn(self, base: Words, was: Machine, now: Machine, seed: str) -> Words:
        """A position in words that differs from one whose words are known in some cells only: a world that
        was drawn from what somebody knows. Only cells that differ are written anew."""
        past = self.ruleset.layout.positions
        if now.stack != was.stack or now.pending is not was.pending or (past and now.s[past] != was.s[past]):
            return self.words(now, seed)
        words = bytearray(base)
        at = 8 * (HEAD + 3 * self.translation.players + len(was.stack))
        s, before = now.s, was.s
        try:
            for first, end, type_, wide in self._plan:
                if s[first:end] != before[first:end]:
                    words[at : at + wide * (end - first)] = _cells(s[first:end], type_)
                at += wide * (end - first)
        except (TypeError, OverflowError, ValueError, AttributeError):
            raise NotHere("a value the code was not made for") from None
        found = self.reseeded(bytes(words), seed)
        if not self.library.code.native_admits(found, len(found) // 8, ctypes.addressof(self._limits)):
            raise NotHere("a value the code was not made for")
        return found

    def _state(self, s: list[Any]) -> bytes:
        return b"".join(_cells(s[first:end], type_) for first, end, type_, _ in self._plan)

    def _pile(self, stack: list[list[Any]]) -> tuple[array[int], array[int]]:
        heights, pile = array("q"), array("q")
        for height, frame in enumerate(stack):
            layout = self.translation.frames[self.translation.frame_of[frame[0]]]
            row = [0] * layout.words
            row[0], row[1] = frame[0], height + 1
            for value, (at, type_) in zip(frame[1:], layout.places, strict=True):
                if type_ is not None:
                    _put(row, at, value, type_)
            heights.append(len(pile))
            pile.extend(row)
        return heights, pile

    def machine(self, words: Words) -> Machine:
        """A position as Python has it."""
        row = array("q")
        row.frombytes(words)
        ruleset, translation = self.ruleset, self.translation
        deep, pile_words, offer_words, past = row[DEEP], row[PILE], row[OFFER_WORDS], row[REMEMBERED]
        at = HEAD + 3 * translation.players
        heights = row[at : at + deep]
        at += deep
        state = self.library.state_of_words(row[at : at + translation.cells.words], self._like)
        at += translation.cells.words
        pile = row[at : at + pile_words]
        at += pile_words
        offer = row[at : at + offer_words]
        at += offer_words
        if ruleset.layout.positions:
            seen = array("Q")
            seen.frombytes(row[at : at + past].tobytes())
            state[ruleset.layout.positions] = tuple(seen)
        seed = row[at + past :].tobytes()[: row[SEED] - 1].decode()
        machine = Machine(ruleset.fast.code, state, seed)
        for height in heights:
            layout = translation.frames[translation.frame_of[pile[height]]]
            machine.stack.append(
                [pile[height], *(_taken(pile, height + at_, type_) for at_, type_ in layout.places)]
            )
        if row[SITE] >= 0:
            machine.pending = Pending(row[SITE], row[WHO], _options(row[WIDTH], offer), bool(row[OUT]))
        elif row[END] != NOT_OVER:
            players = translation.players
            gains = row[HEAD + players : HEAD + 3 * players]
            paid = [(row[HEAD + k], number(gains[2 * k], gains[2 * k + 1])) for k in range(row[PAID])]
            self.ended(machine, row[END], row[WINNERS], paid)
        return machine

    def ended(self, machine: Machine, end: int, winners: int, paid: list[tuple[int, Any]]) -> None:
        """Say how a game has ended."""
        if end == SEQUENCE_ENDED:
            machine.sequence_ended()
            return
        outcome, reason, paragraph = self.translation.ends[end]
        if outcome == "pays":
            machine.pay(paid, reason, paragraph)
        else:
            machine.end(outcome, winners, reason, paragraph)


def given_up(why: int, granted: Granted) -> NotHere:
    """What the machine says when it stops."""
    made = NotHere(STOPPED.get(why, "something"))
    made.used_up = granted.left <= 0
    return made


def translated(ruleset: Ruleset, values: tuple[str, ...] = ()) -> StepTranslation:
    """The C of a ruleset's decisions."""
    try:
        return translate_steps(ruleset, values)
    except Unsupported as why:
        raise NotNative(f"this game has something the machine cannot express: {why}") from None


# ---- values in frames ------------------------------------------------------------------------------------
def _cells(values: list[Any], type_: Type | None) -> bytes:
    """Cells of one type in words."""
    match type_:
        case Mask(signed=False) if type_.words == 1:
            return array("Q", values).tobytes()
        case Mask():
            wide = 8 * type_.words
            return b"".join(value.to_bytes(wide, "little", signed=type_.signed) for value in values)
        case Frac():
            return b"".join(array("q", words_of_value(value, type_)).tobytes() for value in values)
        case _:
            return array("q", values).tobytes()


def _put(row: list[int], at: int, value: Any, type_: Type) -> None:
    if isinstance(type_, Tup):
        parts = parts_in_frame(type_)
        values = value if isinstance(value, tuple) else (0,) * len(parts)
        for (more, part), one in zip(parts, values, strict=True):
            _put(row, at + more, one, part)
        return
    if value is None:
        words = [-(1 << 63)] if isinstance(type_, Int) else [0, 0]
    else:
        words = words_of_value(value, type_)
    row[at : at + len(words)] = words


def _taken(pile: Sequence[int], at: int, type_: Type | None) -> Any:
    match type_:
        case None:
            return 0
        case Tup():
            return tuple(_taken(pile, at + more, part) for more, part in parts_in_frame(type_))
        case Int(none=True) if pile[at] == -(1 << 63):
            return None
        case Frac() if pile[at + 1] == 0:
            return None
        case _:
            return value_of_words(pile[at : at + words_of(type_)], type_)


def _options(width: int, offer: array[int]) -> Sequence[Any]:
    if width == 0:
        return MaskOptions(int.from_bytes(offer.tobytes(), "little"))
    if width == 1:
        return list(offer)
    return list(zip(*(offer[k::width] for k in range(width)), strict=True))


# ---- what a position made by Python may be ---------------------------------------------------------------
def _limits(translation: StepTranslation) -> tuple[Any, list[Any]]:
    """A table for `native_admits`, and the rows it points to, which must live as long."""
    state = [
        limit for g, _ in translation.cells.offsets() for _ in range(g.size) for limit in _limits_of(g.type)
    ]
    frames = [_frame_limits(layout) for layout in translation.frames]
    sites = 1 + max(translation.sites, default=-1)
    widest, widths, options = 16, [0] * max(1, sites), list[_Limit]()
    for site in range(sites):
        found = translation.sites.get(site)
        members = () if found is None else found.members if isinstance(found, Tup) else (found,)
        own = [limit for member in members for limit in _limits_of(member)]
        widths[site] = len(own)
        options += [*own, *[_Limit(_ANY, 0, 0)] * (widest - len(own))]
    rows = [_row(state), *map(_row, frames), _row(options), (ctypes.c_int64 * len(widths))(*widths)]
    pointers = [ctypes.addressof(row) for row in rows]
    made = (ctypes.c_int64 * (len(frames) + 5))(
        pointers[0], *pointers[1 : 1 + len(frames)], 0, sites, pointers[-1], pointers[-2]
    )
    return made, rows


def _row(limits: list[_Limit]) -> Any:
    return (_Limit * max(1, len(limits)))(*limits)


def _frame_limits(layout: FrameLayout) -> list[_Limit]:
    row = [_Limit(_ANY, 0, 0) for _ in range(layout.words)]
    for at, type_ in layout.places:
        if type_ is None:
            continue
        for more, part in parts_in_frame(type_):
            own = _limits_of(part)
            row[at + more : at + more + len(own)] = own
    return row


def _limits_of(type_: Type | None) -> list[_Limit]:
    match type_:
        case Int():
            return [_Limit(_OR_NONE if type_.none else _NUMBER, type_.low, type_.high)]
        case Mask(signed=True):
            return [_Limit(_ANY, 0, 0)] * type_.words
        case Mask():
            allowed = (1 << type_.bits) - 1
            return [_Limit(_BITS, 0, _signed(allowed >> 64 * k)) for k in range(type_.words)]
        case Frac():
            return [_Limit(_ANY, 0, 0), _Limit(_OR_NOTHING if type_.none else _DENOMINATOR, 0, 0)]
        case _:
            return [_Limit(_ANY, 0, 0)]


def _signed(word: int) -> int:
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


__all__ = ["Fraction_", "Granted", "NativeSteps", "NotHere", "StepLibrary", "Stepper", "Words"]
