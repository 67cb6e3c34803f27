"""Random games over all scenarios of the games that have several: no dead end, no broken invariant."""

from __future__ import annotations

import sys
from functools import lru_cache
from multiprocessing import get_context
from random import Random

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.invariants import broken_invariants, violations
from rulesdsl.book.scenario import Scenario
from tests.promises import Outcome, jobs, length_of, opened, tried_games

_SHARE = 10  # games of one task: enough to pay for the compilation of a scenario
_STATE_EVERY = 250  # the engine's own promises about a state cost more than those of the rulebook
_MOST_DECISIONS = 60_000
_LONG = 3_000  # decisions
Task = tuple[str, str, range]


def scenario_games(count: int, workers: int | None = None) -> Outcome:
    """`count` random games of every game with several scenarios, evenly; progress on stderr.

    Of games that take very many decisions it is a smaller share, but each scenario has its turn.
    """
    tasks: list[Task] = []
    for name in tried_games():
        scenarios = sorted(opened(name).source.scenarios)
        if len(scenarios) > 1:
            share = max(len(scenarios), min(count, count * _LONG // length_of(name)))
            for number, scenario in enumerate(scenarios):
                most = len(range(number, share, len(scenarios)))
                tasks += [
                    (name, scenario, range(start, min(start + _SHARE, most)))
                    for start in range(0, most, _SHARE)
                ]
    total, games = Outcome(), sum(len(task[2]) for task in tasks)
    workers = workers or jobs()
    with get_context("fork").Pool(workers) as pool:
        for outcome in pool.imap_unordered(_played, tasks):
            total.add(outcome)
            if games > count or total.done % 100 == 0:
                print(f"{total.done} of {games} games, {total.failed} failures", file=sys.stderr, flush=True)
    return total


@lru_cache(maxsize=2)  # a worker goes through one scenario after the other
def _rules(name: str, scenario: str) -> tuple[Ruleset, Scenario | None]:
    found = opened(name).scenario(scenario)
    return opened(name).ruleset({}, found), found


def _played(task: Task) -> Outcome:
    name, scenario, seeds = task
    ruleset, set_up = _rules(name, scenario)
    outcome = Outcome()
    for seed in seeds:
        outcome.done += 1
        where = f"{name}, {scenario}, seed {seed}"
        try:
            _play(outcome, where, ruleset, set_up, seed)
        except Exception as error:
            outcome.failure(f"{where}: {type(error).__name__}: {error}")
    return outcome


def _play(outcome: Outcome, where: str, ruleset: Ruleset, set_up: Scenario | None, seed: int) -> None:
    machine = ruleset.new_machine(set_up, f"{where}", traced=False)
    machine.begin()
    rng = Random(where)
    for decision in range(_MOST_DECISIONS):
        wrong = (
            violations(ruleset, machine)
            if decision % _STATE_EVERY == 0 or machine.pending is None
            else [str(broken) for broken in broken_invariants(ruleset, machine.s)]
        )
        for what in wrong:
            outcome.failure(f"{where}, decision {decision}: {what}")
        if wrong or machine.pending is None:
            break
        if not machine.pending.options and not machine.pending.out:
            outcome.failure(f"{where}, decision {decision}: nobody can go on")
            break
        machine.choose(machine.pending.at_random(rng))
    else:
        outcome.failure(f"{where}: does not end")
    if machine.pending is None and machine.outcome is None:
        outcome.failure(f"{where}: ends without saying how")
