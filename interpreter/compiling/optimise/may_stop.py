"""Expressions that may stop the rule that asks them: a table need not have a place for what it is asked."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.asked import all_asked


def may_find_nothing(program: pg.Program, e: pg.E) -> bool:
    """Whether a table is looked up here, or in a rule that is asked here, however far on."""
    return any(isinstance(part, pg.LookupE) for part in all_asked(program, e, expressions_in))
