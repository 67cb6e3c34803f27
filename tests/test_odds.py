"""Exact odds: equal to the table's own counting, and to what many sampled combats bring."""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from interpreter.game import Game, open_game
from interpreter.machine import Machine
from interpreter.odds import dice_chances, explore
from interpreter.outcomes import Odds, odds_of
from interpreter.ruleset import Ruleset
from interpreter.table_odds import all_table_odds, result_text
from rulesdsl.diagnostics import UsageError
from rulesdsl.handbook.tables import shown_cell
from rulesdsl.tables import Table

# So many combats are played by the ordinary machine. SAMPLES_TIMES=5 makes a million of the first (a minute).
CASES = [
    ("tutorial/skirmish", "guards,first_foot", "village", 200_000),
    ("tutorial/skirmish", "guards", "village", 10_000),
    ("race_for_berlin", "s8gaa,s8gab", "lebus", 10_000),
]
TIMES = int(os.environ.get("SAMPLES_TIMES", "1"))


@lru_cache(maxsize=4)
def opened(name: str) -> tuple[Game, Ruleset]:
    game = open_game(name)
    return game, game.ruleset({}, game.scenario())


def attack(name: str, force: str, zone: str, even: bool = False) -> Odds:
    game, ruleset = opened(name)
    state = ruleset.start_state(game.scenario())
    return odds_of(game, ruleset, state, "attack", {"force": force, "zone": zone}, even)


# ---- tables ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["tutorial/skirmish", "race_for_berlin"])
def test_chances_equal_the_counting_of_the_printed_table(name: str) -> None:
    """For each column: how many rows of the table give a result, counted by hand, over six."""
    _, ruleset = opened(name)
    table = ruleset.program.tables["combat"]
    found = all_table_odds(ruleset)["combat"]
    assert found.dice == "1d6"
    for (column, modifier), distribution in found.chances.items():
        counted = Counter(printed(table, column[0], die + modifier) for die in range(1, 7))
        assert dict(distribution.chances) == {result: Fraction(n, 6) for result, n in counted.items()}


def printed(table: Table, column: str, die: int) -> str:
    """What stands in the column, in the row of the die; beyond the ends the last row counts."""
    number = [label.text for label in table.columns].index(column)
    rows = list(table.pages[0].rows)
    place = min(max(die, 1), 6) - 1
    return shown_cell(table, rows[place].cells[number].value)


def test_chances_of_each_column_add_up() -> None:
    for name in ("tutorial/skirmish", "race_for_berlin"):
        for odds in all_table_odds(opened(name)[1]).values():
            assert odds.chances
            for distribution in odds.chances.values():
                assert sum(chance for _, chance in distribution.chances) == 1


def test_tables_without_columns_and_with_pages() -> None:
    found = all_table_odds(opened("race_for_berlin")[1])
    assert found["urban"].columns == ((),)
    assert dict(found["american_advance"].chances[("9-10",), 0].chances) == {r: Fraction(1, 3) for r in "123"}


def test_dice_are_counted_as_by_hand() -> None:
    assert dict(dice_chances(2, 6))[7] == Fraction(1, 6)
    assert sum(chance for _, chance in dice_chances(3, 6)) == 1
    assert dict(dice_chances(3, 6))[18] == Fraction(1, 216)


# ---- combats -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "force", "zone", "samples"), CASES)
def test_exact_odds_equal_sampled_combats(name: str, force: str, zone: str, samples: int) -> None:
    """The ordinary machine with its own dice: each position within five standard errors of its chance."""
    game, ruleset = opened(name)
    state, code = ruleset.start_state(game.scenario()), ruleset.fast.code
    pieces, spaces = (ruleset.program.world.universes[u].index for u in ("piece", "space"))
    arguments = [sum(1 << pieces[p] for p in force.split(",")), spaces[zone]]
    exact: dict[tuple[Any, ...], Fraction] = {}
    for way in explore(code, state, "odds_attack", arguments):
        key = seen(ruleset, way.state)
        exact[key] = exact.get(key, Fraction(0)) + way.chance
    assert sum(exact.values()) == 1
    counts: Counter[tuple[Any, ...]] = Counter()
    for number in range(samples * TIMES):
        machine = Machine(code, state[:], f"sample/{number}")
        machine.begin("odds_attack", arguments)
        while machine.pending is not None:
            machine.choose(-1 if machine.pending.out else 0)
        counts[seen(ruleset, machine.s)] += 1
    assert set(counts) <= set(exact)
    for key, chance in exact.items():
        share, played = float(chance), samples * TIMES
        error = (share * (1 - share) / played) ** 0.5
        assert abs(counts[key] / played - share) <= 5 * error + 1e-9


def seen(ruleset: Ruleset, state: list[Any]) -> tuple[Any, ...]:
    """Places and faces of all pieces."""
    arrays = [ruleset.layout.arrays["piece", name] for name in ("at", "face")]
    return tuple(tuple(state[a.base : a.base + a.size]) for a in arrays)


def test_outcomes_follow_the_table() -> None:
    """The results of the tables on the way are those of the column for these odds."""
    _, ruleset = opened("race_for_berlin")
    found = attack("race_for_berlin", "s8gaa,s8gab", "lebus")
    sums = {s.name: s.value for s in found.sums}
    assert (sums["combat.attack"], sums["combat.defence"], sums["combat.die_modifier"]) == ("40", "18", "0")
    column = dict(all_table_odds(ruleset)["combat"].chances[("2:1",), 0].chances)
    by_result: dict[str, Fraction] = {}
    for outcome in found.outcomes:
        by_result[outcome.results[0]] = by_result.get(outcome.results[0], Fraction(0)) + outcome.chance
    assert by_result == column


def test_each_change_by_itself() -> None:
    found = attack("tutorial/skirmish", "guards", "village")
    single = found.single()
    assert all(0 < chance <= 1 for chance in single.values())
    assert single["Guards is removed"] == Fraction(1, 2)
    assert "Guards is flipped" in found.always


def test_choices_can_be_weighed_evenly() -> None:
    quiet, even = (attack("race_for_berlin", "s8gaa,s8gab", "lebus", even=e) for e in (False, True))
    assert sum(o.chance for o in even.outcomes) == 1
    assert len(even.outcomes) > len(quiet.outcomes)


def test_results_read_back_as_they_are_printed() -> None:
    _, ruleset = opened("tutorial/skirmish")
    table = ruleset.program.tables["combat"]
    lookup = ruleset.full.names["T_combat"]
    assert result_text(table, lookup(3, 6)) == "D2R"


@pytest.mark.parametrize(
    ("procedure", "given", "message"),
    [
        ("atack", {}, "did you mean"),
        ("attack", {"force": "guards"}, "also needs zone"),
        ("attack", {"force": "nobody", "zone": "village"}, "there is no"),
        ("attack", {"force": "guards", "zone": "village", "x": "1"}, 'takes no "x"'),
    ],
)
def test_what_cannot_be_weighed_is_said(procedure: str, given: dict[str, str], message: str) -> None:
    game, ruleset = opened("tutorial/skirmish")
    with pytest.raises(UsageError, match=message):
        odds_of(game, ruleset, ruleset.start_state(game.scenario()), procedure, given)
