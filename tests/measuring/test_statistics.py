"""What comparisons of games rest on, held against scipy; and that a rule set is no different from itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from scipy import stats

from interpreter.measuring.comparison import compare_games, sentences
from interpreter.measuring.inference import (
    holm,
    mcnemar,
    newcombe,
    newcombe_paired,
    paired_mean,
    student_quantile,
    student_tails,
)
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.measuring.statistics import wilson
from tests.kit.house_rules import FORD
from tests.promises import comparing

NAMES = {"red": "Red", "blue": "Blue"}


@pytest.mark.parametrize("trials", [1, 7, 30, 200, 5000])
def test_wilson(trials: int) -> None:
    for hits in {0, 1, trials // 3, trials // 2, trials}:
        expected = stats.binomtest(hits, trials).proportion_ci(method="wilson")
        assert wilson(hits, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_mcnemar_is_a_binomial_test() -> None:
    for first in range(12):
        for second in range(12):
            expected = stats.binomtest(first, first + second).pvalue if first + second else 1.0
            assert mcnemar(first, second) == pytest.approx(expected, abs=1e-12)
    assert mcnemar(1000, 1100) == pytest.approx(stats.binomtest(1000, 2100).pvalue, rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 199, 4999])
def test_student(freedom: int) -> None:
    assert student_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)
    for value in (0.0, 0.3, 1.0, 2.5, 8.0):
        assert student_tails(value, freedom) == pytest.approx(2 * stats.t.sf(value, freedom), abs=1e-11)


def test_paired_means() -> None:
    chance = random.Random(5)
    for count in (2, 5, 50, 400):
        first = [chance.gauss(3, 2) for _ in range(count)]
        second = [value + chance.gauss(0.2, 1) for value in first]
        expected = stats.ttest_rel(second, first)
        mean, (low, high), p = paired_mean([b - a for a, b in zip(first, second, strict=True)])
        around = expected.confidence_interval()
        assert (low, high, p) == pytest.approx((around.low, around.high, expected.pvalue), rel=1e-8)
        assert low < mean < high
    for count in (2, 3, 30):  # all alike: Student has nothing to say, the sign test has
        *around_two, sign = paired_mean([2.0] * count)
        assert around_two == [2.0, (2.0, 2.0)]
        assert sign == pytest.approx(stats.binomtest(count, count).pvalue)
    assert paired_mean([0.0, 0.0]) == (0.0, (0.0, 0.0), 1.0)
    assert paired_mean([])[2] == 1.0


def test_newcombe_as_published() -> None:
    # Newcombe 1998, both papers: 56 of 70 against 48 of 80; and 36, 12, 2, 0 in pairs.
    difference, interval = newcombe(48, 80, 56, 70)
    assert (difference, *interval) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    difference, interval = newcombe_paired(36, 2, 12, 0)
    assert (difference, *interval) == pytest.approx((0.2, 0.0569, 0.3404), abs=5e-5)


def test_newcombe_holds_the_truth_about_as_often_as_it_says() -> None:
    chance = random.Random(9)
    held = 0
    for _ in range(2000):
        cells = [0, 0, 0, 0]
        for _ in range(60):
            first = chance.random() < 0.5
            second = chance.random() < (0.7 if first else 0.5)  # 60 % of the games, 10 points more
            cells[2 * (not first) + (not second)] += 1
        both, only_first, only_second, neither = cells
        _, (low, high) = newcombe_paired(both, only_first, only_second, neither)
        held += low <= 0.1 <= high
    assert 0.93 <= held / 2000 <= 0.975


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


# ---- comparisons -------------------------------------------------------------------------------------
def made_up(chance: random.Random, games: int, red: float, longer: float = 0) -> list[GameRecord]:
    records = []
    for number in range(games):
        winner = "red" if chance.random() < red else "blue"
        turns = round(chance.gauss(8 + longer, 2))
        scores = {p: str(chance.randint(0, 12) + 4 * (p == winner)) for p in NAMES}
        records.append(GameRecord(number, "", "wins", (winner,), "", "", 9 * turns, turns, scores))
    return records


def test_false_alarms_with_made_up_games() -> None:
    chance = random.Random(2)
    alarms = sum(
        compare_games(made_up(chance, 200, 0.6), made_up(chance, 200, 0.6), NAMES).found for _ in range(200)
    )
    assert 0.02 <= alarms / 200 <= 0.09


@cache
def many_games(count: int) -> Sequence[GameRecord]:
    setup = Setup(FORD, (), None, {}, {"red": "random", "blue": "random"}, "false alarms")
    table = Table(setup)
    return [table.play(number) for number in range(count)]


def test_false_alarms_of_a_game_against_itself() -> None:
    """200 comparisons of 200 games with 200 others, drawn from games that were really played."""
    chance = random.Random(3)
    alarms = 0
    for _ in range(200):
        drawn = chance.sample(many_games(3000), 400)
        alarms += compare_games(drawn[:200], drawn[200:], NAMES).found
    assert 0.02 <= alarms / 200 <= 0.09


def test_the_measurement_of_false_alarms_asks_the_command_s_own_code() -> None:
    """One repetition of the 200 that `make bars` makes with whole games."""
    comparison = comparing.compared_with_itself(0)
    assert (comparison.games, comparison.counted) == (comparing.GAMES, comparing.RULES_COUNTED)
    assert comparison.same < 5
    assert comparing.false_alarms(1).done == 1


def test_two_scores_that_mirror_each_other_are_one_question() -> None:
    """Then three questions are asked (who wins, how long, the score), and Holm counts three, not four."""
    chance = random.Random(8)
    first, second = (
        [replace(r, scores={"red": r.scores["red"], "blue": f"-{r.scores['red']}"}) for r in records]
        for records in (made_up(chance, 60, 0.5), made_up(chance, 60, 0.5, longer=0.3))
    )
    measures = compare_games(first, second, NAMES).measures
    assert len(measures) == 5
    least = min(measures, key=lambda measure: measure.chance)
    assert least.corrected == pytest.approx(min(1, 3 * least.chance))


def test_two_players_who_gain_as_much_in_other_games_are_two_questions() -> None:
    """By their numbers alone they look like one: Holm would then be too easily content."""
    names = {name: name for name in ("red", "blue", "green")}
    winners = [("green", "red")] * 8 + [("green", "blue")] * 8 + [("green", "green")] * 4
    first, second = (
        [
            GameRecord(n, "", "wins", (pair[side],), "", "", 9 + n % 3, None, {})
            for n, pair in enumerate(winners)
        ]
        for side in (0, 1)
    )
    red, blue, green, _ = compare_games(first, second, names).measures
    assert (red.difference, red.chance) == (blue.difference, blue.chance)
    assert red.corrected == blue.corrected == pytest.approx(3 * red.chance)
    assert green.corrected == pytest.approx(4 * green.chance)


def test_rules_used_in_a_handful_of_games_raise_no_alarm() -> None:
    """Two pairs that happen to differ alike are no proof, least of all among many rules."""
    records = [replace(r, fired={"1": 3, "2": 5}) for r in made_up(random.Random(1), 4, 0.5)]
    other = [replace(r, fired={"1": 4, "2": 1}) for r in records]
    for games in (2, 4):
        assert not any(use.found for use in compare_games(records[:games], other[:games], NAMES).uses)


def test_what_is_there_is_found_and_said() -> None:
    chance = random.Random(4)
    found = compare_games(made_up(chance, 400, 0.45), made_up(chance, 400, 0.6, longer=1), NAMES)
    said = sentences(found)
    assert said[0].startswith("More games are won by Red: 6")
    assert said[1].startswith("Fewer games are won by Blue: ")
    assert any(text.startswith("Games are longer: ") for text in said)


def test_nothing_can_be_said_about_few_games() -> None:
    chance = random.Random(4)
    found = compare_games(made_up(chance, 20, 0.5), made_up(chance, 20, 0.6), NAMES)
    (said,) = sentences(found)
    assert said.startswith("Nothing can be said about the balance at 20 games: a difference of less than ")
    same = made_up(chance, 20, 0.5)
    assert sentences(compare_games(same, same, NAMES)) == [
        "In these 20 games the house rules changed neither who wins nor scores nor length."
    ]


def test_failed_games_are_left_out_in_pairs() -> None:
    chance = random.Random(6)
    before, after = made_up(chance, 10, 0.5), made_up(chance, 10, 0.5)
    after[3] = GameRecord(3, "", "", (), "", "", 0, None, {}, failure="not over")
    found = compare_games(before, after, NAMES)
    assert (found.games, found.failed) == (9, 1)
    none = compare_games(after[3:4], after[3:4], NAMES)
    assert sentences(none) == ["No game came to an end under both sets of rules."]
