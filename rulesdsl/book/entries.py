"""Things a game file lists (spaces, pieces), with their printed attributes and where each is known from.

Every fact has a source: its own (`sources: {terrain: rulebook annex 3}`), else that of the file. A
reader of the reference site can therefore see which numbers are printed and which are guesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path, Scalar
from rulesdsl.language.conventions import member_of

Value = Scalar | tuple[Scalar, ...]

# Keys of an entry that are not printed attributes the rules may ask for.
NOTHING = "none"  # as rules, scenarios and tables write that there is none
COMMON_KEYS = frozenset({"id", "name", "label", "aliases", "sources"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`{id: lebus, name: Lebus, terrain: difficult, sources: {terrain: rulebook annex 3}}`"""

    id: str
    name: str
    kind: str  # the class of the rules it belongs to, such as `zone`
    attributes: Mapping[str, Value]
    span: Span = field(compare=False)
    label: str = ""
    aliases: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    default_source: str = ""
    attribute_spans: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)
    x: float | None = None
    y: float | None = None

    def source_of(self, attribute: str) -> str:
        """Where the value of `attribute` is known from; empty when nobody said."""
        return self.sources.get(attribute, self.default_source)

    def is_estimated(self, attribute: str) -> bool:
        return is_estimate(self.source_of(attribute))

    def span_of(self, attribute: str) -> Span:
        """The place of an attribute's value, or of the whole entry for a generated attribute."""
        return self.attribute_spans.get(attribute, self.span)


def is_estimate(source: str) -> bool:
    """Whether a source says that the value is somebody's guess."""
    return source.startswith("estimated")


def build_entry(doc: YamlDocument, path: Path, kind: str, reserved: Iterable[str] = ()) -> Entry:
    """The entry at `path`, whose form the schema has checked. `reserved` keys are not attributes."""
    fields: dict[str, Any] = at(doc, path)
    skip = COMMON_KEYS.union(reserved)
    attributes = spread({name: value for name, value in fields.items() if name not in skip})
    identity = str(fields["id"])
    name = str(fields.get("name", identity))
    return Entry(
        id=identity,
        name=name,
        kind=kind,
        label=str(fields.get("label", name)),
        attributes=attributes,
        aliases=tuple(str(alias) for alias in fields.get("aliases", ())),
        sources={
            one: source
            for name, source in fields.get("sources", {}).items()
            for one in (spread({name: fields[name]}) if isinstance(fields.get(name), dict) else (name,))
        },
        default_source=file_source(doc),
        span=doc.span((*path, "id")),
        attribute_spans=spans_of(doc, path, fields),
        x=coordinate(fields.get("x")) if "x" in skip else None,
        y=coordinate(fields.get("y")) if "y" in skip else None,
    )


def source_problems(entry: Entry, known: Iterable[str] = ()) -> list[Diagnostic]:
    """A source for an attribute that the entry does not have is a slip of the pen."""
    names = {*known, *entry.attributes, "name", "label", "aliases"}
    place = entry.attribute_spans.get("sources", entry.span)
    return [
        Diagnostic(
            "source-unused",
            f'"{entry.id}" gives a source for "{name}", which it does not have',
            place,
            help=did_you_mean(name, names),
        )
        for name in entry.sources
        if name not in names
    ]


def at(doc: YamlDocument, path: Path) -> Any:
    """The plain value at `path`."""
    value: Any = doc.value
    for step in path:
        value = value[step]
    return value


def file_source(doc: YamlDocument) -> str:
    """The provenance of the facts of this file that name none of their own."""
    value = doc.value
    return str(value.get("source", "")) if isinstance(value, dict) else ""


def value_of(value: Any) -> Value:
    """A value as a frozen thing: lists become tuples."""
    return tuple(value) if isinstance(value, list) else value


def spread(values: Mapping[str, Any]) -> dict[str, Value]:
    """Values by attribute; of `cost: {woods: 2, town: 1}` each has its own, as the rules know them."""
    found: dict[str, Value] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {member_of(name, key): value_of(one) for key, one in value.items()}
        else:
            found[name] = value_of(value)
    return found


def spans_of(doc: YamlDocument, path: Path, fields: Mapping[str, Any]) -> dict[str, Span]:
    """Where every value of an entry stands."""
    found = {name: doc.span((*path, name)) for name in fields}
    for name, value in fields.items():
        if isinstance(value, dict):
            found |= {member_of(name, key): doc.span((*path, name, key)) for key in value}
    return found


def coordinate(value: int | Fraction | None) -> float | None:
    """Positions are for drawing only, so they may be inexact; nothing of the rules ever is."""
    return None if value is None else float(value)


def nothing_is_called_so(place: Span) -> Diagnostic:
    """In rules, scenarios and tables the word stands for nothing: a thing of that name could not be meant."""
    message = f'"{NOTHING}" stands for nothing: no thing can be called so'
    return Diagnostic("duplicate-id", message, place, help="give it another id")


def same_id_problems(entries: Iterable[Entry], what: str) -> list[Diagnostic]:
    """Ids and aliases name one thing each, and never nothing; both places are shown."""
    first: dict[str, Entry] = {}
    problems: list[Diagnostic] = []
    for entry in entries:
        for name in (entry.id, *entry.aliases):
            if name == NOTHING:
                problems.append(nothing_is_called_so(entry.span))
            other = first.setdefault(name, entry)
            if other is not entry:
                problems.append(
                    Diagnostic(
                        "duplicate-id",
                        f'two {what} are called "{name}"',
                        entry.span,
                        also=(("the other one", other.span),),
                    )
                )
    return problems
