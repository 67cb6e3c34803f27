"""The East Front player aid: its tables as on the sheet, its examples, and games on the test bench."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import chain, islice

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.measuring.ledger import count_fired, ledger
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import violations
from tests.kit.east_front_referee import bench, positions, same_as_the_second_version

GAMES = 12


@cache
def east_front() -> Game:
    return open_game("east_front")


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    assert not east_front().warnings
    report = ledger(east_front())
    assert (report["total"], report["missing"]) == (18, [])


def test_the_examples_hold_and_the_printed_overrun_is_among_them() -> None:
    results = run_examples(east_front())
    assert [(r.paragraph, r.number, r.problems) for r in results if not r.passed] == []
    assert sum(r.paragraph == "bench 8" for r in results) == 2


def test_the_tables_are_those_of_the_sheet() -> None:
    rule = east_front().ruleset().fast.function
    results = east_front().program.world.enums["overrun_result"].values
    assert [results[rule("T", "overrun")(die)] for die in range(-2, 14)] == (
        ["broken"] * 5 + ["pushed_back"] * 5 + ["repulsed"] * 3 + ["bloodied"] * 3
    )
    assert [bool(rule("T", "retreat")(die)) for die in range(-3, 13)] == [True] * 7 + [False] * 9
    assert [bool(rule("T", "surrender")(die)) for die in range(-4, 13)] == [True] * 7 + [False] * 10
    germans = {5: 2, 6: 0, 7: -1, 9: -1, 10: -2, 13: -2, 14: -3, 40: -3}
    others = {7: 0, 8: 0, 9: -1, 11: -1, 12: -2, 14: -2, 40: -2}
    for row, expected in ((1, germans), (0, others)):
        assert {odds: rule("T", "overrun_odds")(Fraction(odds), row) for odds in expected} == expected


def test_random_games_end_and_every_table_of_the_sheet_is_used() -> None:
    game = east_front()
    ruleset = game.ruleset({}, game.scenario())
    for number in range(GAMES):
        rng = random.Random(number)
        machine = ruleset.new_machine(game.scenario(), str(number), traced=False)
        machine.begin()
        while (pending := machine.pending) is not None:
            assert violations(ruleset, machine) == []
            machine.choose(pending.at_random(rng))
        assert machine.outcome is not None
    fired = count_fired(game, GAMES, 0)
    assert [item for item in ("16.6.6", "attrition 1", "11.4.3i", "21.0") if not fired.get(item)] == []


@pytest.mark.parametrize(("kind", "count"), [("random", 150), ("greedy", 60)])
def test_a_second_version_agrees(kind: str, count: int) -> None:
    moments = islice(chain.from_iterable(positions(kind, number) for number in range(count)), count)
    assert sum(same_as_the_second_version(*moment) for moment in moments) > count / 10


def test_the_second_version_notices_a_wrong_hex(monkeypatch: pytest.MonkeyPatch) -> None:
    first, rng = next(positions("random", 0))
    monkeypatch.setitem(bench().facts, "0403", {**bench().facts["0403"], "strongpoint": False, "city": False})
    with pytest.raises(AssertionError, match="0403"):
        same_as_the_second_version(first, rng)
