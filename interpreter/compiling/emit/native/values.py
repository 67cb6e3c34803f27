"""Values as C: every one in the words that its type says, or in as many words as whoever uses it needs.

Long because it is one class: a case for each value, and the ways from one type to another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.compiling.emit.native.fused import NARROW, bit_in, fused, fused_truth, is_tree
from interpreter.compiling.emit.native.inference import (
    Inference,
    arithmetic,
    given,
    is_drop,
    is_nth,
    of_constant,
    overflows,
)
from interpreter.compiling.emit.native.operations import OPERATIONS, method
from interpreter.compiling.emit.native.tables import Tables
from interpreter.compiling.emit.native.types import (
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
    c_type,
    spoken,
    struct_name,
    table_type,
)
from interpreter.compiling.ir import values as v

WORD_MASK = (1 << 64) - 1


class Values:
    """Writes the values of one function."""

    def __init__(self, types: Inference, tables: Tables) -> None:
        self.types, self.tables = types, tables
        self._known: dict[int, tuple[v.Value, Type | None]] = {}
        self.words: set[int] = set()  # widths of masks that are used
        self._marks = 0
        self.remembered: set[str] = set()  # variables that hold what may not be remembered
        self.resizes: set[tuple[int, int]] = set()

    def mark(self) -> str:
        """A number that no other name of the function has."""
        self._marks += 1
        return str(self._marks)

    def begin(self, function: str) -> None:
        self.types.current = function
        self._known.clear()

    def type(self, e: v.Value) -> Type:
        found = self._known.get(id(e))
        if found is None:
            found = self._known[id(e)] = (e, self.types.type(e))
        if found[1] is None:
            raise Unsupported("a value that is never known")
        return found[1]

    # ---- conversions -------------------------------------------------------------------------------------
    def as_type(self, e: v.Value, wanted: Type | None) -> str:
        """A value in the words of another type."""
        match wanted:
            case Mask():
                return self.mask(e, wanted.words)
            case Int():
                return self.number(e)
            case Frac():
                return self.fraction(e)
            case Rows(mask=mask):
                if isinstance(e, v.Members):
                    own = as_mask(self.type(e.mask))
                    return self.resized(self.sure_mask(e.mask, own), Mask(own.bits + own.signed), mask.words)
                return self.mask(e, mask.words)
            case Tup(members=members):
                return self._as_tuple(e, wanted, members)
            case Links():
                return "NULL" if isinstance(self.type(e), Nothing) else self.text(e)
            case _:
                return self.text(e)

    def _as_tuple(self, e: v.Value, wanted: Type, members: Sequence[Type]) -> str:
        if isinstance(e, v.Tuple):
            parts = [self.as_type(part, type_) for part, type_ in zip(e.members, members, strict=True)]
            return f"({struct_name(wanted)}){{{', '.join(parts)}}}"
        if isinstance(e, v.Choose):
            return f"({self.truth(e.test)} ? {self.as_type(e.yes, wanted)} : {self.as_type(e.no, wanted)})"
        own = self.type(e)
        if not isinstance(own, Tup) or struct_name(own) != struct_name(wanted):
            raise Unsupported("a tuple in other words")
        return self.text(e)

    def number(self, e: v.Value) -> str:
        found = self.type(e)
        match found:
            case Int():
                return self.text(e)
            case Nothing():
                return "NONE"
            case Mask(signed=False) if found.bits <= 62:
                return f"(int64_t){self.mask(e, 1)}"
            case _:
                raise Unsupported(f"a number that is {spoken(found)}")

    def fraction(self, e: v.Value) -> str:
        found = self.type(e)
        match found:
            case Frac():
                return self.text(e)
            case Nothing():
                return "(frac){0, 0}"
            case Int(none=True):
                return f"f_opt({self.text(e)})"
            case Int():
                return f"f_of({self.text(e)})"
            case _:
                raise Unsupported(f"a fraction that is {spoken(found)}")

    def literal(self, value: int, words: int) -> str:
        """A mask that is known."""
        self.words.add(words)
        parts = [(value >> 64 * k) & WORD_MASK for k in range(words)]
        if words == 1:
            return f"0x{parts[0]:x}ULL"
        if words == 2:
            return f"((m2)0x{parts[1]:x}ULL << 64 | 0x{parts[0]:x}ULL)"
        if value == 0:
            return f"(m{words}){{{{0}}}}"
        if words > 4:
            return f"(*(const m{words} *){self.tables.mask(value, words)})"
        return f"(m{words}){{{{{', '.join(f'0x{part:x}ULL' for part in parts)}}}}}"

    def mask(self, e: v.Value, words: int) -> str:
        """A mask in so many words: what is beyond them is left out, what is missing has the sign."""
        self.words.add(words)
        if words > NARROW and is_tree(e):
            return fused(self, e, words)
        match e:
            case v.Number(value=value):
                return self.literal(value, words)
            case v.Constant(value=int() as value):
                return self.literal(value, words)
            case v.Meet() | v.Join():
                op = "and" if isinstance(e, v.Meet) else "or"
                text = self.mask(e.members[0], words)
                for member in e.members[1:]:
                    text = f"m{words}_{op}({text}, {self.mask(member, words)})"
                return text
            case v.Binary(op="&" | "|" | "^") if not is_drop(e):
                op = {"&": "and", "|": "or", "^": "xor"}[e.op]
                return f"m{words}_{op}({self.mask(e.left, words)}, {self.mask(e.right, words)})"
            case v.Binary(op="<<", right=v.Number(value=by)):
                return f"m{words}_shl({self.mask(e.left, words)}, {by})"
            case v.Outside():
                return f"m{words}_not({self.mask(e.mask, words)})"
            case v.Choose():
                return f"({self.truth(e.test)} ? {self.mask(e.yes, words)} : {self.mask(e.no, words)})"
            case v.Item(table=v.Constant(value=tuple() as bits)) if self.tables.is_bits(bits):
                return self._bit_of(e.index, words, len(bits) - 1)
            case v.Bit():
                return self._bit_of(e.thing, words, as_mask(self.type(e)).bits)
            case _:
                pass
        found = self.type(e)
        text = self.text(e)
        if isinstance(found, Int) and not found.none:
            return f"m{words}_of({text})"
        own = found.mask if isinstance(found, Rows) else found
        if not isinstance(own, Mask):
            raise Unsupported(f"a mask that is {spoken(found)}")
        return self.resized(text, own, words)

    def _bit_of(self, thing: v.Value, words: int, bits: int) -> str:
        """The mask of one thing; none has no bit."""
        found = self.type(thing)
        index = self.number(thing)
        if not isinstance(found, Int) or found.high >= bits or found.low < -1:
            index = f"ix(m, {index}, -1, {bits})"
        return f"m{words}_bit({index})"

    def resized(self, text: str, own: Mask, words: int) -> str:
        self.words |= {own.words, words}
        if own.words == words:
            return text
        self.resizes.add((own.words, words))
        return f"m{words}_from{own.words}({text}, {int(own.signed)})"

    def truth(self, e: v.Value) -> str:
        """Whether a value is something: 1 or 0."""
        if isinstance(e, (v.Compare, v.Not, v.Logic)):
            return self.text(e)
        if isinstance(e, v.Number):
            return "1" if e.value else "0"
        found = self.type(e)
        if isinstance(found, Mask):
            if asked := bit_in(self, e):
                return asked
            if found.words > NARROW and is_tree(e):
                self.words.add(found.words)
                return fused_truth(self, e, found.words)
        match found:
            case Int(none=True):
                return f"i_true({self.text(e)})"
            case Int() | Text():
                return f"({self.text(e)} != 0)"
            case Mask():
                return f"m{found.words}_nz({self.mask(e, found.words)})"
            case Rows(mask=mask):
                return f"m{mask.words}_nz({self.text(e)})"
            case Frac():
                return f"({self.text(e)}.n != 0)"
            case List() | Steps():
                return f"({self.text(e)}.n != 0)"
            case Nothing():
                return "0"
            case _:
                raise Unsupported(f"the truth of {spoken(found)}")

    # ---- values ------------------------------------------------------------------------------------------
    def text(self, e: v.Value) -> str:
        """A value in the words of its own type."""
        found = _TEXTS.get(type(e))
        if found is None:
            raise Unsupported(f"the value {type(e).__name__}")
        return found(self, e)

    def _number(self, e: v.Number) -> str:
        found = self.type(e)
        if isinstance(found, Int):
            return str(e.value) if abs(e.value) < 1 << 31 else f"({e.value}LL)"
        assert isinstance(found, Mask)
        return self.literal(e.value, found.words)

    def _constant(self, e: v.Constant) -> str:
        found = self.type(e)
        match found:
            case Int():
                return f"({e.value}LL)"
            case Mask():
                return self.literal(e.value, found.words)  # type: ignore[arg-type]
            case Frac():
                return f"(frac){{{e.value.numerator}LL, {e.value.denominator}LL}}"  # type: ignore[attr-defined]
            case Table():
                return self.tables.table(e.name, e.value, found)
            case Text():
                return str(self.tables.word(str(e.value)))
            case _:
                raise Unsupported(f"a constant that is {spoken(found)}")

    def _local(self, e: v.Local) -> str:
        self.type(e)
        return f"l_{e.name}"

    def _name(self, e: v.Name) -> str:
        match e.name:
            case "MOST_OPTIONS":
                return "m->most_options"
            case "True":
                return "1"
            case name:
                return name

    def cell(self, e: v.Cell) -> str:
        group = self.types.cells.group(e.base)
        off = e.base - group.first
        if e.index is None:
            return f"m->s.{group.name}[{off}]"
        if isinstance(e.index, v.Number) and 0 <= off + e.index.value < group.size:
            return f"m->s.{group.name}[{off + e.index.value}]"
        found, text = self.type(e.index), self.number(e.index)
        if not isinstance(found, Int) or found.low + off < 0 or found.high + off >= group.size:
            text = f"ix(m, {text}, {-off}, {group.size - off})"
        return f"m->s.{group.name}[{off} + {text}]"

    def _item(self, e: v.Item) -> str:
        match e.table:
            case v.Item(table=v.Name(name="FIRST_ROWS"), index=mask):
                return self._nth(mask, e.index)
            case v.Name(name=name) if name in self.types.definitions:
                return self.link_table(name, e.index)
            case v.Constant(value=value) if hasattr(value, "table"):
                member = self.type(e)
                assert isinstance(member, Mask)
                return self.united(
                    self.tables.table(e.table.name, value.table, self._of(value.table)),
                    value.table,
                    e.index,
                    member,
                )
            case v.Constant(value=tuple() as value) if self.tables.is_bits(value):
                member = self.type(e)
                if isinstance(member, Mask):
                    return self._bit_of(e.index, member.words, len(value) - 1)
            case _:
                pass
        table = self.type(e.table)
        match table:
            case Table(member=Table(count=inner), count=count):
                return f"({self.text(e.table)} + {self._index(e.index, count)} * {inner + 1})"
            case Table(member=member, count=count):
                text = f"{self.text(e.table)}[{self._index(e.index, count)}]"
                return f"(int64_t){text}" if table_type(member) not in (c_type(member),) else text
            case List():
                list_ = self.text(e.table)
                return f"{list_}.p[ix(m, {self.number(e.index)}, 0, {list_}.n)]"
            case Steps():
                self.tables.struct(table)
                return f"{struct_name(table)}_get(m, {self.text(e.table)}, {self.number(e.index)})"
            case Tup():
                assert isinstance(e.index, v.Number)
                return f"{self.text(e.table)}.a{e.index.value % len(table.members)}"
            case Links():
                index = self._index(e.index, self.types.sizes.spaces, low=0)
                return f"{self.text(e.table)}[{index}]"
            case _:
                raise Unsupported(f"a member of {spoken(table)}")

    def _of(self, value: object) -> Table:
        found = of_constant(value)
        assert isinstance(found, Table)
        return found

    def _index(self, e: v.Value, count: int, low: int = -1) -> str:
        """An index of a table, whose member at -1 is the last."""
        found, text = self.type(e), self.number(e)
        if not isinstance(found, Int) or found.low < low or found.high >= count:
            return f"ix(m, {text}, {low}, {count})"
        return text

    def _nth(self, mask: v.Value, index: v.Value) -> str:
        words = as_mask(self.type(mask)).words
        return f"m{words}_nth(m, {self.mask(mask, words)}, {self.number(index)})"

    def _part(self, e: v.Part) -> str:
        return f"{self.text(e.whole)}->{e.name}"

    def _tuple(self, e: v.Tuple) -> str:
        found = self.type(e)
        if not isinstance(found, Tup):
            raise Unsupported("an empty tuple")
        return self._as_tuple(e, found, found.members)

    # -- arithmetic
    def _binary(self, e: v.Binary) -> str:
        found = self.type(e)
        if is_drop(e):
            words = as_mask(found).words
            return f"m{words}_drop({self.mask(e.left, words)})"
        if isinstance(found, Mask):
            if e.op == ">>" and isinstance(e.right, v.Number):
                own = as_mask(self.type(e.left))
                text = f"m{own.words}_shr({self.mask(e.left, own.words)}, {e.right.value})"
                return self.resized(text, Mask(own.bits), found.words)
            return self.mask(e, found.words)
        if e.op in ("&", "|", "^"):
            return f"({self.number(e.left)} {e.op} {self.number(e.right)})"
        return self.arithmetic(e.op, e.left, e.right)

    def arithmetic(self, op: str, left: v.Value, right: v.Value) -> str:
        a, b = self.type(left), self.type(right)
        if isinstance(a, Frac) or isinstance(b, Frac):
            name = {"+": "f_add", "-": "f_sub", "*": "f_mul", "//": "f_floordiv", "%": "f_mod"}[op]
            return f"{name}(m, {self.fraction(left)}, {self.fraction(right)})"
        x, y = self.number(left), self.number(right)
        if op in ("//", "%"):
            if isinstance(a, Int) and a.low >= 0 and isinstance(b, Int) and b.low > 0:
                return f"({x} {'/' if op == '//' else '%'} {y})"
            return f"i_{'div' if op == '//' else 'mod'}(m, {x}, {y})"
        if (isinstance(a, Int) and a.none) or (isinstance(b, Int) and b.none) or overflows(op, a, b):
            name = {"+": "i_add", "-": "i_sub", "*": "i_mul"}[op]
            x = f"i_sure(m, {x})" if isinstance(a, Int) and a.none else x
            y = f"i_sure(m, {y})" if isinstance(b, Int) and b.none else y
            return f"{name}(m, {x}, {y})"
        return f"({x} {op} {y})"

    def _negative(self, e: v.Negative) -> str:
        if isinstance(self.type(e.value), Frac):
            return f"f_neg({self.text(e.value)})"
        return f"(-{self.number(e.value)})"

    def _compare(self, e: v.Compare) -> str:
        a, b = self.type(e.left), self.type(e.right)
        if e.op in ("is", "is not"):
            return self._is_none(e.left, a, e.op == "is")
        if isinstance(a, Frac) or isinstance(b, Frac):
            return f"(f_cmp({self.fraction(e.left)}, {self.fraction(e.right)}) {e.op} 0)"
        if isinstance(a, Text) and isinstance(b, Text) and e.op in ("==", "!="):
            return f"({self.text(e.left)} {e.op} {self.text(e.right)})"
        if isinstance(a, (Mask, Rows)) or isinstance(b, (Mask, Rows)):
            return self._compare_masks(e, a, b)
        return f"({self.number(e.left)} {e.op} {self.number(e.right)})"

    def _compare_masks(self, e: v.Compare, a: Type, b: Type) -> str:
        one, other = as_mask(a), as_mask(b)
        if e.op in ("==", "!="):
            signed = one.signed or other.signed
            words = Mask(max(one.bits, other.bits), signed).words
            text = f"m{words}_eq({self.mask(e.left, words)}, {self.mask(e.right, words)})"
            return f"(!{text})" if e.op == "!=" else text
        if e.op in ("<", ">=") and e.right == v.ZERO:
            text = f"m{one.words}_neg({self.mask(e.left, one.words)})" if one.signed else "0"
            return f"(!{text})" if e.op == ">=" else text
        return f"({self.number(e.left)} {e.op} {self.number(e.right)})"

    def _is_none(self, e: v.Value, found: Type, is_: bool) -> str:
        if isinstance(e, v.Local) and e.name in self.remembered:
            return f"(!has_{e.name})" if is_ else f"has_{e.name}"
        match found:
            case Nothing():
                return "1" if is_ else "0"
            case Int(none=True):
                return f"({self.text(e)} {'==' if is_ else '!='} NONE)"
            case Frac(none=True):
                return f"({self.text(e)}.d {'==' if is_ else '!='} 0)"
            case _:
                return "0" if is_ else "1"

    def _logic(self, e: v.Logic) -> str:
        return "(" + (" && " if e.op == "and" else " || ").join(self.truth(part) for part in e.members) + ")"

    def _choose(self, e: v.Choose) -> str:
        found = self.type(e)
        if isinstance(found, Int) and not found.none:
            yes, no = (self._sure(part) for part in (e.yes, e.no))
            return f"({self.truth(e.test)} ? {yes} : {no})"
        return f"({self.truth(e.test)} ? {self.as_type(e.yes, found)} : {self.as_type(e.no, found)})"

    def _sure(self, e: v.Value) -> str:
        """A number in a place where it is not None."""
        return "NONE" if isinstance(self.type(e), Nothing) else self.number(e)

    def _masked(self, e: v.Value) -> str:
        found = self.type(e)
        if isinstance(found, Int):  # of numbers
            op = " & " if isinstance(e, v.Meet) else " | "
            return "(" + op.join(self.number(part) for part in e.parts) + ")"
        return self.mask(e, as_mask(found).words)

    def _count(self, e: v.Count) -> str:
        own = as_mask(self.type(e.mask))
        return f"m{own.words}_count({self.sure_mask(e.mask, own)})"

    def _first(self, e: v.First) -> str:
        own = as_mask(self.type(e.mask))
        return f"m{own.words}_first({self.mask(e.mask, own.words)})"

    def _members(self, e: v.Members) -> str:
        own = as_mask(self.type(e.mask))
        return self.sure_mask(e.mask, own)

    def sure_mask(self, e: v.Value, own: Mask) -> str:
        """A mask whose members are asked for: a complement has no end of them."""
        text = self.mask(e, own.words)
        if not own.signed:
            return text
        helper = self.tables.unsigned(own.words)
        return f"{helper}(m, {text})"

    # ---- calls -------------------------------------------------------------------------------------------
    def call(self, name: str, arguments: Sequence[v.Value]) -> str:
        """A function of the game."""
        wanted = self.types.signatures[name].parameters
        parts = [self.as_type(a, type_) for a, type_ in zip(arguments, wanted, strict=True)]
        return f"f_{name}({', '.join(['m', *parts])})"

    def _call(self, e: v.Call) -> str:
        name = self.types.resolved(e.name)
        if is_nth(name):
            return self._nth(*e.arguments)
        arguments = given(e.arguments)
        if name in self.types.functions:
            return self.call(name, arguments)
        if name in self.types.tables:
            return self.asked_table(name, arguments)
        made = OPERATIONS.get(name)
        if made is None:
            raise Unsupported(f"the operation {name}")
        return made(self, arguments)

    def asked_table(self, name: str, arguments: Sequence[v.Value]) -> str:
        """A table of the game: Python is asked once for each key."""
        number, found = self.types.tables[name]
        keys = [f"{self.fraction(a)}" for a in arguments]
        helper = self.tables.oracle(number, found, len(keys))
        return f"{helper}(m, {', '.join(keys)})"

    def _call_of(self, e: v.CallOf) -> str:
        assert isinstance(e.function, v.Item)
        assert isinstance(e.function.table, v.Name)
        name = e.function.table.name
        made = self.types.definitions[name].value
        assert isinstance(made, v.Tuple)
        index = self.number(e.function.index)
        return self.tables.dispatcher(self, name, made, index, given(e.arguments), self.type(e))

    def _method(self, e: v.Method) -> str:
        return method(self, e)

    def link_table(self, name: str, index: v.Value) -> str:
        assert isinstance(index, v.Tuple)
        facts = [self.number(fact) for fact in index.members]
        self.tables.link_tables.setdefault(name, len(facts))
        return f"links_{name}({', '.join(['m', *facts])})"

    def united(self, table: str, value: Sequence[object], mask: v.Value, member: Mask) -> str:
        """All that stands in a table beside the members of a mask."""
        own = as_mask(self.type(mask))
        bits = len(value) - 1
        given_words = Mask(min(own.bits, bits) if not own.signed else bits).words
        helper = self.tables.uniter(given_words, member.words)
        self.words |= {given_words, member.words}
        return f"{helper}({table}, {self.mask(mask, given_words)}, {bits})"

    def fits_links(self, found: Type) -> bool:
        return isinstance(found, LinkTable)


_TEXTS: dict[type[v.Value], Callable[[Values, Any], str]] = {
    v.Number: Values._number, v.Constant: Values._constant, v.Nothing: lambda self, e: "NONE",
    v.Local: Values._local, v.Name: Values._name, v.Cell: Values.cell, v.Item: Values._item,
    v.Part: Values._part, v.Tuple: Values._tuple, v.Call: Values._call, v.CallOf: Values._call_of,
    v.Method: Values._method, v.Binary: Values._binary, v.Negative: Values._negative,
    v.Compare: Values._compare, v.Not: lambda self, e: f"(!{self.truth(e.value)})", v.Logic: Values._logic,
    v.Choose: Values._choose, v.Meet: Values._masked, v.Join: Values._masked,
    v.Outside: lambda self, e: self.mask(e, as_mask(self.type(e)).words),
    v.Bit: lambda self, e: self.mask(e, as_mask(self.type(e)).words),
    v.Count: Values._count, v.First: Values._first, v.Members: Values._members,
}  # fmt: skip
__all__ = ["Values", "arithmetic"]
