"""Random games of Race for Berlin with every invariant counted anew, and proof that each count can fail.

`python tests/berlin_games.py` plays the 10,000 games of the promise; here are 200 of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from tests.berlin_games import checked_game, choose_at_random, kept_games, table
from tests.oracles.berlin_board import Board
from tests.oracles.berlin_recount import Recount

FULL = os.environ.get("RULESDSL_BARS") == "full"
GAMES, PARTS = (200, 4) if FULL else (40, 2)
BOARD = Board()


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_keep_every_invariant(part: int) -> None:
    for number in range(part, GAMES, PARTS):
        row = checked_game(number)
        assert row["wrong"] == [], f"game {number} after {row['decisions']} choices"
        assert row["turns"] <= 10
        assert row["supply_checks"] >= row["turns"] - 1


# ---- each count can fail: a state in the middle of a game is damaged, and the damage is named
@lru_cache(maxsize=1)
def ruleset() -> Ruleset:
    game, _ = table()
    return game.ruleset({}, game.scenario())


@lru_cache(maxsize=1)
def later() -> tuple[Machine, Random]:
    """Turn 4, when a player is asked for his replacement point."""
    game, _ = table()
    machine = ruleset().new_machine(game.scenario(), "damage", traced=False)
    machine.begin()
    rng, turn = Random(4), ruleset().layout.tracks["turn"]
    recount = Recount(BOARD, ruleset())
    while machine.s[turn] < 4 or recount.asked != "3.2.1":
        choose_at_random(machine, rng)
        assert recount.look(machine) == []
    return machine, rng


class Damage:
    """A copy of that state with a recount that has seen it, and ways to spoil it."""

    def __init__(self) -> None:
        self.machine = later()[0].copy()
        self.recount = Recount(BOARD, ruleset())
        self.settle()
        self.recount.asked = "4.1.3"

    def set(self, universe: str, attribute: str, name: str, value: int) -> None:
        index = ruleset().program.world.universes[universe].index[name]
        self.machine.s[ruleset().layout.arrays[universe, attribute].base + index] = value

    def flag(self, universe: str, attribute: str, name: str) -> None:
        index = ruleset().program.world.universes[universe].index[name]
        self.machine.s[ruleset().layout.flags[universe, attribute][""]] ^= 1 << index

    def shift(self, name: str, zone: str | None) -> None:
        """As the engine does it: the place of the counter and the counters of both places."""
        layout, s = ruleset().layout, self.machine.s
        universes = ruleset().program.world.universes
        piece, place = universes["piece"].index[name], universes["space"].index[zone] if zone else -1
        s[layout.pieces_in + s[layout.arrays["piece", "at"].base + piece]] &= ~(1 << piece)
        s[layout.pieces_in + place] |= 1 << piece
        s[layout.arrays["piece", "at"].base + piece] = place

    def empty(self, *zones: str) -> None:
        for name, zone in self.recount.read.places(self.machine).items():
            if zone in zones:
                self.shift(name, "eliminated")

    def settle(self) -> None:
        """What lies there now is what a recount that had followed the game would know."""
        self.recount.control = self.recount.read.markers(self.machine)
        self.recount.look(self.machine)
        for camp, value in self.recount.read.points(self.machine).items():
            markers = self.recount.control.items()
            held = sum(self.recount.worth[zone] for zone, owner in markers if owner == camp)
            self.recount.fines[camp] = held - value


def crowd(*names: str, zone: str) -> Callable[[Damage], None]:
    def damage(d: Damage) -> None:
        d.empty(zone)
        d.settle()
        for name in names:
            d.shift(name, zone)

    return damage


def american(name: str) -> Callable[[Damage], None]:
    def damage(d: Damage) -> None:
        d.empty("dessau")
        if "dessau" not in d.recount.read.flagged(d.machine, "space", "american"):
            d.flag("space", "american", "dessau")
        d.settle()
        d.shift(name, "dessau")

    return damage


def taken_back(d: Damage) -> None:
    """Germans enter a zone with a marker, and the marker stays."""
    d.empty("zossen")
    d.set("space", "control", "zossen", 0)
    d.settle()
    d.shift("g72", "zossen")


def left_without_fine(d: Damage) -> None:
    d.empty("wedding")
    d.shift("s61a", "wedding")
    d.set("space", "progress", "wedding", 1)
    d.settle()
    d.shift("s61a", "zehdenick")


def level_without_soviets(d: Damage) -> None:
    d.empty("wedding")
    d.settle()
    d.set("space", "progress", "wedding", 1)


def stopped(d: Damage) -> None:
    d.machine.pending = None
    d.machine.outcome = ("drawn", 0, "the sequence of play has ended", "")


def dead_end(d: Damage) -> None:
    assert d.machine.pending is not None
    d.machine.pending = replace(d.machine.pending, options=[])


def eleventh_turn(d: Damage) -> None:
    d.machine.s[ruleset().layout.tracks["turn"]] = 11


def supply_mark(d: Damage) -> None:
    d.flag("piece", "out_of_supply", next(iter(d.recount.before)))
    d.recount.supply_checked = 0


DAMAGES: dict[str, Callable[[Damage], None]] = {
    "lies in": lambda d: d.set("piece", "at", "g72", 0),
    "is nowhere": lambda d: d.shift("g72", None),
    "shows side 2": lambda d: d.set("piece", "face", "g72", 2),
    "3 soviet units in baruth": crowd("s52a", "s52b", "s13a", zone="baruth"),
    "4 german units in baruth": crowd("g72", "g17", "g404", "g615", zone="baruth"),
    "2 german units in wedding": crowd("g72", "g17", zone="wedding"),
    "both nationalities in baruth": crowd("g72", "s52a", zone="baruth"),
    "g72 is east of the Oder": crowd("g72", zone="reppen"),
    "s61a crossed the line between the fronts into halbe": crowd("s61a", zone="halbe"),
    "s52a crossed the line between the fronts into storkow": crowd("s52a", zone="storkow"),
    "s52a joined the other camp in ketzin": crowd("s61a", "s52a", zone="ketzin"),
    "both camps in wedding": crowd("s61a", "s52a", zone="wedding"),
    "g72 is in American dessau": american("g72"),
    "s52a entered American dessau": american("s52a"),
    "baruth shows the marker zhukov, not None": lambda d: d.set("space", "control", "baruth", 0),
    "zossen shows the marker zhukov, not None": taken_back,
    "zossen shows the marker None, not konev": crowd("s52a", zone="zossen"),
    "wedding has the progress level 1": level_without_soviets,
    "baruth has the progress level 2": lambda d: d.set("space", "progress", "baruth", 2),
    "zhukov has 50 points": lambda d: d.set("player", "vp", "zhukov", 50),
    "a recount says": left_without_fine,
    "marked out of supply": supply_mark,
    "a dead end": dead_end,
    "stopped without a rule": stopped,
    "turn 11": eleventh_turn,
}


@pytest.mark.parametrize("named", DAMAGES)
def test_damage_is_named(named: str) -> None:
    damage = Damage()
    assert damage.recount.look(damage.machine) == []
    damage.recount.asked = "4.1.3"
    DAMAGES[named](damage)
    damage.recount.asked = "3.2.1" if named == "marked out of supply" else damage.recount.asked
    found = damage.recount.look(damage.machine)
    assert any(named in message for message in found), found


def test_a_kept_run_goes_on_and_is_not_mixed_with_other_rules(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    assert kept_games(kept, "a") == set()
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"game": 3}\n{"game": 5')  # cut off while it was written
    assert kept_games(kept, "a") == {3}
    assert kept.read_text(encoding="utf-8").endswith('{"game": 3}\n')
    with pytest.raises(SystemExit):
        kept_games(kept, "b")
