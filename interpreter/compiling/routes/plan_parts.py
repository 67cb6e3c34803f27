"""What the functions of one plan of a search share: facts of its table, masks, bars and limits."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.statements import Let, Return
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.rules import params
from interpreter.compiling.lower.values import code
from interpreter.compiling.optimise.constants import written
from interpreter.compiling.optimise.vectorise.masks import member_mask
from interpreter.compiling.optimise.vectorise.select import select
from interpreter.compiling.routes.plan import Plan
from interpreter.compiling.unit import Env, Unit
from rulesdsl import program as pg
from rulesdsl.program.logic import TRUE, both, conjuncts, mentions
from rulesdsl.program.types import FLAG

TABLE, BARRED = v.Local("table"), v.Local("barred")
BUDGET, LIMIT, GENEROUS, LEFT, COST, EXACT, TOTAL, SPENT, TAKEN = (
    v.Local(name, NUMBER)
    for name in ("budget", "limit", "generous", "left", "cost", "exact", "total", "spent", "taken")
)


class WaveParts:
    """Builds what several functions of one plan need."""

    def __init__(self, unit: Unit, plan: Plan, kind: int) -> None:
        self.unit = unit
        self.plan = plan
        self.route = plan.route
        self.n = unit.naming.route(plan.route.name)  # of the reference
        self.kind = kind
        env, self.head = params(unit, plan.route.params)
        self.env: Env = env
        self.call: tuple[Value, ...] = (STATE, *env.values())
        self.there = frozenset({plan.route.there})
        self.spaces = unit.literal(unit.program.world.universes["space"].mask())
        self.spaces_kind = unit.mask_kind("space")
        self.closed, self.stops, self.found, self.over = (
            v.Local(name, self.spaces_kind) for name in ("closed", "stops", "found", "over")
        )
        self.at = v.Local("at", unit.thing_kind("space"))

    def named(self, role: str, *more: int) -> str:
        """What a function or a table of this kind of traveller is called."""
        return "_".join([role, str(self.n), str(self.kind), *map(str, more)])

    def by_reference(self, role: str, *more: Value) -> Value:
        return v.Call(f"{role}_{self.n}", (*self.call, *more))

    def start(self, em: Builder) -> Value:
        start = code(em, self.env, self.plan.origin)
        return start if self.plan.origin.type.kind == "set" else self.unit.bit("space", start)

    def facts(self, em: Builder) -> Value:
        values: list[Value] = []
        for e in self.plan.facts.values():
            value = code(em, self.env, e)
            values.append(v.Choose(value, v.ONE, v.ZERO) if e.type.kind == "flag" else value)
        return v.Tuple(tuple(values))

    def table(self, em: Builder) -> Value:
        return v.Item(v.Name(self.named("TABLE")), self.facts(em))

    def bar_links(self, em: Builder, number: int) -> Value:
        return v.Part(v.Item(v.Name(self.named("BAR", number)), self.facts(em)), "all")

    def masks(self, em: Builder) -> tuple[list[pg.E], list[pg.E]]:
        """Let `closed` and `stops` be masks; conditions that need a loop are handed back."""
        later: list[list[pg.E]] = []
        for name, tests in ((self.closed, self.plan.closed), (self.stops, self.plan.stops)):
            masks, left = list[Value](), list[pg.E]()
            for test in tests:
                mask = member_mask(em, self.env, test, self.there)
                if mask is None:
                    left.append(test)
                else:
                    masks.append(mask)
            em.let(name, self.unit.unite(masks))
            later.append(left)
        return later[0], later[1]

    def bars(self, em: Builder) -> Value:
        """Let `barred` be the bars there are; an empty tuple when the plan has none."""
        if not self.plan.bars:
            return v.Tuple(())
        em.let(BARRED, v.Listing())
        for number, bar in enumerate(self.plan.bars):
            here = em.atom(select(em, self.env, bar.here, frozenset({self.route.here}), self.spaces), "h")
            with em.branch(here):
                there = select(em, self.env, bar.there, self.there, self.spaces)
                links = v.NOTHING if bar.links is None else self.bar_links(em, number)
                em.do(v.Method(BARRED, "append", (v.Tuple((here, there, links)),)))
        return BARRED

    def bars_from(self, em: Builder) -> None:
        """Take from `found` what is barred from the space `at`: nobody asks about the others."""
        env = {**self.env, self.route.here: self.at}
        for number, bar in enumerate(self.plan.bars):
            with em.branch(v.Logic("and", (self.found, code(em, env, bar.here)))):
                within = self.found
                if bar.links is not None:
                    over = v.Item(self.bar_links(em, number), self.at)
                    em.let(self.over, v.Meet((self.found, over)))
                    within = self.over
                barred = em.atom(select(em, self.env, bar.there, self.there, within), "h")
                em.update(self.found, "&", v.Outside(barred))

    def while_dormant(self, em: Builder, otherwise: Value) -> None:
        """Return something else when a condition holds for which the table was not made."""
        for test in self.plan.dormant:
            fork = em.fork()
            awake = em.unit.intersect([select(fork, self.env, test, self.there, self.spaces), self.spaces])
            em.join(fork)
            em.when(awake, Return(otherwise))

    def any_of(self, em: Builder, tests: Sequence[pg.E], within: Value) -> Value:
        """Those of a set for which a condition holds; what is the same for all of them is asked once."""
        alike: dict[str, tuple[list[pg.E], list[pg.E]]] = {}
        for test in tests:
            parts = conjuncts(self.unit.folded(test))
            same = [part for part in parts if not mentions(part, self.there)]
            rest = [part for part in parts if mentions(part, self.there)]
            key = written(both(same), {}) if same else ""
            alike.setdefault(key, (same, []))[1].append(both(rest) if rest else TRUE)
        found: list[Value] = []
        for same, several in alike.values():
            either = pg.LogicE("or", tuple(several), type=FLAG)
            if not same:
                found.append(em.atom(select(em, self.env, either, self.there, within), "w"))
                continue
            name = em.temp("w", self.spaces_kind)
            em.let(name, v.ZERO)
            with em.branch(code(em, self.env, both(same))):
                em.let(name, select(em, self.env, either, self.there, within))
            found.append(name)
        return em.unit.unite(found)

    def limits(self, em: Builder) -> None:
        """Let there be `budget`, `limit` (points left, in whole numbers), `left` (steps) and `generous`."""
        plan = self.plan
        if plan.budget is not None:
            em.let(BUDGET, code(em, self.env, plan.budget))
            points = v.Binary("*", v.Binary("-", BUDGET, SPENT), v.Part(TABLE, "scale"))
            em.let(LIMIT, v.Call("floor", (points,), NUMBER))
            always = code(em, self.env, plan.always) if plan.always is not None else v.ZERO
            em.let(GENEROUS, v.Binary("-", always, TAKEN))
        if plan.maximum is not None:
            em.let(LEFT, v.Binary("-", code(em, self.env, plan.maximum), TAKEN))

    def total(self, em: Builder) -> None:
        """Let `total` be what has been spent after a step that costs `exact`."""
        em.let(TOTAL, v.Binary("+", SPENT, EXACT))
        if self.plan.budget is not None:
            more = v.Call("max", (SPENT, BUDGET), NUMBER)
            em.when(v.Compare(">", COST, LIMIT), Let(TOTAL, more))
