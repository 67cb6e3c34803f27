"""The strict YAML loader: a small, unsurprising part of YAML, with a place for every value.

Only `true`, `false`, `null`, decimal whole numbers and decimal fractions are more than text; `3:1`,
`0103`, `NO` and `1944-12-16` stay what they look like. Keys are always text. Duplicate keys, anchors,
aliases, tags, merge keys and several documents are refused. Reading itself is in `yamlevents`, which is
not even imported when all files of a game are remembered.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import character_problems

Scalar = None | bool | int | Fraction | str
# `Any` inside: what a file holds is known only after its schema was checked, and the builders run after that.
YamlValue = Scalar | list[Any] | dict[str, Any]
Path = tuple[str | int, ...]
Place = tuple[int, int, int, int]  # line, column, end line, end column

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(slots=True)
class YamlNode:
    """A value with its place. `children` and `keys` are by key or index, for containers only."""

    value: YamlValue
    place: Place
    raw: str = ""
    children: dict[str | int, YamlNode] | None = None
    keys: dict[str | int, Place] | None = None


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A file that was read: its plain value, and the place of everything in it."""

    source: SourceFile
    _root: YamlNode

    @property
    def value(self) -> YamlValue:
        return self._root.value

    @property
    def root(self) -> YamlNode:
        """The whole document with its places, for who walks over all of it."""
        return self._root

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
    from rulesdsl.book.yaml.events import read_values

    problems = character_problems(source)
    if problems:
        raise RulebookError(problems)
    return YamlDocument(source, read_values(source, limits))


def scalar_of(text: str) -> Scalar:
    """What an unquoted scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    return text


def shorten(text: str, most: int = 40) -> str:
    """For messages: a hostile name must not fill the screen."""
    return text if len(text) <= most else text[: most - 1] + "…"
