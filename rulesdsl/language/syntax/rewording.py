"""The same tree with other words (renaming): names of a house rule, words of a module as a game has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from rulesdsl.language.syntax.expressions import Text
from rulesdsl.language.syntax.nodes import Node, walk

Part = TypeVar("Part")

# Texts for people: a word in them is no use of what is called by that word.
TEXTS = frozenset({"label", "title", "reason", "prompt", "verb", "text", "purpose"})
_KEPT = TEXTS | {"choices", "offers", "span"}
_IN_BRACES = re.compile(r"\{(\w+)\}")


def words_of(node: Node, but: tuple[type[Node], ...] = ()) -> set[str]:
    """Every word that a statement uses, except in texts for people; of parts `but` only what is in them."""
    found: set[str] = set()
    for part in walk(node):
        for spec in fields(part) if not isinstance(part, but) else ():
            if spec.name not in TEXTS:
                found |= set(_strings(getattr(part, spec.name)))
    return found


def reworded(value: Part, names: Mapping[str, str]) -> Part:
    """A node, or a row of them, with the other word for each of `names`; texts only in their braces."""
    made: Part = _reworded(value, names)  # type: ignore[assignment]
    return made


def _reworded(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return names.get(value, value) if "{" not in value else _in_braces(value, names)
    if isinstance(value, tuple):
        return tuple(_reworded(one, names) for one in value)
    if isinstance(value, Text) or not isinstance(value, Node):
        return value
    changed: dict[str, object] = {}
    for spec in fields(value):
        before = getattr(value, spec.name)
        if spec.name == "words" and isinstance(before, str):
            continue  # the first words of a step, as they are written
        if spec.name not in _KEPT:
            after = _reworded(before, names)
        elif isinstance(before, str):
            after = _in_braces(before, names)
        else:
            continue
        if after is not before:
            changed[spec.name] = after
    return replace(value, **changed)  # type: ignore[arg-type]


def _in_braces(text: str, names: Mapping[str, str]) -> str:
    """`"attack {zone}"` shows a variable."""
    return _IN_BRACES.sub(lambda found: f"{{{names.get(found[1], found[1])}}}", text)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)


def words_in(nodes: Iterable[Node]) -> set[str]:
    return {word for node in nodes for word in words_of(node)}
