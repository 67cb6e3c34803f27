"""Wordings that a rulebook itself gives to its names: `define on_map(unit) "{unit} is on the map" = …`.

A wording of a condition is a clause about the things in braces, written as it is when it holds for one thing.
The verb, which follows the first thing or is an auxiliary, tells how it is denied and how it is said of many.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

IRREGULAR = {"has": "have", "does": "do", "is": "be", "was": "be"}
BRACES = re.compile(r"\{(\w+)\}")
_MODALS = ("may", "can", "must", "will", "could", "would", "should", "might")
_AUXILIARIES = ("is", "are", "was", "were", "has", "have", "does", "do", *_MODALS)
_FIRST_VERB = re.compile(rf"(?<![\w{{])(?:{'|'.join(_AUXILIARIES)})(?![\w}}])")
_OF_SEVERAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
_UNBENT = frozenset({"are", "were", "have", "do", *_MODALS})
_VERB = re.compile(r" (?:never |always |still |only |already )?(?P<verb>[a-z]+)")
_ITS = re.compile(r"\bits\b")
_OWNED = re.compile(
    r"^ \{|^ (?:its|their|the|his|this|that|enough|more|fewer|\d+) "
)  # not what somebody has done
_NONE = re.compile(r"^ (?:an?|some) ")
_IS_A = re.compile(
    r"^ an? (?P<noun>[a-z]+(?: [a-z]+)*?)(?P<tail>(?: \{|,| (?:in|on|at|of|to|for|from|by|with|that|which|"
    r"and|or|where|among|between|outside|next)\b).*)?$"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """`head` stands before the verb, `rest` after it; `subject` is the parameter that it begins with."""

    head: str
    verb: str
    rest: str
    subject: str

    def said(self, many: bool, negated: bool) -> str:
        """The verb and what follows it: “is not on the map”, “have not moved”, “has no target”."""
        verb = self.verb
        if many:
            verb = _OF_SEVERAL.get(verb) or (verb if verb in _UNBENT else base_form(verb))
        rest = _several(self) if many else self.rest
        if not negated:
            return verb + rest
        if rest.startswith(" not "):  # “may not stay”, which is not so: it may
            return verb + rest.removeprefix(" not")
        if self.verb in ("is", "are") and rest.startswith(" no "):  # “is no place for”: it is one
            return f"{verb}{'' if many else ' a'}{rest[3:]}"
        there, owns = self.head.endswith(("there ", "There ")), self.verb in ("has", "have")
        if (there or owns) and _NONE.match(rest):
            return verb + _NONE.sub(" no ", rest)
        if there and rest.startswith((" something", " somebody")):
            return verb + rest.replace(" some", " no", 1).replace(" nobody", " nobody", 1)
        if there and rest.startswith(" no "):
            return f"{verb}{' some' if many else ' a'}{rest[3:]}"
        if there:
            return f"{verb} no{rest.replace(' the ', ' ', 1) if rest.startswith(' the ') else rest}"
        if owns and _OWNED.match(rest):
            return f"{'do' if many or verb == 'have' else 'does'} not have{rest}"
        if self.verb == "can":
            return f"cannot{rest}"
        if self.verb == "must":
            return f"{'do' if many else 'does'} not have to{rest}"
        if self.verb in _OF_SEVERAL or self.verb in _UNBENT:
            return f"{verb} not{rest}"
        return f"{'do' if many else 'does'} not {base_form(self.verb)}{rest}"

    def no_longer(self, many: bool) -> str:
        """What is over: “is no longer ready”, “no longer holds the bridge”."""
        if self.verb in _OF_SEVERAL or self.verb in _UNBENT:
            said = self.said(many, False)
            verb, _, rest = said.partition(" ")
            return f"{verb} no longer {rest.removeprefix('still ')}".rstrip()
        return f"no longer {self.said(many, False)}"

    @property
    def is_deed(self) -> bool:
        """Whether it is something done: “has moved”, not “has its bread”."""
        owned = _OWNED.match(self.rest) or _NONE.match(self.rest)
        return self.verb in ("has", "have") and not owned

    def brief(self, name: str) -> str:
        """What is written after a name and a colon: “Guards: held by Hitler”."""
        if self.verb in ("is", "was"):
            return self.rest.strip()
        return name.replace("_", " ") if self.is_deed else self.verb + self.rest


def _several(wording: Wording) -> str:
    """What follows the verb when it is said of several: “are guests of”, “have their bread”."""
    rest = _ITS.sub("their", wording.rest)
    noun = _IS_A.match(rest) if wording.subject and wording.verb in ("is", "was") else None
    return f" {plural(noun['noun'])}{noun['tail'] or ''}" if noun is not None else rest


def plural(noun: str) -> str:
    """`free division` → `free divisions`, `ally` → `allies`"""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def read_wording(text: str, params: Sequence[str]) -> Wording | None:
    """The parts of a wording; None when there is no verb to deny. Without braces it is about the first."""
    if params and not BRACES.search(text):
        text = f"{{{params[0]}}} {text}"
    begins = BRACES.match(text)
    if begins is not None:
        verb = _VERB.match(text, begins.end())
        if verb is None:
            return None
        return Wording(text[: verb.start("verb")], verb["verb"], text[verb.end() :], begins[1])
    verb = _FIRST_VERB.search(text)
    return None if verb is None else Wording(text[: verb.start()], verb[0], text[verb.end() :], "")


def wording_slip(text: str, params: Sequence[str], condition: bool, of: Sequence[str] = ()) -> str:
    """What is wrong with a wording, or nothing; `of` is who it is said of when it shows nobody."""
    unknown = next((name for name in BRACES.findall(text) if name not in params), None)
    if unknown is not None:
        return f"the wording shows what is not known here: {{{unknown}}}"
    if not text.strip():
        return "the wording is empty"
    if condition and read_wording(text, params or of) is None:
        return "the wording has no verb that could be denied, such as is, has or may"
    return ""


def base_form(verb: str) -> str:
    """`supplies` → `supply`, `crosses` → `cross`, `holds` → `hold`"""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in ("lies", "dies", "ties", "vies"):
        return verb[:-1]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1]
