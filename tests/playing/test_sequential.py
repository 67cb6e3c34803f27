"""Comparisons that one may watch: intervals hold at every look, false alarms are few whenever one stops."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.measuring.confidence import ALPHA, Mean, Share, merged
from interpreter.measuring.effect import effects
from interpreter.measuring.mattering import mattering
from interpreter.measuring.sequential import LEAST_PAIRS, MARGIN, Sequential, conclusions
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.cli import group
from tests.promises import comparing

NAMES = {"a": "Anna", "b": "Bert"}
DAWN = """# Dawn ride
Horses come out of the mist.

## amends 5.4
```rules
set table combat[1:1, 5] = A1D1
```

## after 5.5 → 5.5a Dawn ride
```rules
modify combat.die
    +2 when turn = 1 and every attacker is horse "dawn ride"
```

## after 2.1 → 2.1a Surgeons
```rules
after phase impulse ends: do visit_the_doctor(player)
procedure visit_the_doctor(player)
    player chooses a unit where it.owner is player and it is reduced or "nobody" "who is healed":
        flip unit to face 0
```

## after 4 → 4.9 No boots
```rules
forbid march into zone when turn = 1 and zone is town "no boots"
```
"""


def record(number: int, winner: str, turns: int, score: int) -> GameRecord:
    scores = {"a": str(score), "b": str(-score)}
    return GameRecord(
        number, f"s/{number}", "wins", (winner,) if winner else (), "", "", turns, turns, scores
    )


def made_up(rng: random.Random, number: int, edge: float) -> GameRecord:
    winner = "a" if rng.random() < 0.5 + edge else "b"
    return record(number, winner, rng.randint(4, 9), rng.randint(-9, 9))


@pytest.mark.parametrize("truth", [0.0, 0.15, -0.4])
def test_an_interval_of_a_share_is_never_left_by_the_truth(truth: float) -> None:
    """At any look of 250, in at most a twentieth of the runs (60 runs: 8 would be very unlikely)."""
    rng, left = random.Random(f"share {truth}"), 0
    for _ in range(60):
        share = Share(-1, 1, 0)
        for _ in range(250):
            share.add(
                1
                if rng.random() < 0.3 + truth / 2
                else -1
                if rng.random() < (0.3 - truth / 2) / (0.7 - truth / 2)
                else 0
            )
            low, high = share.interval
            if not low <= truth <= high:
                left += 1
                break
    assert left <= 7
    low, high = share.interval
    assert high - low < 0.45  # it says something, too


@pytest.mark.parametrize("spread", ["even", "skewed"])
def test_an_interval_of_a_mean_is_seldom_left_by_the_truth(spread: str) -> None:
    rng, left = random.Random(spread), 0
    for _ in range(100):
        mean = Mean()
        for _ in range(300):
            mean.add(rng.gauss(2, 3) if spread == "even" else rng.expovariate(0.5))
            if mean._bets and mean._evidence(2) >= math.log(1 / ALPHA):  # then, and only then, it is outside
                left += 1
                break
    assert left <= 10
    low, high = mean.interval
    assert high - low < 2.5


def test_bounds_are_found_where_a_search_finds_them() -> None:
    rng, mean = random.Random(4), Mean(null=5)
    for _ in range(200):
        mean.add(rng.gauss(6, 2))
    low, high = mean.interval
    for bound, inside in ((low, 1e-3), (high, -1e-3)):
        assert mean._evidence(bound - mean.null) >= math.log(1 / ALPHA) - 1e-6
        assert mean._evidence(bound - mean.null + inside) < math.log(1 / ALPHA)


def test_evidence_judged_together_is_never_more_than_alone_and_never_less_than_bonferroni() -> None:
    rng = random.Random(9)
    for _ in range(200):
        alone = [rng.gauss(0, 3) for _ in range(rng.randint(1, 7))]
        together = merged(alone)
        for one, all_of_them in zip(alone, together, strict=True):
            assert all_of_them <= one + 1e-9
            assert all_of_them >= one - math.log(len(alone)) - 1e-9


def test_made_up_games_without_a_difference_seldom_cry_whenever_one_stops() -> None:
    rng, cried = random.Random(1), 0
    for _ in range(60):
        so_far = Sequential(NAMES, arms=False)
        for number in range(80):
            so_far.add(made_up(rng, number, 0), made_up(rng, number, 0))
            if so_far.found:
                cried += 1
                break
    assert cried <= 8  # 5 % of 60 is 3


def test_a_difference_is_found_and_then_it_is_clear() -> None:
    rng, so_far = random.Random(2), Sequential(NAMES)
    number = 0
    while not so_far.clear and number < 3000:
        so_far.add(made_up(rng, number, 0), made_up(rng, number, 0.35))
        number += 1
    assert so_far.clear
    assert LEAST_PAIRS <= so_far.games < 400
    (anna, bert, *_) = so_far.comparison().measures
    assert anna.found
    assert bert.found
    assert anna.interval[0] > 0 > bert.interval[1]
    assert any("More games are won by Anna" in line for line in conclusions(so_far))


def test_rules_that_change_nothing_are_clear_soon() -> None:
    rng, so_far = random.Random(3), Sequential(NAMES)
    while not so_far.clear:
        game = made_up(rng, so_far.games, 0)
        so_far.add(game, game)
        assert so_far.games < 400
    assert so_far.same == so_far.games
    for measure in so_far.comparison().measures[:2]:
        assert -MARGIN <= measure.interval[0] <= measure.interval[1] <= MARGIN
        assert not measure.found
    assert conclusions(so_far) == ["In who wins, any difference is smaller than 5 points."]


def test_before_it_is_clear_it_says_so() -> None:
    rng, so_far = random.Random(5), Sequential(NAMES)
    assert conclusions(so_far) == ["No pair of games has come to an end yet."]
    for number in range(10):
        so_far.add(made_up(rng, number, 0), made_up(rng, number, 0))
    so_far.add(record(11, "a", 4, 1), GameRecord(11, "", "", (), "", "", 0, 0, {}, failure="ran away"))
    assert not so_far.clear
    assert (so_far.games, so_far.failed) == (10, 1)
    assert any("not clear yet" in line for line in conclusions(so_far))


def test_the_measurement_plays_real_games() -> None:
    outcome = comparing.watched_alarms(1)
    assert (outcome.done, outcome.failed) == (1, 0)


# ---- the effect of a rule -------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def dawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("effect") / "dawn_ride.md"
    path.write_text(DAWN, encoding="utf-8")
    return path


def table(house: list[Path]) -> Table:
    game = open_game("tutorial/skirmish", house)
    return Table(
        Setup(game.source.directory, (), None, {}, dict.fromkeys(("blue", "red"), "random"), "7", True), game
    )


def test_what_a_house_rule_did(dawn: Path) -> None:
    printed, amended = table([]), table([dawn])
    pairs = [(printed.play(number), amended.play(number)) for number in range(6)]
    found = {(e.paragraph, e.part): {way.how: way for way in e.ways} for e in effects(amended.game, pairs)}
    assert set(found) == {("5.4", ""), ("5.5a", ""), ("2.1a", ""), ("4.9", ""), ("5.4", "1:1, 5")}
    assert found["4.9", ""]["forbade"].games == 1  # the village is near on turn 1
    assert found["4.9", ""]["forbade"].before == 0
    healed = found["2.1a", ""]
    assert healed["offered"].after == pytest.approx(healed["taken"].after + healed["refused"].after)
    # counted again from the records themselves
    total = sum(
        n for _, after in pairs for key, n in after.usage.items() if key.startswith("offered\t2.1a\t")
    )
    assert healed["offered"].after == pytest.approx(total / 6)
    looked = sum(after.usage.get("cell\tcombat\t1:1 / 5", 0) for _, after in pairs)
    assert found["5.4", "1:1, 5"]["cell"].after == pytest.approx(looked / 6)
    for _, after in pairs:  # at decisions, not at evaluations
        assert after.usage.get("forbade\t4.9", 0) <= after.decisions + 1
        assert after.usage.get("forbade\t4.9", 0) <= after.fired.get("4.9", 0)
        assert not any("\t" in paragraph for paragraph in after.fired)


def test_moments_of_one_game(dawn: Path) -> None:
    session = Session.start(open_game("tutorial/skirmish", [dawn]), seed="7/0")
    seats = dict.fromkeys(session.ruleset.seats.ids, "random")
    moments = list(mattering(session, seats, ["2.1a"]))
    record = table([dawn]).play(0)
    asked = sum(n for key, n in record.usage.items() if key.startswith("offered\t2.1a\t"))
    assert sum(moment.offered for moment in moments) == asked  # the same game, decision by decision
    healed = [m for m in moments if any("2.1a" in m.lines[n].paragraph for n in m.ours)]
    assert all(moment.player in ("Blue", "Red") for moment in moments)
    assert healed or asked == 0


def run(*words: str) -> str:
    result = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "120"}).invoke(group.commands, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def test_play_shows_only_the_moments(dawn: Path) -> None:
    told = run("play", "skirmish", "--house", str(dawn), "--show", "4.9", "--seed", "7/0")
    assert "4.9 forbade something" in told
    assert "turn 1, decision 1," in told
    assert "turn 3" not in told
    assert "won by" in told or "drawn" in told
    result = CliRunner().invoke(group.commands, ["play", "skirmish", "--show", "4.99"])
    assert result.exit_code != 0


def test_compare_stops_by_itself(dawn: Path) -> None:
    long_day = dawn.with_name("short_day.md")
    long_day.write_text(
        "# Short day\nBrief.\n\n## amends 2\n```rules\nset parameter last_turn = 1\n```\n", "utf-8"
    )
    told = json.loads(
        run("compare", "skirmish", "--house", str(long_day), "--until-clear", "--seed", "3", "--json")
    )
    assert told["clear"] is True
    assert LEAST_PAIRS <= told["games"] < 1500
    assert told["asked_for"] == 10_000
    assert any("Games are shorter" in line for line in told["sentences"])
    assert told["effects"][0]["rule"] == "2"
    shown = run("compare", "skirmish", "--house", str(dawn), "--until-clear", "--games", "12", "--seed", "3")
    assert "hold at every look" in shown
    assert "what the house rules did" in shown
    assert "changed a number" in shown
