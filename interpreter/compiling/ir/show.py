"""The representation as text, for people: a statement a line, values as calls of their nodes, kinds behind
the variables that get a value.

    function d_3(s, p_0)
        let w1: mask of space:64 = Meet(s[12], Outside(s[68 + p_0]))
        return Count(w1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.kinds import ANY

INDENT = "    "


def value_text(e: v.Value) -> str:
    match e:
        case v.Number():
            return str(e.value)
        case v.Constant() | v.Local() | v.Name():
            return e.name
        case v.Slot():
            return f"f[{e.index}]"
        case v.State():
            return "s"
        case v.Nothing():
            return "None"
        case v.Word():
            return repr(e.text)
        case v.Cell(index=None):
            return f"s[{e.base}]"
        case v.Cell(index=v.Value() as index):
            return f"s[{e.base} + {value_text(index)}]"
        case v.Call():
            return f"{e.name}({_listed(e.arguments)})"
        case v.Method():
            return f"{value_text(e.owner)}.{e.name}({_listed(e.arguments)})"
        case v.Part():
            return f"{value_text(e.whole)}.{e.name}"
        case v.First():
            return f"First({value_text(e.mask)})"
        case v.Choose():
            return f"Choose({_listed((e.test, e.yes, e.no))})"
        case v.Binary() | v.Compare():
            return f"{type(e).__name__}({e.op!r}, {_listed(e.parts)})"
        case v.Logic():
            return f"{e.op.title()}({_listed(e.members)})"
        case _:
            return f"{type(e).__name__}({_listed(e.parts)})"


def _listed(values: tuple[v.Value, ...]) -> str:
    return ", ".join(map(value_text, values))


def _target(target: st.Target) -> str:
    return value_text(target) if target.kind == ANY else f"{value_text(target)}: {target.kind}"


def _simple(one: st.Statement) -> str:
    match one:
        case st.Let():
            kind = one.target.kind if one.target.kind != ANY else one.value.kind
            of = "" if kind == ANY else f": {kind}"
            return f"let {value_text(one.target)}{of} = {value_text(one.value)}"
        case st.LetSame() | st.LetParts():
            word = " = " if isinstance(one, st.LetSame) else ", "
            return f"let {word.join(map(_target, one.targets))} = {value_text(one.value)}"
        case st.Update():
            return f"update {value_text(one.target)} {one.op}= {value_text(one.value)}"
        case st.Store():
            return f"store {value_text(one.cell)} {one.op}= {value_text(one.value)}"
        case st.Do():
            return f"do {value_text(one.call)}"
        case st.Return():
            return "return" if one.value is None else f"return {value_text(one.value)}"
        case st.Jump():
            return one.where
        case _:
            return f"{type(one).__name__.lower()} {', '.join(_fields(one))}".rstrip()


def _fields(one: st.Statement) -> Iterator[str]:
    for field in fields(one):  # type: ignore[arg-type]
        found = getattr(one, field.name)
        if found is not None:
            shown = value_text(found) if isinstance(found, v.Value) else repr(found)
            yield f"{field.name} {shown}"


def _lines(body: st.Body, indent: str) -> Iterator[str]:
    for one in body:
        match one:
            case st.If():
                for number, arm in enumerate(one.arms):
                    test = "" if arm.test is None else f" {value_text(arm.test)}"
                    yield f"{indent}{'or ' if number and arm.test else ''}{'if' if test else 'else'}{test}"
                    yield from _lines(arm.body, indent + INDENT)
            case st.When():
                yield f"{indent}when {value_text(one.test)}: {'; '.join(map(_simple, one.body))}"
            case st.ForEach():
                yield f"{indent}for each {_target(one.member)} of {value_text(one.mask)}"
                yield from _lines(one.body, indent + INDENT)
            case st.ForIn():
                yield f"{indent}for {', '.join(map(_target, one.targets))} in {value_text(one.rows)}"
                yield from _lines(one.body, indent + INDENT)
            case st.While():
                yield f"{indent}while {value_text(one.test)}"
                yield from _lines(one.body, indent + INDENT)
            case _:
                yield indent + _simple(one)


def shown(made: st.Made) -> str:
    """A definition as text."""
    if isinstance(made, st.Definition):
        return f"define {made.name} = {value_text(made.value)}"
    return "\n".join([f"function {made.name}({', '.join(made.parameters)})", *_lines(made.body, INDENT)])
