"""Noun phrases and descriptions in words: “units in the zone whose camp is the player”."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.speaking.english import article, in_words, is_several, listed
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.predicates import PREPOSITIONS, Link, Said, is_third_person, told, worded

_FIRST_ARTICLE = re.compile("^((?:\ue000[^\ue001]*\ue001)?)(?:the|its) ")
_COMPARE = {"!=": " not", "<": " less than", "<=": " at most", ">": " more than", ">=": " at least"}


class PhraseSpeaker(ABC):
    """Says phrases in the words of one rulebook."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.local_facts: frozenset[str] = frozenset()  # what the rule that is being said lets be so or not

    @abstractmethod
    def say(self, expr: sx.Expr) -> str: ...

    # ---- one or several
    def many(self, expr: sx.Expr) -> bool:
        """Whether an expression is said in the plural."""
        names = self.names
        match expr:
            case sx.NounPhrase(words=words):
                return bool(words) and self.is_plural(words[-1])
            case sx.Name(id=name):
                kept = name in names.kept and name not in names.things and is_several(name)
                return self.is_plural(name) or name in names.peoples or kept
            case sx.Call(name="union"):
                return True
            case sx.Call(name=name):
                define = names.program.defines.get(name)
                if define is None:
                    return name in names.program.quantities and is_several(name)
                return define.type.kind == "set" or is_several(name)
            case sx.Attr(name=name):
                return not names.is_flag(name) and is_several(name)
            case _:
                return False

    def is_plural(self, word: str) -> bool:
        return word in self.names.world.plurals or (word in self.names.world.roles and word.endswith("s"))

    # ---- what is said of something
    def compared(self, op: str, many: bool) -> str:
        return f"{'are' if many else 'is'}{_COMPARE.get(op, '')}"

    def has_flag(self, name: str, many: bool, negated: bool = False) -> str:
        """“is ready”, “is a river”, “has not fought”"""
        no = " not" if negated else ""
        wording = self.names.wordings.get(name)
        if wording is not None:
            return wording.said(many, negated)
        if self.names.is_done(name):
            return f"{'have' if many else 'has'}{no} {in_words(name)}"
        shown = in_words(name)
        return f"{'are' if many else 'is'}{no} {article(shown) if self._noun(name, many) else shown}"

    def _noun(self, name: str, many: bool) -> bool:
        return not many and name in self.names.noun_flags and name not in self.names.program.defines

    def is_so(self, description: sx.Description, many: bool, negated: bool, of: str = "") -> str:
        """“is ready”, “is neither west nor east”; `of` is the attribute that is described, if any."""
        be, no = "are" if many else "is", " not" if negated else ""
        match description:
            case sx.Name(id) if id in self.names.flags and id not in self.names.program.defines:
                return self.has_flag(id, many, negated)
            case sx.Name("none"):
                return "is nothing" if not negated else "is something"
            case sx.Name(id) if self.names.is_about_one(id):
                return self.names.wordings[id].said(many, negated)
            case sx.Name(id) if self._said_of_one(id, many, negated):
                return self._said_of_one(id, many, negated)
            case sx.OneOf(words) if negated:
                return f"{be} neither {' nor '.join(map(self._one_value, words))}"
            case _:
                return f"{be}{no} {self.other(of, description)}"

    def _said_of_one(self, name: str, many: bool, negated: bool) -> str:
        """What a condition with one subject says of it: the clause without its subject."""
        define = self.names.program.defines.get(name)
        if define is None or define.type.kind != "flag" or len(define.params) != 1:
            return ""
        type_ = define.params[0].type
        subject = (
            Said("\ue0ff", many, type_.name, type_.of) if type_.kind in ("thing", "set") else Said("\ue0ff")
        )
        text = self.tell(name, [subject], negated)
        return (
            text.removeprefix("\ue0ff ") if text.startswith("\ue0ff ") and text.count("\ue0ff") == 1 else ""
        )

    def lacks(self, attribute: str, owner: str, many: bool, there: bool) -> str:
        """“the unit has no mode”; of what a name says as a deed, “the army aims at nothing”."""
        has = "have" if many else "has"
        words = self.names.attribute(attribute)
        first = words.split(" ")[0]
        if self.as_deed(attribute, owner):
            if is_third_person(first):
                return f"{owner} {words} {'something' if there else 'nothing'}"
            return f"{owner} {'are' if many else 'is'} {words} {'somebody' if there else 'nobody'}"
        if is_several(attribute):
            return f"{owner} {has} {'some' if there else 'no'} {words}"
        return f"{owner} {has} {article(words) if there else f'no {words}'}"

    def as_deed(self, attribute: str, owner: str) -> str:
        """“what the army aims at”, “what the unit was hit by”: an attribute whose name is no noun."""
        words = self.names.attribute(attribute).split(" ")
        if len(words) < 2 or words[-1] not in PREPOSITIONS:
            return ""
        if is_third_person(words[0]) and words[0] not in self.names.world.nouns:
            return f"what {owner} {' '.join(words)}"
        if words[0].endswith(("ed", "en", "it", "ght")):
            return f"what {owner} was {' '.join(words)}"
        return ""

    # ---- phrases
    def phrase(self, phrase: sx.NounPhrase) -> str:
        words = " ".join(self.names.word(word) for word in phrase.words)
        many = bool(phrase.words) and self.is_plural(phrase.words[-1])
        called = ("it", *(tail.name for tail in phrase.tails if isinstance(tail, sx.TailAs)))
        return words + "".join(f" {self._tail(tail, many, called)}" for tail in phrase.tails)

    def one_of(self, phrase: sx.NounPhrase) -> str:
        """A group to choose from, without its noun when it says nothing new: “the strikers of the player”."""
        match phrase.words, phrase.tails:
            case (noun,), (sx.TailAmong(group), *rest) if noun in self.names.world.nouns and self.many(group):
                return self.say(group) + "".join(f" {self._tail(tail, True)}" for tail in rest)
            case _:
                return ""

    def _tail(self, tail: sx.Tail, many: bool, called: tuple[str, ...] = ("it",)) -> str:
        match tail:
            case sx.TailIn(place):
                return f"in {self.say(place)}"
            case sx.TailAmong(sx.Call(name=name, arguments=arguments)) if name in self.names.program.routes:
                return f"in which {self.way(name, arguments)} may end"
            case sx.TailAmong(group):
                return f"among {self.say(group)}"
            case sx.TailExcept(group):
                return f"except {self.say(group)}"
            case sx.TailBetween(one, other):
                return f"between {self.say(one)} and {self.say(other)}"
            case sx.TailWith(extreme, value):
                return f"with the {extreme} {self.bare(value)}"
            case sx.TailRange(low, high):
                return f"from {self.say(low)} to {self.say(high)}"
            case sx.TailNearest(place, route):
                by = f" by {self.names.linked(route)}" if route else ""
                return f"nearest to {self.say(place)}{by}"
            case sx.TailAs(name):
                return f"(“{in_words(name)}”)"
            case sx.TailOf(owner):
                return f"of {self.say(owner)}"
            case sx.TailWhere(condition):
                return self.relative(condition, many, called)
            case sx.TailRelated(relation, other):
                return f"{self.names.word(relation)} to {self.say(other)}"
        raise AssertionError(f"no words for {type(tail).__name__}")

    def way(self, route: str, arguments: tuple[sx.Argument, ...]) -> str:
        of = f" of {listed([self.say(a.value) for a in arguments])}" if arguments else ""
        return f"the {self.names.linked(route)}{of}"

    def bare(self, value: sx.Expr) -> str:
        return _FIRST_ARTICLE.sub(r"\1", self.say(value))

    def description(self, description: sx.Description) -> str:
        match description:
            case sx.Name(id) if id in self.names.program.defines or id in self.names.flags:
                return self.names.linked(id)
            case sx.Name(id) if id in self.names.values and id not in self.names.things:
                return in_words(id)
            case sx.Expr():
                return self.say(description)
            case sx.Described(words):
                return " ".join(self.names.word(word) for word in words)
            case sx.InPlace(place):
                return f"in {self.say(place)}"
            case sx.AmongSet(group):
                return f"among {self.say(group)}"
            case sx.Related(relation, other, preposition):
                return f"{self.names.word(relation)} {preposition} {self.say(other)}"
            case sx.OneOf(words):
                return listed([self._one_value(word) for word in words], "or")
            case sx.Within(low, high):
                return f"{low} to {high}"

    def _one_value(self, word: str) -> str:
        """A value among others: a kind of unit may be called like one of the units."""
        return in_words(word) if word in self.names.values else self.names.value(word)

    # ---- “whose camp is the player and that are ready”
    def relative(self, condition: sx.Expr, many: bool, called: tuple[str, ...] = ("it",)) -> str:
        """What is asked of the members of a group, as relative clauses as far as English allows."""
        parts = condition.parts if isinstance(condition, sx.Logic) and condition.op == "and" else (condition,)
        found = [(part, self._relative(part, many, called)) for part in parts]
        clauses = [text for _, text in found if text]
        others = [self.clause(part, "and") for part, text in found if not text]
        if not clauses:
            return f"where {self.say(condition)}"
        joint = "and" if others and plain(others[0]).startswith("where ") else "where"
        return listed(clauses) + (f", {joint} {' and '.join(others)}" if others else "")

    def as_call(self, expr: sx.Expr) -> sx.Expr:
        """`zone is foreign to unit` is said as `foreign(zone, unit)` is: in the words of its definition."""
        match expr:
            case sx.Is(subject, negated, sx.Related(relation, other)) if (
                relation in self.names.program.defines
            ):
                values = tuple(sx.Argument(None, value) for value in (subject, other))
                asked = sx.Call(relation, values)
                return sx.Not(asked) if negated else asked
        return expr

    def _relative(self, part: sx.Expr, many: bool, called: tuple[str, ...]) -> str:
        """One clause that begins with “that” or “whose”; nothing when it does not want to."""
        part = self.as_call(part)
        match part:
            case sx.Not(value=sx.Call(name=name, arguments=arguments)):
                return self._member_call(name, arguments, many, called, negated=True)
            case sx.Call(name=name, arguments=arguments):
                return self._member_call(name, arguments, many, called, negated=False)
            case sx.Not(value=sx.Is(subject, negated, description)):
                return self._relative(sx.Is(subject, not negated, description), many, called)
            case sx.Is(sx.Attr(sx.Name(id=subject), name), negated, sx.Name("none")) if subject in called:
                return self.lacks(name, "that", many, negated)
            case sx.Is(sx.Name(id=subject), negated, description) if subject in called:
                return f"that {self.is_so(description, many, negated)}"
            case sx.Is(sx.Attr(sx.Name(id=subject), name), negated, description) if subject in called:
                said_of = self.is_so(description, is_several(name), negated, name)
                return f"whose {self.names.attribute(name)} {said_of}"
            case sx.Compare(op, sx.Attr(sx.Name(id=subject), name), right) if subject in called:
                compared = self.compared(op, is_several(name))
                return f"whose {self.names.attribute(name)} {compared} {self.say(right)}"
            case sx.Attr(sx.Name(id=subject), name) if subject in called and self.names.is_flag(name):
                return f"that {self.has_flag(name, many)}"
            case sx.Not(value=sx.Attr(sx.Name(id=subject), name)) if subject in called and self.names.is_flag(
                name
            ):
                return f"that {self.has_flag(name, many, negated=True)}"
            case sx.Logic("or", parts):
                clauses = [self._relative(p, many, called) for p in parts]
                return f"{' or '.join(clauses)}" if all(clauses) else ""
            case _:
                return ""

    def _member_call(
        self,
        name: str,
        arguments: tuple[sx.Argument, ...],
        many: bool,
        called: tuple[str, ...],
        negated: bool,
    ) -> str:
        define = self.names.program.defines.get(name)
        if define is None or define.type.kind != "flag":
            return ""
        of = []
        for argument, value in zip(arguments, self.values(name, arguments), strict=True):
            match argument.value:
                case sx.Name(id=one) if one in called:
                    of.append(Said("that", many, value.universe, value.noun))
                case sx.Attr(sx.Name(id=one), attribute) if one in called:
                    words = f"whose {self.names.attribute(attribute)}"
                    of.append(Said(words, False, value.universe, value.noun))
                case _:
                    of.append(value)
        text = self.tell(name, of, negated)
        pronouns = sum(o.words == "that" or o.words.startswith("whose ") for o in of)
        return text if pronouns == 1 and text.startswith(("that ", "whose ")) else ""

    def other(self, name: str, description: sx.Description) -> str:
        """“its side is not that side”: the same word twice is not the same thing."""
        if isinstance(description, sx.Name) and description.id == name:
            return f"that {self.names.attribute(name)}"
        return self.description(description)

    # ---- conditions with a name
    def tell(self, name: str, of: list[Said], negated: bool = False) -> str:
        return self.told(name, of, lambda words: self.names.linked(name, words), negated)

    def told(self, name: str, of: list[Said], link: Link, negated: bool = False) -> str:
        """A named condition, as the rulebook words it or as its name tells."""
        wording = self.names.wordings.get(name)
        if wording is None or name not in self.names.program.defines:
            return told(name, of, link, self.names.world.nouns, negated)
        params = (p.name for p in self.names.program.defines[name].params)
        return worded(wording, dict(zip(params, of, strict=False)), link, negated)

    def values(self, name: str, arguments: tuple[sx.Argument, ...]) -> list[Said]:
        """What is handed to a define, with what it is."""
        define = self.names.program.defines.get(name)
        types = [p.type for p in define.params] if define is not None else []
        return [
            said_as(types[n] if n < len(types) else None, self.say(a.value), self.many(a.value))
            for n, a in enumerate(arguments)
        ]

    @abstractmethod
    def clause(self, part: sx.Expr, op: str) -> str: ...


def said_as(type_: Type | None, words: str, many: bool = False) -> Said:
    if type_ is None or type_.kind not in ("thing", "set"):
        return Said(words, many)
    return Said(words, many, type_.name, type_.of)
