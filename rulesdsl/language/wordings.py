"""Wordings that a rulebook itself gives to its names: `define on_map(unit) "{unit} is on the map" = …`.

A wording of a condition is a clause about the things in braces, written as it is when it holds for one thing.
The verb, which follows the first thing or is an auxiliary, tells how it is denied and how it is said of many.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

IRREGULAR = {"has": "have", "does": "do", "is": "be", "was": "be"}
_BRACES = re.compile(r"\{(\w+)\}")
_AUXILIARIES = ("is", "are", "was", "were", "has", "have", "may", "can", "must", "will", "does", "do")
_FIRST_VERB = re.compile(rf"(?<![\w{{])(?:{'|'.join(_AUXILIARIES)})(?![\w}}])")
_OF_SEVERAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
_UNBENT = frozenset({"are", "were", "have", "may", "can", "must", "will", "do"})
_ITS = re.compile(r"\bits\b")
_OWNED = re.compile(r"^ (?:its|their|the|his|this|that|enough|more|fewer|\d+) ")  # not what somebody has done
_NONE = re.compile(r"^ (?:an?|some) ")


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
        rest = _ITS.sub("their", self.rest) if many else self.rest
        if not negated:
            return verb + rest
        there, owns = self.head.strip() == "there", self.verb in ("has", "have")
        if (there or owns) and _NONE.match(rest):
            return verb + _NONE.sub(" no ", rest)
        if there and rest.startswith((" something", " somebody")):
            return verb + rest.replace(" some", " no", 1).replace(" nobody", " nobody", 1)
        if there and rest.startswith(" no "):
            return f"{verb}{' some' if many else ' a'}{rest[3:]}"
        if there:
            return f"{verb} no{rest.replace(' the ', ' ', 1) if rest.startswith(' the ') else rest}"
        if owns and _OWNED.match(rest):
            return f"{'do' if many else 'does'} not have{rest}"
        if self.verb == "can":
            return f"cannot{rest}"
        if self.verb == "must":
            return f"{'do' if many else 'does'} not have to{rest}"
        if self.verb in _OF_SEVERAL or self.verb in _UNBENT:
            return f"{verb} not{rest}"
        return f"{'do' if many else 'does'} not {base_form(self.verb)}{rest}"

    def brief(self, name: str) -> str:
        """What is written after a name and a colon: “Guards: held by Hitler”."""
        if self.verb in ("is", "was"):
            return self.rest.strip()
        owned = _OWNED.match(self.rest) or _NONE.match(self.rest)
        done = self.verb in ("has", "have") and not owned
        return name.replace("_", " ") if done else self.verb + self.rest


def read_wording(text: str, params: Sequence[str]) -> Wording | None:
    """The parts of a wording; None when there is no verb to deny. Without braces it is about the first."""
    if params and not _BRACES.search(text):
        text = f"{{{params[0]}}} {text}"
    begins = _BRACES.match(text)
    if begins is not None:
        verb = re.compile(r" ([a-z]+)").match(text, begins.end())
        if verb is None:
            return None
        return Wording(text[: verb.start(1)], verb[1], text[verb.end() :], begins[1])
    verb = _FIRST_VERB.search(text)
    return None if verb is None else Wording(text[: verb.start()], verb[0], text[verb.end() :], "")


def wording_slip(text: str, params: Sequence[str], condition: bool) -> str:
    """What is wrong with a wording, or nothing."""
    unknown = next((name for name in _BRACES.findall(text) if name not in params), None)
    if unknown is not None:
        return f"the wording shows what is not known here: {{{unknown}}}"
    if not text.strip():
        return "the wording is empty"
    if condition and read_wording(text, params or ("it",)) is None:
        return "the wording has no verb that could be denied, such as is, has or may"
    return ""


def filled(text: str, shown: Mapping[str, str]) -> str:
    """A wording with its things in their places.

    “the {side} units” is said of a side that is named (“the German units”); of one that is not, as “the units
    of the side”. Where the wording has an article and the thing its own, one of them is enough.
    """
    text = determined(text, shown)
    return _BRACES.sub(lambda brace: shown.get(brace[1], brace[1]), text)


def determined(text: str, shown: Mapping[str, str]) -> str:
    """A wording in which no thing with an article of its own stands behind another article."""
    return _DETERMINED.sub(lambda match: _determined(match, shown), text)


_DETERMINED = re.compile(
    r"(?P<article>\b(?:[Tt]he|[Aa]n?|too many|no|some|all|any|every|other) )\{(?P<name>\w+)\}"
    r"(?P<next> (?!(?:in|on|at|of|to|for|from|by|with|and|or|that|when|is|are)\b)\w+)?"
)
_MARKS = re.compile("\ue000[^\ue001]*\ue001|[\ue000-\ue00f]")
_HAS_ARTICLE = re.compile(
    r"(?:the|an?|some|its|their|that|this|those|these|each|every|whose|both|no|one)\b|.*’s? ", re.I
)


def _determined(match: re.Match[str], shown: Mapping[str, str]) -> str:
    thing = shown.get(match["name"])
    if thing is None:
        return match[0]
    heard, follows = _MARKS.sub("", thing), match["next"] or ""
    if not _HAS_ARTICLE.match(heard):
        return match[0]
    if not follows:
        return f"{{{match['name']}}}" if match["article"].strip().lower() in ("the", "a", "an") else match[0]
    if heard.split(" ")[-1] == follows.strip():  # “the {side} side” of a side
        return f"{{{match['name']}}}"
    return f"{match['article']}{follows.strip()} of {{{match['name']}}}"


def base_form(verb: str) -> str:
    """`supplies` → `supply`, `crosses` → `cross`, `holds` → `hold`"""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1]
