"""What a seat may know when it must decide, and worlds that fit what it knows.

A `Sight` hands out *possible* worlds only: whatever the seat cannot know (tokens in other hands and in
the bag, attributes it may not see, every die that is still to be rolled) is drawn anew, by the seed the
agent gives and without a look at the truth. Two games that differ only in such secrets are the same
game for an agent: the promise is held by construction and by tests/test_agent_secrets.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from interpreter.layout import Array
from interpreter.ruleset import Ruleset
from interpreter.running.dice import fair_number
from interpreter.running.machine import Machine
from rulesdsl.types import Type

Number = int | Fraction
_IN_BAG, _HELD = 0, 1  # token_state of `rulesdsl.world`


Redraw = Callable[[list[Any], str], None]  # changes cells by a seed


@dataclass(frozen=True, slots=True)
class Sight:
    """A decision that waits, seen from the seat that must take it."""

    ruleset: Ruleset
    seat: int
    count: int  # options, the way out included
    _truth: Machine
    _secrets: tuple[Redraw, ...]

    @staticmethod
    def of(ruleset: Ruleset, machine: Machine) -> Sight:
        pending = machine.pending
        assert pending is not None, "nobody is asked anything"
        count = len(pending.options) + pending.out
        return Sight(ruleset, pending.who, count, machine, tuple(_secrets(ruleset, machine.s, pending.who)))

    def index(self, number: int) -> int:
        """The index that `Machine.choose` wants for the option with this number (the way out is last)."""
        pending = self._truth.pending
        assert pending is not None
        return number if number < len(pending.options) else -1

    def world(self, seed: str) -> Machine:
        """One world that fits, ready to be played on: silent and fast, with dice of its own."""
        world = self._truth.copy()
        world.code = self.ruleset.fast.code
        world.script = None
        world.seed = seed
        for redraw in self._secrets:
            redraw(world.s, seed)
        return world


Values = dict[int, Number]  # by the numbers of the players who take part


def worth(ruleset: Ruleset, machine: Machine) -> Values | None:
    """What the rulebook's `quantity value(player)` gives each player; None when it declares none."""
    function = _value_function(ruleset)
    if function is None:
        return None
    return {player: function(machine.s, player) for player in ruleset.seats.index.values()}


def declares_value(ruleset: Ruleset) -> bool:
    """Whether the rulebook says what a position is worth."""
    return _value_function(ruleset) is not None


def advantage(values: Values, player: int) -> Number:
    """A player's value beside that of his best rival: what helps the rival is as bad as what hurts him."""
    rivals = [value for other, value in values.items() if other != player]
    mine = values.get(player, 0)  # nothing for one who takes no part and is asked all the same
    return mine - max(rivals) if rivals else mine


def rewards(machine: Machine, players: Collection[int]) -> dict[int, float]:
    """How a finished game counts: a win 1 (shared by those who win together), a draw equal shares."""
    assert machine.outcome is not None
    outcome, winners, _, _ = machine.outcome
    if outcome == "drawn":
        return dict.fromkeys(players, 1 / len(players))
    share = 1 / max(1, winners.bit_count())
    return {player: share if winners >> player & 1 else 0.0 for player in players}


@lru_cache(maxsize=32)
def _value_function(ruleset: Ruleset) -> Callable[[list[Any], int], Number] | None:
    quantity = ruleset.program.quantities.get("value")
    if quantity is None or [p.type.name for p in quantity.params] != ["player"]:
        return None
    function: Callable[[list[Any], int], Number] = ruleset.fast.names["q_value"]
    return function


def _secrets(ruleset: Ruleset, s: list[Any], seat: int) -> Iterator[Redraw]:
    """One function for each part of the state that a seat may not know now."""
    program, layout = ruleset.program, ruleset.layout
    if program.tokens:
        yield _redraw_tokens(ruleset, seat)
    for (universe, name), visibility in program.visibility.items():
        if visibility.thing is None:
            if not ruleset.evaluate(s, visibility.viewers, {}) >> seat & 1:
                track = program.world.tracks[name]
                yield _redraw_track(ruleset, layout.tracks[name], track.type, track.start)
            continue
        if universe == "token":  # where tokens are is drawn anew as a whole
            continue
        hidden = [
            i
            for i in range(len(program.world.universes[universe]))
            if not ruleset.evaluate(s, visibility.viewers, {visibility.thing: i}) >> seat & 1
        ]
        if (universe, name) in layout.arrays:
            yield _redraw_array(layout.arrays[universe, name], hidden)
        else:
            for cell in layout.flags[universe, name].values():
                yield _redraw_flags(cell, hidden)


def _redraw_tokens(ruleset: Ruleset, seat: int) -> Redraw:
    """Tokens in other hands and in the bag change places; how many lie where is known to everybody."""
    holders, states = ruleset.layout.arrays["token", "holder"], ruleset.layout.arrays["token", "state"]
    count = len(ruleset.program.world.universes["token"])

    def redraw(s: list[Any], seed: str) -> None:
        places: list[tuple[int, int]] = []
        hidden: list[int] = []
        for token in range(count):
            holder, state = s[holders.base + token], s[states.base + token]
            if state == _IN_BAG or (state == _HELD and holder != seat):
                places.append((state, holder))
                hidden.append(token)
        places.sort()  # which token lay where is forgotten here
        for token, (state, holder) in zip(_shuffled(hidden, seed, "token"), places, strict=True):
            _put(s, holders, token, holder)
            _put(s, states, token, state)

    return redraw


def _redraw_array(array: Array, hidden: list[int]) -> Redraw:
    """Values of a hidden attribute go round among those whose value the seat cannot see."""

    def redraw(s: list[Any], seed: str) -> None:
        values = sorted(s[array.base + i] for i in hidden)
        for i, value in zip(hidden, _shuffled(values, seed, f"cells {array.base}"), strict=True):
            _put(s, array, i, value)

    return redraw


def _redraw_flags(cell: int, hidden: list[int]) -> Redraw:
    of_hidden = sum(1 << i for i in hidden)

    def redraw(s: list[Any], seed: str) -> None:
        raised = _shuffled(hidden, seed, f"flags {cell}")[: (s[cell] & of_hidden).bit_count()]
        s[cell] = s[cell] & ~of_hidden | sum(1 << i for i in raised)

    return redraw


def _put(s: list[Any], array: Array, index: int, value: Any) -> None:
    if array.masks >= 0:
        s[array.masks + s[array.base + index]] &= ~(1 << index)
        s[array.masks + value] |= 1 << index
    s[array.base + index] = value


def _redraw_track(ruleset: Ruleset, cell: int, type_: Type, start: Any) -> Redraw:
    """A hidden track: any value it may have, or its first one when they cannot be listed."""
    world = ruleset.program.world
    values: list[Any] = [start]
    if type_.low is not None and type_.high is not None:
        values = list(range(type_.low, type_.high + 1))
    elif type_.kind == "enum":
        values = list(range(len(world.enums[type_.name].values)))
    elif type_.kind == "flag":
        values = [0, 1]

    def redraw(s: list[Any], seed: str) -> None:
        s[cell] = values[fair_number(seed, f"track {cell}", 0, 0, len(values))]

    return redraw


def _shuffled(things: list[Any], seed: str, purpose: str) -> list[Any]:
    """Fisher and Yates, with numbers that are the same on every machine."""
    out = things[:]
    for last in range(len(out) - 1, 0, -1):
        other = fair_number(seed, purpose, last, 0, last + 1)
        out[last], out[other] = out[other], out[last]
    return out
