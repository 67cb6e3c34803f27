"""Searches for routes where the cheapest way is not all there is to know: straight lines, and paths that are
counted in steps as well as in points. They stand behind the same names as those of routes.py.

`labels_x` gives every way worth knowing to every space: [(space, spent, steps, from, border)]. A way is worth
knowing when no other one is both as short and as cheap. A path of at least N steps enters no space twice in
its first N steps; those are tried one by one.
"""

from __future__ import annotations

from interpreter.codegen.emitter import Emitter, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import function, params
from rulesdsl import program as pg


def links(route: pg.RouteRule) -> str:
    """Borders join neighbours; ways are borders and passages."""
    return "WAYS" if route.source.along == "ways" else "LINKS"


def emit_limits(em: Emitter, route: pg.RouteRule, env: dict[pg.Var, str]) -> None:
    em.emit(f"budget = {code(em, env, route.budget) if route.budget is not None else 'None'}")
    em.emit(f"most = {code(em, env, route.maximum) if route.maximum is not None else 'None'}")
    em.emit(f"always = {code(em, env, route.always) if route.always is not None else 0}")


def emit_pay(em: Emitter, spent: str, taken: str) -> None:
    """`total` after a step that costs `cost`; `continue` when that is too much."""
    em.emit(f"total = {spent} + cost")
    em.emit("if budget is not None and total > budget:")
    em.emit(f"    if {taken} >= always: continue")
    em.emit(f"    total = max({spent}, budget)")


def needs_labels(route: pg.RouteRule) -> bool:
    """Whether a dearer way may be worth more than the cheapest: both steps and points are counted."""
    if route.straight or route.exactly is not None:
        return False
    always = route.always
    one = isinstance(always, pg.Const) and always.value in (0, 1)  # the first step is that of the start
    several = always is not None and not one
    counted = route.maximum is not None or several
    return route.minimum > 1 or (counted and route.cost is not None)


def labels_function(unit: Unit, route: pg.RouteRule) -> str:
    em = Emitter(unit)
    env, head = params(route.params)
    call = ", ".join(["s", *env.values()])
    emit_limits(em, route, env)
    em.emit("out = []")
    em.emit("starts = []")
    with em.each("origins", "here"):
        em.emit("starts.append((spent, taken, here, -1, -1, closed))")
    if route.minimum > 1:
        _first_steps(em, route, call)
    em.emit("for first in starts:")
    with em.indented():
        em.emit("heap = [first[:5]]")
        em.emit("seen = first[5]")
        em.emit("shortest = {}")
        em.emit("while heap:")
        with em.indented():
            em.emit("spent_, steps_, here, came, over = heappop(heap)")
            em.emit("if here in shortest and shortest[here] <= steps_: continue")
            em.emit("shortest[here] = steps_")
            em.emit("out.append((here, spent_, steps_, came, over))")
            em.emit(
                f"if came >= 0 and stop_{route.name}({call}, came, over, here, steps_ - 1, spent_): continue"
            )
            em.emit("if most is not None and steps_ >= most: continue")
            _each_step(em, route, call, "heappush(heap, (total, steps_ + 1, there, here, border))")
    em.emit("return out")
    return function(em, f"labels_{route.name}({head}, origins, spent=0, taken=0, closed=0)")


def _first_steps(em: Emitter, route: pg.RouteRule, call: str) -> None:
    """The starts, after as many steps as a path must have; no space is entered twice."""
    em.emit("paths, starts = starts, []")
    em.emit("while paths:")
    with em.indented():
        em.emit("path = paths.pop()")
        em.emit("spent_, steps_, here, came, over, seen = path")
        em.emit(f"if steps_ >= {route.minimum}:")
        em.emit("    starts.append(path)")
        em.emit("    continue")
        em.emit(f"if came >= 0 and stop_{route.name}({call}, came, over, here, steps_ - 1, spent_): continue")
        em.emit("if most is not None and steps_ >= most: continue")
        em.emit("seen |= 1 << here")
        _each_step(em, route, call, "paths.append((total, steps_ + 1, there, here, border, seen))")


def _each_step(em: Emitter, route: pg.RouteRule, call: str, keep: str) -> None:
    """`keep` (a statement) runs for each step that is allowed and can be paid, to a space not yet seen."""
    em.emit(f"for there, border in {links(route)}[here]:")
    with em.indented():
        em.emit("if seen >> there & 1: continue")
        em.emit(f"cost = step_{route.name}({call}, here, border, there, steps_, spent_)")
        em.emit("if cost is None: continue")
        emit_pay(em, "spent_", "steps_")
        em.emit(keep)


def straight_function(unit: Unit, route: pg.RouteRule) -> str:
    """{space: (spent, distance, from, border)} for every space to which the straight line is open."""
    em = Emitter(unit)
    env, head = params(route.params)
    call = ", ".join(["s", *env.values()])
    emit_limits(em, route, env)
    em.emit(f"exactly = {code(em, env, route.exactly) if route.exactly is not None else 'None'}")
    em.emit("found = {}")
    spaces = unit.literal(unit.program.world.universes["space"].mask())
    with em.each("origins", "start"):
        em.emit("found[start] = (0, 0, -1, -1)")
        with em.each(spaces, "end"):
            em.emit("far = distance(start, end)")
            em.emit("if far <= 0 or most is not None and far > most: continue")
            em.emit("if exactly is not None and far != exactly: continue")
            em.emit("ways = {start: (0, -1, -1)}")
            em.emit("steps_ = 0")
            em.emit("for stage in straight_path(start, end):")
            with em.indented():
                em.emit("before, ways = ways, {}")
                em.emit("for here, (spent_, came, over) in before.items():")
                with em.indented():
                    stop = f"stop_{route.name}({call}, came, over, here, steps_ - 1, spent_)"
                    em.emit(f"if came >= 0 and {stop}: continue")
                    em.emit("for there in stage:")
                    with em.indented():
                        em.emit("border = border_between(here, there)")
                        em.emit(f"cost = step_{route.name}({call}, here, border, there, steps_, spent_)")
                        em.emit("if cost is None: continue")
                        emit_pay(em, "spent_", "steps_")
                        em.emit("if there not in ways or total < ways[there][0]:")
                        em.emit("    ways[there] = (total, here, border)")
                em.emit("steps_ += 1")
                em.emit("if not ways: break")
            em.emit("if end in ways:")
            em.emit("    spent_, came, over = ways[end]")
            em.emit(
                "    if end not in found or spent_ < found[end][0]: found[end] = (spent_, far, came, over)"
            )
    em.emit("return found")
    return function(em, f"straight_{route.name}({head}, origins)")
