"""The data files of a generated game. JSON is YAML: what is written here is read strictly all the same."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rulesdsl.program.types import Type
from tests.fuzzing.book import Attribute, Book, Table, TableKey

RATIOS = ["1:3", "1:2", "1:1", "2:1", "3:1"]


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def write_data(book: Book, name: str) -> None:
    """game.yaml, map.yaml, pieces.yaml and the scenarios."""
    grid = book.files.pop("grid", "")
    book.files["map.yaml"] = _dumped(_areas(book) if not grid else _grid(book, *map(int, grid.split())))
    book.files["pieces.yaml"] = _dumped({"source": "house: invented", "pieces": _pieces(book)})
    for number in range(book.luck.choice([0, 1, 1, 2])):
        scenario = f"dawn_{number}"
        book.scenarios.append(scenario)
        book.files[f"scenarios/{scenario}.yaml"] = _dumped(_scenario(book, scenario))
    game: dict[str, Any] = {
        "game": name,
        "title": "A generated game",
        "summary": "Made at random, to be tried.",
        "players": [{"id": p, "name": p.capitalize()} for p in book.players],
    }
    if book.scenarios:
        game["scenario"] = book.luck.choice(book.scenarios)
    book.files["game.yaml"] = _dumped(game)


def _value(book: Book, attribute: Attribute) -> Any:
    luck = book.luck
    type_ = attribute.type
    match type_.kind:
        case "number" if type_.low is not None and type_.high is not None:
            return luck.randint(type_.low, type_.high)
        case "number":
            return luck.choice([0, 1, 2, 3, 5, 0.5])
        case "flag":
            return luck.random() < 0.5
        case "enum":
            return luck.choice(book.enums[type_.name])
        case "thing" if type_.name in book.group_ids:
            return luck.choice(book.group_ids[type_.name])
        case "thing" if type_.name == "player":
            return luck.choice(book.players)
        case _:
            return luck.choice(["left", "right"])


def _printed(book: Book, universe: str, cls: str, faces: bool = False) -> dict[str, Any]:
    return {
        a.name: _value(book, a)
        for a in book.attributes
        if a.printed and a.universe == universe and a.owner == cls and a.per_face == faces
        if faces or a.type.kind != "thing" or not a.type.nullable or book.maybe(0.5)
    }


def _areas(book: Book) -> dict[str, Any]:
    spaces = {
        cls: [
            {"id": one, "name": one.capitalize(), "x": n, "y": n * n % 5, **_printed(book, "space", cls)}
            for n, one in enumerate(ids)
        ]
        for cls, ids in book.spaces.items()
    }
    borders: list[dict[str, Any]] = []
    for a, b in book.borders:
        border: dict[str, Any] = {"between": [a, b], **_printed(book, "border", "")}
        if book.maybe(0.1):
            border["adjacent"] = False
        borders.append(border)
    return {"kind": "areas", "source": "house: invented", "spaces": spaces, "borders": borders}


def _grid(book: Book, columns: int, rows: int) -> dict[str, Any]:
    cls = next(iter(book.spaces))
    legend = {sign: _printed(book, "space", cls) for sign in "abc"}
    terrain = ["".join(book.luck.choice("abc") for _ in range(columns)) for _ in range(rows)]
    found: dict[str, Any] = {
        "kind": book.form, "class": cls, "columns": columns, "rows": rows, "legend": legend,
        "terrain": terrain,
    }  # fmt: skip
    if book.form == "squares":
        found["numbering"] = "{letter}{row}"
    else:
        found |= {"orientation": "pointy", "shift": book.luck.choice(["even", "odd"])}
    return found


def _pieces(book: Book) -> dict[str, list[dict[str, Any]]]:
    luck = book.luck
    places = [one for ids in book.spaces.values() for one in ids]
    found: dict[str, list[dict[str, Any]]] = {}
    for cls, ids in book.pieces.items():
        entries = []
        for number, one in enumerate(ids):
            entry: dict[str, Any] = {
                "id": one,
                "name": f"The {cls} {number + 1}",
                **_printed(book, "piece", cls),
            }
            faces = [_printed(book, "piece", cls, faces=True) for _ in range(2)]
            if any(faces) or luck.random() < 0.5:
                entry["faces"] = faces
            if luck.random() < 0.8:
                entry["start"] = luck.choice(places)
            entries.append(entry)
        found[cls] = entries
    return found


def _scenario(book: Book, name: str) -> dict[str, Any]:
    luck = book.luck
    found: dict[str, Any] = {"scenario": name, "title": name.capitalize()}
    pieces = [one for ids in book.pieces.values() for one in ids]
    places = [one for ids in book.spaces.values() for one in ids]
    moved = luck.sample(pieces, min(2, len(pieces)))
    if luck.random() < 0.6:
        found["setup"] = {luck.choice(places): moved}
    sets = []
    for track in book.tracks:
        if luck.random() < 0.3 and track.type.kind in ("number", "enum", "flag"):
            sets.append({"of": "game", "attribute": track.name, "value": _state(book, track.type)})
    if sets:
        found["set"] = sets
    return found


def _state(book: Book, type_: Type) -> Any:
    if type_.kind == "number":
        return book.luck.randint(type_.low or 0, type_.high or 4)
    return book.luck.random() < 0.5 if type_.kind == "flag" else book.luck.choice(book.enums[type_.name])


# ---- tables ------------------------------------------------------------------------------------------
def _labels(book: Book, key: TableKey) -> list[Any]:
    luck = book.luck
    if key.kind == "ratio":
        return RATIOS[luck.randint(0, 2) :]
    if key.kind == "flag":
        return ["yes", "no"] if luck.random() < 0.7 else ["yes", "any"]
    if key.kind == "name":
        values = list(book.enums.get(key.of, book.players))
        return values if luck.random() < 0.7 else [values[0], "any"]
    cuts = sorted(luck.sample(range(key.low + 1, key.high + 1), min(luck.choice([1, 2]), key.high - key.low)))
    edges = [key.low, *cuts, key.high + 1]
    found = [f"{a}-{b - 1}" if b - 1 > a else str(a) for a, b in pairwise(edges)]
    if key.open_ended:
        found[0] = f"<={edges[1] - 1}"
        found[-1] = f"{edges[-2]}+"
    return found


def _cell(book: Book, kind: str, enum: str) -> Any:
    luck = book.luck
    match kind:
        case "number":
            return luck.choice([0, 1, 2, -1, 3])
        case "flag":
            return luck.choice(["yes", "no"])
        case "text":
            return luck.choice(["left", "a word", "x"])
        case "name":
            return luck.choice(book.enums[enum])
        case "codes":
            return luck.choice(["-", "H1", "H2", "R", "H1R"])
        case _:
            return {
                "found": luck.choice(["yes", "no"]),
                "bonus": luck.randint(0, 2),
                "mood_of": luck.choice(book.enums[enum]),
            }


def write_table(book: Book, table: Table, axes: tuple[str, ...], kind: str, enum: str) -> Table:
    """The file of a table, and the table with the places that a house rule may set."""
    luck = book.luck
    labels = {axis: _labels(book, key) for axis, key in zip(axes, table.keys, strict=True)}
    sheet: dict[str, Any] = {"table": table.name, "source": "house: invented"}
    for axis, key in zip(axes, table.keys, strict=True):
        sheet[axis] = {"key": key.name, "kind": key.kind} | ({"of": key.of} if key.of else {})
        if axis == "columns":
            sheet[axis]["values"] = labels[axis]
            if key.kind == "ratio":
                sheet[axis] |= {"below": "first", "above": "last"}
    result: dict[str, Any] = {"kind": kind}
    if kind == "name":
        result["of"] = enum
    elif kind == "codes":
        result["codes"] = {"H": {"kind": "number", "name": "hits"}, "R": {"kind": "flag", "name": "retreat"}}
    elif kind == "fields":
        result["fields"] = {"found": "flag", "bonus": "number", "mood_of": {"kind": "name", "of": enum}}
    sheet["result"] = result

    def row() -> Any:
        if "columns" not in labels:
            return _cell(book, kind, enum)
        return [_cell(book, kind, enum) for _ in labels["columns"]]

    def rows() -> dict[str, Any]:
        return {str(label): row() for label in labels["rows"]}

    sheet["cells"] = {str(page): rows() for page in labels["pages"]} if "pages" in labels else rows()
    book.files[f"tables/{table.name}.yaml"] = _dumped(sheet)
    places = tuple(tuple(f'"{luck.choice(labels[axis])}"' for axis in axes) for _ in range(3))
    return replace(table, cells=places)
