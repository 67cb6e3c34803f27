"""Lowering of sets: masks, and what is asked of them (is there one, how many, who has most)."""

from __future__ import annotations

from typing import assert_never

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.statements import Arm, If, Let, Update
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.goals import route_and_goal
from interpreter.compiling.optimise.magnitude import SMALL_BITS
from interpreter.compiling.optimise.vectorise import occupancy, select
from interpreter.compiling.optimise.vectorise.adjacency_tables import fixed_between, near_table
from interpreter.compiling.unit import Env
from interpreter.running.numbers import HUGE_BITS
from rulesdsl import program as pg
from rulesdsl.program.logic import TRUE, both, conjuncts, substituted


def set_code(em: Builder, env: Env, e: pg.Group) -> Value:
    """A set as a mask."""
    unit, layout, code = em.unit, em.unit.layout, em.unit.lowering.code
    match e:
        case pg.ClassSet(type=type_):
            if type_.of_enum:
                return unit.literal((1 << len(unit.program.world.enums[type_.name].values)) - 1)
            return unit.literal(unit.program.world.universes[type_.name].mask(type_.of))
        case pg.NumbersE(low=low, high=high):
            return v.Call("numbers_between", (code(em, env, low), code(em, env, high)), unit.kind(e.type))
        case pg.PiecesIn(place=place):
            return v.Cell(layout.pieces_in, code(em, env, place), unit.mask_kind("piece"))
        case pg.Neighbours(place=place):
            if place.type.kind == "set":
                return v.Call("neighbours_of", (code(em, env, place),), unit.mask_kind("space"))
            return v.Item(v.Name("ADJ"), code(em, env, place), unit.mask_kind("space"))
        case pg.BordersBetween(one=one, other=other):
            return v.Binary("&", _borders(em, env, one), _borders(em, env, other))
        case pg.SpacesOf(pieces=pieces):
            return _spaces_of(em, code(em, env, pieces))
        case pg.SetOp(op=op, left=left, right=right):
            a, b = code(em, env, left), code(em, env, right)
            if op == "|":
                return unit.unite([a, b])
            return unit.intersect([a, unit.complement(b) if op == "-" else b])
        case pg.SingleSet(value=value):
            return unit.bit(value.type.name, code(em, env, value))
        case pg.Filter():
            group, var, test = _one_filter(e)
            within, test = _within(em, env, group, var, test)
            return select.select(em, env, test, frozenset({var}), within)
        case pg.NearestE(group=group, place=place):
            candidates = code(em, env, group)
            start = code(em, env, place)
            if place.type.kind != "set":
                start = unit.bit("space", start)
            return v.Call("nearest", (candidates, start), unit.mask_kind("space"))
        case _:
            assert_never(e)


def _borders(em: Builder, env: Env, e: pg.E) -> Value:
    """The borders of a space, or of a set of spaces."""
    value, kind = em.code(env, e), em.unit.mask_kind("border")
    if e.type.kind == "set":
        return v.Call("borders_of", (value,), kind)
    return v.Item(v.Name("INC"), value, kind)


def _spaces_of(em: Builder, pieces: Value) -> Value:
    if em.unit.does(Knack.PLACES):
        return occupancy.occupied(em, pieces)
    total, piece = em.temp("w", em.unit.mask_kind("space")), em.temp("p", em.unit.thing_kind("piece"))
    at = em.unit.layout.arrays["piece", "at"].base
    em.let(total, v.ZERO)
    with em.each(pieces, piece):
        em.update(total, "|", em.unit.bit("space", v.Cell(at, piece, em.unit.thing_kind("space"))))
    return total


def _one_filter(e: pg.Filter) -> tuple[pg.E, pg.Var, pg.E]:
    """A chain of filters as one: the set, the member, all conditions, innermost first."""
    conditions: list[pg.E] = []
    node: pg.E = e
    while isinstance(node, pg.Filter):
        if node.var is e.var:
            conditions.append(node.condition)
        else:
            conditions.append(substituted(node.condition, {node.var: pg.VarGet(e.var, type=e.var.type)}))
        node = node.group
    conditions.reverse()
    return node, e.var, both(conditions)


def _within(em: Builder, env: Env, group: pg.E, var: pg.Var, test: pg.E) -> tuple[Value, pg.E]:
    """The set that a condition is asked of, and the condition; what never changes is part of the set."""
    parts = conjuncts(em.unit.folded(test))
    sides = (group.left, group.right) if isinstance(group, pg.SetOp) and group.op == "&" else (group,)
    for side in sides:
        match side:
            case pg.Neighbours(place=pg.VarGet(var=place)) if place.type.kind == "thing" and em.unit.does(
                Knack.NEAR
            ):
                fixed = fixed_between(em.unit, parts, place, var)
                table = near_table(em.unit, fixed, place, var) if fixed else None
                if table is not None:
                    near = v.Item(table, env[place], em.unit.mask_kind("space"))
                    others = [em.code(env, other) for other in sides if other is not side]
                    left = [part for part in parts if part not in fixed]
                    return em.unit.intersect([near, *others]), both(left) if left else TRUE
    return em.code(env, group), test


def some(em: Builder, env: Env, group: pg.E) -> Value:
    """Whether a set has a member: a loop ends with the first."""
    if not isinstance(group, pg.Filter):
        return _some_end(em, env, group) or em.code(env, group)
    base, var, test = _one_filter(group)
    within, test = _within(em, env, base, var, test)
    return select.any_member(em, env, test, frozenset({var}), within)


def _some_end(em: Builder, env: Env, group: pg.E) -> Value | None:
    """Whether a route can end anywhere, or anywhere in a set: less work than all its ends."""
    found = route_and_goal(em, env, group)
    if found is None:
        return None
    route, within = found
    values = tuple([em.code(env, a) for a in route.arguments])
    name = em.unit.naming.called("any", route.route)
    return v.Call(name, (STATE, *values, within), em.unit.mask_kind("space"))


def total(em: Builder, env: Env, group: pg.E, var: pg.Var, value: pg.E) -> Value:
    result, member = em.temp("n", NUMBER), em.temp("v", em.unit.kind(var.type))
    mask = em.code(env, group)
    em.let(result, v.ZERO)
    with em.each(mask, member):
        more = em.code({**env, var: member}, value)
        if em.unit.magnitudes.bits(value) + SMALL_BITS > HUGE_BITS:
            em.let(result, v.Call("plus", (result, more), NUMBER))
        else:
            em.update(result, "+", more)
    return result


def extreme(em: Builder, env: Env, e: pg.ExtremeE | pg.ArgExtreme) -> Value:
    best, who = em.temp("x", NUMBER), em.temp("w", em.unit.kind(e.group.type))
    member, value = em.temp("v", em.unit.kind(e.var.type)), em.temp("n", NUMBER)
    mask = em.code(env, e.group)
    better = "<" if e.extreme == "least" else ">"
    em.let(best, v.NOTHING)
    em.let(who, v.ZERO)
    with em.each(mask, member):
        em.let(value, em.code({**env, e.var: member}, e.value))
        is_better = v.Logic("or", (v.Compare("is", best, v.NOTHING), v.Compare(better, value, best)))
        first = Arm(is_better, [Let(best, value), Let(who, v.Bit(member))])
        em.add(If([first, Arm(v.Compare("==", value, best), [Update(who, "|", v.Bit(member))])]))
    if isinstance(e, pg.ArgExtreme):
        return who
    return v.Choose(v.Compare("is not", best, v.NOTHING), best, v.ZERO)
