"""Drawings of the shipped games: complete, the same every time, and with the neighbours of the game."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.book.loader import GameSource
from rulesdsl.drawing import (
    MapOptions,
    PieceView,
    SpaceMark,
    counter_sheet,
    draw_map,
    prepare,
    set_up,
    style_of,
)
from rulesdsl.drawing.map.places import place_of
from rulesdsl.drawing.scene import Scene
from rulesdsl.drawing.shapes.geometry import contains, signed_area
from rulesdsl.drawing.style.style import LOOSE, DrawingStyle
from tests.kit.drawing_checks import SVG, check_apart, check_document, loaded

STANDARD_LIBRARY = [
    "__future__",
    "collections",
    "dataclasses",
    "fractions",
    "functools",
    "itertools",
    "math",
    "random",
    "re",
    "typing",
    "zlib",
]


def shipped(name: str) -> GameSource:
    return loaded(data_dir("games") / name)


@pytest.mark.parametrize("name", shipped_games())
def test_the_map_of_every_shipped_game(name: str) -> None:
    source = shipped(name)
    if source.map is None:
        pytest.skip("no map")
    style, problems = style_of(source)
    assert problems == []
    svg = draw_map(source)
    root = check_document(svg)
    zones = [e for e in root.iter() if (e.get("id") or "").startswith("zone-")]
    shown = [space.id for space in source.map.spaces.values() if space.kind not in style.hidden]
    assert sorted(e.attrib["id"] for e in zones) == sorted(f"zone-{space}" for space in shown)
    for element in zones:
        title = element.find(f"{SVG}title")
        assert title is not None
        space = source.map.spaces[element.attrib["id"].removeprefix("zone-")]
        assert (title.text or "").startswith(space.name)
    assert draw_map(shipped(name)) == svg


@pytest.mark.parametrize("name", shipped_games())
def test_the_counters_of_every_shipped_game(name: str) -> None:
    source = shipped(name)
    svg = counter_sheet(source)
    root = check_document(svg)
    for piece in source.pieces.values():
        (element,) = [e for e in root.iter() if e.get("id") == f"piece-{piece.id}"]
        faces = [e for e in element if (e.get("class") or "").startswith("counter")]
        assert len(faces) == len(piece.faces)
    assert counter_sheet(source) == svg


@pytest.mark.parametrize("name", shipped_games())
def test_every_shape_has_its_heart_inside_and_overlaps_no_other(name: str) -> None:
    source = shipped(name)
    if source.map is None:
        pytest.skip("no map")
    layout = prepare(source).layout
    hidden = style_of(source)[0].hidden
    shown = [space.id for space in source.map.spaces.values() if space.kind not in hidden]
    assert sorted([*layout.shapes, *layout.boxes]) == sorted(shown)
    for shape in layout.shapes.values():
        assert signed_area(shape.outline) > 0
        assert contains(shape.outline, shape.heart)
        assert shape.room > 10
    check_apart(layout)


# Points of a board game are joined by lines; drawn as areas, some touch that are not joined.
@pytest.mark.parametrize("name", shipped_games())
def test_spaces_touch_exactly_where_the_game_has_a_border(name: str) -> None:
    source = shipped(name)
    if source.map is None or source.map.kind == "squares":
        pytest.skip("squares also touch at corners")
    ready = prepare(source)
    areas = source.map.kind == "areas"  # cells of a grid touch, whatever is drawn between them
    points = [line for line in ready.style.borders if areas and line.line in LOOSE]
    wanted = {
        frozenset(border.between)
        for border in source.map.borders
        if not any(line.applies(border.attributes) for line in points)
        and set(border.between) <= set(ready.layout.shapes)  # otherwise a way off the map
    }
    joined = frozenset().union(*wanted)  # a space without any border cannot mislead anybody
    drawn = {
        frozenset((side.here, side.there))
        for side in ready.layout.sides
        if side.there and {side.here, side.there} <= joined
    }
    if ready.layout.kind == "places":  # nothing touches anything; points are joined by lines
        joined_points = [b for b in source.map.borders if _are_points(source, ready.style, b.between)]
        assert not drawn
        assert draw_map(source).count('class="way"') == len(joined_points)
    else:
        assert drawn == wanted


def _are_points(source: GameSource, style: DrawingStyle, ends: tuple[str, str]) -> bool:
    assert source.map is not None
    return all(place_of(source.map.spaces[end], style).shape == "point" for end in ends)


@pytest.mark.parametrize("name", [name for name in shipped_games() if name.startswith("classics/")])
def test_places_do_not_cover_each_other_and_hold_their_counters(name: str) -> None:
    source = shipped(name)
    ready = prepare(source)
    if ready.layout.kind != "places":
        pytest.skip("its spaces touch")
    frames = [shape.frame for shape in ready.layout.shapes.values()]
    for one, other in combinations(frames, 2):
        apart = one[0] + one[2] <= other[0] + 1 or other[0] + other[2] <= one[0] + 1
        above = one[1] + one[3] <= other[1] + 1 or other[1] + other[3] <= one[1] + 1
        assert apart or above, (one, other)
    some = [PieceView(piece) for piece in source.pieces][:13]
    scene = Scene(source, ready)
    for space, shape in ready.layout.shapes.items():
        left, top, width, height = shape.frame
        for pile in scene.piles({space: some}, source.pieces):
            assert left - 1 <= pile.x <= left + width - pile.size + 1, space
            assert top - 1 <= pile.y <= top + height - pile.size + 1, space


def test_gaps_hidden_classes_and_ways() -> None:
    """A map with seas: nobody grows over the water, countries are no places, some passages are drawn."""
    source = shipped("downfall_of_the_third_reich")
    assert source.map is not None
    ready = prepare(source)
    coast = {side.here for side in ready.layout.sides if not side.there}
    assert {"ireland", "crete", "sicily"} <= coast
    assert not {"berlin", "prague", "bryansk"} & coast
    assert not {"germany", "baltic_sea"} & ({*ready.layout.shapes} | {*ready.layout.boxes})
    svg = draw_map(source)
    axes = [border for border in source.map.borders if border.attributes.get("drawn_axis")]
    assert svg.count('class="line drawn_axis"') == len(axes) > 10
    assert 'class="line with_craft"' not in svg
    assert 'class="connection"' not in svg  # neither coasts nor the axes that are not drawn


@pytest.mark.parametrize("name", shipped_games())
def test_estimates_are_marked(name: str) -> None:
    source = shipped(name)
    numbers = style_of(source)[0].counters.numbers
    guesses = sum(
        piece.is_estimated(number)
        for piece in source.pieces.values()
        for number in numbers
        for face in range(len(piece.faces))
        if piece.on_face(face).get(number) is not None
    )
    svg = counter_sheet(source)
    marked = [e for e in check_document(svg).iter() if e.get("class") == "estimate"]
    assert len(marked) >= guesses
    for element in marked:
        assert element.get("font-style") == "italic"
        assert "".join(element.itertext()).endswith("?")
    if guesses:
        assert "are estimates" in svg
        assert "are estimates" in draw_map(source)


@pytest.mark.parametrize("name", shipped_games())
def test_pieces_marks_and_options(name: str) -> None:
    source = shipped(name)
    if not source.pieces or source.map is None:
        pytest.skip("no pieces")
    ready = prepare(source)
    space = next(iter(ready.layout.shapes))
    views = [
        PieceView(piece.id, len(piece.faces) - 1, turned=True, marks=("out of supply",))
        for piece in source.pieces.values()
    ]
    options = MapOptions(
        prefix="second-",
        title="Elsewhere",
        panel=False,
        highlight=frozenset({space}),
        links={space: "page.html#x"},
        marks={space: [SpaceMark("held by A", text="1"), SpaceMark("a ring", shape="ring")]},
    )
    root = check_document(draw_map(source, {space: views[:12]}, options=options, prepared=ready))
    assert all(e.attrib["id"].startswith("second-") for e in root.iter() if e.get("id"))
    zone = root.find(f".//{SVG}a[@href='page.html#x']/{SVG}g[@id='second-zone-{space}']")
    assert zone is not None
    said = zone.findtext(f"{SVG}title") or ""
    assert "held by A" in said
    assert source.pieces[views[0].id].name in said
    turned = [e for e in root.iter() if "turned" in (e.get("class") or "")]
    assert turned


@pytest.mark.parametrize("name", shipped_games())
def test_positions_are_checked(name: str) -> None:
    source = shipped(name)
    if source.map is None:
        pytest.skip("no map")
    space = next(iter(source.map.spaces))
    with pytest.raises(UsageError, match="no space"):
        draw_map(source, {"nowhere": [PieceView("x")]})
    with pytest.raises(UsageError, match="no piece"):
        draw_map(source, {space: [PieceView("nobody")]})
    with pytest.raises(UsageError, match="no scenario"):
        set_up(source, "never")
    if source.pieces:
        with pytest.raises(UsageError, match="no face"):
            draw_map(source, {space: [PieceView(next(iter(source.pieces)), 9)]})


def test_drawing_needs_no_other_package() -> None:
    root = Path(__file__).parents[2] / "rulesdsl" / "drawing"
    texts = [path.read_text("utf-8") for path in root.glob("*.py")]
    imported = {name for text in texts for name in re.findall(r"^ *(?:from|import) (\w+)", text, re.M)}
    assert imported <= {*STANDARD_LIBRARY, "rulesdsl"}
