"""Functions under construction: statements are added where the builder stands, bodies opened and closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.compiling.ir.kinds import ANY, Kind
from interpreter.compiling.ir.statements import (
    Arm,
    Body,
    Do,
    Fired,
    ForEach,
    ForIn,
    If,
    Jump,
    Let,
    Return,
    Statement,
    Store,
    Target,
    Update,
    When,
    While,
)
from interpreter.compiling.ir.values import Cell, Constant, Local, Name, Number, Value
from interpreter.compiling.ir.ways import way_of
from interpreter.compiling.unit import Env, Unit
from rulesdsl import program as pg

_ATOMS = (Local, Number, Constant, Name)


class Builder:
    """One function body. Whoever lowers a value may add statements here before the value he returns."""

    __slots__ = ("body", "counter", "open", "unit")

    def __init__(self, unit: Unit, counter: list[int] | None = None) -> None:
        self.unit = unit
        self.body: Body = []
        self.open: list[Body] = [self.body]  # those we stand in, the innermost last
        self.counter = [0] if counter is None else counter

    # -- values
    def code(self, env: Env, e: pg.E) -> Value:
        """The value of an expression; what must be done before it is added here."""
        return self.unit.lowering.code(self, env, e)

    def member_mask(self, env: Env, test: pg.E, members: frozenset[pg.Var]) -> Value | None:
        """All things for which a condition on a member holds, or None when a loop is needed."""
        return self.unit.lowering.member_mask(self, env, test, members)

    # -- statements
    def add(self, *statements: Statement) -> None:
        self.open[-1].extend(statements)

    def let(self, target: Target, value: Value) -> None:
        self.open[-1].append(Let(target, value))

    def update(self, target: Target, op: str, value: Value) -> None:
        self.open[-1].append(Update(target, op, value))

    def store(self, cell: Cell, value: Value, op: str = "") -> None:
        self.open[-1].append(Store(cell, value, op))

    def do(self, call: Value) -> None:
        self.open[-1].append(Do(call))

    def when(self, test: Value, *statements: Statement) -> None:
        self.open[-1].append(When(test, [*statements]))

    def give(self, value: Value | None = None) -> None:
        """Return from the function."""
        self.open[-1].append(Return(value))

    def jump(self, where: str) -> None:
        self.open[-1].append(Jump(where))

    def fired(self, paragraph: str, how: str = "") -> None:
        """Count a paragraph; `how` counts also, by itself, in which way it had a say (`ir.ways`)."""
        if self.unit.tells:
            self.add(Fired(self.unit.rule_number(paragraph)))
            if how and paragraph:
                self.add(Fired(self.unit.rule_number(way_of(paragraph, how))))

    # -- bodies inside
    @property
    def depth(self) -> int:
        """How many bodies we stand in; 1 in a function itself."""
        return len(self.open)

    def back_to(self, depth: int) -> None:
        """Leave bodies until we stand in so many."""
        del self.open[depth:]

    def enter(self, test: Value) -> None:
        """Open a body for when a test holds, and stay in it."""
        arm = Arm(test)
        self.add(If([arm]))
        self.open.append(arm.body)

    def enter_otherwise(self, test: Value | None = None) -> None:
        """Open another arm of the condition that was closed last, and stay in it."""
        before = self.open[-1][-1]
        assert isinstance(before, If)
        arm = Arm(test)
        before.arms.append(arm)
        self.open.append(arm.body)

    def enter_loop(self, loop: ForEach | ForIn | While) -> None:
        self.add(loop)
        self.open.append(loop.body)

    @contextmanager
    def branch(self, test: Value) -> Iterator[None]:
        depth = self.depth
        self.enter(test)
        yield
        self.back_to(depth)

    @contextmanager
    def otherwise(self, test: Value | None = None) -> Iterator[None]:
        depth = self.depth
        self.enter_otherwise(test)
        yield
        self.back_to(depth)

    @contextmanager
    def each(self, mask: Value, member: Target) -> Iterator[None]:
        """A loop over the members of a mask, lowest number first."""
        with self.loop(ForEach(member, mask)):
            yield

    @contextmanager
    def loop(self, loop: ForEach | ForIn | While) -> Iterator[None]:
        depth = self.depth
        self.enter_loop(loop)
        yield
        self.back_to(depth)

    # -- names
    def temp(self, hint: str = "t", kind: Kind = ANY) -> Local:
        self.counter[0] += 1
        return Local(f"{hint}{self.counter[0]}", kind)

    def atom(self, value: Value, hint: str = "t") -> Value:
        """A name for a value that is used more than once."""
        if isinstance(value, _ATOMS):
            return value
        name = self.temp(hint, value.kind)
        self.let(name, value)
        return name

    # -- on trial
    def fork(self) -> Builder:
        """A side body with the same counter, to see whether something needs statements of its own."""
        return Builder(self.unit, self.counter)

    def join(self, other: Builder) -> None:
        """Take over the statements of a side body."""
        self.open[-1].extend(other.body)
