"""Where everything of a map lies on the sheet, before anything is drawn: the same for areas and grids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulesdsl.drawing.shapes.geometry import Point

Rectangle = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True, slots=True)
class Shape:
    """A space on the sheet. `heart` is its town or middle, `room` how far the nearest side is from there."""

    id: str
    outline: tuple[Point, ...]
    heart: Point
    room: float

    @property
    def frame(self) -> Rectangle:
        xs, ys = [p[0] for p in self.outline], [p[1] for p in self.outline]
        return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@dataclass(frozen=True, slots=True)
class Side:
    """The line between two spaces, or between one and the outside (`there` is empty).

    `here` lies to the left of the line when x and y are read as on paper with y upwards; on the screen,
    where y grows downwards, that is to its right. `geometry.beside` with a positive distance goes to `here`.
    """

    here: str
    there: str
    line: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """`corners` are points where spaces meet, with the spaces; `boxes` are spaces beside the map."""

    kind: str
    width: float
    height: float
    shapes: Mapping[str, Shape]
    sides: tuple[Side, ...]
    corners: tuple[tuple[Point, frozenset[str]], ...]
    boxes: tuple[str, ...]
    project: Callable[[float, float], Point]  # from the coordinates of the file, for features of the map

    def sides_between(self, here: str, there: str) -> list[Side]:
        return self._by_pair.get(frozenset((here, there)), [])

    @cached_property
    def _by_pair(self) -> dict[frozenset[str], list[Side]]:
        found: dict[frozenset[str], list[Side]] = {}
        for side in self.sides:
            if side.there:
                found.setdefault(frozenset((side.here, side.there)), []).append(side)
        return found
