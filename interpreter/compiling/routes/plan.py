"""What a route asks of a step, sorted: what never changes, what is about one space, what is about both.

Most routes can be searched with masks: the steps there are and their costs go into a table that is made
once (`LinkTable`), spaces that may not be entered or left are masks. Where a rule speaks of the path so
far, or of a step in a way that changes in play, there is no plan and the search goes step by step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from interpreter.compiling.optimise.constants import is_printed
from interpreter.compiling.optimise.fold import Folder
from interpreter.compiling.unit import Unit
from rulesdsl import program as pg
from rulesdsl.program.logic import (
    LOOPS,
    TRUE,
    both,
    clause_condition,
    conjuncts,
    disjuncts,
    mentions,
    negated,
    rebuilt,
    same,
    substituted,
)
from rulesdsl.program.types import NUMBER
from rulesdsl.program.walk import sub_expressions
from rulesdsl.program.world import World

MOST_NODES = 6000  # rules about steps are looked into deeply
_STATIC = (
    pg.Const, pg.VarGet, pg.AttrGet, pg.Arith, pg.NotE, pg.LogicE, pg.CompareE, pg.IfE, pg.BuiltinE,
    pg.Member, pg.ClassSet, pg.Neighbours, pg.SingleSet, pg.SetOp, pg.Filter, pg.SomeE, pg.CountE,
    pg.FirstE, pg.BordersBetween, pg.LookupE, pg.ResultField,
)  # fmt: skip


@dataclass(slots=True)
class Bar:
    """Steps from `here` into `there` over `links` are barred (each a condition)."""

    here: pg.E
    there: pg.E
    links: pg.E | None


@dataclass(slots=True)
class Plan:
    """One route for one kind of traveller. Conditions speak of `there`, unless said otherwise."""

    route: pg.RouteRule
    facts: dict[pg.Var, pg.E] = field(default_factory=dict)  # what the table depends on
    cost: pg.E = field(default_factory=lambda: pg.Const(1, type=NUMBER))
    refused: list[pg.E] = field(default_factory=list)  # steps that are not in the table
    closed: list[pg.E] = field(default_factory=list)
    stops: list[pg.E] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    dormant: list[pg.E] = field(default_factory=list)  # while they hold nowhere, `cost` is what a step costs
    ending: pg.E = TRUE
    origin: pg.E = TRUE
    budget: pg.E | None = None
    maximum: pg.E | None = None
    always: pg.E | None = None


class Planner:
    """Makes plans for the routes of a program."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.folder = Folder(unit.program, unit.settings, MOST_NODES, unit.magnitudes)
        self.numbers = count()
        self.parallel = has_parallels(unit.program.world)

    def plan(self, route: pg.RouteRule, known: dict[tuple[pg.Var, str], pg.Const]) -> Plan | None:
        """The plan for a route with some printed values known; None when it cannot be searched by masks."""
        if route.exactly is not None or route.straight or route.minimum > 1:
            return None

        def folded(e: pg.E) -> pg.E:
            return self.folder.fold(_known(self.folder.fold(e), known))

        def maybe(e: pg.E | None) -> pg.E | None:
            return None if e is None else folded(e)

        plan = Plan(route)
        steps = [clause_condition(c) for c in route.step_forbids]
        stops = [clause_condition(c) for c in route.stops]
        if route.along is not None:
            steps.append(negated(route.along))
        if route.through is not None:
            (steps if route.ending is None else stops).append(negated(route.through))
        for test in steps:
            for case in disjuncts(folded(test)):
                if not self._bar(plan, case):
                    return None
        plan.stops = [folded(test) for test in stops]
        ends = [negated(clause_condition(c)) for c in route.end_forbids]
        plan.ending, plan.origin = folded(both([route.ending or TRUE, *ends])), folded(route.origin)
        plan.budget, plan.maximum, plan.always = map(maybe, (route.budget, route.maximum, route.always))
        about_more = {route.here, route.border}
        if any(mentions(test, about_more) or _of_the_path(test) for test in (*plan.stops, plan.ending)):
            return None
        if route.cost is not None:
            cost = self._static(plan, self._without_dormant(plan, folded(route.cost)))
            if cost is None:
                return None
            plan.cost = cost
        return plan

    def _without_dormant(self, plan: Plan, e: pg.E) -> pg.E:
        """The expression as it is while conditions on the space entered that may change hold nowhere.

        Most such rules wait for something rare: one zone in ruins must not slow down a march elsewhere
        before there is one. Once there is, the reference does it.
        """
        there = {plan.route.there}
        if isinstance(e, pg.IfE) and not _printed_about(e.condition, there):
            test = e.condition
            about = {v for v in (plan.route.here, plan.route.border) if mentions(test, {v})}
            if mentions(test, there) and not about and not _of_the_path(test):
                plan.dormant.append(test)
                return self._without_dormant(plan, e.otherwise)
        return self.folder.fold(rebuilt(e, lambda part: self._without_dormant(plan, part)))

    def _bar(self, plan: Plan, test: pg.E) -> bool:
        """Sort one condition under which a step is refused."""
        route = plan.route
        if isinstance(test, pg.Const):
            if test.value:
                plan.refused.append(TRUE)
            return True
        if _of_the_path(test):
            return False
        here: list[pg.E] = []
        there: list[pg.E] = []
        links: list[pg.E] = []
        for part in conjuncts(test):
            speaks_of = {v for v in (route.here, route.border, route.there) if mentions(part, {v})}
            if speaks_of <= {route.there}:
                there.append(part)
            elif speaks_of == {route.here}:
                here.append(part)
            else:
                links.append(part)
        if not here and not links:
            # what is printed goes into the table where steps are paid for: its costs are then all of steps
            # that can be taken
            printed = plan.route.budget is not None and is_printed(self.unit, test, frozenset({route.there}))
            (plan.refused if printed else plan.closed).append(test)
            return True
        static = self._static(plan, test)
        if static is not None:
            plan.refused.append(static)
            return True
        over = self._static(plan, both(links)) if links else None
        if links and (over is None or self.parallel):
            return False
        plan.bars.append(Bar(both(here) if here else TRUE, both(there) if there else TRUE, over))
        return True

    def _static(self, plan: Plan, e: pg.E, loops: frozenset[pg.Var] = frozenset()) -> pg.E | None:
        """The expression with everything that may change in play replaced by facts; None when that fails."""
        route = plan.route
        if not mentions(e, {route.here, route.border, route.there, *loops}):
            return e if _printed_only(e) else self._fact(plan, e)
        if not isinstance(e, _STATIC) or not _is_fixed(e):
            return None
        if isinstance(e, LOOPS):
            loops |= {e.var}
        failed: list[pg.E] = []

        def change(part: pg.E) -> pg.E:
            static = self._static(plan, part, loops)
            if static is None:
                failed.append(part)
            return static or part

        changed = rebuilt(e, change)
        return None if failed else changed

    def _fact(self, plan: Plan, e: pg.E) -> pg.E | None:
        if e.type.kind not in ("flag", "enum") and e.type.name != "player":
            return None  # too many tables
        for var, known in plan.facts.items():
            if same(known, e):
                return pg.VarGet(var, type=e.type)
        var = pg.Var(f"fact{next(self.numbers)}", e.type)
        plan.facts[var] = e
        return pg.VarGet(var, type=e.type)


def has_parallels(world: World) -> bool:
    """Whether two links join the same two spaces."""
    return any(len({there for there, _ in around}) < len(around) for around in world.adjacency)


def _known(e: pg.E, known: dict[tuple[pg.Var, str], pg.Const]) -> pg.E:
    """The expression with known printed values, or a known thing, put in."""
    things = {var: value for (var, name), value in known.items() if not name}
    if things:
        e = substituted(e, things)
    match e:
        case pg.AttrGet(attribute=attribute, of=pg.VarGet(var=var)) if (var, attribute.name) in known:
            return known[var, attribute.name]
        case _:
            return rebuilt(e, lambda part: _known(part, known))


def _is_fixed(e: pg.E) -> bool:
    """Whether a node itself, its parts aside, means the same throughout a game."""
    if isinstance(e, pg.AttrGet):
        return e.attribute.printed and not e.attribute.per_face
    return not isinstance(e, pg.BuiltinE) or e.name != "place_of"


def _printed_only(e: pg.E) -> bool:
    """Whether a value is the same in every game: no variables, no state."""
    if isinstance(e, pg.VarGet) or not isinstance(e, _STATIC) or not _is_fixed(e):
        return False
    return all(_printed_only(part) for part in sub_expressions(e))


def _printed_about(e: pg.E, variables: set[pg.Var]) -> bool:
    """Whether a condition on these variables means the same throughout a game, whoever asks."""
    if isinstance(e, pg.VarGet):
        return True
    if not mentions(e, variables):
        return True
    return (
        isinstance(e, _STATIC)
        and _is_fixed(e)
        and all(_printed_about(p, variables) for p in sub_expressions(e))
    )


def _of_the_path(e: pg.E) -> bool:
    return isinstance(e, pg.StepFact) or any(_of_the_path(part) for part in sub_expressions(e))
