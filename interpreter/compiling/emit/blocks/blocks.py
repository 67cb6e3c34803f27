"""The blocks of all procedures, numbered; and which steps may share one.

A frame is a list: the number of the block to run next, then the variables. A block is a function
`(m, s, f)` (machine, state, frame) that returns the number of the next block of the same frame, or one
of the signals of the machine. Everything that can stop (a decision, a call) ends a block; everything else is
ordinary structured Python inside one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import assert_type

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ir.statements import Function
from interpreter.compiling.lower.steps import MOTIONS, Log
from interpreter.compiling.unit import Unit
from interpreter.running.fuel import Place
from interpreter.secrecy.secret_flow import secrecy_of
from interpreter.secrecy.who_knows import Secrecy
from rulesdsl import program as pg
from rulesdsl.program.types import Type
from rulesdsl.program.walk import walk_steps

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
    functions: dict[int, Function] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    frame_sizes: dict[str, int] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)  # of the first step of each
    frame_types: dict[str, tuple[Type | None, ...]] = field(default_factory=dict)
    frame_variables: dict[str, dict[pg.Var, int]] = field(default_factory=dict)  # variable → its place
    procedure_of: dict[int, str] = field(default_factory=dict)  # block → its procedure
    sites: list[Site | MenuSite | TravelSite] = field(default_factory=list)
    inside: dict[int, tuple[int, int]] = field(default_factory=dict)  # site → blocks of what follows a choice
    count: int = 0
    log: Log = field(init=False)

    def __post_init__(self) -> None:
        self.log = Log(secrecy_of(self.unit.program))

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

    def enclose(self, site: int, first: int) -> None:
        """Everything a choice at this site sets going has been written, from this block on."""
        self.inside[site] = (first, self.count)


def is_long(step: pg.ForS, unit: Unit) -> bool:
    """Loops in loops over many things: in blocks of their own, where steps are counted."""
    world = unit.program.world
    inner = [s.var.type.name for s in walk_steps(step.body) if isinstance(s, pg.ForS)]
    names = [name for name in (step.var.type.name, *inner) if name in world.universes]
    return bool(inner) and prod(len(world.universes[name]) for name in names) > MOST_IN_ONE_BLOCK


def is_straight(steps: pg.Steps, program: pg.Program) -> bool:
    """Whether steps can run without stopping, so that they may stay inside one block."""
    watched = {t.event for t in program.triggers}
    for step in map(pg.closed, walk_steps(steps)):
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
                assert_type(step, pg.RunsOn)
    return True
