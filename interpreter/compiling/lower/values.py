"""Lowering of values: expressions of the program as values of generated code. Sets are masks, see sets.py;
rules are made smaller first, see optimise/fold.py."""

from __future__ import annotations

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower import sets
from interpreter.compiling.optimise.constants import printed_chain
from interpreter.compiling.optimise.magnitude import ARGUMENT_BITS
from interpreter.compiling.unit import Env
from interpreter.running.numbers import HUGE_BITS, KEPT_BITS
from rulesdsl import program as pg
from rulesdsl.program import types

MOST_INSIDE = 12  # conditions, one under the other
_CHECKED = {"+": "plus", "-": "minus", "*": "times"}
STEPS, SPENT = v.Local("steps_", NUMBER), v.Local("spent_", NUMBER)
# How far a way has come, for who asks about a step of it outside of its search.
STEPS_TAKEN, SPENT_SO_FAR = pg.Var("steps", types.NUMBER), pg.Var("spent", types.NUMBER)
ON_THE_WAY = {STEPS_TAKEN: STEPS.name, SPENT_SO_FAR: SPENT.name}
_STEP_FACTS: dict[str, Value] = {
    "first_step": v.Compare("==", STEPS, v.ZERO), "steps": STEPS, "spent": SPENT,
}  # fmt: skip


def code(em: Builder, env: Env, e: pg.E) -> Value:
    """The value of `e`; may add statements before it."""
    unit, layout = em.unit, em.unit.layout
    e = pg.closed(unit.folded(e))
    match e:
        case pg.Const(value=value):
            return unit.literal(value)
        case pg.VarGet(var=var):
            return env[var]
        case pg.TrackGet(track=track):
            return v.Cell(layout.tracks[track], None, unit.kind(e.type))
        case pg.FieldGet(record=record, field=name):
            return v.Cell(layout.fields[record, name], None, unit.kind(e.type))
        case pg.SettingGet(name=name):
            return unit.setting(name)
        case pg.StepFact(name=name):
            return _STEP_FACTS[name]
        case pg.AttrGet():
            return _attribute(em, env, e)
        case pg.Arith():
            return _arithmetic(em, env, e)
        case pg.NotE(value=value):
            return v.Not(code(em, env, value))
        case pg.LogicE():
            return _logic(em, env, e)
        case pg.CompareE(op=op, left=left, right=right):
            sign = "==" if op == "=" else op
            one, other = code(em, env, left), code(em, env, right)
            if left.type.kind == "flag":  # what holds may be any number but 0
                return v.Compare(sign, v.Not(one), v.Not(other))
            return v.Compare(sign, one, other)
        case pg.CallE(define=name, arguments=arguments):
            return _call(em, env, unit.naming.called("d", name), e, arguments)
        case pg.QuantityE(quantity=name, arguments=arguments):
            return _call(em, env, unit.naming.called("q", name), e, arguments)
        case pg.RouteE(route=name, arguments=arguments):
            return _call(em, env, unit.naming.called("r", name), e, arguments)
        case pg.LegalE(action=name, arguments=arguments):
            return _call(em, env, unit.naming.called("ok", name), e, arguments)
        case pg.BuiltinE():
            return _builtin(em, env, e)
        case pg.PlayableE(window=window, arguments=arguments):
            return _call(em, env, unit.naming.called("play", window), e, arguments)
        case pg.LookupE(table=table, keys=keys):
            values = tuple([code(em, env, k) for k in keys])
            return v.Call(unit.naming.called("T", table), values, unit.kind(e.type))
        case pg.ResultField(result=result, field=name):
            shape = unit.program.tables[result.type.name].result
            index = [f.name for f in shape.fields].index(name)
            return v.Item(code(em, env, result), v.Number(index), unit.kind(e.type))
        case pg.AfterE():
            return unit.lowering.afterwards(em, env, e)
        case pg.IfE(condition=test, then=then, otherwise=otherwise):
            return _if(em, env, test, then, otherwise)
        case pg.SomeE(group=group):
            return sets.some(em, env, group)
        case pg.Member(value=value, group=group):
            members = code(em, env, group)
            return v.Binary("&", members, unit.bit(value.type.name, code(em, env, value)))
        case pg.CountE(group=group):
            return v.Count(code(em, env, group))
        case pg.FirstE(group=group):
            return v.First(em.atom(code(em, env, group), "m"))
        case pg.SumE(group=group, var=var, value=value):
            return sets.total(em, env, group, var, value)
        case pg.ExtremeE() | pg.ArgExtreme():
            return sets.extreme(em, env, e)
        case _:
            return sets.set_code(em, env, e)


def _attribute(em: Builder, env: Env, e: pg.AttrGet) -> Value:
    unit, layout, attribute = em.unit, em.unit.layout, e.attribute
    kind = unit.kind(e.type)
    if unit.does(Knack.CHAINS) and (chain := printed_chain(e)) is not None:
        return v.Item(unit.constant("chain", chain[1]), code(em, env, chain[0]), kind)
    owner = code(em, env, e.of)
    if attribute.printed:
        if attribute.per_face:
            values = tuple(one if isinstance(one, tuple) else (one,) for one in attribute.values)
            table = unit.constant("by_face", (*values, (attribute.default,)))
            who = em.atom(owner, "p")
            face = v.Cell(layout.arrays["piece", "face"].base, who, NUMBER)
            return v.Item(v.Item(table, who), face, kind)
        return v.Item(unit.printed(attribute), owner, kind)
    if attribute.type.kind == "flag":
        raised = em.unit.flag_mask(attribute.universe, attribute.name)
        return v.Binary("&", raised, unit.bit(attribute.universe, owner))
    return v.Cell(layout.arrays[attribute.universe, attribute.name].base, owner, kind)


def stored(em: Builder, env: Env, e: pg.E) -> Value:
    """A value on its way into the state or a frame: there a flag is 0 or 1, and a number not too large."""
    value = code(em, env, e)
    if e.type.kind == "number" and em.unit.magnitudes.bits(e) > KEPT_BITS:
        return v.Call("kept", (value,), NUMBER)
    if e.type.kind != "flag" or value in (v.ZERO, v.ONE):
        return value
    return v.Choose(value, v.ONE, v.ZERO)


def _arithmetic(em: Builder, env: Env, e: pg.Arith) -> Value:
    left, right = code(em, env, e.left), code(em, env, e.right)
    if e.op == "/":
        return v.Call("divide", (left, right), NUMBER)
    return operation(e.op, left, right, em.unit.magnitudes.unchecked(e))


def operation(op: str, left: Value, right: Value, bits: int) -> Value:
    """A sum, difference or product; its size is looked at unless it is known to be harmless."""
    if bits > HUGE_BITS:
        return v.Call(_CHECKED[op], (left, right), NUMBER)
    return v.Binary(op, left, right)


def _call(em: Builder, env: Env, name: str, e: pg.E, arguments: tuple[pg.E, ...]) -> Value:
    values = [given(em, env, a) for a in arguments]
    return v.Call(name, (STATE, *values), em.unit.kind(e.type))


def given(em: Builder, env: Env, e: pg.E) -> Value:
    """A value that is handed to a rule."""
    value = code(em, env, e)
    if e.type.kind == "number" and em.unit.magnitudes.bits(e) > ARGUMENT_BITS:
        return v.Call("argument", (value,), NUMBER)
    return value


def _builtin(em: Builder, env: Env, e: pg.BuiltinE) -> Value:
    match e.name, e.arguments:
        case "floor" | "ceiling", (pg.Arith(op="/", left=left, right=pg.Const(value=int(by))),) if by > 0:
            value = code(em, env, left)
            if e.name == "floor":
                return v.Binary("//", value, v.Number(by))
            return v.Negative(v.Binary("//", v.Negative(value), v.Number(by)))
    values = tuple([code(em, env, a) for a in e.arguments])
    kind = em.unit.kind(e.type)
    if e.name == "place_of":
        return v.Cell(em.unit.layout.arrays["piece", "at"].base, values[0], kind)
    if e.name == "opponent":
        size = len(em.unit.program.world.universes["player"])
        return v.Binary("%", v.Binary("+", values[0], v.ONE), v.Number(size))
    return v.Call(e.name, values, kind)


def _logic(em: Builder, env: Env, e: pg.LogicE) -> Value:
    parts: list[Value] = []
    forks: list[Builder] = []
    for part in e.parts:
        fork = em.fork()
        parts.append(code(fork, env, part))
        forks.append(fork)
    if not parts:
        return v.ONE
    if not any(f.body for f in forks[1:]):
        em.join(forks[0])
        return v.Logic(e.op, tuple(parts)) if len(parts) > 1 else parts[0]
    # a later part needs statements of its own: nest them, so that they run only when they matter
    result = em.temp("c", FLAG)
    em.join(forks[0])
    em.let(result, parts[0])
    start = em.depth
    for number, (fork, value) in enumerate(zip(forks[1:], parts[1:], strict=True)):
        if number % MOST_INSIDE == 0:  # Python indents 100 times at most; side by side means the same
            em.back_to(start)
        em.enter(result if e.op == "and" else v.Not(result))
        em.join(fork)
        em.let(result, value)
    em.back_to(start)
    return result


def _if(em: Builder, env: Env, test: pg.E, then: pg.E, otherwise: pg.E) -> Value:
    condition = code(em, env, test)
    one, other = em.fork(), em.fork()
    a, b = code(one, env, then), code(other, env, otherwise)
    if not one.body and not other.body:
        return v.Choose(condition, a, b)
    result = em.temp("i", a.kind)
    with em.branch(condition):
        em.join(one)
        em.let(result, a)
    with em.otherwise():
        em.join(other)
        em.let(result, b)
    return result
