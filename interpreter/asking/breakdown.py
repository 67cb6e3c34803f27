"""Why: derived from the clauses that ran, by running them once more one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.asking.read_names import read_value
from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ir.values import Slot, Value
from interpreter.compiling.lower.rules import quantity_function
from interpreter.playing.counters import as_seen
from interpreter.playing.sitting import EVERYTHING, Sitting
from interpreter.secrecy.who_knows import expressions_in
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr
from rulesdsl.program.types import Type
from rulesdsl.program.walk import sub_expressions, uses_var

if TYPE_CHECKING:
    from interpreter.playing.session import Session


Facts = tuple[tuple[str, str], ...]  # what was looked at, in the author's words, and its value


@dataclass(frozen=True, slots=True)
class Reason:
    """One contribution: `+1 "river"` by 7.1.2, and the value after it.

    `label` is what the author calls it, or what it is in a sentence; `said` is why it applies, or what the
    amount is made of, about the things at hand.
    """

    rule: str
    label: str
    op: str
    amount: str
    value: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One clause that stands against something, with the values that made it true.

    `clause` and `facts` are the author's words; `said` is the same for players: what decided it, in sentences
    about the things at hand. `label` is what the author calls the clause, `source` its condition. `readings`
    are those (and how they are read) but for which it would be otherwise.
    """

    rule: str
    title: str
    clause: str
    facts: Facts
    said: str = ""
    label: str = ""
    source: str = ""
    readings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an option is offered: the step that asks, what could have forbidden it but does not, and the
    conditions that it meets. Those come as `Refusal` too, for they are clauses with their values."""

    rule: str
    title: str
    text: str
    considered: tuple[Refusal, ...]
    met: tuple[Refusal, ...] = ()


# ---- numbers -------------------------------------------------------------------------------------------
def value_of(session: Session, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING) -> str:
    """The value of a quantity or define, in the words of the game."""
    program = session.ruleset.program
    params, type_, role = _callable(program, name)
    values = _read(session, name, params, arguments, seat)
    refuse_secrets(session, name, dict(zip(params, values, strict=True)), seat)
    compiled = session.ruleset.full
    return program.world.show(type_, compiled.ask(compiled.function(role, name), session.machine.s, *values))


def breakdown(
    session: Session, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING
) -> list[Reason]:
    program, compiled = session.ruleset.program, session.ruleset.full
    quantity = program.quantities.get(name)
    if quantity is None:
        if name in program.defines:
            raise UsageError(f'"{name}" is a define: it has a value, but no contributions')
        hint = did_you_mean(name, program.quantities)
        raise UsageError(f'there is no quantity "{name}"' + (f"; {hint}" if hint else ""))
    values = _read(session, name, quantity.params, arguments, seat)
    refuse_secrets(session, name, dict(zip(quantity.params, values, strict=True)), seat)
    asked = compiled.made_on_demand(
        "x", name, lambda: quantity_function(compiled.unit, quantity, explained=True)
    )
    _, parts = compiled.ask(asked, session.machine.s, *values)
    from interpreter.asking.breakdown_lines import (
        line_of_sum,  # only here: the words of the handbook are much code
    )

    env = dict(zip(quantity.params, values, strict=True))
    return [line_of_sum(session, quantity, part, env) for part in parts]


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
        return quantity.params, quantity.type, "q"
    if name in program.defines:
        define = program.defines[name]
        return define.params, define.type, "d"
    known = [*program.quantities, *program.defines]
    hint = did_you_mean(name, known)
    raise UsageError(f'nothing that can be asked is called "{name}"' + (f"; {hint}" if hint else ""))


def _read(
    session: Session, name: str, params: tuple[pg.Var, ...], given: Sequence[str], seat: str | None
) -> list[Any]:
    if len(params) != len(given):
        wanted = ", ".join(f"{p.name} ({p.type})" for p in params) or "nothing"
        raise UsageError(f'"{name}" takes {wanted}')
    players = session.ruleset.program.world.universes["player"].index
    who = None if seat == EVERYTHING else players.get(seat or "", -1)
    return [read_value(session, p.type, text, who) for p, text in zip(params, given, strict=True)]


# ---- permissions -----------------------------------------------------------------------------------------
def frame_env(session: Sitting, env: tuple[tuple[pg.Var, Value], ...]) -> dict[pg.Var, Any]:
    """The values of the variables of the procedure that is asking."""
    frame = session.machine.stack[-1]
    return {
        var: frame[place.index] for var, place in env if isinstance(place, Slot) and place.index < len(frame)
    }


def names_around(session: Sitting, site: Site | MenuSite | TravelSite) -> dict[str, str]:
    """The values of the variables of the procedure that is asking, in words."""
    state, pending = session.machine.s, session.machine.pending
    asked_one = pending.who if pending is not None else -1
    world = as_seen(session.ruleset, session.machine, asked_one).world
    env = frame_env(session, site.env)
    asked = frozenset(site.variables) if isinstance(site, Site) else frozenset[pg.Var]()
    names = {
        # what was chosen as `a unit where it …` is called `unit` from then on
        (var.type.of or var.name) if var.name == "it" else var.name: world.show(var.type, value)
        for var, value in env.items()
        if var.type.kind in ("thing", "enum")
        and isinstance(value, int)
        and var not in asked
        and may_know(session, pg.VarGet(var, type=var.type), env)
    }
    if isinstance(site, TravelSite):
        names["travelling_piece"] = world.universes["piece"].names[session.machine.stack[-1][site.piece_slot]]
    step = site.step
    if isinstance(step, pg.ChooseS) and step.action is not None:
        chosen = frozenset(c.var for c in step.candidates)
        action = session.ruleset.program.actions[step.action.action]
        for param, argument in zip(action.params, step.action.arguments, strict=True):
            if not uses_var(argument, chosen) and may_know(session, argument, env):
                value = session.ruleset.evaluate(state, argument, env)
                names[param.name] = world.show(argument.type, value)
    return names


def facts_of(session: Session, e: pg.E | None, env: dict[pg.Var, Any]) -> Iterator[tuple[str, str]]:
    """The values inside a condition, as (text, value) pairs: what made it true or false."""
    if e is None:
        return
    pending = session.machine.pending
    world = as_seen(session.ruleset, session.machine, pending.who if pending is not None else -1).world
    if isinstance(e, (pg.LogicE, pg.NotE, pg.CompareE)):
        for part in sub_expressions(e):
            yield from facts_of(session, part, env)
        return
    if isinstance(e, (pg.Const, pg.ClassSet, pg.StepFact)) or e.source is None:
        return
    if isinstance(e, pg.VarGet) and e.type.kind == "thing":
        return
    if not may_know(session, e, env):
        yield source_text(e), "hidden"
        return
    try:
        value = session.ruleset.evaluate(session.machine.s, e, env)
    except (KeyError, NameError):
        return
    shown = ("yes" if value else "no") if e.type.kind == "flag" else world.show(e.type, value)
    yield source_text(e), shown


def may_know(session: Sitting, e: pg.E, env: dict[pg.Var, Any], who: int | None = None) -> bool:
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


def clause_text(clause: pg.Clause) -> str:
    """The author's label of a clause, or its condition."""
    source = clause.source
    return source.label or (print_expr(source.condition) if source.condition is not None else "never")


def title_of(program: pg.Program, rule: str) -> str:
    paragraph = program.paragraphs.get(rule)
    return paragraph.title if paragraph is not None else ""


def source_text(e: pg.E) -> str:
    """The author's words for an expression."""
    node = e.source
    if isinstance(node, sx.Expr):
        return print_expr(node)
    if isinstance(node, sx.TailWhere):
        return print_expr(node.condition)
    if node is not None:
        return node.span.file.line(node.span.line)[node.span.column - 1 : node.span.end_column - 1].strip()
    return ""
