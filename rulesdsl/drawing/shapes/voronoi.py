"""Voronoi cells by cutting: each site starts with the whole outline and loses what is nearer to another.

Exact enough for maps: every corner of a cell is equally near to the sites that meet there, and the
cells together fill the outline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulesdsl.drawing.shapes.geometry import Point, between

OUTSIDE = -1  # the neighbour beyond the outline

# A cell: its corners in order, each with the neighbour behind the side that begins there.
Cell = list[tuple[Point, int]]


def voronoi(sites: Sequence[Point], outline: Sequence[Point]) -> list[Cell]:
    """The part of a convex outline that is nearest to each site; an empty cell for a site without one."""
    return [_cell(index, sites, outline) for index in range(len(sites))]


def _cell(index: int, sites: Sequence[Point], outline: Sequence[Point]) -> Cell:
    site = sites[index]
    others = sorted((math.dist(site, other), j) for j, other in enumerate(sites) if j != index)
    cell: Cell = [(corner, OUTSIDE) for corner in outline]
    for distance, other in others:
        # A site more than twice as far as the farthest corner cannot take anything away any more.
        if not cell or distance > 2 * max(math.dist(site, corner) for corner, _ in cell):
            break
        if distance == 0:  # two sites at one place: the first keeps the cell
            if other < index:
                return []
            continue
        cell = _cut(cell, site, sites[other], other)
    return cell


def _cut(cell: Cell, site: Point, rival: Point, label: int) -> Cell:
    """What remains of `cell` when everything nearer to `rival` is taken away."""
    middle = between(site, rival)
    nx, ny = rival[0] - site[0], rival[1] - site[1]
    beyond = [(corner[0] - middle[0]) * nx + (corner[1] - middle[1]) * ny for corner, _ in cell]
    if all(d <= 0 for d in beyond):
        return cell
    kept: Cell = []
    for i, (corner, neighbour) in enumerate(cell):
        j = (i + 1) % len(cell)
        here, there = beyond[i], beyond[j]
        if here <= 0:
            kept.append((corner, neighbour))
            if there > 0:  # the side leaves the cell: from here on, the rival is the neighbour
                kept.append((between(corner, cell[j][0], here / (here - there)), label))
        elif there <= 0:
            kept.append((between(corner, cell[j][0], here / (here - there)), neighbour))
    return kept
