"""The rules of a route as functions, and the search step by step that asks them (running/route_search.py).

For a route `x` there are: `step_x` (the cost of a step, or None when it is forbidden), `stop_x`, `end_x`
(whether a path may end there), `rung_x` (how much an end is preferred), `limits_x`, `start_x`; and what the
search answers: `search_x` (all reachable ends with cost and steps), `ends_x` (the set of legal ends after
preferences), `steps_x` (the next steps from which a legal end can be reached, for moving step by step),
`best_x` and `pay_x` (what such a step costs). The rest of the code calls them `r_x`, `next_x`, `paid_x` and
`any_x`; dispatch.py says who stands behind these names.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.statements import Charge, Definition, Function, Made, Return
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.rules import params, refuse_if
from interpreter.compiling.lower.values import code
from interpreter.compiling.unit import Env, Unit
from interpreter.running.route_search import NO_RUNG, Shape
from rulesdsl import program as pg

CHARGE = "charge"
_STEP = ("here", "border", "there", "steps_", "spent_")


def charge_function() -> Function:
    """`charge(work)`: how a search that is no generated code counts its work."""
    return Function(CHARGE, ("work",), [Charge(1, v.Local("work", NUMBER))])


def route_functions(unit: Unit, route: pg.RouteRule) -> list[Made]:
    """All functions of one route: the reference, which asks about every step."""
    parts: list[Made] = [_step(unit, route), _stop(unit, route), _end(unit, route)]
    if route.preferences:
        parts.append(_rung(unit, route))
    parts += [_limits(unit, route), _start(unit, route), _search(unit, route)]
    return [*parts, *_answers(unit, route)]


def links(route: pg.RouteRule) -> v.Name:
    """Borders join neighbours; ways are borders and passages."""
    return v.Name("WAYS" if route.source.along == "ways" else "LINKS")


# ---- the rules -------------------------------------------------------------------------------------------
def _of_a_step(unit: Unit, route: pg.RouteRule) -> tuple[Env, tuple[str, ...]]:
    env, head = params(unit, route.params)
    env |= {
        route.here: v.Local("here", unit.thing_kind("space")),
        route.border: v.Local("border", unit.thing_kind("border")),
        route.there: v.Local("there", unit.thing_kind("space")),
    }
    return env, (*head, *_STEP)


def _named(unit: Unit, role: str, route: pg.RouteRule) -> str:
    return f"{role}_{unit.naming.route(route.name)}"


def _step(unit: Unit, route: pg.RouteRule) -> Function:
    em = Builder(unit)
    env, head = _of_a_step(unit, route)
    refused = Return(v.NOTHING)
    if route.along is not None:
        em.when(v.Not(code(em, env, route.along)), refused)
    if route.through is not None and route.ending is None:
        em.when(v.Not(code(em, env, route.through)), refused)
    refuse_if(em, env, route.step_forbids, refused)
    em.give(step_cost(em, env, route.cost) if route.cost is not None else v.ONE)
    return Function(_named(unit, "step", route), head, em.body)


def step_cost(em: Builder, env: Env, cost: pg.E) -> Value:
    """What a step costs. Never less than nothing: a path that is paid for going on would never end, and
    which of several paths is the cheapest could not be told without trying all of them."""
    value = code(em, env, cost)
    return value if _is_no_gain(cost) else v.Call("max", (v.ZERO, value), NUMBER)


def _is_no_gain(cost: pg.E) -> bool:
    """Whether it can be seen that this is never below 0."""
    match cost:
        case pg.Const(value=value):
            return isinstance(value, (int, Fraction)) and value >= 0
        case pg.IfE(then=then, otherwise=otherwise):
            return _is_no_gain(then) and _is_no_gain(otherwise)
        case pg.Arith(op="+", left=left, right=right):
            return _is_no_gain(left) and _is_no_gain(right)
        case pg.AttrGet(attribute=attribute):
            return attribute.type.low is not None and attribute.type.low >= 0
        case _:
            return False


def _stop(unit: Unit, route: pg.RouteRule) -> Function:
    """Whether a path cannot go on from `there`: a stop clause, or a space it may only end in."""
    em = Builder(unit)
    env, head = _of_a_step(unit, route)
    refuse_if(em, env, route.stops, Return(v.ONE))
    if route.through is not None and route.ending is not None:
        em.when(v.Not(code(em, env, route.through)), Return(v.ONE))
    em.give(v.ZERO)
    return Function(_named(unit, "stop", route), head, em.body)


def _end(unit: Unit, route: pg.RouteRule) -> Function:
    em = Builder(unit)
    env, head = _of_a_step(unit, route)
    if route.ending is not None:
        em.when(v.Not(code(em, env, route.ending)), Return(v.ZERO))
    refuse_if(em, env, route.end_forbids, Return(v.ZERO))
    em.give(v.ONE)
    return Function(_named(unit, "end", route), head, em.body)


def _rung(unit: Unit, route: pg.RouteRule) -> Function:
    em = Builder(unit)
    env, head = _of_a_step(unit, route)
    for number, (test, _) in enumerate(route.preferences):
        em.when(code(em, env, test), Return(v.Number(number)))
    em.give(v.Number(NO_RUNG))
    return Function(_named(unit, "rung", route), head, em.body)


def _limits(unit: Unit, route: pg.RouteRule) -> Function:
    """(budget, most steps, steps that are always allowed, exactly so many steps)"""
    em = Builder(unit)
    env, head = params(unit, route.params)
    limits = [
        none if limit is None else code(em, env, limit)
        for limit, none in (
            (route.budget, v.NOTHING), (route.maximum, v.NOTHING), (route.always, v.ZERO),
            (route.exactly, v.NOTHING),
        )
    ]  # fmt: skip
    em.give(v.Tuple(tuple(limits)))
    return Function(_named(unit, "limits", route), head, em.body)


def _start(unit: Unit, route: pg.RouteRule) -> Function:
    em = Builder(unit)
    env, head = params(unit, route.params)
    start = code(em, env, route.origin)
    em.give(start if route.origin.type.kind == "set" else unit.bit("space", start))
    return Function(_named(unit, "start", route), head, em.body)


# ---- the search ------------------------------------------------------------------------------------------
def _search(unit: Unit, route: pg.RouteRule) -> Definition:
    asked = [v.Name(_named(unit, role, route)) for role in ("step", "stop", "end", "limits", "start")]
    rung: Value = v.Name(_named(unit, "rung", route)) if route.preferences else v.NOTHING
    lines = ("distance", "straight_path", "border_between") if route.straight else ()
    geometry = v.Tuple(tuple(map(v.Name, lines)))
    shape = unit.constant("shape", shape_of(unit, route))
    work = v.WorkOf(tuple(one.name for one in asked[:3]))
    made = (*asked, rung, links(route), geometry, v.Name(CHARGE), work, shape)
    return Definition(_named(unit, "SEARCH", route), v.Call("RouteSearch", made))


def shape_of(unit: Unit, route: pg.RouteRule) -> Shape:
    """What is known of the search before the game."""
    form = "cheapest"
    if route.straight:
        form = "straight"
    elif route.exactly is not None:
        form = "exactly"
    elif _is_counted(route):
        form = "counted"
    short = route.minimum <= 1 and route.always is None
    return Shape(form, route.minimum, short, len(unit.program.world.universes["space"]))


def _is_counted(route: pg.RouteRule) -> bool:
    """Whether a dearer way may be worth more than the cheapest: both steps and points are counted."""
    always = route.always
    one = isinstance(always, pg.Const) and always.value in (0, 1)  # the first step is that of the start
    several = always is not None and not one
    counted = route.maximum is not None or several
    return route.minimum > 1 or (counted and route.cost is not None)


def _answers(unit: Unit, route: pg.RouteRule) -> list[Made]:
    """Functions that hand on what the search answers. (They are no mere names for it: of whom a rule has
    asked is told by the functions on the way.)"""
    env, head = params(unit, route.params)
    given = v.Tuple((STATE, *env.values()))
    search = v.Name(_named(unit, "SEARCH", route))
    on_the_way = ("at", "spent", "taken")
    seen: tuple[str, ...] = ("seen",) if route.preferences else ()
    place = (*(v.Local(name) for name in on_the_way), v.Local("seen") if seen else v.ZERO)

    def answer(role: str, more: tuple[str, ...], value: Value) -> Function:
        return Function(_named(unit, role, route), (*head, *more), [Return(value)])

    steps = v.Method(search, "steps", (given, *place))
    made: list[Made] = [
        answer("search", ("origins",), v.Method(search, "cheapest", (given, v.Local("origins")))),
        answer("ends", (), v.Method(search, "ends", (given,))),
        answer("steps", (*on_the_way, *seen), steps),
        answer("pay", (*on_the_way, "chosen", *seen), v.Item(steps, v.Local("chosen"))),
    ]
    if seen:
        made.append(answer("best", (*on_the_way, *seen), v.Method(search, "best", (given, *place))))
    return made
