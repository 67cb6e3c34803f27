"""Routes against searches that try everything: lines of sight by points, paths by walking all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from interpreter.compiling.decision_points import TravelSite
from rulesdsl.base.diagnostics import RulebookError
from tests.kit.route_boards import COLUMNS, RULES, Board, boards, both_flavours, game, placed


# ---- lines of sight --------------------------------------------------------------------------------------
def seen_by_points(board: Board, start: int, orientation: str, most: int) -> int:
    """What can be seen: points of each line, each in the cell with the nearest centre, or between two."""
    world = board.session.ruleset.program.world
    wide, high = {"pointy": (1, 3), "flat": (3, 1)}[orientation]
    places = [p for p in world.places if p is not None]
    distances = {start: 0}
    queue = [start]
    for cell in queue:
        for there in board.around(cell):
            if there not in distances:
                distances[there] = distances[cell] + 1
                queue.append(there)
    parts = 151
    out = 0
    for end in range(board.cells):
        if distances[end] > most or end in board.goals:
            continue
        (ax, ay), (bx, by) = places[start], places[end]
        between: set[int] = set()
        blocked = False
        for k in range(1, parts):
            x, y = ax * parts + k * (bx - ax), ay * parts + k * (by - ay)
            far = [wide * (x - parts * px) ** 2 + high * (y - parts * py) ** 2 for px, py in places]
            least = min(far)
            nearest = {cell for cell, d in enumerate(far) if d == least} - {start, end}
            if len(nearest) == 1 and far.count(least) == 1:
                blocked |= nearest <= board.walls
            elif len(nearest) == 2:  # along a side when the next point lies there too
                blocked |= nearest == between and nearest <= board.walls
            between = nearest
        out |= (not blocked) << end
    return out


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
def test_a_straight_route_is_a_line_of_sight(tmp_path: Path, orientation: str) -> None:
    session = game(tmp_path / "sight", orientation)
    inner = [row * COLUMNS + column for row in range(1, 4) for column in range(1, 4)]
    answers: set[int] = set()
    for number, board in enumerate(boards(session, 5)):
        start = inner[2 * number]
        state = placed(board.state(), session, start)
        expected = seen_by_points(board, start, orientation, 4)
        for ends in both_flavours(session, "r", "sight"):
            assert ends(state, 0) == expected
        answers.add(expected.bit_count())
    assert len(answers) > 2


# ---- paths -----------------------------------------------------------------------------------------------
def every_path(
    board: Board, start: int, budget: int, most: int, always: int = 0
) -> Iterator[tuple[list[int], int]]:
    """Every path that enters no space twice, with what it has cost, by the rules above."""
    ways = [([start], 0)]
    while ways:
        path, spent = ways.pop()
        yield path, spent
        if len(path) > most or (len(path) > 1 and board.tolls[path[-1]] == 3):
            continue
        for there in board.around(path[-1]):
            toll = board.tolls[there]
            if there in path or toll == 4:
                continue
            if spent + toll <= budget:
                ways.append(([*path, there], spent + toll))
            elif len(path) - 1 < always:
                ways.append(([*path, there], max(spent, budget)))


def mask(cells: set[int]) -> int:
    return sum(1 << cell for cell in cells)


@pytest.mark.parametrize("name", ["short", "long", "eager"])
def test_paths_with_points_and_steps_are_all_found(tmp_path: Path, name: str) -> None:
    session = game(tmp_path / name)
    budget, least, most, always = {
        "short": (7, 0, 3, 0), "long": (9, 3, 4, 0), "eager": (6, 1, 6, 2),
    }[name]  # fmt: skip
    sizes: set[int] = set()
    for board in boards(session, 12):
        start = 12
        ends: set[int] = set()
        for path, _ in every_path(board, start, budget, most, always):
            if len(path) > least and not (name == "long" and path[-1] in board.walls):
                ends.add(path[-1])
        state = placed(board.state(), session, start)
        for found in both_flavours(session, "r", name):
            assert found(state, 0) == mask(ends)
        sizes.add(len(ends))
    assert len(sizes) > 3


def rung(board: Board, cell: int) -> int:
    if cell in board.goals:
        return 0 if board.tolls[cell] == 1 else 1
    return 2 if board.tolls[cell] <= 2 else 9


def test_steps_lead_to_what_is_preferred(tmp_path: Path) -> None:
    session = game(tmp_path / "flight")
    rungs: set[int] = set()
    for board in boards(session, 20):
        start, state = 12, board.state()
        paths = [
            path for path, _ in every_path(board, start, 5, 9)
            if len(path) > 1 and path[-1] not in board.walls
        ]  # fmt: skip
        best = min((rung(board, path[-1]) for path in paths), default=9)
        wanted = [path for path in paths if rung(board, path[-1]) == best < 9]
        rungs.add(best)
        here = placed(state, session, start)
        for ends in both_flavours(session, "r", "flight"):
            assert ends(here, 0) == mask({path[-1] for path in wanted})
        for steps in both_flavours(session, "next", "flight"):
            assert set(steps(here, 0, start, 0, 0, 1 << start)) == {path[1] for path in wanted}
    assert {0, 1, 2} <= rungs


def test_a_piece_travels_on_until_the_preferred_end(tmp_path: Path) -> None:
    """Step by step, whatever is chosen: it ends where choosing the end at once would have let it end."""
    session = game(tmp_path / "walk")
    ruleset, scenario = session.ruleset, session.game.scenario(None)
    at = ruleset.layout.arrays["piece", "at"].base
    ended = 0
    for number, board in enumerate(boards(session, 20)):
        state = board.state()
        wanted = ruleset.full.function("r", "flight")(state, 0)
        for traced in (True, False):
            machine = ruleset.new_machine(scenario, "0", traced)
            machine.s[:] = state
            machine.begin()
            rng = Random(number)
            sites = (ruleset.full if traced else ruleset.fast).blocks.sites
            while machine.pending is not None and isinstance(sites[machine.pending.site], TravelSite):
                count = len(machine.pending.options)
                number_chosen = rng.randrange(count + machine.pending.out)
                machine.choose(number_chosen if number_chosen < count else -1)
            assert not wanted or wanted >> machine.s[at] & 1
        ended += wanted != 0
    assert ended > 10


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("at least 3 steps", "at least 7 steps", "too-many-steps"),
        ("moves p by flight", "moves p by sight", "not-travelled"),
    ],
)
def test_what_routes_cannot_be(tmp_path: Path, old: str, new: str, code: str) -> None:
    with pytest.raises(RulebookError, match=code):
        game(tmp_path / "bad", rules=RULES.replace(old, new))
