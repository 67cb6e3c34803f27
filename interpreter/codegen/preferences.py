"""Routes whose ends are not all alike: what is preferred, and steps that lead to it.

`rung_x` says how much an end is preferred, `best_x` what can still be reached by going on, `steps_x` which
steps lead there. On the way to what is preferred no space is entered twice (`seen`). A route that counts
steps and points is walked with the same care.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.meanings import function, params
from interpreter.codegen.paths import emit_limits, emit_pay, links, needs_labels
from rulesdsl import program as pg

NO_RUNG = 999  # of an end that no preference speaks of: it is never taken


def each_way(em: Emitter, route: pg.RouteRule, call: str, extra: str) -> None:
    """The head of a loop over ways: `there`, `spent_`, `steps_`, `here`, `border`.

    Where steps are few enough to matter, over all that are worth knowing; otherwise over the cheapest.
    """
    spaces = len(em.unit.program.world.universes["space"])
    if needs_labels(route):
        labels = f"labels_{route.name}({call}, {extra})"
        if route.minimum <= 1 and route.always is None:  # with steps enough, the cheapest way is the best
            em.emit(f"if most is None or most >= {spaces}:")
            em.emit(f"    ways = [(k, *v) for k, v in search_{route.name}({call}, {extra}).items()]")
            em.emit(f"else: ways = {labels}")
        else:
            em.emit(f"ways = {labels}")
        em.emit("for there, spent_, steps_, here, border in ways:")
        return
    kind = "straight" if route.straight else "walk" if route.exactly is not None else "search"
    em.emit(f"for there, (spent_, steps_, here, border) in {kind}_{route.name}({call}, {extra}).items():")


def careful_steps(unit: Unit, route: pg.RouteRule) -> list[str]:
    """`steps_x`, and for routes with preferences `rung_x` and `best_x`."""
    env, head = params(route.params)
    call = ", ".join(["s", *env.values()])
    if not route.preferences:
        return [_steps(unit, route, env, head, call)]
    return [
        _rung(unit, route, env, head),
        _best(unit, route, env, head, call),
        _steps(unit, route, env, head, call),
    ]


def _rung(unit: Unit, route: pg.RouteRule, env: Env, head: str) -> str:
    em = Emitter(unit)
    env = {**env, route.here: "here", route.border: "border", route.there: "there"}
    for number, (test, _) in enumerate(route.preferences):
        em.emit(f"if {code(em, env, test)}: return {number}")
    em.emit(f"return {NO_RUNG}")
    return function(em, f"rung_{route.name}({head}, here, border, there, steps_, spent_)")


def _far_ends(em: Emitter, route: pg.RouteRule, call: str, keep: Sequence[str]) -> None:
    """Go through the links of `at`; `keep` runs for every end that a step over one of them leads to."""
    em.emit(f"for next_, over_ in {links(route)}[at]:")
    with em.indented():
        if route.preferences:
            em.emit("if seen >> next_ & 1: continue")
        em.emit(f"cost = step_{route.name}({call}, at, over_, next_, taken, spent)")
        em.emit("if cost is None: continue")
        emit_pay(em, "spent", "taken")
        em.emit("here, border, there, steps_, spent_ = at, over_, next_, taken + 1, total")
        where = f"{call}, here, border, there, steps_, spent_"
        em.emit(f"if steps_ >= {route.minimum} and end_{route.name}({where}):")
        with em.indented():
            for line in keep:
                em.emit(line)
        em.emit(f"if stop_{route.name}({call}, at, over_, next_, taken, total): continue")
        each_way(em, route, call, f"1 << next_, total, taken + 1{', seen' if route.preferences else ''}")
        with em.indented():
            em.emit(f"if steps_ <= taken + 1 or steps_ < {route.minimum}: continue")
            em.emit(f"if not end_{route.name}({where}): continue")
            for line in keep:
                em.emit(line)


def _best(unit: Unit, route: pg.RouteRule, env: Env, head: str, call: str) -> str:
    """The most preferred rung that can be reached by going on from `at`."""
    em = Emitter(unit)
    emit_limits(em, route, env)
    em.emit(f"best = {NO_RUNG}")
    em.emit("if most is not None and taken >= most: return best")
    rung = f"rung_{route.name}({call}, here, border, there, steps_, spent_)"
    _far_ends(em, route, call, [f"best = min(best, {rung})"])
    em.emit("return best")
    return function(em, f"best_{route.name}({head}, at, spent, taken, seen)")


def _steps(unit: Unit, route: pg.RouteRule, env: Env, head: str, call: str) -> str:
    """{there: spent after}: the steps from `at` from which the path can end legally, as preferred."""
    em = Emitter(unit)
    emit_limits(em, route, env)
    em.emit("out = {}")
    em.emit("if most is not None and taken >= most: return out")
    keep = ["out[next_] = min(total, out.get(next_, total))"]
    if route.preferences:
        em.emit(f"best = best_{route.name}({call}, at, spent, taken, seen)")
        em.emit(f"if best == {NO_RUNG}: return out")
        rung = f"rung_{route.name}({call}, here, border, there, steps_, spent_)"
        keep = [f"if {rung} == best: {keep[0]}"]
    _far_ends(em, route, call, keep)
    em.emit("return out")
    seen = ", seen" if route.preferences else ""
    return function(em, f"steps_{route.name}({head}, at, spent, taken{seen})")
