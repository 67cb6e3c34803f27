"""Decision points: what is known about a prompt before the game is played."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.compiling.ir.values import Value
from rulesdsl import program as pg
from rulesdsl.program.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """`player chooses …`: options are values of `types` (tuples when there are several)."""

    paragraph: str
    step: pg.ChooseS | pg.ForS
    types: tuple[Type, ...]
    action: str
    out_label: str | None
    prompt: str
    variables: tuple[pg.Var, ...] = ()
    env: tuple[tuple[pg.Var, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MenuSite:
    """`player chooses one of …`: options are numbers of entries; the last may be to decline."""

    paragraph: str
    step: pg.MenuS
    prompt: str
    labels: tuple[str, ...]
    env: tuple[tuple[pg.Var, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TravelSite:
    """`player moves unit by route`: options are spaces, or to halt.

    In the frame stand, from `piece_slot` on, the piece, what it has spent and how many steps it has taken.
    """

    paragraph: str
    step: pg.TravelS
    route: str
    prompt: str
    piece_slot: int = 0
    env: tuple[tuple[pg.Var, Value], ...] = ()
