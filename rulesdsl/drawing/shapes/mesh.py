"""The cells of a map as one net of shared corners, and its repair until the zones that touch are neighbours.

Voronoi cells touch a little too often or not quite: cells that touch without a border shrink their
contact to a point (a nexus: nobody passes), and where two zones with a border are kept apart by a
contact that should not be, that contact is turned by a right angle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rulesdsl.drawing.shapes.geometry import Point, between, is_sound, unit
from rulesdsl.drawing.shapes.voronoi import OUTSIDE, Cell

Pair = frozenset[int]


@dataclass(slots=True)
class Mesh:
    """`cells[i]` lists the corners of cell `i` counter-clockwise, as indices into `corners`."""

    corners: list[Point]
    cells: list[list[int]]
    _owners: dict[tuple[int, int], int] = field(default_factory=dict)
    _outline: set[int] = field(default_factory=set)
    _touching: set[Pair] = field(default_factory=set)

    def polygon(self, cell: int) -> list[Point]:
        return [self.corners[corner] for corner in self.cells[cell]]

    def owner(self, start: int, end: int) -> int:
        """The cell to the left of the side from `start` to `end`."""
        return self._owners.get((start, end), OUTSIDE)

    def refresh(self) -> None:
        """After every change of the cells: remember who is beside whom."""
        self._owners = {side: cell for cell in range(len(self.cells)) for side in self.sides(cell)}
        self._outline = {c for s, e in self._owners if (e, s) not in self._owners for c in (s, e)}
        self._touching = {
            frozenset((cell, other))
            for (start, end), cell in self._owners.items()
            if (other := self._owners.get((end, start), cell)) != cell
        }

    def sides(self, cell: int) -> list[tuple[int, int]]:
        ring = self.cells[cell]
        return list(zip(ring, [*ring[1:], *ring[:1]], strict=True))

    def contacts(self, cell: int) -> list[tuple[int, list[int]]]:
        """The neighbours around a cell in order, each with the corners of the contact."""
        runs: list[tuple[int, list[int]]] = []
        for start, end in self.sides(cell):
            neighbour = self.owner(end, start)
            if runs and runs[-1][0] == neighbour:
                runs[-1][1].append(end)
            else:
                runs.append((neighbour, [start, end]))
        if len(runs) > 1 and runs[0][0] == runs[-1][0]:  # the list began in the middle of a contact
            neighbour, last = runs.pop()
            runs[0] = (neighbour, last + runs[0][1][1:])
        return runs

    def contact_pairs(self) -> set[Pair]:
        return self._touching

    def is_sound(self, at: Iterable[int] | None = None) -> bool:
        """Whether all cells (or those at some corners) are proper polygons: then none overlaps another."""
        corners = None if at is None else set(at)
        return all(
            is_sound(self.polygon(cell))
            for cell, ring in enumerate(self.cells)
            if ring and (corners is None or not corners.isdisjoint(ring))
        )

    def cells_at(self, corner: int) -> list[int]:
        return [cell for cell, ring in enumerate(self.cells) if corner in ring]

    def on_outline(self) -> set[int]:
        """The corners that lie on the edge of the map."""
        return self._outline


def build_mesh(cells: Sequence[Cell], same: float) -> Mesh:
    """Corners of different cells that are nearer than `same` are one corner."""
    corners: list[Point] = []
    buckets: dict[tuple[int, int], list[int]] = {}

    def corner_at(point: Point) -> int:
        bx, by = math.floor(point[0] / same), math.floor(point[1] / same)
        for x in (bx - 1, bx, bx + 1):
            for y in (by - 1, by, by + 1):
                for known in buckets.get((x, y), ()):
                    if math.dist(corners[known], point) < same:
                        return known
        corners.append(point)
        buckets.setdefault((bx, by), []).append(len(corners) - 1)
        return len(corners) - 1

    rings = [_without_repeats([corner_at(point) for point, _ in cell]) for cell in cells]
    mesh = Mesh(corners, [ring if len(ring) > 2 else [] for ring in rings])
    mesh.refresh()
    return mesh


def repair(mesh: Mesh, wanted: Iterable[Pair], apart: float, spaces: int) -> None:
    """Turn and shrink contacts until, as far as possible, exactly the wanted pairs of cells touch.

    `apart` is how long a contact made by turning is at first; `relax` gives it its final length. Cells from
    number `spaces` on are gaps, which may touch whatever they like.
    """
    borders = set(wanted)
    while _once(mesh, lambda cell: _turn_one(mesh, cell, borders, apart)):
        pass
    # what has no border at all is closed to everybody: wherever it lies, it misleads nobody
    joined = frozenset().union(*borders)
    closed = [cell for cell in range(spaces) if cell not in joined]
    borders |= {frozenset((cell, other)) for cell in closed for other in range(spaces) if cell != other}
    while _once(mesh, lambda cell: _shrink_one(mesh, cell, borders, spaces)):
        pass


def _once(mesh: Mesh, change: Callable[[int], bool]) -> bool:
    return any(change(cell) for cell in range(len(mesh.cells)))


def _turn_one(mesh: Mesh, cell: int, borders: set[Pair], apart: float) -> bool:
    """Turn a contact of `cell` that keeps two cells with a border apart, when it is no border itself."""
    runs = mesh.contacts(cell)
    if len(runs) < 4:
        return False
    touching = mesh.contact_pairs()
    for index, (neighbour, run) in enumerate(runs):
        before, after = runs[index - 1][0], runs[(index + 1) % len(runs)][0]
        missing = frozenset((before, after))
        if (
            OUTSIDE in missing
            or len(missing) < 2
            or missing in touching
            or missing not in borders
            or frozenset((cell, neighbour)) in borders
            or (len(run) > 2 and neighbour != OUTSIDE)
            or any(len(mesh.cells_at(c)) > (2 if neighbour == OUTSIDE else 3) for c in (run[0], run[-1]))
        ):  # fmt: skip
            continue
        if _tried(mesh, run, lambda: _turn(mesh, cell, neighbour, before, after, run, apart)):  # noqa: B023
            return True
    return False


def _tried(mesh: Mesh, corners: Sequence[int], change: Callable[[], None]) -> bool:
    """Make a change of the net, and take it back when cells would fold over each other."""
    places, rings = list(mesh.corners), [list(ring) for ring in mesh.cells]
    change()
    if mesh.is_sound(corners):
        return True
    mesh.corners[:], mesh.cells[:] = places, rings
    mesh.refresh()
    return False


def _turn(
    mesh: Mesh, cell: int, neighbour: int, before: int, after: int, run: list[int], apart: float
) -> None:
    first, last = run[0], run[-1]
    a, b = mesh.corners[first], mesh.corners[last]
    middle, (dx, dy) = between(a, b), unit(a, b)
    # `cell` lies to the left of the side from first to last: its own corner goes there.
    mesh.corners[first] = (middle[0] - dy * apart / 2, middle[1] + dx * apart / 2)
    mesh.corners[last] = (middle[0] + dy * apart / 2, middle[1] - dx * apart / 2)
    mesh.cells[cell] = [c for c in mesh.cells[cell] if c not in run[1:]]
    if neighbour != OUTSIDE:
        mesh.cells[neighbour] = [c for c in mesh.cells[neighbour] if c != first]
    ring = mesh.cells[before]
    ring.insert(ring.index(first), last)
    ring = mesh.cells[after]
    ring.insert(ring.index(last), first)
    mesh.refresh()


def _shrink_one(mesh: Mesh, cell: int, borders: set[Pair], spaces: int) -> bool:
    """Shrink to a point a contact of `cell` with a cell that is not its neighbour in the game."""
    outline = mesh.on_outline()
    for neighbour, run in mesh.contacts(cell):
        if neighbour == OUTSIDE or frozenset((cell, neighbour)) in borders or len(set(run)) < 2:
            continue
        if max(cell, neighbour) >= spaces:
            continue
        if run[0] in outline and run[-1] in outline:
            continue  # the map would fall apart there
        if _merge(mesh, run):
            return True
    return False


def _merge(mesh: Mesh, run: list[int]) -> bool:
    keep, gone = run[0], set(run[1:])
    rings = [_without_repeats([keep if c in gone else c for c in ring]) for ring in mesh.cells]
    for before, after in zip(mesh.cells, rings, strict=True):
        if before and (len(after) < 3 or len(set(after)) < len(after)):
            return False  # a cell would vanish or be pinched

    def merge() -> None:
        mesh.corners[keep] = between(mesh.corners[keep], mesh.corners[run[-1]])
        mesh.cells[:] = rings
        mesh.refresh()

    return _tried(mesh, [keep], merge)


def _without_repeats(ring: list[int]) -> list[int]:
    return [corner for index, corner in enumerate(ring) if corner != ring[index - 1]]
