"""Why a route may not end in a space: it may not stay there, may not enter it, or does not get that far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.asking.about_things import MOST_NAMES, bits
from interpreter.asking.answers import Env, Findings, Found
from interpreter.asking.why_not_way import TOO_DEAR, TOO_FAR, Step, against_way, env_of, holds
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.playing.session import Session

Reached = dict[int, tuple[int, int, int, int]]  # space → what was spent, steps made, from where, over what


def why_no_end(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], there: int
) -> tuple[list[str], str]:
    """The same in sentences, each with its paragraph, and in short; nothing when a secret is the reason."""
    found = list(against_end(session, find, route, given, there))
    if not all(known for _, known in found):
        return [], ""
    told = []
    for refusal, _ in found:
        called = f"{refusal.label}: " if refusal.label and refusal.said else refusal.label
        told.append(f"{called}{refusal.said} ({refusal.paragraph})")
    return told, "; ".join(f"{refusal.label or refusal.title}, {refusal.paragraph}" for refusal, _ in found)


def route_against(session: Session, group: pg.E, value: int, env: Env) -> pg.RouteE | None:
    """The route among what makes up a group that keeps a space out of it."""
    match group:
        case pg.RouteE():
            return None if session.ruleset.evaluate(session.machine.s, group, env) >> value & 1 else group
        case pg.Filter(group=inner) | pg.SetOp(op="-", left=inner):
            return route_against(session, inner, value, env)
        case pg.SetOp(op="&", left=left, right=right):
            return route_against(session, left, value, env) or route_against(session, right, value, env)
        case _:
            return None


def against_end(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], there: int
) -> Iterator[Found]:
    """Every clause that keeps the route from ending in a space."""
    ruleset, s = session.ruleset, session.machine.s
    start = ruleset.evaluate(s, route.origin, dict(zip(route.params, given, strict=True)))
    origins = start if route.origin.type.kind == "set" else 1 << start if start >= 0 else 0
    if not origins:
        yield find.plain(session, route.paragraph, "it begins nowhere")
        return
    if route.straight or route.exactly is not None:  # every way is tried for itself, and none is told
        return
    reached: Reached = ruleset.full.ask(ruleset.full.function("search", route.name), s, *given, origins)
    if there in reached:
        yield from _against_staying(session, find, route, given, there, reached)
    else:
        yield from _against_coming(session, find, route, given, there, reached)


def _against_staying(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], there: int, reached: Reached
) -> Iterator[Found]:
    spent, taken, here, border = reached[there]
    name_of = session.ruleset.program.world.place_name
    if taken < route.minimum:
        yield find.plain(session, route.paragraph, f"{name_of(there)} is where it begins")
        return
    env, empty = env_of(route, given, Step(here, border, there, spent, taken)), True
    for clause in route.end_forbids:
        if holds(session, clause, env, session.machine.s):
            yield find.clause(session, clause, env)
            empty = False
    if route.ending is not None and not session.ruleset.evaluate(session.machine.s, route.ending, env):
        yield find.condition(session, route.paragraph, "only where", route.ending, env)
        empty = False
    if empty and route.preferences:
        yield find.plain(session, route.paragraph, _comes_first(session, route, given, reached))


def _comes_first(session: Session, route: pg.RouteRule, given: list[Any], reached: Reached) -> str:
    """What is preferred to a way that would be possible, and where that leads."""
    full, s = session.ruleset.full, session.machine.s
    ends = full.ask(full.function("ends", route.name), s, *given)
    first = next((end for end in bits(ends) if end in reached), None)
    if first is None:
        return "none of the ways that may be taken leads there"
    spent, taken, here, border = reached[first]
    rung = full.ask(full.function("rung", route.name), s, *given, here, border, first, taken, spent)
    label = route.preferences[rung][1] if rung < len(route.preferences) else ""
    places = [session.ruleset.program.world.place_name(end) for end in bits(ends)]
    more = f" and {len(places) - MOST_NAMES} more" if len(places) > MOST_NAMES else ""
    better = f"“{label}”" if label else "a better way"
    return f"{better} comes first and is possible ({', '.join(places[:MOST_NAMES])}{more})"


def _against_coming(
    session: Session, find: Findings, route: pg.RouteRule, given: list[Any], there: int, reached: Reached
) -> Iterator[Found]:
    name_of = session.ruleset.program.world.place_name
    step = _first_step_out(session, reached, there)
    if step is None:
        yield find.plain(session, route.paragraph, f"no way leads to {name_of(there)}")
        return
    for refusal, known in against_way(session, find, route, given, step):
        passed = "on the way there" if step.there != there else ""  # what stops it stands on the way
        if refusal.clause == TOO_FAR or (passed and refusal.clause == TOO_DEAR):
            passed = f"{name_of(there)} is too far away"
        yield replace(refusal, said=": ".join(filter(None, (passed, refusal.said)))), known


def _first_step_out(session: Session, reached: Reached, there: int) -> Step | None:
    """The step at which the shortest way to a space leaves what can be reached."""
    adjacency = session.ruleset.program.world.adjacency
    first: dict[int, Step] = {}
    for here, (spent, taken, _, _) in sorted(reached.items(), key=lambda found: (found[1][0], found[0])):
        for onward, border in adjacency[here]:
            if onward not in reached:
                first.setdefault(onward, Step(here, border, onward, spent, taken))
    edge = list(first)
    while edge and there not in first:
        further = []
        for here in edge:
            for onward, _ in adjacency[here]:
                if onward not in reached and onward not in first:
                    first[onward] = first[here]
                    further.append(onward)
        edge = further
    return first.get(there)
