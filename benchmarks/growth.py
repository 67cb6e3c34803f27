"""How the time of a decision grows with the map, the units and the rules."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.synthetic import write_game
from benchmarks.timing import Row, compare, interleave
from interpreter.native.compilers import NotNative, find_compiler
from interpreter.native.games import NativeGames
from interpreter.playing.game import open_game

# columns, rows, units on each side, idle paragraphs
SIZES = {
    "base": (10, 6, 8, 0),
    "zones and units ×2": (12, 10, 16, 0),
    "zones and units ×4": (16, 15, 32, 0),
    "10 idle paragraphs": (10, 6, 8, 10),
    "20 idle paragraphs": (10, 6, 8, 20),
    "40 idle paragraphs": (10, 6, 8, 40),
}
PAIRS = (
    ("zones and units ×2", "base"),
    ("zones and units ×4", "zones and units ×2"),
    ("10 idle paragraphs", "base"),
    ("20 idle paragraphs", "10 idle paragraphs"),
    ("40 idle paragraphs", "20 idle paragraphs"),
)


NATIVE_GAMES = 200  # in one call


def rows() -> list[Row]:
    """Decisions per second, in Python and in the machine; the peer is the game half as large."""
    found = _grown("", _decisions)
    try:
        find_compiler()
    except NotNative:
        return found
    return [*found, *_grown(" in the machine", _native_decisions)]


def _grown(
    where: str, made: Callable[[Path, int, int, int, int], tuple[Callable[[], object], int]]
) -> list[Row]:
    with tempfile.TemporaryDirectory() as place:
        works = {name: made(Path(place) / str(n), *size) for n, (name, size) in enumerate(SIZES.items())}
        counts = {name: count for name, (_, count) in works.items()}
        rates = interleave({name: work for name, (work, _) in works.items()})
        found = []
        for name, peer in PAIRS:
            ours = [rate * counts[name] for rate in rates[name]]
            theirs = [rate * counts[peer] for rate in rates[peer]]
            found.append(compare(f"decisions with {name}{where}", ours, theirs))
        return found


def _decisions(
    place: Path, columns: int, height: int, units: int, idle: int
) -> tuple[Callable[[], object], int]:
    """Ten games of random decisions, always the same, and how many decisions they are."""
    game = open_game(write_game(place, columns, height, units, idle))
    ruleset = game.ruleset()
    made = [0]

    def ten_games() -> None:
        draw = random.Random(1).random

        def decide(_: int, count: int) -> int:
            made[0] += 1
            return int(draw() * count)

        for seed in range(10):
            ruleset.playouts.play(None, str(seed), decide)

    ten_games()
    return ten_games, made[0]


def _native_decisions(
    place: Path, columns: int, height: int, units: int, idle: int
) -> tuple[Callable[[], object], int]:
    """Many games in the machine, always the same, and how many decisions they are."""
    ruleset = open_game(write_game(place, columns, height, units, idle)).ruleset()
    games = NativeGames.of(ruleset)
    tally = games.many(NATIVE_GAMES, 1)
    assert tally.stopped == 0
    return lambda: games.many(NATIVE_GAMES, 1), tally.decisions
