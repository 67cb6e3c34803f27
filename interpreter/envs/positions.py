"""A game as a tree: decisions, and before each of them the chances that led there, one die at a time.

A machine runs from one decision to the next and rolls on the way. Here it is run with the dice dictated;
when it comes to one that is not, the position is one of chance, and the run is made again with one die more.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter.asking.odds.weigh import DictatedMachine, Weighed
from interpreter.compiling.ruleset import Ruleset
from interpreter.envs.actions import ActionNumbers
from interpreter.playing.game import Game
from interpreter.playing.session import Session
from interpreter.playing.views import view_of
from rulesdsl.book.scenario import Scenario

MOST_KEPT = 100_000  # positions
MOST_SEEN = 2_000_000  # entries of views, some hundred megabytes: a view of a large game has thousands


class Undecided(Exception):
    """A die is to be rolled, and nobody has said how it falls."""

    def __init__(self, outcomes: Weighed) -> None:
        super().__init__()
        self.outcomes = outcomes


class ChanceMachine(DictatedMachine):
    """Stops at the first die that is not dictated."""

    __slots__ = ()

    def take(self, purpose: str, outcomes: Weighed) -> Any:
        if self.next >= len(self.dictated):
            raise Undecided(outcomes)
        return super().take(purpose, outcomes)


class KeptViews:
    """What seats see at the positions that were asked about last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Position, int], Mapping[str, str]] = OrderedDict()
        self._entries = 0

    def known(self, position: Position, seat: int) -> Mapping[str, str] | None:
        view = self._kept.get((position, seat))
        if view is not None:
            self._kept.move_to_end((position, seat))
        return view

    def keep(self, position: Position, seat: int, view: Mapping[str, str]) -> None:
        self._kept[position, seat] = view
        self._entries += len(view)
        while self._entries > MOST_SEEN and len(self._kept) > 1:
            self._entries -= len(self._kept.popitem(last=False)[1])


@dataclass(frozen=True)
class Tree:
    """What all positions of a game share."""

    game: Game
    ruleset: Ruleset
    scenario: Scenario | None
    numbers: ActionNumbers
    views: KeptViews = field(default_factory=KeptViews, repr=False)
    _kept: list[Any] = field(default_factory=list, repr=False)  # the root, when a small tree is remembered
    _count: list[int] = field(default_factory=lambda: [0], repr=False)

    def root(self) -> Position:
        """The beginning. Algorithms walk a tree many times: as long as it is small, it is made once."""
        if not self._kept:
            self._kept.append(self.advanced(None, None, ()))
        root: Position = self._kept[0]
        return root

    def remembers(self) -> bool:
        """Whether one more position is kept. A tree that proves too large is forgotten, and not kept
        again."""
        self._count[0] += 1
        if self._count[0] == MOST_KEPT:
            self._kept.clear()
        return self._count[0] < MOST_KEPT

    def advanced(self, before: Position | None, index: int | None, dictated: tuple[Any, ...]) -> Position:
        """Run from a decision (or the beginning) with these dice."""
        code = self.ruleset.fast.code
        if before is None or before.machine is None:
            machine = ChanceMachine(code, self.ruleset.new_machine(self.scenario, "", False).s, dictated)
        else:
            machine = ChanceMachine(code, before.machine.s[:], dictated)
            machine.stack = [frame[:] for frame in before.machine.stack]
            machine.pending = before.machine.pending
        try:
            if index is None:
                machine.begin()
            else:
                machine.choose(index)
        except Undecided as open_:
            return Position(self, before, index, dictated, None, open_.outcomes)
        return Position(self, before, index, dictated, machine, ())


@dataclass(frozen=True, eq=False)
class Position:
    """Either a decision or the end (`machine`), or a chance (`outcomes`). `before` is the last decision."""

    tree: Tree
    before: Position | None
    index: int | None
    dictated: tuple[Any, ...]
    machine: ChanceMachine | None
    outcomes: tuple[tuple[Any, Fraction], ...]
    _after: dict[int, Position] = field(default_factory=dict, repr=False)
    _added: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)  # to what was told before

    def __deepcopy__(self, _: object) -> Position:
        return self  # it never changes

    @property
    def over(self) -> bool:
        return self.machine is not None and self.machine.pending is None

    @property
    def who(self) -> int:
        """The number of the player who decides; -1 at chances and at the end."""
        return (
            self.machine.pending.who if self.machine is not None and self.machine.pending is not None else -1
        )

    def legal(self) -> list[int]:
        return sorted(self.tree.numbers.legal(self.machine)) if self.machine is not None else []

    def chosen(self, action: int) -> Position:
        """After a decision, or after the chance with this number."""
        if action in self._after:
            return self._after[action]
        if self.machine is None:
            value, _ = self.outcomes[action]
            after = self.tree.advanced(self.before, self.index, (*self.dictated, value))
        else:
            after = self.tree.advanced(self, self.tree.numbers.index(self.machine, action), ())
        if self.tree.remembers():
            self._after[action] = after
        return after

    # ---- what a seat knows
    def told(self, seat: int) -> tuple[str, ...]:
        """Everything a player has seen and done so far: each change of his view, each decision of his."""
        parts: list[tuple[str, ...]] = []
        position: Position | None = self
        while position is not None:
            parts.append(position._new_to(seat))
            position = position.before
        return tuple(line for part in reversed(parts) for line in part)

    def _new_to(self, seat: int) -> tuple[str, ...]:
        """What a player learns and does on the way here from the last decision."""
        if self.machine is None:
            return ()
        if seat not in self._added:
            lines: tuple[str, ...] = ()
            if self.before is not None and self.before.who == seat and self.before.machine is not None:
                assert self.index is not None
                lines += (f"> {self.tree.numbers.number(self.before.machine, self.index)}",)
            old = self.before.view(seat) if self.before is not None else {}
            changed = {name: value for name, value in self.view(seat).items() if old.get(name) != value}
            changed |= {name: "-" for name in old if name not in self.view(seat)}
            if changed:
                lines += ("; ".join(f"{name}={value}" for name, value in sorted(changed.items())),)
            self._added[seat] = lines
        return self._added[seat]

    def view(self, seat: int) -> Mapping[str, str]:
        """What a player sees now, name by name."""
        if self.machine is None:
            return self.before.view(seat) if self.before is not None else {}
        view = self.tree.views.known(self, seat)
        if view is None:
            name = self.tree.ruleset.program.world.universes["player"].ids[seat]
            session = Session(self.tree.game, self.tree.ruleset, self.machine, {})
            seen = view_of(session, name)
            for part in ("seat", "prompt", "options", "over"):
                seen.pop(part, None)
            view = dict(_flat(seen, ""))
            self.tree.views.keep(self, seat, view)
        return view


def _flat(value: Any, name: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [
            pair for key, part in value.items() for pair in _flat(part, f"{name}.{key}" if name else str(key))
        ]
    return [(name, json.dumps(value, ensure_ascii=False, sort_keys=True))]
