"""What stands against a wish: a clause with its values, and whether the player may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.asking.breakdown import Facts, Refusal, clause_text, facts_of, source_text, title_of
from interpreter.asking.deciding_readings import Readings, deciding_readings
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.playing.session import Session

Env = dict[pg.Var, Any]
Found = tuple[Refusal, bool]  # the second: whether who decides may know what the clause looks at


def plain(
    session: Session, rule: str, text: str, facts: Facts = (), said: str = "", readings: Readings = ()
) -> Found:
    title = title_of(session.ruleset.program, rule)
    return Refusal(rule, title, text, facts, said or text, readings=readings), True


def condition_with_facts(session: Session, rule: str, text: str, condition: pg.E, env: Env) -> Found:
    facts, title = tuple(facts_of(session, condition, env)), title_of(session.ruleset.program, rule)
    said = because(session, condition, env)
    readings = deciding_readings(session, condition, env)
    refusal = Refusal(rule, title, text, facts, said, source=source_text(condition), readings=readings)
    return refusal, may_know(session, condition, env)


def clause_with_facts(session: Session, clause: pg.Clause, env: Env) -> Found:
    title, condition = title_of(session.ruleset.program, clause.rule), clause.condition
    facts = tuple(facts_of(session, condition, env))
    said = because(session, condition, env) if condition is not None else ""
    source = source_text(condition) if condition is not None else ""
    label = clause.source.label or ""
    readings = deciding_readings(session, condition, env)
    refusal = Refusal(clause.rule, title, clause_text(clause), facts, said, label, source, readings)
    return refusal, is_open(session, clause, env)


def because(session: Session, condition: pg.E, env: Env) -> str:
    from interpreter.asking.conditions import because

    return because(session, condition, env)


def in_words(session: Session, condition: pg.E, env: Env) -> str:
    from interpreter.asking.conditions import asked

    return asked(session, condition, env)


def is_open(session: Session, clause: pg.Clause, env: Env) -> bool:
    open_ = clause.condition is None or may_know(session, clause.condition, env)
    return open_ and all(is_open(session, e, env) for e in clause.exceptions)
