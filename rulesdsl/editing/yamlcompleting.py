"""What can be written in a data file: the keys of its form, attributes of this class, their values, ids with
names, labels and results of this table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rulesdsl.book.yaml.schema import read_schema
from rulesdsl.checking.context import Context
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.housecompleting import attributes, values
from rulesdsl.editing.proposals import Proposal, narrowed
from rulesdsl.editing.yamlplace import Place, place_in
from rulesdsl.program.types import Type, thing

_FOLDERS = {"scenarios": "scenario", "tables": "table"}
_FILES = ("drawing", "game", "guide", "map", "pieces")
_SOURCES = ("rulebook", "estimated", '"reconstructed: "', '"public: "', '"house: "')
Schema = dict[str, Any]


def yaml_proposals(desk: Desk, ctx: Context, path: Path, line: int, column: int) -> list[Proposal]:
    """By the keys above the cursor, and by what the file is for."""
    here = place_in(desk.text(path).split("\n"), line, column)
    form = _FOLDERS.get(path.parent.name, path.stem if path.parent == desk.directory else "")
    names = _Words(desk, ctx, path, here)
    found = [*names.by_form(form), *(names.formal(form) if form in (*_FILES, *_FOLDERS.values()) else ())]
    return narrowed(found, here.typed)


@lru_cache(maxsize=8)
def _schema(form: str) -> Schema:
    return read_schema(form)


def _inside(schema: Schema, key: str) -> list[Schema]:
    """The forms that what stands under a key may have."""
    found = []
    for form in _forms(schema):
        known = form.get("properties", {}).get(key)
        more = form.get("additionalProperties")
        if isinstance(known, dict):
            found.append(known)
        elif isinstance(more, dict):
            found.append(more)
    return found


def _forms(schema: Schema) -> Iterator[Schema]:
    """A form with all its cases, and what its list is made of."""
    yield schema
    for name in ("then", "else", "items"):
        if isinstance(schema.get(name), dict):
            yield from _forms(schema[name])
    for part in schema.get("allOf", ()):
        yield from _forms(part)


class _Words:
    def __init__(self, desk: Desk, ctx: Context, path: Path, here: Place) -> None:
        self.desk, self.ctx, self.path, self.here, self.world = desk, ctx, path, here, ctx.world

    # ---- what the form says ----------------------------------------------------------------------------
    def formal(self, form: str) -> Iterator[Proposal]:
        """Keys and fixed words of the form of the file."""
        level = [_schema(form)]
        for key in self.here.path:
            level = [deeper for one in level for deeper in _inside(one, key)]
        for one in level:
            for part in _forms(one):
                if self.here.key:
                    for key in part.get("properties", {}):
                        if key not in self.here.given:
                            needed = key in part.get("required", ())
                            yield Proposal(key, "keyword", "needed" if needed else "", 1 if needed else 2)
                    continue
                yield from (Proposal(str(word), "value", rank=0) for word in part.get("enum", ()))
                if part.get("type") == "boolean":
                    yield from (Proposal(word, "value", "flag", rank=0) for word in ("true", "false"))
                if part.get("x-expects") == "a source":
                    yield from (Proposal(word, "value", "source") for word in _SOURCES)

    # ---- what the game says ----------------------------------------------------------------------------
    def by_form(self, form: str) -> Iterator[Proposal]:
        match form:
            case "pieces":
                yield from self._listed("piece", ("pieces",))
            case "map":
                yield from self._map()
            case "scenario":
                yield from self._scenario()
            case "table":
                yield from self._table()
            case "drawing":
                yield from self._drawing()
            case "game":
                yield from self._game()
            case _:
                pass  # a form without things of a game in it

    def _nouns(self, *universes: str) -> Iterator[Proposal]:
        for noun, (universe, _) in self.world.nouns.items():
            if universe in universes and noun not in self.world.plurals:
                yield Proposal(noun, "noun", universe, rank=0)

    def _own(self, universe: str, cls: str) -> Iterator[Proposal]:
        """Attributes of a class that are not said yet."""
        for one in attributes(self.ctx, universe):
            known = self.world.attributes[universe, one.word]
            if one.word not in self.here.given and (not cls or known.belongs_to(cls)):
                yield one if known.printed else Proposal(one.word, one.kind, one.detail, rank=3)

    def _of(self, universe: str, key: str) -> Iterator[Proposal]:
        """Values of an attribute, or of what every thing has."""
        attribute = self.world.attributes.get((universe, key))
        if key in ("start", "between"):
            yield from values(self.ctx, thing("space"))
        elif attribute is not None:
            yield from values(self.ctx, attribute.type)

    def _listed(self, universe: str, under: tuple[str, ...]) -> Iterator[Proposal]:
        """`pieces: unit: - {…}`: classes, then entries of a class."""
        path = self.here.path
        if path == under and self.here.key:
            yield from self._nouns(universe)
        elif len(path) > len(under):
            cls = path[len(under)]
            if self.here.key:
                yield from self._own(universe, cls if cls in self.world.nouns else "")
                if path[-1] == "sources":
                    yield from (Proposal(word, "keyword", rank=1) for word in ("name", "start"))
            else:
                yield from self._of(universe, path[-1])

    def _map(self) -> Iterator[Proposal]:
        path = self.here.path
        match path[:1]:
            case ("spaces",):
                yield from self._listed("space", ("spaces",))
            case ("borders",):
                yield from self._own("border", "") if self.here.key else self._of("border", path[-1])
            case ("legend",) | ("layers",) if len(path) > 1:
                yield from self._own("space", "") if self.here.key else self._of("space", path[-1])
            case ("sides",):
                if path[-1] == "attribute":
                    yield from attributes(self.ctx, "border")
                elif path[-1] == "value":
                    yield from self._of("border", self.here.given.get("attribute", ""))
            case ("class",):
                yield from self._nouns("space")
            case _:
                pass  # its schema says all there is

    def _scenario(self) -> Iterator[Proposal]:
        path, given = self.here.path, self.here.given
        if path[:1] == ("options",):
            if self.here.key:
                for name, setting in self.ctx.settings.items():
                    if name not in given:
                        yield Proposal(name, "setting", setting.reason, rank=0)
            elif path[-1] in self.ctx.settings:
                yield from self._setting(path[-1])
        elif path[:1] == ("setup",):
            yield from values(self.ctx, thing("space" if self.here.key else "piece"))
            if self.here.key and len(path) == 2:  # the beginning of a list by lines
                yield from values(self.ctx, thing("piece"))
        elif path[:1] == ("off_map",):
            yield from values(self.ctx, thing("piece"))
        elif path[-1:] == ("of",):
            yield Proposal("game", "keyword", "tracks")
            for universe in ("player", "piece", "space"):
                yield from values(self.ctx, thing(universe))
        elif path[-1:] == ("attribute",):
            of = given.get("of", "")
            universe = self._universe(of)
            if universe:
                yield from attributes(self.ctx, universe, of)
            else:
                yield from (Proposal(n, "track", str(t.type), rank=0) for n, t in self.world.tracks.items())
        elif path[-1:] == ("value",):
            known = self.world.attributes.get(
                (self._universe(given.get("of", "")), given.get("attribute", ""))
            )
            track = self.world.tracks.get(given.get("attribute", ""))
            type_: Type | None = known.type if known else track.type if track else None
            yield from values(self.ctx, type_) if type_ is not None else ()

    def _setting(self, name: str) -> Iterator[Proposal]:
        yield from values(self.ctx, self.ctx.settings[name].type)

    def _table(self) -> Iterator[Proposal]:
        path = self.here.path
        if path[-1:] == ("of",):
            for name, enum in self.world.enums.items():
                yield Proposal(name, "enum", ", ".join(enum.values), rank=0)
            yield from self._nouns("piece", "space", "player")
            return
        table = next((t for t in self.ctx.tables.values() if t.span.file.path == self.path), None)
        if table is None:
            return
        if path[-1:] == ("values",):
            yield from self._labels(path[0])
        if "cells" not in path:
            return
        for one in table.keys:
            words = self.world.values_of(one.of) if one.kind == "name" else None
            present = {label.text for labels in table.label_sets(one.axis) for label in labels}
            for word in words or ():
                missing = word not in present
                yield Proposal(
                    word, "value", f"missing {one.name}" if missing else one.name, rank=0 if missing else 2
                )
        if table.result.of in self.world.enums:
            yield from values(self.ctx, Type("enum", table.result.of))
        elif not self.here.key:
            yield from self._results()

    def _labels(self, axis: str) -> Iterator[Proposal]:
        """What the columns or rows of a table over an enumeration can be called."""
        doc = self.desk.document(self.path)
        axes = (doc.root.children or {}) if doc is not None else {}
        parts = (axes[axis].children or {}) if axis in axes else {}
        of = parts["of"].raw if "of" in parts else self.here.given.get("of", "")
        for word in self.world.values_of(of) or () if of else ():
            yield Proposal(word, "value", of, rank=0)

    def _results(self) -> Iterator[Proposal]:
        """What other cells of the table say, the most frequent first."""
        doc = self.desk.document(self.path)
        cells = (doc.root.children or {}).get("cells") if doc is not None else None
        counts: dict[str, int] = {}
        pending = [cells] if cells is not None else []
        while pending:
            node = pending.pop()
            if node.children is None:
                counts[node.raw] = counts.get(node.raw, 0) + 1
            else:
                pending += list(node.children.values())
        for number, word in enumerate(sorted(counts, key=lambda word: -counts[word])[:40]):
            yield Proposal(word, "value", f"in {counts[word]} cells", rank=10 + number)

    def _drawing(self) -> Iterator[Proposal]:
        path = self.here.path
        universe = "piece" if path[:1] == ("counters",) else "border" if path[:1] == ("borders",) else "space"
        if self.here.key:
            if path[-1:] == ("values",) or path[-1:] == ("shapes",):
                yield from self._drawn_values(universe)
            elif path[-1:] == ("legends",):
                for enum in self.world.enums.values():
                    yield from (Proposal(word, "value", enum.name) for word in enum.values)
                yield from values(self.ctx, thing("player"))
                yield from attributes(self.ctx, "piece")
            elif path[-1:] == ("places",):
                yield from self._nouns("space")
            return
        if path[-1:] in (("attribute",), ("marks",), ("numbers",), ("turned",), ("name",), ("value_of",)):
            for one in dict.fromkeys((universe, "space", "border", "piece")):
                for proposal in attributes(self.ctx, one):
                    yield (
                        proposal
                        if one == universe
                        else Proposal(proposal.word, "attribute", proposal.detail, 2)
                    )
        elif path[-1:] == ("hidden",):
            yield from self._nouns("space")

    def _drawn_values(self, universe: str) -> Iterator[Proposal]:
        """The attribute is said in the mapping around this one, before or behind it."""
        doc = self.desk.document(self.path)
        name = self._said_above("attribute")
        if not name and doc is not None:
            node = doc.root
            for key in self.here.path[:-1]:
                node = (node.children or {}).get(key, node)
            said = (node.children or {}).get("attribute")
            name = said.raw if said is not None else ""
        for one in dict.fromkeys((universe, "space", "border", "piece")):
            if (one, name) in self.world.attributes:
                yield from values(self.ctx, self.world.attributes[one, name].type)
                return

    def _said_above(self, key: str) -> str:
        lines = self.desk.text(self.path).split("\n")
        wanted = rf"\b{key}:\s*(\w+)"
        for row in reversed(lines[: self.here.line]):
            if found := re.findall(wanted, row):
                return str(found[-1])
        return ""

    def _game(self) -> Iterator[Proposal]:
        path, given = self.here.path, self.here.given
        match path[-1:]:
            case ("scenario",):
                source = self.desk.view()[0]
                for name, scenario in source.scenarios.items():
                    yield Proposal(name, "scenario", scenario.title or "", rank=0)
            case ("setting",):
                yield from (Proposal(n, "setting", s.reason, rank=0) for n, s in self.ctx.settings.items())
            case ("value",) if path[0] == "spellings" and given.get("setting") in self.ctx.settings:
                yield from self._setting(given["setting"])
            case ("value",) if "watch" in path:
                yield from (Proposal(n, "track", str(t.type), rank=0) for n, t in self.world.tracks.items())
                yield from (
                    Proposal(n, "define", str(d.type)) for n, d in self.ctx.resolved.items() if not d.params
                )
                yield from (Proposal(n, "quantity", "quantity") for n in self.ctx.quantities)
            case ("of",) if path[0] == "spellings":
                yield from self._nouns("space", "piece")
            case ("places",) | ("goals",) if self.here.key:
                yield from self._nouns("space")
                yield from values(self.ctx, thing("player"))

    def _universe(self, identity: str) -> str:
        return next((u for u, all_of in self.world.universes.items() if identity in all_of.index), "")
