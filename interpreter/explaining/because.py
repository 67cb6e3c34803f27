"""Why a condition holds or does not, in sentences about the things at hand.

Every part of the condition is asked by the code that plays; only those that decided it are told. Of a
condition that looks at something the player may not know nothing is told but what it asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.explaining.compared import compared, is_so
from interpreter.explaining.explain import may_know
from interpreter.explaining.spoken import Env, Words, piece_at, with_pronouns
from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.handbook.inline import plain
from rulesdsl.handbook.names import article, in_words
from rulesdsl.handbook.predicates import Said, told

if TYPE_CHECKING:
    from interpreter.session import Session

DEEPEST = 2  # how many meanings are opened one inside the other
LONGEST = 160  # letters: what is behind a meaning is left out when it would be longer


def because(session: Session, condition: pg.E, env: Env) -> str:
    """What made a condition true or false."""
    teller = Teller(session)
    if not may_know(session, condition, env):
        return f"it depends on whether {teller.words.source(condition, env)}, which is hidden"
    return teller.joined(teller.reasons(condition, env, 0))


def asked(session: Session, condition: pg.E, env: Env) -> str:
    """What a condition asks, whether it holds or not."""
    return Teller(session).words.source(condition, env)


def because_no_member(session: Session, group: pg.E, value: int, env: Env) -> str:
    """What keeps a thing out of a group."""
    teller = Teller(session)
    if not may_know(session, group, env):
        return "it is not among those that may be chosen"
    member = group.type.member
    subject = teller.words.named(member, teller.words.show(member, value))
    return teller.joined(teller.outside(group, (subject, value), env, 0))


class Teller:
    def __init__(self, session: Session) -> None:
        self.words = Words(session)
        self.program = session.ruleset.program

    def joined(self, reasons: Iterator[str]) -> str:
        text = "; ".join(dict.fromkeys(reasons))
        return with_pronouns(text, self.words.subjects)

    # ---- conditions
    def reasons(self, e: pg.E, env: Env, depth: int) -> Iterator[str]:
        """True sentences: those that decided the value of a condition."""
        try:
            holds = bool(self.words.value(e, env))
        except (KeyError, NameError):  # it asks about the path, which has no value here
            yield self.words.source(e, env)
            return
        match e:
            case pg.NotE(source=sx.EveryIs() | sx.Every()):
                yield self.words.source(e, env, denied=not holds)
            case pg.NotE(value=value):
                yield from self.reasons(value, env, depth)
            case pg.LogicE(op=op, parts=parts):
                yield from self._parts(op, parts, holds, env, depth)
            case pg.CompareE(left=pg.SettingGet(name=name)) if self.program.settings[name].kind == "reading":
                return  # which readings decide is told apart (decided.py)
            case pg.CompareE():
                yield compared(self.words, e, holds, env)
            case pg.AttrGet(attribute=attribute, of=of):
                yield self._said(attribute.name, (of,), holds, env)
            case pg.CallE(define=name, arguments=arguments):
                yield from self._meaning(name, arguments, holds, env, depth)
            case pg.Member():
                yield from self._membership(e, holds, env, depth)
            case pg.SomeE(group=group) if holds:
                members = self.words.show(group.type, self.words.value(group, env))
                yield f"{self.words.source(e, env)} ({members})"
            case _:
                yield self.words.source(e, env, denied=not holds)

    def _parts(self, op: str, parts: tuple[pg.E, ...], holds: bool, env: Env, depth: int) -> Iterator[str]:
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

    def _said(self, name: str, of: tuple[pg.E, ...], holds: bool, env: Env) -> str:
        about = [self.words.about(e, env) for e in of]
        return plain(told(name, about, str, self.program.world.nouns, negated=not holds))

    def _meaning(
        self, name: str, arguments: tuple[pg.E, ...], holds: bool, env: Env, depth: int
    ) -> Iterator[str]:
        """A named condition, and what is behind it as far as that is short."""
        head = self._said(name, arguments, holds, env)
        value, inner = self._case(name, arguments, env) if depth < DEEPEST else (None, env)
        behind = list(self.reasons(value, inner, depth + 1)) if value is not None else []
        if depth and len(behind) == 1:  # what is behind the last meaning says it best
            yield behind[0]
        else:
            yield self._with(head, behind)

    def _case(self, name: str, arguments: tuple[pg.E, ...], env: Env) -> tuple[pg.E | None, Env]:
        """The case of a meaning that applies, with its own variables."""
        define = self.program.defines[name]
        values = [self.words.value(a, env) for a in arguments]
        inner = dict(zip(define.params, values, strict=True))
        for condition, value in define.cases:
            if condition is None or self.words.value(condition, inner):
                return (condition if isinstance(value, pg.Const) else value), inner
        return None, inner

    # ---- groups
    def _membership(self, e: pg.Member, holds: bool, env: Env, depth: int) -> Iterator[str]:
        """A piece is where its place is: `adjacent to`, `in` and `among` are said of the piece itself."""
        thing, subject = self.words.value(e.value, env), self.words.about(e.value, env)
        piece = piece_at(e.value)
        if piece is not None:
            subject, place = self.words.about(piece, env), self.words.show(e.value.type, thing)
            if thing < 0:
                yield f"{is_so(subject)} not on the map"
                return
            if isinstance(e.group, pg.ClassSet):
                kind = article(in_words(e.group.type.of or e.group.type.name))
                yield f"{is_so(subject)} in {place}, which is {'' if holds else 'not '}{kind}"
                return
            subject = replace(subject, words=f"{subject.words} in {place}")
        if not holds and thing >= 0:
            yield from self.outside(e.group, (subject, thing), env, depth)
            return
        match e.group:
            case pg.Neighbours(place=other):
                yield f"{is_so(subject)} adjacent to {self.words.one(other, env)}"
            case pg.PiecesIn(place=other):
                yield f"{is_so(subject)} in {self.words.one(other, env)}"
            case pg.ClassSet(type=type_):
                yield f"{is_so(subject)} {article(in_words(type_.of or type_.name))}"
            case _:
                yield self.words.source(e, env, denied=not holds)

    def outside(self, group: pg.E, member: tuple[Said, int], env: Env, depth: int) -> Iterator[str]:
        """What keeps a thing out of a group: the conditions it fails, on every side of the group."""
        words, (subject, thing) = self.words, member
        if words.value(group, env) >> thing & 1:
            return
        head = f"{is_so(subject)} not"
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
                yield " and ".join(dict.fromkeys(reason for side in sides for reason in side))
            case pg.SetOp(op="-", left=left) if not words.value(left, env) >> thing & 1:
                yield from self.outside(left, member, env, depth)
            case pg.SetOp(op="-", right=right):
                yield f"{is_so(subject)} among {words.noun(right, env)}"
            case pg.Neighbours(place=place):
                other = "it" if words.value(place, env) == thing else words.one(place, env)
                yield f"{head} adjacent to {other}"
            case pg.PiecesIn(place=place):
                yield f"{head} in {words.one(place, env)}"
            case pg.SingleSet(value=value):
                yield f"{head} {words.one(value, env)}"
            case pg.IfE(condition=condition, then=then, otherwise=otherwise):
                branch = then if words.value(condition, env) else otherwise
                yield from self.outside(branch, member, env, depth)
            case pg.RouteE(route=route, arguments=arguments):
                of = ", ".join(words.one(a, env) for a in arguments)
                yield f"the {in_words(route)} of {of} may not end in {subject.words}"
            case pg.CallE(define=define, arguments=arguments) if depth < DEEPEST:
                case, given = self._case(define, arguments, env)
                behind = list(self.outside(case, member, given, depth + 1)) if case is not None else []
                yield self._with(f"{head} among {words.noun(group, env)}", behind[:1])
            case pg.ClassSet(type=type_):
                yield f"{head} {article(in_words(type_.of or type_.name))}"
            case pg.ArgExtreme(group=inner) | pg.NearestE(group=inner) if (
                not words.value(inner, env) >> thing & 1
            ):
                yield from self.outside(inner, member, env, depth)
            case pg.ArgExtreme(extreme=extreme, var=var, value=value):
                own = {**env, var: thing}
                shown = words.show(value.type, words.value(value, own))
                yield f"{words.noun(value, own)} ({shown}) is not the {extreme}"
            case pg.NearestE(place=place):
                yield f"{head} nearest to {words.one(place, env)}"
            case pg.VarGet() | pg.FieldGet():
                members = words.show(group.type, words.value(group, env))
                called = (
                    words.noun(group, env) if isinstance(group, pg.FieldGet) else words.source(group, env)
                )
                yield f"{head} among {called} ({members})"
            case _:
                yield f"{head} among {words.noun(group, env)}"

    def _with(self, head: str, reasons: list[str]) -> str:
        inside = " and ".join(dict.fromkeys(reasons))
        if inside.replace(" the ", " ") == head.replace(" the ", " "):  # the meaning says no less
            return head
        return f"{head}, because {inside}" if inside and len(head) + len(inside) < LONGEST else head
