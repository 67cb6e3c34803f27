"""The levels: how far they look, what they spend, that they decide the same twice, what they say of it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from benchmarks.strength import Pairing, Row
from interpreter.agents import budget
from interpreter.agents.advice import advise
from interpreter.agents.budget import SecondsATurn, Tries
from interpreter.agents.levels import LEVELS
from interpreter.agents.planning import PlanningAgent, Thought
from interpreter.agents.reckoning import WIN
from interpreter.agents.seats import OPPONENT, has_clock, make_agent, read_seats
from interpreter.agents.sight import Sight, worth
from interpreter.agents.simple import FEWEST_LOOKS, GreedyAgent
from interpreter.agents.terms import terms
from interpreter.agents.turns import NOBODY, Horizon, parts_of
from interpreter.agents.valuing import valuation
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.training import Course, Trained, train
from interpreter.playing.game import open_game
from interpreter.playing.weights import weights_in
from interpreter.running.machine import Machine
from rulesdsl import Session
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.cli.train import as_yaml
from tests.kit.command_line import run

BLUE, RED = 0, 1
ORDERS = Path(__file__).parents[1] / "testdata/games/orders"  # what a unit does is asked after it was named


def begun(name: str, seed: str = "1") -> tuple[Ruleset, Machine]:
    game = open_game(name)
    ruleset = game.ruleset({}, game.scenario(None))
    machine = ruleset.new_machine(game.scenario(None), seed, traced=False)
    machine.begin()
    return ruleset, machine


def asked(machine: Machine) -> int:
    assert machine.pending is not None
    return machine.pending.who


# ---- parts of the game
def test_the_part_is_the_phase_begun_for_the_player() -> None:
    ruleset, machine = begun("tutorial/skirmish")
    height, owner = parts_of(ruleset).part(machine)
    assert (ruleset.fast.blocks.procedure_of[machine.stack[height][0]], owner) == ("impulse", BLUE)


def test_a_phase_may_be_begun_for_something_a_player_acts_with() -> None:
    ruleset, machine = begun("battle_for_germany")
    height, owner = parts_of(ruleset).part(machine)
    assert (ruleset.fast.blocks.procedure_of[machine.stack[height][0]], owner) == ("player_turn", NOBODY)


def test_where_no_phase_is_anybodys_a_part_is_a_row_of_decisions() -> None:
    ruleset, machine = begun("tutorial/breakthrough")
    assert parts_of(ruleset).part(machine)[0] < 0
    mover, horizon, asked_then = asked(machine), Horizon(parts_of(ruleset), machine, asked(machine), 1), []
    while not horizon.reached(machine):
        asked_then.append(asked(machine))
        machine.choose(0)
    assert asked_then == [mover, 1 - mover]


@pytest.mark.parametrize("replies", [1, 2])
def test_a_line_ends_when_the_rival_has_replied(replies: int) -> None:
    """Blue's impulse, then Red's: the next to be asked is Blue, a turn later for each reply."""
    ruleset, machine = begun("tutorial/skirmish")
    rng, reflex = Random(1), PlanningAgent("x", Tries(1)).reflex(ruleset)
    horizon = Horizon(parts_of(ruleset), machine, BLUE, replies)
    while not horizon.reached(machine):
        machine.choose(reflex.choose(machine, rng))
    assert machine.pending is None or machine.s[ruleset.layout.tracks["turn"]] == 1 + replies
    assert machine.pending is None or asked(machine) == BLUE


# ---- what may be spent
def test_a_turn_has_so_many_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(budget.time, "monotonic", lambda: now[0])
    ruleset, machine = begun("tutorial/skirmish")
    sight, clock, whole = Sight.of(ruleset, machine), SecondsATurn(4.0, 1_000), 0.0
    for _ in range(200):
        spending = clock.spending(sight)
        assert spending.until is not None
        granted = spending.until - now[0]
        assert budget.LEAST - 1e-6 <= granted <= 0.9
        whole += granted
        now[0] += granted
        assert spending.late() or not spending.more(0) or granted == 0 or now[0] <= spending.until
        clock.spent(spending)
    assert granted == pytest.approx(budget.LEAST)
    assert 4.0 < whole < 4.0 + 200 * budget.LEAST


def test_who_is_late_still_takes_what_looks_best() -> None:
    """In a turn with more decisions than the clock was set for nobody plays whatever comes first."""
    ruleset, machine = begun("tutorial/skirmish")
    sight = Sight.of(ruleset, machine)
    looked_at = GreedyAgent("x").rated(sight, "x", range(sight.count), lambda: True)
    assert len(looked_at) == min(sight.count, FEWEST_LOOKS) > 1


def test_tries_are_counted() -> None:
    ruleset, machine = begun("tutorial/skirmish")
    for tries in (4, 20, 50):
        thought = PlanningAgent("x", Tries(tries)).thought(Sight.of(ruleset, machine), 0)
        assert 0 < thought.tries <= tries
        worlds = [len(leaves) for leaves in thought.leaves.values()]
        assert sum(worlds) == thought.tries


# ---- deciding
@pytest.mark.parametrize("level", [f"{level}:6" for level in LEVELS])
@pytest.mark.parametrize("name", ["tutorial/skirmish", "tutorial/connect_four"])
def test_with_tries_the_same_is_decided_twice(level: str, name: str) -> None:
    ruleset, machine = begun(name)
    decisions = []
    for _ in range(2):
        agent, played = make_agent(level, "s"), machine.copy()
        for decision in range(8):
            if played.pending is not None:
                decisions.append(agent.choose(Sight.of(ruleset, played), decision))
                played.choose(decisions[-1])
    assert decisions[: len(decisions) // 2] == decisions[len(decisions) // 2 :]


def test_another_option_must_be_better_by_more_than_luck() -> None:
    thought = Thought({0: 10, 1: 5})
    for leaf in (10, 10, 12):
        thought.add(0, leaf)
    thought.add(1, 100)
    assert thought.ranking()[0] == 0, "once is nothing"
    for leaf in (90, 110):
        thought.add(1, leaf)
    assert thought.ranking() == [1, 0]


def test_of_equals_nothing_is_done() -> None:
    assert Thought({0: 5, 1: 5, 2: 5}, idle=2).first == 2
    assert Thought({0: 5, 1: 6, 2: 5}, idle=2).first == 1
    assert Thought({0: 5, 1: 5}).first == 0


def test_in_a_line_who_is_named_is_judged_by_the_best_he_may_be_told() -> None:
    ruleset, machine = begun(str(ORDERS))
    reflex = PlanningAgent("s", Tries(8)).reflex(ruleset)
    assert reflex.choose(machine, Random(1)) == 2


def test_a_won_game_is_worth_more_than_any_lead() -> None:
    thought = Thought({0: 0, 1: 0, 2: 0})
    for option, leaf in ((0, WIN), (1, 10_000), (2, -WIN)):
        thought.add(option, leaf)
    won, ahead, lost = (thought.chances(option)[0] for option in (0, 1, 2))
    assert (won, lost) == (1.0, 0.0)
    assert 0.5 < ahead < 1.0


def test_club_beats_random() -> None:
    won = 0
    for number in range(4):
        ruleset, machine = begun("tutorial/skirmish", f"club {number}")
        seat = number % 2
        agents = {seat: make_agent("club:8", f"{number}"), 1 - seat: make_agent("random", f"{number}")}
        decision = 0
        while machine.pending is not None:
            machine.choose(agents[asked(machine)].choose(Sight.of(ruleset, machine), decision))
            decision += 1
        assert machine.outcome is not None
        won += machine.outcome[1] == 1 << seat
    assert won >= 3


def test_who_may_sit_down() -> None:
    players = open_game("tutorial/skirmish").program.world.universes["player"]
    assert read_seats(["blue=club", "red=strong:40"], players) == {"blue": "club", "red": "strong:40"}
    assert [has_clock(kind) for kind in ("club", "club:40", "strong", "easy:3")] == [True, False, True, False]
    assert OPPONENT == "club"
    refused = run("play", "tutorial/skirmish", "--seat", "red=clob")
    assert refused.exit_code == 2
    assert 'did you mean "club"' in refused.output


# ---- why
def test_the_terms_of_a_value_add_up_to_it() -> None:
    ruleset, machine = begun("tutorial/skirmish")
    values = worth(ruleset, machine)
    assert values is not None
    for player in (BLUE, RED):
        found = terms(ruleset, machine, player)
        assert sum(found.values()) == values[player]
        assert {"zones held", "own strength"} <= set(found)


def test_advice_says_why() -> None:
    ruleset, machine = begun("tutorial/skirmish")
    advice = advise(Sight.of(ruleset, machine), 0, tries=24, seconds=None)
    assert advice.second not in (None, advice.index)
    said = advice.why("march with Guards")
    assert "% by its reckoning" in said
    assert "march with Guards" in said
    assert advice == advise(Sight.of(ruleset, machine), 0, tries=24, seconds=None)


def test_advice_without_a_value() -> None:
    ruleset, machine = begun("tutorial/tic_tac_toe")
    advice = advise(Sight.of(ruleset, machine), 0, tries=200, seconds=None)
    assert advice.chance is not None
    assert 0 < advice.chance <= 1
    assert advice.gains == ()


# ---- afterwards
def saved(tmp_path: Path, game: str, decisions: int = 10_000) -> Path:
    session = Session.start(game, seed=3)
    rng = Random(3)
    while not session.over and len(session.history) < decisions:
        session.choose(rng.choice(session.options))
    path = tmp_path / "game.save"
    session.save(path)
    return path


def test_a_game_is_analysed(tmp_path: Path) -> None:
    save, svg = saved(tmp_path, "tutorial/skirmish"), tmp_path / "curve.svg"
    options = ("--seconds", "1", "--tries", "4", "--most", "3")
    told = run("analyse", str(save), *options, "--svg", str(svg), "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    curve = found["curve"]
    assert len(curve) == len(Session.load(save).history) + 1
    assert all(sum(point["chances"].values()) == pytest.approx(1.0, abs=0.001) for point in curve)
    assert set(curve[0]["chances"].values()) == {0.5}, "nobody is ahead before the game has begun"
    assert set(curve[-1]["chances"].values()) in ({0.0, 1.0}, {0.5})
    assert all(
        mistake["cost"] > 0 and mistake["chosen"] != mistake["better"] for mistake in found["mistakes"]
    )
    assert 0 < found["judged"] <= found["choices"]
    assert svg.read_text().count("<polyline") == 2
    plain = run("analyse", str(save), *options)
    assert plain.exit_code == 0
    assert "what cost most" in plain.output or "cost much" in plain.output


def test_a_game_with_secrets_is_not_analysed_before_it_is_over(tmp_path: Path) -> None:
    told = run("analyse", str(saved(tmp_path, "classics/kuhn_poker", 1)))
    assert told.exit_code == 2
    assert "hidden from its players" in told.output


# ---- the ladder
def test_a_row_of_the_ladder() -> None:
    row = Row(Pairing("g", "club", "greedy", 10, 0.75), {"a": 9.5, "b": 6.0}, {"a": 10, "b": 10}, (1.0, 3.0))
    assert row.share == pytest.approx(0.775)
    low, high = row.interval
    assert low < 0.6 < row.share < high
    assert row.kept
    assert row.margin is not None
    assert row.margin[0] == 2.0


# ---- weights
def test_weights_weigh_terms() -> None:
    ruleset, machine = begun("tutorial/skirmish")
    found = terms(ruleset, machine, BLUE)
    weighed = valuation(ruleset, (("own strength", 250), ("no such term", 3)))(machine)
    assert weighed is not None
    assert weighed[BLUE] == 100 * sum(found.values()) + 150 * found["own strength"]
    assert valuation(ruleset, ())(machine) == worth(ruleset, machine)


def test_the_levels_use_the_weights_of_a_game_and_greedy_does_not(tmp_path: Path) -> None:
    game = tmp_path / "skirmish"
    copytree(Path(str(open_game("tutorial/skirmish").source.directory)), game)
    (game / "weights.yaml").write_text('percent:\n  "own strength": 10000\n')
    ruleset, machine = begun(str(game))
    assert ruleset.weights == (("own strength", 10_000),)
    plain, _ = begun("tutorial/skirmish")
    reflex = PlanningAgent("x", Tries(4)).reflex
    assert reflex(ruleset).judged(machine, BLUE) != reflex(plain).judged(machine, BLUE)
    assert worth(ruleset, machine) == worth(plain, machine)
    (game / "weights.yaml").write_text('percent:\n  "own strength": lots\n')
    with pytest.raises(RulebookError, match="whole number"):
        begun(str(game))


def test_training_goes_on_and_does_not_depend_on_jobs(tmp_path: Path) -> None:
    game, log = open_game("tutorial/skirmish").source.directory, tmp_path / "log"
    course = Course(game, None, "t", 1)
    whole = train(course, 3, 2, 1, log)
    assert len(log.read_text().splitlines()) == 1 + 3 + 2
    log.write_text("\n".join(log.read_text().splitlines()[:3]) + "\n")  # it was cut
    assert train(course, 3, 2, 2, log) == whole
    assert whole.games == 6
    assert {label for label, _ in whole.weights} == {
        "zones held", "zones the enemy holds", "own strength", "enemy strength"
    }  # fmt: skip
    with pytest.raises(UsageError, match="another training"):
        train(Course(game, None, "t", 2), 3, 2, 1, log)


def test_the_weights_file_says_what_it_was_tuned_to(tmp_path: Path) -> None:
    found = Trained((("zones held", 120), ("own strength", 80)), 400, 0.61, (0.56, 0.66), 200)
    text = as_yaml(found, date(2026, 11, 18), 8)
    assert "made: 2026-11-18" in text
    assert "61.0 % (56.0 to 66.0) of 200 games" in text
    (tmp_path / "weights.yaml").write_text(text)
    assert weights_in(tmp_path) == found.weights
