"""Which spaces hold a piece of each kind: masks kept up to date as pieces move.

"Some German unit in the zone" for all zones at once is then one lookup, as a programmer would have it by
hand. Kinds are made of the printed attributes that the rules ask about most; every piece is of one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from rulesdsl import program as pg
from rulesdsl.world import Attribute

MOST_KINDS = 8
_NOT_RULES = ("type", "source", "span", "world", "tables", "paragraphs", "examples")


@dataclass(frozen=True, slots=True)
class Occupation:
    """`s[base + k]` are the spaces that hold a piece of kind `k`."""

    base: int
    kinds: tuple[int, ...]  # kind → its pieces
    kind_of: tuple[int, ...]  # piece → its kind

    def cells(self, pieces: int) -> list[int] | None:
        """The cells that together tell where these pieces are; None when they are not whole kinds."""
        found = [self.base + k for k, kind in enumerate(self.kinds) if kind & pieces]
        whole = sum(kind for kind in self.kinds if kind & pieces)
        return found if whole == pieces else None


def kinds_of_pieces(program: pg.Program) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The kinds worth keeping a mask for, and the kind of every piece."""
    count = len(program.world.universes["piece"])
    keys: list[tuple[object, ...]] = [()] * count
    for attribute in _asked_about(program):
        finer = [(*key, value) for key, value in zip(keys, attribute.values, strict=True)]
        if len(set(finer)) <= MOST_KINDS:
            keys = finer
    names = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    kind_of = tuple(names[key] for key in keys)
    return tuple(sum(1 << i for i, k in enumerate(kind_of) if k == kind) for kind in names.values()), kind_of


def _asked_about(program: pg.Program) -> list[Attribute]:
    """Printed attributes of pieces with few values, the most asked for first."""
    asked: Counter[str] = Counter()
    for e in expressions(program):
        if isinstance(e, pg.AttrGet) and e.attribute.universe == "piece":
            a = e.attribute
            if a.printed and not a.per_face and (a.type.kind in ("flag", "enum") or a.type.name == "player"):
                asked[a.name] += 1
    return [program.world.attributes["piece", n] for n in sorted(asked, key=lambda n: (-asked[n], n))]


def expressions(value: object) -> Iterator[pg.E]:
    """Every expression of a rule or a whole program, the parts of others included."""
    if isinstance(value, pg.E):
        yield value
    if isinstance(value, Mapping):
        for part in value.values():
            yield from expressions(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from expressions(part)
    elif is_dataclass(value) and type(value).__module__.startswith(pg.__name__):
        for spec in fields(value):
            if spec.name not in _NOT_RULES:
                yield from expressions(getattr(value, spec.name))
