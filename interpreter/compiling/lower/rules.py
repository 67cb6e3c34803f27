"""Defines, quantities and permissions as functions over the state.

Each is generated from the same description twice when asked: plain, and explained (`x_`), where every
contribution or prohibition that applied is reported. There is no second implementation to drift.
"""

from __future__ import annotations

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import Function, Let, Return, Statement
from interpreter.compiling.ir.values import Value
from interpreter.compiling.ir.ways import ALLOWED, CHANGED, FORBADE
from interpreter.compiling.lower.values import code, operation
from interpreter.compiling.unit import Env, Unit
from interpreter.running.numbers import HUGE_BITS
from rulesdsl import program as pg
from rulesdsl.checking.bodies.meanings import STAGE_OF, STAGES

_Q, _OUT, _BEFORE = v.Local("q", NUMBER), v.Local("out"), v.Local("before", NUMBER)


def params(unit: Unit, variables: tuple[pg.Var, ...]) -> tuple[Env, tuple[str, ...]]:
    """Locals for parameters, and the parameter list."""
    env: Env = {var: v.Local(f"p_{i}", unit.kind(var.type)) for i, var in enumerate(variables)}
    return env, ("s", *(f"p_{i}" for i in range(len(variables))))


def function(em: Builder, name: str, parameters: tuple[str, ...]) -> Function:
    return Function(name, parameters, em.body)


def define_function(unit: Unit, define: pg.DefineRule) -> Function:
    em = Builder(unit)
    env, head = params(unit, define.params)
    for test, value in define.cases:
        if test is None:
            em.give(code(em, env, value))
        else:
            with em.branch(code(em, env, test)):
                em.give(code(em, env, value))
    return function(em, unit.naming.called("d", define.name), head)


# ---- quantities --------------------------------------------------------------------------------------
def quantity_function(unit: Unit, quantity: pg.QuantityRule, explained: bool = False) -> Function:
    """The value of a quantity; explained, also the list of (what, op, amount, value after): `what` is the
    number of a change, or the name of what the quantity itself does (its base, its limits)."""
    em = Builder(unit)
    env, head = params(unit, quantity.params)
    em.let(_Q, code(em, env, quantity.base))
    if explained:
        em.let(_OUT, v.Listing((v.Tuple((v.Word("base"), v.Word("="), _Q, _Q)),)))
    test = code(em, env, quantity.stages_when) if quantity.stages_when is not None else v.ONE
    if isinstance(test, v.Number):  # the settings are known
        _in_order(em, env, quantity, quantity.stages if test.value else STAGES, explained)
    else:
        with em.branch(test):
            _in_order(em, env, quantity, quantity.stages, explained)
            em.jump("pass")
        with em.otherwise():
            _in_order(em, env, quantity, STAGES, explained)
            em.jump("pass")
    _bounds(em, env, quantity, explained)
    em.give(v.Tuple((_Q, _OUT)) if explained else _Q)
    return function(em, unit.naming.called("x" if explained else "q", quantity.name), head)


def _in_order(
    em: Builder, env: Env, quantity: pg.QuantityRule, stages: tuple[str, ...], explained: bool
) -> None:
    """All changes, stage by stage."""
    bits = em.unit.magnitudes.bits(quantity.base)
    for stage in stages:
        for number, change in enumerate(quantity.changes):
            if STAGE_OF[change.op] == stage:
                _change(em, env, quantity, number, explained, bits)
                bits = em.unit.magnitudes.changed(bits, change)


def _reported(*what: Value) -> Value:
    return v.Method(_OUT, "append", (v.Tuple(what),))


def _bounds(em: Builder, env: Env, quantity: pg.QuantityRule, explained: bool) -> None:
    """Rounding and limits of the whole; explained, each that made a difference is a line of its own."""
    if quantity.rounding is not None:
        if explained:
            em.let(_BEFORE, _Q)
        em.let(_Q, v.Call(f"round_{quantity.rounding}", (_Q,), NUMBER))
        if explained:
            with em.branch(v.Compare("!=", _Q, _BEFORE)):
                em.do(_reported(v.Word(f"rounded {quantity.rounding}"), v.Word("="), _Q, _Q))
    for op, pick, limit in (("at least", "max", quantity.floor), ("at most", "min", quantity.ceiling)):
        if limit is None:
            continue
        if not explained:
            em.let(_Q, v.Call(pick, (_Q, code(em, env, limit)), NUMBER))
            continue
        bound = em.atom(code(em, env, limit), "k")
        with em.branch(v.Compare("!=", v.Call(pick, (_Q, bound), NUMBER), _Q)):
            em.let(_Q, bound)
            em.do(_reported(v.Word("limit"), v.Word(op), bound, _Q))


def _change(
    em: Builder, env: Env, quantity: pg.QuantityRule, number: int, explained: bool, bits: int
) -> None:
    """`bits`: how large the quantity may be before the change."""
    depth, change = em.depth, quantity.changes[number]
    if change.condition is not None:
        test = code(em, env, change.condition)
        if test == v.ZERO:  # by the settings, it never applies
            return
        em.enter(test)
    for other in quantity.changes:  # an exception that applies silences the rule it names
        if change.paragraph in other.despite and other is not change:
            em.enter(v.Not(code(em, env, other.condition) if other.condition is not None else v.ONE))
    em.fired(change.paragraph, CHANGED)
    value = em.atom(code(em, env, change.value), "k")
    _applied(em, quantity, change, value, em.unit.magnitudes.changed_unchecked(bits, change))
    if change.floor is not None:
        least = em.atom(code(em, env, change.floor), "k")
        em.when(v.Compare("<", _Q, least), Let(_Q, least))
    if explained:
        em.do(_reported(v.Number(number), v.Word(change.op), value, _Q))
    em.back_to(depth)


def _applied(em: Builder, quantity: pg.QuantityRule, change: pg.Change, value: Value, bits: int) -> None:
    """What a change does to the quantity, with its rounding."""
    rounding = change.rounding
    match change.op:
        case "+" | "-" if bits <= HUGE_BITS:
            em.update(_Q, change.op, value)
        case "+" | "-" | "x":
            em.let(_Q, operation(change.op.replace("x", "*"), _Q, value, bits))
        case "/" if isinstance(value, v.Number) and value.value > 0 and rounding in ("down", "up"):
            if rounding == "down":
                em.let(_Q, v.Binary("//", _Q, value))
            else:
                em.let(_Q, v.Negative(v.Binary("//", v.Negative(_Q), value)))
            rounding = None
        case "/":
            em.let(_Q, v.Call("divide", (_Q, value), NUMBER))
        case "shift +" | "shift -":
            top = _top(em, quantity)
            moved = operation(change.op[-1], _Q, value, bits)
            if top:
                moved = v.Call("max", (moved, v.ZERO), NUMBER)
                moved = v.Call("min", (moved, v.Number(top)), NUMBER)
            em.let(_Q, moved)
        case "=":
            em.let(_Q, value)
        case "at least":
            em.let(_Q, v.Call("max", (_Q, value), NUMBER))
        case "at most":
            em.let(_Q, v.Call("min", (_Q, value), NUMBER))
        case _:
            pass  # the checker knows no other operation
    if rounding is not None:
        em.let(_Q, v.Call(f"round_{rounding}", (_Q,), NUMBER))


def _top(em: Builder, quantity: pg.QuantityRule) -> int:
    """The last place of the scale a quantity moves on, 0 for plain numbers."""
    if quantity.type.kind != "enum":
        return 0
    return len(em.unit.program.world.enums[quantity.type.name].values) - 1


# ---- permissions ---------------------------------------------------------------------------------------
def clause_code(em: Builder, env: Env, clause: pg.Clause) -> Value:
    """Whether a clause holds and none of its exceptions does."""
    test = code(em, env, clause.condition) if clause.condition is not None else v.ONE
    if not clause.exceptions:
        return test
    holds = em.temp("h", FLAG)
    em.let(holds, test)
    for exception in clause.exceptions:
        with em.branch(holds), em.branch(clause_code(em, env, exception)):
            em.fired(exception.paragraph, ALLOWED)
            em.let(holds, v.ZERO)
    return holds


def refuse_if(em: Builder, env: Env, clauses: tuple[pg.Clause, ...], refusal: Statement) -> None:
    """`refusal` is done as soon as one clause holds."""
    for clause in clauses:
        with em.branch(clause_code(em, env, clause)):
            em.fired(clause.paragraph, FORBADE)
            em.add(refusal)


def action_function(unit: Unit, action: pg.ActionRule) -> Function:
    em = Builder(unit)
    env, head = params(unit, action.params)
    refuse_if(em, env, action.forbids, Return(v.ZERO))
    for ladder in action.ladders:
        _ladder(em, env, ladder, None)
    em.give(v.ONE)
    return function(em, unit.naming.called("ok", action.name), head)


def refusals_function(unit: Unit, action: pg.ActionRule) -> Function:
    """The numbers of all clauses that forbid an action: forbids first, then (ladder, rung)."""
    em = Builder(unit)
    env, head = params(unit, action.params)
    em.let(_OUT, v.Listing())
    for number, clause in enumerate(action.forbids):
        with em.branch(clause_code(em, env, clause)):
            em.do(_reported(v.Word("forbid"), v.Number(number)))
    for number, ladder in enumerate(action.ladders):
        _ladder(em, env, ladder, number)
    em.give(_OUT)
    return function(em, unit.naming.called("why", action.name), head)


def _ladder(em: Builder, env: Env, ladder: pg.Ladder, number: int | None) -> None:
    """The first rung that is met ends the obligation; the first that is possible and unmet refuses."""
    depth = em.depth

    def refuse(position: int) -> None:
        em.fired(ladder.paragraph, FORBADE)
        if number is None:
            em.give(v.ZERO)
        else:
            em.do(_reported(v.Word("must"), v.Number(number), v.Number(position)))

    if ladder.condition is not None:
        em.enter(code(em, env, ladder.condition))
    for position, rung in enumerate(ladder.rungs):
        em.enter(v.Not(code(em, env, rung.met)))
        if rung.possible is None:
            refuse(position)
            break
        with em.branch(code(em, env, rung.possible)):
            refuse(position)
        em.enter_otherwise()
    else:
        em.jump("pass")
    em.back_to(depth)
