"""What all nodes share: a place, and a way to walk over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from rulesdsl.source import Span, nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place. Two trees are equal when they say the same, wherever they stand."""

    span: Span = field(default_factory=nowhere, compare=False, repr=False)


def children(node: object) -> Iterator[Node]:
    """The nodes directly below `node`, in the order they were written."""
    if not isinstance(node, Node):
        return
    for name in _parts(type(node)):
        yield from _nodes_in(getattr(node, name))


def _parts(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields in which other nodes may stand; trees are walked often, so they are kept."""
    known = _PARTS.get(kind)
    if known is None:
        known = _PARTS[kind] = tuple(spec.name for spec in fields(kind) if spec.name != "span")
    return known


_PARTS: dict[type, tuple[str, ...]] = {}


def walk(node: object) -> Iterator[Node]:
    """`node` and everything below it."""
    if isinstance(node, Node):
        yield node
    for child in children(node):
        yield from walk(child)


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes_in(part)
