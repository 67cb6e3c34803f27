"""Clauses and conditions in the words of their author, with the values that were looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.playing.counters import as_seen
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr
from rulesdsl.program.walk import sub_expressions

if TYPE_CHECKING:
    from interpreter.playing.session import Session


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


def title_of(program: pg.Program, paragraph: str) -> str:
    known = program.paragraphs.get(paragraph)
    return known.title if known is not None else ""


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
