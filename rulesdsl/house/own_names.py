"""Names of a house rule's own: two house rules that invent the same word each mean their own.

A word that the printed game does not know, and that two of them declare, is called after its house rule while
they stand together (`fog` of Morning mist is `fog_of_morning_mist`). Words that players see in the log, in
options and settings stay as they are, and clash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulesdsl.book.loader import GameSource
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax
from rulesdsl.language.syntax.rewording import reworded, words_of

_OWN = sx.Define | sx.Quantity | sx.Procedure | sx.Route


def with_own_names(source: GameSource, rules: Sequence[ax.HouseRule]) -> list[ax.HouseRule]:
    """The house rules, each with names that no other one has."""
    declared = [_declared(rule) for rule in rules]
    shared = {name for names in declared for name in names if sum(name in other for other in declared) > 1}
    shared -= _known(source)
    for rule, names in zip(rules, declared, strict=True):
        required = {mention.name for mention in rule.mentions if mention.kind == "requires"}
        for name in list(shared):
            theirs = {other.name for other, has in zip(rules, declared, strict=True) if name in has}
            # one that builds on another means the other's word; whose, nobody could tell
            if required & theirs or (name not in names and name in _words(rule)):
                shared.discard(name)
    if not shared:
        return list(rules)
    return [
        _renamed(rule, {name: _own(name, rule) for name in names & shared})
        for rule, names in zip(rules, declared, strict=True)
    ]


def _own(name: str, rule: ax.HouseRule) -> str:
    stem = re.sub(r"\W+", "_", rule.name.casefold()).strip("_")
    return f"{name}_of_{stem}"


def _declared(rule: ax.HouseRule) -> set[str]:
    return {
        one.name
        for section in rule.sections
        for one in section.rules
        if isinstance(one, _OWN) and not (isinstance(one, sx.Procedure) and one.kind == "phase")
        and not (isinstance(one, sx.Quantity) and one.record)
    }  # fmt: skip


def _words(rule: ax.HouseRule) -> set[str]:
    parts = [
        part for section in rule.sections for part in (*section.rules, *section.amends, *section.examples)
    ]
    return {word for part in parts for word in words_of(part)}


def _known(source: GameSource) -> set[str]:
    """Every word of the printed game that could be meant."""
    found = {word for p in paragraphs_of(source).values() for rule in p.rules for word in words_of(rule)}
    found |= {*source.pieces, *(source.map.spaces if source.map else ()), *source.tables}
    return found | {player.id for player in source.game.players}


def _renamed(rule: ax.HouseRule, names: Mapping[str, str]) -> ax.HouseRule:
    if not names:
        return rule

    sections = tuple(
        replace(
            s,
            rules=reworded(s.rules, names),
            amends=reworded(s.amends, names),
            examples=reworded(s.examples, names),
        )
        for s in rule.sections
    )
    return replace(rule, sections=sections)
