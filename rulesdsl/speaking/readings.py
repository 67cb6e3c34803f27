"""A reading in words: its note under the paragraph and its row of the register, made from the statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulesdsl.language import syntax as sx
from rulesdsl.speaking.english import listed
from rulesdsl.speaking.inline import capital

_HEAD = """\
# Readings of {title}

Made from the chapters by `rulesdsl readings`: change the statement in its paragraph, not this file.

Where the rulebook contradicts itself, leaves a gap or can be understood in two ways, the game has a
*reading*: its alternatives, a default and the reason for it. *Switch*: each alternative can be played, with
`--reading NAME=VALUE`. *Settled*: there is no playable alternative; it is recorded what was assumed.

| # | reading | paragraph | alternatives (default first) | kind | reason |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Registered:
    """One row of the register: where a reading stands, and what it says."""

    paragraph: str
    reading: sx.Reading

    @property
    def kind(self) -> str:
        return "settled" if self.reading.settled else "switch"


def registered(paragraphs: Iterable[sx.Paragraph]) -> list[Registered]:
    """All readings in the order of the book."""
    return [Registered(p.id, rule) for p in paragraphs for rule in p.rules if isinstance(rule, sx.Reading)]


def explained(reading: sx.Reading) -> str:
    """`this (default: what it means) or that (what it means); why`, as a note says it."""
    ways = []
    for name, words in reading.worded():
        remarks = ", ".join(_remarks(reading, name, words))
        ways.append(f"{name} ({remarks})" if remarks else name)
    return listed(ways, "or") + (f"; {reading.reason}" if reading.reason else "")


def _remarks(reading: sx.Reading, name: str, words: str) -> Iterator[str]:
    if reading.settled:
        yield f"no playable alternative: {words}" if words else "no playable alternative"
    elif name == reading.default:
        yield f"default: {words}" if words else "default"
    elif words:
        yield words


def notes(paragraph: sx.Paragraph) -> list[str]:
    """The notes of all readings that are written in words under a paragraph."""
    found = (rule for rule in paragraph.rules if isinstance(rule, sx.Reading))
    return [f"*Reading {rule.name}: {explained(rule)}.*" for rule in found if rule.wordings]


def register(title: str, rows: Iterable[Registered]) -> str:
    """The register of a game as Markdown: a list of all readings with their alternatives and reasons."""
    lines = _HEAD.format(title=title).splitlines()
    for number, row in enumerate(rows, 1):
        ways = " · ".join(
            f"`{name}`: {words}" if words else f"`{name}`" for name, words in row.reading.worded()
        )
        reason = f"{capital(row.reading.reason)}." if row.reading.reason else ""
        cells = (str(number), f"`{row.reading.name}`", row.paragraph, ways, row.kind, reason)
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join(lines) + "\n"
