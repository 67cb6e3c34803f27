"""Noun phrases and what is said of them: “units in the zone whose camp is the player”."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.wordings import Wording
from rulesdsl.program.types import Type
from rulesdsl.speaking.clauses.from_names import PREPOSITIONS, is_third_person
from rulesdsl.speaking.clauses.tree import Clause, Marked, Simple, Thing, Together, simple
from rulesdsl.speaking.clauses.words import relative, words
from rulesdsl.speaking.english import article, in_words, is_plural_word, is_several, listed
from rulesdsl.speaking.inline import FIRST_ARTICLE, plain
from rulesdsl.speaking.names import BUILT_IN, Names

_OF_IT = re.compile(r" of it$")


class PhraseSpeaker(ABC):
    """Says phrases in the words of one rulebook."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.local_facts: frozenset[str] = frozenset()  # what the rule that is being said lets be so or not
        self.local_nouns: dict[str, str] = {}  # adjectives it calls its things by → their noun

    @abstractmethod
    def say(self, expr: sx.Expr) -> str: ...

    @abstractmethod
    def clause(self, expr: sx.Expr) -> Clause:
        """A condition as a tree."""

    def thing(self, expr: sx.Expr) -> Thing:
        """What a clause is about, with what it takes to say “that” or “whose” of it."""
        said, many, names = self.say(expr), self.many(expr), self.names
        match expr:
            case sx.Name(id=name):
                return Thing(said, many, variable=name)
            case sx.Attr(sx.Name(id=name), attribute) if not self.names.is_flag(attribute) and said.endswith(
                self.names.attribute(attribute)
            ):
                owned = self.names.attribute(attribute)
                return Thing(said, names.is_several(attribute), owner=Thing(name, variable=name), owned=owned)
            case sx.Call(arguments=(sx.Argument(value=sx.Name(id=whose)),)) if said.startswith("its "):
                return Thing(said, many, owner=Thing(whose, variable=whose), owned=said.removeprefix("its "))
            case _:
                return Thing(said, many)

    # ---- one or several
    def many(self, expr: sx.Expr) -> bool:
        """Whether an expression is said in the plural."""
        names = self.names
        match expr:
            case sx.NounPhrase(words=words):
                return bool(words) and self.is_plural(words[-1])
            case sx.Name(id=name):
                if name in self.local_nouns and not names.known(name):
                    noun = self.local_nouns[name]
                    return self.is_plural(noun) or noun == "spaces"
                if name in names.program.defines:
                    return names.is_several(name)
                kept = name in names.kept and name not in names.things and names.is_several(name)
                return self.is_plural(name) or name in names.peoples or kept or self._is_plural_local(name)
            case sx.Call(name="union"):
                return True
            case sx.Call(name=name):
                define = names.program.defines.get(name)
                if define is None:
                    return name in names.program.quantities and is_several(name)
                return names.is_several(name)
            case sx.Attr(name=name) | sx.Keyed(name=name):
                return not names.is_flag(name) and names.is_several(name)
            case _:
                return False

    def _is_plural_local(self, name: str) -> bool:
        """Whether a variable is called by a plural: `let guns = …`."""
        names = self.names
        known = (BUILT_IN, names.things, names.world.nouns, names.values, names.kept, names.program.settings)
        return (
            not any(name in group for group in known)
            and len(name) > 3
            and (is_several(name) or is_plural_word(name.split("_")[-1]))
        )

    def is_plural(self, word: str) -> bool:
        names = self.names
        if word in names.world.plurals or (word in names.world.roles and word.endswith("s")):
            return True
        return word not in names.world.nouns and word in names.plurals_of_values

    # ---- what is said of something
    def described(self, subject: Thing, description: sx.Description, of: str = "") -> Clause:
        """“the unit is ready”, “its mode is neither west nor east”; `of` is the attribute described."""
        match description:
            case sx.Name(id) if id in self.names.flags and id not in self.names.program.defines:
                return self.flagged(subject, id)
            case sx.Name("none"):
                return Simple(_words("is nothing"), {"it": subject}, contrary=_words("is something"))
            case sx.Name(id) if self._is_about_one(id):
                return self.tell(id, [subject])
            case sx.OneOf(values):
                some = [_literal(self._one_value(value)) for value in values]
                neither = _words(f"is neither {' nor '.join(some)}") if len(some) > 1 else None
                return Simple(_words(f"is {listed(some, 'or')}"), {"it": subject}, contrary=neither)
            case _:
                return simple(subject, "is", "", self.other(of, description))

    def flagged(self, subject: Thing, flag: str) -> Simple:
        """“the unit is ready”, “the border is a river”, “the unit has fought”"""
        return Simple(self.names.flag(flag), {"it": subject})

    def _is_about_one(self, name: str) -> bool:
        define = self.names.program.defines.get(name)
        return define is not None and define.type.kind == "flag" and len(define.params) == 1

    def lacks(self, attribute: str, owner: Thing) -> Simple:
        """“the unit has no mode”; of what a name says as a deed, “the army aims at nothing”."""
        called = _literal(self.names.attribute(attribute))
        about = {"it": owner}
        if self.as_deed(attribute, owner.words):
            if called.endswith(" from"):
                nowhere = (_words(f"{called} {where}") for where in ("nowhere", "somewhere"))
                return Simple(next(nowhere), about, contrary=next(nowhere))
            if is_third_person(called.split(" ")[0]):
                return Simple(_words(f"{called} nothing"), about, contrary=_words(f"{called} something"))
            return Simple(_words(f"is {called} nobody"), about, contrary=_words(f"is {called} somebody"))
        some = f"some {called}" if self.names.is_several(attribute) else article(called)
        return Simple(_words(f"has {some}"), about, negated=True)

    def as_deed(self, attribute: str, owner: str) -> str:
        """“what the army aims at”, “what the unit was hit by”: an attribute whose name is no noun."""
        words = self.names.attribute(attribute).split(" ")
        if len(words) < 2 or words[-1] not in PREPOSITIONS:
            return ""
        if is_third_person(words[0]) and words[0] not in self.names.world.nouns:
            return f"what {owner} {' '.join(words)}"
        of = {a.type.name for (_, name), a in self.names.world.attributes.items() if name == attribute}
        asking = "who" if of == {"player"} else "what"
        if words[0].endswith(("ed", "en", "it", "ght")):
            return f"{asking} {owner} was {' '.join(words)}"
        if words[0] in ("came", "went", "fled", "began", "left", "rose") and words[-1] == "from":
            return f"the place {owner} {' '.join(words)}"
        return ""

    def done(self, owner: Thing, attribute: str, other: Thing | str) -> Simple:
        """“the army aims at the target”, “the card was played by the player”"""
        first, *rest = self.names.attribute(attribute).split(" ")
        if " was " in self.as_deed(attribute, "it"):
            return simple(owner, "was", " ".join((first, *rest)), other)
        return simple(owner, first, " ".join(rest), other)

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

    # ---- phrases
    def phrase(self, phrase: sx.NounPhrase) -> str:
        phrase = self._said_behind(phrase)
        whose = [word for word in phrase.words[:-1] if self._is_variable(word)]  # `side units`
        words = " ".join(self.names.word(word) for word in phrase.words if word not in whose)
        words += "".join(f" of {self.say(sx.Name(word))}" for word in whose)
        many = bool(phrase.words) and self.is_plural(phrase.words[-1])
        called = ("it", *(tail.name for tail in phrase.tails if isinstance(tail, sx.TailAs)))
        return words + "".join(f" {self._tail(tail, many, called)}" for tail in phrase.tails)

    def _is_variable(self, word: str) -> bool:
        """Whether a word of a phrase is what a rule calls one of its things, and no adjective."""
        names = self.names
        known = (names.program.defines, names.flags, names.things, names.values, names.world.nouns)
        return not any(word in group for group in known) and word in names.world.enums

    def _said_behind(self, phrase: sx.NounPhrase) -> sx.NounPhrase:
        """`on_map units among losers` are units among the losers that are on the map: what has a
        preposition in it (`able_to_invade`) does not stand before a noun."""
        behind = [
            word
            for word in phrase.words[:-1]
            if ({"is", "has", "may", "can"} | PREPOSITIONS).intersection(in_words(word).split(" "))
            and (self._is_about_one(word) or word in self.names.flags)
        ]
        if not behind:
            return phrase
        asked: list[sx.Expr] = [sx.Is(sx.Name("it"), False, sx.Name(word)) for word in behind]
        tails = []
        for tail in phrase.tails:
            match tail:
                case sx.TailWhere(sx.Logic("and", parts)):
                    asked += parts
                case sx.TailWhere(condition):
                    asked.append(condition)
                case _:
                    tails.append(tail)
        whole = asked[0] if len(asked) == 1 else sx.Logic("and", tuple(asked))
        left = tuple(word for word in phrase.words if word not in behind)
        return sx.NounPhrase(left, (*tails, sx.TailWhere(whole)))

    def one_of(self, phrase: sx.NounPhrase) -> str:
        """A group to choose from, without its noun when it says nothing new: “the strikers of the player”."""
        phrase = self._said_behind(phrase)
        match phrase.words, phrase.tails:
            case (noun,), (sx.TailAmong(group), *rest) if noun in self.names.world.nouns and self.many(group):
                return self.say(group) + "".join(f" {self._tail(tail, True)}" for tail in rest)
            case _:
                return ""

    def _tail(self, tail: sx.Tail, many: bool, called: tuple[str, ...] = ("it",)) -> str:
        tail = sx.closed(tail)
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
            case sx.TailNearest(place):
                return f"nearest to {self.say(place)}"
            case sx.TailAs(name):
                return f"(“{in_words(name)}”)"
            case sx.TailOf(owner):
                return f"of {self.say(owner)}"
            case sx.TailWhere(condition):
                return self.relative(condition, many, called)
            case sx.TailRelated(relation, other):
                return f"{self.names.word(relation)} to {self.say(other)}"
            case _:
                assert_never(tail)

    def way(self, route: str, arguments: tuple[sx.Argument, ...]) -> str:
        of = f" of {listed([self.say(a.value) for a in arguments])}" if arguments else ""
        return f"the {self.names.linked(route, self.names.way(route))}{of}"

    def bare(self, value: sx.Expr) -> str:
        match value:
            case sx.Keyed(of, name, sx.Name("it")):  # the good with the greatest stock of Red
                return f"{self.names.attribute(name)} of {self.say(of)}"
            case _:
                pass  # said of the member, which need not be named
        return _OF_IT.sub("", FIRST_ARTICLE.sub(r"\1", self.say(value)))

    def description(self, description: sx.Description) -> str:
        match description:
            case sx.Name(id) if id in self.names.program.defines or id in self.names.flags:
                return self.names.linked(id)
            case sx.Name(id) if id in self.names.values and not self._is_thing(id):
                return in_words(id)
            case sx.Expr():
                return self.say(description)
            case sx.Described(called):
                shown = " ".join(self.names.word(word) for word in called)
                kind = called[-1] in self.names.world.nouns and not self.is_plural(called[-1])
                return article(shown) if kind else shown
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
            case _:
                assert_never(description)

    def _is_thing(self, name: str) -> bool:
        """Whether a name means a thing here, although a value is called so, too."""
        return name in self.names.things or name in self.names.world.nouns

    def _one_value(self, word: str) -> str:
        """A value among others: a kind of unit may be called like one of the units."""
        return in_words(word) if word in self.names.values else self.names.value(word)

    # ---- “whose camp is the player and that are ready”
    def relative(self, condition: sx.Expr, many: bool, called: tuple[str, ...] = ("it",)) -> str:
        """What is asked of the members of a group, as relative clauses as far as English allows."""
        asked = self.clause(condition)
        parts = asked.parts if isinstance(asked, Together) and asked.op == "and" else (asked,)
        found = [(part, relative(part, called, many)) for part in parts]
        clauses = [words(clause) for _, clause in found if clause is not None]
        others = [part for part, clause in found if clause is None]
        if not clauses:
            return f"where {words(asked)}"
        left = words(Together("and", tuple(others)))
        joint = "and" if plain(left).startswith("where ") else "where"
        return listed(clauses) + (f", {joint} {left}" if others else "")

    def other(self, name: str, description: sx.Description) -> str:
        """“its side is not that side”: the same word twice is not the same thing."""
        if isinstance(description, sx.Name) and description.id == name:
            return f"that {self.names.attribute(name)}"
        return self.description(description)

    # ---- conditions with a name
    def tell(self, name: str, of: Sequence[Thing], mark: Marked | None = None) -> Simple:
        """A named condition of some things, as the rulebook words it or as its name tells."""
        params = (param.name for param in self.names.program.defines[name].params)
        about = dict(zip(params, of, strict=False))
        return Simple(self.names.condition(name), about, mark=self.names.mark(name) if mark is None else mark)

    def values(self, name: str, arguments: tuple[sx.Argument, ...]) -> list[Thing]:
        """What is handed to a meaning."""
        params = self.names.program.defines[name].params
        found = []
        for number, argument in enumerate(arguments):
            thing = self.thing(argument.value)
            a_set = number < len(params) and params[number].type.kind == "set"
            # Stones are, a force is.
            several = a_set and is_plural_word(plain(thing.words).split(" ")[-1])
            found.append(replace(thing, many=True) if several else thing)
        return found


def thing_of(type_: Type | None, said: str, many: bool = False) -> Thing:
    if type_ is None or type_.kind not in ("thing", "set"):
        return Thing(said, many)
    return Thing(said, many or type_.kind == "set", type_.name, type_.of)


def _literal(text: str) -> str:
    """Words that stand in a wording as they are."""
    return text.replace("{", "").replace("}", "")


def _words(predicate: str) -> Wording:
    """What is said of “it”: “has no target”."""
    verb, _, rest = predicate.partition(" ")
    return Wording("{it} ", verb, f" {rest}" if rest else "", "it")
