"""Wordings with their things in the places of the braces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulesdsl.language.wordings import BRACES
from rulesdsl.speaking.inline import plain

_DETERMINED = re.compile(
    r"(?P<article>\b(?:[Tt]he|[Aa]n?|too many|no|some|all|any|every|other) )\{(?P<name>\w+)\}"
    r"(?P<next> (?!(?:in|on|at|of|to|for|from|by|with|and|or|that|when|is|are)\b)\w+)?"
)
_HAS_ARTICLE = re.compile(
    r"(?:the|it|an?|some|its|their|that|this|those|these|each|every|whose|both|no|one)\b|.*’s? ", re.I
)


def filled(text: str, shown: Mapping[str, str]) -> str:
    """A wording with its things in their places.

    “the {side} units” is said of a side that is named (“the German units”); of one that is not, as “the units
    of the side”. Where the wording has an article and the thing its own, one of them is enough.
    """
    text = determined(text, shown)
    return BRACES.sub(lambda brace: shown.get(brace[1], brace[1]), text)


def determined(text: str, shown: Mapping[str, str]) -> str:
    """A wording in which no thing with an article of its own stands behind another article."""
    return _DETERMINED.sub(lambda match: _determined(match, shown), text)


def _determined(match: re.Match[str], shown: Mapping[str, str]) -> str:
    thing = shown.get(match["name"])
    if thing is None:
        return match[0]
    heard, follows = plain(thing), match["next"] or ""
    if not _HAS_ARTICLE.match(heard):
        return match[0]
    if not follows:
        return f"{{{match['name']}}}" if match["article"].strip().lower() in ("the", "a", "an") else match[0]
    if heard.split(" ")[-1] == follows.strip():  # “the {side} side” of a side
        return f"{{{match['name']}}}"
    return f"{match['article']}{follows.strip()} of {{{match['name']}}}"


HIDDEN = "…"  # where a value stands that must not be told
_HERE = "{}"  # where a note shows a value


def in_braces(text: str, values: Sequence[str | None]) -> tuple[str, list[str | None]]:
    """A text with values in its empty braces, and those for which there was none."""
    left = list(values)
    first, *others = text.split(_HERE)
    for part in others:
        first += (left.pop(0) or HIDDEN if left else "") + part
    return first, left
