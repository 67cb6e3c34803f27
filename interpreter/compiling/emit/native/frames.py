"""Blocks and frames in C: a frame is a structure, a block a function that gives the number of the next one, and
a decision leaves its options in the machine and returns (emit/blocks writes them, running/machine.py runs them).

What stands in a frame is told by everything that is ever put there: the types of its places flow through all
blocks of a procedure, as those of cells through the game.

One file, since writing a frame and typing its places are two readings of the same list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interpreter.compiling.emit.native.cells import Cells
from interpreter.compiling.emit.native.inference import GROWS, Inference, World_
from interpreter.compiling.emit.native.statements import Lines, Writer
from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    List,
    Mask,
    Nothing,
    Tup,
    Type,
    Unsupported,
    as_mask,
    c_type,
    joined,
    spoken,
    struct_name,
    widened,
)
from interpreter.compiling.emit.native.values import Values
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.rewrite import deep, with_values

NUMBER_OF_NEXT, SERIAL = 0, 1  # the first two words of every frame; the places follow
HEAD = 2
_NEW = Int(0, 0)  # what stands in a place before anything is put there


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Where the places of a procedure's frame are: for each its first word and what it holds (None: nothing
    ever stands there)."""

    name: str  # of the procedure
    places: tuple[tuple[int, Type | None], ...]
    words: int


def plain(function: st.Function) -> st.Function:
    """A block in the words that the other functions use."""
    return st.Function(function.name, ("m", "s"), with_values(function.body, deep(_plain)))


def _plain(e: v.Value) -> v.Value:
    match e:
        case v.Binary(op="&", left=left, right=v.Negative(value=same)) if left == same:
            return v.Bit(v.First(left))
        case v.Binary(op="-", left=v.Method(owner=bit, name="bit_length"), right=v.Number(value=1)):
            return v.First(bit)  # of a mask with one member
        case v.Call(name="MaskOptions", arguments=(mask,)):
            return mask
        case _:
            return e


def is_chosen(e: v.Value) -> bool:
    """`m.chosen`."""
    return isinstance(e, v.Part) and e.name == "chosen" and e.whole == v.MACHINE


class FrameInference(Inference):
    """Types of functions, blocks and frames."""

    def __init__(
        self, functions: dict[str, st.Function], definitions: dict[str, st.Definition], cells: Cells,
        sizes: World_, tables: dict[str, tuple[int, Type]], procedure_of: Mapping[int, str],
        entries: Mapping[str, int],
    ) -> None:  # fmt: skip
        super().__init__(functions, definitions, cells, sizes, tables)
        self.procedure_of = {block(n): name for n, name in procedure_of.items()}
        self.entered = {number: name for name, number in entries.items()}
        self.frames: dict[str, dict[int, Type]] = defaultdict(dict)
        self.chosen: dict[str, Type] = {}  # of a block that goes on after a decision
        self.sites: dict[int, Type] = {}  # what the options of a decision are
        self._grown: dict[tuple[str, int], int] = defaultdict(int)
        self._readers: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._resuming = ""

    # ---- places ------------------------------------------------------------------------------------------
    def _put(self, target: st.Target, type_: Type) -> None:
        if isinstance(target, v.Slot):
            self.placed(self.procedure_of[self.current], target.index, type_)
        else:
            super()._put(target, type_)

    def placed(self, procedure: str, place: int, type_: Type) -> None:
        """Something is put into a place of a frame."""
        if place == 0:
            return
        old = self.frames[procedure].get(place)
        new = joined(old, _or_new(type_))
        if new is None or new == old:
            return
        self._grown[procedure, place] += 1
        if self._grown[procedure, place] > GROWS:
            new = widened(old, new)
        self.frames[procedure][place] = new
        for reader in self._readers[procedure, place]:
            self._again(reader)

    def _slot(self, e: v.Slot) -> Type | None:
        procedure = self.procedure_of[self.current]
        self._readers[procedure, e.index].add(self.current)
        return self.frames[procedure].get(e.index)

    # ---- what only blocks do -----------------------------------------------------------------------------
    def type(self, e: v.Value) -> Type | None:
        if isinstance(e, v.Slot):
            return self._slot(e)
        if is_chosen(e):
            return self.chosen.get(self.current)
        match e:
            case v.Compare(op="is", left=left, right=v.Nothing()) if is_chosen(left):
                return Int(0, 1)
            case _:
                return super().type(e)

    def _statement(self, one: st.Statement) -> None:
        match one:
            case st.Let(target=v.Slot(index=0), value=v.Number(value=number)):
                self._resuming = block(number)
                self._goes_to(number)
            case st.Ask():
                self._asked(one)
            case st.Return(value=value) if value is not None and self.current in self.procedure_of:
                self.type(value)
                for number in numbers_given(value):
                    self._goes_to(number)
                self._gives(Int(-4, len(self.functions)))
            case _:
                super()._statement(one)

    def _goes_to(self, number: int) -> None:
        if number >= 0:
            self.called(block(number), ())

    def _asked(self, one: st.Ask) -> None:
        self.type(one.who)
        self.type(one.out)
        options = self.type(one.options)
        match options:
            case None:
                return
            case List(member=None):
                return
            case List(member=member):
                assert member is not None
                found: Type = member
            case _:
                found = Int(0, max(0, as_mask(options).bits - 1))
        members = found.members if isinstance(found, Tup) else (found,)
        if not all(isinstance(member, Int) and not member.none for member in members):
            raise Unsupported(f"options that are {spoken(found)}")
        self.sites[one.site] = _sure(joined(self.sites.get(one.site), found))
        old = self.chosen.get(self._resuming)
        new = _sure(joined(old, _or_new(found)))
        if new != old:
            self.chosen[self._resuming] = new
            self._again(self._resuming)

    def _do(self, call: v.Value) -> None:
        begun = begun_frame(call)
        if begun is None:
            super()._do(call)
            return
        entry, arguments = begun
        self._goes_to(entry)
        for place, argument in enumerate(arguments, 1):
            if (type_ := self.type(argument)) is not None:
                self.placed(self.entered[entry], place, type_)

    # ---- what comes of it --------------------------------------------------------------------------------
    def layouts(self, sizes: Mapping[str, int]) -> dict[str, FrameLayout]:
        """The frames of all procedures that are ever begun."""
        found: dict[str, FrameLayout] = {}
        for number, name in self.entered.items():
            if block(number) not in self.signatures or not self.signatures[block(number)].grown["()"]:
                continue
            at, places = HEAD, list[tuple[int, Type | None]]()
            for place in range(1, sizes[name]):
                type_ = self.frames[name].get(place)
                if type_ is not None:
                    at += at % 2 if alignment(type_) == 2 else 0
                places.append((at, type_))
                at += 0 if type_ is None else words_in_frame(type_)
            found[name] = FrameLayout(name, tuple(places), at + at % 2)
        return found


def block(number: int) -> str:
    return f"b{number}"


def _sure(type_: Type | None) -> Type:
    assert type_ is not None
    return type_


def _or_new(type_: Type) -> Type:
    """What a place holds from the beginning, or has been given."""
    match type_:
        case Tup(members=members):
            return Tup(tuple(map(_or_new, members)))
        case Int() | Mask() | Frac() | Nothing():
            return _sure(joined(_NEW, type_))
        case _:
            raise Unsupported(f"a frame that holds {spoken(type_)}")


def numbers_given(value: v.Value) -> list[int]:
    """The numbers of blocks a block may go on with."""
    match value:
        case v.Number(value=number):
            return [number]
        case v.Choose(yes=yes, no=no):
            return [*numbers_given(yes), *numbers_given(no)]
        case v.Item(table=v.Constant(value=tuple() as numbers)):
            return [n for n in numbers if isinstance(n, int)]
        case _:
            raise Unsupported("a block that is worked out")


def begun_frame(call: v.Value) -> tuple[int, tuple[v.Value, ...]] | None:
    """The entry of a procedure that is begun here, and its arguments."""
    match call:
        case v.Method(owner=v.Part(name="stack"), name="append", arguments=(frame,)):
            pass
        case v.Method(owner=v.Local(name="m"), name="fire", arguments=(frame,)):
            pass
        case _:
            return None
    match frame:
        case v.Binary(op="+", left=v.Listing(members=(v.Number(value=entry), *arguments))):
            return entry, tuple(arguments)
        case _:
            raise Unsupported("a frame that is worked out")


# ---- in words --------------------------------------------------------------------------------------------
def alignment(type_: Type) -> int:
    """In words."""
    match type_:
        case Mask():
            return 2 if type_.words == 2 else 1
        case Tup(members=members):
            return max(map(alignment, members))
        case _:
            return 1


def parts_in_frame(type_: Type) -> tuple[tuple[int, Type], ...]:
    """Plain values and their first words."""
    if not isinstance(type_, Tup):
        return ((0, type_),)
    at, found = 0, list[tuple[int, Type]]()
    for member in type_.members:
        at += at % 2 if alignment(member) == 2 else 0
        found += [(at + more, part) for more, part in parts_in_frame(member)]
        at += words_in_frame(member)
    return tuple(found)


def words_in_frame(type_: Type) -> int:
    match type_:
        case Mask():
            return type_.words
        case Frac():
            return 2
        case Tup(members=members):
            at = 0
            for member in members:
                at += at % 2 if alignment(member) == 2 else 0
                at += words_in_frame(member)
            return at + (at % 2 if alignment(type_) == 2 else 0)
        case _:
            return 1


# ---- written ---------------------------------------------------------------------------------------------
class FrameValues(Values):
    """Values of blocks."""

    def text(self, e: v.Value) -> str:
        if isinstance(e, v.Slot):
            self.type(e)
            return f"f->v{e.index}"
        if is_chosen(e):
            found = self.type(e)
            if isinstance(found, Tup):
                self.tables.struct(found)
                parts = ", ".join(f"m->chosen[{k}]" for k in range(len(found.members)))
                return f"({struct_name(found)}){{{parts}}}"
            return "m->chosen[0]"
        match e:
            case v.Compare(op="is", left=left, right=v.Nothing()) if is_chosen(left):
                return "m->declined"
            case _:
                return super().text(e)


class FrameWriter(Writer):
    """Functions and blocks."""

    def __init__(self, values: FrameValues, types: FrameInference, layouts: dict[str, FrameLayout]) -> None:
        super().__init__(values, frozenset())
        self.frames, self.layouts = types, layouts
        self.number = {name: n for n, name in enumerate(layouts)}

    def structures(self) -> list[str]:
        """The frames, and that they are laid out as Python thinks."""
        out: list[str] = []
        for name, layout in self.layouts.items():
            fields = [
                f"{c_type(type_)} v{place};"
                for place, (_, type_) in enumerate(layout.places, 1)
                if type_ is not None
            ]
            struct = f"frame_{self.number[name]}"
            out.append(f"typedef struct {{ int64_t next, serial; {' '.join(fields)} }} {struct};")
            out.append(f'_Static_assert((sizeof({struct}) + 15) / 16 * 2 == {layout.words}, "frame");')
            out += [
                f"_Static_assert(offsetof({struct}, v{place}) == {8 * at}, \"frame\");"
                for place, (at, type_) in enumerate(layout.places, 1)
                if type_ is not None
            ]  # fmt: skip
        return out

    def preamble(self, function: st.Function) -> Lines:
        procedure = self.frames.procedure_of.get(function.name)
        if procedure is None:
            return []
        struct = f"frame_{self.number[procedure]}"
        return [f"    {struct} *const f = (void *)m->frame; (void)f;"]

    def declare_frames(self) -> None:
        for layout in self.layouts.values():
            for _, type_ in layout.places:
                self._declare(type_)

    def _target(self, target: st.Target) -> str:
        return f"f->v{target.index}" if isinstance(target, v.Slot) else super()._target(target)

    def _type_of(self, target: st.Target) -> Type | None:
        if isinstance(target, v.Slot):
            return self.frames.frames[self.frames.procedure_of[self.values.types.current]].get(target.index)
        return super()._type_of(target)

    def _statement(self, one: st.Statement, indent: str, out: Lines) -> None:
        match one:
            case st.Let(target=v.Slot(index=0), value=v.Number(value=number)):
                out.append(f"{indent}f->next = {number};")
            case st.Ask():
                self._ask(one, indent, out)
            case _:
                super()._statement(one, indent, out)

    def _ask(self, one: st.Ask, indent: str, out: Lines) -> None:
        w = self.values
        options = w.type(one.options)
        head = f"m, {one.site}, {w.number(one.who)}, {w.truth(one.out)}"
        match options:
            case List(member=None):
                raise Unsupported("options nobody knows")
            case List(member=member):
                assert member is not None
                self._declare(options)
                text = w.text(one.options)
                width = len(member.members) if isinstance(member, Tup) else 1
                parts = [f".a{k}" for k in range(width)] if isinstance(member, Tup) else [""]
                put = " ".join(f"*o++ = {text}.p[k]{part};" for part in parts)
                out.append(f"{indent}{{ int64_t *o = asking({head}, {text}.n, {width}, {width} * {text}.n);")
                out.append(f"{indent}for (int64_t k = 0; k < {text}.n; k++) {{ {put} }} }}")
            case _:
                own = as_mask(options)
                w.words.add(own.words)
                out.append(f"{indent}{{ const m{own.words} all = {w.sure_mask(one.options, own)};")
                out.append(
                    f"{indent}memcpy(asking({head}, m{own.words}_count(all), 0, {own.words}), &all, sizeof all); }}"
                )

    def _do(self, call: v.Value, indent: str, out: Lines) -> None:
        begun = begun_frame(call)
        if begun is None:
            super()._do(call, indent, out)
            return
        entry, arguments = begun
        name = self.frames.entered[entry]
        struct, layout = f"frame_{self.number[name]}", self.layouts[name]
        if isinstance(call, v.Method) and call.name == "fire":
            out.append(f"{indent}if (UNLIKELY(--m->firings < 0)) stop(m, FUEL);")
        out.append(f"{indent}{{ {struct} *const g = pushed(m, {layout.words}, {entry});")
        for place, (_, type_) in enumerate(layout.places, 1):
            if type_ is None:
                continue
            if place <= len(arguments):
                out.append(f"{indent}g->v{place} = {self.values.as_type(arguments[place - 1], type_)};")
            else:
                out += [f"{indent}{line}" for line in _denominators(f"g->v{place}", type_)]
        out.append(f"{indent}}}")


def _denominators(where: str, type_: Type) -> Lines:
    """Everything is 0 in a new frame; a fraction that is 0 is 0/1."""
    match type_:
        case Frac():
            return [f"{where}.d = 1;"]
        case Tup(members=members):
            return [
                line for k, member in enumerate(members) for line in _denominators(f"{where}.a{k}", member)
            ]
        case _:
            return []


def results(types: Inference, names: Sequence[str]) -> list[Type]:
    """What functions give that Python asks for: numbers."""
    found = list[Type]()
    for name in names:
        gives = types.signatures[name].gives
        if not isinstance(gives, (Int, Frac)) or gives.none:
            raise Unsupported(f"a value that is {spoken(gives)}")
        found.append(gives)
    return found
