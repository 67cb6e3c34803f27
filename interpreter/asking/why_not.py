"""Why not: every clause that stands against a wish, by running the clauses one by one.

Nobody learns a secret by wishing. A clause that looks at what the player may not know is told only when
no other stands against his wish: then what is not offered has told him already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from interpreter.asking.answers import Env, Found, Refusal
from interpreter.asking.author_words import clause_text, only, source_text, title_of
from interpreter.asking.deciding_readings import deciding_readings
from interpreter.asking.findings import (
    FINDINGS,
    because_no_member,
    clause_with_facts,
    condition_with_facts,
    in_words,
    plain,
)
from interpreter.asking.why_not_route import against_end, route_against
from interpreter.asking.why_not_step import against_halt, against_step
from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.lower.rules import refusals_function
from interpreter.playing.counters import as_seen
from interpreter.playing.known_values import frame_env, may_know
from interpreter.playing.prompts import option_key, out_key, slug
from interpreter.playing.read_names import parts_of, read_value
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.program.types import Type
from rulesdsl.program.windows import window_of

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def why_not(session: Session, wish: str) -> list[Refusal]:
    """`wish` is a key like those of the options, or names of things, several joined by `+`, `,` or `to`.

    An empty answer: it is offered.
    """
    site = session.site
    if any(wish.casefold() in (o.key.casefold(), o.text.casefold()) for o in session.options):
        return []
    if slug(wish) == out_key(site) and wish.strip():
        found = list(_against_the_way_out(session, site))
    else:
        window = window_of(session.ruleset.program, site.step)
        match site:
            case _ if window is not None:
                found = list(_against_token(session, window, wish))
            case Site():
                found = list(_against_choice(session, site, wish))
            case TravelSite():
                found = list(against_step(session, site, wish))
            case MenuSite():
                found = list(_against_entry(session, site, wish))
            case _:
                assert_never(site)
    return [refusal for refusal, known in found if known] or [refusal for refusal, _ in found]


def action_refusals(
    session: Session, action: pg.ActionRule, arguments: Sequence[Any]
) -> list[tuple[str, str]]:
    """Paragraph and words of every clause that forbids this action with these arguments, without its reasons:
    finding those would compile the rules anew for every other reading."""
    found = []
    for kind, number, *rung in _standing_against(session, action, arguments):
        if kind == "forbid":
            clause = action.forbids[number]
            found.append((clause.paragraph, clause_text(clause)))
        else:
            ladder = action.ladders[number]
            found.append((ladder.paragraph, f"first: {_rung_text(ladder, ladder.rungs[rung[0]])}"))
    return found


def _standing_against(session: Session, action: pg.ActionRule, arguments: Sequence[Any]) -> Any:
    """`("forbid", number)` of a clause, `("must", number, rung)` of a ladder."""
    compiled = session.ruleset.full
    asked = compiled.made_on_demand("why", action.name, lambda: refusals_function(compiled.unit, action))
    return compiled.ask(asked, session.machine.s, *arguments)


def _rung_text(ladder: pg.Ladder, step: pg.LadderRung) -> str:
    return step.label or ladder.label or source_text(step.met)


def _against_action(session: Session, action: pg.ActionRule, arguments: Sequence[Any]) -> Iterator[Found]:
    program = session.ruleset.program
    env = dict(zip(action.params, arguments, strict=True))
    for kind, number, *rung in _standing_against(session, action, arguments):
        if kind == "forbid":
            yield clause_with_facts(session, action.forbids[number], env)
            continue
        ladder = action.ladders[number]
        step = ladder.rungs[rung[0]]
        text = _rung_text(ladder, step)
        asked = [e for e in (ladder.condition, step.met, step.possible) if e is not None]
        label = step.label or ladder.label
        said = f"first: {label}" if label else f"first: {in_words(session, step.met, env)}"
        title, source = title_of(program, ladder.paragraph), source_text(step.met)
        refusal = Refusal(ladder.paragraph, title, f"first: {text}", (), said, source=source)
        yield refusal, all(may_know(session, e, env) for e in asked)


# ---- the ways out, and menus -----------------------------------------------------------------------------
def _against_the_way_out(session: Session, site: Site | MenuSite | TravelSite) -> Iterator[Found]:
    """Why one may not stop here: what must be done first."""
    if isinstance(site, TravelSite):
        yield from against_halt(session, site)
    elif isinstance(site, Site) and isinstance(site.step, pg.ChooseS) and site.step.out_action is not None:
        env, out = frame_env(session, site.env), site.step.out_action
        given = [session.ruleset.evaluate(session.machine.s, a, env) for a in out.arguments]
        yield from _against_action(session, session.ruleset.program.actions[out.action], given)
    else:
        yield plain(session, site.paragraph, "one of the options must be chosen")


def _against_entry(session: Session, site: MenuSite, wish: str) -> Iterator[Found]:
    entry = next(
        (e for e in site.step.entries if wish.strip() and slug(e.label).startswith(slug(wish))), None
    )
    if entry is None:
        raise UsageError(f'"{wish[:80]}" is nothing that could be chosen here')
    env, empty = frame_env(session, site.env), True
    if entry.condition is not None and not session.ruleset.evaluate(session.machine.s, entry.condition, env):
        yield condition_with_facts(
            session, entry.paragraph, f"only when {source_text(entry.condition)}", entry.condition, env
        )
        empty = False
    if entry.action is not None:
        given = [session.ruleset.evaluate(session.machine.s, a, env) for a in entry.action.arguments]
        for found in _against_action(session, session.ruleset.program.actions[entry.action.action], given):
            yield found
            empty = False
    if empty and not any(option.text == entry.label for option in session.options):
        yield plain(session, site.paragraph, f'"{entry.label}" is not possible now')


# ---- one of several things -------------------------------------------------------------------------------
def _against_choice(session: Session, site: Site, wish: str) -> Iterator[Found]:
    program, state = session.ruleset.program, session.machine.s
    action, colon, rest = wish.partition(":")
    if colon and action.strip().casefold() != site.action.casefold():
        raise UsageError(f'"{action[:80]}" is not what is asked now')
    named = rest if colon else wish
    parts = [named] if len(site.types) == 1 else parts_of(named)
    if len(parts) != len(site.types):
        count = len(site.types)
        raise UsageError(f"name {count} things, joined by +" if count > 1 else "name one thing")
    assert session.machine.pending is not None
    who = session.machine.pending.who
    values = [read_value(session, t, part, who) for t, part in zip(site.types, parts, strict=True)]
    key = option_key(as_seen(session.ruleset, session.machine, who).world, site, tuple(values))
    if any(option.key == key for option in session.options):
        return
    step = site.step
    if not isinstance(step, pg.ChooseS):
        yield plain(session, site.paragraph, "it is not one of those that remain")
        return
    env, empty = frame_env(session, site.env), True
    for candidate, value in zip(step.candidates, values, strict=True):
        group = session.ruleset.evaluate(state, candidate.group, env)
        if not group >> value & 1:
            yield from _against_member(session, site, candidate, value, env)
            empty = False
        env = {**env, candidate.var: value}
    if step.action is not None:
        arguments = [session.ruleset.evaluate(state, a, env) for a in step.action.arguments]
        for found in _against_action(session, program.actions[step.action.action], arguments):
            yield found
            empty = False
    if empty:
        taken = step.result is not None and env.get(step.result, 0) >> values[0] & 1
        yield plain(session, site.paragraph, "it is chosen already" if taken
                    else "something else must be preferred" if step.preferences
                    else "it is not one of those that may be chosen now")  # fmt: skip


def _against_member(
    session: Session, site: Site, candidate: pg.Candidate, value: int, env: Env
) -> Iterator[Found]:
    """The conditions of the phrase that do not hold for this member."""
    node, empty = candidate.group, True
    while isinstance(node, pg.Filter):
        inner = {**env, node.var: value}
        if not session.ruleset.evaluate(session.machine.s, node.condition, inner):
            text = f"{only(node.condition)} {source_text(node.condition)}"
            yield condition_with_facts(session, site.paragraph, text, node.condition, inner)
            empty = False
        node = node.group
    way = route_against(session, node, value, env) if empty else None
    if way is not None and may_know(session, way, env):
        given = [session.ruleset.evaluate(session.machine.s, a, env) for a in way.arguments]
        for found in against_end(session, FINDINGS, session.ruleset.program.routes[way.route], given, value):
            yield found
            empty = False
    if empty:
        text = f"it is not among: {source_text(candidate.group)}"
        said = because_no_member(session, candidate.group, value, env)
        readings = deciding_readings(session, candidate.group, env, value)
        yield plain(session, site.paragraph, text, said=said, readings=readings)


def _against_token(session: Session, window: pg.WindowRule, wish: str) -> Iterator[Found]:
    """Why a token may not be played in this window. Of others all are alike: they are not in this hand."""
    index = read_value(session, Type("thing", "token"), wish.partition(":")[2] or wish)
    pending = session.machine.pending
    assert pending is not None
    if session.position.value("token", "holder", index) != pending.who:
        yield plain(session, window.paragraph, "it is not in your hand")
        return
    token = next(t for t in session.ruleset.program.tokens.values() if t.index == index)
    here = [play for play in token.plays if play.window == window.name]
    if not here:
        names = " or ".join(play.window.replace("_", " ") for play in token.plays) or "never"
        yield plain(session, token.paragraph, f"it is played at another time: {names}")
    for play in here:
        env = {play.holder: pending.who}
        if play.condition is not None and not session.ruleset.evaluate(
            session.machine.s, play.condition, env
        ):
            text = f"only when {source_text(play.condition)}"
            yield condition_with_facts(session, token.paragraph, text, play.condition, env)
