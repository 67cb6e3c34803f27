"""Why an option is offered: the conditions it meets, the clauses that were considered, with their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.asking.answers import Env, Explanation, Refusal
from interpreter.asking.author_words import only, source_text, title_of
from interpreter.asking.findings import clause_with_facts, condition_with_facts, plain
from interpreter.asking.why_not_step import traveller
from interpreter.asking.why_not_way import Step, env_of, holds
from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.playing.known_values import frame_env, may_know
from rulesdsl import program as pg
from rulesdsl.program.windows import window_of

if TYPE_CHECKING:
    from interpreter.playing.session import Option, Session


def explain_option(session: Session, option: Option) -> Explanation:
    """The step that offers an option, and everything that was asked about it on the way."""
    site, program = session.site, session.ruleset.program
    env, use = frame_env(session, site.env), None
    met: list[Refusal] = []
    if isinstance(site, MenuSite) and option.index >= 0:
        entry = site.step.entries[_value(session, option)]
        use = entry.action
        if entry.condition is not None:
            met.append(_condition(session, entry.paragraph, "only when", entry.condition, env))
    elif isinstance(site, Site) and isinstance(site.step, pg.ChooseS):
        use = site.step.action if option.index >= 0 else site.step.out_action
        if option.index >= 0:
            met += _conditions(session, site, site.step, _value(session, option), env)
    elif isinstance(site, TravelSite):
        return _next_step(session, site, option)
    considered = tuple(_considered(session, use, env)) if use is not None else ()
    return Explanation(site.paragraph, title_of(program, site.paragraph), option.text, considered, tuple(met))


def _next_step(session: Session, site: TravelSite, option: Option) -> Explanation:
    """A step of a piece under way, or its halt: what it costs, and what could have forbidden it."""
    program, s = session.ruleset.program, session.machine.s
    route = program.routes[site.route]
    piece, spent, taken, here = traveller(session, site)
    there = _value(session, option) if option.index >= 0 else here
    border = next((b for t, b in program.world.adjacency[here] if t == there), -1)
    env = env_of(route, [piece], Step(here, border, there, spent, taken))
    clauses = route.step_forbids if option.index >= 0 else route.end_forbids
    considered = [
        clause_with_facts(session, c, env)[0] for c in clauses if holds(session, c, env, s) is False
    ]
    met = []
    if option.index >= 0 and route.budget is not None:
        step = session.ruleset.full.function("step", route.name)
        cost = session.ruleset.full.ask(step, s, piece, here, border, there, taken, spent)
        budget = session.ruleset.evaluate(s, route.budget, {route.params[0]: piece})
        if cost is not None and all(
            e is None or may_know(session, e, env) for e in (route.cost, route.budget)
        ):
            text = f"it costs {cost}; spent so far: {spent} of {budget}"
            met.append(plain(session, route.paragraph, text)[0])
    return Explanation(
        route.paragraph, title_of(program, route.paragraph), option.text, tuple(considered), tuple(met)
    )


def _value(session: Session, option: Option) -> Any:
    pending = session.machine.pending
    assert pending is not None
    return pending.options[option.index]


def _condition(session: Session, paragraph: str, word: str, condition: pg.E, env: Env) -> Refusal:
    return condition_with_facts(session, paragraph, f"{word} {source_text(condition)}", condition, env)[0]


def _conditions(session: Session, site: Site, step: pg.ChooseS, value: Any, env: Env) -> Iterator[Refusal]:
    """The conditions of the phrases, or of the token; `env` gains what was chosen."""
    values = value if isinstance(value, tuple) else (value,)
    window = window_of(session.ruleset.program, step)
    if window is not None:
        token = next(t for t in session.ruleset.program.tokens.values() if t.index == values[0])
        pending = session.machine.pending
        assert pending is not None
        for play in token.plays:
            held: Env = {play.holder: pending.who}
            if play.window != window.name or play.condition is None:
                continue
            if session.ruleset.evaluate(session.machine.s, play.condition, held):
                yield _condition(session, token.paragraph, "only when", play.condition, held)
        return
    for candidate, member in zip(step.candidates, values, strict=True):
        node = candidate.group
        while isinstance(node, pg.Filter):
            condition = node.condition
            yield _condition(session, site.paragraph, only(condition), condition, {**env, node.var: member})
            node = node.group
        env[candidate.var] = member


def _considered(session: Session, use: pg.UseOfAction, env: Env) -> Iterator[Refusal]:
    action = session.ruleset.program.actions[use.action]
    given = [session.ruleset.evaluate(session.machine.s, a, env) for a in use.arguments]
    arguments = dict(zip(action.params, given, strict=True))
    for clause in action.forbids:
        refusal, known = clause_with_facts(session, clause, arguments)
        allowed = [e for e in clause.exceptions if known and _holds(session, e, arguments)]
        if allowed and _holds(session, replace(clause, exceptions=()), arguments):
            named = allowed[0].label or title_of(session.ruleset.program, allowed[0].paragraph)
            allows = f"but {allowed[0].paragraph} allows it" + (f": {named}" if named else "")
            refusal = replace(refusal, said=f"{refusal.said}, {allows}" if refusal.said else allows)
        yield refusal


def _holds(session: Session, clause: pg.Clause, env: Env) -> bool:
    """Whether a clause speaks: its condition holds, and none of its exceptions."""
    if clause.condition is not None and not session.ruleset.evaluate(
        session.machine.s, clause.condition, env
    ):
        return False
    return not any(_holds(session, e, env) for e in clause.exceptions)
