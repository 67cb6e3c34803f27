"""The strict YAML loader: a small, unsurprising part of YAML, with a place for every value.

Only `true`, `false`, `null`, decimal whole numbers and decimal fractions are more than text; `3:1`,
`0103`, `NO` and `1944-12-16` stay what they look like. Keys are always text. Duplicate keys, anchors,
aliases, tags, merge keys and several documents are refused. Reading itself is in `events`, which is
not even imported when all files of a game are remembered.
"""

from __future__ import annotations

from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import character_problems
from rulesdsl.book.yaml.nodes import Path, Place, YamlNode, YamlValue


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
    from rulesdsl.book.yaml.events import read_values  # only here: what is remembered needs no YAML reader

    problems = character_problems(source)
    if problems:
        raise RulebookError(problems)
    return YamlDocument(source, read_values(source, limits))
