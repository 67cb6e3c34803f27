"""Routes that are asked whether they end in a set: the route, and the set as its goal."""

from __future__ import annotations

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import Value
from interpreter.compiling.unit import Env
from rulesdsl import program as pg


def route_and_goal(em: Builder, env: Env, group: pg.E) -> tuple[pg.RouteE, Value] | None:
    """The ends of a route, or those in a set: the route and the mask of that set."""
    within: Value = v.MINUS_ONE
    if isinstance(group, pg.SetOp) and group.op == "&" and em.unit.does(Knack.ROUTES):
        for route, other in ((group.left, group.right), (group.right, group.left)):
            if isinstance(route, pg.RouteE):
                within = em.code(env, other)
                group = route
                break
    if not em.unit.does(Knack.ROUTES) or not isinstance(group, pg.RouteE):
        return None
    return group, within
