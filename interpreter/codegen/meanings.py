"""Defines, quantities and permissions as functions over the state.

Each is generated from the same description twice when asked: plain, and explained (`x_`), where every
contribution or prohibition that applied is reported. There is no second implementation to drift.
"""

from __future__ import annotations

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code, is_small
from interpreter.codegen.reads import shared_reads
from rulesdsl import program as pg
from rulesdsl.checker.meanings import STAGE_OF


def params(variables: tuple[pg.Var, ...]) -> tuple[Env, str]:
    """Python names for parameters, and the parameter list."""
    env = {var: f"p{i}_{var.name}" for i, var in enumerate(variables)}
    return env, ", ".join(["s", *env.values()])


def function(em: Emitter, head: str) -> str:
    return "\n".join([f"def {head}:", *(em.lines if em.unit.traced else shared_reads(em.lines))])


def define_function(unit: Unit, define: pg.DefineRule) -> str:
    em = Emitter(unit)
    env, head = params(define.params)
    for test, value in define.cases:
        if test is None:
            em.emit(f"return {code(em, env, value)}")
        else:
            em.emit(f"if {code(em, env, test)}:")
            with em.indented():
                em.emit(f"return {code(em, env, value)}")
    return function(em, f"d_{define.name}({head})")


# ---- quantities --------------------------------------------------------------------------------------
def quantity_function(unit: Unit, quantity: pg.QuantityRule, explained: bool = False) -> str:
    """The value of a quantity; explained, also the list of (what, op, amount, value after): `what` is the
    number of a change, or the name of what the quantity itself does (its base, its limits)."""
    em = Emitter(unit)
    env, head = params(quantity.params)
    em.emit(f"q = {code(em, env, quantity.base)}")
    if explained:
        em.emit("out = [('base', '=', q, q)]")
    for stage in quantity.stages:
        for number, change in enumerate(quantity.changes):
            if STAGE_OF[change.op] == stage:
                _change(em, env, quantity, number, explained)
    _bounds(em, env, quantity, explained)
    em.emit("return q, out" if explained else "return q")
    name = quantity.name.replace(".", "__")
    return function(em, f"{'x' if explained else 'q'}_{name}({head})")


def _bounds(em: Emitter, env: Env, quantity: pg.QuantityRule, explained: bool) -> None:
    """Rounding and limits of the whole; explained, each that made a difference is a line of its own."""
    if quantity.rounding is not None:
        if explained:
            em.emit("before = q")
        em.emit(f"q = round_{quantity.rounding}(q)")
        if explained:
            label = f"rounded {quantity.rounding}"
            em.emit(f"if q != before: out.append(({label!r}, '=', q, q))")
    for op, pick, limit in (("at least", "max", quantity.floor), ("at most", "min", quantity.ceiling)):
        if limit is None:
            continue
        if not explained:
            em.emit(f"q = {pick}(q, {code(em, env, limit)})")
            continue
        bound = em.atom(code(em, env, limit), "k")
        em.emit(f"if {pick}(q, {bound}) != q:")
        with em.indented():
            em.emit(f"q = {bound}")
            em.emit(f"out.append(('limit', {op!r}, {bound}, q))")


def _change(em: Emitter, env: Env, quantity: pg.QuantityRule, number: int, explained: bool) -> None:
    depth, change = em.depth, quantity.changes[number]
    if change.condition is not None:
        test = code(em, env, change.condition)
        if test == "0":  # by the settings, it never applies
            return
        em.emit(f"if {test}:")
        em.depth += 1
    for other in quantity.changes:  # an exception that applies silences the rule it names
        if change.rule in other.despite and other is not change:
            test = code(em, env, other.condition) if other.condition is not None else "1"
            em.emit(f"if not {test}:")
            em.depth += 1
    em.fired(change.rule)
    value = em.atom(code(em, env, change.value), "k")
    rounding = change.rounding
    match change.op:
        case "+" | "-":
            em.emit(f"q {change.op}= {value}")
        case "x" if is_small(value):
            em.emit(f"q = q * {value}")
        case "x":
            em.emit(f"q = times(q, {value})")
        case "/" if value.isdigit() and int(value) and rounding in ("down", "up"):
            em.emit(f"q = q // {value}" if rounding == "down" else f"q = -(-q // {value})")
            rounding = None
        case "/":
            em.emit(f"q = divide(q, {value})")
        case "shift +" | "shift -":
            sign = change.op[-1]
            top = _top(em, quantity)
            em.emit(f"q = min(max(q {sign} {value}, 0), {top})" if top else f"q = q {sign} {value}")
        case "=":
            em.emit(f"q = {value}")
        case "at least":
            em.emit(f"q = max(q, {value})")
        case "at most":
            em.emit(f"q = min(q, {value})")
    if rounding is not None:
        em.emit(f"q = round_{rounding}(q)")
    if change.floor is not None:
        least = em.atom(code(em, env, change.floor), "k")
        em.emit(f"if q < {least}: q = {least}")
    if explained:
        em.emit(f"out.append(({number}, {change.op!r}, {value}, q))")
    em.depth = depth


def _top(em: Emitter, quantity: pg.QuantityRule) -> int:
    """The last place of the scale a quantity moves on, 0 for plain numbers."""
    if quantity.type.kind != "enum":
        return 0
    return len(em.unit.program.world.enums[quantity.type.name].values) - 1


# ---- permissions ---------------------------------------------------------------------------------------
def clause_code(em: Emitter, env: Env, clause: pg.Clause) -> str:
    """Whether a clause holds and none of its exceptions does."""
    test = code(em, env, clause.condition) if clause.condition is not None else "1"
    if not clause.exceptions:
        return test
    holds = em.temp("h")
    em.emit(f"{holds} = {test}")
    for exception in clause.exceptions:
        em.emit(f"if {holds}:")
        with em.indented():
            em.emit(f"if {clause_code(em, env, exception)}:")
            with em.indented():
                em.fired(exception.rule)
                em.emit(f"{holds} = 0")
    return holds


def refuse_if(em: Emitter, env: Env, clauses: tuple[pg.Clause, ...], refusal: str) -> None:
    """`refusal` (a statement) runs as soon as one clause holds."""
    for clause in clauses:
        em.emit(f"if {clause_code(em, env, clause)}:")
        with em.indented():
            em.fired(clause.rule)
            em.emit(refusal)


def action_function(unit: Unit, action: pg.ActionRule) -> str:
    em = Emitter(unit)
    env, head = params(action.params)
    refuse_if(em, env, action.forbids, "return 0")
    for ladder in action.ladders:
        _ladder(em, env, ladder, None)
    em.emit("return 1")
    return function(em, f"ok_{action.name}({head})")


def refusals_function(unit: Unit, action: pg.ActionRule) -> str:
    """The numbers of all clauses that forbid an action: forbids first, then (ladder, rung)."""
    em = Emitter(unit)
    env, head = params(action.params)
    em.emit("out = []")
    for number, clause in enumerate(action.forbids):
        em.emit(f"if {clause_code(em, env, clause)}:")
        em.emit(f"    out.append(('forbid', {number}))")
    for number, ladder in enumerate(action.ladders):
        _ladder(em, env, ladder, number)
    em.emit("return out")
    return function(em, f"why_{action.name}({head})")


def _ladder(em: Emitter, env: Env, ladder: pg.Ladder, number: int | None) -> None:
    """The first rung that is met ends the obligation; the first that is possible and unmet refuses."""
    depth = em.depth
    if ladder.condition is not None:
        em.emit(f"if {code(em, env, ladder.condition)}:")
        em.depth += 1
    for position, rung in enumerate(ladder.rungs):
        em.emit(f"if not {code(em, env, rung.met)}:")
        em.depth += 1
        refusal = "return 0" if number is None else f"out.append(('must', {number}, {position}))"
        if rung.possible is None:
            em.fired(ladder.rule)
            em.emit(refusal)
            break
        em.emit(f"if {code(em, env, rung.possible)}:")
        with em.indented():
            em.fired(ladder.rule)
            em.emit(refusal)
        em.emit("else:")
        em.depth += 1
    else:
        em.emit("pass")
    em.depth = depth
