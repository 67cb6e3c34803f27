"""What must hold for every drawing, and a reader of SVG that knows where points really are."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.drawing.map.layout import Layout
from rulesdsl.drawing.shapes.geometry import contains, distance_to_outline, length_of
from rulesdsl.drawing.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"
_GAME = "game: {name}\ntitle: A <game> & more\nplayers: [{{id: red, name: Red, colour: '#b22222'}}]\n"
_TAGS = {"svg", "title", "desc", "rect", "g", "path", "circle", "text", "tspan", "textPath", "defs"}
_TAGS |= {"pattern", "use", "a"}

Point = tuple[float, float]
Matrix = tuple[float, float, float]  # scale, then move right and down: all that our drawings use

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_NUMBERS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def drawn_points(root: ElementTree.Element) -> Iterator[Point]:
    """Corners and ends of everything outside of patterns."""
    yield from _points(root, (1.0, 0.0, 0.0))


def _points(element: ElementTree.Element, outer: Matrix) -> Iterator[Point]:
    name = element.tag.rsplit("}", 1)[-1]
    if name == "pattern":
        return
    matrix = _combined(outer, element.get("transform", ""))
    scale, right, down = matrix
    for x, y in _own_points(name, element):
        yield (x * scale + right, y * scale + down)
    for child in element:
        yield from _points(child, matrix)


def _own_points(name: str, element: ElementTree.Element) -> Iterator[Point]:
    def number(attribute: str) -> float:
        return float(element.get(attribute, "0"))

    if name == "rect":
        yield (number("x"), number("y"))
        yield (number("x") + number("width"), number("y") + number("height"))
    elif name == "circle":
        yield (number("cx") - number("r"), number("cy") - number("r"))
        yield (number("cx") + number("r"), number("cy") + number("r"))
    elif name == "text" and element.get("x") is not None:
        yield (number("x"), number("y"))
    elif name == "path":
        yield from path_points(element.attrib["d"])


def _combined(outer: Matrix, transform: str) -> Matrix:
    scale, right, down = outer
    for kind, inside in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(part) for part in inside.split()]
        if kind == "translate":
            right, down = right + scale * values[0], down + scale * values[1]
        elif kind == "scale":
            scale *= values[0]
        else:
            raise AssertionError(f"a transformation that the test does not know: {kind}")
    return (scale, right, down)


def path_points(d: str) -> Iterator[Point]:
    """The points of a path between its pieces; control points of curves are left out."""
    tokens = _TOKEN.findall(d)
    position = 0
    x = y = start_x = start_y = 0.0
    command = ""
    while position < len(tokens):
        if tokens[position].isalpha():
            command = tokens[position]
            position += 1
        count = _NUMBERS[command.lower()]
        values = [float(token) for token in tokens[position : position + count]]
        assert len(values) == count, d
        position += count
        base_x, base_y = (x, y) if command.islower() else (0.0, 0.0)
        match command.lower():
            case "z":
                x, y = start_x, start_y
            case "h":
                x = base_x + values[0]
            case "v":
                y = base_y + values[0]
            case _:
                x, y = base_x + values[-2], base_y + values[-1]
        if command.lower() == "m":
            start_x, start_y = x, y
            command = "l" if command == "m" else "L"
        yield (x, y)


def loaded(path: Path) -> GameSource:
    source, problems = load_game(path)
    assert source is not None, problems
    return source


def made(directory: Path, map_text: str, pieces: str = "", drawing: str = "") -> GameSource:
    """A game of the given files."""
    directory.mkdir(exist_ok=True)
    (directory / "game.yaml").write_text(_GAME.format(name=directory.name))
    (directory / "map.yaml").write_text(map_text)
    for name, text in (("pieces.yaml", pieces), ("drawing.yaml", drawing)):
        if text:
            (directory / name).write_text(text)
    return loaded(directory)


def check_document(svg: str) -> ElementTree.Element:
    """Well-formed, ids once, nothing from outside, nothing that acts, everything inside the frame."""
    assert svg.startswith("<svg ")
    root = ElementTree.fromstring(svg)
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    referred = set(re.findall(r"url\(#([^)]*)\)", svg))
    for element in root.iter():
        assert element.tag in {SVG + name for name in _TAGS}, element.tag
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "://" not in value
            if name.endswith("href") and element.tag != f"{SVG}a":
                assert value.startswith("#")
                referred.add(value[1:])
    assert referred <= set(ids)
    assert re.findall(r"url\((?!#)", svg) == []
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    for x, y in drawn_points(root):
        assert -0.5 <= x <= width + 0.5
        assert -0.5 <= y <= height + 0.5
    _check_texts_on_paths(root)
    return root


def _check_texts_on_paths(root: ElementTree.Element) -> None:
    """A line is as long as the words on it: what goes beyond its ends is not drawn."""
    paths = {e.get("id"): e.attrib["d"] for e in root.iter(f"{SVG}path")}
    for text in root.iter(f"{SVG}text"):
        for words in text.iter(f"{SVG}textPath"):
            line = list(path_points(paths[words.attrib["href"][1:]]))
            wide = text_width(words.text or "", float(text.attrib["font-size"]))
            wide += len(words.text or "") * float(text.get("letter-spacing", "0"))
            assert length_of(line) >= wide, words.text


def check_apart(layout: Layout, samples: int = 3000) -> None:
    """No point of the sheet belongs to two spaces."""
    chance = random.Random(5)
    frames = {shape.id: shape.frame for shape in layout.shapes.values()}
    for _ in range(samples):
        x, y = chance.uniform(0, layout.width), chance.uniform(0, layout.height)
        here = [
            shape
            for shape in layout.shapes.values()
            if 0 <= x - frames[shape.id][0] <= frames[shape.id][2]
            and 0 <= y - frames[shape.id][1] <= frames[shape.id][3]
            and contains(shape.outline, (x, y))
        ]
        # Along a common side rounding may count a point twice.
        assert len(here) < 2 or all(distance_to_outline((x, y), s.outline) < 0.1 for s in here)
