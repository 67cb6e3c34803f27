"""Whose part of the game it is, and how far one looks ahead: to the end of one's own part, and through the
reply.

A part is the outermost phase on the stack that was begun for somebody: `phase impulse(player)`, or for
something with which a player acts: `phase side_turn(side)`. That is read off the declarations of the
rulebook. Where no phase is begun for anybody (chess), a part is a row of decisions of one player.
"""

from __future__ import annotations

from functools import lru_cache

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Frame, Machine
from rulesdsl.program.types import Type

NOBODY = -1


class Parts:
    """What the rulebook says of the phases of its sequence of play."""

    def __init__(self, ruleset: Ruleset) -> None:
        phases = [p for p in ruleset.program.procedures.values() if p.kind == "phase"]
        self.of_players = {
            p.name: slots
            for p in phases
            if (slots := tuple(1 + n for n, param in enumerate(p.params) if _is_player(param.type)))
        }
        self.of_others = {p.name for p in phases if any(param.type.kind == "enum" or
                           param.type.kind == "thing" for param in p.params)}  # fmt: skip
        self._procedure_of = ruleset.fast.blocks.procedure_of

    def part(self, machine: Machine) -> tuple[int, int]:
        """The height of the part that is being played, and whose it is as far as its phase tells;
        (-1, NOBODY) in a row of decisions."""
        assert machine.pending is not None
        who, of_another, of_something = machine.pending.who, (-1, NOBODY), -1
        for height, frame in enumerate(machine.stack):
            name = self._procedure_of.get(frame[0], "")
            slots = self.of_players.get(name)
            if slots is not None:
                owners = [frame[slot] for slot in slots]
                if who in owners:
                    return height, who
                if of_another[0] < 0:
                    of_another = height, owners[0]
            elif of_something < 0 and name in self.of_others:
                of_something = height
        return of_another if of_another[0] >= 0 else (of_something, NOBODY)


@lru_cache(maxsize=32)
def parts_of(ruleset: Ruleset) -> Parts:
    """The parts of a game, read once."""
    return Parts(ruleset)


class Horizon:
    """How far a line of play goes: the part that is being played, then at least so many parts of others, and
    on to the end of another's part until there were `enough` decisions: where parts are short, more of them
    are looked through."""

    __slots__ = ("_enough", "_frame", "_height", "_left", "_mine", "_parts", "_runner", "_seat", "later")

    def __init__(self, parts: Parts, machine: Machine, seat: int, replies: int, enough: int = 0) -> None:
        self._parts, self._seat, self._left, self._enough = parts, seat, replies, enough
        self.later = False  # whether the part that was being played is over
        self._height = self._runner = -1
        self._frame: Frame | None = None
        self._mine = True
        self._begin(machine)

    def _begin(self, machine: Machine) -> None:
        pending = machine.pending
        assert pending is not None
        self._height, owner = self._parts.part(machine)
        self._frame = machine.stack[self._height] if self._height >= 0 else None
        self._runner = pending.who
        self._mine = (pending.who if owner == NOBODY else owner) == self._seat

    def same_part(self, machine: Machine) -> bool:
        """Whether the part that was being played goes on."""
        if self._frame is not None:
            return self._height < len(machine.stack) and machine.stack[self._height] is self._frame
        return machine.pending is not None and machine.pending.who == self._runner

    def reached(self, machine: Machine, made: int = 0) -> bool:
        """Whether a line of so many decisions has been played far enough."""
        if machine.pending is None:
            return True
        if self.same_part(machine):
            return False
        if not self._mine:
            self._left -= 1
            if self._left <= 0 and made >= self._enough:
                return True
        self.later = True
        self._begin(machine)
        return False


def _is_player(type_: Type) -> bool:
    return type_.kind == "thing" and type_.name == "player"
