"""Masks of which a part is asked only when it matters.

    c1 = not (r2.bit_count() >= 2)               c1 = 0
    closed = K1_mask & (-1 if s[2] else 0)       if s[2]:
        & (-1 if c1 else 0)                →         c2 = not (r2.bit_count() >= 2)
                                                     c1 = -1 if c2 else 0
                                                 closed = K1_mask & c1

`a and b` as masks works out both. Where `a` is the same for all members and no more than a look, and `b`
takes statements or goes through pieces, `b` waits until `a` holds; and of `if a: b otherwise: c` only one
is worked out. Most of what a rulebook says is about another scenario or another side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import costs_much
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import Value
from rulesdsl.base.lightclass import dataclass

Unite = Callable[[list[Value]], Value]


@dataclass(frozen=True, slots=True)
class Asked:
    """A mask, and the statements it takes."""

    fork: Builder
    mask: Value

    @property
    def is_dear(self) -> bool:
        return bool(self.fork.body) or costs_much(self.mask)


def together(em: Builder, op: str, parts: Sequence[Asked]) -> Value:
    """`a and b`, `a or b` as one mask."""
    unit = em.unit
    unite: Unite = unit.intersect if op == "and" else unit.unite
    tests = [test for part in parts if not part.is_dear and (test := uniform(part.mask)) is not None]
    dear = [part for part in parts if part.is_dear]
    if not unit.does(Knack.WAITING) or not dear or not tests:
        for part in parts:
            em.join(part.fork)
        return unite([part.mask for part in parts])
    cheap = [part.mask for part in parts if not part.is_dear and uniform(part.mask) is None]
    spared = v.ZERO if op == "and" else v.MINUS_ONE
    test = v.Logic(op, tuple(tests)) if len(tests) > 1 else tests[0]
    return unite([*cheap, _asked_if(em, test if op == "and" else v.Not(test), dear, unite, spared)])


def _asked_if(em: Builder, test: Value, dear: Sequence[Asked], unite: Unite, spared: Value) -> Value:
    name = em.temp("c", dear[0].mask.kind)
    em.let(name, spared)
    with em.branch(test):
        for part in dear:
            em.join(part.fork)
        em.let(name, unite([part.mask for part in dear]))
    return name


def either(em: Builder, condition: Asked, then: Asked, otherwise: Asked) -> Value:
    """`if a: b otherwise: c` as one mask."""
    unit = em.unit
    test = uniform(condition.mask) if unit.does(Knack.WAITING) else None
    em.join(condition.fork)
    if test is None:
        a = em.atom(condition.mask, "c")
        em.join(then.fork)
        em.join(otherwise.fork)
        return unit.unite(
            [unit.intersect([a, then.mask]), unit.intersect([unit.complement(a), otherwise.mask])]
        )
    if not then.fork.body and not otherwise.fork.body:
        return v.Choose(test, then.mask, otherwise.mask)
    name = em.temp("c", then.mask.kind)
    with em.branch(test):
        em.join(then.fork)
        em.let(name, then.mask)
    with em.otherwise():
        em.join(otherwise.fork)
        em.let(name, otherwise.mask)
    return name


def uniform(mask: Value) -> Value | None:
    """The test behind a mask that holds all members or none."""
    match mask:
        case v.Choose(test=test, yes=v.Number(value=-1), no=v.Number(value=0)):
            return test
        case _:
            return None
