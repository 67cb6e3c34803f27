"""Scenarios: where the pieces stand when play begins, options, and starting values of the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Value, at, file_source, spread, value_of
from rulesdsl.book.map.game_map import GameMap
from rulesdsl.book.pieces import Piece
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path
from rulesdsl.book.yaml.schema import schema_problems


@dataclass(frozen=True, slots=True)
class Setting:
    """`{of: lebus, attribute: progress, value: 1}`; `of` is a space, a piece, a player or `game`."""

    of: str
    attribute: str
    value: Value
    source: str
    span: Span = field(compare=False, repr=False)
    of_span: Span = field(compare=False, repr=False)
    attribute_span: Span = field(compare=False, repr=False)
    value_span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file of `scenarios/`. Names in it are checked by `placements` and, later, against the rules.

    Values of options are as written: `yes` arrives as the text "yes", because only the rules know
    whether the option is a flag.
    """

    id: str
    title: str
    summary: str
    source: str
    options: Mapping[str, Value]
    setup: Mapping[str, tuple[str, ...]]
    off_map: tuple[str, ...]
    settings: tuple[Setting, ...]
    span: Span = field(compare=False, repr=False)
    option_spans: Mapping[str, Span] = field(compare=False, repr=False)
    space_spans: Mapping[str, Span] = field(compare=False, repr=False)
    # Every mention of a piece with its place: (piece, the space or None for off the map, where).
    mentions: tuple[tuple[str, str | None, Span], ...] = field(compare=False, repr=False)


def build_scenario(doc: YamlDocument) -> tuple[Scenario | None, list[Diagnostic]]:
    """The scenario of a file, and everything that is wrong with it; none when its form is wrong."""
    problems = schema_problems(doc, "scenario")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    setup = {space: tuple(map(str, pieces)) for space, pieces in value.get("setup", {}).items()}
    off_map = tuple(map(str, value.get("off_map", ())))
    mentions: list[tuple[str, str | None, Span]] = [
        (piece, space, doc.span(("setup", space, index)))
        for space, pieces in setup.items()
        for index, piece in enumerate(pieces)
    ]
    mentions += [(piece, None, doc.span(("off_map", index))) for index, piece in enumerate(off_map)]
    problems += _twice(mentions)
    options = value.get("options", {})
    settings = tuple(
        one for index in range(len(value.get("set", ()))) for one in _settings(doc, ("set", index))
    )
    problems += _set_twice(settings)
    return Scenario(
        id=str(value["scenario"]),
        title=value.get("title", str(value["scenario"])),
        summary=value.get("summary", ""),
        source=file_source(doc),
        options={name: value_of(option) for name, option in options.items()},
        setup=setup,
        off_map=off_map,
        settings=settings,
        span=doc.span(("scenario",)),
        option_spans={name: doc.span(("options", name), key=True) for name in options},
        space_spans={space: doc.span(("setup", space), key=True) for space in setup},
        mentions=tuple(mentions),
    ), problems


def placements(
    game_map: GameMap, pieces: Mapping[str, Piece], scenario: Scenario | None = None
) -> tuple[dict[str, str | None], list[Diagnostic]]:
    """Where each piece begins (None: off the map), and every name that is not on the map or no piece."""
    places = {piece.id: piece.start for piece in pieces.values()}
    problems: list[Diagnostic] = []
    for piece in pieces.values():
        if piece.start is not None and piece.start not in game_map.spaces:
            problems.append(_unknown("space", piece.start, piece.start_span or piece.span, game_map.spaces))
    if scenario is None:
        return places, problems
    for space, place in scenario.space_spans.items():
        if space not in game_map.spaces:
            problems.append(_unknown("space", space, place, game_map.spaces))
    for name, space_or_none, place in scenario.mentions:
        if name not in pieces:
            problems.append(_unknown("piece", name, place, pieces))
        else:
            places[name] = space_or_none
    return places, problems + _forgotten(pieces, places, scenario)


def _forgotten(
    pieces: Mapping[str, Piece], places: Mapping[str, str | None], scenario: Scenario
) -> list[Diagnostic]:
    """Pieces that nobody placed although others of their class were: most likely left out by mistake."""
    placed = {pieces[name].kind for name, space in places.items() if space is not None}
    said = {name for name, _, _ in scenario.mentions}
    return [
        Diagnostic(
            "piece-nowhere",
            f'"{piece.id}" is not placed in the scenario "{scenario.id}"',
            scenario.span,
            help=f'place it under "setup", or add it to "off_map: [{piece.id}]"',
            also=(("the piece", piece.span),),
            severity="warning",
        )
        for piece in pieces.values()
        if places[piece.id] is None and piece.id not in said and piece.kind in placed
    ]


def _unknown(what: str, name: str, place: Span, known: Mapping[str, object]) -> Diagnostic:
    return Diagnostic(
        f"unknown-{what}", f'no {what} is called "{name}"', place, help=did_you_mean(name, known)
    )


def _settings(doc: YamlDocument, path: Path) -> list[Setting]:
    """What an entry sets: one value, or one for each value of an enumeration (`value: {wool: 2, ore: 1}`)."""
    written: dict[str, Any] = at(doc, path)
    name, value = written["attribute"], written["value"]
    keys = list(value) if isinstance(value, dict) else []
    values = spread({name: value})
    places = [(*path, "value", key) for key in keys] or [(*path, "value")]
    return [
        Setting(
            of=str(written["of"]),
            attribute=attribute,
            value=one,
            source=written.get("source", file_source(doc)),
            span=doc.span(path),
            of_span=doc.span((*path, "of")),
            attribute_span=doc.span((*path, "attribute")),
            value_span=doc.span(place),
        )
        for (attribute, one), place in zip(values.items(), places, strict=False)
    ]


def _twice(mentions: list[tuple[str, str | None, Span]]) -> list[Diagnostic]:
    first: dict[str, Span] = {}
    problems: list[Diagnostic] = []
    for piece, _, place in mentions:
        if piece in first:
            also = (("first placed here", first[piece]),)
            problems.append(Diagnostic("piece-twice", f'"{piece}" is placed twice', place, also=also))
        first.setdefault(piece, place)
    return problems


def _set_twice(settings: tuple[Setting, ...]) -> list[Diagnostic]:
    first: dict[tuple[str, str], Span] = {}
    problems: list[Diagnostic] = []
    for setting in settings:
        key = (setting.of, setting.attribute)
        if key in first:
            message = f'"{setting.attribute}" of "{setting.of}" is set twice'
            also = (("first set here", first[key]),)
            problems.append(Diagnostic("set-twice", message, setting.span, also=also))
        first.setdefault(key, setting.span)
    return problems
