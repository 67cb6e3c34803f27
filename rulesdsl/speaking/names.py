"""What every name of a rulebook is called in a sentence, and where the handbook explains it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import CANCELLED
from rulesdsl.language.wordings import Wording, plural, read_wording
from rulesdsl.program.types import Type
from rulesdsl.speaking.clauses.filling import filled
from rulesdsl.speaking.clauses.from_names import Param, wording_of
from rulesdsl.speaking.clauses.tree import Marked
from rulesdsl.speaking.english import (
    DONE,
    article,
    in_words,
    is_adjective,
    is_plural_word,
    is_several,
    is_several_worded,
    last_word,
)
from rulesdsl.speaking.inline import em, link, said
from rulesdsl.speaking.lexicon import Lexicon
from rulesdsl.speaking.readings import notes

# Names of the language itself, in words.
BUILT_IN = {
    "it": "it", "none": "none", "true": "yes", "false": "no", "chosen": "those chosen so far",
    "first_step": "it is the first step", "steps": "the number of steps", "spent": "what was spent so far",
    CANCELLED: "it was cancelled", "here": "the space left", "there": "the space entered",
    "holder": "the holder", "before": "the value before",
}  # fmt: skip
_ATTRIBUTES = {"at": "place"}
_OWNED = re.compile(r"the ((?:(?! of )[^{}])+) of \{\w+\}")


class Names:
    """The vocabulary of a program."""

    @classmethod
    @lru_cache(maxsize=8)  # the same for every sentence about a program
    def of(cls, program: pg.Program) -> Names:
        return cls(program)

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self.world = program.world
        self._conditions: dict[str, Wording] = {}
        self._flags: dict[str, Wording] = {}

    @cached_property
    def lexicon(self) -> Lexicon:
        """How the prose of this rulebook writes its words."""
        return Lexicon.of(self.program)

    @cached_property
    def noun_flags(self) -> frozenset[str]:
        """Attributes that are said with an article: a border is “a river”."""
        return frozenset(flag for flag in self.flags if self.lexicon.is_noun(in_words(flag)))

    @cached_property
    def peoples(self) -> frozenset[str]:
        """Players whose name is a plural."""
        players = self.world.universes.get("player")
        pairs = zip(players.ids, players.names, strict=True) if players else ()
        return frozenset(
            identity
            for identity, name in pairs
            if " and " in name or (is_plural_word(name.lower()) and self.lexicon.is_people(name))
        )

    @cached_property
    def wordings(self) -> dict[str, Wording]:
        """Conditions that the rulebook itself words, by name."""
        found = {}
        for (_, name), attribute in self.world.attributes.items():
            if attribute.wording and attribute.type.kind == "flag":
                found[name] = read_wording(attribute.wording, ("it",))
        for name, define in self.program.defines.items():
            found.pop(name, None)
            if define.source.wording and define.type.kind == "flag":
                found[name] = read_wording(define.source.wording, [p.name for p in define.params])
        return {name: wording for name, wording in found.items() if wording is not None}

    def condition(self, name: str) -> Wording:
        """How a meaning that is a condition is said: in the rulebook’s words, or in those of its name."""
        if name not in self._conditions:
            define = self.program.defines[name]
            params = [
                Param(p.name, p.type.name, p.type.of) if p.type.kind in ("thing", "set") else Param(p.name)
                for p in define.params
            ]
            made = wording_of(name, params, self.world.nouns, self.lexicon.is_noun)
            self._conditions[name] = self.wordings.get(name) or made
        return self._conditions[name]

    def flag(self, name: str) -> Wording:
        """How an attribute that is so or not is said: “is ready”, “is a river”, “has fought”."""
        if name not in self._flags:
            shown = in_words(name)
            if name in self.wordings and name not in self.program.defines:
                made = self.wordings[name]
            elif self.is_done(name):
                made = Wording("{it} ", "has", f" {shown}", "it")
            else:
                noun = name in self.noun_flags and name not in self.program.defines
                made = Wording("{it} ", "is", f" {article(shown) if noun else shown}", "it")
            self._flags[name] = made
        return self._flags[name]

    def fact(self, name: str) -> Wording:
        """Something the game keeps that holds or does not: “the long move is used”."""
        track = self.world.tracks.get(name)
        if track is not None and track.wording and (worded := read_wording(track.wording, ())) is not None:
            return worded
        *others, last = words = in_words(name).split(" ")
        if verb := next((word for word in words[1:-1] if word in ("has", "have", "is", "are")), ""):
            head, _, rest = " ".join(words).partition(f" {verb} ")
            return Wording(f"{head} ", verb, f" {rest}", "")
        if others and last.endswith("ed"):
            who = " ".join(others)
            is_a_name = self.lexicon.spelled(who) != who and not self.lexicon.speaks_of(f"the {who}")
            article = "" if is_a_name else "the "  # “nobody says: the Otto is called”
            return Wording(f"{article}{who} ", "is", f" {last}", "")
        return Wording(f"“{' '.join(words)}” ", "holds", "", "")

    def is_several(self, name: str) -> bool:
        """Whether a value is said in the plural, as the rulebook words it or else calls it."""
        define = self.program.defines.get(name)
        if define is not None and define.type.kind == "set":
            return True
        track = self.world.tracks.get(name)
        wording = (define.source.wording if define is not None else "") or self._worded_attributes.get(name)
        wording = wording or (track.wording if track is not None else "")
        return is_several_worded(wording) if wording else is_several(name)

    def mark(self, name: str) -> Marked:
        """Where the words for a declared name lead to."""
        rule = self.declared.get(name)
        return Marked("" if rule is None else f"rule:{rule}")

    def worded_value(self, name: str, values: Sequence[str]) -> str:
        """A value that the rulebook itself words, with what it is about; else nothing."""
        define = self.program.defines.get(name)
        if define is None or not define.source.wording:
            return ""
        return filled(define.source.wording, dict(zip((p.name for p in define.params), values, strict=False)))

    def owned(self, name: str) -> str:
        """“commander” of a value that is worded “the commander of {unit}”; else nothing."""
        found = _OWNED.fullmatch(self.program.defines[name].source.wording or "")
        return found[1] if found else ""

    @cached_property
    def declared(self) -> dict[str, str]:
        """Name → the paragraph that declares it: meanings, quantities, actions, procedures, settings …"""
        program = self.program
        found: dict[str, str] = {}
        for group in (
            program.defines, program.quantities, program.actions, program.routes, program.procedures,
            program.windows, program.tokens, program.settings,
        ):  # fmt: skip
            for name, rule in group.items():
                found.setdefault(name, rule.paragraph)
        for track in self.world.tracks.values():
            found.setdefault(track.name, track.paragraph)
        for record in self.world.records.values():
            found.setdefault(record.name, record.paragraph)
        return found

    @cached_property
    def things(self) -> dict[str, tuple[str, str]]:
        """Id → (printed name, target) of spaces, pieces, players and tokens; namesakes with their ids."""
        found: dict[str, tuple[str, str]] = {}
        for universe in ("token", "player", "piece", "space"):
            things = self.world.universes.get(universe)
            often = Counter(things.names) if things else Counter[str]()
            for identity, name in zip(things.ids, things.names, strict=True) if things else ():
                shown = f"{name} ({identity})" if often[name] > 1 else name
                found[identity] = (shown, f"{universe}:{identity}")
        return found

    @cached_property
    def values(self) -> frozenset[str]:
        """Values of enumerations."""
        named = {value for enum in self.world.enums.values() for value in enum.values}
        return frozenset(named.union(*(s.alternatives for s in self.program.settings.values())))

    @cached_property
    def plurals_of_values(self) -> frozenset[str]:
        """`directions`, of an enumeration `direction`"""
        return frozenset(plural(name) for name in self.world.enums)

    @cached_property
    def record_flags(self) -> dict[str, str]:
        """Fields of records that are conditions → the record."""
        return {
            name: record.name
            for record in self.world.records.values()
            for name, type_ in record.fields.items()
            if type_.kind == "flag"
        }

    @cached_property
    def kept(self) -> frozenset[str]:
        """What the game or a record keeps: names of values, not of things."""
        fields = (name for record in self.world.records.values() for name in record.fields)
        return frozenset([*self.world.tracks, *fields])

    @cached_property
    def result_flags(self) -> frozenset[str]:
        """Parts of results of tables that are conditions."""
        fields = (field for table in self.program.tables.values() for field in table.result.fields)
        return frozenset(field.name for field in fields if field.kind == "flag")

    @cached_property
    def flags(self) -> frozenset[str]:
        """Attributes that are said as adjectives."""
        return frozenset(name for (_, name), a in self.world.attributes.items() if a.type.kind == "flag")

    def is_done(self, flag: str) -> bool:
        """Whether a flag is what somebody has done (“has moved”), not what was done to him (“is moved”)."""
        words = in_words(flag)
        has, was = self._usage.has(words), self._usage.was(words)
        return has > was or (has == was and flag in DONE)

    def is_many(self, name: str) -> bool:
        """Whether a thing is called by a plural: hussars are many, an army is one, and so is a corps.

        The rulebook decides (“the militia are”, “a corps is”), the ending only where it says nothing.
        """
        last = last_word(name)
        told = self._usage.as_several(name) or (self._usage.as_several(last) if last.endswith("s") else 0)
        return told > 0 if told else is_plural_word(last.lower())

    @cached_property
    def _usage(self) -> Lexicon:
        """The prose together with what the rules call their clauses."""
        labels = (
            part.label
            for paragraph in self.program.paragraphs.values()
            for node in paragraph.rules
            for part in sx.walk(node)
            if isinstance(part, (sx.Permission, sx.Contribution, sx.Rung)) and part.label
        )
        return Lexicon(
            [*("\n".join((p.prose, *notes(p))) for p in self.program.paragraphs.values()), *labels]
        )

    def is_flag(self, name: str) -> bool:
        """Whether a define or an attribute is a condition rather than a value."""
        define = self.program.defines.get(name)
        return name in self.flags if define is None else define.type.kind == "flag"

    def linked(self, name: str, text: str = "") -> str:
        """A declared name in words, leading to its paragraph."""
        words = text or in_words(name)
        rule = self.declared.get(name)
        return words if rule is None else link(f"rule:{rule}", words)

    def value(self, name: str) -> str:
        """A bare name where a value stands: a thing, a value of an enumeration, a variable."""
        if name in BUILT_IN:
            return BUILT_IN[name]
        if name in self.things:
            shown, target = self.things[name]
            the = "the " if target.startswith("player:") and self.lexicon.takes_the(shown) else ""
            return the + link(target, said(shown))
        track = self.world.tracks.get(name)
        if track is not None and track.wording:
            return self.linked(name, f"the {said(track.wording).removeprefix('the ')}")
        if track is not None and is_adjective(name) and (noun := self.noun_of(track.type)):
            return f"the {self.linked(name, f'{in_words(name)} {in_words(noun)}')}"
        define = self.program.defines.get(name)
        if define is not None and define.source.wording and not define.params:
            return self.linked(name, said(define.source.wording))
        if name in self._adjective_fields:
            return f"the {in_words(name)} {in_words(self._adjective_fields[name])}"
        kept = track is not None or name in self.world.roles or name in self.world.nouns
        if name in self.values and not kept:
            return in_words(name)
        if name in self.program.settings:
            return em(f"“{self.linked(name)}”")
        if name in self.world.plurals or (name in self.world.roles and name.endswith("s")):
            return f"the {in_words(name)}"
        return f"the {self.linked(name)}"

    def way(self, route: str) -> str:
        """What a way is called: a march where the rulebook knows marches, else “the way “invade””."""
        called = in_words(route)
        return called if self._is_called(route) else f"way “{called}”"

    def says_way(self, route: str) -> bool:
        """Whether what a way is called begins with that word."""
        return not self._is_called(route) or route.split("_")[0] == "way"

    def _is_called(self, route: str) -> bool:
        """Whether the name of a way is a noun of the rulebook, or ends in one."""
        lexicon, called = self.lexicon, in_words(route)
        last = called.split(" ")[-1]
        return (
            lexicon.is_noun(called)
            or lexicon.speaks_of(f"the {called}")
            or (last != called and lexicon.is_noun(last))
        )

    def known(self, name: str) -> bool:
        """Whether a bare name means something everywhere, whatever a rule calls its own things."""
        return name in BUILT_IN or name in self.things or name in self.program.settings

    @cached_property
    def _adjective_fields(self) -> dict[str, str]:
        """Parts of records that are called by an adjective → their noun: `attacking: side`."""
        parts = (part for record in self.world.records.values() for part in record.fields.items())
        return {name: noun for name, type_ in parts if is_adjective(name) and (noun := self.noun_of(type_))}

    def noun_of(self, type_: Type) -> str:
        """The noun for things of a type, in the plural for several: “zone”, “units”; nothing for numbers."""
        if type_.kind == "enum":
            return type_.name
        if type_.kind == "thing":
            return type_.of or type_.name
        if type_.kind != "set" or type_.of_enum:
            return ""
        cls = (type_.name, type_.of)
        return next((noun for noun in sorted(self.world.plurals) if self.world.nouns.get(noun) == cls), "")

    def word(self, name: str) -> str:
        """A word of a noun phrase: adjective, noun or role."""
        if name in self.world.nouns:
            return in_words(name)
        if name in self.things:
            shown, target = self.things[name]
            return link(target, said(shown))
        return self.linked(name) if name in self.program.defines else in_words(name)

    def kept_value(self, name: str, type_: Type) -> str:
        """What the game keeps: “target”, and “active player” where the rulebook speaks of one."""
        words, kind = in_words(name), in_words(type_.of or type_.name)
        return f"{words} {kind}" if self.lexicon.speaks_of(f"{words} {kind}") else words

    def attribute(self, name: str) -> str:
        words = self._worded_attributes.get(name) or in_words(name)
        return words if len(words) > 1 else f"“{words.upper()}”"  # what a table calls by a letter

    @cached_property
    def _worded_attributes(self) -> dict[str, str]:
        """Attributes that are values, in the rulebook’s own words."""
        declared = self.world.attributes.items()
        worded = {
            n: said(a.wording).removeprefix("the ")
            for (_, n), a in declared
            if a.wording and a.type.kind != "flag"
        }
        worded |= {
            s.name: said(s.wording).removeprefix("the ") for s in self.world.series.values() if s.wording
        }
        return _ATTRIBUTES | worded

    def table(self, name: str) -> str:
        table = self.program.tables.get(name)
        return link(f"table:{name}", f"table {in_words(table.title)}" if table else in_words(name))

    def nouns(self) -> Iterator[str]:
        """Classes, in the singular."""
        yield from (noun for noun in self.world.nouns if noun not in self.world.plurals)
