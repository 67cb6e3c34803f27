"""What the functions of one plan of a search share: facts of its table, masks, bars and limits, as code."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code
from interpreter.codegen.masks import member_mask
from interpreter.codegen.meanings import params
from interpreter.codegen.printed import written
from interpreter.codegen.selection import select
from interpreter.codegen.trees import TRUE, both, conjuncts, mentions
from interpreter.codegen.waves import Plan
from rulesdsl import program as pg
from rulesdsl.types import FLAG


class WaveParts:
    """Writes the lines that several functions of one plan need."""

    def __init__(self, unit: Unit, plan: Plan, kind: int) -> None:
        self.unit = unit
        self.plan = plan
        self.route = plan.route
        self.kind = kind
        self.name = f"{plan.route.name}_{kind}"
        env, self.head = params(plan.route.params)
        self.env: Env = env
        self.call = ", ".join(["s", *env.values()])
        self.there = frozenset({plan.route.there})
        self.for_all: Emitter | None = None  # finds the origins, when they are the same for all of this kind
        self.spaces = unit.literal(unit.program.world.universes["space"].mask())

    def start(self, em: Emitter) -> str:
        start = code(em, self.env, self.plan.origin)
        return start if self.plan.origin.type.kind == "set" else f"{self.unit.bits('space')}[{start}]"

    def facts(self, em: Emitter) -> str:
        values = []
        for e in self.plan.facts.values():
            value = code(em, self.env, e)
            values.append(f"1 if {value} else 0" if e.type.kind == "flag" else value)
        return f"({', '.join(values)}{',' if len(values) == 1 else ''})"

    def masks(self, em: Emitter) -> tuple[list[pg.E], list[pg.E]]:
        """Emit `closed` and `stops`; conditions that need a loop are handed back to be asked later."""
        later: list[list[pg.E]] = []
        for name, tests in (("closed", self.plan.closed), ("stops", self.plan.stops)):
            masks, left = [], []
            for test in tests:
                mask = member_mask(em, self.env, test, self.there)
                if mask is None:
                    left.append(test)
                else:
                    masks.append(mask)
            em.emit(f"{name} = {self.unit.unite(masks)}")
            later.append(left)
        return later[0], later[1]

    def bars(self, em: Emitter) -> str:
        """Emit `barred`; its name, or an empty tuple."""
        if not self.plan.bars:
            return "()"
        em.emit("barred = []")
        for number, bar in enumerate(self.plan.bars):
            here = em.atom(select(em, self.env, bar.here, frozenset({self.route.here}), self.spaces), "h")
            em.emit(f"if {here}:")
            with em.indented():
                there = select(em, self.env, bar.there, self.there, self.spaces)
                links = "None" if bar.links is None else f"BAR_{self.name}_{number}[{self.facts(em)}].all"
                em.emit(f"barred.append(({here}, {there}, {links}))")
        return "barred"

    def bars_from(self, em: Emitter) -> None:
        """Take from `found` what is barred from the space `at`: nobody asks about the others."""
        env = {**self.env, self.route.here: "at"}
        for number, bar in enumerate(self.plan.bars):
            em.emit(f"if found and {code(em, env, bar.here)}:")
            with em.indented():
                within = "found"
                if bar.links is not None:
                    em.emit(f"over = found & BAR_{self.name}_{number}[{self.facts(em)}].all[at]")
                    within = "over"
                em.emit(f"found &= ~{em.atom(select(em, self.env, bar.there, self.there, within), 'h')}")

    def while_dormant(self, em: Emitter, otherwise: str) -> None:
        """Return something else when a condition holds for which the table was not made."""
        for test in self.plan.dormant:
            fork = em.fork()
            awake = em.unit.intersect([select(fork, self.env, test, self.there, self.spaces), self.spaces])
            em.join(fork)
            em.emit(f"if {awake}: return {otherwise}")

    def any_of(self, em: Emitter, tests: Sequence[pg.E], within: str) -> str:
        """Those of a set for which a condition holds; what is the same for all of them is asked once."""
        alike: dict[str, tuple[list[pg.E], list[pg.E]]] = {}
        for test in tests:
            parts = conjuncts(self.unit.folded(test))
            same = [part for part in parts if not mentions(part, self.there)]
            rest = [part for part in parts if mentions(part, self.there)]
            key = written(both(same), {}) if same else ""
            alike.setdefault(key, (same, []))[1].append(both(rest) if rest else TRUE)
        found: list[str] = []
        for same, several in alike.values():
            either = pg.LogicE("or", tuple(several), type=FLAG)
            if not same:
                found.append(em.atom(select(em, self.env, either, self.there, within), "w"))
                continue
            name = em.temp("w")
            em.emit(f"{name} = 0")
            em.emit(f"if {code(em, self.env, both(same))}:")
            with em.indented():
                em.emit(f"{name} = {select(em, self.env, either, self.there, within)}")
            found.append(name)
        return em.unit.unite(found)

    def limits(self, em: Emitter) -> None:
        """Emit `budget`, `limit` (points left, in whole numbers), `left` (steps) and `generous`."""
        plan = self.plan
        if plan.budget is not None:
            em.emit(f"budget = {code(em, self.env, plan.budget)}")
            em.emit("limit = floor((budget - spent) * table.scale)")
            always = code(em, self.env, plan.always) if plan.always is not None else "0"
            em.emit(f"generous = {always} - taken")
        if plan.maximum is not None:
            em.emit(f"left = {code(em, self.env, plan.maximum)} - taken")

    def total(self, em: Emitter) -> None:
        """Emit `total`: what has been spent after a step that costs `exact`."""
        em.emit("total = spent + exact")
        if self.plan.budget is not None:
            em.emit("if cost > limit: total = max(spent, budget)")
