"""What a seat may know when it must decide, and worlds that fit what it knows.

A `Sight` hands out *possible* worlds only: whatever the seat cannot know (tokens in other hands and in
the bag, attributes it may not see, every die that is still to be rolled) is drawn anew, by the seed the
agent gives and without a look at the truth. Two games that differ only in such secrets are the same
game for an agent: the promise is held by construction and by tests/secrecy/test_agent_secrets.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from interpreter.agents.counters import Groups, draw, forget
from interpreter.agents.lots import shuffled
from interpreter.agents.values import HiddenValues, draw_values, hidden_values
from interpreter.compiling.ruleset import Ruleset
from interpreter.native.steps import NativeSteps, Words
from interpreter.playing.counters import hidden_pieces, order_of_options
from interpreter.running.machine import Machine, Pending
from interpreter.state.position import Position as Standing
from interpreter.state.token_cells import token_cells
from rulesdsl.language.conventions import OF_GAME, TURN, VALUE

Number = int | Fraction


Redraw = Callable[[list[Any], str], None]  # changes cells by a seed


@dataclass(frozen=True, slots=True)
class Known:
    """A position without what a seat may not know, and what is drawn anew of it."""

    machine: Machine
    counters: Groups
    values: list[HiddenValues]
    tokens: Redraw | None


class Sight:
    """A decision that waits, seen from the seat that must take it.

    What the seat does not know is taken out of the position when somebody first asks for a world: an agent
    that only counts the options does not pay for it.
    """

    def __init__(self, ruleset: Ruleset, machine: Machine) -> None:
        pending = machine.pending
        assert pending is not None, "nobody is asked anything"
        self.ruleset = ruleset
        self.seat = pending.who
        self.count = len(pending.options) + pending.out  # options, the way out included
        self._position = machine.copy()  # as it is now; the game goes on
        self._words: tuple[NativeSteps, Words] | None = None

    @staticmethod
    def of(ruleset: Ruleset, machine: Machine) -> Sight:
        return Sight(ruleset, machine)

    def get_ready(self) -> None:
        """Make what is made once for a game, before a clock runs."""
        self.world("").copy()

    @property
    def turn(self) -> int | None:
        """Which turn of the game it is, where the rulebook counts them for everybody to see."""
        program = self.ruleset.program
        if TURN not in program.world.tracks or (OF_GAME, TURN) in program.visibility:
            return None
        return int(Standing(self.ruleset.layout, self._position.s).track(TURN))

    @cached_property
    def _order(self) -> list[int]:
        """The options as the seat sees them → as the game counts them."""
        return order_of_options(self.ruleset, self._position)

    @cached_property
    def _known(self) -> Known:
        ruleset, seat, known = self.ruleset, self.seat, self._position.copy()
        known.code, known.script, known.seed = ruleset.fast.code, None, ""
        tokens = _redraw_tokens(ruleset, seat) if ruleset.program.tokens else None
        groups: Groups = ()
        if hidden := hidden_pieces(ruleset, known.s, seat):
            pending = known.pending
            assert pending is not None
            shown = [pending.options[i] for i in self._order]
            known.pending = Pending(pending.site, seat, shown, pending.out)
            groups = forget(ruleset, known, hidden)
        values = hidden_values(ruleset, known, seat)
        if tokens is not None:
            tokens(known.s, "")
        return Known(known, groups, values, tokens)

    def index(self, number: int) -> int:
        """The index that `Machine.choose` wants for the option with this number (the way out is last)."""
        return self._order[number] if number < len(self._order) else -1

    def in_world(self, number: int) -> int:
        """The same for its worlds, where options are listed as the seat sees them."""
        return number if number < len(self._order) else -1

    def imagined(self, seed: str) -> World:
        """The same for somebody who may have it in words (native_worlds.py)."""
        return World(self, seed)

    def words(self, steps: NativeSteps, world: World) -> Words:
        """A world in words. Where nothing is hidden, worlds differ in their dice alone."""
        known = self._known
        if known.counters:
            return steps.words(world.machine)
        if self._words is None or self._words[0] is not steps:
            self._words = steps, steps.words(known.machine)
        if known.tokens is None and not known.values:
            return steps.reseeded(self._words[1], world.seed)
        return steps.redrawn(self._words[1], known.machine, world.machine, world.seed)

    def world(self, seed: str) -> Machine:
        """One world that fits, ready to be played on: silent and fast, with dice of its own."""
        known = self._known
        world = known.machine.copy()
        world.seed = seed
        if known.counters:
            draw(self.ruleset, world, known.counters, seed)
        if known.tokens is not None:
            known.tokens(world.s, seed)
        if known.values:
            draw_values(self.ruleset, world, known.values, seed)
        return world


class World:
    """One world that fits what a seat knows: as a machine, and as words, each made when it is asked for."""

    def __init__(self, sight: Sight, seed: str) -> None:
        self.sight, self.seed = sight, seed
        self._words: tuple[NativeSteps, Words] | None = None

    @cached_property
    def machine(self) -> Machine:
        return self.sight.world(self.seed)

    def words(self, steps: NativeSteps) -> Words:
        if self._words is None or self._words[0] is not steps:
            self._words = steps, self.sight.words(steps, self)
        return self._words[1]


Values = dict[int, Number]  # by the numbers of the players who take part


def worth(ruleset: Ruleset, machine: Machine) -> Values | None:
    """What the rulebook's `quantity value(player)` gives each player; None when it declares none."""
    function = _value_function(ruleset)
    if function is None:
        return None
    ask = ruleset.fast.ask
    return {player: ask(function, machine.s, player) for player in ruleset.seats.index.values()}


def thinking(ruleset: Ruleset, pace: int = 1) -> AbstractContextManager[None]:
    """While this lasts, everything an agent tries counts together: `pace` times what is usual."""
    return ruleset.fast.code.errand(ruleset.limits.work_per_thought * pace)


def thought_enough(ruleset: Ruleset) -> bool:
    """Whether what may be tried before a decision has been tried."""
    code = ruleset.fast.code
    code.charge(0)
    return code.left is not None and code.left <= 0


def hides_something(ruleset: Ruleset) -> bool:
    """Whether anything in the game can be hidden from a player."""
    return bool(ruleset.program.tokens or ruleset.program.visibility)


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
    quantity = ruleset.program.quantities.get(VALUE)
    if quantity is None or [p.type.name for p in quantity.params] != ["player"]:
        return None
    function: Callable[[list[Any], int], Number] = ruleset.fast.function("q", VALUE)
    return function


def _redraw_tokens(ruleset: Ruleset, seat: int) -> Redraw:
    """Tokens of which the seat does not know where they are change places; how many lie where is known to
    everybody. What the others know of a place goes with it."""
    layout, cells = ruleset.layout, token_cells(ruleset.layout)
    assert cells is not None
    count = len(ruleset.program.world.universes["token"])

    def redraw(s: list[Any], seed: str) -> None:
        now = Standing(layout, s)
        holders, states = now.values("token", "holder"), now.values("token", "state")
        hidden = [token for token in range(count) if not cells.knows(s, token, seat)]
        # which token lay where is forgotten here
        places = sorted((states[t], holders[t], s[cells.known + t]) for t in hidden)
        for token, (state, holder, known) in zip(shuffled(hidden, seed, "token"), places, strict=True):
            now.put("token", "holder", token, holder)
            now.put("token", "state", token, state)
            s[cells.known + token] = known

    return redraw
