"""Cells that are read again before anything can have changed them are read once (common subexpressions).

    v1 = K2_bits[s[68 + p_0]]                    e_1 = s[68 + p_0]
    if s[68 + p_0] >= 0:                   →     v1 = K2_bits[e_1]
        return v1                                if e_1 >= 0:
                                                     return v1

`s[68 + v]` means the same wherever it stands as long as nothing between writes to that array, calls a
procedure or gives `v` another value. Asking for a cell has no side effects and always a value, so it may be
asked for before it is known whether it matters. The same goes for a few operations that only look, like
`neighbours_of(…)` (`shared` in ir/operations.py); they cost more, so they are not asked ahead where perhaps
nobody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import free_variables, is_conditional
from interpreter.compiling.ir.operations import CHANGING, SHARED
from interpreter.compiling.ir.rewrite import with_body

Values = tuple[v.Value, ...]
Find = Callable[[Values], list[v.Value]]
_NAMES = (v.Local, v.Constant, v.Name)


def share_looks(function: st.Function) -> st.Function:
    """Looks that are taken again, named."""
    return _Sharing(_looks, "l_").of(function)


def share_cells(function: st.Function) -> st.Function:
    """Cells that are read again, named."""
    return _Sharing(_cells, "e_").of(function)


def _cells(values: Values) -> list[v.Value]:
    found: list[v.Value] = []
    waiting = [*values[::-1]]
    while waiting:
        part = waiting.pop()
        if isinstance(part, v.Cell) and isinstance(part.index, _NAMES):
            found.append(part)
        elif parts := part.parts:
            waiting += parts[::-1]
    if len(found) > 1 and is_conditional(values):  # they count half
        return [cell for cell in dict.fromkeys(found) for _ in range(max(1, found.count(cell) // 2))]
    return found


def _looks(values: Values) -> list[v.Value]:
    """Whole calls, not those inside others."""
    found: list[v.Value] = []
    waiting = [*values[::-1]]
    while waiting:
        part = waiting.pop()
        if isinstance(part, v.Call) and part.name in SHARED:
            found.append(part)
        elif parts := part.parts:
            waiting += parts[::-1]
    return [] if found and is_conditional(values) else found


@dataclass(slots=True)
class _Group:
    """Readings that all give the same value; the first of them comes before all others."""

    first: int  # number of a statement, in the order in which they stand
    depth: int
    variables: set[v.Value]
    places: list[int] = field(default_factory=list)
    weight: int = 0


class _Sharing:
    """One function, gone through twice in the same order: to find what is shared, to name it."""

    def __init__(self, find: Find, prefix: str) -> None:
        self.find, self.prefix = find, prefix
        self.number = 0
        self.known: dict[v.Value, _Group] = {}
        self.found: list[tuple[v.Value, _Group]] = []
        self.names: dict[int, dict[v.Value, v.Value]] = {}  # by statement: what is read under a name
        self.before: dict[int, list[st.Statement]] = {}

    def of(self, function: st.Function) -> st.Function:
        self._read(function.body, 1)
        count = 0
        for what, group in self.found:
            if group.weight < 2:
                continue
            count += 1
            name = v.Local(f"{self.prefix}{count}", what.kind)
            self.before.setdefault(group.first, []).append(st.Let(name, what))
            for place in group.places:
                self.names.setdefault(place, {})[what] = name
        if not count:
            return function
        self.number = 0
        return st.Function(function.name, function.parameters, self._named(function.body))

    # -- the first time
    def _read(self, body: st.Body, depth: int) -> None:
        for one in body:
            self.number += 1
            if not isinstance(one, st.While) and not _writes(one):
                self._note(self.find(one.values), depth)
            if isinstance(one, (st.ForEach, st.ForIn, st.While)) or _calls(one):
                self.known.clear()
            else:
                self._forget(one)
            for inner in one.inner:
                self._read(inner, depth + 1)
                if self.known:
                    self.known = {e: group for e, group in self.known.items() if group.depth <= depth}

    def _note(self, readings: list[v.Value], depth: int) -> None:
        for what in readings:
            group = self.known.get(what)
            if group is None:
                group = self.known[what] = _Group(self.number, depth, free_variables(what))
                self.found.append((what, group))
            if not group.places or group.places[-1] != self.number:
                group.places.append(self.number)
            group.weight += 1

    def _forget(self, one: st.Statement) -> None:
        """Drop what a statement may change."""
        for part in one.body if isinstance(one, st.When) else (one,):
            if isinstance(part, (st.Store, st.Fill)):
                base = part.cell.base if isinstance(part, st.Store) and part.cell.index is not None else None
                for what in [*self.known]:
                    if base is None or not isinstance(what, v.Cell) or what.base == base:
                        del self.known[what]
        if self.known and (changed := set(one.sets)):
            for what in [what for what, group in self.known.items() if group.variables & changed]:
                del self.known[what]

    # -- the second time
    def _named(self, body: st.Body) -> st.Body:
        out: st.Body = []
        for one in body:
            self.number += 1
            out += self.before.get(self.number, ())
            names = self.names.get(self.number)
            change = _replacing(names) if names is not None else None
            if isinstance(one, st.If):
                arms = [st.Arm(arm.test, arm.body) for arm in one.arms]
                if change is not None and arms[0].test is not None:
                    arms[0].test = change(arms[0].test)
                out.append(st.If([st.Arm(arm.test, self._named(arm.body)) for arm in arms]))
                continue
            if change is not None:
                one = one.changed(change)
            if isinstance(one, (st.ForEach, st.ForIn, st.While)):
                one = with_body(one, self._named(one.body))
            out.append(one)
        return out


def _replacing(names: dict[v.Value, v.Value]) -> v.Change:
    def change(e: v.Value) -> v.Value:
        found = names.get(e) if isinstance(e, (v.Cell, v.Call)) else None
        if found is not None:
            return found
        return e.changed(change) if e.parts else e

    return change


def _writes(one: st.Statement) -> bool:
    if isinstance(one, st.When):
        return any(map(_writes, one.body))
    return isinstance(one, (st.Store, st.Fill))


def _calls(one: st.Statement) -> bool:
    """Whether something is called that may change the state: a procedure, the machine, a stack."""
    if isinstance(one, st.When):
        return any(map(_calls, one.body))
    if isinstance(one, (st.Tick, st.Ask)):
        return True
    return any(_acts(e) for e in one.values) if isinstance(one, (st.Let, st.Do)) else False


def _acts(e: v.Value) -> bool:
    match e:
        case v.Method(owner=v.Local(name="m") | v.Part(whole=v.Local(name="m")), name=name):
            return name != "end"
        case v.Call(name=name, arguments=arguments):
            return (
                name in CHANGING
                or name.startswith("effect")
                or (bool(arguments) and arguments[0] == v.MACHINE)
            )
        case _:
            return False
