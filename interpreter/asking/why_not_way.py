"""What stands against one step of a way, asked clause by clause of the code that plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.asking.answers import Env, Findings, Found, Refusal
from interpreter.asking.author_words import title_of
from interpreter.compiling.lower.values import SPENT_SO_FAR, STEPS_TAKEN
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.program.walk import uses_var

if TYPE_CHECKING:
    from interpreter.playing.session import Session

TOO_FAR, TOO_DEAR = "it is too far", "it costs too much"


@dataclass(frozen=True, slots=True)
class Step:
    """A step that somebody would like to make, what was spent before it, and how many steps were made."""

    here: int
    border: int
    there: int
    spent: int
    taken: int


def env_of(route: pg.RouteRule, given: list[Any], step: Step) -> Env:
    """The variables of a route at a step."""
    env: Env = dict(zip(route.params, given, strict=True))
    env |= {STEPS_TAKEN: step.taken, SPENT_SO_FAR: step.spent}
    return {**env, route.here: step.here, route.border: step.border, route.there: step.there}


def against_way(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], step: Step
) -> Iterator[Found]:
    """Why a way does not go on by a step; nothing when the step itself is allowed."""
    ruleset, s = session.ruleset, session.machine.s
    params: Env = dict(zip(route.params, given, strict=True))
    if step.taken:
        yield from _stopped(session, find, route, given, step)
    if route.maximum is not None and step.taken >= (most := ruleset.evaluate(s, route.maximum, params)):
        far = f"has at most {most} step{'' if most == 1 else 's'}"
        known = may_know(session, route.maximum, params)
        told = f"the {route.name.replace('_', ' ')} {far if known else 'does not go so far'}"
        yield find.plain(session, route.paragraph, TOO_FAR, said=told)[0], known
        return
    env, refused = env_of(route, given, step), False
    for clause in route.step_forbids:
        if holds(session, clause, env, s):
            yield find.clause(session, clause, env)
            refused = True
    for word, condition in (("only along", route.along), ("only through", _through(route))):
        if condition is not None and not ruleset.evaluate(s, condition, env):
            yield find.condition(session, route.paragraph, word, condition, env)
            refused = True
    if refused:
        return
    asked = ruleset.full.function("step", route.name)
    cost = ruleset.full.ask(asked, s, *given, step.here, step.border, step.there, step.taken, step.spent)
    if cost is None:  # by a clause that asks about the way made so far
        clauses = [c for c in route.step_forbids if holds(session, c, env, s) is None]
        yield from (find.clause(session, clause, env) for clause in clauses)
        return
    budget = ruleset.evaluate(s, route.budget, params) if route.budget is not None else None
    always = ruleset.evaluate(s, route.always, params) if route.always is not None else 0
    if budget is not None and step.spent + cost > budget and step.taken >= always:
        yield _too_dear(session, route, env, step, (cost, budget))


def _stopped(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], step: Step
) -> Iterator[Found]:
    """The clauses by which a way ends where it is, and the places it may only end in."""
    env = env_of(route, given, Step(-1, -1, step.here, step.spent, step.taken))
    unknown = frozenset((route.here, route.border))  # how it came there
    for clause in route.stops:
        asks = clause.condition is not None and uses_var(clause.condition, unknown)
        if not asks and holds(session, clause, env, session.machine.s):
            yield find.clause(session, clause, env)
    passing = route.through if route.ending is not None else None
    if passing is None or uses_var(passing, unknown):
        return
    if not session.ruleset.evaluate(session.machine.s, passing, env):
        yield find.condition(session, route.paragraph, "only through", passing, env)


def _through(route: pg.RouteRule) -> pg.E | None:
    """What every space of the way must be; with an ending of its own, the last may be another."""
    return route.through if route.ending is None else None


def _too_dear(session: Session, route: pg.RouteRule, env: Env, step: Step, numbers: tuple[int, int]) -> Found:
    known = [e is None or may_know(session, e, env) for e in (route.cost, route.budget)]
    cost, budget = (str(n) if open_ else "hidden" for n, open_ in zip(numbers, known, strict=True))
    facts = (("cost", cost), ("spent", str(step.spent)), ("budget", budget))
    title = title_of(session.ruleset.program, route.paragraph)
    place = session.ruleset.program.world.place_name(step.there)
    said = f"{place} costs too much ({cost}; spent so far: {step.spent} of {budget})"
    return Refusal(route.paragraph, title, TOO_DEAR, facts, said), all(known)


def holds(session: Session, clause: pg.Clause, env: Env, state: list[Any]) -> bool | None:
    """Whether a clause speaks against a step; None when it asks about the way, which has no value here."""
    try:
        speaks = clause.condition is None or session.ruleset.evaluate(state, clause.condition, env)
    except NameError:
        return None
    return bool(speaks) and not any(holds(session, e, env, state) for e in clause.exceptions)
