"""Whole games at one go, held against the same games played decision by decision.

All shipped games are compared by the promise `flavours` (test_promises.py); here is what they have not.
"""

from __future__ import annotations

from random import Random

import pytest

from interpreter.compiling.optimise.bulk_loops import as_cells, as_marks
from interpreter.measuring import simulation
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from interpreter.running.fuel import RunawayRule
from rulesdsl import program as pg
from rulesdsl.program.walk import walk_steps
from tests.promises import FIXTURES, PATROL, RUNAWAY, Outcome, opened, rules_of
from tests.promises.playing import lockstep

EXITS = str(FIXTURES / "exits")
SWEEPS = str(FIXTURES / "sweeps")
FOG = str(FIXTURES / "fog")


def test_every_way_out_of_a_procedure() -> None:
    outcome = Outcome()
    for seed in range(200):
        lockstep(outcome, "exits", *rules_of(EXITS), seed)
    assert outcome.failed == 0, "\n".join(outcome.examples)


def test_the_end_of_a_phase_knows_what_it_was_begun_with() -> None:
    """The example shows it, though the phase has set its parameter to another player."""
    results = run_examples(opened(EXITS))
    assert [result.passed for result in results] == [True]


def test_the_games_compared_end_in_every_way() -> None:
    """Otherwise the comparison above would prove little."""
    ruleset, scenario = rules_of(EXITS)
    ends, draw = set(), Random(1).random
    for seed in range(200):
        machine = ruleset.playouts.play(scenario, str(seed), lambda _, count: int(draw() * count))
        assert machine.outcome is not None
        ends.add(machine.outcome[2])
    assert ends == {"hot", "late", "enough", "tired"}


def test_windows_tokens_and_journeys() -> None:
    outcome = Outcome()
    for seed in range(60):
        lockstep(outcome, "patrol", *rules_of(PATROL), seed)
    assert outcome.failed == 0, "\n".join(outcome.examples)


def test_stacks_and_hidden_counters() -> None:
    outcome = Outcome()
    for seed in range(60):
        lockstep(outcome, "fog", *rules_of(FOG), seed)
    assert outcome.failed == 0, "\n".join(outcome.examples)


def test_loops_done_at_one_go_are_still_loops() -> None:
    outcome = Outcome()
    for seed in range(100):
        lockstep(outcome, "sweeps", *rules_of(SWEEPS), seed)
    assert outcome.failed == 0, "\n".join(outcome.examples)


def test_which_loops_are_done_at_one_go() -> None:
    """Those of which nothing is asked that they change, once they have begun."""
    ruleset, _ = rules_of(SWEEPS)
    unit, found = ruleset.fast.unit, dict[str, int]()
    for name, procedure in ruleset.program.procedures.items():
        loops = [step for step in walk_steps(procedure.body) if isinstance(step, pg.ForS)]
        at_once = [step for step in loops if as_marks(unit, step) or as_cells(unit, step)]
        found |= {name: len(at_once)} if loops else {}
    assert found == {"clear": 4, "spread": 1, "dry_out": 0, "walk": 1, "foresee": 0, "count": 0}


@pytest.mark.parametrize(("number", "message"), [(1, "come to an end: long"), (2, "sets off|nested")])
@pytest.mark.parametrize("cautious", [False, True])
def test_a_rule_that_runs_away_is_given_up(number: int, message: str, cautious: bool) -> None:
    ruleset, scenario = rules_of(RUNAWAY)
    choices = iter([0, 0, number, 0])
    with pytest.raises(RunawayRule, match=message):
        ruleset.playouts.play(scenario, "1", lambda _, __: next(choices), cautious)
    assert next(choices) == 0  # it was not asked again


def test_simulations_at_one_go_give_the_same_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of games that do not come to an end: those are played again, the slow way."""
    monkeypatch.setattr(simulation, "MOST_DECISIONS", 90)
    for name in ("tutorial/skirmish", PATROL, EXITS, RUNAWAY):
        game = opened(name)
        seats = dict.fromkeys(game.program.world.universes["player"].ids, "random")
        table = simulation.Table(simulation.Setup(game.source.directory, (), None, {}, seats, "9"), game)
        records = [table.play(number, at_one_go=True) for number in range(20)]
        assert records == [table.play(number) for number in range(20)]
        assert name in (PATROL, EXITS) or any(record.failure for record in records)
        assert name == RUNAWAY or any(record.outcome for record in records)


def test_blocks_of_the_rules_have_the_same_numbers_whatever_examples_are_compiled_with_them() -> None:
    """So that functions compiled for one set of settings serve for the next."""
    ruleset = open_game("tutorial/skirmish").ruleset()
    alone, beside_examples = ruleset.full, ruleset.with_examples
    assert len(beside_examples.blocks.entries) > len(alone.blocks.entries)
    shared = {name: beside_examples.blocks.entries[name] for name in alone.blocks.entries}
    assert shared == alone.blocks.entries
    assert max(shared.values()) < min(set(beside_examples.blocks.entries.values()) - set(shared.values()))


def test_rules_with_other_settings_share_the_plan_of_the_state() -> None:
    game = open_game("battle_for_germany")
    first, second = (game.ruleset({}, scenario) for scenario in list(game.source.scenarios.values())[:2])
    assert first.layout is second.layout
