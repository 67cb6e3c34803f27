"""Trees as JSON: what the cache keeps. Reading it back makes nodes and plain values, and can do nothing else.

A value is written as itself (None, truth values, numbers, texts) or as a list whose first member says what it
is: a number below `FIRST` a plain container, above it a kind of node, its fields in order. A node that stands
in several places is written once and named after that, so that what was one thing is one thing again. The
source files by which an entry is found are not written into it: they are put in again by their place.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import PosixPath, WindowsPath
from typing import Any

from rulesdsl.base.source import SourceFile

TUPLE, LIST, DICT, FROZENSET, SET, FRACTION, PATH, NAMED, AGAIN, FILE, FIRST = range(11)
_PLAIN = (str, int, bool, float, type(None))
# Where kinds of node live: nothing else is ever made, and no other module loaded.
ROOMS = (
    "rulesdsl.base.diagnostics",
    "rulesdsl.base.fixes",
    "rulesdsl.base.source",
    "rulesdsl.book.",
    "rulesdsl.language.syntax",
    "rulesdsl.language.wordings",
    "rulesdsl.program.types",
    "rulesdsl.program.world",
)

Build = Callable[[Any], Any]
Maker = Callable[[list[Any], "Makers"], Any]
Makers = list[Maker]


def encode(value: object, files: Sequence[SourceFile]) -> bytes:
    """The text of a value; `TypeError` when there is something in it that is neither a node nor plain."""
    return _Writer(files).text(value)


def decode(content: bytes, files: Sequence[SourceFile]) -> Any:
    """The value of a text. Raises whatever comes (`ValueError`, `LookupError`, …) when it is no such text."""
    said = json.loads(content)
    kinds = [_kind(name) for name in said["kinds"]]
    return _reader(kinds, files)(said["value"])


class _Writer:
    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = {id(file): number for number, file in enumerate(files)}
        # A statement that was not touched may still point to its file as it was before somebody typed
        # elsewhere in it: it stands in the file of that name, as that is now.
        self.named = {(file.path, file.shown): number for number, file in enumerate(files)}
        self.kinds: dict[type, int] = {}
        self.fields: dict[type, tuple[str, ...]] = {}
        self.met: dict[int, int] = {}  # how often a node was met
        self.names: dict[int, int] = {}  # the number of one that was met more than once

    def text(self, value: object) -> bytes:
        self._meet(value)
        written = self._write(value)
        names = [f"{kind.__module__}:{kind.__qualname__}" for kind in self.kinds]
        return json.dumps(
            {"kinds": names, "value": written}, ensure_ascii=False, separators=(",", ":")
        ).encode()

    def _meet(self, value: object) -> None:
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, _PLAIN):
                continue
            if dataclasses.is_dataclass(one):
                seen = self.met[id(one)] = self.met.get(id(one), 0) + 1
                if seen == 1 and self._file(one) is None:
                    waiting += [getattr(one, name) for name in self._names_of(type(one))]
            elif isinstance(one, dict):
                waiting += [*one, *one.values()]
            elif isinstance(one, (tuple, list, frozenset, set)):
                waiting += one

    def _names_of(self, kind: type) -> tuple[str, ...]:
        if kind not in self.fields:
            self.fields[kind] = tuple(field.name for field in dataclasses.fields(kind))
        return self.fields[kind]

    def _file(self, value: object) -> int | None:
        if not isinstance(value, SourceFile):
            return None
        if (number := self.files.get(id(value))) is not None:
            return number
        return self.named.get((value.path, value.shown))

    def _write(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if dataclasses.is_dataclass(kind):
            return self._node(value, kind)
        if kind is tuple:
            return [TUPLE, *map(self._write, value)]
        if kind is list:
            return [LIST, *map(self._write, value)]
        if kind is dict:
            return [DICT, *(self._write(part) for pair in value.items() for part in pair)]
        if kind is frozenset or kind is set:
            return [FROZENSET if kind is frozenset else SET, *map(self._write, sorted(value, key=repr))]
        if kind is Fraction:
            return [FRACTION, value.numerator, value.denominator]
        if kind in (PosixPath, WindowsPath):
            return [PATH, str(value)]
        if isinstance(value, str):  # a token of the parser
            return str(value)
        raise TypeError(kind)

    def _node(self, value: Any, kind: type) -> list[Any]:
        if (number := self._file(value)) is not None:
            return [FILE, number]
        if id(value) in self.names:
            return [AGAIN, self.names[id(value)]]
        if kind not in self.kinds:
            _kind(f"{kind.__module__}:{kind.__qualname__}")  # one that could not be read again is not written
            self.kinds[kind] = FIRST + len(self.kinds)
        number = self.kinds[kind]
        written = [number, *(self._write(getattr(value, name)) for name in self._names_of(kind))]
        if self.met.get(id(value), 0) > 1:
            self.names[id(value)] = len(self.names)
            return [NAMED, written]
        return written


def _kind(name: str) -> type:
    """A kind of node by its name: a dataclass of one of our own rooms."""
    module, _, kind = name.partition(":")
    if not module.startswith(ROOMS):
        raise ValueError(name)
    found = getattr(sys.modules.get(module) or import_module(module), kind)
    if not isinstance(found, type) or not dataclasses.is_dataclass(found):
        raise ValueError(name)
    return found


def _reader(kinds: Sequence[type], files: Sequence[SourceFile]) -> Build:
    """A function that makes a value from what JSON made of its text."""
    named: list[Any] = []

    def of_named(said: list[Any], made: Makers) -> Any:
        part = said[1]
        value = made[part[0]](part, made)
        named.append(value)
        return value

    made: Makers = [
        _tuple, _list, _dict,
        lambda said, made: frozenset(_list(said, made)), lambda said, made: set(_list(said, made)),
        lambda said, made: Fraction(said[1], said[2]), lambda said, made: type(_HERE)(said[1]),
        of_named, lambda said, made: named[said[1]], lambda said, made: files[said[1]],
        *map(_maker, kinds),
    ]  # fmt: skip
    return lambda said: made[said[0]](said, made) if said.__class__ is list else said


def _tuple(said: list[Any], made: Makers) -> tuple[Any, ...]:
    return tuple(_list(said, made))


def _list(said: list[Any], made: Makers) -> list[Any]:
    parts = said[1:]
    return [made[part[0]](part, made) if part.__class__ is list else part for part in parts]


def _dict(said: list[Any], made: Makers) -> dict[Any, Any]:
    parts = _list(said, made)
    return dict(zip(parts[::2], parts[1::2], strict=True))


_HERE = PosixPath() if sys.platform != "win32" else WindowsPath()


@cache
def _maker(kind: type) -> Maker:
    """A function that makes a node of this kind: written out field by field, as for `lightclass`."""
    names = [field.name for field in dataclasses.fields(kind)]
    frozen = "__setattr__" in vars(kind)  # by the standard library; `lightclass` leaves that to mypy
    parts = "".join(f", p{number}" for number in range(len(names)))
    lines = ["def make(said, made):", f"    _{parts} = said", "    one = new(kind)"]
    for number, name in enumerate(names):
        part = f"p{number}"
        made = f"{part} if {part}.__class__ is not list else made[{part}[0]]({part}, made)"
        lines.append(f"    put(one, {name!r}, {made})" if frozen else f"    one.{name} = {made}")
    space: dict[str, Any] = {"new": object.__new__, "kind": kind, "put": object.__setattr__}
    exec("\n".join([*lines, "    return one"]), space)  # the names are those of our own fields
    found: Maker = space["make"]
    return found


def is_pair_of(value: object, kind: type | tuple[type, ...], problem: type) -> bool:
    """Whether a value is what readers of files return: what was made (or nothing), and a list of problems."""
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and (value[0] is None or isinstance(value[0], kind))
        and are_all(value[1], problem)
    )


def are_all(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)
