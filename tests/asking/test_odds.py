"""Exact odds: equal to the table's own counting, and to what many sampled combats bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from interpreter.asking.odds.outcomes import Odds, odds_of
from interpreter.asking.odds.tables import all_table_odds, result_text
from interpreter.asking.odds.weigh import Way, dice_chances, explore
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import shipped_games
from rulesdsl.book.tables.table import Table
from rulesdsl.handbook.pages.tables import shown_cell
from tests.promises.odds import ATTACKS, sampled_attack

# So many combats of each game are sampled here; `python benchmarks/bars.py odds` takes a million of each.
SAMPLES = {
    "tutorial/skirmish": 20_000, "race_for_berlin": 2_000, "battle_for_germany": 2_000, "east_front": 2_000,
    "downfall_of_the_third_reich": 2_000,
}  # fmt: skip
WITH_PLAIN_TABLES = [
    "tutorial/skirmish",
    "race_for_berlin",
    "battle_for_germany",
]  # a row for each die


@lru_cache(maxsize=4)
def opened(name: str) -> tuple[Game, Ruleset]:
    game = open_game(name)
    return game, game.ruleset({}, game.scenario())


def attack(name: str, force: str, zone: str, even: bool = False) -> Odds:
    game, ruleset = opened(name)
    state = ruleset.start_state(game.scenario())
    return odds_of(game, ruleset, state, "attack", {"force": force, "zone": zone}, even)


# ---- tables ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", WITH_PLAIN_TABLES)
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
    for name in SAMPLES:
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
@pytest.mark.parametrize("name", SAMPLES)
def test_exact_odds_equal_sampled_combats(name: str) -> None:
    """The ordinary machine with its own dice: each position within five standard errors of its chance."""
    outcome = sampled_attack(name, ATTACKS[name], SAMPLES[name])
    assert outcome.done == SAMPLES[name]
    assert outcome.examples == []


def test_a_sample_that_does_not_fit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampling can fail: with chances from another attack it does."""
    fair = explore

    def crooked(code: Any, state: list[Any], name: str, arguments: list[Any]) -> Iterator[Way]:
        ways = list(fair(code, state, name, arguments))
        shares = [Fraction(n + 1) for n in range(len(ways))]
        yield from (replace(w, chance=share / sum(shares)) for w, share in zip(ways, shares, strict=True))

    monkeypatch.setattr("tests.promises.odds.explore", crooked)
    assert sampled_attack("tutorial/skirmish", ATTACKS["tutorial/skirmish"], 2_000).failed > 0


def test_every_attack_that_can_be_weighed_is_sampled() -> None:
    for name in shipped_games():
        program = open_game(name).program
        assert ("odds_attack" in program.procedures) == (name in ATTACKS)


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
    assert single["Guards: removed"] == Fraction(1, 2)
    assert single["Guards: reduced"] == Fraction(1, 2), (
        "a unit that is removed is not told to be flipped, too"
    )


def test_choices_can_be_weighed_evenly() -> None:
    quiet, even = (attack("race_for_berlin", "s8gaa,s8gab", "lebus", even=e) for e in (False, True))
    assert sum(o.chance for o in even.outcomes) == 1
    assert len(even.outcomes) > len(quiet.outcomes)


def test_results_read_back_as_they_are_printed() -> None:
    _, ruleset = opened("tutorial/skirmish")
    table = ruleset.program.tables["combat"]
    lookup = ruleset.full.function("T", "combat")
    assert result_text(ruleset.program, table, lookup(3, 6)) == "D2R"


@pytest.mark.parametrize(
    ("procedure", "given", "message"),
    [
        ("atack", {}, "did you mean"),
        ("attack", {"force": "guards"}, "also needs zone"),
        ("attack", {"force": "nobody", "zone": "village"}, "there is no"),
        ("attack", {"force": "guards", "zone": "village", "x": "1"}, 'takes no "x"'),
        ("attack", {"0": "guards", "1": "village", "2": "hill"}, '"hill" is one value too many'),
        ("attack", {"force": "guards"}, "attack force=UNIT,UNIT… zone=ZONE"),
    ],
)
def test_what_cannot_be_weighed_is_said(procedure: str, given: dict[str, str], message: str) -> None:
    game, ruleset = opened("tutorial/skirmish")
    with pytest.raises(UsageError, match=message):
        odds_of(game, ruleset, ruleset.start_state(game.scenario()), procedure, given)


def test_doubtful_questions_are_answered_with_a_note() -> None:
    game, ruleset = opened("tutorial/skirmish")
    state = ruleset.start_state(game.scenario())
    far = odds_of(game, ruleset, state, "attack", {"0": "Guards", "1": "village"})
    assert far.notes == ("Guards is in Harbour, which is not adjacent to Village",)
    assert odds_of(game, ruleset, state, "attack", {"0": "hussars", "1": "village"}).notes == ()
    name = "battle_for_germany"
    nobody = odds_of(*opened(name), start(name), "attack", {"0": "us_7", "1": "2714"})
    assert "the combat has no defenders" in nobody.notes


def test_only_tables_read_with_dice_are_results() -> None:
    """The cost of a hex is looked up on every retreat, and is not what the combat brought."""
    found = odds_of(*opened("battle_for_germany"), start("battle_for_germany"), "attack",
                    ATTACKS["battle_for_germany"])  # fmt: skip
    assert {result for outcome in found.outcomes for result in outcome.results} <= {
        "ae",
        "ar",
        "dr",
        "ex",
        "de",
    }


def start(name: str) -> list[Any]:
    game, ruleset = opened(name)
    return ruleset.start_state(game.scenario())
