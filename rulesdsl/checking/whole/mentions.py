"""What the parts of a program speak of, gathered in one walk: the checks on the whole all ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from operator import attrgetter
from typing import Protocol

from rulesdsl import program as pg
from rulesdsl.base.lightclass import dataclass
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute, World

LOOPS = frozenset((pg.Filter, pg.SumE, pg.ExtremeE, pg.ArgExtreme))
ASKING = LOOPS | {
    pg.AttrGet,
    pg.TrackGet,
    pg.LookupE,
    pg.CallE,
    pg.QuantityE,
    pg.RouteE,
    pg.LegalE,
    pg.AfterE,
}
Parts = Callable[[object], Iterable[object]]
# Fields declared with these types hold no expression; every other field is looked into.
_WITHOUT_EXPRESSIONS = frozenset(
    ("str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "Type", "Attribute", "Constant",
     "Var", "Var | None", "tuple[Var, ...]", "Span | None", "sx.Node | None", "sx.Node")
)  # fmt: skip


class OfParagraph(Protocol):
    """Whatever belongs to a paragraph."""

    @property
    def paragraph(self) -> str: ...


@dataclass(slots=True)
class Mentions:
    """The names that one rule of a program asks directly."""

    called: set[str] = field(default_factory=set)  # defines, quantities, actions, routes
    attributes: set[tuple[str, str]] = field(default_factory=set)
    tracks: set[str] = field(default_factory=set)
    lookups: list[pg.LookupE] = field(default_factory=list)
    loops: list[pg.E] = field(default_factory=list)
    afterwards: list[pg.AfterE] = field(default_factory=list)


def mentions_of(value: object) -> Mentions:
    """Everything that stands in a part of a program, in no particular order."""
    found = Mentions()
    for part in expressions_in(value, ASKING):
        match part:
            case pg.AttrGet(attribute=attribute):
                found.attributes.add((attribute.universe, attribute.name))
            case pg.TrackGet(track=name):
                found.tracks.add(name)
            case pg.AfterE():
                found.afterwards.append(part)
            case pg.LookupE():
                found.lookups.append(part)
            case pg.CallE(define=name) | pg.QuantityE(quantity=name) | pg.RouteE(route=name):
                found.called.add(name)
            case pg.LegalE(action=name):
                found.called.add(name)
            case _:
                found.loops.append(part)
    return found


def program_mentions(
    program: pg.Program, known: dict[int, tuple[object, Mentions]] | None = None
) -> list[tuple[str, str, Mentions]]:
    """(paragraph, name, what it asks) for everything in a program; examples and triggers have no name.

    `known` keeps what was found of parts that are the same next time.
    """
    before = dict(known) if known is not None else {}
    if known is not None:
        known.clear()

    def asked(part: object) -> Mentions:
        held = before.get(id(part))
        found = held[1] if held is not None and held[0] is part else mentions_of(part)
        if known is not None:
            known[id(part)] = part, found
        return found

    tables: tuple[Mapping[str, OfParagraph], ...] = (
        program.defines, program.quantities, program.actions, program.routes, program.procedures,
        program.windows, program.tokens,
    )  # fmt: skip
    found = [(item.paragraph, name, asked(item)) for table in tables for name, item in table.items()]
    found += [(trigger.paragraph, "", asked(trigger)) for trigger in program.triggers]
    return found + [(example.paragraph, "", asked(example)) for example in program.examples]


def expressions_in(value: object, kinds: frozenset[type] | None = None) -> Iterator[pg.E]:
    """Every expression inside a part of a program, or only those of some kinds."""
    pending = [value]
    while pending:
        part = pending.pop()
        if part is None:
            continue
        kind = type(part)
        if kind is tuple:
            pending.extend(part)  # type: ignore[arg-type]
            continue
        if (parts := _PARTS.get(kind)) is None:
            parts = _PARTS[kind] = _parts_of(kind)
        if (kinds is None or kind in kinds) and isinstance(part, pg.E):
            yield part
        pending.extend(parts(part))


def _parts_of(kind: type) -> Parts:
    """How to get at the fields of a part of a program in which expressions may stand."""
    if not is_dataclass(kind) or issubclass(kind, (sx.Node, Type, Attribute, World)):
        return lambda _: ()
    names = [spec.name for spec in fields(kind) if spec.type not in _WITHOUT_EXPRESSIONS]
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda part: (getattr(part, names[0]),)) if names else (lambda _: ())


_PARTS: dict[type, Parts] = {}
