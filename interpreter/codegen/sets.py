"""Sets as Python source: bit masks, and what is asked of them (is there one, how many, who has most)."""

from __future__ import annotations

from interpreter.codegen import expressions as ex
from interpreter.codegen import presence, selection
from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.nearby import fixed_between, near_table
from interpreter.codegen.trees import TRUE, both, conjuncts, substituted
from rulesdsl import program as pg


def set_code(em: Emitter, env: Env, e: pg.E) -> str:
    """Python source for a set as a mask."""
    unit, layout, code = em.unit, em.unit.layout, ex.code
    match e:
        case pg.ClassSet(type=type_):
            if type_.of_enum:
                return unit.literal((1 << len(unit.program.world.enums[type_.name].values)) - 1)
            return unit.literal(unit.program.world.universes[type_.name].mask(type_.of))
        case pg.PiecesIn(place=place):
            return f"s[{layout.pieces_in} + {code(em, env, place)}]"
        case pg.Neighbours(place=place):
            if place.type.kind == "set":
                return f"neighbours_of({code(em, env, place)})"
            return f"ADJ[{code(em, env, place)}]"
        case pg.BordersBetween(one=one, other=other):
            sides = [
                f"borders_of({code(em, env, x)})" if x.type.kind == "set" else f"INC[{code(em, env, x)}]"
                for x in (one, other)
            ]
            return f"({sides[0]} & {sides[1]})"
        case pg.SpacesOf(pieces=pieces):
            return _spaces_of(em, code(em, env, pieces))
        case pg.SetOp(op=op, left=left, right=right):
            a, b = code(em, env, left), code(em, env, right)
            if op == "|":
                return unit.unite([a, b])
            return unit.intersect([a, unit.complement(b) if op == "-" else b])
        case pg.SingleSet(value=value):
            return f"{unit.bits(value.type.name)}[{code(em, env, value)}]"
        case pg.Filter():
            group, var, test = _one_filter(e)
            within, test = _within(em, env, group, var, test)
            return selection.select(em, env, test, frozenset({var}), within)
        case pg.NearestE(group=group, place=place):
            candidates = code(em, env, group)
            start = code(em, env, place)
            if place.type.kind != "set":
                start = f"{unit.bits('space')}[{start}]"
            return f"nearest({candidates}, {start})"
        case _:
            raise AssertionError(f"no code for {type(e).__name__}")


def _spaces_of(em: Emitter, pieces: str) -> str:
    if not em.unit.traced:
        return presence.occupied(em, pieces)
    total, piece = em.temp("w"), em.temp("p")
    at = em.unit.layout.arrays["piece", "at"].base
    em.emit(f"{total} = 0")
    with em.each(pieces, piece):
        em.emit(f"{total} |= {em.unit.bits('space')}[s[{at} + {piece}]]")
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


def _within(em: Emitter, env: Env, group: pg.E, var: pg.Var, test: pg.E) -> tuple[str, pg.E]:
    """The set that a condition is asked of, and the condition; what never changes is part of the set."""
    parts = conjuncts(em.unit.folded(test))
    sides = (group.left, group.right) if isinstance(group, pg.SetOp) and group.op == "&" else (group,)
    for side in sides:
        match side:
            case pg.Neighbours(place=pg.VarGet(var=place)) if (
                place.type.kind == "thing" and not em.unit.traced
            ):
                fixed = fixed_between(em.unit, parts, place, var)
                table = near_table(em.unit, fixed, place, var) if fixed else None
                if table is not None:
                    near = f"{table}[{env[place]}]"
                    others = [ex.code(em, env, other) for other in sides if other is not side]
                    left = [part for part in parts if part not in fixed]
                    return em.unit.intersect([near, *others]), both(left) if left else TRUE
    return ex.code(em, env, group), test


def some(em: Emitter, env: Env, group: pg.E) -> str:
    """Whether a set has a member: a loop ends with the first."""
    if not isinstance(group, pg.Filter):
        return _some_end(em, env, group) or ex.code(em, env, group)
    base, var, test = _one_filter(group)
    within, test = _within(em, env, base, var, test)
    within, left = selection.narrowed(em, env, test, frozenset({var}), within)
    if not left:
        return within
    found, member = em.temp("y"), em.temp("v")
    em.emit(f"{found} = 0")
    with em.each(within, member):
        for part in left:
            em.emit(f"if not {ex.code(em, {**env, var: member}, part)}: continue")
        em.emit(f"{found} = 1")
        em.emit("break")
    return found


def _some_end(em: Emitter, env: Env, group: pg.E) -> str | None:
    """Whether a route can end anywhere, or anywhere in a set: less work than all its ends."""
    found = route_and_goal(em, env, group)
    if found is None:
        return None
    route, within = found
    values = ", ".join(["s", *(ex.code(em, env, a) for a in route.arguments), within])
    return f"any_{route.route}({values})"


def route_and_goal(em: Emitter, env: Env, group: pg.E) -> tuple[pg.RouteE, str] | None:
    """The ends of a route, or those in a set: the route and the mask of that set."""
    within = "-1"
    if isinstance(group, pg.SetOp) and group.op == "&" and not em.unit.traced:
        for route, other in ((group.left, group.right), (group.right, group.left)):
            if isinstance(route, pg.RouteE):
                within = ex.code(em, env, other)
                group = route
                break
    if em.unit.traced or not isinstance(group, pg.RouteE):
        return None
    return group, within


def total(em: Emitter, env: Env, group: pg.E, var: pg.Var, value: pg.E) -> str:
    result, member = em.temp("n"), em.temp("v")
    mask = ex.code(em, env, group)
    em.emit(f"{result} = 0")
    with em.each(mask, member):
        em.emit(f"{result} += {ex.code(em, {**env, var: member}, value)}")
    return result


def extreme(em: Emitter, env: Env, e: pg.ExtremeE | pg.ArgExtreme) -> str:
    best, who, member, value = em.temp("x"), em.temp("w"), em.temp("v"), em.temp("n")
    mask = ex.code(em, env, e.group)
    better = "<" if e.extreme == "least" else ">"
    em.emit(f"{best} = None")
    em.emit(f"{who} = 0")
    with em.each(mask, member):
        em.emit(f"{value} = {ex.code(em, {**env, e.var: member}, e.value)}")
        em.emit(f"if {best} is None or {value} {better} {best}:")
        em.emit(f"    {best} = {value}; {who} = 1 << {member}")
        em.emit(f"elif {value} == {best}:")
        em.emit(f"    {who} |= 1 << {member}")
    if isinstance(e, pg.ArgExtreme):
        return who
    return f"({best} if {best} is not None else 0)"
