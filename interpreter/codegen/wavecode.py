"""Searches by masks as Python source, from the plans of waves.py.

For each kind of traveller `k` of a route `x` there are `reach_x_k` (where one gets), `r_x_k` (where one
may end), `next_x_k` (the next steps from which one may end), `any_x_k` (whether one may end anywhere).
What a plan cannot do, for a budget or a number of steps out of the ordinary, the functions of routes.py
do, which are the reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.expressions import code
from interpreter.codegen.masks import member_mask
from interpreter.codegen.meanings import function
from interpreter.codegen.selection import select
from interpreter.codegen.waveparts import WaveParts
from interpreter.codegen.waves import has_parallels

MOST_POINTS = 400  # of a budget; beyond, the reference goes by cost
_CELL = re.compile(r"\bs\[(\d+)\]")
_STATE = re.compile(r"\bs\b")


class WaveWriter(WaveParts):
    """Writes the functions of one plan."""

    def sources(self) -> list[str]:
        return [self._cost(), self._reach(), self._ends(), self._next(), self._paid(), self._any()]

    def _cost(self) -> str:
        plan, route = self.plan, self.route
        em = Emitter(self.unit)
        names: Env = {var: f"a{i}" for i, var in enumerate(plan.facts)}
        head = ", ".join([*names.values(), "here", "border", "there"])
        env = {**names, route.here: "here", route.border: "border", route.there: "there"}
        for test in plan.refused:
            em.emit(f"if {code(em, env, test)}: return None")
        em.emit(f"return {code(em, env, plan.cost)}")
        links = "WAYS" if route.source.along == "ways" else "LINKS"
        made = [function(em, f"cost_{self.name}({head})")]
        made.append(f"TABLE_{self.name} = LinkTables({links}, cost_{self.name})")
        for number, bar in enumerate(plan.bars):
            if bar.links is not None:
                em = Emitter(self.unit)
                em.emit(f"return 1 if {code(em, env, bar.links)} else None")
                made.append(function(em, f"bar_{self.name}_{number}({head})"))
                made.append(f"BAR_{self.name}_{number} = LinkTables({links}, bar_{self.name}_{number})")
        return "\n\n".join(made)

    def _reach(self) -> str:
        """`reach_x_k(…, start, spent, taken)`: a mask without the start; -1 when the reference must do it."""
        em, plan = Emitter(self.unit), self.plan
        em.emit(f"table = TABLE_{self.name}[{self.facts(em)}]")
        self.limits(em)
        most = len(self.unit.program.world.universes["space"])
        if plan.maximum is not None:
            em.emit("if left <= 0: return 0")
            em.emit(f"if 1 < left < {most}: return -1")
        if plan.budget is not None:
            em.emit(f"if not table.usual or generous > 1 or limit > {MOST_POINTS}: return -1")
        self.while_dormant(em, "-1")
        closed, stops = self.masks(em)
        barred = self.bars(em)
        search = f"spread(table, start, closed, stops, limit, generous == 1, {barred})"
        first = f"first_steps(table, start, closed, limit, generous == 1, {barred})"
        if plan.budget is None:
            search = f"flood(table.all, start, closed, stops, {barred})"
            first = f"first_steps(table, start, closed, 0, 1, {barred})"
        if plan.maximum is not None:
            search = f"{first} if left == 1 else {search}"
        em.emit(f"reached = {search}")
        # what needs a loop is asked only of spaces that could be reached without it
        for name, tests in (("closed", closed), ("stops", stops)):
            if tests:
                em.emit(f"more_{name} = {self.any_of(em, tests, 'reached')}")
                em.emit(f"{name} |= more_{name}")
        asked = [f"more_{name}" for name, tests in (("closed", closed), ("stops", stops)) if tests]
        if asked:
            em.emit(f"if {' or '.join(asked)}: reached = {search}")
        em.emit("return reached")
        return function(em, f"reach_{self.name}({self.head}, start, spent, taken)")

    def _ends(self) -> str:
        em, route = Emitter(self.unit), self.route
        em.emit(f"start = {self.start(em)}")
        em.emit(f"ends = reach_{self.name}({self.call}, start, 0, 0)")
        em.emit(f"if ends < 0: return ends_{route.name}({self.call})")
        if not route.minimum:
            em.emit("ends |= start")
        em.emit(f"return {select(em, self.env, self.plan.ending, self.there, 'ends')}")
        return function(em, f"r_{self.name}({self.head})")

    def _next(self) -> str:
        em, plan, route = Emitter(self.unit), self.plan, self.route
        em.emit(f"table = TABLE_{self.name}[{self.facts(em)}]")
        self.limits(em)
        em.emit("out = {}")
        if plan.maximum is not None:
            em.emit("if left <= 0: return out")
        self.while_dormant(em, f"steps_{route.name}({self.call}, at, spent, taken)")
        closed, stops = self.masks(em)
        em.emit("found = table.all[at] & ~closed")
        self.bars_from(em)
        if closed:
            em.emit(f"found &= ~{em.atom(self.any_of(em, closed, 'found'))}")
        em.emit("if not found: return out")
        em.emit(f"ends = {select(em, self.env, plan.ending, self.there, 'found')}")
        if stops:
            em.emit(f"stops |= {self.any_of(em, stops, 'found')}")
        parallel = has_parallels(self.unit.program.world)
        em.emit("for there, bit, cost, exact in table.order[at]:")
        with em.indented():
            em.emit("if not bit & found: continue")
            if plan.budget is not None:
                em.emit("if cost > limit and generous <= 0: continue")
            if parallel:
                self.total(em)
                em.emit("if there in out and out[there] <= total: continue")
                em.emit("if bit & ends:")
                em.emit("    out[there] = total; continue")
            else:  # what it comes to is worked out when it is known who goes there: None
                em.emit("total = None")
                em.emit("if bit & ends:")
                em.emit("    out[there] = total; continue")
            em.emit("if bit & stops: continue")
            if not parallel:
                self.total(em)
            em.emit(f"far = reach_{self.name}({self.call}, bit, total, taken + 1)")
            em.emit(f"if far < 0: return steps_{route.name}({self.call}, at, spent, taken)")
            em.emit(f"if {select(em, self.env, plan.ending, self.there, 'far')}: out[there] = total")
        em.emit("return out")
        return function(em, f"next_{self.name}({self.head}, at, spent, taken)")

    def _paid(self) -> str:
        """What has been spent after the step to `chosen`, which was one of those offered."""
        em, plan = Emitter(self.unit), self.plan
        if has_parallels(self.unit.program.world):
            em.emit(f"return next_{self.name}({self.call}, at, spent, taken)[chosen]")
            return function(em, f"paid_{self.name}({self.head}, at, spent, taken, chosen)")
        self.while_dormant(em, f"pay_{self.route.name}({self.call}, at, spent, taken, chosen)")
        em.emit(f"table = TABLE_{self.name}[{self.facts(em)}]")
        if plan.budget is not None:
            em.emit(f"budget = {code(em, self.env, plan.budget)}")
        em.emit("for there, bit, cost, exact in table.order[at]:")
        with em.indented():
            em.emit("if there == chosen:")
            em.emit("    total = spent + exact")
            if plan.budget is not None:
                em.emit("    if total > budget: total = max(spent, budget)")
            em.emit("    return total")
        return function(em, f"paid_{self.name}({self.head}, at, spent, taken, chosen)")

    def _any(self) -> str:
        """Whether there is an end inside a set: the answer for all origins at once, remembered.

        It depends on the cells of the state that the masks are made of, and on nothing else.
        """
        em, plan, route = Emitter(self.unit), self.plan, self.route
        head = f"any_{self.name}({self.head}, within)"
        fork = em.fork()
        fork.emit(f"table = TABLE_{self.name}[{self.facts(fork)}]")
        closed, stops = self.masks(fork)
        ending = member_mask(fork, self.env, plan.ending, self.there)
        by_path = plan.budget is not None or plan.maximum is not None or plan.bars or plan.dormant
        if by_path or closed or stops or ending is None:
            em.emit(f"return r_{self.name}({self.call}) & within")
            return function(em, head)
        fork.emit(f"goal = {self.unit.intersect([ending, self.spaces])} & within")
        found = "origins_of(table.all, closed, stops, goal)" + ("" if route.minimum else " | goal")
        fork.emit(f"origins = {found} if table.mutual else -1")
        cells = depends_on(fork.lines, self.env)
        if cells is None:
            em.join(fork)
        else:
            key = ", ".join(["within", *(f"s[{cell}]" for cell in cells)])
            em.emit(f"origins = ANY_{self.name}.get(({key}))")
            em.emit("if origins is None:")
            em.join(fork, 1)
            em.emit(f"    ANY_{self.name}.remember(({key}), origins)")
            self.for_all = Emitter(self.unit, [*em.lines, "    return origins"])
        em.emit(f"if origins < 0: return r_{self.name}({self.call}) & within")
        em.emit(f"return origins & {self.start(em)}")
        made = [f"ANY_{self.name} = Memory()", function(em, head)]
        if self.for_all is not None:
            made.append(function(self.for_all, f"origins_{self.name}(s, within)"))
        return "\n\n".join(made)


def depends_on(lines: Sequence[str], env: Env) -> list[int] | None:
    """The cells of the state that lines look at; None when it cannot be told, or they know a parameter."""
    text = "\n".join(lines)
    if len(_CELL.findall(text)) != len(_STATE.findall(text)):
        return None
    if any(re.search(rf"\b{re.escape(name)}\b", text) for name in env.values()):
        return None
    return sorted({int(cell) for cell in _CELL.findall(text)})
