"""What stands against a wish: a clause with its values, and whether the player may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.explain import Facts, Refusal, clause_text, facts_of, may_know, title_of
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.session import Session

Env = dict[pg.Var, Any]
Found = tuple[Refusal, bool]  # the second: whether who decides may know what the clause looks at


def plain(session: Session, rule: str, text: str, facts: Facts = ()) -> Found:
    return Refusal(rule, title_of(session.ruleset.program, rule), text, facts), True


def condition_with_facts(session: Session, rule: str, text: str, condition: pg.E, env: Env) -> Found:
    facts = tuple(facts_of(session, condition, env))
    refusal = Refusal(rule, title_of(session.ruleset.program, rule), text, facts)
    return refusal, may_know(session, condition, env)


def clause_with_facts(session: Session, clause: pg.Clause, env: Env) -> Found:
    facts = tuple(facts_of(session, clause.condition, env))
    refusal = Refusal(clause.rule, title_of(session.ruleset.program, clause.rule), clause_text(clause), facts)
    return refusal, is_open(session, clause, env)


def is_open(session: Session, clause: pg.Clause, env: Env) -> bool:
    open_ = clause.condition is None or may_know(session, clause.condition, env)
    return open_ and all(is_open(session, e, env) for e in clause.exceptions)
