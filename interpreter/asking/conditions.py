"""Why a condition holds or does not, in sentences about the things at hand.

Every part of the condition is asked by the code that plays; only those that decided it are told. Of a
condition that looks at something the player may not know nothing is told but what it asks. Groups are told
of beside them (who is in one, what keeps a thing out, who breaks a rule for all): each asks for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.asking.about_things import MOST_NAMES, Env, Words, piece_at
from interpreter.asking.answers import Findings
from interpreter.asking.comparisons import compared
from interpreter.asking.why_not_route import why_no_end
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.speaking.clauses.tree import (
    UNMARKED,
    Aside,
    Because,
    Clause,
    Then,
    Thing,
    Together,
    Under,
    Whole,
    simple,
)
from rulesdsl.speaking.clauses.words import in_one_breath, told
from rulesdsl.speaking.english import article, in_words
from rulesdsl.speaking.inline import plain

if TYPE_CHECKING:
    from interpreter.playing.session import Session

DEEPEST = 2  # how many meanings are opened one inside the other
LONGEST = 200  # letters: what is behind a meaning is left out when it would be longer


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


class Teller:
    """Tells of conditions, and of everything in them."""

    def __init__(self, session: Session, find: Findings) -> None:
        self.session, self.find = session, find
        self.words = Words(session)
        self.program = session.ruleset.program

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

    # ---- some, none, every
    def some(self, e: pg.SomeE, env: Env, depth: int) -> Iterator[Clause]:
        """“there is some unit in Hill (Guards)”; of none, why those who are there do not count."""
        found = self.words.value(e.group, env)
        if found:
            yield Aside(self.words.clause(e, env), self.witnesses(e.group, env))
            return
        base = e.group
        while isinstance(base, pg.Filter):
            base = base.group
        there = self.words.value(base, env) if base is not e.group else 0
        if base is not e.group and not there and isinstance(e.source, sx.Some):
            yield self.words.none_at_all(e, env)
            return
        head = self.words.clause(e, env).denied()
        if there and there.bit_count() <= MOST_NAMES and not depth:
            missed = [
                self._why_missed(e.group, (m, base.type.member), env)
                for m in self.words.in_order(base.type, there)
            ]
            aside = _once(reason for reason in missed if reason is not None)
            if aside and len(told(Aside(head, aside))) < LONGEST:
                head = Aside(head, aside)
        yield head

    def witnesses(self, group: pg.E, env: Env) -> str:
        """The members of a group by name; of spaces that count for who is in them, with those."""
        found = self.words.value(group, env)
        if found.bit_count() > MOST_NAMES or group.type.name != "space" or not isinstance(group, pg.Filter):
            return self.words.show(group.type, found)
        shown = []
        for member in self.words.in_order(group.type, found):
            inside = [
                self.words.show(part.group.type, who)
                for part in _parts(group.condition)
                if isinstance(part, pg.SomeE)
                and part.group.type.name == "piece"
                and (who := self.words.value(part.group, {**env, group.var: member}))
            ]
            name = self.words.show(group.type.member, member)
            shown.append(f"{name} with {inside[0]}" if inside else name)
        return "; ".join(shown)

    def _why_missed(self, group: pg.E, member: tuple[int, Type], env: Env) -> Clause | None:
        """The first condition that a member of what was looked through fails."""
        value, type_ = member
        conditions = []
        while isinstance(group, pg.Filter):
            conditions.append((group.condition, {**env, group.var: value}))
            group = group.group
        for condition, own in reversed(conditions):
            if not self.words.value(condition, own):
                reason = next(iter(self.reasons(condition, own, DEEPEST)), None)
                return reason if reason and self.words.show(type_, value) in told(reason) else None
        return None

    def every(self, e: pg.NotE, broken: pg.Filter, env: Env, depth: int) -> Iterator[Clause]:
        """Of a rule for all who break it and how, by name; when nobody does, who they are."""
        offenders = self.words.in_order(broken.type, self.words.value(broken, env))
        if not offenders:
            members = self.words.value(broken.group, env)
            shown = self.words.show(broken.group.type, members) if members else "there is none"
            yield Aside(self.words.clause(e, env), shown)
            return
        for member in offenders[:MOST_NAMES]:
            name = self.words.show(broken.group.type.member, member)
            reasons = tuple(self.reasons(broken.condition, {**env, broken.var: member}, depth + 1))
            why = Together("and", reasons)
            yield why if name in told(why) else Under(name, why)
        if len(offenders) > MOST_NAMES:
            yield Whole(f"so it is with {len(offenders) - MOST_NAMES} more")

    # ---- in a group, or not
    def membership(self, e: pg.Member, holds: bool, env: Env, depth: int) -> Iterator[Clause]:
        """A piece is where its place is: `adjacent to`, `in` and `among` are said of the piece itself."""
        thing, subject = self.words.value(e.value, env), self.words.about(e.value, env)
        piece = piece_at(e.value)
        if piece is not None:
            subject, place = self.words.about(piece, env), self.words.show(e.value.type, thing)
            if thing < 0:
                yield simple(subject, "is", "on the map", negated=True)
                return
            if isinstance(e.group, pg.ClassSet):
                kind = in_words(e.group.type.of or e.group.type.name)
                which = f", which is {'' if holds else 'not '}{article(kind)}"
                yield simple(subject, "is", "in", place + ("" if holds and place.startswith(kind) else which))
                return
            subject = replace(subject, words=f"{subject.words} in {place}", named=False)
        if not holds and thing >= 0:
            yield from self.outside(e.group, (subject, thing), env, depth)
            return
        match e.group:
            case pg.Neighbours(place=other):
                yield simple(subject, "is", "adjacent to", self.words.one(other, env))
            case pg.PiecesIn(place=other):
                yield simple(subject, "is", "in", self.words.one(other, env))
            case pg.ClassSet(type=type_):
                yield simple(subject, "is", "", article(in_words(type_.of or type_.name)))
            case _:
                clause = self.words.clause(e, env)
                yield clause if holds else clause.denied()

    def outside(self, group: pg.E, member: tuple[Thing, int], env: Env, depth: int) -> Iterator[Clause]:
        """What keeps a thing out of a group: the conditions it fails, on every side of the group."""
        words, (subject, thing) = self.words, member
        if words.value(group, env) >> thing & 1:
            return

        def it_is_not(what: str, other: str = "") -> Clause:
            return simple(subject, "is", what, other, negated=True)

        match group:
            case pg.Filter(group=inner, var=var, condition=condition):
                yield from self.outside(inner, member, env, depth)
                if not words.value(condition, {**env, var: thing}):
                    yield from self.reasons(condition, {**env, var: thing}, depth)
            case pg.SetOp(op="&", left=left, right=right):
                yield from self.outside(left, member, env, depth)
                yield from self.outside(right, member, env, depth)
            case pg.SetOp(op="|", left=left, right=right):  # it takes both to keep it out
                sides = (self.outside(side, member, env, depth) for side in (left, right))
                yield Together("and", _once(reason for side in sides for reason in side))
            case pg.SetOp(op="-", left=left) if not words.value(left, env) >> thing & 1:
                yield from self.outside(left, member, env, depth)
            case pg.SetOp(op="-", right=right):
                yield simple(subject, "is", "among", words.noun(right, env))
            case pg.Neighbours(place=place):
                other = "it" if words.value(place, env) == thing else words.one(place, env)
                yield it_is_not("adjacent to", other)
            case pg.PiecesIn(place=place):
                yield it_is_not("in", words.one(place, env))
            case pg.SingleSet(value=value):
                yield it_is_not("", words.one(value, env))
            case pg.IfE(condition=condition, then=then, otherwise=otherwise):
                branch = then if words.value(condition, env) else otherwise
                yield from self.outside(branch, member, env, depth)
            case pg.RouteE(route=route, arguments=arguments):
                given = [words.value(a, env) for a in arguments]
                of = ", ".join(words.one(a, env) for a in arguments)
                why, short = why_no_end(self.session, self.find, self.program.routes[route], given, thing)
                way = Thing(f"the {in_words(route)} of {of}")
                head = simple(way, "may", "end in", subject, negated=True)
                yield with_reasons(head, [Whole(reason) for reason in why], short)
            case pg.CallE(define=define, arguments=arguments) if depth < DEEPEST:
                case, inside = self.case(define, arguments, env)
                behind = list(self.outside(case, member, inside, depth + 1)) if case is not None else []
                yield with_reasons(it_is_not("among", words.noun(group, env)), behind[:1])
            case pg.ClassSet(type=type_):
                yield it_is_not("", article(in_words(type_.of or type_.name)))
            case pg.ArgExtreme(group=inner) | pg.NearestE(group=inner) if (
                not words.value(inner, env) >> thing & 1
            ):
                yield from self.outside(inner, member, env, depth)
            case pg.ArgExtreme(extreme=extreme, var=var, value=value):
                own = {**env, var: thing}
                shown = words.show(value.type, words.value(value, own))
                measured = Thing(f"{words.noun(value, own)} ({shown})")
                yield simple(measured, "is", f"the {extreme}", negated=True)
            case pg.NearestE(place=place):
                yield it_is_not("nearest to", words.one(place, env))
            case pg.VarGet() | pg.FieldGet():
                members = words.show(group.type, words.value(group, env))
                called = (
                    words.noun(group, env) if isinstance(group, pg.FieldGet) else words.several(group, env)
                )
                yield it_is_not("among", f"{called} ({members})")
            case _:
                yield it_is_not("among", words.noun(group, env))


def _parts(condition: pg.E) -> tuple[pg.E, ...]:
    return condition.parts if isinstance(condition, pg.LogicE) and condition.op == "and" else (condition,)


def _once(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Clauses without those that were said before."""
    found = dict[str, Clause]()
    for clause in clauses:
        found.setdefault(told(clause), clause)
    return tuple(found.values())


def with_reasons(head: Clause, reasons: Sequence[Clause], short: str = "") -> Clause:
    """A clause and what is behind it; `short` is the least that must be told when that is too long."""
    behind = _once(reasons)
    said, inside = told(head), " and ".join(map(told, behind))
    if inside.replace(" the ", " ") == said.replace(" the ", " "):  # the meaning says no less
        return head
    room = LONGEST if len(reasons) > 1 or short else 2 * LONGEST  # better a long reason than none at all
    if inside and len(said) + len(inside) < room:
        return Because(head, behind)
    return Aside(head, short) if short else head
