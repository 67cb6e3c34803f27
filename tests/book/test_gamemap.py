"""Maps of areas, neighbours in a fixed order, sources of every fact; pieces and where they start."""

from __future__ import annotations

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.book.map.game_map import build_map
from rulesdsl.book.pieces import Piece, build_pieces
from rulesdsl.book.scenario import build_scenario, placements
from tests.kit.datafiles import built_map, document, small


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
    found = {
        built_map(head + "".join(f"  - {border}\n" for border in order)).neighbours("c") for order in orders
    }
    assert found == {("d", "b", "a")}


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
    game_map = built_map("kind: areas\nspaces: {zone: [{id: ford}]}\n")
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
    game_map = built_map("kind: areas\nspaces: {zone: [{id: ford}, {id: hill}]}\n")
    scenario, _ = build_scenario(document("scenario: s\nsetup:\n  ford: [first_army]\n"))
    assert scenario is not None
    _, problems = placements(game_map, pieces(), scenario)
    assert [(p.code, p.message, p.severity) for p in problems] == [
        ("piece-nowhere", '"second_army" is not placed in the scenario "s"', "warning")
    ]
    listed, _ = build_scenario(document("scenario: s\nsetup: {ford: [first_army]}\noff_map: [second_army]\n"))
    assert listed is not None
    assert placements(game_map, pieces(), listed)[1] == []
