"""Names of the rules in data files: attributes as keys, values, ids, classes, settings, tables."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.base.source import Span
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import YamlNode
from rulesdsl.checking.context import Context
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute

Path = tuple[str | int, ...]


def data_names(ctx: Context, doc: YamlDocument, folder: str, name: str) -> Iterator[Occurrence]:
    """Every name of one data file. `folder`: inside the game, empty beside `game.yaml`."""
    names = _Names(ctx, doc)
    if folder == "tables":
        yield from names.table()
    elif folder == "scenarios":
        yield from names.scenario()
    elif name == "drawing.yaml":
        yield from names.drawing()
    elif name in ("map.yaml", "pieces.yaml", "game.yaml"):
        for path, node in walk(doc.root):
            yield from names.entry(path, node, name)


def walk(root: YamlNode) -> Iterator[tuple[Path, YamlNode]]:
    """Every value of a document with its path."""
    pending: list[tuple[Path, YamlNode]] = [((), root)]
    while pending:
        path, node = pending.pop()
        yield path, node
        pending += [((*path, key), child) for key, child in (node.children or {}).items()]


class _Names:
    def __init__(self, ctx: Context, doc: YamlDocument) -> None:
        self.ctx, self.doc, self.world = ctx, doc, ctx.world

    # ---- where things stand --------------------------------------------------------------------------
    def _place(self, span: Span, word: str) -> Span | None:
        """The word itself, without quotes; nothing where something else stands (an escape, a range)."""
        line = span.file.line(span.line)
        start = line.find(word, span.column - 1)
        last = span.end_column - 1 if span.end_line == span.line else len(line)
        if start < 0 or start + len(word) > last:
            return None
        return Span(span.file, span.line, start + 1, span.line, start + len(word) + 1)

    def _at(self, symbol: Symbol, span: Span, declares: bool = False) -> Iterator[Occurrence]:
        place = self._place(span, symbol.word)
        if place is not None:
            yield Occurrence(symbol, place, declares)

    def _key(self, symbol: Symbol, path: Path, declares: bool = False) -> Iterator[Occurrence]:
        yield from self._at(symbol, self.doc.span(path, key=True), declares)

    def _value(self, symbol: Symbol, path: Path, declares: bool = False) -> Iterator[Occurrence]:
        yield from self._at(symbol, self.doc.span(path), declares)

    def _texts(self, path: Path, node: YamlNode) -> Iterator[tuple[Path, str]]:
        """A scalar, or the members of a list, as they are written."""
        if node.children is None:
            yield path, node.raw
        elif isinstance(node.value, list):
            for key, child in node.children.items():
                if child.children is None:
                    yield (*path, key), child.raw

    # ---- what they are -------------------------------------------------------------------------------
    def _typed(self, type_: Type, path: Path, node: YamlNode) -> Iterator[Occurrence]:
        for place, text in self._texts(path, node):
            yield from self._one(type_, text, place)

    def _one(self, type_: Type, text: str, path: Path, key: bool = False) -> Iterator[Occurrence]:
        symbol = self.symbol_of(type_, text)
        if symbol is not None:
            yield from self._key(symbol, path) if key else self._value(symbol, path)

    def symbol_of(self, type_: Type, text: str) -> Symbol | None:
        """What a text of this type means."""
        if type_.kind == "enum" and type_.name in self.world.enums:
            return (
                Symbol("value", f"{type_.name}.{text}")
                if text in self.world.enums[type_.name].values
                else None
            )
        if type_.kind in ("thing", "set") and type_.name in self.world.universes:
            return self._thing(type_.name, text)
        return None

    def _thing(self, universe: str, text: str) -> Symbol | None:
        things = self.world.universes[universe]
        found = things.index.get(text)
        return (
            Symbol("thing", f"{universe}:{things.ids[found]}")
            if found is not None and things.ids[found] == text
            else None
        )

    def _any_thing(self, text: str, *universes: str) -> Symbol | None:
        return next((s for u in universes if (s := self._thing(u, text)) is not None), None)

    def _attribute(self, universe: str, name: object) -> Attribute | None:
        return self.world.attributes.get((universe, str(name)))

    # ---- map.yaml, pieces.yaml, game.yaml --------------------------------------------------------------
    def entry(self, path: Path, node: YamlNode, file: str) -> Iterator[Occurrence]:
        """One value of a file that lists things."""
        if not path or not isinstance(path[-1], str):
            return
        key = path[-1]
        universe = "piece" if file == "pieces.yaml" else "border" if "borders" in path else "space"
        if file == "game.yaml":
            universe = "player"
        if key == "id" and node.children is None:
            symbol = self._thing(universe, node.raw)
            if symbol is not None:
                yield from self._value(symbol, path, declares=True)
        elif key in ("start", "between", "adjacent"):
            for place, text in self._texts(path, node):
                if (symbol := self._thing("space", text)) is not None:
                    yield from self._value(symbol, place)
        elif key == "class" and (noun := self._noun(node.raw)) is not None:
            yield from self._value(noun, path)
        elif path[:-1] in (("pieces",), ("spaces",), ("areas",)) and (noun := self._noun(key)) is not None:
            yield from self._key(noun, path)
        elif key == "scenario" and len(path) == 1:
            yield from self._value(Symbol("scenario", node.raw), path)
        elif path[:-1] == ("telling", "goals") and (symbol := self._thing("player", str(key))) is not None:
            yield from self._key(symbol, path)
        elif key in ("setting", "reading") and node.raw in self.ctx.settings:
            yield from self._value(Symbol("setting", node.raw), path)
        elif (attribute := self._attribute(universe, key)) is not None and not attribute.built_in:
            yield from self._key(Symbol("attribute", f"{universe}.{key}"), path)
            if len(path) < 2 or path[-2] != "sources":
                yield from self._typed(attribute.type, path, node)

    def _noun(self, word: str) -> Symbol | None:
        known = word in self.world.nouns and word not in self.world.plurals
        return Symbol("noun", word) if known else None

    # ---- scenarios -------------------------------------------------------------------------------------
    def scenario(self) -> Iterator[Occurrence]:
        root = self.doc.root.children or {}
        if "scenario" in root:
            yield from self._value(Symbol("scenario", root["scenario"].raw), ("scenario",), declares=True)
        setup = root.get("setup")
        for space, pieces in ((setup.children if setup else None) or {}).items():
            if (symbol := self._thing("space", str(space))) is not None:
                yield from self._key(symbol, ("setup", space))
            for place, text in self._texts(("setup", space), pieces):
                if (symbol := self._thing("piece", text)) is not None:
                    yield from self._value(symbol, place)
        if "off_map" in root:
            for place, text in self._texts(("off_map",), root["off_map"]):
                if (symbol := self._thing("piece", text)) is not None:
                    yield from self._value(symbol, place)
        options = root.get("options")
        for name, node in ((options.children if options else None) or {}).items():
            if (setting := self.ctx.settings.get(str(name))) is not None:
                yield from self._key(Symbol("setting", str(name)), ("options", name))
                yield from self._typed(setting.type, ("options", name), node)
        for index, node in ((root["set"].children if "set" in root else None) or {}).items():
            yield from self._setting(("set", index), node)

    def _setting(self, path: Path, node: YamlNode) -> Iterator[Occurrence]:
        parts = node.children or {}
        if not {"of", "attribute", "value"} <= {*parts}:
            return
        of, name = parts["of"].raw, parts["attribute"].raw
        if of == "game" and name in self.world.tracks:
            yield from self._value(Symbol("track", name), (*path, "attribute"))
            yield from self._typed(self.world.tracks[name].type, (*path, "value"), parts["value"])
            return
        symbol = self._any_thing(of, *self.world.universes)
        if symbol is None:
            return
        yield from self._value(symbol, (*path, "of"))
        universe = symbol.name.split(":")[0]
        if (attribute := self._attribute(universe, name)) is not None:
            if not attribute.built_in:
                yield from self._value(Symbol("attribute", f"{universe}.{name}"), (*path, "attribute"))
            yield from self._typed(attribute.type, (*path, "value"), parts["value"])

    # ---- tables ----------------------------------------------------------------------------------------
    def table(self) -> Iterator[Occurrence]:
        root = self.doc.root.children or {}
        if "table" not in root:
            return
        yield from self._value(Symbol("table", root["table"].raw), ("table",), declares=True)
        scales = [
            parts["of"].raw
            for axis in ("pages", "columns", "rows")
            if axis in root and "of" in (parts := root[axis].children or {})
        ]
        for path, node in walk(self.doc.root):
            if path and path[-1] == "of" and node.children is None:
                if node.raw in self.world.enums:
                    yield from self._value(Symbol("enum", node.raw), path)
                elif (noun := self._noun(node.raw)) is not None:
                    yield from self._value(noun, path)
                if node.raw not in scales:
                    scales.append(node.raw)
        types = [self._scale(scale) for scale in scales]
        for path, node in walk(self.doc.root):
            if path[:1] == ("cells",) or "values" in path:
                yield from self._label(path, node, [t for t in types if t is not None])

    def _scale(self, scale: str) -> Type | None:
        if scale in self.world.enums:
            return Type("enum", scale)
        return Type("thing", self.world.nouns[scale][0]) if scale in self.world.nouns else None

    def _label(self, path: Path, node: YamlNode, types: list[Type]) -> Iterator[Occurrence]:
        """A label or a cell that is a word of one of the scales of the table."""
        for type_ in types:
            if path and isinstance(path[-1], str) and path[0] == "cells" and len(path) > 1:
                yield from self._one(type_, path[-1], path, key=True)
            if node.children is None:
                yield from self._one(type_, node.raw, path)

    # ---- drawing.yaml ----------------------------------------------------------------------------------
    def drawing(self) -> Iterator[Occurrence]:
        for path, node in walk(self.doc.root):
            if not path or not isinstance(path[-1], str):
                continue
            universe = "piece" if "counters" in path else "border" if "borders" in path else "space"
            if path[-1] in ("attribute", "turned", "marks", "numbers"):
                for place, text in self._texts(path, node):
                    yield from self._drawn(universe, text, place)
            elif path[-1] == "hidden":
                for place, text in self._texts(path, node):
                    if (noun := self._noun(text)) is not None:
                        yield from self._value(noun, place)
            elif path[-1] == "values" and node.children is not None:
                above = self.doc.root
                for step in path[:-1]:
                    above = (above.children or {})[step]
                said = (above.children or {}).get("attribute")
                attribute = self._attribute(universe, said.raw) if said is not None else None
                for key in node.children:
                    if attribute is not None:
                        yield from self._one(attribute.type, str(key), (*path, key), key=True)

    def _drawn(self, universe: str, text: str, path: Path) -> Iterator[Occurrence]:
        for one in dict.fromkeys((universe, "space", "border", "piece")):
            found = self._attribute(one, text)
            if found is not None and not found.built_in:
                yield from self._value(Symbol("attribute", f"{one}.{text}"), path)
                return
