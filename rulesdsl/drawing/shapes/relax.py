"""Giving the cells of a map room: crowded zones grow, empty ones shrink, nobody changes neighbours.

First the whole map is stretched like a rubber sheet (the cartogram of Dougenik, Chrisman and
Niemeyer), then every corner settles as in a foam: cells press for their area, sides pull like
strings, and a side that is too short to be seen grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulesdsl.drawing.shapes.geometry import Point, centroid, signed_area
from rulesdsl.drawing.shapes.mesh import Mesh

_STRETCHES = 14
_CLOSE_ENOUGH = 1.03  # areas by what they should be, on average: settling does the rest
_SETTLING = 240
_LOOK_EVERY = 20  # steps between two looks whether all is well
_PRESSURE = 0.9
_STRING = 0.05
_TENSION = 0.06
_SHORTEST = 0.42  # of the width of an average cell
_GROWTH = 0.35
_HOLD, _HOLD_OUTLINE = 0.02, 0.12
_PACE = 0.25
_LARGEST_STEP = 0.18  # of the shortest side at a corner: no cell can turn inside out
_Body = tuple[float, float, float, float]  # where, its radius squared, how much it wants to grow × its radius


def wanted_areas(mesh: Mesh, evenness: float, crowd: Sequence[float]) -> list[float]:
    """Areas between those of the map (evenness 0) and all alike (evenness 1), with the same sum.

    `crowd` multiplies the area of a cell that needs more room than others.
    """
    areas = [abs(signed_area(mesh.polygon(cell))) if ring else 0.0 for cell, ring in enumerate(mesh.cells)]
    real = [area for area in areas if area > 0]
    mean = sum(real) / len(real)
    mixed = [
        area ** (1 - evenness) * mean**evenness * factor if area > 0 else 0.0
        for area, factor in zip(areas, crowd, strict=True)
    ]
    scale = sum(areas) / sum(mixed)
    return [area * scale for area in mixed]


def stretch(mesh: Mesh, sites: list[Point], areas: Sequence[float]) -> None:
    """Move the corners, and the sites with them, as a rubber sheet that gives each cell its area."""
    cells = [cell for cell, ring in enumerate(mesh.cells) if ring]
    for _ in range(_STRETCHES):
        bodies: list[_Body] = []
        error = 0.0
        for cell in cells:
            polygon = mesh.polygon(cell)
            area, wanted = max(abs(signed_area(polygon)), 1e-9), areas[cell]
            radius = math.sqrt(area / math.pi)
            growth = math.sqrt(wanted / math.pi) - radius
            bodies.append((*centroid(polygon), radius**2, growth * radius))
            error += max(area, wanted) / min(area, wanted)
        if error / len(cells) < _CLOSE_ENOUGH:
            break
        calm = 1 / (1 + error / len(cells))
        before = list(mesh.corners)
        mesh.corners[:] = [_pushed(point, bodies, calm) for point in mesh.corners]
        if not mesh.is_sound():
            mesh.corners[:] = before
            break
        sites[:] = [_pushed(point, bodies, calm) for point in sites]


def _pushed(point: Point, bodies: Sequence[_Body], calm: float) -> Point:
    """Where a point goes when all bodies grow: far ones, by far the most, push by 1 / distance."""
    px, py = point
    fx = fy = 0.0
    for cx, cy, size, push in bodies:
        dx, dy = px - cx, py - cy
        distance = dx * dx + dy * dy  # like `size`, squared
        if distance > size:
            force = push / distance
        else:
            near = math.sqrt(distance / size)
            force = push / size * near * (4 - 3 * near)
        fx += force * dx
        fy += force * dy
    return (px + calm * fx, py + calm * fy)


def settle(mesh: Mesh, areas: Sequence[float]) -> None:
    """Let the corners find their places as in a foam."""
    rings = [(ring, areas[cell]) for cell, ring in enumerate(mesh.cells) if ring]
    size = math.sqrt(sum(area for _, area in rings) / len(rings))
    outline = mesh.on_outline()
    beside: list[set[int]] = [set() for _ in mesh.corners]
    for ring, _ in rings:
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            beside[a].add(b)
            beside[b].add(a)
    # Corners on the edge of the map pull only along the edge, or the map would shrink.
    strings = [sorted(n & outline) if c in outline else sorted(n) for c, n in enumerate(beside)]
    neighbours = [sorted(n) for n in beside]
    origin = [(x / size, y / size) for x, y in mesh.corners]
    places = list(origin)
    for time in range(_SETTLING):
        if time % _LOOK_EVERY == 0 and not _keep_if_sound(mesh, places, size):
            return
        push = [[0.0, 0.0] for _ in places]
        for ring, wanted in rings:
            lack = wanted / size**2 - signed_area([places[c] for c in ring])
            for index, corner in enumerate(ring):
                before, after = places[ring[index - 1]], places[ring[(index + 1) % len(ring)]]
                push[corner][0] += _PRESSURE * lack * (after[1] - before[1]) / 2
                push[corner][1] -= _PRESSURE * lack * (after[0] - before[0]) / 2
        places = [
            _settled(corner, places, push[corner], neighbours[corner], strings[corner], origin, outline)
            for corner in range(len(places))
        ]
    _keep_if_sound(mesh, places, size)


def _keep_if_sound(mesh: Mesh, places: Sequence[Point], size: float) -> bool:
    """Move the corners of the net to `places`, unless cells would fold over each other there."""
    before = list(mesh.corners)
    mesh.corners[:] = [(x * size, y * size) for x, y in places]
    if mesh.is_sound():
        return True
    mesh.corners[:] = before
    return False


def _settled(
    corner: int,
    places: Sequence[Point],
    push: Sequence[float],
    neighbours: Sequence[int],
    strings: Sequence[int],
    origin: Sequence[Point],
    outline: set[int],
) -> Point:
    x, y = places[corner]
    if not neighbours:
        return (x, y)
    fx, fy = push
    shortest = math.inf
    for other in neighbours:
        dx, dy = places[other][0] - x, places[other][1] - y
        length = max(math.hypot(dx, dy), 1e-9)
        shortest = min(shortest, length)
        if other in strings:
            fx += (_STRING + _TENSION / length) * dx
            fy += (_STRING + _TENSION / length) * dy
        if length < _SHORTEST and not (corner in outline and other in outline):
            fx -= _GROWTH * (_SHORTEST - length) * dx / length
            fy -= _GROWTH * (_SHORTEST - length) * dy / length
    hold = _HOLD_OUTLINE if corner in outline else _HOLD
    fx += hold * (origin[corner][0] - x)
    fy += hold * (origin[corner][1] - y)
    most = _LARGEST_STEP * shortest
    step = _PACE * math.hypot(fx, fy)
    calm = _PACE if step <= most else _PACE * most / step
    return (x + calm * fx, y + calm * fy)
