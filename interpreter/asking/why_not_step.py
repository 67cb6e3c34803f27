"""Why a piece under way may not go on to a space, or may not halt where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.asking.answers import Found
from interpreter.asking.author_words import source_text
from interpreter.asking.findings import FINDINGS, clause_with_facts, condition_with_facts, plain
from interpreter.asking.why_not_way import Step, against_way, env_of, holds
from interpreter.compiling.decision_points import TravelSite
from interpreter.playing.prompts import option_key
from interpreter.playing.read_names import read_value
from rulesdsl.program.types import Type

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def against_halt(session: Session, site: TravelSite) -> Iterator[Found]:
    """Why a piece may not stop where it is; judged, as in play, without counting the piece itself."""
    route = session.ruleset.program.routes[site.route]
    piece, _, taken, here = traveller(session, site)
    if taken < route.minimum:
        yield plain(session, route.paragraph, f"it must make a step (so far {taken} of {route.minimum})")
        return
    state = session.position.without(piece).s
    env = {route.params[0]: piece, route.here: here, route.border: -1, route.there: here}
    empty = True
    for clause in route.end_forbids:
        if holds(session, clause, env, state):
            yield clause_with_facts(session, clause, env)
            empty = False
    if route.ending is not None and not session.ruleset.evaluate(state, route.ending, env):
        yield condition_with_facts(
            session, route.paragraph, f"only in {source_text(route.ending)}", route.ending, env
        )
        empty = False
    if empty:
        preferred = " as the route prefers" if route.preferences else " here"
        yield plain(session, route.paragraph, f"the path may not end{preferred}")


def against_step(session: Session, site: TravelSite, wish: str) -> Iterator[Found]:
    """Why a piece may not step to a space: not adjacent, forbidden, too dear, or no legal end behind it."""
    program, s = session.ruleset.program, session.machine.s
    route = program.routes[site.route]
    there = read_value(session, Type("thing", "space"), wish)
    key = option_key(program.world, site, there)
    if any(option.key == key for option in session.options):
        return
    piece, spent, taken, here = traveller(session, site)
    links = [b for t, b in program.world.adjacency[here] if t == there]
    if not links:
        name_of = program.world.place_name
        said = (
            f"{name_of(there)} is not adjacent to {name_of(here)}" if there != here else "it is there already"
        )
        yield plain(session, route.paragraph, "it is not adjacent", said=said)
        return
    empty = True
    for border in links:
        step = Step(here, border, there, spent, taken)
        env = env_of(route, [piece], step)
        found = list(against_way(session, FINDINGS, route, [piece], step))
        found += [clause_with_facts(session, c, env) for c in route.end_forbids if holds(session, c, env, s)]
        yield from found
        empty = empty and not found
    if empty:
        preferred = ", as the route prefers" if route.preferences else ""
        yield plain(session, route.paragraph, f"from there the path cannot end{preferred}")


def traveller(session: Session, site: TravelSite) -> tuple[int, int, int, int]:
    """The piece that is under way, what it has spent, how many steps it has made, where it is."""
    frame, slot = session.machine.stack[-1], site.piece_slot
    return frame[slot], frame[slot + 1], frame[slot + 2], session.position.at(frame[slot])
