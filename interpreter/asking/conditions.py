"""Why a condition holds or does not, in sentences about the things at hand.

Every part of the condition is asked by the code that plays; only those that decided it are told. Of a
condition that looks at something the player may not know nothing is told but what it asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.asking.answers import Env, Findings
from interpreter.asking.comparisons import compared
from interpreter.asking.membership import DEEPEST, MemberTeller, with_reasons
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.clauses.tree import UNMARKED, Clause, Then, Together
from rulesdsl.speaking.clauses.words import in_one_breath, told
from rulesdsl.speaking.inline import plain

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def because(session: Session, condition: pg.E, env: Env, find: Findings) -> str:
    """What made a condition true or false."""
    teller = Teller(session, find)
    if not may_know(session, condition, env):
        asks = teller.words.spelled(teller.words.source(condition, env))
        return f"it depends on whether {asks}, which is hidden"
    return teller.joined(teller.reasons(condition, env, 0))


def asked(session: Session, condition: pg.E, env: Env, find: Findings) -> str:
    """What a condition asks, whether it holds or not."""
    words = Teller(session, find).words
    return words.spelled(words.source(condition, env))


def because_no_member(session: Session, group: pg.E, value: int, env: Env, find: Findings) -> str:
    """What keeps a thing out of a group."""
    teller = Teller(session, find)
    if not may_know(session, group, env):
        return "it is not among those that may be chosen"
    member = group.type.member
    subject = teller.words.named(member, teller.words.show(member, value))
    return teller.joined(teller.outside(group, (subject, value), env, 0))


class Teller(MemberTeller):
    """Tells of conditions, and of everything in them."""

    def joined(self, reasons: Iterator[Clause]) -> str:
        """Clauses in a row, none of which says again what another one has said."""
        found: list[Clause] = []
        for reason in reasons:
            if not any(told(reason) in told(before) for before in found):
                found.append(reason)
        return self.words.spelled("; ".join(map(told, in_one_breath(found))))

    # ---- conditions
    def reasons(self, e: pg.E, env: Env, depth: int) -> Iterator[Clause]:
        """True sentences: those that decided the value of a condition."""
        try:
            holds = bool(self.words.value(e, env))
        except (KeyError, NameError):  # it asks about the path, which has no value here
            yield self.words.clause(e, env)
            return
        match e:
            case pg.NotE(value=pg.SomeE(group=pg.Filter() as broken), source=sx.EveryIs() | sx.Every()):
                yield from self.every(e, broken, env, depth)
            case pg.NotE(value=value):
                yield from self.reasons(value, env, depth)
            case pg.LogicE(op=op, parts=parts):
                yield from self._parts(op, parts, holds, env, depth)
            case pg.CompareE(left=pg.SettingGet(name=name)) if self.program.settings[name].kind == "reading":
                return  # which readings decide is told apart (decided.py)
            case pg.CompareE():
                yield compared(self.words, e, holds, env)
            case pg.AttrGet(attribute=attribute, of=of):
                flagged = self.words.speaker.flagged(self.words.about(of, env), attribute.name)
                yield flagged if holds else flagged.denied()
            case pg.CallE(define=name, arguments=arguments):
                yield from self._meaning(name, arguments, holds, env, depth)
            case pg.Member():
                yield from self.membership(e, holds, env, depth)
            case pg.SomeE():
                yield from self.some(e, env, depth)
            case pg.AfterE():
                yield from self._afterwards(e, env, depth)
            case _:
                clause = self.words.clause(e, env)
                yield clause if holds else clause.denied()

    def _afterwards(self, e: pg.AfterE, env: Env, depth: int) -> Iterator[Clause]:
        """The same of the position that a procedure would lead to."""
        value = self.words.value
        own = {var: value(given, env) for var, given in zip(e.own, e.given, strict=True)}
        imagined = self.session.copy()
        compiled = imagined.ruleset.full
        compiled.ask(compiled.effect(e.procedure), imagined.machine.s, *(value(a, env) for a in e.arguments))
        done = plain(self.words.speaker.event(e.procedure, [self.words.one(a, env) for a in e.arguments]))
        reasons = tuple(Teller(imagined, self.find).reasons(e.value, own, depth))
        if reasons:
            yield Then(done, reasons[0] if len(reasons) == 1 else Together("and", reasons))

    def _parts(self, op: str, parts: tuple[pg.E, ...], holds: bool, env: Env, depth: int) -> Iterator[Clause]:
        """Of `and` that fails those that fail, of `or` that holds the first that does, else all."""
        if (op == "and") == holds:
            deciding = list(parts)
        else:
            deciding = [part for part in parts if bool(self.words.value(part, env)) == holds]
        enough = (op == "or") == holds and (
            holds or depth
        )  # one is enough, but a player is told all he lacks
        for part in deciding[:1] if enough else deciding:
            yield from self.reasons(part, env, depth)

    def _said(self, name: str, of: tuple[pg.E, ...], holds: bool, env: Env) -> Clause:
        clause = self.words.speaker.tell(name, [self.words.about(e, env) for e in of], UNMARKED)
        return clause if holds else clause.denied()

    def _meaning(
        self, name: str, arguments: tuple[pg.E, ...], holds: bool, env: Env, depth: int
    ) -> Iterator[Clause]:
        """A named condition, and what is behind it as far as that is short."""
        head = self._said(name, arguments, holds, env)
        value, inner = self.case(name, arguments, env) if depth < DEEPEST else (None, env)
        behind = list(self.reasons(value, inner, depth + 1)) if value is not None else []
        if depth and len(behind) == 1:  # what is behind the last meaning says it best
            yield behind[0]
            return
        short = self._made_so_by(value, inner) if holds else ""
        yield with_reasons(head, behind, short)

    def _made_so_by(self, e: pg.E | None, env: Env) -> str:
        """Those who make a condition hold, by name, however deep it looks for them."""
        match e:
            case pg.SomeE(group=group):
                return self.witnesses(group, env)
            case pg.LogicE(op=op, parts=parts):
                deciding = [part for part in parts if op == "and" or self.words.value(part, env)]
                return next(filter(None, (self._made_so_by(part, env) for part in deciding)), "")
            case pg.CallE(define=name, arguments=arguments):
                return self._made_so_by(*self.case(name, arguments, env))
            case _:
                return ""

    def case(self, name: str, arguments: tuple[pg.E, ...], env: Env) -> tuple[pg.E | None, Env]:
        """The case of a meaning that applies, with its own variables."""
        define = self.program.defines[name]
        values = [self.words.value(a, env) for a in arguments]
        inner = dict(zip(define.params, values, strict=True))
        for condition, value in define.cases:
            if condition is None or self.words.value(condition, inner):
                return (condition if isinstance(value, pg.Const) else value), inner
        return None, inner
