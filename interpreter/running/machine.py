"""The machine: a flat state, a stack of frames, and a loop that runs blocks until somebody must decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, NoReturn

from interpreter.running.dice import fair_number, roll_dice
from interpreter.running.fuel import (
    ENDLESS,
    STOPS,
    TOO_MUCH_WORK,
    Place,
    block_on_the_way,
    out_of_fuel,
    place_of,
    rules_on_the_way,
    told,
    why_stopped,
)
from interpreter.running.mask_options import MaskOptions as MaskOptions
from interpreter.state.symbols import Asked, Naming
from interpreter.state.token_cells import TokenCells
from rulesdsl import program as pg
from rulesdsl.base.limits import Limits
from rulesdsl.language.conventions import MAIN

Frame = list[Any]
Block = Callable[["Machine", list[Any], Frame], int]
WAIT, CALL, RETURN, OVER = -1, -2, -3, -4
# Where many runs share what they may do, what nobody counts in a block and at a decision is charged so.
STEP_WORK, DECISION_WORK = 100, 2_000


class GameOver(Exception):
    """Leaves all procedures at once when a game is played without stopping."""


class Code:
    """The compiled blocks of a ruleset, shared by all its machines."""

    __slots__ = (
        "blocks",
        "depth",
        "entries",
        "firings",
        "left",
        "meter",
        "names",
        "naming",
        "pads",
        "places",
        "program",
        "steps",
        "work",
    )

    def __init__(
        self, blocks: Sequence[Block], entries: dict[str, int], pads: dict[str, Frame], names: list[str],
        places: dict[int, Place], program: pg.Program, naming: Naming, limits: Limits,
    ) -> None:  # fmt: skip
        self.blocks = blocks
        self.entries = entries
        self.pads = pads
        self.names = names  # block → procedure, for messages
        self.places = places  # block → where its first step stands, for messages
        self.program = program
        self.naming = naming  # generated function → rule, for messages
        self.steps = limits.steps_per_decision
        self.depth = limits.call_depth
        self.firings = limits.triggers_per_decision
        self.work = limits.work_per_decision
        # what expressions may do, left and in all, and whether that is on an errand; FUEL in generated code
        self.meter = [self.work, self.work, 0]
        self.left: int | None = None  # what the errand that is being run may still do, see `errand`

    def place_at(self, block: int) -> Place | None:
        """Where the step stands that a block belongs to. A block in the middle of a step has no place of its
        own: it goes on with the step of a block before it."""
        rule, places = self.names[block], self.places
        return next((places[b] for b in range(block, -1, -1) if b in places and self.names[b] == rule), None)

    def refuel(self, work: int | None = None) -> None:
        granted = work or self.work
        if self.left is not None:
            self.charge(0)
            granted = min(granted, max(0, self.left))
        self.meter[:2] = [granted, granted]

    def refuel_on_the_way(self) -> None:
        """The same at a decision of a game that nobody stops (FUEL is `meter`), on an errand."""
        meter = self.meter
        if self.left is not None:
            self.left -= meter[1] - meter[0] + DECISION_WORK
            if self.left < 0:
                out_of_fuel()
        meter[0] = meter[1]

    @contextmanager
    def errand(self, work: int) -> Iterator[None]:
        """Many runs for one purpose (the thoughts of an agent, all ways of some odds, a game that is
        simulated) may do so much together; each for itself no more than one decision may."""
        outer = self.left
        self.left = given = work if outer is None else min(work, outer)
        self.meter[:] = [self.work, self.work, 1]
        try:
            yield
        finally:
            self.charge(0)
            self.left = None if outer is None else outer - (given - self.left)
            self.meter[2] = int(outer is not None)

    def remaining(self) -> int:
        """What the errand that is being run may still do."""
        self.charge(0)
        return max(1, self.left or 0)

    def charge(self, steps: int) -> None:
        """What was done since the meter was filled, and so many blocks."""
        if self.left is not None:
            self.left -= self.meter[1] - self.meter[0] + STEP_WORK * steps
            self.meter[1] = self.meter[0]


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
        "chosen", "code", "firings", "fuel", "log", "outcome", "payoffs", "pending", "rolls", "s", "script",
        "seed", "stack", "watch",
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
        self.payoffs: tuple[tuple[int, Any], ...] = ()  # what each player gets, where the rules say so
        self.log: list[tuple[Any, ...]] | None = None
        self.script: list[int] | None = None
        self.watch: list[str] | None = None  # dice and reveals since the last decision
        self.rolls: list[tuple[int, list[Any]]] | None = None  # line of the log → the state when a die fell

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
        other.payoffs = self.payoffs
        other.log = None
        other.script = self.script[:] if self.script is not None else None
        other.watch = other.rolls = None
        return other

    def begin(self, procedure: str = MAIN, arguments: Sequence[Any] = ()) -> None:
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
        code = self.code
        self.firings = code.firings
        if code.left is None:
            code.meter[0] = code.work
        else:
            code.refuel()
            if code.left <= 0:
                self.runaway(TOO_MUCH_WORK)
        try:
            steps = self._run()
        except STOPS as error:
            self.stopped(error)
        if code.left is not None:
            code.charge(steps + DECISION_WORK // STEP_WORK)

    def _run(self) -> int:
        """How many blocks were run."""
        blocks, stack, s = self.code.blocks, self.stack, self.s
        fuel, deepest = self.code.steps, self.code.depth
        while stack:
            frame = stack[-1]
            number = frame[0]
            while number >= 0:
                number = blocks[number](self, s, frame)
                fuel -= 1
                if fuel < 0:
                    frame[0] = max(number, 0)
                    self.runaway(ENDLESS)
            if number == CALL:
                if len(stack) > deepest:
                    self.runaway("is nested too deeply")
            elif number == RETURN:
                stack.pop()
            elif number == WAIT:
                return self.code.steps - fuel
            else:
                stack.clear()
        if self.outcome is None:
            self.sequence_ended()
        return self.code.steps - fuel

    def sequence_ended(self) -> None:
        """The last procedure has ended, and no rule has ended the game."""
        self.outcome = ("drawn", 0, "the sequence of play has ended", "")

    def stopped(self, error: Exception) -> NoReturn:
        """Give up, because generated code did."""
        block = block_on_the_way(error)
        if block is not None and self.stack:
            self.stack[-1][0] = block
        self.runaway(why_stopped(error), *rules_on_the_way(error, self.code.naming))

    def runaway(self, how: str, *asked: Asked | str) -> NoReturn:
        """Give up. The chain of rules is named: the procedures, then what `asked` each other."""
        code = self.code
        chain = [code.names[frame[0]] for frame in self.stack]
        place = code.place_at(self.stack[-1][0]) if self.stack else None
        for rule in asked:
            chain.append(rule if isinstance(rule, str) else f"{rule.name} ({rule.paragraph})")
            if not isinstance(rule, str):
                place = place_of(code.program, rule)
        raise told(how, chain, place) from None

    # ---- called by generated code
    def fire(self, frame: Frame) -> None:
        """Begin a trigger; so many may follow one decision."""
        self.firings -= 1
        if self.firings < 0:
            self.runaway("sets off too many others")
        self.stack.append(frame)

    def ask(self, site: int, who: int, options: Sequence[Any], out: Any) -> None:
        self.pending = Pending(site, who, options, bool(out))

    def end(self, outcome: str, winners: int, reason: str, paragraph: str) -> None:
        self.outcome = (outcome, winners, reason, paragraph)

    def pay(self, gains: list[tuple[int, Any]], reason: str, paragraph: str) -> None:
        """The game ends, and each gets something: who gets most has won, unless all get the same."""
        self.payoffs = tuple(gains)
        most = max((gain for _, gain in gains), default=0)
        winners = sum(1 << player for player, gain in gains if gain == most)
        if all(gain == most for _, gain in gains):
            self.outcome = ("drawn", 0, reason, paragraph)
        else:
            self.outcome = ("wins", winners, reason, paragraph)

    def remember(self, cell: int, position: int) -> int:
        """How often this position has occurred, now included."""
        self.s[cell] = (*self.s[cell], position)
        times: int = self.s[cell].count(position)
        return times

    def roll(self, purpose: str, cell: int, dice: int, faces: int) -> int:
        count = self.s[cell]
        self.s[cell] = count + 1
        if self.watch is not None:
            self.watch.append("dice")
        if self.rolls is not None and self.log is not None:
            self.rolls.append((len(self.log), self.s[:]))
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

    def shuffled(self, purpose: str, cell: int, group: int) -> list[int]:
        """The members of a set in an order left to chance."""
        members = [i for i in range(group.bit_length()) if group >> i & 1]
        count = self.s[cell]
        self.s[cell] = count + 1
        if self.watch is not None and len(members) > 1:
            self.watch.append("chance")
        for last in range(len(members) - 1, 0, -1):
            other = fair_number(self.seed, purpose, count, last, last + 1)
            members[last], members[other] = members[other], members[last]
        return members

    def draw(self, who: int, cell: int, tokens: TokenCells) -> int:
        token = self.pick("draw", cell, self.s[tokens.state_masks])
        if token >= 0:
            self.put_token(token, who, 1, tokens)
        return token

    def put_token(self, token: int, who: int, where: int, tokens: TokenCells, openly: bool = False) -> None:
        """Into the bag (0), a hand (1) or out of the game (2); and who knows then where it is."""
        if token < 0:  # a rule that names no token moves none
            return
        holder, holder_masks, state, state_masks, known = tokens
        s, bit, eyes = self.s, 1 << token, 1 << who if who >= 0 else 0
        if openly or where == 2:
            self.show_token(token, s[known - 1], tokens)
        elif where == 1 and s[state + token] == 0:  # somebody's hand was in the bag, and only he saw
            bag = s[state_masks]
            for other in range(bag.bit_length()):
                if bag >> other & 1:
                    s[known + other] &= eyes
            self.show_token(token, eyes, tokens)
        else:
            self.show_token(token, eyes, tokens)
        s[holder_masks + s[holder + token]] &= ~bit
        s[state_masks + s[state + token]] &= ~bit
        s[holder + token], s[state + token] = who, where
        s[holder_masks + who] |= bit
        s[state_masks + where] |= bit

    def show_token(self, token: int, eyes: int, tokens: TokenCells) -> None:
        """From now on these players know where it is, until another draws from the bag it lies in."""
        if token < 0:
            return
        cell = tokens.known + token
        if self.watch is not None and eyes & ~self.s[cell]:
            self.watch.append("reveal")
        self.s[cell] |= eyes

    def note(
        self, number: int, text: str, values: tuple[Any, ...], eyes: int | tuple[int, ...] = -1, veil: int = 0
    ) -> None:
        """A line for the log; `eyes` are the players who may read it, or of each value who may know it, and
        `veil` the pieces that others may not know."""
        if self.log is not None:
            self.log.append((number, text, values, eyes, veil))
