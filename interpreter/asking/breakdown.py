"""Why: derived from the clauses that ran, by running them once more one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.compiling.lower.rules import quantity_function
from interpreter.playing.counters import as_seen
from interpreter.playing.known_values import may_know, read_arguments, refuse_secrets
from interpreter.playing.session import Session
from interpreter.playing.standing import EVERYTHING
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr
from rulesdsl.program.walk import sub_expressions

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
    values = read_arguments(session, name, quantity.params, arguments, seat)
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


# ---- permissions -----------------------------------------------------------------------------------------
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


def clause_text(clause: pg.Clause) -> str:
    """The author's label of a clause, or its condition."""
    source = clause.source
    return source.label or (print_expr(source.condition) if source.condition is not None else "never")


def title_of(program: pg.Program, rule: str) -> str:
    paragraph = program.paragraphs.get(rule)
    return paragraph.title if paragraph is not None else ""


def only(e: pg.E) -> str:
    """The words before a condition on members: `only where it is ready`, `only of player`, `only soviet`."""
    node = e.source
    said_whole = isinstance(node, sx.Expr | sx.TailWhere) and not isinstance(node, sx.Name)
    return "only where" if said_whole else "only"


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
