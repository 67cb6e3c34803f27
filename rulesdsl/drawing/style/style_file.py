"""`drawing.yaml`, read strictly: the form by its schema, then the words against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, did_you_mean, errors
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.textfile import read_source
from rulesdsl.book.entries import Value, at
from rulesdsl.book.loader import GameSource
from rulesdsl.book.yaml.file import YamlDocument, load_yaml
from rulesdsl.book.yaml.nodes import Path
from rulesdsl.book.yaml.schema import schema_problems
from rulesdsl.drawing.style.defaults import guessed_style
from rulesdsl.drawing.style.style import (
    BadgeStyle,
    ByAttribute,
    CounterStyle,
    DrawingStyle,
    Fill,
    LineStyle,
    MarkStyle,
    PlaceStyle,
    RouteStyle,
    in_words,
    shown_value,
)

STYLE_FILE = "drawing.yaml"
_LINE_LOOKS: dict[str, tuple[str, float]] = {
    "river": ("#5b9bc8", 6), "road": ("#8a5a2b", 6), "rail": ("#3b3b3b", 3), "teeth": ("#5a3d1e", 2.5),
    "dashed": ("#a0281e", 5), "solid": ("#3b3228", 3), "wall": ("#5a4a3a", 5), "nexus": ("#a0281e", 2),
    "way": ("#8a4f9e", 2), "none": ("#000000", 0),
}  # fmt: skip

T = TypeVar("T")


def style_of(source: GameSource, limits: Limits = DEFAULT) -> tuple[DrawingStyle, list[Diagnostic]]:
    """The style of a game, and what is wrong with its file; the guessed style when there is no file."""
    path = source.directory / STYLE_FILE
    if not path.exists():
        return guessed_style(source), []
    try:
        return build_style(load_yaml(read_source(path, limits.yaml_file_bytes), limits), source)
    except RulebookError as error:
        return guessed_style(source), list(error.problems)


def drawing_problems(source: GameSource) -> list[Diagnostic]:
    """What is wrong with the file that says how the game is drawn, if it has one."""
    return style_of(source)[1] if (source.directory / STYLE_FILE).exists() else []


def usable_style(source: GameSource) -> DrawingStyle:
    """The style of a game whose style file has no error."""
    style, problems = style_of(source)
    if errors(problems):
        raise RulebookError(errors(problems))
    return style


def build_style(doc: YamlDocument, source: GameSource) -> tuple[DrawingStyle, list[Diagnostic]]:
    """The style of a file on top of the guessed one: a key of the file replaces what was guessed."""
    guessed = guessed_style(source)
    problems = schema_problems(doc, "drawing")
    if problems:
        return guessed, problems
    said: dict[str, Any] = at(doc, ())
    changes: dict[str, Any] = {
        key: said[key] for key in ("projection", "names", "towns", "paper", "checkered") if key in said
    }
    changes |= {key: float(said[key]) for key in ("evenness", "width") if key in said}
    if "hidden" in said:
        changes["hidden"] = tuple(said["hidden"])
    if "gaps" in said:
        changes["gaps"] = tuple((float(x), float(y)) for x, y in said["gaps"])
    if "ground" in said:
        changes["ground"] = _fill("ground", said["ground"])
    if "fill" in said:
        changes["fill"] = _by_attribute(said["fill"], _fill)
    if "borders" in said:
        changes["borders"] = tuple(map(_line, said["borders"]))
    if "badges" in said:
        changes["badges"] = tuple(map(_badge, said["badges"]))
    if "routes" in said:
        changes["routes"] = tuple(
            RouteStyle(r["attribute"], r.get("colour", "#5d6b33"), r.get("legend", in_words(r["attribute"])))
            for r in said["routes"]
        )
    if "marks" in said:
        changes["marks"] = tuple(map(_mark, said["marks"]))
    if "places" in said:
        named = changes.get("names", guessed.names) != "none"
        changes["places"] = {name: _place(place, named) for name, place in said["places"].items()}
    if "counters" in said:
        changes["counters"] = _counters(said["counters"], guessed.counters)
    return replace(guessed, **changes), _unknown_words(doc, source)


def _by_attribute(said: Mapping[str, Any], build: Callable[[str, Any], T]) -> ByAttribute[T]:
    values = {key: build(key, value) for key, value in said["values"].items()}
    first = _by_attribute(said["first"], build) if "first" in said else None
    return ByAttribute(said["attribute"], values, first)


def _fill(value: str, said: Mapping[str, Any]) -> Fill:
    return Fill(said["colour"], said.get("pattern", "none"), said.get("legend", in_words(value)))


def _line(said: Mapping[str, Any]) -> LineStyle:
    colour, width = _LINE_LOOKS[said["line"]]
    return LineStyle(
        said["attribute"], said["line"], said.get("colour", colour), float(said.get("width", width)),
        value=shown_value(said.get("value")), name=said.get("name", ""),
        legend=said.get("legend", in_words(said["attribute"])),
    )  # fmt: skip


def _badge(said: Mapping[str, Any]) -> BadgeStyle:
    return BadgeStyle(
        said["attribute"], said["shape"], said.get("colour", "#f5efe0"), said.get("ink", "#2b2418"),
        said.get("text", "{value}"), said.get("legend", in_words(said["attribute"])),
    )  # fmt: skip


def _mark(said: Mapping[str, Any]) -> MarkStyle:
    return MarkStyle(
        said["attribute"], said.get("shape", "flag"), said.get("colour", ""), said.get("text", ""),
        said.get("legend", in_words(said["attribute"])), dict(said.get("shapes", {})),
    )  # fmt: skip


def _place(said: Mapping[str, Any], named: bool) -> PlaceStyle:
    shape = said.get("shape", "box")
    return PlaceStyle(shape, float(said.get("width", 0.9)), float(said.get("height", 0.9)), named)


def _counters(said: Mapping[str, Any], guessed: CounterStyle) -> CounterStyle:
    changes: dict[str, Any] = {
        key: said[key] for key in ("shape", "otherwise", "label", "turned") if key in said
    }
    changes |= {
        key: _by_attribute(said[key], lambda _, v: v)
        for key in ("colour", "ink", "symbol", "sign")
        if key in said
    }
    changes |= {key: tuple(said[key]) for key in ("numbers", "marks") if key in said}
    if "legends" in said:
        changes["legends"] = dict(said["legends"])
    if "size" in said:
        changes["size"] = float(said["size"])
    return replace(guessed, **changes)


def _unknown_words(doc: YamlDocument, source: GameSource) -> list[Diagnostic]:
    """Attributes and values that nothing has: warnings, because a house rule may have taken them away."""
    said: dict[str, Any] = at(doc, ())
    spaces = _vocabulary(s.attributes for s in source.map.spaces.values()) if source.map else {}
    borders = _vocabulary(b.attributes for b in source.map.borders) if source.map else {}
    pieces = _vocabulary(
        piece.on_face(face) for piece in source.pieces.values() for face in range(len(piece.faces))
    )
    uses: list[tuple[Path, str, dict[str, set[str]]]] = [(("fill",), "space", spaces)]
    uses += [
        ((part, i), "space", spaces) for part in ("badges", "routes") for i in range(len(said.get(part, ())))
    ]
    uses += [(("borders", i), "border", borders) for i in range(len(said.get("borders", ())))]
    uses += [(("counters", part), "piece", pieces) for part in ("colour", "ink", "symbol", "sign")]
    uses.append((("counters", "colour", "first"), "piece", pieces))
    problems: list[Diagnostic] = []
    for path, what, known in uses:
        if not _present(said, path):
            continue
        part = at(doc, path)
        for key in ("attribute", "name"):
            if key in part and part[key] not in known:
                problems.append(_unknown(doc, (*path, key), what, part[key], known))
        for value in part.get("values", {}):
            if path[-1] != "sign" and value not in known.get(part["attribute"], {value}):  # a sign may change
                message = f'no {what} has {part["attribute"]} "{value}"'
                place = doc.span((*path, "values", value), key=True)
                hint = did_you_mean(value, known[part["attribute"]])
                problems.append(Diagnostic("drawing-value", message, place, help=hint, severity="warning"))
    for index, name in enumerate(said.get("counters", {}).get("numbers", ())):
        if name not in pieces:
            problems.append(_unknown(doc, ("counters", "numbers", index), "piece", name, pieces))
    return problems


def _unknown(doc: YamlDocument, path: Path, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    message = f'no {what} has the attribute "{name}"'
    hint = did_you_mean(name, known)
    return Diagnostic("drawing-attribute", message, doc.span(path), help=hint, severity="warning")


def _present(said: Any, path: Path) -> bool:
    for step in path:
        if isinstance(said, dict) and step not in said:
            return False
        said = said[step]
    return True


def _vocabulary(things: Iterable[Mapping[str, Value]]) -> dict[str, set[str]]:
    """Every attribute with the values it has somewhere."""
    found: dict[str, set[str]] = {}
    for thing in things:
        for name, value in thing.items():
            found.setdefault(name, set()).add(shown_value(value))
    return found
