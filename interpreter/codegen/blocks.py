"""The blocks of all procedures, numbered; and which steps may share one.

A frame is a list: the number of the block to run next, then the variables. A block is a function
`(m, s, f)` (machine, state, frame) that returns the number of the next block of the same frame, or one
of the signals of the machine. Everything that can stop (a decision, a call) ends a block; everything else is
ordinary structured Python inside one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from interpreter.codegen.emitter import Unit
from interpreter.codegen.moves import MOTIONS
from interpreter.codegen.steps import Log
from interpreter.layout import walk_steps
from interpreter.secrecy import Secrecy
from interpreter.sites import MenuSite, Site, TravelSite
from rulesdsl import program as pg

MOST_IN_ONE_BLOCK = 100_000  # turns of nested loops that count as one step


@dataclass(slots=True)
class Loop:
    """Where `leave` goes, and how many records are open around the loop."""

    exit: int
    records: int


@dataclass(slots=True)
class Blocks:
    """The blocks of all procedures, numbered."""

    unit: Unit
    sources: dict[int, str] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    frame_sizes: dict[str, int] = field(default_factory=dict)
    sites: list[Site | MenuSite | TravelSite] = field(default_factory=list)
    count: int = 0
    log: Log = field(init=False)

    def __post_init__(self) -> None:
        self.log = Log(Secrecy(self.unit.program))

    @property
    def notes(self) -> list[tuple[str, str, tuple[pg.E, ...]]]:
        return self.log.notes

    @property
    def secrecy(self) -> Secrecy:
        return self.log.secrecy

    def new(self) -> int:
        self.count += 1
        return self.count - 1

    def site(self, site: Site | MenuSite | TravelSite) -> int:
        self.sites.append(site)
        return len(self.sites) - 1


def is_long(step: pg.ForS, unit: Unit) -> bool:
    """Loops in loops over many things: in blocks of their own, where steps are counted."""
    world = unit.program.world
    inner = [s.var.type.name for s in walk_steps(step.body) if isinstance(s, pg.ForS)]
    names = [name for name in (step.var.type.name, *inner) if name in world.universes]
    return bool(inner) and prod(len(world.universes[name]) for name in names) > MOST_IN_ONE_BLOCK


def is_straight(steps: pg.Steps, program: pg.Program) -> bool:
    """Whether steps can run without stopping, so that they may stay inside one block."""
    watched = {t.event for t in program.triggers}
    for step in walk_steps(steps):
        match step:
            case pg.DoS() | pg.OpenS() | pg.ChooseS() | pg.MenuS() | pg.TravelS() | pg.RepeatS() | pg.WithS():
                return False
            case pg.JumpS(verb=verb) if verb != "cancel":
                return False
            case pg.MoveS() if watched & MOTIONS:
                return False
            case pg.SetAttr() if "changes" in watched:
                return False
            case pg.FlipS() if "flipped" in watched:
                return False
            case pg.ForS(chooser=chooser) if chooser is not None:
                return False
            case _:
                pass
    return True
