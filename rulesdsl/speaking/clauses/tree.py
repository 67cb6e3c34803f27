"""The kinds of clauses. Nothing here is a sentence yet.

A `Simple` clause has a wording for its verb and what follows it: given by the rulebook, or made of a name
(`from_names`). Braces in a wording stand for the things that the clause is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rulesdsl.language.wordings import Wording

CONTRARY = {"and": "or", "or": "and"}


@dataclass(frozen=True, slots=True)
class Thing:
    """Something a clause is about: its words, whether it is several, its universe, its class.

    `variable` is the variable it stands for, if it is just that. Of something that belongs to something else
    (“Guards’ owner”) `owner` and `owned` tell whose and what. `named` is a thing of which “it” can be said.
    """

    words: str
    many: bool = False
    universe: str = ""
    noun: str = ""
    variable: str = ""
    owner: Thing | None = None
    owned: str = ""
    named: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """How the words that say what is so are marked: leading to a place of the handbook, or set in bold."""

    target: str = ""
    strong: bool = False


UNMARKED = Marked()


@dataclass(frozen=True, slots=True)
class Simple:
    """Somebody is, has or does something, or does not.

    `contrary` is the wording of the denial where that is another one: what is not “more than” is “at most”.
    """

    wording: Wording
    about: Mapping[str, Thing] = field(default_factory=dict)
    negated: bool = False
    contrary: Wording | None = None
    mark: Marked = UNMARKED

    @property
    def subject(self) -> Thing | None:
        """Who it is said of; none when the wording begins with words of its own (“there is …”)."""
        return self.about.get(self.wording.subject)

    def denied(self) -> Clause:
        if self.contrary is not None:
            return replace(self, wording=self.contrary, contrary=self.wording)
        return replace(self, negated=not self.negated)


@dataclass(frozen=True, slots=True)
class Together:
    """Clauses joined by `and` or `or`."""

    op: str
    parts: tuple[Clause, ...]

    def denied(self) -> Clause:
        # Neither of two is “not this and not that”, not both is “not this or not that”.
        return Together(CONTRARY[self.op], tuple(part.denied() for part in self.parts))


@dataclass(frozen=True, slots=True)
class ForEvery:
    """“for every unit in the zone, it is ready”"""

    members: str
    clause: Clause
    negated: bool = False

    def denied(self) -> Clause:
        return replace(self, negated=not self.negated)


@dataclass(frozen=True, slots=True)
class Whole:
    """A sentence that nobody takes apart; `loose` ones stand in brackets among others."""

    text: str
    negated: bool = False
    loose: bool = False

    def denied(self) -> Clause:
        return replace(self, negated=not self.negated)


@dataclass(frozen=True, slots=True)
class Because:
    """A clause and what made it so."""

    clause: Clause
    reasons: tuple[Clause, ...]

    def denied(self) -> Clause:
        return self.clause.denied()


@dataclass(frozen=True, slots=True)
class Aside:
    """A clause with something in brackets after it: “there is some unit in Hill (Guards)”"""

    clause: Clause
    aside: str | tuple[Clause, ...]

    def denied(self) -> Clause:
        return self.clause.denied()


@dataclass(frozen=True, slots=True)
class Under:
    """A clause under a name and a colon: “Guards: the number of units in Hill (3) is more than 2”"""

    name: str
    clause: Clause

    def denied(self) -> Clause:
        return Under(self.name, self.clause.denied())


@dataclass(frozen=True, slots=True)
class Then:
    """What is so at another moment: “there is some unit in Hill after Guards march to Hill”"""

    moment: str
    clause: Clause

    def denied(self) -> Clause:
        return Then(self.moment, self.clause.denied())


Clause = Simple | Together | ForEvery | Whole | Because | Aside | Under | Then

_IT, _OTHER = "it", "other"


@lru_cache(maxsize=4096)
def _predicate(verb: str, rest: str, object_: bool) -> Wording:
    tail = f" {{{_OTHER}}}" if object_ else ""
    return Wording(f"{{{_IT}}} ", verb, (f" {rest}" if rest else "") + tail, _IT)


def simple(
    subject: Thing, verb: str, rest: str = "", other: Thing | str = "", negated: bool = False
) -> Simple:
    """A clause in words of ours: `simple(unit, "is", "in", place)`. The verb is what one thing does."""
    thing = Thing(other) if isinstance(other, str) else other
    about = {_IT: subject, _OTHER: thing} if thing.words else {_IT: subject}
    return Simple(_predicate(verb, rest, bool(thing.words)), about, negated)


def compare(subject: Thing, rest: str, contrary: str, other: Thing) -> Simple:
    """“the number is more than 3”, whose contrary is “the number is at most 3”"""
    about = {_IT: subject, _OTHER: other}
    return Simple(_predicate("is", rest, True), about, contrary=_predicate("is", contrary, True))


@lru_cache(maxsize=1)
def _there_is() -> Wording:
    return Wording("there ", "is", f" some {{{_OTHER}}}", "")


def there_is(what: str, negated: bool = False) -> Simple:
    """“there is some unit in the zone”, “there is no unit in the zone”"""
    return Simple(_there_is(), {_OTHER: Thing(what)}, negated)
