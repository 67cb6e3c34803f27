"""Statements of generated code: what is done, one after the other (control, changes, decisions, fuel).

A body is a list of statements; whoever builds a function adds to it (builder.py), passes make new bodies.
`inner` are the bodies inside a statement, `values` the values it works out itself, in their order.

Long because it is the list of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from interpreter.compiling.ir.values import Cell, Change, Local, Slot, Value
from rulesdsl.base.lightclass import dataclass

Target = Local | Slot


class Statement:
    """The base of all statements."""

    __slots__ = ()

    @property
    def values(self) -> tuple[Value, ...]:
        return ()

    @property
    def inner(self) -> tuple[Body, ...]:
        return ()

    @property
    def sets(self) -> tuple[Target, ...]:
        """The variables that get another value here (not in bodies inside)."""
        return ()

    def changed(self, change: Change) -> Statement:
        """The same with its own values changed; bodies inside stay the very same."""
        return self


Body = list[Statement]


# ---- variables and the state -----------------------------------------------------------------------------
@dataclass(slots=True)
class Let(Statement):
    """`v = value`."""

    target: Target
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return (self.target,)

    def changed(self, change: Change) -> Statement:
        return Let(self.target, change(self.value))


@dataclass(slots=True)
class LetSame(Statement):
    """`a = b = value`: several variables with one value."""

    targets: tuple[Target, ...]
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return self.targets

    def changed(self, change: Change) -> Statement:
        return LetSame(self.targets, change(self.value))


@dataclass(slots=True)
class LetParts(Statement):
    """`a, b = value`: the parts of a tuple."""

    targets: tuple[Target, ...]
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return self.targets

    def changed(self, change: Change) -> Statement:
        return LetParts(self.targets, change(self.value))


@dataclass(slots=True)
class Update(Statement):
    """`v |= value`: a variable changed by one operation."""

    target: Target
    op: str
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return (self.target,)

    def changed(self, change: Change) -> Statement:
        return Update(self.target, self.op, change(self.value))


@dataclass(slots=True)
class Store(Statement):
    """`s[68 + v] = value`, or `s[68 + v] |= value` with an `op`."""

    cell: Cell
    value: Value
    op: str = ""

    @property
    def values(self) -> tuple[Value, ...]:
        return (*self.cell.parts, self.value)

    def changed(self, change: Change) -> Statement:
        cell = self.cell.changed(change)
        assert isinstance(cell, Cell)
        return Store(cell, change(self.value), self.op)


@dataclass(slots=True)
class Fill(Statement):
    """`s[3:9] = values`: cells that stand side by side."""

    first: int
    end: int
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    def changed(self, change: Change) -> Statement:
        return Fill(self.first, self.end, change(self.value))


@dataclass(slots=True)
class Put(Statement):
    """`table[key] = value`: into a table of the function itself."""

    table: Value
    key: Value
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.table, self.key, self.value)

    def changed(self, change: Change) -> Statement:
        return Put(change(self.table), change(self.key), change(self.value))


@dataclass(slots=True)
class Do(Statement):
    """A call for what it does."""

    call: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.call,)

    def changed(self, change: Change) -> Statement:
        return Do(change(self.call))


# ---- control ---------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Arm(Statement):
    """One case of an `If`; without a test it is for everything else. Tests may need no statements."""

    test: Value | None
    body: Body = field(default_factory=list)

    @property
    def values(self) -> tuple[Value, ...]:
        return () if self.test is None else (self.test,)

    @property
    def inner(self) -> tuple[Body, ...]:
        return (self.body,)

    def changed(self, change: Change) -> Statement:
        return self if self.test is None else Arm(change(self.test), self.body)


@dataclass(slots=True)
class If(Statement):
    """The first arm whose test holds is done."""

    arms: list[Arm]

    @property
    def values(self) -> tuple[Value, ...]:
        return self.arms[0].values

    @property
    def inner(self) -> tuple[Body, ...]:
        return tuple(arm.body for arm in self.arms)


@dataclass(slots=True)
class When(Statement):
    """`if test: return 0`: simple statements under a condition, none of them with a body of its own."""

    test: Value
    body: Body

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.test, *(value for one in self.body for value in one.values))

    @property
    def sets(self) -> tuple[Target, ...]:
        return tuple(name for one in self.body for name in one.sets)

    def changed(self, change: Change) -> Statement:
        return When(change(self.test), [one.changed(change) for one in self.body])


@dataclass(slots=True)
class ForEach(Statement):
    """`for v in MEMBERS[mask]`: over the members of a mask, lowest number first."""

    member: Target
    mask: Value
    body: Body = field(default_factory=list)

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.mask,)

    @property
    def inner(self) -> tuple[Body, ...]:
        return (self.body,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return (self.member,)

    def changed(self, change: Change) -> Statement:
        return ForEach(self.member, change(self.mask), self.body)


@dataclass(slots=True)
class ForIn(Statement):
    """`for a, b in rows`: over rows of a table, options, or numbers (`range`); `few` of them as a rule."""

    targets: tuple[Target, ...]
    rows: Value
    body: Body = field(default_factory=list)

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.rows,)

    @property
    def inner(self) -> tuple[Body, ...]:
        return (self.body,)

    @property
    def sets(self) -> tuple[Target, ...]:
        return self.targets

    def changed(self, change: Change) -> Statement:
        return ForIn(self.targets, change(self.rows), self.body)


@dataclass(slots=True)
class While(Statement):
    """`while test`. `most` are the turns it can have at most; 0 where that is not told."""

    test: Value
    body: Body = field(default_factory=list)
    most: int = 0

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.test,)

    @property
    def inner(self) -> tuple[Body, ...]:
        return (self.body,)

    def changed(self, change: Change) -> Statement:
        return While(change(self.test), self.body, self.most)


@dataclass(slots=True)
class Return(Statement):
    """`return value`; of a block: the number of the next block, or a signal of the machine."""

    value: Value | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        return () if self.value is None else (self.value,)

    def changed(self, change: Change) -> Statement:
        return self if self.value is None else Return(change(self.value))


@dataclass(slots=True)
class Jump(Statement):
    """`break`, `continue`; `pass` goes on with what follows; `raise GameOver` ends the game."""

    where: str


# ---- decisions -------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Ask(Statement):
    """`m.ask(site, who, options, out)`: a block stops here until somebody has chosen."""

    site: int
    who: Value
    options: Value
    out: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.who, self.options, self.out)

    def changed(self, change: Change) -> Statement:
        return Ask(self.site, change(self.who), change(self.options), change(self.out))


@dataclass(slots=True)
class Decide(Statement):
    """`i = decide(who, count)`: in a game played at one go, a number below `count`."""

    target: Local
    who: Value
    count: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.who, self.count)

    @property
    def sets(self) -> tuple[Target, ...]:
        return (self.target,)

    def changed(self, change: Change) -> Statement:
        return Decide(self.target, change(self.who), change(self.count))


# ---- what is counted -------------------------------------------------------------------------------------
@dataclass(slots=True)
class Fired(Statement):
    """A rule has been used: traced code counts that."""

    rule: int


@dataclass(slots=True)
class Charge(Statement):
    """Work is counted; stops when the fuel of a decision is used up. `turns` times `work` with `turns`."""

    work: int
    turns: Value | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        return () if self.turns is None else (self.turns,)


@dataclass(slots=True)
class Refuel(Statement):
    """The count starts again: a decision is asked."""


@dataclass(slots=True)
class Tick(Statement):
    """A turn of a loop (`fuel`), or a trigger (`firings`), of which there may be only so many."""

    what: str
    why: str
    title: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.title,)


@dataclass(slots=True)
class Aside(Statement):
    """First in a function: it works on a copy of the state, which is forgotten when it returns."""


# ---- definitions -----------------------------------------------------------------------------------------
@dataclass(slots=True)
class Function:
    """A function; `parameters` are names of ours."""

    name: str
    parameters: tuple[str, ...]
    body: Body


@dataclass(slots=True)
class Definition:
    """`r_0 = ends_0`, `ANY_0_1 = Memory()`: something made once, beside the functions."""

    name: str
    value: Value


Made = Function | Definition


def walk(body: Body) -> Iterator[Statement]:
    """Every statement, those inside others included; of an `If` its arms, in place of itself."""
    for statement in body:
        if isinstance(statement, If):
            for arm in statement.arms:
                yield arm
                yield from walk(arm.body)
            continue
        yield statement
        for inner in statement.inner:
            yield from walk(inner)
