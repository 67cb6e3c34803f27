"""How large a number may get, known before the game: below which power of two its size stays.

What is kept is at most `LARGEST` (numbers.py), so most sums and products of a rulebook are far below `HUGE`
whatever happens, and are written as plain Python. Only where that cannot be proven an operation looks at its
result. The proof decides who looks, never what comes out: both flavours stop at the same numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import assert_never

from interpreter.running.numbers import HUGE_BITS, KEPT_BITS
from rulesdsl import program as pg
from rulesdsl.checking.bodies.meanings import STAGE_OF, STAGES
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import Type

ARGUMENT_BITS = HUGE_BITS // 2  # of a number that is handed to a define, a quantity, an action or a route
SMALL_BITS = 14  # counts of things, steps, places of a scale
_DRAWN_BITS = 128  # distances as drawn, squared
MOST_DEEP = 100  # expressions inside each other, calls included; what is deeper is not looked into


class Magnitudes:
    """Bounds for the expressions of one program; every expression and every rule is looked at once."""

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self._known: dict[int, tuple[pg.E, int]] = {}  # id → (the expression, so that it lives; bits)
        self._rules: dict[tuple[str, str], int] = {}
        asked = (program.defines, program.quantities, program.actions, program.routes)
        self._given = frozenset(var for rules in asked for rule in rules.values() for var in rule.params)
        self._deep = 0

    def bits(self, e: pg.E) -> int:
        """The size of a value is below two to this power; never more than `HUGE_BITS`."""
        return min(self.unchecked(e), HUGE_BITS)

    def unchecked(self, e: pg.E) -> int:
        """The same, if nobody looks at the result of `e` itself."""
        if e.type.kind != "number":
            return SMALL_BITS
        known = self._known.get(id(e))
        if known is not None:
            return known[1]
        if self._deep > MOST_DEEP:
            return HUGE_BITS
        self._deep += 1
        try:
            found = self._of(e)
        finally:
            self._deep -= 1
        self._known[id(e)] = (e, found)
        return found

    def _of(self, e: pg.E) -> int:
        bits = self.bits
        match e:
            case pg.Const(value=int() | Fraction() as value):
                return bits_of(value)
            case pg.VarGet(var=var):
                return ARGUMENT_BITS if var in self._given else KEPT_BITS
            case pg.TrackGet(track=track):
                known = self.program.world.tracks.get(track)
                return _kept(known.type) if known is not None else SMALL_BITS
            case pg.AttrGet(attribute=attribute):
                return KEPT_BITS if attribute.printed else _kept(attribute.type)
            case pg.FieldGet() | pg.SettingGet() | pg.LookupE() | pg.ResultField():
                return KEPT_BITS
            case pg.StepFact(name=name):
                return HUGE_BITS if name == "spent" else SMALL_BITS
            case pg.Arith(op=op, left=left, right=right):
                return self.arithmetic(op, bits(left), right)
            case pg.IfE(then=then, otherwise=otherwise):
                return max(bits(then), bits(otherwise))
            case pg.CountE():
                return SMALL_BITS
            case pg.SumE(value=value):
                return bits(value) + SMALL_BITS
            case pg.ExtremeE(value=value):
                return bits(value)
            case pg.CallE(define=name):
                return self._rule("define", name)
            case pg.QuantityE(quantity=name):
                return self._rule("quantity", name)
            case pg.BuiltinE(name=name, arguments=arguments):
                return self._builtin(name, arguments)
            case _:
                return HUGE_BITS

    def arithmetic(self, op: str, left: int, right: pg.E) -> int:
        """Of a value with so many bits and another, joined by a sign."""
        match op, right:
            case "*" | "x", _:
                return left + self.bits(right)
            case "/", pg.Const(value=int()):
                return left
            case "/", _:
                return left + KEPT_BITS  # no denominator is larger
            case _:
                return max(left, self.bits(right)) + 1

    def _builtin(self, name: str, arguments: tuple[pg.E, ...]) -> int:
        size = BUILTINS[name].size if name in BUILTINS else "any"
        match size:
            case "given":
                return max(map(self.bits, arguments)) + 1
            case "second":
                return self.bits(arguments[1])
            case "small":
                return SMALL_BITS
            case "drawn":
                return _DRAWN_BITS
            case "any":
                return HUGE_BITS
            case _:
                assert_never(size)

    def _rule(self, kind: str, name: str) -> int:
        if (kind, name) not in self._rules:
            self._rules[kind, name] = HUGE_BITS  # while it is looked at
            if kind == "define":
                cases = self.program.defines[name].cases
                found = max(self.bits(value) for _, value in cases)
            else:
                found = self._quantity(self.program.quantities[name])
            self._rules[kind, name] = found
        return self._rules[kind, name]

    def _quantity(self, quantity: pg.QuantityRule) -> int:
        orders = [quantity.stages] if quantity.stages_when is None else [quantity.stages, STAGES]
        found = max(self._in_order(quantity, stages) for stages in orders)
        limits = [self.bits(limit) for limit in (quantity.floor, quantity.ceiling) if limit is not None]
        return max([found, *limits]) + 1

    def _in_order(self, quantity: pg.QuantityRule, stages: tuple[str, ...]) -> int:
        found = self.bits(quantity.base)
        for stage in stages:
            for change in quantity.changes:
                if STAGE_OF[change.op] == stage:
                    found = self.changed(found, change)
        return found

    def changed(self, before: int, change: pg.Change) -> int:
        """What a quantity may be after a change; never more than `HUGE_BITS`."""
        return min(max(before, self.changed_unchecked(before, change)), HUGE_BITS)

    def changed_unchecked(self, before: int, change: pg.Change) -> int:
        match change.op:
            case "=" | "at least" | "at most":
                found = max(before, self.bits(change.value))
            case "shift +" | "shift -":
                found = max(before, self.bits(change.value)) + 1
            case _:
                found = self.arithmetic(change.op, before, change.value)
        if change.floor is not None:
            found = max(found, self.bits(change.floor))
        return found + 1  # by rounding


def bits_of(value: int | Fraction) -> int:
    return ceil(abs(Fraction(value))).bit_length()


def _kept(type_: Type) -> int:
    if type_.low is None or type_.high is None:
        return KEPT_BITS
    return max(bits_of(type_.low), bits_of(type_.high))
