"""Where hidden values come from, read off the rules: what somebody chose, chance picked, dice rolled.

A value that a seat may not see could be any that might have been written there. The rules tell which: `set
hider.cup to cup` after `hider chooses a cup` one of those from which he chose, after `roll 1d6 as cup` what
the die may show. A value that no such draw can give (`none` before anything was chosen) is no secret:
everybody knows how far play has come. Where the *owner* was drawn and the value is a plain one (`pick a
block at random: mark block as dud`), how many have it is known and which of them is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_type

from rulesdsl import program as pg
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.logic import conjuncts
from rulesdsl.program.types import FLAG, Type
from rulesdsl.program.walk import sub_expressions, walk_steps
from rulesdsl.program.world import World

Key = tuple[str, str]  # (universe, attribute) or (OF_GAME, track)
MOST_VALUES = 4096


@dataclass(frozen=True, slots=True)
class Draw:
    """One way in which a value may have come about: from a group, by dice, or one of some values."""

    group: pg.E | None = None
    owner: pg.Var | None = None  # what the group calls the thing that has the value
    dice: tuple[int, int] | None = None
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """All ways in which the values of an attribute or a track may have come about."""

    draws: tuple[Draw, ...]
    plain: frozenset[int]  # constants that are written: whoever follows the play knows when
    owner_drawn: bool  # how many have which value is known, but not who
    variables: tuple[tuple[pg.Var, pg.E | None], ...]  # variables written there as they are; of whom


@lru_cache(maxsize=16)
def origins_of(program: pg.Program) -> dict[Key, Origin]:
    """Where the values come from that `visible to` hides."""
    return _Reader(program).read()


class _Reader:
    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self.groups: dict[pg.Var, pg.E] = {}  # variables that are chosen or picked from a group
        self.dice: dict[pg.Var, tuple[int, int]] = {}
        self.given: dict[pg.Var, list[pg.E]] = {}  # other variables: all that is put into them
        self.steps = [s for p in program.procedures.values() for s in walk_steps(p.body)]
        for step in map(pg.closed, self.steps):
            match step:
                case pg.ChooseS(candidates=candidates):
                    self.groups |= {c.var: c.group for c in candidates}
                case pg.PickS(var=var, group=group):
                    self.groups[var] = group
                case pg.RollS(var=var, count=count, faces=faces):
                    self.dice[var] = count, faces
                case pg.LetS(var=var, value=value):
                    self.given.setdefault(var, []).append(value)
                case pg.DoS(procedure=name, arguments=arguments):
                    params = program.procedures[name].params
                    for param, value in zip(params, arguments, strict=False):
                        self.given.setdefault(param, []).append(value)
                case pg.ForS() | pg.RememberS():
                    pass  # everybody goes through the same, and remembers the same
                case _:
                    assert_type(step, pg.BindsNothing)

    def read(self) -> dict[Key, Origin]:
        draws: dict[Key, list[Draw]] = {key: [] for key in self.program.visibility}
        moved: set[Key] = set()
        plain: dict[Key, set[int]] = {}
        variables: dict[Key, list[tuple[pg.Var, pg.E | None]]] = {}
        for step in self.steps:
            for key, of, value in _written(step):
                if key not in draws:
                    continue
                found = [*self._drawn(value, of, set())] if value is not None else []
                draws[key] += found
                if value is None or (isinstance(value, pg.Const) and isinstance(value.value, int)):
                    written = (0, 1) if value is None else (int(str(value.value)),)
                    plain.setdefault(key, set()).update(written)
                if isinstance(value, pg.VarGet):
                    variables.setdefault(key, []).append((value.var, of))
                if not found and of is not None and self._is_drawn(of):
                    moved.add(key)
        for key, values in self._by_branches():
            if key in draws and key not in moved:
                draws[key].append(Draw(values=values))
        return {
            key: Origin(
                tuple(found), frozenset(plain.get(key, ())), key in moved, tuple(variables.get(key, ()))
            )
            for key, found in draws.items()
        }

    def _drawn(self, value: pg.E, of: pg.E | None, seen: set[pg.Var]) -> Iterator[Draw]:
        """The draws behind a value; none for a plain one."""
        match value:
            case pg.VarGet(var=var) if var in seen:
                return
            case pg.VarGet(var=var) if var in self.groups:
                owner = of.var if isinstance(of, pg.VarGet) else None
                yield Draw(group=_open_part(self.groups[var], owner), owner=owner)
            case pg.VarGet(var=var) if var in self.dice:
                yield Draw(dice=self.dice[var])
            case pg.VarGet(var=var):
                for given in self.given.get(var, ()):
                    yield from self._drawn(given, of, seen | {var})
            case _:
                if any(True for part in sub_expressions(value) for _ in self._drawn(part, of, seen)):
                    yield Draw(values=all_values(self.program.world, value.type))

    def _is_drawn(self, of: pg.E) -> bool:
        if isinstance(of, pg.VarGet):
            return of.var in self.groups or any(self._is_drawn(e) for e in self.given.get(of.var, ()))
        return isinstance(of, pg.FirstE)

    def _by_branches(self) -> Iterator[tuple[Key, tuple[int, ...]]]:
        """Plain values between which somebody chooses, or a condition decides."""
        for step in self.steps:
            match step:
                case pg.MenuS(entries=entries, decline=decline, otherwise=otherwise):
                    branches = [entry.body for entry in entries]
                    branches += [otherwise] if decline is not None else []
                case pg.IfS(branches=tests, otherwise=otherwise):
                    branches = [*(body for _, body in tests), otherwise]
                case _:
                    continue
            found: dict[Key, set[int]] = {}
            writing: dict[Key, int] = {}
            for body in branches:
                for key in {key for inner in walk_steps(body) for key, _, _ in _written(inner)}:
                    writing[key] = writing.get(key, 0) + 1
                for inner in walk_steps(body):
                    for key, _, value in _written(inner):
                        plain = value.value if isinstance(value, pg.Const) else None
                        if isinstance(plain, int):
                            found.setdefault(key, set()).add(plain)
                        if isinstance(inner, pg.MarkS):
                            found.setdefault(key, set()).update((0, 1))
            for key, values in found.items():
                first = self._at_first(key)
                if writing[key] < len(branches) and isinstance(first, int):
                    values.add(first)  # and nothing was written
                if len(values) > 1:
                    yield key, tuple(sorted(values))

    def _at_first(self, key: Key) -> object:
        world = self.program.world
        if key[0] == OF_GAME:
            return world.tracks[key[1]].start if key[1] in world.tracks else None
        return world.attributes[key].default


def _written(step: pg.S) -> Iterator[tuple[Key, pg.E | None, pg.E | None]]:
    """What a step writes: the attribute or track, of whom, and the value (of a mark none)."""
    match step:
        case pg.SetAttr(attribute=attribute, of=of, value=value):
            yield (attribute.universe, attribute.name), of, value
        case pg.MarkS(attribute=attribute, of=of):
            yield (attribute.universe, attribute.name), of, None
        case pg.SetTrack(track=track, value=value):
            yield (OF_GAME, track), None, value
        case _:
            pass


def _open_part(group: pg.E, owner: pg.Var | None) -> pg.E:
    """A group as far as it can be asked for later: without conditions about variables that are gone."""
    match group:
        case pg.Filter(group=inner, var=var, condition=condition):
            base = _open_part(inner, owner)
            kept = tuple(e for e in conjuncts(condition) if _free(e) <= {var, owner})
            if not kept:
                return base
            test = kept[0] if len(kept) == 1 else pg.LogicE("and", kept, type=FLAG)
            return pg.Filter(base, var, test, type=group.type)
        case _:
            return group if _free(group) <= {owner} else pg.ClassSet(type=group.type)


def _free(e: pg.E) -> frozenset[pg.Var]:
    """The variables of an expression that are not bound by one of its loops."""
    if isinstance(e, pg.VarGet):
        return frozenset((e.var,))
    inside: frozenset[pg.Var] = frozenset().union(*map(_free, sub_expressions(e)))
    return inside - {e.var} if isinstance(e, pg.Filter | pg.SumE | pg.ExtremeE | pg.ArgExtreme) else inside


def all_values(world: World, type_: Type) -> tuple[int, ...]:
    """Every value of a type, none included where it may be; nothing when they cannot be listed."""
    found: Iterable[int] = ()
    if type_.kind == "flag":
        found = (0, 1)
    elif type_.kind == "enum":
        found = range(-1 if type_.nullable else 0, len(world.enums[type_.name].values))
    elif type_.kind == "thing":
        things = world.universes[type_.name]
        found = [i for i, cls in enumerate(things.classes) if type_.of in ("", cls)]
        found = [-1, *found] if type_.nullable else found
    elif type_.low is not None and type_.high is not None and type_.high - type_.low < MOST_VALUES:
        found = range(type_.low, type_.high + 1)
    return tuple(found)
