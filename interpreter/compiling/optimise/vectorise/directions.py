"""Choices of a space together with one in some direction from it: a mask for each direction.

`a cell as pawn where …, a cell as goal among pawn.north, …`: on a grid each direction is a shift, and what
is asked of the pawn and of its goal is asked of all pawns at once. Nobody writes the pairs out: they are
counted, and the one that was chosen is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower.values import code
from interpreter.compiling.optimise.vectorise.masks import member_mask
from interpreter.compiling.optimise.vectorise.occupancy import composed, step_of
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.logic import substituted
from rulesdsl.program.walk import uses_var

MOST_WAYS = 12
WAYS = v.Local("ways")


def way_mask(em: Builder, number: int) -> v.Local:
    """The spaces from which one may go some way."""
    return v.Local(f"w{number}", em.unit.mask_kind("space"))


@dataclass(slots=True)
class Way:
    """One direction: how far it is in numbers, who can go there at all, and the space it leads to."""

    step: int
    mask: int
    goal: pg.E


@dataclass(slots=True)
class Fork:
    """The directions there are when a condition holds (always, when there is none)."""

    condition: pg.E | None
    ways: list[Way]


def gather_pairs(em: Builder, env: Env, step: pg.ChooseS) -> int:
    """Emit masks `w0`, `w1`, … and `ways`, their distances; how many there are, 0 when it cannot be done.

    The pairs are in their usual order: by the first space, then by the second.
    """
    if len(step.candidates) != 2 or step.preferences:
        return 0
    first, last = step.candidates
    group, tests = em.unit.folded(last.group), list[pg.E]()
    while isinstance(group, pg.Filter):
        tests.append(substituted(group.condition, {group.var: pg.VarGet(last.var, type=last.var.type)}))
        group = group.group
    if step.action is not None:
        action = em.unit.program.actions[step.action.action]
        legal = em.unit.folder.legal(action.name)
        if legal is None:
            return 0
        tests.append(substituted(legal, dict(zip(action.params, step.action.arguments, strict=True))))
    forks = _forks(em, first.var, group)
    if forks is None:
        return 0
    most = max(len(fork.ways) for fork in forks)
    fork_em = em.fork()
    base = fork_em.atom(code(fork_em, env, first.group), "g")
    depth = fork_em.depth
    for number, fork in enumerate(forks):
        fork_em.back_to(depth)
        if fork.condition is not None:
            fork_em.enter(code(fork_em, env, fork.condition))
        elif number:
            fork_em.enter_otherwise()
        for index in range(most):
            mask: Value | None = v.ZERO
            if index < len(fork.ways):
                way = fork.ways[index]
                from_here = [substituted(test, {last.var: way.goal}) for test in tests]
                mask = _from(fork_em, env, first.var, way, base, from_here)
            if mask is None:
                return 0
            fork_em.let(way_mask(em, index), mask)
        distances = [way.step for way in fork.ways] + [0] * (most - len(fork.ways))
        fork_em.let(WAYS, em.unit.constant("ways", tuple(distances)))
    em.join(fork_em)
    return most


def _from(em: Builder, env: Env, first: pg.Var, way: Way, base: Value, tests: list[pg.E]) -> Value | None:
    """Those of `base` from whom one may go this way."""
    masks = [base, em.unit.literal(way.mask)]
    for test in tests:
        mask = member_mask(em, env, test, frozenset({first}))
        if mask is None:
            return None
        masks.append(mask)
    return em.unit.intersect(masks)


def _forks(em: Builder, first: pg.Var, group: pg.E) -> list[Fork] | None:
    members = frozenset({first})
    if isinstance(group, pg.IfE) and not uses_var(group.condition, members):
        then, otherwise = _ways(em, first, group.then), _ways(em, first, group.otherwise)
        if then is None or otherwise is None:
            return None
        return [Fork(group.condition, then), Fork(None, otherwise)]
    ways = _ways(em, first, group)
    return None if ways is None else [Fork(None, ways)]


def _ways(em: Builder, first: pg.Var, group: pg.E) -> list[Way] | None:
    """The members of a set as directions from a space, nearest number first; None when it is no such set."""
    parts, ways = [group], list[Way]()
    while parts:
        part = parts.pop()
        match part:
            case pg.SetOp(op="|", left=left, right=right):
                parts += [left, right]
            case pg.SingleSet(value=goal):
                table = composed(em, goal, frozenset({first}))
                distance = None if table is None else step_of(table)
                if table is None or distance is None:
                    return None
                ways.append(Way(distance, sum(1 << i for i, there in enumerate(table) if there >= 0), goal))
            case _:
                return None
    ways.sort(key=lambda way: way.step)
    if len({way.step for way in ways}) < len(ways) or len(ways) > MOST_WAYS:
        return None
    return ways
