"""Small hex boards with routes of every kind, for tests that search them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from interpreter.playing.session import Session

COLUMNS = ROWS = 5
RULES = """# Routes

## 1 All

```rules
space cell
    wall: flag
    goal: flag
    toll: number

piece pawn

route sight(pawn)
    from pawn.at
    straight
    at most 4 steps
    through cells where not cell is wall
    ending in cells where not cell is goal

route short(pawn)
    from pawn.at
    cost cell.toll
    budget 7
    at most 3 steps

route long(pawn)
    from pawn.at
    cost cell.toll
    budget 9
    at least 3 steps
    at most 4 steps
    ending in cells where not cell is wall

route eager(pawn)
    from pawn.at
    cost cell.toll
    budget 6
    always 2 steps
    at least 1 step

route flight(pawn)
    from pawn.at
    cost cell.toll
    budget 5
    at least 1 step
    ending in cells where not cell is wall
    prefer in order
        1 cell is goal and cell.toll = 1 "a quiet goal"
        2 cell is goal "a goal"
        3 cell.toll <= 2 "anywhere cheap"

forbid short, long, eager, flight into cell when cell.toll = 4 "too steep"
stop short, long, eager, flight in cell when cell.toll = 3 "out of breath"

phase game
    repeat at most 9 times:
        one moves p by flight
        one chooses one of:
            "again": note "again"
```
"""


def game(home: Path, orientation: str = "pointy", rules: str = RULES) -> Session:
    (home / "rules").mkdir(parents=True)
    (home / "rules" / "1.md").write_text(rules)
    (home / "game.yaml").write_text(f"game: {home.name}\ntitle: T\nplayers:\n  - {{id: one, name: One}}\n")
    (home / "map.yaml").write_text(
        f"kind: hexes\nclass: cell\ncolumns: {COLUMNS}\nrows: {ROWS}\norientation: {orientation}\n"
        'shift: even\nnumbering: "{letter}{row}"\n'
    )
    (home / "pieces.yaml").write_text("pieces:\n  pawn:\n    - {id: p, name: Pawn, start: c3}\n")
    return Session.start(home)


@dataclass
class Board:
    """The board written anew for each trial, in the state and in plain lists."""

    session: Session
    tolls: list[int]
    walls: set[int]
    goals: set[int]

    @property
    def cells(self) -> int:
        return len(self.tolls)

    def around(self, cell: int) -> list[int]:
        return [there for there, _ in self.session.ruleset.program.world.adjacency[cell]]

    def state(self) -> list[Any]:
        layout, s = self.session.ruleset.layout, self.session.machine.s[:]
        base = layout.arrays["space", "toll"].base
        s[base : base + self.cells] = self.tolls
        s[layout.flags["space", "wall"][""]] = sum(1 << cell for cell in self.walls)
        s[layout.flags["space", "goal"][""]] = sum(1 << cell for cell in self.goals)
        return s


def boards(session: Session, count: int) -> Iterator[Board]:
    rng = Random(7)
    cells = len(session.ruleset.program.world.universes["space"])
    for _ in range(count):
        tolls = [rng.choice([1, 1, 1, 2, 2, 3, 4]) for _ in range(cells)]
        yield Board(
            session,
            tolls,
            {c for c in range(cells) if rng.random() < 0.25},
            {c for c in range(cells) if rng.random() < 0.15},
        )


def both_flavours(session: Session, role: str, name: str) -> list[Callable[..., Any]]:
    return [session.ruleset.full.function(role, name), session.ruleset.fast.function(role, name)]


def placed(state: list[Any], session: Session, cell: int) -> list[Any]:
    """The pawn put somewhere; nothing in these rules asks who stands where."""
    state = state[:]
    state[session.ruleset.layout.arrays["piece", "at"].base] = cell
    return state
