"""Who is so far away, from a table: the same as `distance` says of each pair of spaces, and of none."""

from __future__ import annotations

import pytest

from interpreter.compiling.optimise.fold import COMPARE
from interpreter.compiling.optimise.vectorise.adjacency_tables import distance_table
from interpreter.playing.game import open_game


@pytest.mark.parametrize("name", ["tutorial/skirmish", "classics/draughts", "classics/backgammon"])
def test_a_table_says_what_distance_says(name: str) -> None:
    game = open_game(name)
    ruleset = game.ruleset({}, game.scenario())
    unit, distance = ruleset.fast.unit, ruleset.fast.names["distance"]
    spaces = range(len(game.program.world.universes["space"]))
    for op, holds in COMPARE.items():
        for far in (-1, 0, 1, 3):
            table = distance_table(unit, op, far).value
            assert isinstance(table, tuple)
            for here in (*spaces, -1):
                assert [bool(table[here] >> i & 1) for i in spaces] == [
                    bool(holds(distance(here, i), far)) for i in spaces
                ], (op, far, here)
