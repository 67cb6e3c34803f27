"""Rules made smaller before they become silent code: settings and printed values of known things are put
in, what can only be true or false is decided, short defines stand where they are used.

An expression has no side effects and a value, so it may be moved, dropped or repeated; only what is looked up
in a table may stop its rule, and stays where it is handed over. The traced code does without all this:
comparing the two flavours of code checks it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from interpreter.compiling.optimise.inline_quantities import amount
from interpreter.compiling.optimise.magnitude import ARGUMENT_BITS, Magnitudes
from interpreter.compiling.optimise.may_stop import may_find_nothing
from interpreter.running.numbers import LARGEST
from rulesdsl import program as pg
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.logic import (
    FALSE,
    TRUE,
    clause_condition,
    is_atom,
    loop_depth,
    negated,
    node_count,
    rebuilt,
    simpler_choice,
    simpler_logic,
    substituted,
    uses,
)
from rulesdsl.program.types import FLAG
from rulesdsl.program.walk import sub_expressions, walk_steps
from rulesdsl.program.world import Attribute

MOST_NODES = 64  # of a define that is put where it is used
MOST_WRITTEN_OUT = 4_000  # nodes of a define that is looked into, with all that it asks
MOST_LOOPS = 3  # inside each other in a define that is put where it is used: Python allows 20 in a function
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Folder:
    """Folds the expressions of one program with one set of settings; every expression once."""

    def __init__(
        self,
        program: pg.Program,
        settings: Mapping[str, Any],
        most_nodes: int = MOST_NODES,
        magnitudes: Magnitudes | None = None,
    ) -> None:
        self.program = program
        self.magnitudes = magnitudes or Magnitudes(program)
        self.most_nodes = most_nodes
        self.settings = settings
        self._folded: dict[int, tuple[pg.E, pg.E]] = {}  # id → (the expression, so that it lives; result)
        self._bodies: dict[str, pg.E] = {}
        self._sizes: dict[int, tuple[pg.E, int]] = {}
        self._stopping: dict[int, tuple[pg.E, bool]] = {}
        self._amounts: dict[str, pg.E | None] = {}
        self.solid = _solid_variables(program)

    def fold(self, e: pg.E) -> pg.E:
        known = self._folded.get(id(e))
        if known is not None:
            return known[1]
        result = self._simpler(rebuilt(e, self.fold))
        self._folded[id(e)] = (e, result)
        self._folded[id(result)] = (result, result)
        return result

    def body(self, name: str) -> pg.E:
        """A define as one expression over its parameters."""
        if name not in self._bodies:
            found: pg.E | None = None
            for test, value in reversed(self.program.defines[name].cases):
                if test is None or found is None:
                    found = value  # the last case is for everything else
                else:
                    found = pg.IfE(test, value, found, type=value.type)
            assert found is not None
            self._bodies[name] = self.fold(found)
        return self._bodies[name]

    def may_be_opened(self, e: pg.E) -> bool:
        """Whether a body may stand, with everything it calls, where it is asked for."""
        return self._written_out(e) <= MOST_WRITTEN_OUT

    def _written_out(self, e: pg.E) -> int:
        """The size of an expression with the body of every define in place of the calls."""
        if id(e) not in self._sizes:
            size = 1 + sum(map(self._written_out, sub_expressions(e)))
            if isinstance(e, pg.CallE):
                size += self._written_out(self.body(e.define))
            self._sizes[id(e)] = (e, size)
        return self._sizes[id(e)][1]

    def amount(self, name: str) -> pg.E | None:
        """A quantity as one expression over its parameters, when it is simple."""
        if name not in self._amounts:
            found = amount(self.program.quantities[name])
            self._amounts[name] = None if found is None else self.fold(found)
        return self._amounts[name]

    def legal(self, name: str) -> pg.E | None:
        """Whether no clause forbids an action, over its parameters; None when it has duties to meet."""
        action = self.program.actions[name]
        if action.ladders:
            return None
        against = tuple(clause_condition(c) for c in action.forbids)
        return self.fold(pg.NotE(pg.LogicE("or", against, type=FLAG), type=FLAG))

    # ---- one node, its parts folded already
    def _simpler(self, e: pg.E) -> pg.E:
        match e:
            case pg.SettingGet(name=name):
                value = self.settings[name]
                return pg.Const(int(value) if isinstance(value, bool) else value, type=e.type)
            case pg.AttrGet(attribute=attribute, of=pg.Const(value=int(owner))):
                if attribute.printed and not attribute.per_face:
                    value = attribute.default if owner < 0 else attribute.values[owner]
                    return pg.Const(int(value) if isinstance(value, bool) else value, type=e.type)  # type: ignore[arg-type]
            case pg.AttrGet(attribute=attribute) if _is_uniform(attribute):
                value = attribute.default
                return pg.Const(int(value) if isinstance(value, bool) else value, type=e.type)
            case pg.BuiltinE(name="opponent", arguments=(pg.Const(value=int(player)),)):
                return pg.Const((player + 1) % len(self.program.world.universes["player"]), type=e.type)
            case pg.NotE(value=pg.Const(value=value)):
                return FALSE if value else TRUE
            case pg.NotE(value=pg.NotE(value=inner)):
                return inner
            case pg.NotE(value=pg.LogicE(op=op, parts=parts)):  # all the way down, so that parts can be told
                other = "or" if op == "and" else "and"
                return self.fold(pg.LogicE(other, tuple(negated(p) for p in parts), type=FLAG))
            case pg.NotE(value=pg.IfE(condition=test, then=then, otherwise=otherwise)):
                return self.fold(pg.IfE(test, negated(then), negated(otherwise), type=FLAG))
            case pg.LogicE(op=op, parts=parts):
                for number, part in enumerate(parts):
                    decides = isinstance(part, pg.Const) and bool(part.value) == (op == "or")
                    if decides and any(map(self._may_find_nothing, parts[:number])):
                        return replace(e, parts=parts[: number + 1])  # it is asked before, and stops the rule
                return simpler_logic(e)
            case pg.CompareE(op=op, left=pg.Const(value=a), right=pg.Const(value=b)):
                return TRUE if COMPARE[op](a, b) else FALSE
            case pg.Arith(op=op, left=pg.Const(value=a), right=pg.Const(value=b)) if op in _ARITHMETIC:
                if isinstance(a, (int, Fraction)) and isinstance(b, (int, Fraction)):
                    value = _ARITHMETIC[op](a, b)
                    if _is_harmless(value):  # else whoever asks for it is stopped
                        return pg.Const(value, type=e.type)
            case pg.IfE():
                return simpler_choice(e)
            case pg.SetOp():
                return self._set(e)
            case pg.SomeE(group=pg.Filter(group=pg.SingleSet(value=value), var=var, condition=test)):
                there = pg.NotE(pg.CompareE("=", value, pg.Const(-1, type=value.type), type=FLAG), type=FLAG)
                if is_atom(value):
                    return self.fold(pg.LogicE("and", (there, substituted(test, {var: value})), type=FLAG))
            case pg.CallE(define=name, arguments=arguments):
                return self._inlined(e, self.program.defines[name].params, self.body(name), arguments)
            case pg.QuantityE(quantity=name, arguments=arguments):
                value = self.amount(name)
                if value is not None:
                    return self._inlined(e, self.program.quantities[name].params, value, arguments)
            case _:
                pass
        return e

    def _inlined(self, e: pg.E, params: tuple[pg.Var, ...], body: pg.E, arguments: tuple[pg.E, ...]) -> pg.E:
        """The body of a define or a quantity in place of a call, when that repeats no work."""
        if any(a.type.kind == "number" and self.magnitudes.bits(a) > ARGUMENT_BITS for a in arguments):
            return e  # what is handed over is looked at
        if any(not is_atom(a) and self._may_find_nothing(a) for a in arguments):
            return e  # it is asked for before the body, and stops the rule also where the body does not ask
        if isinstance(body, pg.Const):
            return body
        if node_count(body) > self.most_nodes or loop_depth(body) > MOST_LOOPS:
            return e
        if all(is_atom(a) or uses(body, p) <= 1 for p, a in zip(params, arguments, strict=True)):
            return self.fold(substituted(body, dict(zip(params, arguments, strict=True))))
        return e

    def _may_find_nothing(self, e: pg.E) -> bool:
        if id(e) not in self._stopping:
            self._stopping[id(e)] = (e, may_find_nothing(self.program, e))
        return self._stopping[id(e)][1]

    def _set(self, e: pg.SetOp) -> pg.E:
        """Conditions go outside, so that all of them are seen together; a whole universe limits nothing."""
        if e.op == "&":
            if self._is_all(e.left):
                return e.right
            if self._is_all(e.right):
                return e.left
            for one, other in ((e.left, e.right), (e.right, e.left)):
                if isinstance(one, pg.Filter):
                    both = pg.SetOp("&", one.group, other, type=e.type)
                    return self.fold(pg.Filter(self._set(both), one.var, one.condition, type=e.type))
        elif e.op == "-" and isinstance(e.left, pg.Filter):
            rest = pg.SetOp("-", e.left.group, e.right, type=e.type)
            return self.fold(pg.Filter(rest, e.left.var, e.left.condition, type=e.type))
        return e

    def _is_all(self, e: pg.E) -> bool:
        if not isinstance(e, pg.ClassSet) or e.type.of_enum:
            return False
        universe = self.program.world.universes[e.type.name]
        return universe.mask(e.type.of) == universe.mask()


def _is_harmless(value: int | Fraction) -> bool:
    return abs(value.numerator) <= LARGEST and value.denominator <= LARGEST


def _is_uniform(attribute: Attribute) -> bool:
    """Whether everything has the same printed value, and so has none: a flag that nothing carries."""
    if not attribute.printed or attribute.per_face or attribute.type.kind not in ("flag", "number"):
        return False
    return all(value == attribute.default for value in attribute.values)


def _solid_variables(program: pg.Program) -> frozenset[pg.Var]:
    """Variables of procedures that are never none: all that is ever put into them is a thing."""
    given: dict[pg.Var, list[pg.E]] = {}
    for procedure in program.procedures.values():
        for step in walk_steps(procedure.body):
            if isinstance(step, pg.LetS):
                given.setdefault(step.var, []).append(step.value)
    solid = set(given)

    def is_thing(e: pg.E) -> bool:
        if isinstance(e, pg.VarGet):
            return e.var in solid
        if isinstance(e, pg.BuiltinE):
            return e.name in BUILTINS and BUILTINS[e.name].solid
        return isinstance(e, pg.Const) and e.value != -1

    while doubtful := {var for var in solid if not all(map(is_thing, given[var]))}:
        solid -= doubtful
    return frozenset(solid)
