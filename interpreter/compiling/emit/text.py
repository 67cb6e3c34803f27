"""Printing (code generation): the intermediate representation as Python source.

Every value that is made of others stands in brackets of its own, except where it stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v

METER = "FUEL"
REFUEL = "refuel"
INDENT = "    "


# ---- values ----------------------------------------------------------------------------------------------
def value(e: v.Value) -> str:
    """A value that stands beside others."""
    return _VALUES[type(e)](e)


def alone(e: v.Value) -> str:
    """A value that stands by itself: right of `=`, behind `if` or `return`, between brackets."""
    kind = type(e)
    text = _VALUES[kind](e)
    return text[1:-1] if kind in _BRACKETED else text


def _list(values: Iterable[v.Value]) -> str:
    return ", ".join([alone(e) for e in values])


def _owner(e: v.Value) -> str:
    """A value of which something is asked; behind a number Python takes a dot for part of it."""
    return f"({value(e)})" if isinstance(e, (v.Number, v.Outside)) else value(e)


def _cell(e: v.Cell) -> str:
    return f"s[{e.base}]" if e.index is None else f"s[{e.base} + {value(e.index)}]"


def _tuple(e: v.Tuple) -> str:
    return f"({_list(e.members)},)" if len(e.members) == 1 else f"({_list(e.members)})"


def _listing(e: v.Listing) -> str:
    return f"[*{value(e.members[0])}]" if e.spread else f"[{_list(e.members)}]"


def _first(e: v.First) -> str:
    mask = value(e.mask)
    return f"(({mask} & -{mask}).bit_length() - 1)"


_VALUES: dict[type[v.Value], Callable[[Any], str]] = {
    v.Number: lambda e: repr(e.value),
    v.Constant: lambda e: e.name,
    v.Word: lambda e: repr(e.text),
    v.Nothing: lambda e: "None",
    v.Local: lambda e: e.name,
    v.Slot: lambda e: f"f[{e.index}]",
    v.State: lambda e: "s",
    v.Name: lambda e: e.name,
    v.Cell: _cell,
    v.Item: lambda e: f"{value(e.table)}[{alone(e.index)}]",
    v.Part: lambda e: f"{_owner(e.whole)}.{e.name}",
    v.Tuple: _tuple,
    v.Listing: _listing,
    v.Dictionary: lambda e: "{}",
    v.Call: lambda e: f"{e.name}({_list(e.arguments)})",
    v.Method: lambda e: f"{_owner(e.owner)}.{e.name}({_list(e.arguments)})",
    v.CallOf: lambda e: f"{value(e.function)}({_list(e.arguments)})",
    v.WorkOf: lambda e: "0",
    v.Binary: lambda e: f"({value(e.left)} {e.op} {value(e.right)})",
    v.Negative: lambda e: f"(-{value(e.value)})",
    v.Compare: lambda e: f"({value(e.left)} {e.op} {value(e.right)})",
    v.Not: lambda e: f"(not {value(e.value)})",
    v.Logic: lambda e: "(" + f" {e.op} ".join([value(part) for part in e.members]) + ")",
    v.Choose: lambda e: f"({value(e.yes)} if {value(e.test)} else {value(e.no)})",
    v.Meet: lambda e: "(" + " & ".join([value(part) for part in e.members]) + ")",
    v.Join: lambda e: "(" + " | ".join([value(part) for part in e.members]) + ")",
    v.Outside: lambda e: f"~{value(e.mask)}",
    v.Bit: lambda e: f"(1 << {value(e.thing)})",
    v.Count: lambda e: f"{_owner(e.mask)}.bit_count()",
    v.First: _first,
    v.Members: lambda e: f"MEMBERS[{alone(e.mask)}]",
}
_BRACKETED = frozenset({
    v.Binary, v.Negative, v.Compare, v.Not, v.Logic, v.Choose, v.Meet, v.Join, v.Bit, v.First,
})  # fmt: skip


# ---- statements ------------------------------------------------------------------------------------------
def _store(one: st.Store) -> str:
    return f"{_cell(one.cell)} {one.op}= {alone(one.value)}"


def _return(one: st.Return) -> str:
    return "return" if one.value is None else f"return {alone(one.value)}"


# statements without a body, as one line each
_SIMPLE: dict[type[st.Statement], Callable[[Any], str]] = {
    st.Let: lambda one: f"{value(one.target)} = {alone(one.value)}",
    st.LetSame: lambda one: f"{' = '.join(map(value, one.targets))} = {alone(one.value)}",
    st.LetParts: lambda one: f"{', '.join(map(value, one.targets))} = {alone(one.value)}",
    st.Update: lambda one: f"{value(one.target)} {one.op}= {alone(one.value)}",
    st.Store: _store,
    st.Fill: lambda one: f"s[{one.first}:{one.end}] = {alone(one.value)}",
    st.Put: lambda one: f"{value(one.table)}[{alone(one.key)}] = {alone(one.value)}",
    st.Do: lambda one: alone(one.call),
    st.Return: _return,
    st.Jump: lambda one: one.where,
    st.Ask: lambda one: f"m.ask({one.site}, {_list((one.who, one.options, one.out))})",
    st.Decide: lambda one: f"{one.target.name} = decide({_list((one.who, one.count))})",
    st.Fired: lambda one: f"FIRED[{one.rule}] += 1",
    st.Aside: lambda one: "s = s[:]",
}
Lines = list[str]


def _when(one: st.When, indent: str, out: Lines) -> None:
    simple = "; ".join([_SIMPLE[type(part)](part) for part in one.body])
    out.append(f"{indent}if {alone(one.test)}: {simple}")


def _if(one: st.If, indent: str, out: Lines) -> None:
    word = "if"
    for arm in one.arms:
        out.append(f"{indent}else:" if arm.test is None else f"{indent}{word} {alone(arm.test)}:")
        _body(arm.body, indent + INDENT, out)
        word = "elif"


def _for_each(one: st.ForEach, indent: str, out: Lines) -> None:
    out.append(f"{indent}for {value(one.member)} in MEMBERS[{alone(one.mask)}]:")
    _body(one.body, indent + INDENT, out)


def _for_in(one: st.ForIn, indent: str, out: Lines) -> None:
    out.append(f"{indent}for {', '.join(map(value, one.targets))} in {alone(one.rows)}:")
    _body(one.body, indent + INDENT, out)


def _while(one: st.While, indent: str, out: Lines) -> None:
    out.append(f"{indent}while {alone(one.test)}:")
    _body(one.body, indent + INDENT, out)


def _refuel(one: st.Refuel, indent: str, out: Lines) -> None:
    """Most games are no errand: they only begin anew with what there is."""
    anew = f"{METER}[0] = {METER}[1]"
    out += [f"{indent}if {METER}[2]: {REFUEL}()", f"{indent}else: {anew}"]


def _charge(one: st.Charge, indent: str, out: Lines) -> None:
    work = one.work if one.turns is None else f"{one.work} * {value(one.turns)}"
    out += [f"{indent}{METER}[0] -= {work}", f"{indent}if {METER}[0] < 0: out_of_fuel()"]


def _tick(one: st.Tick, indent: str, out: Lines) -> None:
    stop = f"m.runaway({one.why!r}, {value(one.title)})"
    out += [f"{indent}m.{one.what} -= 1", f"{indent}if m.{one.what} < 0: {stop}"]


_SEVERAL: dict[type[st.Statement], Callable[[Any, str, Lines], None]] = {
    st.When: _when, st.If: _if, st.ForEach: _for_each, st.ForIn: _for_in, st.While: _while,
    st.Charge: _charge, st.Refuel: _refuel, st.Tick: _tick,
}  # fmt: skip


def _body(body: st.Body, indent: str, out: Lines) -> None:
    if not body:  # nothing left to do: what is told is told elsewhere
        out.append(f"{indent}pass")
    for one in body:
        simple = _SIMPLE.get(type(one))
        if simple is not None:
            out.append(indent + simple(one))
        else:
            _SEVERAL[type(one)](one, indent, out)


def source(made: st.Made) -> str:
    """A definition as Python source."""
    if isinstance(made, st.Definition):
        return f"{made.name} = {alone(made.value)}"
    out = [f"def {made.name}({', '.join(made.parameters)}):"]
    _body(made.body, INDENT, out)
    return "\n".join(out)
