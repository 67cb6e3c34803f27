"""Positions of Race for Berlin games against the referees of tests/berlin_referees.py.

RULESDSL_BARS=full looks at 20,000 positions, half of them from games of greedy opponents.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from tests.berlin_referees import Tally, follow_game, look, referees, table

FULL = os.environ.get("RULESDSL_BARS") == "full"


@pytest.mark.parametrize(
    ("kind", "number", "positions", "every"), [("greedy", 1, 60, 1), ("random", 2, 150, 10)]
)
def test_the_referees_agree(kind: str, number: int, positions: int, every: int) -> None:
    tally = Tally()
    follow_game(tally, kind, number, positions, every)
    assert tally.wrong == []
    assert tally.positions[kind] == positions
    assert tally.compared["combat"] + tally.compared["urban roll"] > positions // 4


def test_a_referee_notices_a_wrong_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    game, ruleset, board = table()
    machine = ruleset.new_machine(game.scenario(), "noticed", traced=False)
    machine.begin()
    tally = Tally()
    look(tally, machine, Random(1), "as it is")
    assert tally.wrong == []
    monkeypatch.setitem(board.units, "g404", replace(board.units["g404"], movement=4))
    look(tally, machine, Random(1), "faster")
    assert ["march of g404" in wrong for wrong in tally.wrong] == [True]


@pytest.mark.skipif(not FULL, reason="twenty minutes")
def test_the_referees_agree_on_20_000_positions() -> None:
    tally = referees(20_000, 2)
    assert tally.wrong == []
    assert min(tally.positions.values()) == 10_000
