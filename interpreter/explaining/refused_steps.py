"""Why a piece under way may not go on to a space, or may not halt where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.explaining.explain import Refusal, may_know, source_text, title_of
from interpreter.explaining.findings import Env, Found, clause_with_facts, condition_with_facts, plain
from interpreter.explaining.meant import read_value
from interpreter.sites import TravelSite
from interpreter.wording import option_key
from rulesdsl import program as pg
from rulesdsl.types import Type

if TYPE_CHECKING:
    from interpreter.session import Session


def against_halt(session: Session, site: TravelSite) -> Iterator[Found]:
    """Why a piece may not stop where it is; judged, as in play, without counting the piece itself."""
    route = session.ruleset.program.routes[site.route]
    piece, _, taken, here = _traveller(session, site)
    if taken < route.minimum:
        yield plain(session, route.rule, f"it must make a step (so far {taken} of {route.minimum})")
        return
    state, occupation = session.machine.s[:], session.ruleset.layout.occupation
    place, kind = session.ruleset.layout.pieces_in + here, occupation.kind_of[piece]
    state[place] &= ~(1 << piece)
    if not state[place] & occupation.kinds[kind]:
        state[occupation.base + kind] &= ~(1 << here)
    env = {route.params[0]: piece, route.here: here, route.border: -1, route.there: here}
    empty = True
    for clause in route.end_forbids:
        if _holds(session, clause, env, state):
            yield clause_with_facts(session, clause, env)
            empty = False
    if route.ending is not None and not session.ruleset.evaluate(state, route.ending, env):
        yield condition_with_facts(
            session, route.rule, f"only in {source_text(route.ending)}", route.ending, env
        )
        empty = False
    if empty:
        preferred = " as the route prefers" if route.preferences else " here"
        yield plain(session, route.rule, f"the path may not end{preferred}")


def against_step(session: Session, site: TravelSite, wish: str) -> Iterator[Found]:
    """Why a piece may not step to a space: not adjacent, forbidden, too dear, or no legal end behind it."""
    program, s = session.ruleset.program, session.machine.s
    route = program.routes[site.route]
    there = read_value(session, Type("thing", "space"), wish)
    key = option_key(program.world, site, there)
    if any(option.key == key for option in session.options):
        return
    piece, spent, taken, here = _traveller(session, site)
    links = [b for t, b in program.world.adjacency[here] if t == there]
    if not links:
        names = program.world.universes["space"].names
        said = f"{names[there]} is not adjacent to {names[here]}" if there != here else "it is there already"
        yield plain(session, route.rule, "it is not adjacent", said=said)
        return
    empty = True
    for border in links:
        env = {route.params[0]: piece, route.here: here, route.border: border, route.there: there}
        clauses = [c for c in (*route.step_forbids, *route.end_forbids) if _holds(session, c, env, s)]
        if clauses:
            yield from (clause_with_facts(session, clause, env) for clause in clauses)
            empty = False
            continue
        cost = session.ruleset.full.names[f"step_{route.name}"](s, piece, here, border, there, taken, spent)
        if cost is None:
            yield plain(session, route.rule, "it may not be passed through")
            empty = False
            continue
        budget = None
        if route.budget is not None:
            budget = session.ruleset.evaluate(s, route.budget, {route.params[0]: piece})
        if budget is not None and spent + cost > budget:
            yield _too_dear(session, route, env, spent, (cost, budget))
            empty = False
    if empty:
        preferred = ", as the route prefers" if route.preferences else ""
        yield plain(session, route.rule, f"from there the path cannot end{preferred}")


def _too_dear(session: Session, route: pg.RouteRule, env: Env, spent: int, numbers: tuple[int, int]) -> Found:
    known = [e is None or may_know(session, e, env) for e in (route.cost, route.budget)]
    cost, budget = (str(n) if open_ else "hidden" for n, open_ in zip(numbers, known, strict=True))
    facts = (("cost", cost), ("spent", str(spent)), ("budget", budget))
    title = title_of(session.ruleset.program, route.rule)
    said = f"it costs too much ({cost}; spent so far: {spent} of {budget})"
    return Refusal(route.rule, title, "it costs too much", facts, said), all(known)


def _traveller(session: Session, site: TravelSite) -> tuple[int, int, int, int]:
    """The piece that is under way, what it has spent, how many steps it has made, where it is."""
    frame, slot = session.machine.stack[-1], site.piece_slot
    at = session.ruleset.layout.arrays["piece", "at"].base
    return frame[slot], frame[slot + 1], frame[slot + 2], session.machine.s[at + frame[slot]]


def _holds(session: Session, clause: pg.Clause, env: Env, state: list[Any]) -> bool:
    try:
        holds = clause.condition is None or session.ruleset.evaluate(state, clause.condition, env)
    except NameError:  # the clause asks about the path (`first_step`), which has no value here
        return False
    return bool(holds) and not any(_holds(session, e, env, state) for e in clause.exceptions)
