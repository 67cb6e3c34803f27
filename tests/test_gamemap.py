"""Maps: areas as listed, grids as generated, neighbours in a fixed order, sources of every fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulesdsl.data.gamemap import GameMap, build_map
from rulesdsl.data.grids import letters
from rulesdsl.data.pieces import Piece, build_pieces
from rulesdsl.data.scenario import build_scenario, placements
from rulesdsl.data.yamlfile import YamlDocument, load_yaml
from rulesdsl.diagnostics import Diagnostic
from rulesdsl.limits import Limits
from rulesdsl.source import SourceFile
from rulesdsl.textfile import read_source

SMALL = Path(__file__).parent / "testdata" / "yaml"


def document(text: str) -> YamlDocument:
    return load_yaml(SourceFile(Path("map.yaml"), text))


def built(text: str) -> GameMap:
    game_map, problems = build_map(document(text))
    assert problems == []
    assert game_map is not None
    return game_map


def small(name: str) -> YamlDocument:
    return load_yaml(read_source(SMALL / f"{name}.yaml", 100_000))


def grid(kind: str, columns: int, rows: int, **more: Any) -> GameMap:
    lines = [f"kind: {kind}", "class: cell", f"columns: {columns}", f"rows: {rows}"]
    return built("\n".join([*lines, *(f"{key}: {value!r}" for key, value in more.items())]))


def around(game_map: GameMap, space: str) -> dict[str, Any]:
    return {way: game_map.spaces[space].attributes[way] for way in game_map.directions}


def test_areas_are_as_listed() -> None:
    game_map, problems = build_map(small("map_areas"))
    assert problems == []
    assert game_map is not None
    assert list(game_map.spaces) == ["ford", "hill", "0103", "lost"]
    assert game_map.classes == {"zone": ("ford", "hill", "0103"), "box": ("lost",)}
    ford = game_map.spaces["ford"]
    assert (ford.name, ford.kind, ford.x, ford.y, ford.aliases) == (
        "The Ford",
        "zone",
        14.53,
        52.43,
        ("crossing",),
    )
    assert ford.attributes == {"terrain": "difficult", "index": 11, "trench": True}
    assert game_map.spaces["hill"].attributes == {"terrain": "plain", "roads": ("north", 2, True)}
    assert game_map.neighbours("hill") == ("ford", "0103")
    assert game_map.neighbours("lost") == ()
    border = game_map.border("hill", "ford")
    assert border is not None
    assert border is game_map.border("ford", "hill")
    assert border.attributes == {"river": True}
    assert game_map.border("ford", "0103") is None
    assert game_map.islands() == [("ford", "hill", "0103"), ("lost",)]


def test_every_fact_has_its_source() -> None:
    game_map, _ = build_map(small("map_areas"))
    assert game_map is not None
    ford = game_map.spaces["ford"]
    assert ford.source_of("terrain") == "rulebook annex 3"
    assert ford.source_of("trench") == "reconstructed: geography"
    assert [ford.is_estimated(name) for name in ("terrain", "index", "trench")] == [False, True, False]
    assert ford.span_of("terrain").line == 5
    border = game_map.border("ford", "hill")
    assert border is not None
    assert border.source_of("river") == "rulebook annex 3"
    assert border.source_of("road") == "reconstructed: geography"


def test_neighbours_are_in_the_order_of_the_map_whatever_the_order_of_the_borders() -> None:
    listed = ["{between: [c, b]}", "{between: [a, c]}", "{between: [c, d]}"]
    head = "kind: areas\nspaces: {zone: [{id: d}, {id: b}, {id: c}, {id: a}]}\nborders:\n"
    orders = [listed, listed[::-1]]
    found = {built(head + "".join(f"  - {border}\n" for border in order)).neighbours("c") for order in orders}
    assert found == {("d", "b", "a")}


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
    game_map = built(text + "layers:\n  - {legend: {w: {side: west}, '-': none}, terrain: ['ww']}\n")
    assert {s.id: s.attributes["side"] for s in game_map.spaces.values()} == {"0101": "west"}
    game_map = built(text + "layers:\n  - {legend: {w: {side: west}, '-': none}, terrain: ['-w']}\n")
    assert "side" not in game_map.spaces["0101"].attributes


def test_rows_of_terrain_are_drawn_from_the_north_even_when_counted_from_the_south() -> None:
    text = "kind: squares\nclass: c\ncolumns: 1\nrows: 2\nlegend: {n: {v: 1}, s: {v: 2}}\nterrain: [n, s]\n"
    assert {s.id: s.attributes["v"] for s in built(text).spaces.values()} == {"a1": 2, "a2": 1}


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


def pieces() -> dict[str, Piece]:
    made, problems = build_pieces(small("pieces"))
    assert problems == []
    assert made is not None
    return made


def test_pieces_have_faces_and_are_counted_out() -> None:
    made = pieces()
    assert list(made) == ["first_army", "second_army", "pawn1", "pawn2", "pawn3"]
    army = made["first_army"]
    assert army.attributes == {"side": "red", "army": "61", "kind": "infantry", "movement": 2}
    assert (army.label, army.faces, army.start) == ("1", ({"strength": 12}, {"strength": 6}), "ford")
    assert army.on_face(1) == {**army.attributes, "strength": 6}
    assert army.source_of("strength") == "rulebook annex 3"
    assert army.is_estimated("movement")
    assert made["second_army"].start is None
    assert [(made[f"pawn{n}"].name, made[f"pawn{n}"].start) for n in (1, 2, 3)] == [
        ("Pawn 1", "ford"),
        ("Pawn 2", "hill"),
        ("Pawn 3", "hill"),
    ]


def test_a_scenario_places_pieces_elsewhere() -> None:
    game_map, _ = build_map(small("map_areas"))
    scenario, problems = build_scenario(small("scenario"))
    assert game_map is not None
    assert scenario is not None
    assert problems == []
    assert scenario.options == {"fog": "yes", "turns": 2}
    assert [(s.of, s.attribute, s.value, s.source) for s in scenario.settings] == [
        ("ford", "progress", 1, "rulebook 11"),
        ("game", "turn", 11, "estimated"),
    ]
    places, problems = placements(game_map, pieces(), scenario)
    assert problems == []
    assert places == {
        "first_army": "ford",
        "second_army": "0103",
        "pawn1": "ford",
        "pawn2": None,
        "pawn3": "hill",
    }
    assert placements(game_map, pieces())[0]["pawn2"] == "hill"


def test_names_that_do_not_exist_are_found_when_pieces_are_placed() -> None:
    game_map = built("kind: areas\nspaces: {zone: [{id: ford}]}\n")
    scenario, _ = build_scenario(document("scenario: s\nsetup:\n  fort: [pawn4]\noff_map: [first_army]\n"))
    assert scenario is not None
    _, problems = placements(game_map, pieces(), scenario)

    def seen(problem: Diagnostic) -> tuple[str, int, str]:
        return (problem.message, problem.span.line, problem.help)

    assert sorted(map(seen, problems)) == [
        ('no piece is called "pawn4"', 3, 'did you mean "pawn3"?'),
        ('no space is called "fort"', 3, 'did you mean "ford"?'),
        ('no space is called "hill"', 11, ""),
        ('no space is called "hill"', 11, ""),
    ]


def test_a_piece_that_was_left_out_is_noticed() -> None:
    game_map = built("kind: areas\nspaces: {zone: [{id: ford}, {id: hill}]}\n")
    scenario, _ = build_scenario(document("scenario: s\nsetup:\n  ford: [first_army]\n"))
    assert scenario is not None
    _, problems = placements(game_map, pieces(), scenario)
    assert [(p.code, p.message, p.severity) for p in problems] == [
        ("piece-nowhere", '"second_army" is not placed in the scenario "s"', "warning")
    ]
    listed, _ = build_scenario(document("scenario: s\nsetup: {ford: [first_army]}\noff_map: [second_army]\n"))
    assert listed is not None
    assert placements(game_map, pieces(), listed)[1] == []
