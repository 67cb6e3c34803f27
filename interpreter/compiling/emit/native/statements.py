"""Statements and functions as C.

Long because it is one class, with a case for each statement.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.compiling.emit.native.cells import words_of
from interpreter.compiling.emit.native.fused import thing_of
from interpreter.compiling.emit.native.inference import KEPT, seen
from interpreter.compiling.emit.native.operations import _cell_of, _text_of
from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    LinkTable,
    List,
    Mask,
    Nothing,
    Rows,
    Steps,
    Tup,
    Type,
    Unsupported,
    as_mask,
    c_type,
    spoken,
    struct_name,
)
from interpreter.compiling.emit.native.values import Values
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.closed import closed

Lines = list[str]
_CHANGES = {"|": "put", "&": "cut", "^": "flip"}


class Writer:
    """Writes one function after the other."""

    def __init__(self, values: Values, recursive: frozenset[str]) -> None:
        self.values, self.recursive = values, recursive
        self._counter = 0
        self._gives: Type | None = None
        self._marked = False
        self._deep = False
        self._aside = False

    def head(self, function: st.Function) -> str:
        signature = self.values.types.signatures[function.name]
        gives = "void" if signature.gives is None else c_type(signature.gives)
        for type_ in (*signature.parameters, signature.gives):
            self._declare(type_)
        names = seen(function.parameters)
        parameters = [f"{c_type(t)} p_{n}" for n, t in zip(names, signature.parameters, strict=True)]
        return f"static {gives} f_{function.name}({', '.join(['machine *m', *parameters])})"

    def _declare(self, type_: Type | None) -> None:
        """Structures and words that a variable needs."""
        match type_:
            case Mask():
                self.values.words.add(type_.words)
            case Rows(mask=mask):
                self.values.words.add(mask.words)
            case Tup(members=members):
                for member in members:
                    self._declare(member)
                self.values.tables.struct(type_)
            case List(member=member):
                self._declare(member)
                self.values.tables.struct(type_)
            case Steps():
                self.values.tables.struct(type_)
            case _:
                pass

    def function(self, function: st.Function) -> str:
        signature = self.values.types.signatures[function.name]
        self.values.begin(function.name)
        self._gives = signature.gives
        self._marked = any(isinstance(t, List) for t in signature.variables.values())
        self._deep = function.name in self.recursive
        self._aside = bool(function.body) and isinstance(function.body[0], st.Aside)
        out: Lines = [self.head(function) + " {", *self.preamble(function)]
        for name, type_ in sorted(signature.variables.items()):
            self._declare(type_)
            start = f"p_{name}" if name in function.parameters else self._empty(type_)
            out.append(f"    {c_type(type_)} l_{name} = {start};")
        if self._aside:
            out.append("    const state aside = m->s;")
        if self._marked:
            out.append("    char *const mark = m->top;")
        if self._deep:
            out.append("    if (UNLIKELY(++m->depth > DEEPEST)) stop(m, DEPTH);")
        place = len(out)
        self.values.remembered.clear()
        self._body(function.body, "    ", out)
        for name in sorted(self.values.remembered):
            out.insert(place, f"    int has_{name} = 0;")
        if signature.gives is not None:
            out.append("    stop(m, FELL);")
        else:
            out += [f"    {line}" for line in self._leave()]
        out.append("}")
        return "\n".join(out)

    def preamble(self, function: st.Function) -> Lines:
        """What stands before the variables of a function."""
        return []

    def _empty(self, type_: Type | None) -> str:
        match type_:
            case Mask() | Rows():
                words = type_.words if isinstance(type_, Mask) else type_.mask.words
                return self.values.literal(0, words)
            case Frac():
                return "{0, 1}"
            case List() | Steps() | Tup():
                return "{0}"
            case _:
                return "0"

    def _leave(self) -> Lines:
        """What is given back before a function returns."""
        return [
            *(["m->s = aside;"] if self._aside else []),
            *(["m->top = mark;"] if self._marked else []),
            *(["m->depth--;"] if self._deep else []),
        ]

    # ---- bodies ------------------------------------------------------------------------------------------
    def _body(self, body: st.Body, indent: str, out: Lines) -> None:
        for one in body:
            self._statement(one, indent, out)
            if isinstance(one, st.Return) or (isinstance(one, st.Jump) and one.where != "pass"):
                return  # what follows is never reached

    def _statement(self, one: st.Statement, indent: str, out: Lines) -> None:
        w = self.values
        one = closed(one)
        match one:
            case st.Let():
                self._let(one.target, one.value, indent, out)
            case st.LetSame():
                for target in one.targets:
                    self._let(target, one.value, indent, out)
            case st.LetParts():
                self._let_parts(one, indent, out)
            case st.Update():
                text = self._bitwise(one.target, self._type_of(one.target), one.op, one.value)
                if text:
                    out.append(f"{indent}{text}")
                else:
                    self._let(one.target, v.Binary(one.op, one.target, one.value), indent, out)
            case st.Store():
                group = w.types.cells.group(one.cell.base)
                text = self._bitwise(one.cell, group.type, one.op, one.value)
                if text:
                    out.append(f"{indent}{text}")
                    return
                value = v.Binary(one.op, one.cell, one.value) if one.op else one.value
                self._declare(group.type)
                out.append(f"{indent}{w.cell(one.cell)} = {w.as_type(value, group.type)};")
            case st.Fill():
                self._fill(one, indent, out)
            case st.Put():
                table = w.type(one.table)
                assert isinstance(table, Steps)
                self._declare(table)
                put = w.as_type(one.value, table.value)
                out.append(
                    f"{indent}{struct_name(table)}_put(m, &{w.text(one.table)}, {w.number(one.key)}, {put});"
                )
            case st.Do():
                self._do(one.call, indent, out)
            case st.If():
                self._if(one, indent, out)
            case st.When():
                out.append(f"{indent}if ({w.truth(one.test)}) {{")
                self._body(one.body, indent + "    ", out)
                out.append(f"{indent}}}")
            case st.ForEach():
                self._members(one.member, one.mask, one.body, indent, out)
            case st.ForIn():
                self._for_in(one, indent, out)
            case st.While():
                out.append(f"{indent}while ({w.truth(one.test)}) {{")
                self._body(one.body, indent + "    ", out)
                out.append(f"{indent}}}")
            case st.Return():
                self._return(one, indent, out)
            case st.Jump():
                self._jump(one, indent, out)
            case st.Decide():
                out.append(
                    f"{indent}{self._target(one.target)} = decide(m, {w.number(one.who)}, {w.number(one.count)});"
                )
            case st.Charge(turns=None):
                out.append(f"{indent}charge(m, {one.work});")
            case st.Charge():
                assert one.turns is not None
                out.append(f"{indent}charge(m, {one.work} * {w.number(one.turns)});")
            case st.Aside():
                pass  # the state is kept before anything else, and put back before the function returns
            case st.Refuel():
                out.append(f"{indent}refuel(m);")
            case st.Tick():
                what = "turns" if one.what == "fuel" else "firings"
                out.append(f"{indent}if (UNLIKELY(--m->{what} < 0)) stop(m, FUEL);")
            case st.Arm() | st.Ask() | st.Fired():  # none of them stands in the body of a whole game
                raise Unsupported(f"the statement {type(one).__name__}")
            case _:
                assert_never(one)

    def _bitwise(self, place: v.Value, type_: Type | None, op: str, value: v.Value) -> str:
        """`r |= 1 << v`: one bit changed where it stands; nothing when it is something else."""
        w = self.values
        if not isinstance(type_, Mask) or op not in _CHANGES:
            return ""
        if op == "&":
            if not isinstance(value, v.Outside):
                return ""
            value = value.mask
        thing = thing_of(w, value)
        if thing is None:
            return ""
        w.words.add(type_.words)
        where = w.cell(place) if isinstance(place, v.Cell) else w.text(place)
        found, index = w.type(thing), w.number(thing)
        if not isinstance(found, Int) or found.low < -1 or found.high >= type_.bits:
            index = f"ix(m, {index}, -1, {type_.bits})"
        return f"m{type_.words}_{_CHANGES[op]}(&{where}, {index});"

    def _target(self, target: st.Target) -> str:
        assert isinstance(target, v.Local)
        return f"l_{target.name}"

    def _type_of(self, target: st.Target) -> Type | None:
        assert isinstance(target, v.Local)
        return self.values.types.signatures[self.values.types.current].variables.get(target.name)

    def _let(self, target: st.Target, value: v.Value, indent: str, out: Lines) -> None:
        w, wanted, name = self.values, self._type_of(target), self._target(target)
        match value, wanted:
            case v.Method(owner=v.Name(name=memory), name="get", arguments=(key,)), _:
                place, words = self._place(memory, key, indent, out)
                own = w.types.memories[memory]
                if c_type(own) != c_type(wanted):
                    raise Unsupported("answers in other words")
                assert isinstance(target, v.Local)
                w.remembered.add(target.name)
                out.append(f"{indent}has_{target.name} = known_{place};")
                out.append(
                    f"{indent}if (known_{place}) memcpy(&{name}, {place} + {1 + words}, sizeof {name});"
                )
            case v.Listing(), List():
                out.append(f"{indent}{name}.n = 0;")
                self._list(name, value, wanted, indent, out)
            case v.Dictionary(), _:
                out.append(f"{indent}{name}.n = 0;")
            case _, None:
                out.append(f"{indent}(void)({w.text(value)});")
            case _, Steps():
                own = w.type(value)
                text = w.text(value)
                out.append(
                    f"{indent}{name} = {text if struct_name(own) == struct_name(wanted) else f'steps_f_of({text})'};"
                )
            case _:
                out.append(f"{indent}{name} = {w.as_type(value, wanted)};")

    def _place(self, name: str, key: v.Value, indent: str, out: Lines) -> tuple[str, int]:
        """Where the answer to a question is remembered; and how many words the question takes."""
        w = self.values
        assert isinstance(key, v.Tuple)
        self._counter += 1
        place = f"place{self._counter}"
        texts, at = list[str](), 0
        for member in key.members:
            found = w.type(member)
            if isinstance(found, Mask):
                x = f"{{ m{found.words} x = {w.mask(member, found.words)}; memcpy(key_{place} + {at}, &x, sizeof x); }}"
                texts.append(x)
                at += found.words
            else:
                texts.append(f"key_{place}[{at}] = (uint64_t){w.number(member)};")
                at += 1
        out.append(f"{indent}uint64_t key_{place}[{max(1, at)}];")
        out += [f"{indent}{text}" for text in texts]
        answer = words_of(w.types.memories[name])
        number = w.tables.memory(name)
        out.append(
            f"{indent}int known_{place}; uint64_t *{place} = place_of(m, {number}, key_{place}, {at}, {answer}, &known_{place});"
        )
        return place, at

    def _list(self, name: str, value: v.Listing, wanted: List, indent: str, out: Lines) -> None:
        w, push = self.values, f"{struct_name(wanted)}_push"
        if value.spread:
            given = w.text(value.members[0])
            out.append(f"{indent}for (int64_t k = 0; k < {given}.n; k++) {push}(m, &{name}, {given}.key[k]);")
            return
        for member in value.members:
            out.append(f"{indent}{push}(m, &{name}, {w.as_type(member, wanted.member)});")

    def _let_parts(self, one: st.LetParts, indent: str, out: Lines) -> None:
        w = self.values
        if len(one.targets) == 1:
            self._let(one.targets[0], one.value, indent, out)
            return
        found = w.type(one.value)
        assert isinstance(found, Tup)
        self._declare(found)
        self._counter += 1
        parts = f"parts{self._counter}"
        out.append(f"{indent}const {c_type(found)} {parts} = {w.text(one.value)};")
        for index, (target, own) in enumerate(zip(one.targets, found.members, strict=True)):
            wanted = self._type_of(target)
            text = f"{parts}.a{index}"
            if isinstance(wanted, Mask):
                text = (
                    f"m{wanted.words}_of({text})"
                    if isinstance(own, Int)
                    else w.resized(text, as_mask(own), wanted.words)
                )
            elif isinstance(wanted, Frac) and isinstance(own, Int):
                text = f"f_opt({text})"
            out.append(f"{indent}{self._target(target)} = {text};")

    def _fill(self, one: st.Fill, indent: str, out: Lines) -> None:
        w, group = self.values, self.values.types.cells.group(one.first)
        if not isinstance(one.value, v.Constant) or not isinstance(one.value.value, tuple):
            raise Unsupported("cells that are filled with what is worked out")
        values = one.value.value
        if len(set(values)) != 1 or not isinstance(values[0], int):
            raise Unsupported("cells that are filled with different values")
        value = w.as_type(v.Number(values[0]), group.type)
        first, end = one.first - group.first, one.end - group.first
        out.append(f"{indent}for (int64_t k = {first}; k < {end}; k++) m->s.{group.name}[k] = {value};")

    def _do(self, call: v.Value, indent: str, out: Lines) -> None:
        w = self.values
        match call:
            case v.Method(owner=v.Local() as target, name="append", arguments=(value,)):
                wanted = w.type(target)
                assert isinstance(wanted, List)
                self._declare(wanted)
                out.append(
                    f"{indent}{struct_name(wanted)}_push(m, &{w.text(target)}, {w.as_type(value, wanted.member)});"
                )
            case v.Method(owner=v.Name(name=name), name="remember", arguments=(key, value)):
                place, words = self._place(name, key, indent, out)
                wanted = w.types.memories[name]
                self._counter += 1
                out.append(
                    f"{indent}const {c_type(wanted)} answer{self._counter} = {w.as_type(value, wanted)};"
                )
                out.append(
                    f"{indent}memcpy({place} + {1 + words}, &answer{self._counter}, sizeof answer{self._counter});"
                )
                out.append(f"{indent}memcpy({place} + 1, key_{place}, sizeof key_{place});")
                out.append(f"{indent}{place}[0] = 1;")
            case v.Method(owner=v.Local(name="m"), name="pay", arguments=(gains, reason, paragraph)):
                self._pay(gains, reason, paragraph, indent, out)
            case _:
                out.append(f"{indent}(void)({w.text(call)});")

    def _pay(self, gains: v.Value, reason: v.Value, paragraph: v.Value, indent: str, out: Lines) -> None:
        w = self.values
        found = w.type(gains)
        if not isinstance(found, List) or not isinstance(found.member, Tup):
            raise Unsupported(f"gains that are {spoken(found)}")
        site = w.tables.end("pays", _text_of(reason), _text_of(paragraph))
        list_ = w.text(gains)
        gain = f"{list_}.p[k].a1"
        text = gain if isinstance(found.member.members[1], Frac) else f"f_of({gain})"
        out.append(f"{indent}for (int64_t k = 0; k < {list_}.n; k++) gained(m, {list_}.p[k].a0, {text});")
        out.append(f"{indent}ended(m, {site}, 0);")

    # ---- control -----------------------------------------------------------------------------------------
    def _if(self, one: st.If, indent: str, out: Lines) -> None:
        word = "if"
        for arm in one.arms:
            out.append(
                f"{indent}else {{"
                if arm.test is None
                else f"{indent}{word} ({self.values.truth(arm.test)}) {{"
            )
            self._body(arm.body, indent + "    ", out)
            out.append(f"{indent}}}")
            word = "else if"

    def _members(self, member: st.Target, mask: v.Value, body: st.Body, indent: str, out: Lines) -> None:
        w = self.values
        found = w.type(mask)
        own = as_mask(found)
        self._counter += 1
        rest = f"rest{self._counter}"
        inner = f"{indent}    "
        out.append(f"{indent}{{ m{own.words} {rest} = {w.sure_mask(mask, own)};")
        out.append(
            f"{indent}for (int64_t next{self._counter}; (next{self._counter} = m{own.words}_next(&{rest})) >= 0; ) {{"
        )
        out.append(f"{inner}{self._target(member)} = next{self._counter};")
        self._body(body, inner, out)
        out.append(f"{indent}}} }}")

    def _for_in(self, one: st.ForIn, indent: str, out: Lines) -> None:
        w, inner = self.values, indent + "    "
        self._counter += 1
        k = f"k{self._counter}"
        match one.rows:
            case v.Call(name="range", arguments=(count,)):
                out.append(
                    f"{indent}for (int64_t {k} = 0, end{k} = {w.number(count)}; {k} < end{k}; {k}++) {{"
                )
                out.append(f"{inner}{self._target(one.targets[0])} = {k};")
            case v.Item(table=v.Part(whole=whole, name="order"), index=index):
                table, at = w.text(whole), w.number(index)
                out.append(
                    f"{indent}for (const step *{k} = {table}->order[ix(m, {at}, 0, SPACES)], *end{k} = {k} + {table}->steps_from[{at}]; {k} < end{k}; {k}++) {{"
                )
                there, bit, cost, exact = (self._target(t) for t in one.targets)
                words = w.types.spaces.words
                w.words.add(words)
                exactly = (
                    f"{k}->exact" if isinstance(self._type_of(one.targets[3]), Frac) else f"{k}->exact.n"
                )
                out.append(f"{inner}{there} = {k}->there; {cost} = {k}->cost; {exact} = {exactly};")
                wanted = self._type_of(one.targets[1])
                assert isinstance(wanted, Mask)
                out.append(f"{inner}{bit} = m{wanted.words}_bit({k}->there);")
            case v.Method(name="shuffled", arguments=(purpose, cell, group)):
                own = as_mask(w.type(group))
                number = w.tables.purpose(_text_of(purpose))
                out.append(f"{indent}int64_t members{k}[{max(1, own.bits)}], count{k} = 0;")
                out.append(
                    f"{indent}{{ m{own.words} all = {w.mask(group, own.words)}; for (int64_t i; (i = m{own.words}_next(&all)) >= 0; ) members{k}[count{k}++] = i; }}"
                )
                out.append(f"{indent}shuffle(m, {number}, {_cell_of(w, cell)}, members{k}, count{k});")
                out.append(f"{indent}for (int64_t {k} = 0; {k} < count{k}; {k}++) {{")
                out.append(f"{inner}{self._target(one.targets[0])} = members{k}[{k}];")
            case _:
                self._members(one.targets[0], one.rows, one.body, indent, out)
                return
        self._body(one.body, inner, out)
        out.append(f"{indent}}}")

    def _return(self, one: st.Return, indent: str, out: Lines) -> None:
        w, leave = self.values, self._leave()
        if one.value is None or self._gives is None:
            if self._gives is not None:
                text = "NONE" if isinstance(self._gives, (Int, Nothing)) else "(frac){0, 0}"
                out.append(f"{indent}{{ {' '.join(leave)} return {text}; }}")
                return
            out.append(f"{indent}{{ {' '.join(leave)} return; }}")
            return
        if isinstance(self._gives, Steps):
            own = w.type(one.value)
            text = w.text(one.value)
            text = text if struct_name(own) == struct_name(self._gives) else f"steps_f_of({text})"
        else:
            text = w.as_type(one.value, self._gives)
        if not leave:
            out.append(f"{indent}return {text};")
            return
        out.append(
            f"{indent}{{ const {c_type(self._gives)} given = {text}; {' '.join(leave)} return given; }}"
        )

    def _jump(self, one: st.Jump, indent: str, out: Lines) -> None:
        match one.where:
            case "pass":
                pass
            case "break" | "continue":
                out.append(f"{indent}{one.where};")
            case "raise GameOver":
                out.append(f"{indent}stop(m, OVER);")
            case where:
                raise Unsupported(f"the jump {where}")


__all__ = ["KEPT", "LinkTable", "Writer"]
