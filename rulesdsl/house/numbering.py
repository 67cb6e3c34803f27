"""`## after 6-1 → new Air support`: the machine chooses the number of a new paragraph.

It is that of the paragraph before with the next letter that nobody has, in the order of the house rules'
names, so that the order in which they are given decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase

from rulesdsl.book.loader import GameSource
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.house.reading.documents import NEW
from rulesdsl.language.syntax import amendments as ax

_LETTERED = re.compile(r"(?:\d+(?:[.\-]\d+)*|[A-Za-z]+ \d+)[a-z]?")


def numbered(source: GameSource, rules: Sequence[ax.HouseRule]) -> list[ax.HouseRule]:
    """The house rules with a number for every new paragraph."""
    taken = set(paragraphs_of(source))
    taken |= {s.paragraph for rule in rules for s in rule.sections if s.paragraph != NEW}
    found: list[ax.HouseRule] = []
    for rule in rules:
        sections: list[ax.Section] = []
        for section in rule.sections:
            if section.paragraph == NEW:
                number = _next_number(section.anchor, taken)
                taken.add(number)
                section = replace(section, paragraph=number)
            sections.append(section)
        found.append(replace(rule, sections=tuple(sections)))
    return found


def _next_number(anchor: str, taken: set[str]) -> str:
    if _LETTERED.fullmatch(anchor):
        stem = anchor.rstrip(ascii_lowercase) if anchor[-1:].isalpha() else anchor
        for letter in ascii_lowercase:
            if (number := f"{stem}{letter}") not in taken and number > anchor:
                return number
        separator = "."
    else:
        stem, separator = anchor, "." if "." in anchor else " "
    count = 1
    while (number := f"{stem}{separator}{count}") in taken:
        count += 1
    return number
