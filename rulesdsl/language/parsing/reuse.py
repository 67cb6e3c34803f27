"""Statements of an earlier version of a chapter, used again in the next one.

When a person edits one paragraph, all other statements are still the same text; those below have moved by a
few lines. A statement that did not move is taken as it is, one that did is copied with new places.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rulesdsl.base.source import SourceFile, Span
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.chunks import cut_chunks
from rulesdsl.language.syntax.nodes import Node


class KnownStatements:
    """What was read without a problem before: by kind and text, the line and the tree."""

    def __init__(self, before: sx.Chapter | None = None) -> None:
        self._known: dict[tuple[str, str], tuple[int, Node]] = {}
        self._used: set[int] = set()
        for paragraph in before.paragraphs if before is not None else ():
            self._learn(paragraph)

    def _learn(self, paragraph: sx.Paragraph) -> None:
        rules = [chunk for f in paragraph.fences if f.kind == "rules" for chunk in cut_chunks(f)]
        examples = [(f.first_line, f.text) for f in paragraph.fences if f.kind == "example"]
        for kind, texts, nodes in (
            ("chunk", rules, paragraph.rules),
            ("example", examples, paragraph.examples),
        ):
            if len(texts) == len(nodes):  # else some could not be read, and which is not known
                for (line, text), node in zip(texts, nodes, strict=True):
                    self._known.setdefault((kind, text), (line, node))

    def find(self, kind: str, text: str, file: SourceFile, line: int) -> Node | None:
        """The tree of this text for this place, if the text was read before. Each tree is given out once as
        it is: a text that stands twice must be two statements."""
        known = self._known.get((kind, text))
        if known is None:
            return None
        before, node = known
        if before == line and id(node) not in self._used:
            self._used.add(id(node))
            return node
        moved: Node = _moved(node, file, line - before)
        return moved


def _moved(value: Any, file: SourceFile, by: int) -> Any:
    """A copy of a tree in which every place is `by` lines further down."""
    if isinstance(value, Node):
        kind = type(value)
        copy = object.__new__(kind)
        for name in _FIELDS.get(kind) or _field_names(kind):
            setattr(copy, name, _moved(getattr(value, name), file, by))
        return copy
    if isinstance(value, Span):
        end = value.end_line + by if value.end_line else 0
        return Span(file, value.line + by, value.column, end, value.end_column)
    if isinstance(value, tuple):
        return tuple(_moved(part, file, by) for part in value)
    return value


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    _FIELDS[kind] = tuple(spec.name for spec in fields(kind))
    return _FIELDS[kind]


_FIELDS: dict[type[Node], tuple[str, ...]] = {}
