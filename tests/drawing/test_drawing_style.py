"""`drawing.yaml`: mistakes in it, and states of play that become marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.drawing import MapOptions, PieceView, SpaceMark, draw_map, piece_view, space_marks, style_of
from rulesdsl.drawing.counters.stacks import piles_in
from rulesdsl.drawing.map.layout import Shape
from rulesdsl.drawing.shapes.free_room import Room
from tests.kit.drawing_checks import check_document, loaded, made

MAP = """\
kind: hexes
class: hex
columns: 3
rows: 2
legend: {".": {terrain: clear}, w: {terrain: woods}}
terrain: ["..w", ".ww"]
"""
PIECES = "pieces: {unit: [{id: r1, owner: red, kind: infantry, strength: 3, start: '0101'}]}\n"

# What the file says, then severity, message and help (none: any) of the one problem that it has.
BAD = [
    ("widht: 900", "error", 'the drawing has no "widht"', 'did you mean "width"?'),
    ("paper: red", "error", '"paper" must be a colour, here is "red"', 'write a colour as "#b22222"'),
    ("evenness: 2", "error", '"evenness" must be at most 1, here is 2', ""),
    (
        "borders: [{attribute: river, line: rivr}]",
        "error",
        '"line" cannot be "rivr"',
        'did you mean "river"?',
    ),
    ("badges: [{attribute: city}]", "error", 'a badge needs "shape"', None),
    (
        "counters: {symbol: {attribute: kind, values: {infantry: wizard}}}",
        "error",
        '"infantry" cannot be "wizard"',
        None,
    ),
    (
        "fill: {attribute: terain, values: {}}",
        "warning",
        'no space has the attribute "terain"',
        'did you mean "terrain"?',
    ),
    (
        'fill: {attribute: terrain, values: {wods: {colour: "#00ff00"}}}',
        "warning",
        'no space has terrain "wods"',
        'did you mean "woods"?',
    ),
    (
        "counters: {numbers: [strenth]}",
        "warning",
        'no piece has the attribute "strenth"',
        'did you mean "strength"?',
    ),
    (
        "borders: [{attribute: river, line: river, name: rivername}]",
        "warning",
        'no border has the attribute "river"',
        None,
    ),
]


@pytest.mark.parametrize(("drawing", "severity", "message", "hint"), BAD)
def test_a_bad_style(tmp_path: Path, drawing: str, severity: str, message: str, hint: str | None) -> None:
    source = made(tmp_path / "styled", MAP, PIECES, drawing + "\n")
    problem = style_of(source)[1][0]
    assert (problem.severity, problem.message) == (severity, message)
    assert hint is None or problem.help == hint
    if severity == "error":
        with pytest.raises(RulebookError):
            draw_map(loaded(tmp_path / "styled"))
    else:
        check_document(draw_map(loaded(tmp_path / "styled")))


def test_states_of_play_become_marks(tmp_path: Path) -> None:
    drawing = """\
marks: [{attribute: held, shape: flag, legend: control}, {attribute: level, shape: box, text: "{value}"}]
counters: {turned: done, marks: [out_of_supply]}
"""
    source = made(tmp_path / "states", MAP, PIECES, drawing)
    style, problems = style_of(source)
    assert problems == []
    states = {"0101": {"held": "red", "level": 2}, "0201": {"held": "none", "level": 0}, "0301": {"other": 1}}
    marks = space_marks(source, style, states)
    held = SpaceMark("control: Red", "#b22222", "", "flag")
    assert marks == {"0101": [held, SpaceMark("level: 2", "#5a4a3a", "2", "box")]}
    view = piece_view(style.counters, "r1", 0, {"done": True, "out_of_supply": True})
    assert view == PieceView("r1", 0, True, ("out of supply",))
    svg = draw_map(source, {"0101": [view]}, options=MapOptions(marks=marks))
    check_document(svg)
    assert svg.rindex("control: Red") > svg.index('class="counter ')  # no counter hides a mark
    legend = svg[svg.index('class="panel"') :]
    assert ">Done<" in legend
    assert ">Out of supply<" in legend
    assert ">Done<" not in draw_map(source)


@pytest.mark.parametrize(("width", "shrunk"), [(160, False), (96, True)])
def test_counters_shrink_where_they_would_cover_others(tmp_path: Path, width: float, shrunk: bool) -> None:
    """Small counters rather than hidden neighbours."""
    pieces = "pieces: {unit: [{id: r1, owner: red, start: '0101'}, {id: b1, owner: blue, start: '0101'}]}\n"
    source = made(tmp_path / "crowd", MAP, pieces, "counters: {size: 46}")
    counters = style_of(source)[0].counters
    outline = ((100.0, 100.0), (100.0 + width, 100.0), (100.0 + width, 150.0), (100.0, 150.0))
    room = Room(400, 300)
    room.claim(((0, 0), (400, 0), (400, 300), (0, 300)))
    shape = Shape("middle", outline, (100 + width / 2, 125), 25)
    svg = piles_in(shape, [PieceView("r1"), PieceView("b1")], source.pieces, counters, room)
    assert ('width="46"' not in svg) is shrunk


def test_without_a_file_the_words_of_the_data_decide(tmp_path: Path) -> None:
    source = made(tmp_path / "plain", MAP, PIECES)
    style, problems = style_of(source)
    assert problems == []
    assert style.fill is not None
    assert style.fill.values["woods"].pattern == "trees"
    assert style.counters.numbers == ("strength",)
    assert style.counters.colour is not None
    assert style.counters.colour.values["red"] == "#b22222"
    assert style.counters.symbol is not None
    assert style.counters.symbol.values == {"infantry": "infantry"}


def test_what_a_wargamer_looks_for_on_hexes(tmp_path: Path) -> None:
    """Works around a hex, names of rivers, ways off the map, and a colour of their own for guards."""
    board = """\
kind: hexes
class: hex
columns: 9
rows: 3
legend: {".": {terrain: clear}, F: {terrain: clear, fortified: true, points: 3}}
terrain: ["F........", ".........", "........."]
spaces: {box: [{id: away}]}
borders: [{between: ["0101", away], adjacent: false}]
sides:
  - {attribute: river, between: "0101/0102 0201/0202 0301/0302 0401/0402 0501/0502 0201/0102 0301/0202 0401/0302"}
  - {attribute: stream, value: Rhine, between: "0101/0102 0201/0202 0301/0302 0401/0402 0501/0502 0201/0102 0301/0202 0401/0302"}
"""  # noqa: E501
    drawing = """\
borders: [{attribute: river, line: river, name: stream}]
badges:
  - {attribute: fortified, shape: rampart, colour: "#6b4a2c", text: ""}
  - {attribute: points, shape: star}
counters:
  colour:
    {attribute: owner, values: {red: "#b22222"}, first: {attribute: kind, values: {infantry: "#101010"}}}
"""
    source = made(tmp_path / "front", board, PIECES, drawing)
    assert style_of(source)[1] == []
    assert source.map is not None
    (fort,) = (space.id for space in source.map.spaces.values() if space.attributes.get("fortified"))
    svg = draw_map(source, {fort: [PieceView("r1", 0)]})
    root = check_document(svg)
    assert len([e for e in root.iter() if e.get("class") == "way-off"]) == 2, "on the map and in the legend"
    assert "Rhine" in "".join(root.itertext())
    assert 'fill="#101010"' in svg
    assert svg.count('stroke="#6b4a2c"') == 2, "around the hex and in the legend"
    assert "scale(0.6)" in svg, "the star makes room for the counter"
