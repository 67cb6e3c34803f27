"""What answers are made of: contributions to a number, clauses against a wish, grounds of an offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.playing.session import Session

Env = dict[pg.Var, Any]
Readings = tuple[tuple[str, str], ...]  # those that decided, and how they are read
Facts = tuple[tuple[str, str], ...]  # what was looked at, in the author's words, and its value


@dataclass(frozen=True, slots=True)
class Reason:
    """One contribution: `+1 "river"` by 7.1.2, and the value after it.

    `label` is what the author calls it, or what it is in a sentence; `said` is why it applies, or what the
    amount is made of, about the things at hand.
    """

    paragraph: str
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

    paragraph: str
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

    paragraph: str
    title: str
    text: str
    considered: tuple[Refusal, ...]
    met: tuple[Refusal, ...] = ()


Found = tuple[Refusal, bool]  # the second: whether who decides may know what the clause looks at


class Findings(Protocol):
    """Makes findings of clauses. Telling why a condition holds may lead to a route, and why a route does not
    end somewhere leads to conditions again: so whoever tells of routes is handed who tells of conditions."""

    def plain(
        self,
        session: Session,
        paragraph: str,
        text: str,
        facts: Facts = (),
        said: str = "",
        readings: Readings = (),
    ) -> Found: ...

    def condition(self, session: Session, paragraph: str, text: str, condition: pg.E, env: Env) -> Found: ...

    def clause(self, session: Session, clause: pg.Clause, env: Env) -> Found: ...
