"""Where zones and cells lie: the Voronoi property, any map of areas, hexes of every kind."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.drawing import counter_sheet, draw_map, prepare
from rulesdsl.drawing.shapes.geometry import Point, along, contains, points_along, signed_area, surrounding
from rulesdsl.drawing.shapes.voronoi import OUTSIDE, voronoi
from tests.kit.drawing_checks import check_apart, check_document, made

HEXES = """\
kind: hexes
class: hex
columns: 6
rows: 4
orientation: {orientation}
shape: {shape}
shift: {shift}
rows_from: {rows_from}
legend: {{".": {{terrain: clear}}, w: {{terrain: woods}}, "~": {{terrain: water}}, t: {{terrain: strange}}}}
terrain: ["..w...", ".ww~t.", "..~~..", "......"]
spaces:
  hex: [{{id: "0202", name: "T<o>wn", city: true, victory_points: 3}}]
  box: [{{id: dead, name: Dead pile}}]
"""
PIECES = """\
pieces:
  unit:
    - id: "r{n}"
      count: 7
      label: "R{n}"
      owner: red
      kind: infantry
      strength: 3
      start: ["0101", "0101", "0101", "0101", "0202", dead, dead]
    - {id: g, owner: green, kind: dragon, strength: 12, start: "0303"}
"""


def sites() -> st.SearchStrategy[list[Point]]:
    whole = st.integers(0, 12)  # many points on one circle: the hard case
    fine = st.floats(0, 100, allow_nan=False).map(lambda x: round(x, 3))
    return st.one_of(
        st.lists(st.tuples(whole, whole), min_size=2, max_size=30, unique=True),
        st.lists(st.tuples(fine, fine), min_size=2, max_size=30, unique=True),
    )


@given(sites(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_voronoi_gives_every_point_to_the_nearest_site(places: list[Point], seed: int) -> None:
    outline = surrounding(places, 10.0)
    cells = voronoi(places, outline)
    areas = [signed_area([corner for corner, _ in cell]) for cell in cells]
    assert min(areas) > 0
    assert abs(sum(areas) - signed_area(outline)) < 1e-6 * signed_area(outline)
    chance = random.Random(seed)
    for cell, site in zip(cells, places, strict=True):
        corners = [corner for corner, _ in cell]
        assert contains(corners, site)
        # A point of the cell, mixed from its corners, is nearest to its own site.
        weights = [chance.random() for _ in corners]
        x = sum(w * c[0] for w, c in zip(weights, corners, strict=True)) / sum(weights)
        y = sum(w * c[1] for w, c in zip(weights, corners, strict=True)) / sum(weights)
        own = (x - site[0]) ** 2 + (y - site[1]) ** 2
        assert all(own <= (x - a) ** 2 + (y - b) ** 2 + 1e-6 * (1 + own) for a, b in places)


@given(sites())
@settings(max_examples=60, deadline=None)
def test_voronoi_neighbours_know_each_other(places: list[Point]) -> None:
    cells = voronoi(places, surrounding(places, 10.0))
    for index, cell in enumerate(cells):
        corners = [corner for corner, _ in cell]
        for (start, other), end in zip(cell, [*corners[1:], corners[0]], strict=True):
            length = (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2
            if other != OUTSIDE and length > 1e-6:
                assert index in [neighbour for _, neighbour in cells[other]]


def zone_map(points: list[Point], pairs: list[tuple[int, int]]) -> str:
    lines = ["kind: areas", "spaces:", "  zone:"]
    lines += [
        f"    - {{id: z{i}, name: Zone {i}, x: {x:.3f}, y: {y:.3f}}}" for i, (x, y) in enumerate(points)
    ]
    if pairs:
        lines.append("borders:")
    lines += [
        f"  - {{between: [z{a}, z{b}], river: {str(a % 2 == 1).lower()}, road: {str(b % 3 == 1).lower()}}}"
        for a, b in pairs
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(24))
def test_any_map_of_areas_can_be_drawn(tmp_path: Path, seed: int) -> None:
    """Also one whose borders no map on paper can have, with points on a lattice or all on a line."""
    chance = random.Random(seed)
    count = (1, 2, 3, 6, 14, 25)[seed % 6]
    places: list[Point]
    match seed // 6:
        case 0:
            places = [(chance.uniform(0, 5), chance.uniform(0, 5)) for _ in range(count)]
        case 1:
            places = [(i % 5, i // 5) for i in range(count)]
        case 2:
            places = [(i, 0) for i in range(count)]
        case _:  # several at one place
            places = [(chance.randint(0, 2), chance.randint(0, 2)) for _ in range(count)]
    possible = list(combinations(range(count), 2))
    source = made(
        tmp_path / "some_map", zone_map(places, chance.sample(possible, min(2 * count, len(possible))))
    )
    root = check_document(draw_map(source))
    ids = [e.attrib["id"] for e in root.iter() if (e.get("id") or "").startswith("zone-")]
    assert sorted(ids) == sorted(f"zone-z{i}" for i in range(count))
    check_apart(prepare(source).layout, 1000)


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
@pytest.mark.parametrize("shape", ["rectangle", "rhombus"])
@pytest.mark.parametrize(("shift", "rows_from"), [("even", "north"), ("odd", "south")])
def test_hexes(tmp_path: Path, orientation: str, shape: str, shift: str, rows_from: str) -> None:
    text = HEXES.format(orientation=orientation, shape=shape, shift=shift, rows_from=rows_from)
    source = made(tmp_path / "hexes", text, PIECES)
    assert source.map is not None
    check_document(draw_map(source))
    check_document(counter_sheet(source))
    layout = prepare(source).layout
    drawn = {frozenset((side.here, side.there)) for side in layout.sides if side.there}
    assert drawn == {frozenset(border.between) for border in source.map.borders}
    check_apart(layout, 500)


def test_rivers_and_roads_on_the_sides_of_hexes(tmp_path: Path) -> None:
    text = HEXES.format(orientation="pointy", shape="rectangle", shift="even", rows_from="north")
    text += "sides:\n"
    text += '  - {attribute: river, between: "0101/0201"}\n'
    text += '  - {attribute: road, between: "0101/0201 0201/0301"}\n'
    root = check_document(draw_map(made(tmp_path / "wet", text)))
    classes = {e.get("class") for e in root.iter()}
    assert {"line river", "line road", "bridge"} <= classes


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8),
    st.lists(st.floats(0, 80), max_size=12),
)
def test_walking_a_line_once_meets_the_same_points_as_walking_it_for_each(
    corners: list[tuple[int, int]], distances: list[float]
) -> None:
    line: list[Point] = [(float(x), float(y)) for x, y in corners]
    wanted = sorted(distances)
    for met, distance in zip(points_along(line, wanted), wanted, strict=True):
        assert met == pytest.approx(along(line, distance)[0], abs=1e-6)
