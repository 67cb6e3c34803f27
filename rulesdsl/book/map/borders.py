"""Borders between spaces: those of the grid, those a file lists, and attributes given to many at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Entry, Value, at, file_source, is_estimate, spans_of, spread, value_of
from rulesdsl.book.map.grids import Grid
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path, shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """`{between: [lebus, goritz], river: true}`; a border has no direction."""

    between: tuple[str, str]
    attributes: Mapping[str, Value]
    span: Span = field(compare=False)
    sources: Mapping[str, str] = field(default_factory=dict)
    default_source: str = ""
    attribute_spans: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    def source_of(self, attribute: str) -> str:
        return self.sources.get(attribute, self.default_source)

    def is_estimated(self, attribute: str) -> bool:
        return is_estimate(self.source_of(attribute))

    def span_of(self, attribute: str) -> Span:
        return self.attribute_spans.get(attribute, self.span)


def build_borders(
    doc: YamlDocument, spaces: Mapping[str, Entry], grid: Grid
) -> tuple[tuple[Border, ...], list[Diagnostic]]:
    """Borders of the grid, those that are listed, and the attributes of the grid's sides."""
    value: dict[str, Any] = at(doc, ())
    drafts = {frozenset(pair): _Draft(pair, doc.span(("class",))) for pair in grid.pairs}
    problems: list[Diagnostic] = []
    for index, fields in enumerate(value.get("borders", ())):
        path: Path = ("borders", index)
        pair = (str(fields["between"][0]), str(fields["between"][1]))
        wrong = _pair_problems(pair, [doc.span((*path, "between", side)) for side in (0, 1)], spaces)
        problems += wrong
        if not wrong:
            problems += _list_border(doc, path, fields, drafts, pair)
    for index, fields in enumerate(value.get("sides", ())):
        problems += _mark_sides(doc, ("sides", index), fields, drafts, spaces)
    source = file_source(doc)
    borders = (
        Border(
            between=draft.between, attributes=draft.attributes, span=draft.span, sources=draft.sources,
            default_source=source, attribute_spans=draft.attribute_spans,
        )
        for draft in drafts.values()
    )  # fmt: skip
    return tuple(borders), problems


@dataclass(slots=True)
class _Draft:
    """A border while facts about it are being collected."""

    between: tuple[str, str]
    span: Span
    listed: bool = False
    attributes: dict[str, Value] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    attribute_spans: dict[str, Span] = field(default_factory=dict)


def _list_border(
    doc: YamlDocument,
    path: Path,
    fields: dict[str, Any],
    drafts: dict[frozenset[str], _Draft],
    pair: tuple[str, str],
) -> list[Diagnostic]:
    here = doc.span((*path, "between"))
    draft = drafts.setdefault(frozenset(pair), _Draft(pair, here))
    if draft.listed:
        message = f'the border between "{pair[0]}" and "{pair[1]}" is given twice'
        return [Diagnostic("duplicate-border", message, here, also=(("first given here", draft.span),))]
    draft.span, draft.listed = here, True
    draft.attributes |= spread({n: v for n, v in fields.items() if n not in ("between", "sources")})
    draft.sources |= fields.get("sources", {})
    draft.attribute_spans |= spans_of(doc, path, fields)
    return [
        Diagnostic(
            "source-unused",
            f'this border gives a source for "{name}", which it does not have',
            doc.span((*path, "sources", name), key=True),
            help=did_you_mean(name, fields),
        )
        for name in fields.get("sources", {})
        if name not in fields
    ]


def _mark_sides(
    doc: YamlDocument,
    path: Path,
    fields: dict[str, Any],
    drafts: dict[frozenset[str], _Draft],
    spaces: Mapping[str, Entry],
) -> list[Diagnostic]:
    """`{attribute: river, value: true, between: "0101/0102 0102/0203"}`"""
    name = fields["attribute"]
    problems: list[Diagnostic] = []
    for match in re.finditer(r"[^\s,]+", fields["between"]):
        place = doc.span_within((*path, "between"), match.start(), len(match[0]))
        here, slash, there = match[0].partition("/")
        if not (here and slash and there) or "/" in there:
            message = f'"{shorten(match[0])}" is not a pair of spaces'
            problems.append(Diagnostic("map-side", message, place, help='write "here/there"'))
            continue
        wrong = _pair_problems((here, there), [place, place], spaces)
        draft = drafts.get(frozenset((here, there)))
        if wrong:
            problems += wrong
        elif draft is None:
            message = f'"{here}" and "{there}" have no common side'
            problems.append(Diagnostic("map-side", message, place))
        elif name in draft.attributes:
            message = f'"{name}" is given twice for the side between "{here}" and "{there}"'
            also = (("first given here", draft.attribute_spans[name]),)
            problems.append(Diagnostic("duplicate-border", message, place, also=also))
        else:
            draft.attributes[name] = value_of(fields.get("value", True))
            draft.attribute_spans[name] = place
            if "source" in fields:
                draft.sources[name] = fields["source"]
    return problems


def _pair_problems(
    pair: tuple[str, str], places: list[Span], spaces: Mapping[str, Entry]
) -> list[Diagnostic]:
    if pair[0] == pair[1]:
        return [Diagnostic("map-side", f'"{pair[0]}" has no border with itself', places[1])]
    return [
        Diagnostic(
            "unknown-space", f'no space is called "{shorten(name)}"', place, help=did_you_mean(name, spaces)
        )
        for name, place in zip(pair, places, strict=True)
        if name not in spaces
    ]
