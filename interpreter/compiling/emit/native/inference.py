"""What every value is in words: types flow from constants and the state through all functions until nothing
changes any more (abstract interpretation). A type that cannot be said is told as `Unsupported`.

Long because it is one fixed point: a rule of it for each value and statement, all over the same tables of types.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, assert_never

from interpreter.compiling.emit.native.cells import Cells, Group
from interpreter.compiling.emit.native.splitting import is_mixed
from interpreter.compiling.emit.native.types import (
    BIT,
    MOST,
    WIDE,
    Frac,
    Int,
    Links,
    LinkTable,
    List,
    Mask,
    Nothing,
    Rows,
    Steps,
    Table,
    Text,
    Tup,
    Type,
    Unsupported,
    as_mask,
    joined,
    of_number,
    spoken,
    widened,
)
from interpreter.compiling.emit.playout.nth_option import NTH
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.closed import closed
from interpreter.running.numbers import LARGEST, MOST_TO_CHOOSE
from interpreter.state.symbols import taken_apart
from interpreter.state.token_cells import TokenCells
from rulesdsl.program.world import World

GROWS = 3  # so often a type may grow before it is made as large as it can get
UNSEEN = ("m", "s", "decide")  # parameters that the machine itself is
KEPT = Int(-LARGEST, LARGEST)
POINTS = Frac()


@dataclass(slots=True)
class Signature:
    """A function in words."""

    parameters: list[Type | None]
    gives: Type | None = None
    variables: dict[str, Type | None] = field(default_factory=dict)
    grown: dict[str, int] = field(default_factory=lambda: defaultdict(int))


@dataclass(slots=True)
class World_:
    """What is known of the things of a game: how many there are."""

    spaces: int
    pieces: int
    borders: int
    players: int
    tokens: int
    directions: int
    degree: int

    @classmethod
    def of(cls, world: World) -> World_:
        def size(name: str) -> int:
            return len(world.universes[name]) if name in world.universes else 0

        degree = max((len(around) for around in world.adjacency), default=0)
        return cls(size("space"), size("piece"), size("border"), size("player"), size("token"),
                   len(world.directions), max(1, degree))  # fmt: skip


@dataclass(slots=True)
class Search:
    """`SEARCH_0`: the functions of a route that is searched step by step."""

    step: str
    stop: str
    end: str
    limits: str
    start: str
    rung: str | None
    links: str
    work: int
    shape: Any


class Inference:
    """The types of all functions that a game needs."""

    def __init__(
        self, functions: dict[str, st.Function], definitions: dict[str, st.Definition], cells: Cells,
        sizes: World_, tables: dict[str, tuple[int, Type]],
    ) -> None:  # fmt: skip
        self.functions, self.definitions = functions, definitions
        self.cells, self.sizes, self.tables = cells, sizes, tables
        self.signatures = {
            name: Signature([None] * len(seen(one.parameters))) for name, one in functions.items()
        }
        self.callers: dict[str, set[str]] = defaultdict(set)
        self.readers: dict[int, set[str]] = defaultdict(set)  # of groups of cells
        self.waiting: dict[str, None] = {}
        self.spaces, self.pieces = Mask(sizes.spaces), Mask(sizes.pieces)
        self.space, self.border = Int(-1, sizes.spaces - 1), Int(-1, sizes.borders - 1)
        self.bar = Tup((self.spaces, self.spaces, Links()))
        self.searches: dict[str, Search] = {}
        self.spent: dict[str, Type] = {}  # what a search has spent on the way
        self.memories: dict[str, Type] = {}  # what they remember
        self.rememberers: dict[str, set[str]] = defaultdict(set)
        self.heights: int | None = None  # the first cell of the places in stacks
        self.current = ""
        self._constants: dict[str, Type] = {}

    # ---- running -----------------------------------------------------------------------------------------
    def run(self, roots: Sequence[tuple[str, Sequence[Type]]]) -> None:
        for name, arguments in roots:
            self.called(name, arguments)
        while self.waiting:
            name = next(iter(self.waiting))
            del self.waiting[name]
            self.current = name
            try:
                self._function(self.functions[name])
            except Unsupported as why:
                raise Unsupported(f"{name}: {why}") from None

    def _function(self, function: st.Function) -> None:
        signature = self.signatures[function.name]
        for parameter, type_ in zip(seen(function.parameters), signature.parameters, strict=True):
            if type_ is not None:
                self._set(parameter, type_)
        self._body(function.body)

    def _again(self, name: str) -> None:
        self.waiting[name] = None

    def called(self, name: str, arguments: Sequence[Type | None]) -> Type | None:
        """A function is called with these; what it gives, as far as it is known."""
        signature = self.signatures.get(name)
        if signature is None:
            raise Unsupported(f"{name} is called, and nobody knows it")
        if self.current:
            self.callers[name].add(self.current)
        if len(arguments) != len(signature.parameters):
            raise Unsupported(f"{name} is called with {len(arguments)} arguments")
        changed = not signature.grown["()"]
        for index, type_ in enumerate(arguments):
            old = signature.parameters[index]
            new = joined(old, type_)
            if new != old:
                signature.grown[f"#{index}"] += 1
                if signature.grown[f"#{index}"] > GROWS and new is not None:
                    new = widened(old, new)
                signature.parameters[index] = new
                changed = True
        if changed:
            signature.grown["()"] = 1
            self._again(name)
        return signature.gives

    def _put(self, target: st.Target, type_: Type) -> None:
        """Something is put into a variable, or into a place of a frame (frames.py)."""
        assert isinstance(target, v.Local)
        self._set(target.name, type_)

    def _set(self, name: str, type_: Type) -> None:
        signature = self.signatures[self.current]
        old = signature.variables.get(name)
        try:
            new = joined(old, type_)
        except Unsupported as why:
            raise Unsupported(f"{why} ({name})") from None
        if new != old:
            signature.grown[name] += 1
            if signature.grown[name] > GROWS and new is not None:
                new = widened(old, new)
            signature.variables[name] = new
            self._again(self.current)

    def _gives(self, type_: Type) -> None:
        signature = self.signatures[self.current]
        new = joined(signature.gives, type_)
        if new != signature.gives:
            signature.grown["="] += 1
            if signature.grown["="] > GROWS and new is not None:
                new = widened(signature.gives, new)
            signature.gives = new
            for caller in self.callers[self.current]:
                self._again(caller)

    def stored(self, group: Group, type_: Type) -> None:
        new = joined(group.type, type_)
        if new != group.type:
            group.grown += 1
            if group.grown > GROWS and new is not None:
                new = widened(group.type, new)
            group.type = new
            for reader in self.readers[group.number]:
                self._again(reader)

    # ---- statements --------------------------------------------------------------------------------------
    def _body(self, body: st.Body) -> None:
        for one in body:
            self._statement(one)

    def _statement(self, one: st.Statement) -> None:
        one = closed(one)
        match one:
            case st.Let() | st.LetSame():
                type_ = self.type(one.value)
                for target in one.sets:
                    self._put(target, type_) if type_ is not None else None
            case st.LetParts():
                self._parts(one.targets, self.type(one.value))
            case st.Update():
                changed = v.Binary(one.op, one.target, one.value)
                if (type_ := self.type(changed)) is not None:
                    self._put(one.target, type_)
            case st.Store():
                value = v.Binary(one.op, one.cell, one.value) if one.op else one.value
                self._index(one.cell)
                group = self.cells.group(one.cell.base)
                if (type_ := self.type(value)) is not None:
                    self.stored(group, type_)
            case st.Fill():
                group = self.cells.group(one.first)
                table = self.type(one.value)
                if self.cells.group(one.end - 1) is not group or not isinstance(table, Table):
                    raise Unsupported("cells filled across arrays")
                self.stored(group, table.member)
            case st.Put():
                table, put = self.type(one.table), self.type(one.value)
                self.type(one.key)
                if not isinstance(one.table, v.Local) or not isinstance(table, Steps):
                    raise Unsupported("a table that is written to")
                if put is not None:
                    self._set(one.table.name, Steps(put))
            case st.Do():
                self._do(one.call)
            case st.If():
                for arm in one.arms:
                    if arm.test is not None:
                        self.type(arm.test)
                    self._body(arm.body)
            case st.When():
                self.type(one.test)
                self._body(one.body)
            case st.ForEach():
                mask = self.type(one.mask)
                if mask is not None:
                    self._put(one.member, Int(0, max(0, as_mask(mask).bits - 1)))
                self._body(one.body)
            case st.ForIn():
                self._for_in(one)
            case st.While():
                self.type(one.test)
                self._body(one.body)
            case st.Return():
                if one.value is not None and (type_ := self.type(one.value)) is not None:
                    self._gives(type_)
            case st.Decide():
                self.type(one.who)
                count = self.type(one.count)
                if isinstance(count, Int):
                    self._put(one.target, Int(0, max(0, count.high - 1)))
            case st.Charge():
                if one.turns is not None:
                    self.type(one.turns)
            case st.Jump() | st.Refuel() | st.Tick() | st.Aside():
                pass
            case st.Arm() | st.Ask() | st.Fired():  # none of them stands in the body of a whole game
                raise Unsupported(f"the statement {type(one).__name__}")
            case _:
                assert_never(one)

    def _parts(self, targets: Sequence[st.Target], value: Type | None) -> None:
        if value is None:
            return
        if len(targets) == 1:
            self._put(targets[0], value)
            return
        if not isinstance(value, Tup) or len(value.members) != len(targets):
            raise Unsupported(f"{len(targets)} parts of {spoken(value)}")
        for target, member in zip(targets, value.members, strict=True):
            self._put(target, member)

    def _for_in(self, one: st.ForIn) -> None:
        match one.rows:
            case v.Call(name="range", arguments=(count,)):
                turns = self.type(count)
                if isinstance(turns, Int):
                    self._put(one.targets[0], Int(0, max(0, turns.high - 1)))
            case v.Item(table=v.Part(whole=whole, name="order"), index=index):
                self.type(index)
                table = self.type(whole)
                if isinstance(table, LinkTable):
                    exact = self.exact_cost(table)
                    types: list[Type | None] = [
                        Int(0, self.sizes.spaces - 1),
                        self.spaces,
                        Int(0, MOST),
                        exact,
                    ]
                    for target, type_ in zip(one.targets, types, strict=True):
                        if type_ is not None:
                            self._put(target, type_)
            case v.Method(name="shuffled"):
                group = self.shuffled(one.rows)
                if group is not None:
                    self._put(one.targets[0], Int(0, max(0, group.bits - 1)))
            case _:
                rows = self.type(one.rows)
                if isinstance(rows, Rows):
                    self._put(one.targets[0], Int(0, max(0, rows.mask.bits - 1)))
                elif rows is not None:
                    raise Unsupported(f"a loop over {spoken(rows)}")
        self._body(one.body)

    def exact_cost(self, table: LinkTable) -> Type | None:
        """What a step costs, exactly."""
        cost = self.signatures[self.cost_function(table)].gives
        match cost:
            case Int():
                return Int(cost.low, cost.high)
            case Frac():
                return Frac()
            case Nothing():
                return Int(0, 0)
            case None:
                return None
            case _:
                raise Unsupported(f"a cost that is {spoken(cost)}")

    def cost_function(self, table: LinkTable) -> str:
        made = self.definitions[table.name].value
        assert isinstance(made, v.Call)
        function = made.arguments[1]
        assert isinstance(function, v.Name)
        return self.resolved(function.name)

    def shuffled(self, call: v.Method) -> Mask | None:
        _, cell, group = call.arguments
        assert isinstance(cell, v.Number)
        self.stored(self.cells.group(cell.value), Int(0, MOST))
        found = self.type(group)
        return None if found is None else as_mask(found)

    # ---- calls for what they do --------------------------------------------------------------------------
    def _do(self, call: v.Value) -> None:
        match call:
            case v.Method(owner=v.Local(name="m"), name="end", arguments=(_, winners, _, _)):
                self.type(winners)
            case v.Method(owner=v.Local(name="m"), name="pay", arguments=(gains, _, _)):
                self.type(gains)
            case v.Method(owner=v.Local(name="m"), name="put_token" | "show_token" | "draw"):
                self._tokens(call)
            case v.Method(owner=v.Local() as target, name="append", arguments=(value,)):
                type_ = self.type(value)
                match type_:
                    case None:
                        pass
                    case Tup(members=(_, _, Links() | Nothing())):  # what a search must not pass
                        self._set(target.name, List(self.bar))
                    case _:
                        self._set(target.name, List(type_))
            case v.Method(owner=v.Name(name=name), name="remember", arguments=(_, answer)):
                type_ = self.type(answer)
                new = joined(self.memories.get(name), type_)
                if new is not None and new != self.memories.get(name):
                    self.memories[name] = new
                    for reader in self.rememberers[name]:
                        self._again(reader)
            case _:
                self.type(call)

    def _tokens(self, call: v.Method) -> None:
        cells = next(
            a.value for a in call.arguments if isinstance(a, v.Constant) and isinstance(a.value, TokenCells)
        )
        for argument in call.arguments:
            if not isinstance(argument, v.Constant) and not isinstance(argument, v.Name):
                self.type(argument)
        holder, holder_masks, state, state_masks, known = cells
        tokens, players = Mask(self.sizes.tokens), Mask(self.sizes.players)
        self.stored(self.cells.group(holder), Int(-1, self.sizes.players - 1))
        self.stored(self.cells.group(holder_masks), tokens)
        self.stored(self.cells.group(state), Int(-1, 2))
        self.stored(self.cells.group(state_masks), tokens)
        self.stored(self.cells.group(known), players)

    # ---- values ------------------------------------------------------------------------------------------
    def type(self, e: v.Value) -> Type | None:
        """The type of a value; None while nothing is known of what it is made of."""
        found = _TYPES.get(type(e))
        if found is None:
            raise Unsupported(f"the value {type(e).__name__}")
        return found(self, e)

    def _index(self, cell: v.Cell) -> None:
        if cell.index is not None:
            self.type(cell.index)

    def _cell(self, e: v.Cell) -> Type | None:
        self._index(e)
        group = self.cells.group(e.base)
        self.readers[group.number].add(self.current)
        return group.type

    def _local(self, e: v.Local) -> Type | None:
        if is_mixed(e):
            raise Unsupported("a variable of several shapes")
        return self.signatures[self.current].variables.get(e.name)

    def _name(self, e: v.Name) -> Type | None:
        spaces = self.sizes.spaces
        match e.name:
            case "ADJ":
                return Table(self.spaces, spaces + 1)
            case "INC":
                return Table(Mask(self.sizes.borders), spaces + 1)
            case "MOST_OPTIONS":
                return Int(0, MOST)
            case "True":
                return BIT
            case _:
                raise Unsupported(f"the name {e.name}")

    def constant(self, e: v.Constant) -> Type:
        if e.name not in self._constants:
            self._constants[e.name] = of_constant(e.value)
        return self._constants[e.name]

    def _item(self, e: v.Item) -> Type | None:
        match e.table:
            case v.Item(table=v.Name(name="FIRST_ROWS"), index=mask):
                found = self.type(mask)
                self.type(e.index)
                return None if found is None else Int(0, max(0, as_mask(found).bits - 1))
            case v.Name(name=name) if name in self.definitions:
                return self._of_definition(name, e.index)
            case v.Constant(value=value) if hasattr(value, "table"):  # all that is beside a set of spaces
                self.type(e.index)
                inner = of_constant(value.table)
                return inner.member if isinstance(inner, Table) else None
            case _:
                pass
        table = self.type(e.table)
        index = self.type(e.index)
        match table:
            case None:
                return None
            case Table(member=member):
                return member
            case List(member=member):
                return member
            case Steps(value=value):
                return value
            case Tup(members=members) if isinstance(e.index, v.Number):
                return members[e.index.value]
            case Links():
                return self.spaces
            case _:
                raise Unsupported(f"a member of {spoken(table)} ({spoken(index)})")

    def _of_definition(self, name: str, index: v.Value) -> Type | None:
        made = self.definitions[name].value
        if isinstance(made, v.Call) and made.name == "LinkTables" and isinstance(index, v.Tuple):
            facts = [self.type(fact) for fact in index.members]
            found = LinkTable(name)
            cost = self.cost_function(found)
            self.called(cost, [*facts, Int(0, self.sizes.spaces - 1), Int(0, self.sizes.borders - 1),
                               Int(0, self.sizes.spaces - 1)])  # fmt: skip
            return found
        raise Unsupported(f"a member of {name}")

    def _part(self, e: v.Part) -> Type | None:
        table = self.type(e.whole)
        if table is None:
            return None
        match e.name:
            case "all":
                return Links()
            case "mutual" | "usual":
                return BIT
            case "scale":
                return Int(1, 10**9)
            case _:
                raise Unsupported(f"the part {e.name}")

    def _tuple(self, e: v.Tuple) -> Type | None:
        members = [self.type(member) for member in e.members]
        if not members:
            return List(None)
        return None if None in members else Tup(tuple(m for m in members if m is not None))

    def _listing(self, e: v.Listing) -> Type | None:
        if e.spread:
            given = self.type(e.members[0])
            if given is None or isinstance(given, Steps):
                return List(Int(0, self.sizes.spaces - 1))
            raise Unsupported(f"a list of {spoken(given)}")
        member: Type | None = None
        for one in e.members:
            member = joined(member, self.type(one))
        return List(member)

    # -- arithmetic
    def _binary(self, e: v.Binary) -> Type | None:
        left = self.type(e.left)
        if is_drop(e):
            return None if left is None else as_mask(left)
        right = self.type(e.right)
        if left is None or right is None:
            return None
        if e.op in ("&", "|", "^"):
            return met(e.op, left, right)
        if e.op in ("<<", ">>") and isinstance(e.right, v.Number):
            mask, by = as_mask(left), e.right.value
            if e.op == "<<":
                return Mask(mask.bits + by, mask.signed)
            if mask.signed:
                raise Unsupported("a shift of a complement")
            return Mask(max(0, mask.bits - by))
        return arithmetic(e.op, left, right)

    def _choose(self, e: v.Choose) -> Type | None:
        self.type(e.test)
        yes, no = self.type(e.yes), self.type(e.no)
        match e.test:  # `x if x is not None else 0`
            case v.Compare(op="is not", left=left, right=v.Nothing()) if left == e.yes:
                yes = without_none(yes)
            case v.Compare(op="is", left=left, right=v.Nothing()) if left == e.no:
                no = without_none(no)
            case _:
                pass
        return joined(yes, no)

    def _flag(self, e: v.Value) -> Type | None:
        for part in e.parts:
            self.type(part)
        return BIT

    def _meet(self, e: v.Meet | v.Join) -> Type | None:
        types = [self.type(member) for member in e.members]
        found: Type | None = types[0]
        for type_ in types[1:]:
            if found is None or type_ is None:
                return None
            found = met("&" if isinstance(e, v.Meet) else "|", found, type_)
        return found

    def _outside(self, e: v.Outside) -> Type | None:
        found = self.type(e.mask)
        return None if found is None else Mask(as_mask(found).bits, True)

    def _bit(self, e: v.Bit) -> Type | None:
        thing = self.type(e.thing)
        if thing is None:
            return None
        if not isinstance(thing, Int):
            raise Unsupported(f"the bit of {spoken(thing)}")
        known = e.thing.kind.width if e.thing.kind.universe else 0
        bits = min(thing.high + 1, known) if known else thing.high + 1
        if bits > 1 << 16:
            raise Unsupported("the bit of a number without a limit")
        return Mask(max(1, bits))

    def _first(self, e: v.First) -> Type | None:
        found = self.type(e.mask)
        return None if found is None else Int(-1, as_mask(found).bits - 1)

    def _members(self, e: v.Members) -> Type | None:
        found = self.type(e.mask)
        return None if found is None else Rows(as_mask(found))

    def _count(self, e: v.Count) -> Type | None:
        found = self.type(e.mask)
        return None if found is None else Int(0, as_mask(found).bits)

    # -- calls
    def resolved(self, name: str) -> str:
        """What a name of a definition that only renames stands for."""
        while name in self.definitions and isinstance(made := self.definitions[name].value, v.Name):
            name = made.name
        return name

    def _call(self, e: v.Call) -> Type | None:
        name = self.resolved(e.name)
        if is_nth(name):
            mask = self.type(e.arguments[0])
            self.type(e.arguments[1])
            return None if mask is None else Int(0, max(0, as_mask(mask).bits - 1))
        if name in self.functions:
            return self.called(name, [self.type(a) for a in given(e.arguments)])
        types = [self.type(argument) for argument in given(e.arguments)]
        if name in self.tables:
            for type_ in types:
                if isinstance(type_, (Mask, Tup, List)):
                    raise Unsupported(f"a table that is asked for {spoken(type_)}")
            return self.tables[name][1]
        if name in ("restack", "put_in_stack") and self.heights is not None:
            self.stored(self.cells.group(self.heights), Int(0, self.sizes.pieces))
        found = _OPERATIONS.get(name)
        if found is None:
            raise Unsupported(f"the operation {name}")
        return None if None in types else found(self, [t for t in types if t is not None])

    def _call_of(self, e: v.CallOf) -> Type | None:
        if not isinstance(e.function, v.Item) or not isinstance(e.function.table, v.Name):
            raise Unsupported("a function that is worked out")
        self.type(e.function.index)
        made = self.definitions[e.function.table.name].value
        assert isinstance(made, v.Tuple)
        types = [self.type(argument) for argument in given(e.arguments)]
        found: Type | None = None
        for member in dict.fromkeys(made.members):
            assert isinstance(member, v.Name)
            found = joined(found, self.called(self.resolved(member.name), types))
        return found

    def _method(self, e: v.Method) -> Type | None:
        match e:
            case v.Method(owner=v.Constant(value=dict() as masks), name="get", arguments=(key, otherwise)):
                self.type(key)
                found = self.type(otherwise)
                for value in masks.values():
                    found = joined(found, of_number(value))
                return found
            case v.Method(owner=v.Name(name=name), name="get", arguments=(key,)) if name in self.definitions:
                self.type(key)
                self.rememberers[name].add(self.current)
                return self.memories.get(name)
            case v.Method(owner=v.Name(name=name)) if name in self.searches:
                return self._searched(name, e)
            case v.Method(owner=v.Local(name="m"), name="roll", arguments=(_, cell, dice, faces)):
                self._rolled(cell)
                many, of = self.type(dice), self.type(faces)
                if isinstance(many, Int) and isinstance(of, Int):
                    return Int(0, min(MOST, max(0, many.high) * max(0, of.high)))
                return None
            case v.Method(owner=v.Local(name="m"), name="pick", arguments=(_, cell, group)):
                self._rolled(cell)
                found = self.type(group)
                return None if found is None else Int(-1, as_mask(found).bits - 1)
            case v.Method(owner=v.Local(name="m"), name="remember", arguments=(_, position)):
                self.type(position)
                return Int(0, MOST)
            case v.Method(owner=v.Local(name="m"), name="draw", arguments=(who, cell, _)):
                self.type(who)
                self._rolled(cell)
                self._tokens(e)
                return Int(-1, self.sizes.tokens - 1)
            case v.Method(owner=v.Local(name="m"), name="shuffled"):
                raise Unsupported("an order left to chance that is kept")
            case _:
                raise Unsupported(f"the method {e.name}")

    def _rolled(self, cell: v.Value) -> None:
        assert isinstance(cell, v.Number)
        self.stored(self.cells.group(cell.value), Int(0, MOST))

    def _searched(self, name: str, e: v.Method) -> Type | None:
        """A search step by step: its functions are asked about every step."""
        search = self.searches[name]
        traveller, rest = e.arguments[0], e.arguments[1:]
        assert isinstance(traveller, v.Tuple)
        own = [self.type(a) for a in given(traveller.members)]
        types = [self.type(a) for a in rest]
        spent = self.spent.get(name, Int(0, 0))
        if e.name in ("steps", "best") and types[1] is not None:
            spent = _points(spent, types[1])
        limits = self.called(search.limits, own)
        self.called(search.start, own)
        step = [self.space, self.border, self.space, Int(-1, MOST), spent]
        cost = self.called(search.step, [*own, *step])
        self.called(search.stop, [*own, *step])
        self.called(search.end, [*own, *step])
        if search.rung is not None:
            self.called(search.rung, [*own, *step])
        for found in (cost, limits.members[0] if isinstance(limits, Tup) else None):
            if isinstance(found, Frac):
                spent = Frac()
            elif isinstance(found, Int) and isinstance(spent, Int) and found.high > 0:
                spent = WIDE
        if spent != self.spent.get(name):
            self.spent[name] = spent
            self._again(self.current)
            for caller in self.callers[self.current]:
                self._again(caller)
        match e.name:
            case "ends":
                return self.spaces
            case "steps":
                return Steps(spent)
            case "best":
                return Int(0, 999)
            case _:
                raise Unsupported(f"the search {e.name}")


def _points(a: Type, b: Type) -> Type:
    found = joined(without_none(a), without_none(b))
    if isinstance(found, Int):
        return Int(0, 0) if found == Int(0, 0) else WIDE
    if not isinstance(found, Frac):
        raise Unsupported(f"points that are {spoken(found)}")
    return found


def without_none(type_: Type | None) -> Type | None:
    match type_:
        case Int(low=low, high=high):
            return Int(low, high)
        case Frac():
            return Frac()
        case Nothing():
            return None
        case _:
            return type_


def seen(parameters: Sequence[str]) -> list[str]:
    """The parameters that a function in words has."""
    return [name for name in parameters if name not in UNSEEN]


def given(arguments: Sequence[v.Value]) -> list[v.Value]:
    """The arguments for them."""
    return [
        a for a in arguments
        if not isinstance(a, v.State) and not (isinstance(a, v.Local) and a.name in UNSEEN)
    ]  # fmt: skip


def is_nth(function: str) -> bool:
    """Whether a function finds the member of a mask at a place: an operation of the machine."""
    return taken_apart(function)[0] == NTH


def oracle(name: str) -> str:
    """The table of what only Python knows, beside those of the game, whose names are numbered."""
    return f"@{name}"


def is_drop(e: v.Binary) -> bool:
    """`a & (a - 1)`: a mask without its lowest member."""
    match e:
        case v.Binary(op="&", left=left, right=v.Binary(op="-", left=same, right=v.Number(value=1))):
            return left == same
        case _:
            return False


def of_constant(value: object) -> Type:
    """The type of a value that is known before the game."""
    match value:
        case bool() | int():
            return of_number(int(value))
        case Fraction():
            return Frac()
        case str():
            return Text()
        case None:
            return Nothing()
        case tuple():
            member: Type | None = None
            for one in value:
                member = joined(member, of_constant(one))
            if member is None:
                raise Unsupported("an empty table")
            return Table(member, len(value))
        case _:
            raise Unsupported(f"a constant that is a {type(value).__name__}")


def met(op: str, left: Type, right: Type) -> Type:
    """Of `&`, `|` and `^`: of numbers numbers, of masks masks."""
    if isinstance(left, Int) and isinstance(right, Int):
        if left.low >= 0 and right.low >= 0:
            most = (
                min(left.high, right.high)
                if op == "&"
                else (1 << max(left.high, right.high).bit_length()) - 1
            )
            return Int(0, most)
        if op == "&" and (left.low >= 0 or right.low >= 0):
            return Int(0, left.high if left.low >= 0 else right.high)
        return WIDE
    one, other = as_mask(left), as_mask(right)
    if op == "&":
        if not one.signed and not other.signed:
            return Mask(min(one.bits, other.bits))
        if one.signed != other.signed:
            return other if one.signed else one
        return Mask(max(one.bits, other.bits), True)
    return Mask(max(one.bits, other.bits), one.signed or other.signed)


def arithmetic(op: str, left: Type, right: Type) -> Type:
    """Of sums, products, quotients."""
    left, right = _number(left), _number(right)
    if isinstance(left, Frac) or isinstance(right, Frac):
        return WIDE if op == "//" else Frac()
    a, b = left, right
    match op:
        case "+":
            found = (a.low + b.low, a.high + b.high)
        case "-":
            found = (a.low - b.high, a.high - b.low)
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            found = (min(ends), max(ends))
        case "//" if b.low > 0:
            ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            found = (min(ends), max(ends))
        case "%" if b.low > 0:
            found = (0, b.high - 1)
        case "//" | "%":
            found = (-MOST, MOST)
        case _:
            raise Unsupported(f"the operator {op}")
    return Int(max(found[0], -MOST), min(found[1], MOST))


def overflows(op: str, left: Type, right: Type) -> bool:
    """Whether a result may be too large for a word."""
    if not isinstance(left, Int) or not isinstance(right, Int):
        return False
    a, b = left, right
    match op:
        case "+":
            ends = [a.low + b.low, a.high + b.high]
        case "-":
            ends = [a.low - b.high, a.high - b.low]
        case _:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(ends) < -MOST or max(ends) > MOST


def _number(type_: Type) -> Int | Frac:
    if isinstance(type_, (Int, Frac)):
        return type_
    if isinstance(type_, Mask) and not type_.signed and type_.bits <= 62:
        return Int(0, (1 << type_.bits) - 1)
    raise Unsupported(f"arithmetic with {spoken(type_)}")


def _wide(types: Sequence[Type]) -> Type:
    return Frac() if any(isinstance(t, Frac) for t in types) else WIDE


def _rounded(self: Inference, types: Sequence[Type]) -> Type:
    return types[0] if isinstance(types[0], Int) else WIDE


def _kept(self: Inference, types: Sequence[Type]) -> Type:
    found = _number(types[0])
    return Int(max(found.low, -LARGEST), min(found.high, LARGEST)) if isinstance(found, Int) else Frac()


def _least(self: Inference, types: Sequence[Type]) -> Type:
    if all(isinstance(t, Int) for t in types):
        return Int(min(t.low for t in types), min(t.high for t in types))  # type: ignore[union-attr]
    return _wide(types)


def _most(self: Inference, types: Sequence[Type]) -> Type:
    if all(isinstance(t, Int) for t in types):
        return Int(max(t.low for t in types), max(t.high for t in types))  # type: ignore[union-attr]
    return _wide(types)


def _clamped(self: Inference, types: Sequence[Type]) -> Type:
    value, low, high = types
    return _least(self, [_most(self, [value, low]), high])


def _absolute(self: Inference, types: Sequence[Type]) -> Type:
    (found,) = types
    return Int(0, max(abs(found.low), abs(found.high))) if isinstance(found, Int) else Frac()


def _remainder(self: Inference, types: Sequence[Type]) -> Type:
    value, by = types
    if isinstance(value, Int) and isinstance(by, Int) and by.low >= 0:
        return Int(0, max(0, by.high - 1))
    return _wide(types)


def _constantly(type_: Callable[[Inference], Type]) -> Callable[[Inference, Sequence[Type]], Type]:
    return lambda self, types: type_(self)


_spaces = _constantly(lambda self: self.spaces)
_pieces = _constantly(lambda self: self.pieces)
_OPERATIONS: dict[str, Callable[[Inference, Sequence[Type]], Type]] = {
    "plus": lambda self, t: arithmetic("+", *t), "minus": lambda self, t: arithmetic("-", *t),
    "times": lambda self, t: arithmetic("*", *t), "divide": _constantly(lambda self: Frac()),
    "kept": _kept, "argument": lambda self, t: t[0], "within": lambda self, t: t[0],
    "too_large": _constantly(lambda self: BIT),
    "round_down": _rounded, "round_up": _rounded, "round_nearest": _rounded, "floor": _rounded,
    "ceiling": _rounded, "min": _least, "max": _most, "abs": _absolute, "clamp": _clamped,
    "remainder": _remainder, "odds": _constantly(lambda self: Frac()),
    "len": _constantly(lambda self: Int(0, MOST)),
    "numbers_between": _constantly(lambda self: Mask(MOST_TO_CHOOSE + 1)),
    "next_round": lambda self, t: Int(-1, as_mask(t[0]).bits - 1),
    "neighbours_of": _spaces, "borders_of": _constantly(lambda self: Mask(self.sizes.borders)),
    "nearest": _spaces, "distance": _constantly(lambda self: Int(-1, 32767)),
    "squared_distance": _constantly(lambda self: Int(-1, MOST)),
    "other_end": _constantly(lambda self: self.space), "ends_of": _spaces,
    "border_between": _constantly(lambda self: self.border), "line": _spaces,
    "sides_along": _constantly(lambda self: Mask(self.sizes.borders)),
    "direction_from": _constantly(lambda self: Int(-1, self.sizes.directions - 1)),
    "turns": _constantly(lambda self: Int(0, self.sizes.directions)),
    "ray": _spaces, "ray_to": _spaces, "rays": _spaces, "rays_to": _spaces, "firsts_along": _spaces,
    "first_along": _constantly(lambda self: self.space),
    "occupied": _spaces, "standing_in": _pieces, "standing_among": _pieces,
    "position": _constantly(lambda self: WIDE),
    "restack": _constantly(lambda self: BIT), "put_in_stack": _constantly(lambda self: BIT),
    "spread": _spaces, "flood": _spaces, "first_steps": _spaces, "origins_of": _spaces,
    "too_many_options": _constantly(lambda self: BIT),
}  # fmt: skip

_TYPES: dict[type[v.Value], Callable[[Inference, Any], Type | None]] = {
    v.Number: lambda self, e: of_number(e.value), v.Constant: Inference.constant,
    v.Word: lambda self, e: Text(), v.Nothing: lambda self, e: Nothing(),
    v.Local: Inference._local, v.Name: Inference._name, v.Cell: Inference._cell, v.Item: Inference._item,
    v.Part: Inference._part, v.Tuple: Inference._tuple, v.Listing: Inference._listing,
    v.Dictionary: lambda self, e: Steps(None), v.Call: Inference._call, v.CallOf: Inference._call_of,
    v.Method: Inference._method, v.Binary: Inference._binary,
    v.Negative: lambda self, e: (
        None if (found := self.type(e.value)) is None else arithmetic("-", Int(0, 0), found)
    ),
    v.Compare: Inference._flag, v.Not: Inference._flag, v.Logic: Inference._flag,
    v.Choose: Inference._choose, v.Meet: Inference._meet, v.Join: Inference._meet,
    v.Outside: Inference._outside, v.Bit: Inference._bit, v.Count: Inference._count, v.First: Inference._first,
    v.Members: Inference._members,
}  # fmt: skip
