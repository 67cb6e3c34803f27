"""Fortress Berlin once more, by hand: the points of both sides (12.0.1, 12.0.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

GONE = ("eliminated", "left_berlin", "out_of_play")


class Book(Protocol):
    """What the count must be told of a game."""

    def track(self, s: list[Any], name: str) -> int: ...

    def facts(self) -> Mapping[str, Mapping[str, object]]: ...


class Count:
    """Follows a game for two with the default readings."""

    def __init__(self) -> None:
        self.soviet_turns: set[int] = set()
        self.late = 0  # points for the 20th Panzergrenadiers

    def new_turn(self, reader: Book, s: list[Any]) -> bool:
        """Whether the first decision of a Soviet player turn waits: who is late is counted before it."""
        turn = reader.track(s, "turn")
        return reader.track(s, "active") == 1 and turn >= 6 and turn not in self.soviet_turns

    def see(
        self, places: dict[str, str], reader: Book, s: list[Any]
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """The points as the game has them, and as they must be."""
        turn, facts = reader.track(s, "turn"), reader.facts()
        twentieth = [n for n, f in facts.items() if f.get("twentieth")]
        if self.new_turn(reader, s):
            self.soviet_turns.add(turn)
            self.late += any(places[n] not in GONE for n in twentieth)
        lost = {
            side: sum(places[n] == "eliminated" and f["side"] == side for n, f in facts.items())
            for side in ("german", "soviet")
        }
        german = lost["soviet"] + 2 * sum(places[n] == "left_berlin" for n in twentieth)
        german += sum(2 if day < 12 else 5 for day in range(1, turn))
        died = reader.track(s, "hitler_died_on")
        german += sum(2 for day in range(10, min(turn, 15)) if not died or died > day)
        german += 2 if 0 < died < 10 else 10 if died == 15 else 0
        told = reader.track(s, "german_points"), reader.track(s, "soviet_points")
        return told, (german, lost["german"] + self.late)
