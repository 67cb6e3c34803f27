"""What stands against a wish: a clause with its values, and whether the player may know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.asking.answers import Env, Facts, Findings, Found, Readings, Refusal
from interpreter.asking.author_words import clause_text, facts_of, source_text, title_of
from interpreter.asking.deciding_readings import deciding_readings
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def plain(
    session: Session, paragraph: str, text: str, facts: Facts = (), said: str = "", readings: Readings = ()
) -> Found:
    title = title_of(session.ruleset.program, paragraph)
    return Refusal(paragraph, title, text, facts, said or text, readings=readings), True


def condition_with_facts(session: Session, paragraph: str, text: str, condition: pg.E, env: Env) -> Found:
    facts, title = tuple(facts_of(session, condition, env)), title_of(session.ruleset.program, paragraph)
    said = because(session, condition, env)
    readings = deciding_readings(session, condition, env)
    refusal = Refusal(paragraph, title, text, facts, said, source=source_text(condition), readings=readings)
    return refusal, may_know(session, condition, env)


def clause_with_facts(session: Session, clause: pg.Clause, env: Env) -> Found:
    title, condition = title_of(session.ruleset.program, clause.paragraph), clause.condition
    facts = tuple(facts_of(session, condition, env))
    said = because(session, condition, env) if condition is not None else ""
    source = source_text(condition) if condition is not None else ""
    label = clause.source.label or ""
    readings = deciding_readings(session, condition, env)
    refusal = Refusal(
        paragraph=clause.paragraph,
        title=title,
        clause=clause_text(clause),
        facts=facts,
        said=said,
        label=label,
        source=source,
        readings=readings,
    )
    return refusal, is_open(session, clause, env)


def because(session: Session, condition: pg.E, env: Env) -> str:
    """What made a condition true or false."""
    from interpreter.asking.conditions import because  # only here: the words of the handbook are much code

    return because(session, condition, env, FINDINGS)


def in_words(session: Session, condition: pg.E, env: Env) -> str:
    """What a condition asks, whether it holds or not."""
    from interpreter.asking.conditions import asked  # only here: as above

    return asked(session, condition, env, FINDINGS)


def because_no_member(session: Session, group: pg.E, value: int, env: Env) -> str:
    """What keeps a thing out of a group."""
    from interpreter.asking.conditions import because_no_member  # only here: as above

    return because_no_member(session, group, value, env, FINDINGS)


def is_open(session: Session, clause: pg.Clause, env: Env) -> bool:
    open_ = clause.condition is None or may_know(session, clause.condition, env)
    return open_ and all(is_open(session, e, env) for e in clause.exceptions)


class _Findings:
    """The functions above, for those who are handed them."""

    plain = staticmethod(plain)
    condition = staticmethod(condition_with_facts)
    clause = staticmethod(clause_with_facts)


FINDINGS: Findings = _Findings()
