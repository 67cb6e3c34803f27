"""Hidden values in a possible world: forgotten once, then drawn from what they could be (see `origins`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.agents.lots import shuffled
from interpreter.agents.origins import Draw, Key, Origin, all_values, origins_of
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.dice import fair_number, roll_dice
from interpreter.running.machine import Machine
from interpreter.state.position import Position
from rulesdsl import program as pg
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.types import Type
from rulesdsl.program.walk import sub_expressions


@dataclass(frozen=True, slots=True)
class HiddenValues:
    """What of one attribute (or track) a seat may not see."""

    key: Key
    origin: Origin
    type: Type
    drawn: tuple[int, ...]  # things whose value is drawn from what it could be (0 for a track)
    lost: tuple[int, ...]  # those whose value came about in a way nobody can follow: anything it may be
    moved: tuple[int, ...]  # things among which values go round: who has which is unknown
    values: tuple[Any, ...]  # those that go round
    secret_groups: bool  # whether what could be depends on what else was drawn


def hidden_values(ruleset: Ruleset, machine: Machine, seat: int) -> list[HiddenValues]:
    """Find what a seat may not see, and forget it in this position."""
    found: list[HiddenValues] = []
    program, s = ruleset.program, machine.s
    for key, visibility in program.visibility.items():
        if key[0] == "token" or key == IDENTITY:
            continue  # drawn as a whole
        if visibility.thing is None:
            unseen = [] if ruleset.evaluate(s, visibility.viewers, {}) >> seat & 1 else [0]
        else:
            unseen = [
                i
                for i in range(len(program.world.universes[key[0]]))
                if not ruleset.evaluate(s, visibility.viewers, {visibility.thing: i}) >> seat & 1
            ]
        if unseen:
            found.append(_found(ruleset, s, key, unseen))
    for hidden in found:  # only now: who sees what was asked of the position as it is
        _forget(ruleset, s, hidden)
    return found


def _found(ruleset: Ruleset, s: list[Any], key: Key, unseen: list[int]) -> HiddenValues:
    program = ruleset.program
    origin = origins_of(program)[key]
    world = program.world
    type_ = world.tracks[key[1]].type if key[0] == OF_GAME else world.attributes[key].type
    possible: set[Any] = set()
    for draw in origin.draws:
        possible.update(_largest(ruleset, draw))
    drawn = [i for i in unseen if _value(ruleset, s, key, i) in possible]
    moved = [i for i in unseen if i not in drawn] if origin.owner_drawn else []
    values = sorted(_value(ruleset, s, key, i) for i in moved)
    known = origin.plain  # written by a rule that everybody can follow
    lost = [
        i
        for i in unseen
        if i not in drawn and i not in moved
        and _value(ruleset, s, key, i) not in (*known, _at_first(ruleset, key, i))
    ]  # fmt: skip
    secret = any(draw.group is not None and _asks_secrets(program, draw.group) for draw in origin.draws)
    return HiddenValues(key, origin, type_, tuple(drawn), tuple(lost), tuple(moved), tuple(values), secret)


def _largest(ruleset: Ruleset, draw: Draw) -> tuple[int, ...] | range:
    """All that a draw could give at any time."""
    if draw.dice is not None:
        return range(draw.dice[0], draw.dice[0] * draw.dice[1] + 1)
    if draw.group is not None:
        return all_values(ruleset.program.world, draw.group.type.member)
    return draw.values


def _asks_secrets(program: pg.Program, e: pg.E) -> bool:
    if isinstance(e, pg.AttrGet) and (e.attribute.universe, e.attribute.name) in program.visibility:
        return True
    if isinstance(e, pg.CallE | pg.QuantityE | pg.LegalE | pg.RouteE):
        return True
    return any(_asks_secrets(program, part) for part in sub_expressions(e))


def _forget(ruleset: Ruleset, s: list[Any], hidden: HiddenValues) -> None:
    for i in (*hidden.drawn, *hidden.lost):
        _set(ruleset, s, hidden.key, i, _at_first(ruleset, hidden.key, i))
    for i, value in zip(hidden.moved, hidden.values, strict=True):
        _set(ruleset, s, hidden.key, i, value)


def draw_values(ruleset: Ruleset, world: Machine, hidden: list[HiddenValues], seed: str) -> None:
    """One value for each that is hidden, from those it could have in this world."""
    for one in hidden:
        name = f"{one.key[0]}.{one.key[1]}"
        for i, value in zip(one.moved, shuffled([*one.values], seed, name), strict=True):
            _set(ruleset, world.s, one.key, i, value)
        possible = all_values(ruleset.program.world, one.type)
        for i in one.lost if possible else ():
            value = possible[fair_number(seed, name, i, 0, len(possible))]
            _set(ruleset, world.s, one.key, i, value)
    # what could be anything first, then what must differ from what others have
    for one in sorted(hidden, key=lambda h: h.secret_groups):
        name = f"{one.key[0]}.{one.key[1]}"
        for i in one.drawn:
            value = _one_value(ruleset, world.s, one, i, seed, name)
            if value is not None:
                _set(ruleset, world.s, one.key, i, value)
    _refresh_variables(ruleset, world, hidden)


def _one_value(
    ruleset: Ruleset, s: list[Any], hidden: HiddenValues, i: int, seed: str, name: str
) -> int | None:
    draws = hidden.origin.draws
    which = draws[fair_number(seed, f"{name} way", i, 0, len(draws))] if len(draws) > 1 else draws[0]
    if which.dice is not None:
        return roll_dice(seed, name, i, *which.dice)
    values = which.values
    if which.group is not None:
        env = {} if which.owner is None else {which.owner: i}
        mask = ruleset.evaluate(s, which.group, env)
        values = tuple(v for v in range(mask.bit_length()) if mask >> v & 1)
        values = values or all_values(ruleset.program.world, which.group.type.member)
    return values[fair_number(seed, name, i, 0, len(values))] if values else None


def _refresh_variables(ruleset: Ruleset, world: Machine, hidden: list[HiddenValues]) -> None:
    """A variable from which a hidden value was written still holds it: give it the value that was drawn."""
    blocks = ruleset.full.blocks
    for frame in world.stack:
        places = blocks.frame_variables[blocks.procedure_of[frame[0]]]
        for one in hidden:
            for var, of in one.origin.variables:
                if var not in places or places[var] >= len(frame):
                    continue
                env = {v: frame[slot] for v, slot in places.items() if slot < len(frame)}
                try:
                    owner = 0 if of is None else ruleset.evaluate(world.s, of, env)
                except (KeyError, NameError, TypeError):
                    continue
                if owner in one.drawn:
                    frame[places[var]] = _value(ruleset, world.s, one.key, owner)


# ---- cells -----------------------------------------------------------------------------------------------
def _value(ruleset: Ruleset, s: list[Any], key: Key, i: int) -> Any:
    return Position(ruleset.layout, s).value(*key, i)


def _at_first(ruleset: Ruleset, key: Key, i: int) -> Any:
    world = ruleset.program.world
    return world.tracks[key[1]].start if key[0] == OF_GAME else world.attributes[key].values[i]


def _set(ruleset: Ruleset, s: list[Any], key: Key, i: int, value: Any) -> None:
    Position(ruleset.layout, s).put(*key, i, value)
