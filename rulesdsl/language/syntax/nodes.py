"""What all nodes share: a place, and a way to walk over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span, nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place. Two trees are equal when they say the same, wherever they stand."""

    span: Span = field(default_factory=nowhere, compare=False, repr=False)


def children(node: object) -> Iterator[Node]:
    """The nodes directly below `node`, in the order they were written."""
    if isinstance(node, Node):
        for name in _parts(type(node)):
            yield from _nodes_in(getattr(node, name))


def walk(node: object) -> Iterator[Node]:
    """`node` and everything below it, in the order they were written."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, Node):
            yield part
            for name in reversed(_parts(type(part))):
                inside = getattr(part, name)
                if isinstance(inside, (Node, tuple)):
                    pending.append(inside)
        elif isinstance(part, tuple):
            pending.extend(reversed(part))


def _parts(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields in which other nodes may stand; trees are walked often, so they are kept."""
    known = _PARTS.get(kind)
    if known is None:
        known = _PARTS[kind] = tuple(spec.name for spec in fields(kind) if spec.type not in _WITHOUT_NODES)
    return known


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes_in(part)


# Fields declared with these types hold no node; every other field is looked into.
_WITHOUT_NODES = frozenset(
    ("Span", "str", "int", "bool", "str | None", "int | None", "Fraction", "SourceFile", "tuple[str, ...]")
)
_PARTS: dict[type, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One statement of a paragraph. The paragraph is set by the loader and travels for ever."""
