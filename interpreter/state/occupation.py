"""Which spaces hold a piece of each kind: masks kept up to date as pieces move.

"Some German unit in the zone" for all zones at once is then one lookup, as a programmer would have it by
hand. Kinds are made of the printed attributes that the rules ask about most; every piece is of one kind.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.world import Attribute

MOST_KINDS = 8


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
    kinds = (
        program.defines, program.quantities, program.actions, program.routes, program.procedures,
        program.windows, program.tokens, program.settings, program.visibility,
    )  # fmt: skip
    rules = (*(tuple(kind.values()) for kind in kinds), program.triggers)
    for e in expressions_in(rules):
        if isinstance(e, pg.AttrGet) and e.attribute.universe == "piece":
            a = e.attribute
            if a.printed and not a.per_face and (a.type.kind in ("flag", "enum") or a.type.name == "player"):
                asked[a.name] += 1
    return [program.world.attributes["piece", n] for n in sorted(asked, key=lambda n: (-asked[n], n))]
