"""Searches by masks as functions, from the plans of plan.py.

For each kind of traveller `k` of a route `x` there are `reach_x_k` (where one gets), `r_x_k` (where one
may end), `next_x_k` (the next steps from which one may end), `any_x_k` (whether one may end anywhere).
What a plan cannot do, for a budget or a number of steps out of the ordinary, the reference does
(reference.py).

Long because it is one class: the functions of one plan, and what they share.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import cells_read, variables_read
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.statements import (
    Definition,
    Do,
    ForIn,
    Function,
    Jump,
    Let,
    Made,
    Put,
    Return,
)
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.rules import params
from interpreter.compiling.lower.values import code
from interpreter.compiling.optimise.constants import written
from interpreter.compiling.optimise.vectorise.masks import member_mask
from interpreter.compiling.optimise.vectorise.select import select
from interpreter.compiling.routes.plan import Plan, has_parallels
from interpreter.compiling.routes.reference import links, step_cost
from interpreter.compiling.unit import Env, Unit
from rulesdsl import program as pg
from rulesdsl.program.logic import TRUE, both, conjuncts, mentions
from rulesdsl.program.types import FLAG

TABLE, BARRED = v.Local("table"), v.Local("barred")
BUDGET, LIMIT, GENEROUS, LEFT, COST, EXACT, TOTAL, SPENT, TAKEN = (
    v.Local(name, NUMBER)
    for name in ("budget", "limit", "generous", "left", "cost", "exact", "total", "spent", "taken")
)

MOST_POINTS = 400  # of a budget; beyond, the reference goes by cost
_ON_THE_WAY = ("at", "spent", "taken")
_OUT, _BIT, _THERE, _CHOSEN = v.Local("out"), v.Local("bit"), v.Local("there"), v.Local("chosen")
_ALL = v.Part(TABLE, "all")
_GENEROUS = v.Compare("==", GENEROUS, v.ONE)


class WaveWriter:
    """Builds the functions of one plan."""

    for_all = False  # whether one function finds the origins, the same for all of this kind

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

    def functions(self) -> list[Made]:
        return [*self._cost(), self._reach(), self._ends(), self._next(), self._paid(), *self._any()]

    def _cost(self) -> list[Made]:
        plan, route, unit = self.plan, self.route, self.unit
        em = Builder(unit)
        names: Env = {var: v.Local(f"a{i}", unit.kind(var.type)) for i, var in enumerate(plan.facts)}
        head = (*(f"a{i}" for i in range(len(names))), "here", "border", "there")
        here, there = (v.Local(name, unit.thing_kind("space")) for name in ("here", "there"))
        border = v.Local("border", unit.thing_kind("border"))
        env: Env = {**names, route.here: here, route.border: border, route.there: there}
        for test in plan.refused:
            em.when(code(em, env, test), Return(v.NOTHING))
        em.give(step_cost(em, env, plan.cost))
        made: list[Made] = [Function(self.named("cost"), head, em.body), self._tables("TABLE", "cost")]
        for number, bar in enumerate(plan.bars):
            if bar.links is not None:
                em = Builder(unit)
                em.give(v.Choose(code(em, env, bar.links), v.ONE, v.NOTHING))
                made.append(Function(self.named("bar", number), head, em.body))
                made.append(self._tables("BAR", "bar", number))
        return made

    def _tables(self, name: str, cost: str, *number: int) -> Definition:
        """Tables of links, made for every combination of facts that comes up."""
        asked = v.Name(self.named(cost, *number))
        return Definition(self.named(name, *number), v.Call("LinkTables", (links(self.route), asked)))

    def _reach(self) -> Function:
        """`reach_x_k(…, start, spent, taken)`: a mask without the start; -1 when the reference must do it."""
        em, plan = Builder(self.unit), self.plan
        reached = v.Local("reached", self.spaces_kind)
        give_up = Return(v.MINUS_ONE)
        em.let(TABLE, self.table(em))
        self.limits(em)
        most = v.Number(len(self.unit.program.world.universes["space"]))
        if plan.maximum is not None:
            em.when(v.Compare("<=", LEFT, v.ZERO), Return(v.ZERO))
            several = v.Logic("and", (v.Compare("<", v.ONE, LEFT), v.Compare("<", LEFT, most)))
            em.when(several, give_up)
        if plan.budget is not None:
            unusual = (
                v.Not(v.Part(TABLE, "usual")),
                v.Compare(">", GENEROUS, v.ONE),
                v.Compare(">", LIMIT, v.Number(MOST_POINTS)),
            )
            em.when(v.Logic("or", unusual), give_up)
        self.while_dormant(em, v.MINUS_ONE)
        closed, stops = self.masks(em)
        search = self._spread(self.bars(em))
        em.let(reached, search)
        # what needs a loop is asked only of spaces that could be reached without it
        asked: list[Value] = []
        for name, tests in ((self.closed, closed), (self.stops, stops)):
            if tests:
                more = v.Local(f"more_{name.name}", self.spaces_kind)
                em.let(more, self.any_of(em, tests, reached))
                em.update(name, "|", more)
                asked.append(more)
        if asked:
            em.when(v.Logic("or", tuple(asked)) if len(asked) > 1 else asked[0], Let(reached, search))
        em.give(reached)
        return Function(self.named("reach"), (*self.head, "start", "spent", "taken"), em.body)

    def _spread(self, barred: Value) -> Value:
        """What is reached from `start`."""
        start, plan = v.Local("start", self.spaces_kind), self.plan
        first: tuple[Value, ...] = (TABLE, start, self.closed)
        if plan.budget is None:
            found = v.Call("flood", (_ALL, start, self.closed, self.stops, barred), self.spaces_kind)
            near = v.Call("first_steps", (*first, v.ZERO, v.ONE, barred), self.spaces_kind)
        else:
            found = v.Call("spread", (*first, self.stops, LIMIT, _GENEROUS, barred), self.spaces_kind)
            near = v.Call("first_steps", (*first, LIMIT, _GENEROUS, barred), self.spaces_kind)
        return found if plan.maximum is None else v.Choose(v.Compare("==", LEFT, v.ONE), near, found)

    def _ends(self) -> Function:
        em = Builder(self.unit)
        start, ends = v.Local("start", self.spaces_kind), v.Local("ends", self.spaces_kind)
        em.let(start, self.start(em))
        em.let(ends, v.Call(self.named("reach"), (*self.call, start, v.ZERO, v.ZERO), self.spaces_kind))
        em.when(v.Compare("<", ends, v.ZERO), Return(self.by_reference("ends")))
        if not self.route.minimum:
            em.update(ends, "|", start)
        em.give(select(em, self.env, self.plan.ending, self.there, ends))
        return Function(self.named("r"), self.head, em.body)

    def _next(self) -> Function:
        em, plan = Builder(self.unit), self.plan
        by_reference = self.by_reference("steps", self.at, SPENT, TAKEN)
        ends, far = v.Local("ends", self.spaces_kind), v.Local("far", self.spaces_kind)
        em.let(TABLE, self.table(em))
        self.limits(em)
        if plan.budget is not None:
            em.when(v.Not(v.Part(TABLE, "usual")), Return(by_reference))
        em.let(_OUT, v.Dictionary())
        if plan.maximum is not None:
            em.when(v.Compare("<=", LEFT, v.ZERO), Return(_OUT))
        self.while_dormant(em, by_reference)
        closed, stops = self.masks(em)
        em.let(self.found, v.Meet((v.Item(_ALL, self.at), v.Outside(self.closed))))
        self.bars_from(em)
        if closed:
            em.update(self.found, "&", v.Outside(em.atom(self.any_of(em, closed, self.found))))
        em.when(v.Not(self.found), Return(_OUT))
        em.let(ends, select(em, self.env, plan.ending, self.there, self.found))
        if stops:
            em.update(self.stops, "|", self.any_of(em, stops, self.found))
        offer = Put(_OUT, _THERE, TOTAL)
        with em.loop(self._links_of_at()):
            em.when(v.Not(v.Binary("&", _BIT, self.found)), Jump("continue"))
            if plan.budget is not None:
                too_dear = (v.Compare(">", COST, LIMIT), v.Compare("<=", GENEROUS, v.ZERO))
                em.when(v.Logic("and", too_dear), Jump("continue"))
            parallel = has_parallels(self.unit.program.world)
            if parallel:
                self.total(em)
                known = v.Compare("<=", v.Item(_OUT, _THERE), TOTAL)
                cheaper = v.Logic("and", (v.Compare("in", _THERE, _OUT), known))
                em.when(cheaper, Jump("continue"))
            else:  # what it comes to is worked out when it is known who goes there: None
                em.let(TOTAL, v.NOTHING)
            with em.branch(v.Binary("&", _BIT, ends)):
                em.add(offer, Jump("continue"))
            em.when(v.Binary("&", _BIT, self.stops), Jump("continue"))
            if not parallel:
                self.total(em)
            step = (*self.call, _BIT, TOTAL, v.Binary("+", TAKEN, v.ONE))
            em.let(far, v.Call(self.named("reach"), step, self.spaces_kind))
            em.when(v.Compare("<", far, v.ZERO), Return(by_reference))
            em.when(select(em, self.env, plan.ending, self.there, far), offer)
        em.give(_OUT)
        return Function(self.named("next"), (*self.head, *_ON_THE_WAY), em.body)

    def _links_of_at(self) -> ForIn:
        rows = v.Item(v.Part(TABLE, "order"), self.at)
        return ForIn((_THERE, _BIT, COST, EXACT), rows)

    def _paid(self) -> Function:
        """What has been spent after the step to `chosen`, which was one of those offered."""
        em, plan, head = Builder(self.unit), self.plan, (*self.head, *_ON_THE_WAY, "chosen")
        on_the_way = (self.at, SPENT, TAKEN)
        if has_parallels(self.unit.program.world):
            em.give(v.Item(v.Call(self.named("next"), (*self.call, *on_the_way)), _CHOSEN))
            return Function(self.named("paid"), head, em.body)
        self.while_dormant(em, self.by_reference("pay", *on_the_way, _CHOSEN))
        em.let(TABLE, self.table(em))
        if plan.budget is not None:
            em.let(BUDGET, code(em, self.env, plan.budget))
        with em.loop(self._links_of_at()), em.branch(v.Compare("==", _THERE, _CHOSEN)):
            em.let(TOTAL, v.Binary("+", SPENT, EXACT))
            if plan.budget is not None:
                em.when(v.Compare(">", TOTAL, BUDGET), Let(TOTAL, v.Call("max", (SPENT, BUDGET))))
            em.give(TOTAL)
        return Function(self.named("paid"), head, em.body)

    def _any(self) -> list[Made]:
        """Whether there is an end inside a set: the answer for all origins at once, remembered.

        It depends on the cells of the state that the masks are made of, and on nothing else.
        """
        em, plan, head = Builder(self.unit), self.plan, (*self.head, "within")
        within, origins = v.Local("within", self.spaces_kind), v.Local("origins", self.spaces_kind)
        ends = v.Meet((v.Call(self.named("r"), self.call, self.spaces_kind), within))
        fork = em.fork()
        fork.let(TABLE, self.table(fork))
        closed, stops = self.masks(fork)
        ending = member_mask(fork, self.env, plan.ending, self.there)
        by_path = plan.budget is not None or plan.maximum is not None or plan.bars or plan.dormant
        if by_path or closed or stops or ending is None:
            em.give(ends)
            return [Function(self.named("any"), head, em.body)]
        self._find_origins(fork, ending, origins, within)
        cells = self._depends_on(fork)
        made: list[Made] = [Definition(self.named("ANY"), v.Call("Memory"))]
        found_for_all: list[Made] = []
        if cells is None:
            em.join(fork)
        else:
            memory = v.Name(self.named("ANY"))
            key = v.Tuple((within, *(v.Cell(cell) for cell in cells)))
            em.let(origins, v.Method(memory, "get", (key,)))
            with em.branch(v.Compare("is", origins, v.NOTHING)):
                em.join(fork)
                em.add(Do(v.Method(memory, "remember", (key, origins))))
            self.for_all = True
            body = [*em.body, Return(origins)]
            found_for_all.append(Function(self.named("origins"), ("s", "within"), body))
        em.when(v.Compare("<", origins, v.ZERO), Return(ends))
        em.give(v.Meet((origins, self.start(em))))
        return [*made, Function(self.named("any"), head, em.body), *found_for_all]

    def _find_origins(self, em: Builder, ending: Value, origins: v.Local, within: v.Local) -> None:
        goal = v.Local("goal", self.spaces_kind)
        em.let(goal, v.Meet((self.unit.intersect([ending, self.spaces]), within)))
        found: Value = v.Call("origins_of", (_ALL, self.closed, self.stops, goal), self.spaces_kind)
        if not self.route.minimum:
            found = v.Join((found, goal))
        em.let(origins, v.Choose(v.Part(TABLE, "mutual"), found, v.MINUS_ONE))

    def _depends_on(self, em: Builder) -> list[int] | None:
        """The cells that statements look at; None when it cannot be told, or they know a parameter."""
        cells = cells_read(em.body)
        if cells is None or not variables_read(em.body).isdisjoint(self.env.values()):
            return None
        return sorted(cells)

    # -- what several functions share: facts of the table, masks, bars and limits
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
