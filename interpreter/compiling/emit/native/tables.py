"""What stands beside the code: tables of constants in one block of bytes, and small helpers made on demand.

A table is written with the member of none in front, so that -1 needs no test; it stands at its end as well,
where Python has it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    Mask,
    Steps,
    Table,
    Text,
    Tup,
    Type,
    Unsupported,
    c_type,
    spoken,
    struct_name,
    table_type,
)
from interpreter.compiling.ir import values as v

if TYPE_CHECKING:
    from interpreter.compiling.emit.native.values import Values

NONE = -(1 << 63)
_FORMATS = {"int8_t": "<b", "int16_t": "<h", "int32_t": "<i", "int64_t": "<q"}
ALIGNED = 64
WIDE = 2  # words of masks that need no loop
REMEMBERED = 16  # unions of wide masks, a power of two


class Tables:
    """Collects them while functions are written."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.helpers: dict[str, str] = {}  # name → C, in the order in which they are needed
        self.late: dict[str, str] = {}  # those that call functions of the game
        self.link_tables: dict[str, int] = {}  # → how many facts they depend on
        self.structs: dict[str, Type] = {}
        self.memories: dict[str, int] = {}
        self.denses: dict[int, int] = {}
        self.answer_words = 1
        self.purposes: list[bytes] = []
        self.ends: list[tuple[str, str, str]] = []  # how games end: outcome, reason, rule
        self._known: dict[str, int] = {}
        self._words: dict[str, int] = {"": 0}

    # ---- constants ---------------------------------------------------------------------------------------
    def _aligned(self) -> int:
        self.data += bytes(-len(self.data) % ALIGNED)
        return len(self.data)

    def table(self, name: str, value: object, type_: Table) -> str:
        """A pointer to the first member of a table."""
        element = table_type(type_)
        key = f"{name}:{element}"
        if key not in self._known:
            start = self._aligned()
            assert isinstance(value, tuple)
            self._write(value, type_)
            width = self._width(type_.member)
            stride = width * (type_.member.count + 1) if isinstance(type_.member, Table) else width
            self._known[key] = start + stride + (width if isinstance(type_.member, Table) else 0)
        return f"((const {element} *)(DATA + {self._known[key]}))"

    def _write(self, value: tuple[object, ...], type_: Table) -> None:
        for one in (value[-1], *value, *[value[-1]] * (type_.count - len(value))):
            if isinstance(type_.member, Table):
                assert isinstance(one, tuple)
                self._write(one, type_.member)
            else:
                self._one(one, type_.member)

    def _width(self, member: Type) -> int:
        match member:
            case Table():
                return self._width(member.member)
            case Mask():
                return 8 * member.words
            case Frac():
                return 16
            case _:
                return struct.calcsize(_FORMATS[table_type(member)])

    def _one(self, value: object, member: Type) -> None:
        match member:
            case Mask():
                assert isinstance(value, int)
                whole = value & ((1 << 64 * member.words) - 1)
                self.data += whole.to_bytes(8 * member.words, "little")
            case Frac():
                assert value is None or isinstance(value, (int, Fraction))
                pair = (0, 0) if value is None else (value.numerator, value.denominator)
                if max(map(abs, pair)) >= 1 << 63:
                    raise Unsupported("a number too large for a word")
                self.data += struct.pack("<qq", *pair)
            case Int():
                assert value is None or isinstance(value, int)
                word = NONE if value is None else int(value)
                self.data += struct.pack(_FORMATS[table_type(member)], word)
            case Text():
                self.data += struct.pack("<i", self.word(str(value)))
            case _:
                raise Unsupported(f"a table of {spoken(member)}")

    def word(self, text: str) -> int:
        """The number of words of an author; of none 0."""
        return self._words.setdefault(text, len(self._words))

    def mask(self, value: int, words: int) -> str:
        """A known mask of many words."""
        key = f"mask:{words}:{value}"
        if key not in self._known:
            self._known[key] = self._aligned()
            self._one(value, Mask(64 * words))
        return f"(DATA + {self._known[key]})"

    def array(self, name: str, kind: str, values: Sequence[int]) -> str:
        """Plain numbers, the first at 0."""
        if name not in self._known:
            self._known[name] = self._aligned()
            self.data += b"".join(struct.pack(_FORMATS[kind], one) for one in values)
        return f"((const {kind} *)(DATA + {self._known[name]}))"

    @staticmethod
    def is_bits(value: object) -> bool:
        """Whether a table gives for each number its bit, and nothing for none."""
        return (
            isinstance(value, tuple) and len(value) > 1 and value[-1] == 0 and value[0] == 1
            and all(isinstance(one, int) and one == 1 << i for i, one in enumerate(value[:-1]))
        )  # fmt: skip

    # ---- helpers -----------------------------------------------------------------------------------------
    def struct(self, type_: Type) -> None:
        self.structs.setdefault(struct_name(type_), type_)

    def uniter(self, given: int, gives: int) -> str:
        """Wide masks are remembered by threads: the same few sets are asked for again and again."""
        name = f"united_{given}_{gives}"
        memory, known, keep = "", "", ""
        if given > WIDE:
            memory = (
                f"static _Thread_local struct {{ const m{gives} *sets; m{given} mask; m{gives} out; }} "
                f"known_{given}_{gives}[{REMEMBERED}];\n"
            )
            known = (
                "    uint64_t key = (uint64_t)(uintptr_t)sets;\n"
                f"    for (int k = 0; k < {given}; k++) key = (key ^ mask.w[k]) * 0x9E3779B97F4A7C15ULL;\n"
                f"    __typeof__(&known_{given}_{gives}[0]) one = &known_{given}_{gives}"
                f"[key >> 32 & {REMEMBERED - 1}];\n"
                "    if (one->sets == sets && !memcmp(&one->mask, &mask, sizeof mask)) return one->out;\n"
                "    one->sets = sets;\n    one->mask = mask;\n"
            )
            keep = "    one->out = out;\n"
        self.helpers.setdefault(name, (
            f"{memory}UNUSED static m{gives} {name}(const m{gives} *sets, m{given} mask, int64_t count) {{\n"
            f"{known}    m{gives} out = m{gives}_of(0);\n"
            f"    for (int64_t i; (i = m{given}_next(&mask)) >= 0 && i < count; )\n"
            f"        out = m{gives}_or(out, sets[i]);\n{keep}    return out;\n}}\n"
        ))  # fmt: skip
        return name

    def unsigned(self, words: int) -> str:
        name = f"unsigned_{words}"
        self.helpers.setdefault(name, (
            f"UNUSED static inline m{words} {name}(machine *m, m{words} a) {{\n"
            f"    if (UNLIKELY(m{words}_neg(a))) stop(m, BOUNDS);\n    return a;\n}}\n"
        ))  # fmt: skip
        return name

    def oracle(self, number: int, gives: Type, keys: int) -> str:
        """A question to Python, whose answers are remembered."""
        name = f"ask_{number}"
        words: list[str] = []
        match gives:
            case Tup(members=members):
                self.struct(gives)
                words = [
                    _answer(member, f"a[{2 * k}]", f"a[{2 * k + 1}]") for k, member in enumerate(members)
                ]
                result = f"({struct_name(gives)}){{{', '.join(words)}}}"
                self.answer_words = max(self.answer_words, 2 * len(members))
            case Mask():
                result = f"mask_{gives.words}(a)"
                self.helpers.setdefault(f"mask_{gives.words}", (
                    f"UNUSED static m{gives.words} mask_{gives.words}(const int64_t *a) {{\n"
                    f"    m{gives.words} r;\n    memcpy(&r, a, sizeof r);\n    return r;\n}}\n"
                ))  # fmt: skip
                self.answer_words = max(self.answer_words, gives.words)
            case _:
                result = _answer(gives, "a[0]", "a[1]")
                self.answer_words = max(self.answer_words, 2)
        if 2 * keys > 8:
            raise Unsupported("a table with many keys")
        parameters = "".join(f", frac k{i}" for i in range(keys))
        given = ", ".join(f"k{i}.n, k{i}.d" for i in range(keys))
        self.helpers.setdefault(name, (
            f"UNUSED static {c_type(gives)} {name}(machine *m{parameters}) {{\n"
            f"    const int64_t keys[] = {{{given}}};\n"
            f"    const int64_t *a = asked(m, {number}, keys, {2 * keys});\n    return {result};\n}}\n"
        ))  # fmt: skip
        return name

    def dense(self, number: int, gives: Mask, spaces: int) -> str:
        """A question about two spaces, whose answers have a place each."""
        slow = self.oracle(number, gives, 2)
        name, place = f"dense_{number}", self.denses.setdefault(number, len(self.denses))
        self.helpers.setdefault(name, (
            f"typedef struct {{ m{gives.words} answer; int64_t known; }} entry_{number};\n"
            f"static inline m{gives.words} {name}(machine *m, int64_t a, int64_t b) {{\n"
            f"    if (UNLIKELY(a < 0 || b < 0 || a >= {spaces} || b >= {spaces})) return {slow}(m, f_of(a), f_of(b));\n"
            f"    if (UNLIKELY(!m->dense[{place}])) {{\n"
            f"        m->dense[{place}] = calloc({spaces * spaces}, sizeof(entry_{number}));\n"
            f"        if (!m->dense[{place}]) stop(m, MEMORY);\n    }}\n"
            f"    entry_{number} *e = (entry_{number} *)m->dense[{place}] + a * {spaces} + b;\n"
            f"    if (UNLIKELY(!e->known)) {{ e->answer = {slow}(m, f_of(a), f_of(b)); e->known = 1; }}\n"
            f"    return e->answer;\n}}\n"
        ))  # fmt: skip
        return name

    def dispatcher(
        self, values: Values, name: str, made: v.Tuple, index: str, arguments: Sequence[v.Value], gives: Type
    ) -> str:
        """`RS_0[p](s, p)`: the function at a place of a table."""
        types = values.types
        wanted: list[Type | None] = [None] * len(arguments)
        members = [types.resolved(member.name) for member in made.members if isinstance(member, v.Name)]
        first = types.signatures[members[0]].parameters
        # every member was called with the same types, so all of them take the same words, or wider ones
        wanted = [*first]
        if any(
            [c_type(t) for t in types.signatures[m].parameters] != [c_type(t) for t in wanted]
            for m in members
        ):
            raise Unsupported(f"functions of {name} that take different words")
        helper = f"one_of_{name}"
        if helper not in self.late:
            parameters = "".join(f", {c_type(t)} a{i}" for i, t in enumerate(wanted))
            passed = ", ".join(["m", *(f"a{i}" for i in range(len(wanted)))])
            cases = dict[str, list[int]]()
            for place, member in enumerate(members):
                cases.setdefault(member, []).append(place)
            cases[members[-1]].append(-1)
            lines = []
            for member, places in cases.items():
                own = types.signatures[member].gives
                text = f"f_{member}({passed})"
                if own is None:
                    raise Unsupported(f"{member} gives nothing")
                if isinstance(gives, Mask):
                    if isinstance(own, Int):
                        values.words.add(gives.words)
                        text = f"m{gives.words}_of({text})"
                    else:
                        assert isinstance(own, Mask)
                        text = values.resized(text, own, gives.words)
                elif isinstance(gives, Frac) and isinstance(own, Int):
                    text = f"f_opt({text})"
                elif c_type(own) != c_type(gives):
                    if isinstance(own, Steps) and isinstance(gives, Steps) and isinstance(gives.value, Frac):
                        text = f"steps_f_of({text})"
                    else:
                        raise Unsupported(f"functions of {name} that give different words")
                lines.append("".join(f"    case {place}:" for place in places) + f" return {text};")
            body = "\n".join(lines)
            self.late[helper] = (
                f"static {c_type(gives)} {helper}(machine *m, int64_t which{parameters}) {{\n"
                f"    switch (which) {{\n{body}\n    default: stop(m, BOUNDS);\n    }}\n}}\n"
            )
        parts = [values.as_type(a, t) for a, t in zip(arguments, wanted, strict=True)]
        return f"{helper}({', '.join(['m', index, *parts])})"

    def memory(self, name: str) -> int:
        return self.memories.setdefault(name, len(self.memories))

    def purpose(self, text: str) -> int:
        """What dice are cast for: bytes in a table, never text."""
        data = text.encode()
        if data not in self.purposes:
            self.purposes.append(data)
        return self.purposes.index(data)

    def end(self, outcome: str, reason: str, paragraph: str) -> int:
        if (outcome, reason, paragraph) not in self.ends:
            self.ends.append((outcome, reason, paragraph))
        return self.ends.index((outcome, reason, paragraph))


def _answer(type_: Type, n: str, d: str) -> str:
    match type_:
        case Int():
            return n
        case Frac():
            return f"(frac){{{n}, {d}}}"
        case _:
            raise Unsupported(f"an answer that is {spoken(type_)}")
