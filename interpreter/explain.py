"""Why: derived from the clauses that ran, by running them once more one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.codegen.meanings import quantity_function, refusals_function
from interpreter.layout import sub_expressions, uses_var
from interpreter.secrecy import expressions_in
from interpreter.sites import MenuSite, Site, TravelSite
from interpreter.sitting import EVERYTHING, Sitting
from interpreter.wording import slug
from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.diagnostics import UsageError, did_you_mean
from rulesdsl.print_expressions import print_expr
from rulesdsl.types import Type

if TYPE_CHECKING:
    from interpreter.session import Option, Session


@dataclass(frozen=True, slots=True)
class Reason:
    """One contribution: `+1 "river"` by 7.1.2, and the value after it."""

    rule: str
    label: str
    op: str
    amount: str
    value: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """One clause that stands against something, with the values that made it true."""

    rule: str
    title: str
    clause: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an option is offered: the step that asks, and what could have forbidden it but does not."""

    rule: str
    title: str
    text: str
    considered: tuple[Refusal, ...]


# ---- numbers -------------------------------------------------------------------------------------------
def value_of(session: Session, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING) -> Any:
    """The value of a quantity or define, in the words of the game."""
    program = session.ruleset.program
    params, type_, function = _callable(program, name)
    values = _read(session, name, params, arguments)
    refuse_secrets(session, name, dict(zip(params, values, strict=True)), seat)
    return program.world.show(
        type_, session.ruleset.full.ask(session.ruleset.full.names[function], session.machine.s, *values)
    )


def breakdown(
    session: Session, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING
) -> list[Reason]:
    program, compiled = session.ruleset.program, session.ruleset.full
    quantity = program.quantities.get(name)
    if quantity is None:
        raise UsageError(f'there is no quantity "{name}"; {did_you_mean(name, program.quantities)}')
    values = _read(session, name, quantity.params, arguments)
    refuse_secrets(session, name, dict(zip(quantity.params, values, strict=True)), seat)
    python = f"x_{name.replace('.', '__')}"
    if python not in compiled.names:
        compiled.add_function(python, quantity_function(compiled.unit, quantity, explained=True))
    _, parts = compiled.ask(compiled.names[python], session.machine.s, *values)
    show = program.world.show
    return [
        Reason(rule, label, op, show(quantity.type, amount), show(quantity.type, after))
        for rule, label, op, amount, after in parts
    ]


def refuse_secrets(session: Session, name: str, env: dict[pg.Var, Any], seat: str | None) -> None:
    """Nobody is told a number that was made of something he may not know."""
    if seat == EVERYTHING:
        return
    program = session.ruleset.program
    who = program.world.universes["player"].index.get(seat or "", -1)
    rule = program.quantities.get(name) or program.defines[name]
    if not all(may_know(session, e, env, who) for e in expressions_in(rule)):
        raise UsageError(f'"{name}" looks at something that {seat or "an onlooker"} may not know')


def _callable(program: pg.Program, name: str) -> tuple[tuple[pg.Var, ...], Type, str]:
    if name in program.quantities:
        quantity = program.quantities[name]
        return quantity.params, quantity.type, f"q_{name.replace('.', '__')}"
    if name in program.defines:
        define = program.defines[name]
        return define.params, define.type, f"d_{name}"
    known = [*program.quantities, *program.defines]
    raise UsageError(f'nothing that can be asked is called "{name}"; {did_you_mean(name, known)}')


def _read(session: Session, name: str, params: tuple[pg.Var, ...], given: Sequence[str]) -> list[Any]:
    if len(params) != len(given):
        wanted = ", ".join(f"{p.name} ({p.type})" for p in params) or "nothing"
        raise UsageError(f'"{name}" takes {wanted}')
    return [read_value(session, p.type, text) for p, text in zip(params, given, strict=True)]


def read_value(session: Session, type_: Type, text: str) -> Any:
    """A value from its id."""
    world = session.ruleset.program.world
    if type_.kind in ("number", "flag"):
        return int(text)
    if type_.kind == "enum":
        values: Sequence[str] = world.enums[type_.name].values
        if text in values:
            return values.index(text)
    elif type_.kind == "thing":
        index = world.universes[type_.name].index
        if text in index:
            return index[text]
        values = list(index)
    else:
        index = world.universes[type_.name].index
        return sum(1 << index[part] for part in text.split("+") if part in index)
    for universe in world.universes.values():
        if text in universe.index:
            found = universe.index[text]
            raise UsageError(f"{universe.names[found]} is a {universe.classes[found]}, not a {type_}")
    hint = did_you_mean(text, values)
    raise UsageError(f'there is no {type_} "{text}"' + (f"; {hint}" if hint else ""))


# ---- permissions -----------------------------------------------------------------------------------------
def explain_option(session: Session, option: Option) -> Explanation:
    site, program = session.site, session.ruleset.program
    considered: list[Refusal] = []
    if isinstance(site, Site) and site.action:
        for clause in program.actions[site.action].forbids:
            considered.append(_refusal(session, clause.rule, clause.source, ()))
    return Explanation(site.rule, _title(program, site.rule), option.text, tuple(considered))


def why_not(session: Session, wish: str) -> list[Refusal]:
    """`wish` is a key like those of the options (`lebus`, `attack:lebus`); several ids joined by `+`."""
    site, program = session.site, session.ruleset.program
    if any(o.key == wish for o in session.options):
        return []
    match site:
        case Site(step=pg.ChooseS(out_label=str(label)) as step) if slug(wish) == slug(label):
            return _why_not_out(session, site, step)
        case Site():
            return _why_not_choice(session, site, wish)
        case TravelSite():
            return _why_not_step(session, site, wish)
        case MenuSite():
            for entry in site.step.entries:
                if entry.label.lower().startswith(wish.lower()):
                    text = f'"{entry.label}" is not possible now'
                    return [Refusal(site.rule, _title(program, site.rule), text, ())]
    raise UsageError(f'"{wish}" is nothing that could be chosen here')


def _why_not_out(session: Session, site: Site, step: pg.ChooseS) -> list[Refusal]:
    """Why the way out of a choice is not open: what must be done first."""
    if step.out_action is None:
        return []
    env = _frame_env(session, site.env)
    given = [session.ruleset.evaluate(session.machine.s, a, env) for a in step.out_action.arguments]
    return action_refusals(session, session.ruleset.program.actions[step.out_action.action], given)


def _why_not_choice(session: Session, site: Site, wish: str) -> list[Refusal]:
    program = session.ruleset.program
    parts = wish.split(":", 1)[-1].split("+")
    if len(parts) != len(site.types):
        raise UsageError(
            f"name {len(site.types)} things, joined by +" if len(site.types) > 1 else "name one thing"
        )
    values = [read_value(session, t, part) for t, part in zip(site.types, parts, strict=True)]
    env = _frame_env(session, site.env)
    out: list[Refusal] = []
    step = site.step
    if not isinstance(step, pg.ChooseS):
        return [Refusal(site.rule, _title(program, site.rule), "it is not one of those that remain", ())]
    for candidate, value in zip(step.candidates, values, strict=True):
        group = session.ruleset.evaluate(session.machine.s, candidate.group, env)
        if not group >> value & 1:
            out.extend(_why_not_member(session, site, candidate, value, env))
        env = {**env, candidate.var: value}
    if step.action is not None:
        action = program.actions[step.action.action]
        arguments = [session.ruleset.evaluate(session.machine.s, a, env) for a in step.action.arguments]
        out.extend(action_refusals(session, action, arguments))
    if not out and step.preferences:
        out.append(Refusal(site.rule, _title(program, site.rule), "something else must be preferred", ()))
    return out


def _why_not_member(
    session: Session, site: Site, candidate: pg.Candidate, value: int, env: dict[pg.Var, Any]
) -> list[Refusal]:
    """The conditions of the phrase that do not hold for this member."""
    program = session.ruleset.program
    out: list[Refusal] = []
    node: pg.E = candidate.group
    while isinstance(node, pg.Filter):
        inner = {**env, node.var: value}
        if not session.ruleset.evaluate(session.machine.s, node.condition, inner):
            text = _source_text(node.condition)
            facts = tuple(facts_of(session, node.condition, inner))
            out.append(Refusal(site.rule, _title(program, site.rule), f"only where {text}", facts))
        node = node.group
    if not out:
        text = _source_text(candidate.group)
        out.append(Refusal(site.rule, _title(program, site.rule), f"it is not among: {text}", ()))
    return out


def action_refusals(session: Session, action: pg.ActionRule, arguments: Sequence[Any]) -> list[Refusal]:
    """Every clause that forbids this action with these arguments."""
    compiled, program = session.ruleset.full, session.ruleset.program
    python = f"why_{action.name}"
    if python not in compiled.names:
        compiled.add_function(python, refusals_function(compiled.unit, action))
    env = dict(zip(action.params, arguments, strict=True))
    out: list[Refusal] = []
    for kind, number, *rung in compiled.ask(compiled.names[python], session.machine.s, *arguments):
        if kind == "forbid":
            clause = action.forbids[number]
            facts = tuple(facts_of(session, clause.condition, env)) if clause.condition is not None else ()
            out.append(_refusal(session, clause.rule, clause.source, facts))
        else:
            ladder = action.ladders[number]
            step = ladder.rungs[rung[0]]
            text = step.label or ladder.label or _source_text(step.met)
            out.append(Refusal(ladder.rule, _title(program, ladder.rule), f"first: {text}", ()))
    return out


def _why_not_step(session: Session, site: TravelSite, wish: str) -> list[Refusal]:
    """Why a piece may not step to a space: not adjacent, forbidden, too dear, or no legal end behind it."""
    program, s = session.ruleset.program, session.machine.s
    route = program.routes[site.route]
    there = read_value(session, Type("thing", "space"), wish)
    frame = session.machine.stack[-1]
    piece = frame[site.piece_slot]
    spent, taken = frame[site.piece_slot + 1], frame[site.piece_slot + 2]
    here = s[session.ruleset.layout.arrays["piece", "at"].base + piece]
    title = _title(program, route.rule)
    links = [b for t, b in program.world.adjacency[here] if t == there]
    if not links:
        return [Refusal(route.rule, title, "it is not adjacent", ())]
    out: list[Refusal] = []
    for border in links:
        env = {route.params[0]: piece, route.here: here, route.border: border, route.there: there}
        for clause in (*route.step_forbids, *route.end_forbids):
            if _holds(session, clause, env):
                facts = tuple(facts_of(session, clause.condition, env))
                out.append(_refusal(session, clause.rule, clause.source, facts))
        if out:
            continue
        cost = session.ruleset.full.names[f"step_{route.name}"](s, piece, here, border, there, taken, spent)
        if cost is None:
            out.append(Refusal(route.rule, title, "it may not be passed through", ()))
            continue
        budget = (
            None
            if route.budget is None
            else session.ruleset.evaluate(s, route.budget, {route.params[0]: piece})
        )
        if budget is not None and spent + cost > budget:
            facts = (("cost", str(cost)), ("spent", str(spent)), ("budget", str(budget)))
            out.append(Refusal(route.rule, title, "it costs too much", facts))
    preferred = ", as the route prefers" if route.preferences else ""
    return out or [Refusal(route.rule, title, f"from there the path cannot end{preferred}", ())]


def _holds(session: Session, clause: pg.Clause, env: dict[pg.Var, Any]) -> bool:
    try:
        holds = clause.condition is None or session.ruleset.evaluate(session.machine.s, clause.condition, env)
    except NameError:  # the clause asks about the path (`first_step`), which has no value here
        return False
    return bool(holds) and not any(_holds(session, e, env) for e in clause.exceptions)


def _frame_env(session: Sitting, env: tuple[tuple[pg.Var, str], ...]) -> dict[pg.Var, Any]:
    """The values of the variables of the procedure that is asking."""
    frame = session.machine.stack[-1]
    return {var: frame[int(place[2:-1])] for var, place in env if int(place[2:-1]) < len(frame)}


def names_around(session: Sitting, site: Site | MenuSite | TravelSite) -> dict[str, str]:
    """The values of the variables of the procedure that is asking, in words."""
    world, state = session.ruleset.program.world, session.machine.s
    env = _frame_env(session, site.env)
    names = {
        var.name: world.show(var.type, value)
        for var, value in env.items()
        if var.type.kind in ("thing", "enum") and isinstance(value, int)
    }
    if isinstance(site, TravelSite):
        names["travelling_piece"] = world.universes["piece"].names[session.machine.stack[-1][site.piece_slot]]
    step = site.step
    if isinstance(step, pg.ChooseS) and step.action is not None:
        chosen = frozenset(c.var for c in step.candidates)
        action = session.ruleset.program.actions[step.action.action]
        for param, argument in zip(action.params, step.action.arguments, strict=True):
            if not uses_var(argument, chosen):
                value = session.ruleset.evaluate(state, argument, env)
                names[param.name] = world.show(argument.type, value)
    return names


def facts_of(session: Session, e: pg.E | None, env: dict[pg.Var, Any]) -> Iterator[tuple[str, str]]:
    """The values inside a condition, as (text, value) pairs: what made it true or false."""
    if e is None:
        return
    world = session.ruleset.program.world
    if isinstance(e, (pg.LogicE, pg.NotE, pg.CompareE)):
        for part in sub_expressions(e):
            yield from facts_of(session, part, env)
        return
    if isinstance(e, (pg.Const, pg.ClassSet, pg.StepFact)) or e.source is None:
        return
    if isinstance(e, pg.VarGet) and e.type.kind == "thing":
        return
    if not may_know(session, e, env):
        yield _source_text(e), "hidden"
        return
    try:
        value = session.ruleset.evaluate(session.machine.s, e, env)
    except (KeyError, NameError):
        return
    shown = ("yes" if value else "no") if e.type.kind == "flag" else world.show(e.type, value)
    yield _source_text(e), shown


def may_know(session: Session, e: pg.E, env: dict[pg.Var, Any], who: int | None = None) -> bool:
    """Whether a player (by default the one who has to decide) may know the value of an expression."""
    viewers = session.ruleset.full.blocks.secrecy.viewers(e)
    pending = session.machine.pending
    if who is None and pending is not None:
        who = pending.who
    if viewers is None or who is None or who < 0:
        return viewers is None
    try:
        return bool(session.ruleset.evaluate(session.machine.s, viewers, env) >> who & 1)
    except (KeyError, NameError):
        return False


def _refusal(
    session: Session, rule: str, source: sx.Permission, facts: tuple[tuple[str, str], ...]
) -> Refusal:
    text = source.label or (print_expr(source.condition) if source.condition is not None else "never")
    return Refusal(rule, _title(session.ruleset.program, rule), text, facts)


def _title(program: pg.Program, rule: str) -> str:
    paragraph = program.paragraphs.get(rule)
    return paragraph.title if paragraph is not None else ""


def _source_text(e: pg.E) -> str:
    """The author's words for an expression."""
    node = e.source
    if isinstance(node, sx.Expr):
        return print_expr(node)
    if isinstance(node, sx.TailWhere):
        return print_expr(node.condition)
    if node is not None:
        return node.span.file.line(node.span.line)[node.span.column - 1 : node.span.end_column - 1].strip()
    return ""
