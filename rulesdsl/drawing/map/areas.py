"""Maps of areas: zones grow around the points of the file, with the neighbours that the game gives them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rulesdsl.book.entries import Entry
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.drawing.map.layout import Layout, Shape, Side
from rulesdsl.drawing.shapes.geometry import (
    Point,
    between,
    centroid,
    contains,
    distance_to_outline,
    length_of,
    signed_area,
    surrounding,
)
from rulesdsl.drawing.shapes.mesh import Mesh, Pair, build_mesh, repair
from rulesdsl.drawing.shapes.pencil import hand_drawn, meandering
from rulesdsl.drawing.shapes.relax import settle, stretch, wanted_areas
from rulesdsl.drawing.shapes.voronoi import OUTSIDE, voronoi
from rulesdsl.drawing.style.style import LOOSE, DrawingStyle

_MARGIN = 46.0  # of paper around the zones
_TOWN_ROOM = 20.0  # a town keeps this distance from its borders, if its zone is large enough
_CROWD = 0.2  # more area for each pile that starts in a zone
_OPEN = 0.4  # area of a gap: what nobody enters needs little room


def lay_out_areas(game_map: GameMap, style: DrawingStyle, crowds: Mapping[str, int]) -> Layout:
    """The zones as shapes. `crowds` says how many piles start in a zone: they need room."""
    drawn = [space for space in game_map.spaces.values() if space.kind not in style.hidden]
    zones = [space for space in drawn if space.x is not None and space.y is not None]
    boxes = tuple(space.id for space in drawn if space.x is None or space.y is None)
    if len(zones) < 2:
        return Layout("areas", style.width, 0, {}, (), (), tuple(game_map.spaces), lambda x, y: (x, y))
    stretch_east = _stretch_east(zones, style)
    towns = [(float(z.x or 0) * stretch_east, -float(z.y or 0)) for z in zones]
    given = _apart(towns + [(x * stretch_east, -y) for x, y in style.gaps])
    mesh, sites = _mesh(game_map, zones, given, style, crowds)
    scale, left, top, height = _frame(mesh, style.width)

    def placed(point: Point) -> Point:
        return ((point[0] - left) * scale + _MARGIN, (point[1] - top) * scale + _MARGIN)

    mesh.corners[:] = [placed(corner) for corner in mesh.corners]
    ids = [*(zone.id for zone in zones), *("" for _ in style.gaps)]
    sides = _sides(mesh, ids, style.wet_borders(game_map.borders))
    shapes = {
        zone.id: _shape(zone.id, _outline(zone.id, mesh, cell, ids, sides), placed(sites[cell]))
        for cell, zone in enumerate(zones)
        if mesh.cells[cell]
    }
    moved = [(given[i], shapes[zone.id].heart) for i, zone in enumerate(zones) if zone.id in shapes]
    moved += [(given[i], placed(sites[i])) for i in range(len(zones), len(given))]
    return Layout(
        kind="areas", width=style.width, height=height, shapes=shapes, sides=tuple(sides.values()),
        corners=tuple(
            (mesh.corners[corner], frozenset(ids[cell] for cell in mesh.cells_at(corner) if ids[cell]))
            for corner in sorted({c for ring in mesh.cells for c in ring})
        ),
        boxes=boxes, project=lambda x, y: _carried((x * stretch_east, -y), moved),
    )  # fmt: skip


def _stretch_east(zones: Sequence[Entry], style: DrawingStyle) -> float:
    """A degree of longitude is shorter than one of latitude, the more so the nearer to the pole."""
    if style.projection != "degrees":
        return 1.0
    return math.cos(math.radians(sum(float(zone.y or 0) for zone in zones) / len(zones)))


def _apart(points: list[Point]) -> list[Point]:
    """Points that coincide are moved a little, each in another direction."""
    extent = max(max(p[i] for p in points) - min(p[i] for p in points) for i in (0, 1)) or 1.0
    seen: dict[Point, int] = {}
    result: list[Point] = []
    for point in points:
        times = seen.get(point, 0)
        seen[point] = times + 1
        turn = 2.4 * times
        result.append(
            (
                point[0] + 0.01 * extent * times * math.cos(turn),
                point[1] + 0.01 * extent * times * math.sin(turn),
            )
        )
    return result


def _mesh(
    game_map: GameMap,
    zones: Sequence[Entry],
    given: Sequence[Point],
    style: DrawingStyle,
    crowds: Mapping[str, int],
) -> tuple[Mesh, list[Point]]:
    spacing = _typical_spacing(given)
    cells = voronoi(given, surrounding(given, 0.75 * spacing))
    mesh = build_mesh(cells, 1e-6 * spacing + 1e-12)
    sites = list(given)
    crowd = [1 + _CROWD * min(5, crowds.get(zone.id, 0)) for zone in zones] + [_OPEN] * len(style.gaps)
    areas = wanted_areas(mesh, style.evenness, crowd)
    stretch(mesh, sites, areas)
    repair(mesh, _neighbours(game_map, zones, style), 0.2 * spacing, len(zones))
    settle(mesh, areas)
    return mesh, sites


def _neighbours(game_map: GameMap, zones: Sequence[Entry], style: DrawingStyle) -> set[Pair]:
    """The pairs of zones that must touch; those that only a passage joins must not."""
    index = {zone.id: i for i, zone in enumerate(zones)}
    points = [line for line in style.borders if line.line in LOOSE]
    return {
        frozenset(index[end] for end in border.between)
        for border in game_map.borders
        if all(end in index for end in border.between)
        and not any(line.applies(border.attributes) for line in points)
    }


def _typical_spacing(points: Sequence[Point]) -> float:
    """The middle one of all distances to the nearest other point."""
    nearest = sorted(
        min(math.dist(p, q) for j, q in enumerate(points) if j != i) for i, p in enumerate(points)
    )
    return nearest[len(nearest) // 2] or 1.0


def _frame(mesh: Mesh, width: float) -> tuple[float, float, float, float]:
    used = [mesh.corners[corner] for ring in mesh.cells for corner in ring]
    xs, ys = [p[0] for p in used], [p[1] for p in used]
    scale = (width - 2 * _MARGIN) / (max(xs) - min(xs))
    return scale, min(xs), min(ys), (max(ys) - min(ys)) * scale + 2 * _MARGIN


def _sides(mesh: Mesh, ids: Sequence[str], wet: set[frozenset[str]]) -> dict[tuple[int, int], Side]:
    """Every side of the net once, by its corners, as a crooked line."""
    sides: dict[tuple[int, int], Side] = {}
    breadths = [_breadth(mesh.polygon(cell)) if ring else 0.0 for cell, ring in enumerate(mesh.cells)]
    for cell in range(len(mesh.cells)):
        for start, end in mesh.sides(cell):
            other = mesh.owner(end, start)
            if (end, start) in sides or not ids[cell]:
                continue
            here, there = ids[cell], "" if other == OUTSIDE else ids[other]
            seed = "|".join(sorted((here, there))) + ("" if there else f"|{start}")
            # In a narrow zone a bold line would run into the one on the other side.
            narrow = breadths[cell] if other == OUTSIDE else min(breadths[cell], breadths[other])
            line = hand_drawn(mesh.corners[start], mesh.corners[end], seed, most=0.14 * narrow)
            if frozenset((here, there)) in wet:
                line = meandering(line, seed, min(3.6, 0.07 * narrow))
            sides[start, end] = Side(here, there, tuple(line))
    return sides


def _breadth(polygon: list[Point]) -> float:
    """About the diameter of the largest circle inside."""
    return 4 * signed_area(polygon) / length_of([*polygon, polygon[0]])


def _outline(
    zone: str, mesh: Mesh, cell: int, ids: Sequence[str], sides: Mapping[tuple[int, int], Side]
) -> list[Point]:
    points: list[Point] = []
    for start, end in mesh.sides(cell):
        line = sides[start, end].line if (start, end) in sides else sides[end, start].line[::-1]
        points += line[:-1]
    return points


def _shape(zone: str, outline: list[Point], town: Point) -> Shape:
    """The town stays where the stretched map puts it, but goes inwards when it is too near to a border."""
    middle = centroid(outline)
    best = town
    for step in range(11):
        best = between(town, middle, step / 10)
        if contains(outline, best) and distance_to_outline(best, outline) >= _TOWN_ROOM:
            break
    return Shape(zone, tuple(outline), best, distance_to_outline(best, outline))


def _carried(point: Point, moved: Sequence[tuple[Point, Point]]) -> Point:
    """A point of the file, carried along with the towns around it."""
    weights = [1 / (math.dist(point, before) ** 2 + 1e-9) for before, _ in moved]
    nearest = sorted(range(len(moved)), key=lambda i: -weights[i])[:6]
    total = sum(weights[i] for i in nearest)
    return (
        sum(weights[i] * moved[i][1][0] for i in nearest) / total,
        sum(weights[i] * moved[i][1][1] for i in nearest) / total,
    )
