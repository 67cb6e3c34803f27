"""The map of a game: spaces, the borders between them, and their printed attributes.

A map of areas lists both. A map of squares or hexes is generated (`rulesdsl.book.map.grids`) and then looks
exactly the same: everything after this module sees spaces and borders only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.book.entries import Entry, at, build_entry, file_source, same_id_problems, source_problems
from rulesdsl.book.map.borders import Border, build_borders
from rulesdsl.book.map.grids import Grid, build_grid
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.schema import schema_problems

__all__ = ["Border", "Entry", "GameMap", "build_map"]

SPACE_KEYS = frozenset({"x", "y"})


@dataclass(frozen=True)
class GameMap:
    """All spaces by id, in the order of the file (grids: row by row from row 1), and all borders."""

    kind: str  # areas, squares or hexes
    spaces: Mapping[str, Entry]
    borders: tuple[Border, ...]
    directions: tuple[str, ...] = ()  # attributes of grid spaces that lead to the next space
    grid_class: str = ""
    columns: int = 0
    rows: int = 0
    features: Any = None
    source: str = ""
    form: str = ""  # of the cells of a grid: squares, pointy or flat
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # of grid spaces, in half cells

    @cached_property
    def classes(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the spaces of each class."""
        found: dict[str, list[str]] = {}
        for space in self.spaces.values():
            found.setdefault(space.kind, []).append(space.id)
        return {name: tuple(ids) for name, ids in found.items()}

    def neighbours(self, space: str) -> tuple[str, ...]:
        """The spaces that share a border with `space`, in the order of the map."""
        return self._neighbours.get(space, ())

    def border(self, here: str, there: str) -> Border | None:
        """The border between two spaces, named in either order."""
        return self._by_pair.get(frozenset((here, there)))

    def graph(self) -> Any:
        """The map as a `networkx.Graph`: attributes on its nodes and edges, for checks and drawing."""
        import networkx  # here, because importing it costs a quarter of a second

        graph = networkx.Graph()
        for space in self.spaces.values():
            graph.add_node(space.id, kind=space.kind, name=space.name, attributes=space.attributes)
        for border in self.borders:
            graph.add_edge(*border.between, attributes=border.attributes)
        return graph

    def islands(self) -> list[tuple[str, ...]]:
        """The parts of the map between which no border leads, the largest first."""
        import networkx

        position = {space: index for index, space in enumerate(self.spaces)}
        parts = (
            sorted(part, key=position.__getitem__) for part in networkx.connected_components(self.graph())
        )
        return sorted((tuple(part) for part in parts), key=lambda part: (-len(part), position[part[0]]))

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        position = {space: index for index, space in enumerate(self.spaces)}
        found: dict[str, list[str]] = {}
        for border in self.borders:
            here, there = border.between
            found.setdefault(here, []).append(there)
            found.setdefault(there, []).append(here)
        return {space: tuple(sorted(others, key=position.__getitem__)) for space, others in found.items()}

    @cached_property
    def _by_pair(self) -> dict[frozenset[str], Border]:
        return {frozenset(border.between): border for border in self.borders}


def build_map(doc: YamlDocument, limits: Limits = DEFAULT) -> tuple[GameMap | None, list[Diagnostic]]:
    """The map of a file, and everything that is wrong with it; no map when its form is wrong."""
    problems = schema_problems(doc, "map")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    listed = [
        build_entry(doc, ("spaces", kind, index), kind, SPACE_KEYS)
        for kind, entries in value.get("spaces", {}).items()
        for index in range(len(entries))
    ]
    for space in listed:
        problems += source_problems(space, SPACE_KEYS)
    if value["kind"] == "areas":
        grid = Grid((), (), ())
        spaces = listed
    else:
        made, grid_problems = build_grid(doc, limits)
        if made is None:
            return None, problems + grid_problems
        grid = made
        spaces, space_problems = _spaces_of_grid(doc, grid, value["class"], listed)
        problems += space_problems
    repeated = same_id_problems(spaces, "spaces")
    problems += repeated
    if len(spaces) > limits.spaces:
        message = f"the map has {len(spaces):,} spaces, the most is {limits.spaces:,}"
        problems.append(Diagnostic("map-too-big", message, doc.span(("spaces",), key=True)))
    by_id = {space.id: space for space in spaces}
    borders, border_problems = build_borders(doc, by_id, grid)
    # a space with the id of another one leaves its own id missing: one mistake, one message
    problems += [p for p in border_problems if not repeated or p.code != "unknown-space"]
    built = GameMap(
        kind=value["kind"],
        spaces=by_id,
        borders=borders,
        directions=grid.directions,
        grid_class=value.get("class", ""),
        columns=value.get("columns", 0),
        rows=value.get("rows", 0),
        features=value.get("features"),
        source=file_source(doc),
        form=grid.form,
        places={cell.id: cell.place for cell in grid.cells},
    )
    return built, problems


def _spaces_of_grid(
    doc: YamlDocument, grid: Grid, kind: str, listed: list[Entry]
) -> tuple[list[Entry], list[Diagnostic]]:
    """Cells with what the file adds to single ones, then the spaces beside the grid."""
    problems: list[Diagnostic] = []
    additions = {space.id: space for space in listed if space.kind == kind}
    problems += same_id_problems([space for space in listed if space.kind == kind], "spaces")
    known = [cell.id for cell in grid.cells]
    for space in additions.values():
        if space.id not in set(known):
            message = f'there is no {kind} "{space.id}" on this grid'
            problems.append(
                Diagnostic("unknown-space", message, space.span, help=did_you_mean(space.id, known))
            )
        for name in ("column", "row", *grid.directions):
            if name in space.attributes:
                message = f'"{name}" follows from the grid and cannot be given'
                problems.append(Diagnostic("map-attribute", message, space.span_of(name)))
    source = file_source(doc)
    spaces: list[Entry] = []
    for cell in grid.cells:
        added = additions.get(cell.id)
        if added is None:
            entry = Entry(
                id=cell.id, name=cell.id, label=cell.id, kind=kind, attributes=cell.attributes,
                default_source=source, span=cell.span, x=cell.x, y=cell.y,
            )  # fmt: skip
        else:
            entry = replace(
                added, attributes={**cell.attributes, **added.attributes},
                x=cell.x if added.x is None else added.x, y=cell.y if added.y is None else added.y,
            )  # fmt: skip
        spaces.append(entry)
    return spaces + [space for space in listed if space.kind != kind], problems
