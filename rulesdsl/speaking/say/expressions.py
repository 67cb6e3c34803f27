"""Expressions and noun phrases of the rules as parts of English sentences, with links to what they name.

One file: how a part is said depends on the whole it stands in, so one speaker says all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import CANCELLED, member_of
from rulesdsl.language.wordings import Wording, plural
from rulesdsl.program.builtins import BUILTINS, Builtin
from rulesdsl.program.types import Type
from rulesdsl.program.world import show_ratio
from rulesdsl.speaking.clauses.filling import filled
from rulesdsl.speaking.clauses.from_names import PREPOSITIONS, is_third_person
from rulesdsl.speaking.clauses.tree import (
    Clause,
    ForEvery,
    Marked,
    Simple,
    Then,
    Thing,
    Together,
    Whole,
    compare,
    simple,
    there_is,
)
from rulesdsl.speaking.clauses.words import relative, words
from rulesdsl.speaking.english import article, in_words, is_plural_word, is_several, listed, possessive, whose
from rulesdsl.speaking.inline import FIRST_ARTICLE, LINK_BEGINS, plain, said
from rulesdsl.speaking.names import BUILT_IN, Names
from rulesdsl.speaking.say.given_names import called_by

_OF_IT = re.compile(r" of it$")
_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
COMPARED = {"=": "", "!=": "not", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_ASKING = ("what ", "who ", "where ", "whom ")
_ITS = re.compile(r"\bits\b")
_ASKED = (sx.Is, sx.Compare, sx.Logic, sx.Not, sx.Some, sx.NoneOf, sx.Every, sx.EveryIs)
FACTS = {CANCELLED: ("was", "cancelled"), "first_step": ("is", "the first step")}


class Speaker:
    """Says expressions in the words of one rulebook."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.local_facts: frozenset[str] = frozenset()  # what the rule that is being said lets be so or not
        self.local_nouns: dict[str, str] = {}  # adjectives it calls its things by → their noun

    def say(self, expr: sx.Expr) -> str:
        match expr:
            case sx.Number(value, ratio):
                return show_ratio(value) if ratio else str(value).replace("-", "−")
            case sx.Text(value):
                return f"“{said(value)}”"
            case sx.Name(id) if not self._is_fact(id):
                if id in self.local_nouns and not self.names.known(id):
                    return f"the {called_by(id, self.local_nouns[id])}"
                return self.names.value(id)
            case sx.Numbered(noun, number):
                return f"{in_words(noun)} {number}"
            case sx.Attr(of, name) if not self._says_flag(name):
                return self._attribute(of, name)
            case sx.Keyed(of, name, key) if not self.says_series(name):
                return self._attribute(of, name, self.say(key))
            case sx.Call(name, arguments) if not self._is_asked(name):
                return self.call(name, arguments)
            case sx.Lookup():
                return self._found("result", expr)
            case sx.Listed(parts):
                return listed([self.say(part) for part in parts])
            case sx.Negative(value):
                return f"−{self._part(value)}"
            case sx.Arithmetic("-", sx.Number(one), sx.Number(other)):
                return str(one - other).replace("-", "−")
            case sx.Arithmetic("/", sx.Number(one), sx.Number(other)):
                return f"{one}/{other}"
            case sx.Arithmetic(op, left, right):
                return f"{self._part(left, op)} {_SIGNS[op]} {self._part(right, op)}"
            case sx.IfThen(condition, then, otherwise):
                return f"{self.say(then)} if {self.say(condition)}, else {self.say(otherwise)}"
            case sx.The() | sx.NumberOf() | sx.SumOf() | sx.ExtremeOf() | sx.NounPhrase():
                return self._group(expr)
            case _:
                return words(self.clause(expr))

    def _group(self, expr: sx.OfGroup) -> str:
        """What is picked out of a group, counted or measured in it."""
        match expr:
            case sx.The(phrase):
                return f"the {self.phrase(phrase)}"
            case sx.NumberOf(phrase):
                return f"the number of {self.one_of(phrase) or self.phrase(phrase)}"
            case sx.SumOf(value, phrase):
                group = self.one_of(phrase) or f"the {self.phrase(phrase)}"
                if self.say(value).startswith("its ") and isinstance(value, (sx.Attr, sx.Keyed, sx.Call)):
                    return f"the total {self.bare(value)} of {group}"
                if isinstance(value, sx.Keyed) and value.key == sx.Name("it"):
                    return f"the total {self.bare(value)} over {group}"
                if isinstance(value, sx.Call) and (each := self._of_each(value, group)):
                    return f"the sum of {each}"
                return f"the sum of {self.say(value)} over {group}"
            case sx.ExtremeOf(extreme, value, phrase):
                group = self.one_of(phrase) or f"the {self.phrase(phrase)}"
                return f"the {in_words(extreme)} {self.bare(value)} of {group}"
            case sx.NounPhrase(tails=(sx.TailWhere(sx.Is(sx.Name("it"), False, sx.Expr() as only)),)) if (
                self._one_thing(only)
            ):
                return self.say(only)
            case sx.NounPhrase():
                return self.one_of(expr) or f"the {self.phrase(expr)}"
            case _:
                assert_never(expr)

    def _of_each(self, call: sx.Call, group: str) -> str:
        """A worded value of “it”, of each of a group: “the strength of each of the attackers”."""
        said = ["each of " + group if a.value == sx.Name("it") else self.say(a.value) for a in call.arguments]
        worded = self.names.worded_value(call.name, said)
        return self.names.linked(call.name, worded) if worded else ""

    # ---- conditions
    def clause(self, expr: sx.Expr) -> Clause:
        if (asked := self.as_call(expr)) is not expr:
            return self.clause(asked)
        match expr:
            case sx.Not(value):
                return self.clause(value).denied()
            case sx.Logic(op, parts):
                return Together(op, tuple(self.clause(part) for part in parts))
            case sx.Is(subject, negated, description):
                made = self._is(subject, description)
                return made.denied() if negated else made
            case sx.Compare("=" | "!=" as op, subject, sx.Name("none")):
                made = self.absent(subject)
                return made.denied() if op == "!=" else made
            case sx.Compare("=" | "!=" as op, sx.Attr(of, name), right) if self.as_deed(name, "it"):
                made = self.done(self.thing(of), name, self.thing(right))
                return made.denied() if op == "!=" else made
            case sx.Compare("=" | "!=" as op, left, right):
                return simple(self.thing(left), "is", "", self.thing(right), negated=op == "!=")
            case sx.Compare(op, left, right):
                return compare(self.thing(left), COMPARED[op], COMPARED[CONTRARY[op]], self.thing(right))
            case sx.EveryIs(phrase, negated, description):
                every = Thing(f"every {self.phrase(phrase)}")
                match description:
                    case sx.Related(relation, other) if relation in self.names.program.defines:
                        made = self.tell(relation, [every, self.thing(other)])
                    case _:
                        made = self.described(every, description)
                return made.denied() if negated else made
            case sx.Afterwards(name, arguments, value):
                return Then(self.event(name, [self.say(a.value) for a in arguments]), self.clause(value))
            case sx.Every(phrase, condition):
                return ForEvery(self.phrase(phrase), self.clause(condition))
            case sx.Some(phrase):
                return there_is(self.phrase(phrase))
            case sx.NoneOf(phrase):
                return there_is(self.phrase(phrase), negated=True)
            case sx.Attr(of, name) if name in self.names.result_flags and not self.names.is_flag(name):
                return simple(self.thing(of), "says", f"“{in_words(name)}”")
            case sx.Attr(of, name) if self._says_flag(name):
                return self.flagged(self.thing(of), name)
            case sx.Keyed(of, name, sx.Name(value)) if self.names.is_flag(member_of(name, value)):
                return self.flagged(self.thing(of), member_of(name, value))
            case sx.Keyed(of, name, key) if self.says_series(name):
                return simple(self.thing(of), "is", f"{in_words(name)} for {self.say(key)}")
            case sx.Call(name, arguments) if self._is_condition(name):
                return self.tell(name, self.values(name, arguments))
            case sx.Call(name, arguments) if name in self.names.program.actions:
                deed, whom = self.deed_and_whom(name, [self.say(a.value) for a in arguments])
                return simple(Thing(deed), "is", f"allowed for {_literal(whom)}" if whom else "allowed")
            case sx.Name(id) if self._is_fact(id):
                return self._fact(id)
            case sx.Lookup(table, keys):
                about = listed([self.say(key) for key in keys])
                yes, no = (simple(Thing(f"the {self.names.table(table)}"), "says", f"{s} for", about)
                           for s in ("yes", "no"))  # fmt: skip
                return replace(yes, contrary=no.wording)
            case _:
                return Whole(self.say(expr), loose=isinstance(expr, sx.IfThen))

    def denied(self, expr: sx.Expr) -> str:
        """The contrary of a condition, as a person would say it."""
        return words(self.clause(expr).denied())

    def _is(self, subject: sx.Expr, description: sx.Description) -> Clause:
        """What is said of something with `is`, as if it were so."""
        match description:
            case sx.AmongSet(sx.Call(name=name, arguments=arguments)) if name in self.names.program.routes:
                return simple(Thing(self.way(name, arguments)), "may", "end in", self.thing(subject))
            case sx.Name("none"):
                return self.absent(subject)
            case sx.Name() if isinstance(subject, sx.Attr) and self.as_deed(subject.name, "it"):
                return self.done(self.thing(subject.of), subject.name, self.thing(description))
            case _:
                pass  # said as it is
        if isinstance(subject, sx.Name) and subject.id in self.names.program.settings:
            return self._set_to(subject.id, description)
        if owner := self._owner(subject, description):
            return simple(self.thing(subject), "is", "", possessive(owner))
        of = subject.name if isinstance(subject, sx.Attr) else ""
        if isinstance(subject, sx.Name) and description == sx.Described((subject.id,)):
            universe, _ = self.names.world.nouns.get(subject.id, ("", ""))
            return simple(Thing(f"the {universe or 'thing'}"), "is", article(in_words(subject.id)))
        return self.described(self.thing(subject), description, of)

    def _is_fact(self, name: str) -> bool:
        """Whether a bare name is a condition: it holds or it does not."""
        names = self.names
        track = names.world.tracks.get(name)
        if name in self.local_facts:
            return True
        if name in names.things:
            return False
        if name in names.program.settings:
            return names.program.settings[name].type.kind == "flag"
        kept = name in names.record_flags or (track is not None and track.type.kind == "flag")
        return kept or name in FACTS or (self._is_condition(name) and not names.program.defines[name].params)

    def _fact(self, name: str) -> Clause:
        names = self.names
        if name in self.local_facts:
            return simple(Thing(f"“{in_words(name)}”"), "holds")
        if name in FACTS:
            return simple(Thing("it"), *FACTS[name])
        if name in names.program.settings:
            return simple(Thing(names.linked(name, f"“{in_words(name)}”")), "is", "agreed on")
        if name in names.record_flags:
            return simple(Thing(f"the {names.linked(names.record_flags[name])}"), "is", in_words(name))
        if name in names.world.tracks:
            return Simple(names.fact(name), mark=names.mark(name))
        return self.tell(name, [])

    def absent(self, subject: sx.Expr) -> Clause:
        """That there is nothing of the kind: “the unit has no mode”, “there is no arrival”."""
        match subject:
            case sx.Attr(of, name):
                return self.lacks(name, self.thing(of))
            case sx.Name(id):
                called = in_words(id)
                *others, last = called.split(" ")
                if others and last in PREPOSITIONS:
                    *whom, deed = others
                    if whom:
                        return _somebody(simple(Thing(" ".join(whom)), "is", f"{deed} {last}"))
                    return _somebody(simple(Thing(f"“{called}”"), "names"))
                return _no(self.bare(subject))
            case _:
                called = self.say(subject)
                if plain(called).startswith(_ASKING):  # nobody says: there is no what
                    who = "body" if plain(called).startswith("who") else "thing"
                    made = simple(Thing(called), "is", f"no{who}")
                    return replace(made, contrary=simple(Thing(called), "is", f"some{who}").wording)
                return _no(self.bare(subject))

    def _set_to(self, setting: str, description: sx.Description) -> Clause:
        """A reading or an option compared with one of its values."""
        shown = self.names.linked(setting, f"“{in_words(setting)}”")
        values = description.names if isinstance(description, sx.OneOf) else ()
        called = listed([f"“{in_words(v)}”" for v in values], "or") if values else ""
        if not called:
            only = description.id if isinstance(description, sx.Name) else ""
            called = f"“{in_words(only)}”" if only else self.description(description)
        is_reading = isinstance(self.names.program.settings[setting].source, sx.Reading)
        return simple(Thing(shown), "is", "read as" if is_reading else "set to", called)

    def _owner(self, subject: sx.Expr, description: sx.Description) -> str:
        """The player that a piece or a space is said to be: it is that player’s."""
        world = self.names.world
        players = world.universes.get("player")
        if players is None or not isinstance(description, sx.Name) or not isinstance(subject, sx.Name):
            return ""
        kind = world.nouns.get(subject.id, ("", ""))[0]
        owned = description.id in players.index and kind in ("piece", "space")
        return self.say(description) if owned else ""

    def _one_thing(self, expr: sx.Expr) -> bool:
        """Whether “the hexes that are this” is just this."""
        names = self.names
        if isinstance(expr, sx.Numbered):
            return True
        return isinstance(expr, sx.Name) and (expr.id in names.things or expr.id in names.world.nouns)

    def condition(self, expr: sx.Expr | None, word: str = "when") -> str:
        """` when …`, or nothing."""
        if expr is None or expr == sx.Name("true"):
            return ""
        return f" {word} {self.say(expr)}"

    def _part(self, part: sx.Expr, op: str = "*") -> str:
        text = self.say(part)
        loose = isinstance(part, sx.Arithmetic) and (op in "*/" or part.op in "*/") and part.op != op
        return f"({text})" if loose or isinstance(part, (sx.IfThen, sx.Logic)) else text

    # ---- names
    def says_series(self, name: str) -> bool:
        """Whether what is kept for each of an enumeration holds or does not."""
        return any(
            self.names.is_flag(series.members[0])
            for (_, own), series in self.names.world.series.items()
            if own == name
        )

    def _attribute(self, of: sx.Expr, name: str, key: str = "") -> str:
        if isinstance(of, sx.Name) and f"{of.id}.{name}" in self.names.program.quantities:
            quantity = f"{of.id}.{name}"
            return f"the {in_words(of.id)}’s {self.names.linked(quantity, in_words(name))}"
        shown = self.names.attribute(name) + (f" of {key}" if key else "")
        if clause := self.as_deed(name, self.say(of)):
            return clause
        if isinstance(of, sx.Lookup):
            return self._found(shown, of)
        if isinstance(of, sx.Name) and of.id == "it":
            return f"the {shown}" if _ITS.search(shown) else f"its {shown}"
        owner = self.say(of)
        if _ITS.search(shown):  # “the turn of the unit’s loss”
            return f"the {_ITS.sub(lambda _: possessive(owner), shown)}"
        long = plain(owner).endswith(")") or " of " in plain(owner)  # too far from its ’s
        where = of in (sx.Name("here"), sx.Name("there"))
        if long or where or isinstance(of, (sx.Attr, sx.The, sx.NounPhrase)):
            return f"the {shown} {whose(shown.replace(' ', '_'))}{owner}"
        return f"{possessive(owner)} {shown}"

    def _found(self, what: str, where: sx.Lookup) -> str:
        keys = listed([self.handed(key) for key in where.keys])
        return f"the {what} in the {self.names.table(where.table)} for {keys}"

    def handed(self, expr: sx.Expr) -> str:
        """What a table is read with or a procedure is given: of a condition, whether it holds."""
        match expr:
            case sx.Call(name=name):
                asked = self._is_condition(name)
            case sx.Name(id=name):
                asked = self._is_fact(name)
            case sx.Attr(name=name):
                asked = self._says_flag(name)
            case _:
                asked = isinstance(expr, _ASKED)
        return f"whether {self.say(expr)}" if asked else self.say(expr)

    def _is_condition(self, name: str) -> bool:
        return name in self.names.program.defines and self.names.is_flag(name)

    def _is_asked(self, name: str) -> bool:
        """Whether a call is a condition: a meaning that is one, or whether something may be done."""
        program = self.names.program
        return self._is_condition(name) or (name in program.actions and name not in BUILTINS)

    def _says_flag(self, name: str) -> bool:
        """Whether an attribute is said as a clause."""
        names = self.names
        flag = names.is_flag(name) and name not in names.program.defines
        return flag or name in names.result_flags

    def call(self, name: str, arguments: tuple[sx.Argument, ...]) -> str:
        program = self.names.program
        values = [self.say(a.value) for a in arguments]
        if name in BUILTINS and name not in program.defines:
            return self._built_in(BUILTINS[name], arguments)
        if worded := self.names.worded_value(name, values):
            if values == ["it"] and (owned := self.names.owned(name)):
                return f"its {self.names.linked(name, owned)}"
            return self.names.linked(name, worded)
        linked = self.names.linked(name)
        if name in program.routes:
            return f"the ends of {self.way(name, arguments)}"
        if values == ["it"]:
            return f"its {self.names.linked(name, in_words(name).removesuffix(' of'))}"
        return f"the {linked} {whose(name)}{listed(values)}" if values else f"the {linked}"

    def _built_in(self, builtin: Builtin, arguments: tuple[sx.Argument, ...]) -> str:
        if "{}" not in builtin.sentence:
            return builtin.sentence.format(*(self.say(a.value) for a in arguments))
        if builtin.name == "union":
            arguments = _united(arguments)
        values = [self._operand(a.value) for a in arguments]
        limits = [v for v, a in zip(values, arguments, strict=True) if isinstance(a.value, sx.Number)]
        if builtin.limit and len(values) == 2 and len(limits) == 1:
            other = next(self.say(a.value) for a in arguments if not isinstance(a.value, sx.Number))
            return f"{other} ({builtin.limit} {limits[0]})"
        return builtin.sentence.format(listed(values, builtin.joint))

    def _operand(self, value: sx.Expr) -> str:
        """A value among others: what has an “and” of its own stands in brackets."""
        if isinstance(value, sx.Call) and value.name == "union":
            return listed([self._operand(a.value) for a in _united(value.arguments)])
        text = self.say(value)
        return f"({text})" if isinstance(value, (sx.Arithmetic, sx.IfThen)) else text

    def event(self, name: str, values: list[str]) -> str:
        """A procedure that has been done: in its own words, or by its name."""
        procedure = self.names.program.procedures[name]
        if procedure.wording:
            things = zip((param.name for param in procedure.params), map(plain, values), strict=False)
            return self.names.linked(name, filled(said(procedure.wording), dict(things)))
        called = in_words(name).removesuffix(" of").removesuffix(" for") if values else in_words(name)
        return f"“{self.names.linked(name, called)}”" + (f" for {listed(values)}" if values else "")

    def deed(self, name: str, values: list[str]) -> str:
        """A decision with what it is about, in the words in which it is offered."""
        deed, whom = self.deed_and_whom(name, values)
        return f"{deed} for {whom}" if whom else deed

    def deed_and_whom(self, name: str, values: list[str]) -> tuple[str, str]:
        """A decision in the words in which it is offered, and those it is about that these do not name."""
        action = self.names.program.actions[name]
        left = dict(zip((p.name for p in action.params), values, strict=False))
        shown = said(action.verb or in_words(name))
        if shown in (
            f"{{{param}}}" for param in left
        ):  # offered by the name of a thing: what is done with it
            called = in_words(name)
            takes_it = " " not in called or called.split(" ")[-1] in PREPOSITIONS
            shown = f"{called} {shown}" if takes_it else called
        used = [p for p in left if f"{{{p}}}" in shown]
        if not used or "{" in shown.replace("{", "", len(used)):
            if action.verb and "{" not in shown:
                return f"“{self.names.linked(name, shown)}”", listed(values)
            return self.names.linked(name), listed(values)
        for param in used:
            shown = shown.replace(f"{{{param}}}", plain(left.pop(param)))
        return f"“{self.names.linked(name, shown)}”", listed([*left.values()])

    # ---- noun phrases, and what is said of them: “units in the zone whose camp is the player”
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
        match phrase.tails:
            case (sx.TailAmong(group), *others) if where := self._told_by(group, phrase.words[-1:]):
                words, phrase = f"{words} {where}", replace(phrase, tails=tuple(others))
            case _:
                pass  # all tails are said
        called = ("it", *(tail.name for tail in phrase.tails if isinstance(tail, sx.TailAs)))
        said = words
        for number, tail in enumerate(phrase.tails):
            # “in which the march may end and whose control is the player”
            goes_on = isinstance(tail, sx.TailWhere) and self._ends_ways(phrase.tails[:number])
            said += f"{' and' if goes_on else ''} {self._tail(tail, many, called)}"
        return said

    def _ends_ways(self, tails: Sequence[sx.Tail]) -> bool:
        """Whether things are told by a way that may end in them."""
        routes = self.names.program.routes
        groups = [tail.group for tail in tails if isinstance(tail, sx.TailAmong)]
        return any(isinstance(group, sx.Call) and group.name in routes for group in groups)

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

    def _told_by(self, group: sx.Expr, noun: tuple[str, ...]) -> str:
        """What tells the members of a group that is called by their own noun: of “the hexes where it may
        enter”, “where it may enter”; one of them is “some hex where it may enter”."""
        same = {word for word in noun if word in self.names.world.nouns}
        several = "|".join(re.escape(in_words(plural(word))) for word in same)
        told = f"({LINK_BEGINS})the (?:{several}) (?=where |in which |to which )"
        found = several and re.match(told, self.say(group))
        return f"{found[1]}{self.say(group)[found.end() :]}" if found else ""

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
        match condition:
            case sx.Logic("and", asked_for):
                parts = tuple(self._there_in(part, called) or self.clause(part) for part in asked_for)
            case _:
                whole = self._there_in(condition, called) or self.clause(condition)
                parts = whole.parts if isinstance(whole, Together) and whole.op == "and" else (whole,)
        asked = self.clause(condition)
        # Among other clauses, which of them an “or” joins must be told by brackets.
        found = [
            (part, relative(part, called, many, len(parts) == 1 or isinstance(part, Simple)))
            for part in parts
        ]
        clauses = [words(clause) for _, clause in found if clause is not None]
        others = [part for part, clause in found if clause is None]
        if not clauses:
            return f"where {words(asked)}"
        left = words(Together("and", tuple(others)))
        joint = "and" if plain(left).startswith("where ") else "where"
        return listed(clauses) + (f", {joint} {left}" if others else "")

    def _there_in(self, condition: sx.Expr, called: tuple[str, ...]) -> Clause | None:
        """`some unit in it`, with “it” apart, so that one can say “in which there is some unit”."""
        match condition:
            case sx.Some(phrase) | sx.NoneOf(phrase) | sx.Not(sx.Some(phrase)):
                match phrase.tails:
                    case (sx.TailIn(sx.Name(id=name) | sx.Attr(sx.Name(id=name)) as place), *others) if (
                        name in called and not _speaks_of(others, called)
                    ):
                        left = Thing(self.phrase(replace(phrase, tails=tuple(others))))
                        wording = Wording("there ", "is", " some {other} in {it}", "")
                        negated = not isinstance(condition, sx.Some)
                        return Simple(wording, {"other": left, "it": self.thing(place)}, negated)
                    case _:
                        return None
            case _:
                return None

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


def _somebody(clause: Simple) -> Clause:
    """That nobody is it, which is denied by somebody: “Berlin is taken by nobody”."""
    wording = clause.wording
    nobody, somebody = (replace(wording, rest=f"{wording.rest} {who}") for who in ("nobody", "somebody"))
    return replace(clause, wording=nobody, contrary=somebody)


def _speaks_of(tails: Sequence[sx.Tail], called: tuple[str, ...]) -> bool:
    """Whether some things are told from others by one of a group; in a condition, “it” is one of them."""
    names = [
        (part.id, isinstance(tail, sx.TailWhere))
        for tail in tails
        for part in sx.walk(tail)
        if isinstance(part, sx.Name)
    ]
    return any(name in called and not (inside and name == "it") for name, inside in names)


def _no(called: str) -> Clause:
    """“there is no arrival”"""
    return Simple(Wording("there ", "is", f" {article(called)}".replace("{", ""), ""), negated=True)


def _united(arguments: tuple[sx.Argument, ...]) -> tuple[sx.Argument, ...]:
    """What is joined with what is joined already: one list."""
    found: list[sx.Argument] = []
    for argument in arguments:
        match argument.value:
            case sx.Call("union", inner):
                found += _united(inner)
            case _:
                found.append(argument)
    return tuple(found)


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
