"""The machine: a flat state, a stack of frames, and a loop that runs blocks until somebody must decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NoReturn

from interpreter.running.dice import fair_number, roll_dice
from interpreter.running.fuel import STOPS, RunawayRule, rules_on_the_way, shortened, why_stopped
from interpreter.running.maskoptions import MaskOptions as MaskOptions
from rulesdsl.limits import Limits

Frame = list[Any]
Block = Callable[["Machine", list[Any], Frame], int]
WAIT, CALL, RETURN, OVER = -1, -2, -3, -4


class GameOver(Exception):
    """Leaves all procedures at once when a game is played without stopping."""


class Code:
    """The compiled blocks of a ruleset, shared by all its machines."""

    __slots__ = (
        "blocks",
        "depth",
        "entries",
        "firings",
        "functions",
        "meter",
        "names",
        "pads",
        "steps",
        "work",
    )

    def __init__(
        self, blocks: Sequence[Block], entries: dict[str, int], pads: dict[str, Frame], names: list[str],
        functions: dict[str, str], limits: Limits,
    ) -> None:  # fmt: skip
        self.blocks = blocks
        self.entries = entries
        self.pads = pads
        self.names = names  # block → procedure, for messages
        self.functions = functions  # generated function → rule, for messages
        self.steps = limits.steps_per_decision
        self.depth = limits.call_depth
        self.firings = limits.triggers_per_decision
        self.work = limits.work_per_decision
        self.meter = [
            self.work,
            self.work,
        ]  # what expressions may do, left and in all; FUEL in generated code

    def refuel(self, work: int | None = None) -> None:
        self.meter[:] = [work or self.work] * 2


@dataclass(slots=True)
class Pending:
    """A decision that waits: which site, who, the options, whether the way out is open."""

    site: int
    who: int
    options: Sequence[Any]
    out: bool

    def at_random(self, rng: Random) -> int:
        """An index for `Machine.choose`: any option, the way out included."""
        number = int(rng.random() * (len(self.options) + self.out))
        return number if number < len(self.options) else -1


class Machine:
    """A game being played. `copy` is cheap; nothing in it refers to anything outside."""

    __slots__ = (
        "chosen", "code", "firings", "fuel", "log", "outcome", "pending", "s", "script", "seed", "stack",
        "watch",
    )  # fmt: skip

    def __init__(self, code: Code, state: list[Any], seed: str) -> None:
        self.code = code
        self.s = state
        self.stack: list[Frame] = []
        self.pending: Pending | None = None
        self.chosen: Any = None
        self.firings = 0  # triggers that may still follow this decision
        self.fuel = 0  # turns of loops left until the next decision, when a game is played without stopping
        self.seed = seed
        self.outcome: tuple[str, int, str, str] | None = None
        self.log: list[tuple[Any, ...]] | None = None
        self.script: list[int] | None = None
        self.watch: list[str] | None = None  # dice and reveals since the last decision

    def copy(self) -> Machine:
        other = Machine.__new__(Machine)
        other.code = self.code
        other.s = self.s[:]
        other.stack = [f[:] for f in self.stack]
        other.pending = self.pending
        other.chosen = None
        other.firings = other.fuel = 0
        other.seed = self.seed
        other.outcome = self.outcome
        other.log = None
        other.script = self.script[:] if self.script is not None else None
        other.watch = None
        return other

    def begin(self, procedure: str, arguments: Sequence[Any] = ()) -> None:
        self.stack.append([self.code.entries[procedure], *arguments, *self.code.pads[procedure]])
        self.run()

    def choose(self, index: int) -> None:
        """Go on with the option at `index`; -1 is the way out."""
        pending = self.pending
        if pending is None or index < -1 or (index == -1 and not pending.out):
            raise IndexError(f"option {index} is not offered")
        self.chosen = None if index < 0 else pending.options[index]
        self.pending = None
        self.run()

    def run(self) -> None:
        """Run blocks until a decision, or the end of the game."""
        self.firings = self.code.firings
        self.code.meter[0] = self.code.work
        try:
            self._run()
        except OverflowError:
            self.runaway("makes a number too large")
        except RecursionError:
            self.runaway("asks too many definitions that ask others")
        except STOPS as error:
            self.runaway(why_stopped(error), *rules_on_the_way(error, self.code.functions))

    def _run(self) -> None:
        blocks, stack, s = self.code.blocks, self.stack, self.s
        fuel, deepest = self.code.steps, self.code.depth
        while stack:
            frame = stack[-1]
            number = frame[0]
            while number >= 0:
                number = blocks[number](self, s, frame)
                fuel -= 1
                if fuel < 0:
                    self.runaway("does not come to an end")
            if number == CALL:
                if len(stack) > deepest:
                    self.runaway("is nested too deeply")
            elif number == RETURN:
                stack.pop()
            elif number == WAIT:
                return
            else:
                stack.clear()
        if self.outcome is None:
            self.sequence_ended()

    def sequence_ended(self) -> None:
        """The last procedure has ended, and no rule has ended the game."""
        self.outcome = ("drawn", 0, "the sequence of play has ended", "")

    def runaway(self, how: str, *asked: str) -> NoReturn:
        """Give up. The chain of rules is named: the procedures, then what `asked` each other."""
        chain: list[str] = []
        for name in (*(self.code.names[frame[0]] for frame in self.stack), *asked):
            if not chain or chain[-1] != name:
                chain.append(name)
        raise RunawayRule(f"this rule {how}: {' → '.join(shortened(chain))}") from None

    # ---- called by generated code
    def fire(self, frame: Frame) -> None:
        """Begin a trigger; so many may follow one decision."""
        self.firings -= 1
        if self.firings < 0:
            self.runaway("sets off too many others")
        self.stack.append(frame)

    def ask(self, site: int, who: int, options: Sequence[Any], out: Any) -> None:
        self.pending = Pending(site, who, options, bool(out))

    def end(self, outcome: str, winners: int, reason: str, rule: str) -> None:
        self.outcome = (outcome, winners, reason, rule)

    def roll(self, purpose: str, cell: int, dice: int, faces: int) -> int:
        count = self.s[cell]
        self.s[cell] = count + 1
        if self.watch is not None:
            self.watch.append("dice")
        if self.script:
            return self.script.pop(0)
        return roll_dice(self.seed, purpose, count, dice, faces)

    def pick(self, purpose: str, cell: int, group: int) -> int:
        members = [i for i in range(group.bit_length()) if group >> i & 1]
        if not members:
            return -1
        count = self.s[cell]
        self.s[cell] = count + 1
        if self.watch is not None:
            self.watch.append("chance")
        return members[fair_number(self.seed, purpose, count, 0, len(members))]

    def draw(self, who: int, cell: int, holder: int, holder_masks: int, state: int, state_masks: int) -> int:
        token = self.pick("draw", cell, self.s[state_masks])
        if token >= 0:
            self.put_token(token, who, 1, holder, holder_masks, state, state_masks)
        return token

    def put_token(
        self, token: int, who: int, where: int, holder: int, holder_masks: int, state: int, state_masks: int
    ) -> None:
        if token < 0:  # a rule that names no token moves none
            return
        s, bit = self.s, 1 << token
        if (
            self.watch is not None
            and s[state + token] == 1
            and (where == 2 or who not in (-1, s[holder + token]))
        ):
            self.watch.append("reveal")  # laid open, or handed to somebody who had not seen it
        s[holder_masks + s[holder + token]] &= ~bit
        s[state_masks + s[state + token]] &= ~bit
        s[holder + token], s[state + token] = who, where
        s[holder_masks + who] |= bit
        s[state_masks + where] |= bit

    def note(self, number: int, text: str, values: tuple[Any, ...], eyes: int = -1) -> None:
        """A line for the log; `eyes` are the players who may read it."""
        if self.log is not None:
            self.log.append((number, text, values, eyes))
