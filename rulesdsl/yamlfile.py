"""The strict YAML loader: a small, unsurprising part of YAML, with a place for every value.

Only `true`, `false`, `null`, decimal whole numbers and decimal fractions are more than text; `3:1`,
`0103`, `NO` and `1944-12-16` stay what they look like. Keys are always text. Duplicate keys, anchors,
aliases, tags, merge keys and several documents are refused. Depth and size are checked on the event
stream, before anything is built: libyaml's own builder crashes on deeply nested input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import yaml

from rulesdsl.diagnostics import Diagnostic, RulebookError
from rulesdsl.lightclass import dataclass
from rulesdsl.limits import DEFAULT, Limits
from rulesdsl.source import SourceFile, Span
from rulesdsl.textfile import character_name, character_problems, forbidden_character
from rulesdsl.yamlmessages import Suspects, syntax_problem

Scalar = None | bool | int | Fraction | str
# `Any` inside: what a file holds is known only after its schema was checked, and the builders run after that.
YamlValue = Scalar | list[Any] | dict[str, Any]
Path = tuple[str | int, ...]
Place = tuple[int, int, int, int]  # line, column, end line, end column

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None, "~": None, "": None}
_MOST_REPORTED = 50


@dataclass(slots=True)
class _Node:
    """A value with its place. `children` and `keys` are by key or index, for containers only."""

    value: YamlValue
    place: Place
    raw: str = ""
    children: dict[str | int, _Node] | None = None
    keys: dict[str | int, Place] | None = None


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A file that was read: its plain value, and the place of everything in it."""

    source: SourceFile
    _root: _Node

    @property
    def value(self) -> YamlValue:
        return self._root.value

    def span(self, path: Path, key: bool = False) -> Span:
        """The place of the value at `path`, or of its key; of the nearest enclosing value when absent."""
        node = self._root
        for step in path[:-1] if key else path:
            below = (node.children or {}).get(step)
            if below is None:
                return self._span(node.place)
            node = below
        if key and path and node.keys and path[-1] in node.keys:
            return self._span(node.keys[path[-1]])
        if key and path and node.children and path[-1] in node.children:
            node = node.children[path[-1]]
        return self._span(node.place)

    def raw(self, path: Path) -> str:
        """A scalar exactly as it was written (`1.50`, `0103`, `+1`), without its quotes."""
        node = self._root
        for step in path:
            node = (node.children or {})[step]
        return node.raw

    def span_within(self, path: Path, start: int, length: int) -> Span:
        """The place of some characters of a text, when the text stands on one line; else the whole."""
        whole = self.span(path)
        raw = self.raw(path)
        if whole.line != whole.end_line:
            return whole
        offset = self.source.line(whole.line)[whole.column - 1 : whole.end_column - 1].find(raw)
        if offset < 0:  # written with escapes
            return whole
        column = whole.column + offset + start
        return Span(self.source, whole.line, column, whole.line, column + length)

    def _span(self, place: Place) -> Span:
        line, column, end_line, end_column = place
        last = len(self.source.lines)
        if line > last:  # libyaml puts what is missing at the end of a file on a line of its own
            line = end_line = last
            column = end_column = len(self.source.line(last)) + 1
        return Span(self.source, line, column, end_line, end_column)


def load_yaml(source: SourceFile, limits: Limits = DEFAULT) -> YamlDocument:
    """The document of `source`, or a `RulebookError` with every problem found before reading stopped."""
    problems = character_problems(source)
    if problems:
        raise RulebookError(problems)
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
    return YamlDocument(source, builder.root)


def scalar_of(text: str) -> Scalar:
    """What an unquoted scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    return text


class _Stop(Exception):
    """Reading cannot usefully go on; the problem is already recorded."""


class _Builder:
    """Turns events into nodes without recursion, so that no input can exhaust Python's stack."""

    def __init__(self, source: SourceFile, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.problems: list[Diagnostic] = []
        self.root: _Node | None = None
        # Containers that are open, each with the key its next value belongs to (mappings only).
        self.open: list[_Node] = []
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
            self._start(event, _Node({}, _place(event), children={}, keys={}))
        elif kind is yaml.SequenceStartEvent:
            self._start(event, _Node([], _place(event), children={}))
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._document(event)

    def _alias(self, event: Any) -> None:
        message = f'"*{shorten(event.anchor)}" repeats another value'
        self.report("yaml-alias", message, _place(event), "write it out")
        if self._key_expected():
            raise _Stop
        self._put(_Node(None, _place(event)))

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            hint = 'remove the line "---" or make a second file'
            self.report("yaml-several-documents", "a second document starts here", _place(event), hint)
            raise _Stop

    def _start(self, event: Any, node: _Node) -> None:
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
            self.report("yaml-no-value", f'"{shorten(key[0])}" has no value', key[1], 'write "key: value"')
        self._put(_Node(scalar_of(text) if plain else text, place, text))

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

    def _put(self, node: _Node) -> None:
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


def shorten(text: str, most: int = 40) -> str:
    """For messages: a hostile name must not fill the screen."""
    return text if len(text) <= most else text[: most - 1] + "…"


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
