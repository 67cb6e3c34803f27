"""YAML as a stream of events, turned into values with places.

Depth and size are checked on the event stream, before anything is built: libyaml's own builder crashes
on deeply nested input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import yaml

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.limits import Limits
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import character_name, forbidden_character
from rulesdsl.book.yaml.messages import Suspects, syntax_problem
from rulesdsl.book.yaml.nodes import Place, YamlNode, scalar_of, shorten

_MOST_REPORTED = 50


def read_values(source: SourceFile, limits: Limits) -> YamlNode:
    """Everything in the file, or a `RulebookError` with every problem found before reading stopped."""
    if len(source.text) > limits.yaml_nodes:  # a shorter text cannot hold more values than that
        _refuse_too_many(source, limits)
    builder = _Builder(source, limits)
    try:
        for event in _events(source.text):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.give_up(syntax_problem(source, error, builder.suspects()))
    except _Stop:
        pass
    if not builder.problems and (builder.root is None or builder.root.value is None):
        hint = "write at least the required keys"
        builder.report("yaml-empty", "the file is empty", (1, 1, 1, 1), hint)
    if builder.problems or builder.root is None:
        raise RulebookError(builder.problems)
    return builder.root


class _Stop(Exception):
    """Reading cannot usefully go on; the problem is already recorded."""


class _Builder:
    """Turns events into nodes without recursion, so that no input can exhaust Python's stack."""

    def __init__(self, source: SourceFile, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.problems: list[Diagnostic] = []
        self.root: YamlNode | None = None
        # Containers that are open, each with the key its next value belongs to (mappings only).
        self.open: list[YamlNode] = []
        self.pending: list[tuple[str, Place] | None] = []
        self.documents = 0
        self.brackets: list[bool] = []  # for each open container: written in brackets?
        self.long_quote: Span | None = None

    def report(self, code: str, message: str, place: Place, hint: str = "") -> None:
        self._record(Diagnostic(code, message, Span(self.source, *place), help=hint))

    def _record(self, problem: Diagnostic) -> None:
        self.problems.append(problem)
        if len(self.problems) >= _MOST_REPORTED:
            raise _Stop

    def suspects(self) -> Suspects:
        """What the messages about syntax should know."""
        opened = [node.place for node, bracket in zip(self.open, self.brackets, strict=True) if bracket]
        return Suspects(Span(self.source, *opened[-1]) if opened else None, self.long_quote)

    def give_up(self, syntax: Diagnostic) -> None:
        """A key without a value just before the end is the same mistake as the end itself."""
        last = self.problems[-1] if self.problems else None
        if last and last.code == "yaml-no-value" and last.span.end_line == syntax.span.line:
            return
        if last and last.code == "yaml-no-value" and last.span == self.long_quote:
            self.problems.pop()
        self.problems.append(syntax)

    def take(self, event: Any) -> None:
        # By type and not with `match`: this runs for each of up to 200,000 values.
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._end(event)
        elif kind is yaml.MappingStartEvent:
            self._start(event, YamlNode({}, _place(event), children={}, keys={}))
        elif kind is yaml.SequenceStartEvent:
            self._start(event, YamlNode([], _place(event), children={}))
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._document(event)

    def _alias(self, event: Any) -> None:
        message = f'"*{shorten(event.anchor)}" repeats another value'
        self.report("yaml-alias", message, _place(event), "write it out")
        if self._key_expected():
            raise _Stop
        self._put(YamlNode(None, _place(event)))

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            hint = 'remove the line "---" or make a second file'
            self.report("yaml-several-documents", "a second document starts here", _place(event), hint)
            raise _Stop

    def _start(self, event: Any, node: YamlNode) -> None:
        self._refuse_decoration(event)
        if self._key_expected():
            kind = "list" if isinstance(node.value, list) else "mapping"
            self.report("yaml-key", f"a key must be text, not a {kind}", _place(event), "quote the key")
            raise _Stop
        if len(self.open) >= self.limits.yaml_depth:
            message = f"this is nested more than {self.limits.yaml_depth} levels deep"
            self.report("yaml-too-deep", message, _place(event))
            raise _Stop
        self._put(node)
        self.open.append(node)
        self.brackets.append(bool(event.flow_style))
        self.pending.append(None)

    def _end(self, event: Any) -> None:
        node = self.open.pop()
        self.brackets.pop()
        self.pending.pop()
        line, column = event.end_mark.line + 1, event.end_mark.column + 1
        if (event.start_mark.line, event.start_mark.column) == (event.end_mark.line, event.end_mark.column):
            # A block collection "ends" where the next token stands; it really ends with its last child.
            last = next(reversed((node.children or {}).values()), None)
            line, column = last.place[2:] if last else node.place[2:]
        node.place = (node.place[0], node.place[1], line, column)

    def _scalar(self, event: Any) -> None:
        place = _place(event)
        self._refuse_decoration(event)
        plain = not event.style  # libyaml says "", the Python parser None
        text: str = event.value
        bad = "" if plain else forbidden_character(text)  # plain text was checked with the file
        if bad:
            self.report("yaml-character", f"{character_name(bad)} is not allowed here", place)
        if not plain and place[0] != place[2] and event.style in "'\"":
            self.long_quote = Span(self.source, *place)
        if self._key_expected():
            self._key(text, plain, place)
            return
        key = self.pending[-1] if self.pending else None
        if key and plain and not text and self.brackets[-1] and key[0] not in (self.open[-1].keys or ()):
            # `{1: a, 2, 3: b}`: YAML would read a key 2 without a value; nobody means that.
            hint = 'write "key: value"'
            before = self.source.line(key[1][0])[: key[1][1] - 1]
            if key[0].isdecimal() and (whole := re.search(r"(\d+), ?$", before)):
                value = Fraction(f"{whole[1]}.{key[0]}")
                hint = f"a number has no comma: write {whole[1]}.{key[0]}, which is {value}"
            self.report("yaml-no-value", f'"{shorten(key[0])}" has no value', key[1], hint)
        self._put(YamlNode(scalar_of(text) if plain else text, place, text))

    def _key(self, text: str, plain: bool, place: Place) -> None:
        keys = self.open[-1].keys
        assert keys is not None
        self.pending[-1] = (text, place)
        if plain and text == "<<":
            self.report("yaml-merge-key", '"<<" would merge another mapping', place, "write it out")
        elif plain and not text:
            self.report("yaml-key", "a key is missing before the colon", place)
        elif text in keys:
            also = (("first given here", Span(self.source, *keys[text])),)
            message = f'"{shorten(text)}" is given twice'
            self._record(Diagnostic("yaml-duplicate-key", message, Span(self.source, *place), also=also))

    def _put(self, node: YamlNode) -> None:
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        assert parent.children is not None
        if isinstance(parent.value, list):
            parent.children[len(parent.value)] = node
            parent.value.append(node.value)
            return
        key = self.pending[-1]
        assert key is not None
        assert parent.keys is not None
        assert isinstance(parent.value, dict)
        self.pending[-1] = None
        name, place = key
        # The first of two equal keys stays, so that one duplicate is one message.
        if name not in parent.keys:
            parent.value[name] = node.value
            parent.children[name] = node
            parent.keys[name] = place

    def _key_expected(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.pending[-1] is None

    def _refuse_decoration(self, event: Any) -> None:
        if event.anchor:
            message = f'the anchor "&{shorten(event.anchor)}" is not allowed'
            self.report("yaml-anchor", message, _place(event), "write every value where it is needed")
        if event.tag:
            message = f'the tag "{shorten(event.tag)}" is not allowed'
            self.report("yaml-tag", message, _place(event), "quote the value to make it text")


def _refuse_too_many(source: SourceFile, limits: Limits) -> None:
    """Counting is several times faster than building, so it comes first.

    It leaves everything else that is wrong to the building, above all too deep nesting: the time
    libyaml takes for a bracket grows with the number of open ones.
    """
    values = depth = documents = 0
    try:
        for event in _events(source.text):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            values += isinstance(event, yaml.NodeEvent)
            documents += isinstance(event, yaml.DocumentStartEvent)
            if depth > limits.yaml_depth or documents > 1:
                return
            if values > limits.yaml_nodes:
                message = f"the file holds more than {limits.yaml_nodes:,} values"
                raise RulebookError([Diagnostic("yaml-too-many", message, Span(source, *_place(event)))])
    except yaml.YAMLError:
        return


def _events(text: str, force_python: bool = False) -> Iterator[Any]:
    loader: Any = yaml.SafeLoader if force_python else getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parser = loader(text)
    try:
        event = parser.get_event()
        while event is not None and type(event) is not yaml.StreamEndEvent:
            yield event
            event = parser.get_event()
    finally:
        parser.dispose()


def _place(event: Any) -> Place:
    start, end = event.start_mark, event.end_mark
    return (start.line + 1, start.column + 1, end.line + 1, end.column + 1)
