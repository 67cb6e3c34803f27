"""Lines of sight and directions on grids, against a plain geometric oracle."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.compiling.ruleset import Ruleset, resolve_settings
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.program.world import World

RULES = """# Grid
## 1 Board
```rules
space cell
phase game
    end game: drawn "nothing to do"
```
"""


def world_of(directory: Path, map_text: str) -> tuple[World, dict[str, object]]:
    (directory / "rules").mkdir()
    (directory / "rules" / "1.md").write_text(RULES)
    (directory / "map.yaml").write_text(map_text)
    (directory / "game.yaml").write_text(
        f"game: {directory.name}\ntitle: T\nplayers:\n  - {{id: red, name: Red}}\n"
    )
    source, problems = load_game(directory)
    assert source is not None
    assert not problems
    program, problems = check(source)
    assert program is not None, problems
    return program.world, Ruleset(program, {}, resolve_settings(program, {})).fast.names


def _map(kind: str) -> str:
    if kind == "squares":
        return "kind: squares\nclass: cell\ncolumns: 6\nrows: 6\nadjacency: all\n"
    return f"kind: hexes\nclass: cell\ncolumns: 6\nrows: 6\norientation: {kind}\nshift: even\n"


@pytest.mark.parametrize("kind", ["squares", "pointy", "flat"])
def test_a_line_crosses_the_cells_in_which_its_points_lie(tmp_path: Path, kind: str) -> None:
    """Points along the line, each in the cell with the nearest centre: the interiors it crosses."""
    (tmp_path / "grid").mkdir()
    world, names = world_of(tmp_path / "grid", _map(kind))
    line = names["line"]
    assert callable(line)
    dice = random.Random(kind)
    wide, high = {"squares": (1, 1), "pointy": (1, 3), "flat": (3, 1)}[kind]
    places = [p for p in world.places if p is not None]
    inner = [row * 6 + column for row in range(1, 5) for column in range(1, 5)]  # all neighbours on the map
    for _ in range(12):
        one, other = dice.choice(inner), dice.choice(inner)
        (ax, ay), (bx, by) = places[one], places[other]
        crossed: set[int] = set()
        for step in range(1, 420):
            t = Fraction(step, 420)
            x, y = ax + (bx - ax) * t, ay + (by - ay) * t
            far = sorted(
                (wide * (px - x) ** 2 + high * (py - y) ** 2, i) for i, (px, py) in enumerate(places)
            )
            if far[0][0] < far[1][0]:
                crossed.add(far[0][1])
        assert line(one, other) == sum(1 << i for i in crossed - {one, other}), (one, other)


def test_a_line_between_two_hexes_runs_along_their_side(tmp_path: Path) -> None:
    (tmp_path / "grid").mkdir()
    world, names = world_of(tmp_path / "grid", _map("pointy"))
    index, line, sides = world.universes["space"].index, names["line"], names["sides_along"]
    assert callable(line)
    assert callable(sides)
    # straight up a pointy grid the line runs along the side between two hexes of the row in between
    a, b = index["0301"], index["0303"]
    assert line(a, b) == 0
    (border,) = [i for i in range(len(world.border_ends)) if sides(a, b) >> i & 1]
    assert {world.universes["space"].ids[i] for i in world.border_ends[border]} == {"0202", "0302"}


def test_directions_turn_the_short_way(tmp_path: Path) -> None:
    (tmp_path / "grid").mkdir()
    world, names = world_of(tmp_path / "grid", _map("flat"))
    assert world.directions == ("north", "northeast", "southeast", "south", "southwest", "northwest")
    turns, towards = names["turns"], names["direction_from"]
    assert callable(turns)
    assert callable(towards)
    assert [turns(0, d) for d in range(6)] == [0, 1, 2, 3, 2, 1]
    index = world.universes["space"].index
    assert world.directions[towards(index["0302"], index["0303"])] == "north"
    assert towards(index["0302"], index["0304"]) == -1
    assert turns(-1, 0) == 6
