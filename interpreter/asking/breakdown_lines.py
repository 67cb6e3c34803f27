"""The lines of a breakdown in words: what each contribution is, and why it applies to the things at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.asking.answers import Env, Reason
from interpreter.asking.conditions import Teller
from interpreter.asking.findings import FINDINGS, because
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.program.types import NUMBER, Type

if TYPE_CHECKING:
    from interpreter.playing.session import Session

Line = tuple[int | str, str, Any, Any]  # the number of a change or what else it is, operation, amount, after


def line_of_sum(session: Session, quantity: pg.QuantityRule, line: Line, env: Env) -> Reason:
    """One line of a breakdown, as the code that reckons has reported it."""
    what, op, amount, after = line
    show = session.ruleset.program.world.show
    numbers = op, show(_amount_type(quantity.type, op), amount), show(quantity.type, after)
    if isinstance(what, str):
        source = {"base": quantity.base, "limit": quantity.floor if op == "at least" else quantity.ceiling}
        return Reason(quantity.paragraph, what, *numbers, _value(session, source.get(what), env))
    change = quantity.changes[what]
    made, why = _value(session, change.value, env), ""
    if change.condition is not None:
        why = because(session, change.condition, env)
    # Without a name of its own a line is called by what it is; what is left to tell is why it applies.
    label = change.label or made or why or "in any case"
    told = [text for text in (made, why) if text and text != label]
    return Reason(change.paragraph, label, *numbers, "; ".join(told))


def _value(session: Session, e: pg.E | None, env: Env) -> str:
    """What a number is made of: “Guards’ strength”. A number that stands there as such needs no words."""
    if e is None or isinstance(e, pg.Const) or not may_know(session, e, env):
        return ""
    words = Teller(session, FINDINGS).words
    return words.spelled(words.noun(e, env))


def _amount_type(of: Type, op: str) -> Type:
    """What is added, multiplied or shifted by is a number, also on a scale and for odds."""
    return of if op in ("=", "at least", "at most") else NUMBER
