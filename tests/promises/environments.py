"""Environments: conformance tests of others over all games, poker beside OpenSpiel's, many games at once."""

from __future__ import annotations

import time
import warnings
from importlib import import_module
from statistics import median
from typing import Any

from rulesdsl.base.resources import shipped_games
from tests.promises import Outcome

CYCLES = 100
TURNS = 5
TIMES = 20  # the steps a second of a loop over one environment
EQUAL = 1e-9
POKERS = ("kuhn_poker", "leduc_poker")
CONNECT_FOUR = "tutorial/connect_four"


def conformance(count: int) -> Outcome:
    """PettingZoo's own tests on the first `count` of all shipped games, the short ones first."""
    from interpreter.envs.aec import aec_env

    tests: Any = import_module("pettingzoo.test")
    saving: Any = import_module("pettingzoo.test.save_obs_test")
    outcome = Outcome()
    names = sorted(shipped_games(), key=lambda name: ("/" not in name, name))
    for name in names[:count]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                env = aec_env(name)
                tests.api_test(env, num_cycles=CYCLES)
                tests.seed_test(lambda name=name: aec_env(name), num_cycles=CYCLES)
                saving.test_save_obs(env)
        except Exception as error:
            outcome.failure(f"{name}: {error!r:.200}")
        outcome.done += 1
    return outcome


def simulations(count: int) -> Outcome:
    """OpenSpiel's own simulation of a random game on the first `count` of all shipped games, the short ones
    first."""
    from interpreter.envs.spiel import spiel_game

    pyspiel: Any = import_module("pyspiel")
    outcome = Outcome()
    for name in sorted(shipped_games(), key=lambda name: ("/" not in name, name))[:count]:
        try:
            pyspiel.random_sim_test(spiel_game(name), num_sims=1, serialize=False, verbose=False)
        except Exception as error:
            outcome.failure(f"{name}: {error!r:.200}")
        outcome.done += 1
    return outcome


def poker(count: int) -> Outcome:
    """The exploitability of the uniform policy of `count` pokers, of our rulebooks and of OpenSpiel's own
    games."""
    from interpreter.envs.spiel import spiel_game

    pyspiel: Any = import_module("pyspiel")
    policy: Any = import_module("open_spiel.python.policy")
    algorithms: Any = import_module("open_spiel.python.algorithms.exploitability")
    outcome = Outcome()
    notes = []
    for name in POKERS[:count]:
        values = [
            algorithms.exploitability(game, policy.UniformRandomPolicy(game))
            for game in (spiel_game(f"classics/{name}"), pyspiel.load_game(name))
        ]
        notes.append(f"{name} {values[0]:.12g} and {values[1]:.12g}")
        outcome.done += 1
        if abs(values[0] - values[1]) > EQUAL:
            outcome.failure(notes[-1])
    outcome.note = "; ".join(notes)
    return outcome


def batches(count: int) -> Outcome:
    """About `count` steps of many games of connect four beside loops over one environment, in processor time
    and by turns: on a machine that others share one rate alone says little. And the same games by their
    hashes. The bar is the loop of PettingZoo's manual, over our environment and over its own game with and
    without the checks around it: the quickest loop counts, and as the loop makes an observation of every step
    the batches make them, too. The note tells both, in brackets with observations."""
    import numpy as np

    from interpreter.envs.aec import raw_aec_env
    from interpreter.envs.batch import BatchedGames

    def many(observing: bool) -> float:
        games = BatchedGames(CONNECT_FOUR, 1_000, renewed=True, native=True)
        rng = np.random.default_rng(1)
        begun = time.process_time()
        steps = 0
        while steps < count // TURNS:
            if observing:
                games.observations()
            steps += int((~games.over).sum())
            games.step(games.at_random(rng))
        return steps / (time.process_time() - begun)

    def loop(env: Any) -> float:
        rng, steps = np.random.default_rng(1), 0
        begun = time.process_time()
        while steps < count // 20 // TURNS:
            env.reset()
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        return steps / (time.process_time() - begun)

    environments = {"our environment": raw_aec_env(CONNECT_FOUR)}
    try:
        theirs: Any = import_module("pettingzoo.classic.connect_four_v3")
        environments |= {"PettingZoo's, unwrapped": theirs.raw_env(), "PettingZoo's": theirs.env()}
    except ImportError:  # needs pettingzoo[classic]
        pass
    many(False)
    rates: list[tuple[float, float]] = []
    beside: dict[str, list[tuple[float, float]]] = {name: [] for name in environments}
    for _ in range(TURNS):
        rates.append((many(False), many(True)))
        for name, env in environments.items():
            steps = loop(env)
            beside[name].append((rates[-1][0] / steps, rates[-1][1] / steps))
    outcome = Outcome(done=count)
    plain, observing = (median(rate[which] for rate in rates) for which in (0, 1))
    ratios = ", ".join(
        f"{median(x for x, _ in found):.1f} × ({median(x for _, x in found):.1f}) {name}"
        for name, found in beside.items()
    )
    outcome.note = f"{plain:,.0f} steps/s ({observing:,.0f} with observations): {ratios}"
    if min(median(x for _, x in found) for found in beside.values()) < TIMES:
        outcome.failure(outcome.note)
    _same_games(outcome)
    return outcome


def _same_games(outcome: Outcome) -> None:
    import numpy as np

    from interpreter.envs.aec import raw_aec_env
    from interpreter.envs.batch import BatchedGames

    games = BatchedGames(CONNECT_FOUR, 20, seed="bar", native=True)
    rng = np.random.default_rng(2)
    envs = [raw_aec_env(CONNECT_FOUR) for _ in range(20)]
    for number, env in enumerate(envs):
        env.reset(options={"seed": f"bar/{number}"})
    while not games.over.all():
        chosen = games.at_random(rng)
        for place in np.flatnonzero(~games.over):
            envs[place].step(int(chosen[place]))
        games.step(chosen)
        if games.hashes() != [env.hash for env in envs]:
            outcome.failure("a game of many is not the game of the environment")
            return
