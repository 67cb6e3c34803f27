"""Values of generated code: what stands right of an assignment (the expressions of the intermediate
representation). No value changes anything, except `Call` of an operation that is declared to.

Every value knows its `kind` (kinds.py) and its `parts` in the order in which they are worked out. What is
asked of whole trees (which cells are read, which variables, how much work) is in asked.py.

Long because it is the list of all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from interpreter.compiling.ir.kinds import ANY, FLAG, NUMBER, RECORD, TEXT, Kind
from rulesdsl.base.lightclass import dataclass

Change = Callable[["Value"], "Value"]


class Value:
    """The base of all values."""

    __slots__ = ()

    @property
    def kind(self) -> Kind:
        return ANY

    @property
    def parts(self) -> tuple[Value, ...]:
        return ()

    def changed(self, change: Change) -> Value:
        """The same with every part changed."""
        return self


# ---- what is at hand -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Number(Value):
    """`7`: a whole number, a thing or a mask that is short enough to be written down."""

    value: int


@dataclass(frozen=True, slots=True)
class Constant(Value):
    """`K3_bits`: a value known before the game that is kept beside the code; `hint` is our own word."""

    name: str
    value: object = field(compare=False)


@dataclass(frozen=True, slots=True)
class Word(Value):
    """`'base'`: a word of ours, never an author's (those are constants)."""

    text: str

    @property
    def kind(self) -> Kind:
        return TEXT


@dataclass(frozen=True, slots=True)
class Nothing(Value):
    """`None`: what a route says of a step that is refused."""


@dataclass(frozen=True, slots=True)
class Local(Value):
    """`v12`: a variable of a function."""

    name: str
    of: Kind = field(default=ANY, compare=False)

    @property
    def kind(self) -> Kind:
        return self.of


@dataclass(frozen=True, slots=True)
class Slot(Value):
    """`f[3]`: a variable of a procedure that outlives a stop, in the frame of the procedure."""

    index: int
    of: Kind = field(default=ANY, compare=False)

    @property
    def kind(self) -> Kind:
        return self.of


@dataclass(frozen=True, slots=True)
class State(Value):
    """`s`: the state, as it is handed to a function."""


@dataclass(frozen=True, slots=True)
class Name(Value):
    """`LINKS`: something of the surroundings, or of another definition, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Cell(Value):
    """`s[68 + v]`, `s[12]`: a cell of the state; of an array that begins at `base` when there is an index."""

    base: int
    index: Value | None = None
    of: Kind = field(default=ANY, compare=False)

    @property
    def kind(self) -> Kind:
        return self.of

    @property
    def parts(self) -> tuple[Value, ...]:
        return () if self.index is None else (self.index,)

    def changed(self, change: Change) -> Value:
        return self if self.index is None else Cell(self.base, change(self.index), self.of)


# ---- parts of other values -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Item(Value):
    """`table[i]`: a printed value, a row of links, a field of a row; -1 asks for the last, that of none."""

    table: Value
    index: Value
    of: Kind = field(default=ANY, compare=False)

    @property
    def kind(self) -> Kind:
        return self.of

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.table, self.index)

    def changed(self, change: Change) -> Value:
        return Item(change(self.table), change(self.index), self.of)


@dataclass(frozen=True, slots=True)
class Part(Value):
    """`table.all`: a named part of something in the surroundings."""

    whole: Value
    name: str

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.whole,)

    def changed(self, change: Change) -> Value:
        return Part(change(self.whole), self.name)


@dataclass(frozen=True, slots=True)
class Tuple(Value):
    """`(a, b)`: a key, an option, an answer of several values."""

    members: tuple[Value, ...]

    @property
    def kind(self) -> Kind:
        return RECORD

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.members

    def changed(self, change: Change) -> Value:
        return Tuple(tuple(map(change, self.members)))


@dataclass(frozen=True, slots=True)
class Listing(Value):
    """`[a, b]`: a new list; `[*rows]` when `spread`, the keys of what is given."""

    members: tuple[Value, ...] = ()
    spread: bool = False

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.members

    def changed(self, change: Change) -> Value:
        return Listing(tuple(map(change, self.members)), self.spread)


@dataclass(frozen=True, slots=True)
class Dictionary(Value):
    """`{}`: a new table, which the function itself fills (`Put`)."""


# ---- calls -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Call(Value):
    """`d_3(s, v)`: a rule, or an operation of the surroundings (operations.py declares those)."""

    name: str
    arguments: tuple[Value, ...] = ()
    of: Kind = field(default=ANY, compare=False)

    @property
    def kind(self) -> Kind:
        return self.of

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.arguments

    def changed(self, change: Change) -> Value:
        return Call(self.name, tuple(map(change, self.arguments)), self.of)


@dataclass(frozen=True, slots=True)
class Method(Value):
    """`masks.get(v, 0)`, `opts.append(v)`, `m.roll(…)`: the same of an object."""

    owner: Value
    name: str
    arguments: tuple[Value, ...] = ()

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.owner, *self.arguments)

    def changed(self, change: Change) -> Value:
        return Method(change(self.owner), self.name, tuple(map(change, self.arguments)))


@dataclass(frozen=True, slots=True)
class CallOf(Value):
    """`NEXTS[v](s, v)`: the function at a place of a table."""

    function: Value
    arguments: tuple[Value, ...]

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.function, *self.arguments)

    def changed(self, change: Change) -> Value:
        return CallOf(change(self.function), tuple(map(change, self.arguments)))


@dataclass(frozen=True, slots=True)
class WorkOf(Value):
    """How much work some functions do without counting it: a number, once the fuel pass has looked."""

    names: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        return NUMBER


# ---- numbers and truth -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Binary(Value):
    """`a + b`, `a << b`: of numbers that cannot get too large here (else `plus`, `times` are called)."""

    op: str  # + - * // % << >> & | ^
    left: Value
    right: Value

    @property
    def kind(self) -> Kind:
        return self.left.kind if self.op in "&|^<<>>" else NUMBER

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.left, self.right)

    def changed(self, change: Change) -> Value:
        return Binary(self.op, change(self.left), change(self.right))


@dataclass(frozen=True, slots=True)
class Negative(Value):
    """`-a`."""

    value: Value

    @property
    def kind(self) -> Kind:
        return self.value.kind

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.value,)

    def changed(self, change: Change) -> Value:
        return Negative(change(self.value))


@dataclass(frozen=True, slots=True)
class Compare(Value):
    """`a <= b`; also `is`, `is not`, `in` for what may be nothing."""

    op: str
    left: Value
    right: Value

    @property
    def kind(self) -> Kind:
        return FLAG

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.left, self.right)

    def changed(self, change: Change) -> Value:
        return Compare(self.op, change(self.left), change(self.right))


@dataclass(frozen=True, slots=True)
class Not(Value):
    """`not a`."""

    value: Value

    @property
    def kind(self) -> Kind:
        return FLAG

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.value,)

    def changed(self, change: Change) -> Value:
        return Not(change(self.value))


@dataclass(frozen=True, slots=True)
class Logic(Value):
    """`a and b and c`, `a or b`: later parts are asked only when they matter."""

    op: str  # and, or
    members: tuple[Value, ...]

    @property
    def kind(self) -> Kind:
        return FLAG

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.members

    def changed(self, change: Change) -> Value:
        return Logic(self.op, tuple(map(change, self.members)))


@dataclass(frozen=True, slots=True)
class Choose(Value):
    """`yes if test else no`."""

    test: Value
    yes: Value
    no: Value

    @property
    def kind(self) -> Kind:
        return self.yes.kind

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.yes, self.test, self.no)

    def changed(self, change: Change) -> Value:
        yes, test, no = change(self.yes), change(self.test), change(self.no)
        return Choose(test, yes, no)


# ---- sets ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Meet(Value):
    """`a & b & c`: the members of all these masks."""

    members: tuple[Value, ...]

    @property
    def kind(self) -> Kind:
        return _of_masks(self.members)

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.members

    def changed(self, change: Change) -> Value:
        return Meet(tuple(map(change, self.members)))


@dataclass(frozen=True, slots=True)
class Join(Value):
    """`a | b | c`: the members of any of these masks."""

    members: tuple[Value, ...]

    @property
    def kind(self) -> Kind:
        return _of_masks(self.members)

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.members

    def changed(self, change: Change) -> Value:
        return Join(tuple(map(change, self.members)))


@dataclass(frozen=True, slots=True)
class Outside(Value):
    """`~a`: everything else, also what does not exist; it is always met with a set."""

    mask: Value

    @property
    def kind(self) -> Kind:
        return self.mask.kind

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.mask,)

    def changed(self, change: Change) -> Value:
        return Outside(change(self.mask))


@dataclass(frozen=True, slots=True)
class Bit(Value):
    """`1 << v`: the mask of one thing that is no none (else `Item` of the bits of its universe)."""

    thing: Value

    @property
    def kind(self) -> Kind:
        of = self.thing.kind
        return Kind("mask", of.universe, of.width) if of.universe else ANY

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.thing,)

    def changed(self, change: Change) -> Value:
        return Bit(change(self.thing))


@dataclass(frozen=True, slots=True)
class Count(Value):
    """`a.bit_count()`: how many members."""

    mask: Value

    @property
    def kind(self) -> Kind:
        return NUMBER

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.mask,)

    def changed(self, change: Change) -> Value:
        return Count(change(self.mask))


@dataclass(frozen=True, slots=True)
class First(Value):
    """`(a & -a).bit_length() - 1`: the member with the lowest number, -1 of the empty mask."""

    mask: Value

    @property
    def kind(self) -> Kind:
        of = self.mask.kind
        return Kind("thing", of.universe, of.width) if of.universe else ANY

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.mask, self.mask)

    def changed(self, change: Change) -> Value:
        return First(change(self.mask))


@dataclass(frozen=True, slots=True)
class Members(Value):
    """`MEMBERS[a]`: the members of a mask, lowest number first, as something to go through."""

    mask: Value

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.mask,)

    def changed(self, change: Change) -> Value:
        return Members(change(self.mask))


def _of_masks(members: tuple[Value, ...]) -> Kind:
    return next((kind for member in members if (kind := member.kind).name == "mask"), ANY)


NOTHING = Nothing()
STATE = State()
ZERO, ONE, MINUS_ONE = Number(0), Number(1), Number(-1)
MACHINE = Local("m")
