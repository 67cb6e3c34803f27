"""Routes as search functions: one engine for marches, retreats, supply lines, ranges and sight.

For a route `x` there are: `step_x` (the cost of a step, or None when it is forbidden), `stop_x`,
`end_x` (whether a path may end there), `search_x` (all reachable ends with cost and steps), `ends_x`
(the set of legal ends after preferences), `steps_x` (the next steps from which a legal end can be
reached, for moving step by step) and `pay_x` (what such a step costs). The rest of the code calls them
`r_x`, `next_x`, `paid_x` and `any_x`; routing.py says who stands behind these names.
"""

from __future__ import annotations

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import function, params, refuse_if
from interpreter.codegen.paths import (
    emit_limits,
    emit_pay,
    labels_function,
    links,
    needs_labels,
    straight_function,
)
from interpreter.codegen.preferences import NO_RUNG, careful_steps, each_way
from rulesdsl import program as pg
from rulesdsl.checker.permissions import MOST_STEPS


def route_functions(unit: Unit, route: pg.RouteRule) -> list[str]:
    """All functions of one route: the reference, which asks about every step."""
    parts = [_step(unit, route), _stop(unit, route), _end(unit, route), _search(unit, route)]
    if route.straight:
        parts.append(straight_function(unit, route))
    elif route.exactly is not None:
        parts.append(_walk(unit, route))
    elif needs_labels(route):
        parts.append(labels_function(unit, route))
    parts.append(_ends(unit, route))
    if route.preferences or needs_labels(route):
        parts += careful_steps(unit, route)
    else:
        parts.append(_next(unit, route))
    return [*parts, _paid(unit, route)]


def _with_step(route: pg.RouteRule) -> tuple[Env, str, str]:
    env, head = params(route.params)
    names = ", ".join(env.values())
    env |= {route.here: "here", route.border: "border", route.there: "there"}
    return env, head, names


def _step(unit: Unit, route: pg.RouteRule) -> str:
    em = Emitter(unit)
    env, head, _ = _with_step(route)
    if route.along is not None:
        em.emit(f"if not {code(em, env, route.along)}: return None")
    if route.through is not None and route.ending is None:
        em.emit(f"if not {code(em, env, route.through)}: return None")
    refuse_if(em, env, route.step_forbids, "return None")
    em.emit(f"return {code(em, env, route.cost) if route.cost is not None else '1'}")
    return function(em, f"step_{route.name}({head}, here, border, there, steps_, spent_)")


def _stop(unit: Unit, route: pg.RouteRule) -> str:
    """Whether a path cannot go on from `there`: a stop clause, or a space it may only end in."""
    em = Emitter(unit)
    env, head, _ = _with_step(route)
    refuse_if(em, env, route.stops, "return 1")
    if route.through is not None and route.ending is not None:
        em.emit(f"if not {code(em, env, route.through)}: return 1")
    em.emit("return 0")
    return function(em, f"stop_{route.name}({head}, here, border, there, steps_, spent_)")


def _end(unit: Unit, route: pg.RouteRule) -> str:
    em = Emitter(unit)
    env, head, _ = _with_step(route)
    if route.ending is not None:
        em.emit(f"if not {code(em, env, route.ending)}: return 0")
    refuse_if(em, env, route.end_forbids, "return 0")
    em.emit("return 1")
    return function(em, f"end_{route.name}({head}, here, border, there, steps_, spent_)")


def _search(unit: Unit, route: pg.RouteRule) -> str:
    """Cheapest way to every space: {space: (cost, steps, from, border)}; the start is included."""
    em = Emitter(unit)
    env, head, names = _with_step(route)
    call = f"s, {names}" if names else "s"
    emit_limits(em, route, env)
    em.emit("found = {}")
    em.emit("heap = []")
    with em.each("origins", "here"):
        em.emit("found[here] = (spent, taken, -1, -1)")
        em.emit("heap.append((spent, taken, here))")
    em.emit("while heap:")
    with em.indented():
        em.emit("spent_, steps_, here = heappop(heap)")
        em.emit("if found[here][0] != spent_ or found[here][1] != steps_: continue")
        em.emit("came = found[here]")
        stopped = f"stop_{route.name}({call}, came[2], came[3], here, steps_ - 1, spent_)"
        em.emit(f"if came[2] >= 0 and {stopped}: continue")
        em.emit("if most is not None and steps_ >= most: continue")
        em.emit(f"for there, border in {links(route)}[here]:")
        with em.indented():
            if route.preferences:
                em.emit("if closed >> there & 1: continue")
            em.emit(f"cost = step_{route.name}({call}, here, border, there, steps_, spent_)")
            em.emit("if cost is None: continue")
            emit_pay(em, "spent_", "steps_")
            em.emit("old = found.get(there)")
            em.emit("if old is None or (total, steps_ + 1) < (old[0], old[1]):")
            with em.indented():
                em.emit("found[there] = (total, steps_ + 1, here, border)")
                em.emit("heappush(heap, (total, steps_ + 1, there))")
    em.emit("return found")
    return function(em, f"search_{route.name}({head}, origins, spent=0, taken=0, closed=0)")


def _walk(unit: Unit, route: pg.RouteRule) -> str:
    """Every end of a path of exactly so many steps, no space entered twice; few steps, so all are tried."""
    em = Emitter(unit)
    env, head, names = _with_step(route)
    call = f"s, {names}" if names else "s"
    em.emit(f"budget = {code(em, env, route.budget) if route.budget is not None else 'None'}")
    em.emit(f"exactly = {code(em, env, route.exactly) if route.exactly is not None else 0}")
    em.emit("found = {}")
    em.emit(f"if exactly > {MOST_STEPS}: return found")
    em.emit("paths = []")
    with em.each("origins", "here"):
        em.emit("paths.append((0, 0, here, -1, -1, 1 << here))")
    em.emit("while paths:")
    with em.indented():
        em.emit("spent_, steps_, here, came, over, seen = paths.pop()")
        em.emit("if steps_ == exactly:")
        em.emit("    if here not in found or spent_ < found[here][0]:")
        em.emit("        found[here] = (spent_, steps_, came, over)")
        em.emit("    continue")
        em.emit(f"if came >= 0 and stop_{route.name}({call}, came, over, here, steps_ - 1, spent_): continue")
        em.emit(f"for there, border in {links(route)}[here]:")
        with em.indented():
            em.emit("if seen >> there & 1: continue")
            em.emit(f"cost = step_{route.name}({call}, here, border, there, steps_, spent_)")
            em.emit("if cost is None or budget is not None and spent_ + cost > budget: continue")
            em.emit("paths.append((spent_ + cost, steps_ + 1, there, here, border, seen | 1 << there))")
    em.emit("return found")
    return function(em, f"walk_{route.name}({head}, origins)")


def _origins(em: Emitter, env: Env, route: pg.RouteRule) -> str:
    start = code(em, env, route.origin)
    if route.origin.type.kind == "set":
        return start
    return f"{em.unit.bits('space')}[{start}]"


def _ends(unit: Unit, route: pg.RouteRule) -> str:
    em = Emitter(unit)
    env, head, names = _with_step(route)
    call = f"s, {names}" if names else "s"
    em.emit(f"origins = {_origins(em, env, route)}")
    em.emit(f"most = {code(em, env, route.maximum) if route.maximum is not None else 'None'}")
    em.emit("ends = 0")
    if route.preferences:
        em.emit("rungs = {}")
    each_way(em, route, call, "origins")
    with em.indented():
        if route.minimum:
            em.emit(f"if steps_ < {route.minimum}: continue")
        where = f"{call}, here, border, there, steps_, spent_"
        em.emit(f"if not end_{route.name}({where}): continue")
        if route.preferences:
            em.emit(f"rung = rung_{route.name}({where})")
            em.emit("rungs[rung] = rungs.get(rung, 0) | 1 << there")
        else:
            em.emit("ends |= 1 << there")
    if route.preferences:
        em.emit(f"best = min(rungs) if rungs else {NO_RUNG}")
        em.emit(f"return rungs[best] if best < {NO_RUNG} else 0")
    else:
        em.emit("return ends")
    return function(em, f"ends_{route.name}({head})")


def _next(unit: Unit, route: pg.RouteRule) -> str:
    """[(there, spent after)]: the steps from `at` from which the path can end legally."""
    em = Emitter(unit)
    env, head, names = _with_step(route)
    call = f"s, {names}" if names else "s"
    emit_limits(em, route, env)
    em.emit("out = {}")
    em.emit("if most is not None and taken >= most: return out")
    em.emit(f"for there, border in {links(route)}[at]:")
    with em.indented():
        em.emit(f"cost = step_{route.name}({call}, at, border, there, taken, spent)")
        em.emit("if cost is None: continue")
        emit_pay(em, "spent", "taken")
        em.emit("if there in out and out[there] <= total: continue")
        em.emit(f"if end_{route.name}({call}, at, border, there, taken + 1, total):")
        em.emit("    out[there] = total; continue")
        em.emit(f"if stop_{route.name}({call}, at, border, there, taken, total): continue")
        em.emit(f"found = search_{route.name}({call}, 1 << there, total, taken + 1)")
        em.emit("for end, (spent_, steps_, here, over) in found.items():")
        em.emit(f"    if steps_ > taken + 1 and end_{route.name}({call}, here, over, end, steps_, spent_):")
        em.emit("        out[there] = total; break")
    em.emit("return out")
    return function(em, f"steps_{route.name}({head}, at, spent, taken)")


def _paid(unit: Unit, route: pg.RouteRule) -> str:
    """What has been spent after the step to `chosen`, which was one of those offered."""
    em = Emitter(unit)
    _, head, names = _with_step(route)
    call = f"s, {names}" if names else "s"
    seen = ", seen" if route.preferences else ""
    em.emit(f"return steps_{route.name}({call}, at, spent, taken{seen})[chosen]")
    return function(em, f"pay_{route.name}({head}, at, spent, taken, chosen{seen})")
