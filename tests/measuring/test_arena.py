"""What is measured of opponents: games in step, and how play looks, counted from the log."""

from __future__ import annotations

from pathlib import Path

from benchmarks.arena import Arena, rows, told
from benchmarks.looks import Looks
from interpreter.playing.game import open_game
from interpreter.playing.moments import LogEntry

SKIRMISH = "tutorial/skirmish"


def test_two_machines_in_step_play_one_game(tmp_path: Path) -> None:
    """Who values positions otherwise plays in a machine of his own, and it is the same game."""
    game, kept = open_game(SKIRMISH), tmp_path / "rows.jsonl"
    alone = Arena(game, ("random", "random"), "1")
    in_step = Arena(game, ("random", "random"), "1", other=open_game(SKIRMISH))
    found = [*rows(alone, 2, 0, 1e9, kept)]
    assert [*rows(in_step, 2, 0, 1e9, None)] == found
    assert [*rows(alone, 2, 0, 0.0, kept)] == found, "what was played is not played again"
    assert [row.seat for row in found] == [*alone.rulesets[0].seats.ids] * 2
    assert " of 4" in told(found, 2, alone.clocks)


def moved(piece: str, space: str, decision: int, paragraph: str = "7.1") -> LogEntry:
    return LogEntry(paragraph, f"{piece}: to {space}", "move", decision, (piece, space))


def test_a_march_that_comes_back_is_counted_once() -> None:
    log = [
        LogEntry("11", "set up", "place", 0, ("tank", "a")),
        LogEntry("11", "set up", "place", 0, ("gun", "c")),
        moved("tank", "b", 1), moved("tank", "a", 2), moved("tank", "b", 3),
        moved("gun", "b", 4), moved("gun", "a", 5),
        LogEntry("8", "attack and defence: 4, 9", "note", 6, values=(4, 9)),
        LogEntry("8", "attack and defence: 5, 9", "note", 7, values=(5, 9)),
        moved("gun", "eliminated", 8, "8.2"),
    ]  # fmt: skip
    looks = Looks()
    looks.add(log, frozenset("abc"), frozenset(("tank", "gun")), "attack and defence")
    assert (looks.marches, looks.steps, looks.visited_twice) == (2, 5, 1)
    assert looks.odds == {"below 1:2": 1, "1:2 and better": 1}
    assert looks.gone == {"8.2": 1}
