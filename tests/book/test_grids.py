"""Grids of squares and hexes: how many, who touches whom, how they are numbered, what is drawn on them."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdsl.base.limits import Limits
from rulesdsl.book.map.game_map import GameMap, build_map
from rulesdsl.book.map.grids import letters
from tests.kit.datafiles import built_map, document, small


def grid(kind: str, columns: int, rows: int, **more: Any) -> GameMap:
    lines = [f"kind: {kind}", "class: cell", f"columns: {columns}", f"rows: {rows}"]
    return built_map("\n".join([*lines, *(f"{key}: {value!r}" for key, value in more.items())]))


def around(game_map: GameMap, space: str) -> dict[str, Any]:
    return {way: game_map.spaces[space].attributes[way] for way in game_map.directions}


# Borders of well-known boards, counted by hand or by formula.
COUNTS = [
    ("squares", 8, 8, {}, 64, 112),
    ("squares", 8, 8, {"adjacency": "all"}, 64, 210),
    ("squares", 3, 3, {"adjacency": "all"}, 9, 20),
    ("squares", 1, 1, {}, 1, 0),
    ("hexes", 11, 11, {"shape": "rhombus"}, 121, 320),  # 3n² - 4n + 1
    ("hexes", 11, 11, {"shape": "rhombus", "orientation": "flat"}, 121, 320),
    ("hexes", 11, 11, {"shape": "rhombus", "rows_from": "north"}, 121, 320),
    ("hexes", 4, 3, {}, 12, 23),
    ("hexes", 4, 3, {"orientation": "flat"}, 12, 23),
]


@pytest.mark.parametrize(("kind", "columns", "rows", "more", "spaces", "borders"), COUNTS)
def test_a_grid_has_the_right_number_of_spaces_and_borders(
    kind: str, columns: int, rows: int, more: dict[str, Any], spaces: int, borders: int
) -> None:
    game_map = grid(kind, columns, rows, **more)
    assert (len(game_map.spaces), len(game_map.borders)) == (spaces, borders)
    assert len(game_map.islands()) == 1
    assert game_map.graph().number_of_edges() == borders


def test_squares_are_numbered_like_a_chess_board() -> None:
    board = grid("squares", 8, 8)
    assert list(board.spaces)[:9] == ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2"]
    assert around(board, "a1") == {
        "north": "a2", "south": None, "east": "b1", "west": None,
        "northeast": "b2", "northwest": None, "southeast": None, "southwest": None,
    }  # fmt: skip
    assert board.neighbours("b2") == ("b1", "a2", "c2", "b3")
    assert grid("squares", 8, 8, adjacency="all").neighbours("a1") == ("b1", "a2", "b2")
    assert (board.spaces["c4"].attributes["column"], board.spaces["c4"].attributes["row"]) == (3, 4)
    assert (board.spaces["c4"].x, board.spaces["c4"].y) == (3, 4)


def test_rows_from_north_turns_the_board_over() -> None:
    board = grid("squares", 3, 3, rows_from="north")
    assert (around(board, "b2")["north"], around(board, "b2")["south"]) == ("b1", "b3")
    assert around(board, "a1")["southeast"] == "b2"


def test_a_rhombus_has_the_neighbours_of_the_game_of_hex() -> None:
    for more in (
        {},
        {"rows_from": "north"},
        {"orientation": "flat"},
        {"orientation": "flat", "rows_from": "north"},
    ):
        board = grid("hexes", 11, 11, shape="rhombus", numbering="{letter}{row}", **more)
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
        assert set(board.neighbours("e5")) == {f"{letters(5 + x)}{5 + y}" for x, y in steps}
        assert set(board.neighbours("a1")) == {"b1", "a2"}
        assert set(board.neighbours("k1")) == {"j1", "j2", "k2"}
        assert set(around(board, "e5").values()) == set(board.neighbours("e5"))


# The hex 0202 of a 3 by 3 map: the neighbours depend on which rows or columns are pushed.
HEXES = [
    ({"orientation": "pointy", "shift": "even"}, "0302 0102 0303 0203 0301 0201"),
    ({"orientation": "pointy", "shift": "odd"}, "0302 0102 0203 0103 0201 0101"),
    ({"orientation": "pointy", "shift": "even", "rows_from": "north"}, "0302 0102 0301 0201 0303 0203"),
    ({"orientation": "flat", "shift": "even"}, "0203 0201 0303 0103 0302 0102"),
    ({"orientation": "flat", "shift": "odd"}, "0203 0201 0302 0102 0301 0101"),
    # The common printed map: 0101 at the top left, even columns half a hex lower, so odd ones pushed north.
    ({"orientation": "flat", "shift": "odd", "rows_from": "north"}, "0201 0203 0302 0102 0303 0103"),
]


@pytest.mark.parametrize(("more", "expected"), HEXES)
def test_hexes_touch_the_right_six(more: dict[str, Any], expected: str) -> None:
    game_map = grid("hexes", 3, 3, **more)
    assert " ".join(around(game_map, "0202").values()) == expected
    first = ("north", "south") if more["orientation"] == "flat" else ("east", "west")
    assert game_map.directions == (*first, "northeast", "northwest", "southeast", "southwest")
    assert set(game_map.neighbours("0202")) == set(expected.split())


@pytest.mark.parametrize(("more", "_"), HEXES)
def test_neighbours_are_drawn_one_hex_apart_and_in_their_direction(more: dict[str, Any], _: str) -> None:
    game_map = grid("hexes", 5, 5, **more)
    for space in game_map.spaces.values():
        for way, other in around(game_map, space.id).items():
            if other is None:
                continue
            there = game_map.spaces[other]
            assert None not in (space.x, space.y, there.x, there.y)
            east, north = there.x - space.x, there.y - space.y  # type: ignore[operator]
            assert east**2 + north**2 == pytest.approx(1, abs=1e-5)
            assert ("north" in way) == (north > 0.1)
            assert ("south" in way) == (north < -0.1)
            assert ("east" in way) == (east > 0.1)
            assert ("west" in way) == (east < -0.1)


OPPOSITE = {"north": "south", "northeast": "southwest", "northwest": "southeast", "east": "west"}


@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_going_there_and_back_ends_at_home(kind: str) -> None:
    game_map = grid(kind, 7, 6)
    for space in game_map.spaces.values():
        for way, back in OPPOSITE.items():
            other = space.attributes.get(way)
            if isinstance(other, str):
                assert game_map.spaces[other].attributes[back] == space.id


NUMBERINGS = [
    ("{letter}{row}", 28, 1, "ab1"),
    ("{column:02}{row:02}", 3, 12, "0312"),
    ("{row:02}{column:02}", 3, 12, "1203"),
    ("{row:3}_{column}", 3, 12, "012_3"),
    ("hex_{letter}_{row}", 1, 2, "hex_a_2"),
]


@pytest.mark.parametrize(("pattern", "column", "row", "name"), NUMBERINGS)
def test_numbering(pattern: str, column: int, row: int, name: str) -> None:
    game_map = grid("squares", 30, 12, numbering=pattern)
    found = [
        s.id
        for s in game_map.spaces.values()
        if (s.attributes["column"], s.attributes["row"]) == (column, row)
    ]
    assert found == [name]


def test_columns_after_z() -> None:
    assert [letters(n) for n in (1, 26, 27, 52, 53, 702, 703)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def test_terrain_additions_and_sides_of_a_hex_map() -> None:
    game_map, problems = build_map(small("map_hexes"))
    assert problems == []
    assert game_map is not None
    # "..b. " is the northernmost row, row 1 because rows count from the north; 0501 is not on the map.
    assert game_map.spaces["0301"].attributes["terrain"] == "broken"
    assert game_map.spaces["0301"].attributes["cost"] == 2
    assert game_map.spaces["0301"].span.line == 12
    assert game_map.spaces["0301"].span.column == 8
    assert "0501" not in game_map.spaces
    assert game_map.spaces["0502"].attributes["north"] is None
    town = game_map.spaces["0302"]
    assert (town.name, town.attributes["city"], town.attributes["column"]) == ("Town", True, 3)
    assert town.x is not None
    assert list(game_map.spaces)[-1] == "dead_pile"
    river = {b.between for b in game_map.borders if b.attributes.get("river")}
    assert river == {("0101", "0102"), ("0102", "0103")}
    marked = game_map.border("0101", "0102")
    assert marked is not None
    assert marked.source_of("river") == "rulebook map"
    assert sum("road" in border.attributes for border in game_map.borders) == 2


def test_layers_add_attributes_to_the_cells_that_are_there() -> None:
    text = "kind: hexes\nclass: c\ncolumns: 2\nrows: 1\nlegend: {'.': {v: 1}, x: none}\nterrain: ['.x']\n"
    game_map = built_map(text + "layers:\n  - {legend: {w: {side: west}, '-': none}, terrain: ['ww']}\n")
    assert {s.id: s.attributes["side"] for s in game_map.spaces.values()} == {"0101": "west"}
    game_map = built_map(text + "layers:\n  - {legend: {w: {side: west}, '-': none}, terrain: ['-w']}\n")
    assert "side" not in game_map.spaces["0101"].attributes


def test_rows_of_terrain_are_drawn_from_the_north_even_when_counted_from_the_south() -> None:
    text = "kind: squares\nclass: c\ncolumns: 1\nrows: 2\nlegend: {n: {v: 1}, s: {v: 2}}\nterrain: [n, s]\n"
    assert {s.id: s.attributes["v"] for s in built_map(text).spaces.values()} == {"a1": 2, "a2": 1}


def test_a_border_can_be_added_to_a_grid() -> None:
    game_map, problems = build_map(small("map_squares"))
    assert problems == []
    assert game_map is not None
    tunnel = game_map.border("d4", "a1")
    assert tunnel is not None
    assert tunnel.attributes == {"tunnel": "yes"}
    assert "d4" in game_map.neighbours("a1")


def test_too_many_spaces_are_refused_before_they_are_made() -> None:
    text = "kind: squares\nclass: c\ncolumns: 3\nrows: 3\n"
    none, problems = build_map(document(text), Limits(spaces=8))
    assert none is None
    assert [problem.code for problem in problems] == ["map-too-big"]
    assert build_map(document(text), Limits(spaces=9))[1] == []
