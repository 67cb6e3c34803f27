"""Rulebooks that want to hang or harm the machine. Each is accepted or refused with a place, and comes to an end.

`BOMBS` holds them all by name; `write(directory, name)` makes the game directory of one. Most are made of
rules alone, put into a frame with a small map: `bomb("n / (1 / n)", step="…")`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

GAME = """game: {name}
title: Hostile
summary: A rulebook that means no good.
players: [{{id: red, name: Red}}, {{id: blue, name: Blue}}]
"""
MAP = "kind: squares\nclass: cell\ncolumns: {columns}\nrows: {rows}\n"
PIECES = "pieces:\n  unit:\n{entries}\n"
FRAME = """# Hostile

## 1 The frame

```rules
space cell
    heat: number
    lit: flag
border
piece unit
    printed owner: player
    worn: number
player
    points: number
track n: number = {start}
{declared}
```

## 2 The bomb

```rules
{rules}
```

## 3 Play

```rules
procedure bang
{steps}

procedure odds_bang
    do bang

phase game
    repeat at most 3 times:
        for each player:
            player chooses one of:
                "go": do bang
                "wait": add 1 to player.points
    end game: drawn "it is over"
```
"""


@dataclass(frozen=True)
class Bomb:
    """The files of a game, made when they are asked for."""

    name: str
    files: Callable[[], dict[str, str]] = field(repr=False)


BOMBS: dict[str, Bomb] = {}


def bomb(
    name: str, steps: str, rules: str = "", declared: str = "", start: str = "1", columns: int = 3,
    rows: int = 3, units: int = 4, more: dict[str, str] | None = None,
) -> None:  # fmt: skip
    """One that is made of rules, in the frame. `steps` are what happens when somebody chooses to go."""

    def files() -> dict[str, str]:
        inside = "\n".join(f"    {line}" for line in steps.strip("\n").split("\n"))
        text = FRAME.format(start=start, declared=declared, rules=rules, steps=inside)
        entries = "\n".join(
            f"    - {{id: u{i}, owner: {'red' if i % 2 else 'blue'}, start: a1}}" for i in range(units)
        )
        return {
            "game.yaml": GAME.format(name=name), "map.yaml": MAP.format(columns=columns, rows=rows),
            "pieces.yaml": PIECES.format(entries=entries), "rules/1.md": text,
        } | (more or {})  # fmt: skip

    raw(name, files)


def raw(name: str, files: Callable[[], dict[str, str]]) -> None:
    """One that is made of files of its own."""
    assert name not in BOMBS, name
    BOMBS[name] = Bomb(name, files)


def write(directory: Path, name: str) -> Path:
    """The game directory of a bomb."""
    place = directory / name
    for file, text in BOMBS[name].files().items():
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_text(text)
    return place


from tests.hostile import data, growing, naming, shapes, working  # noqa: E402, F401  (they fill BOMBS)
