"""Games as environments: conformance tests of others, the same games as sessions, nothing that is secret."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test  # noqa: E402

from interpreter.envs import native_stepper  # noqa: E402
from interpreter.envs.actions import action_numbers  # noqa: E402
from interpreter.envs.aec import aec_env, raw_aec_env  # noqa: E402
from interpreter.envs.batch import BatchedGames  # noqa: E402
from interpreter.envs.native_stepper import NativeStepper, ReadyLater  # noqa: E402
from interpreter.envs.steppers import PythonStepper  # noqa: E402
from interpreter.native.batches import Shelves  # noqa: E402
from interpreter.native.compilers import NotNative, find_compiler  # noqa: E402
from interpreter.native.readiness import Readiness  # noqa: E402
from interpreter.playing.session import Session  # noqa: E402
from rulesdsl.base.diagnostics import UsageError  # noqa: E402
from rulesdsl.base.resources import shipped_games  # noqa: E402

FIXTURES = Path(__file__).parents[1] / "testdata" / "games"
FULL = os.environ.get("RULESDSL_BARS") == "full"
SMALL = [name for name in shipped_games() if name.startswith("tutorial/")]
WITH_SECRETS = [str(FIXTURES / name) for name in ("patrol", "fog", "cups")]
WITH_SECRETS += ["classics/kuhn_poker", "classics/leduc_poker"]
CLASSICS = [name for name in shipped_games() if name.startswith("classics/") and name not in WITH_SECRETS]
GAMES = [name for name in shipped_games() if name not in WITH_SECRETS] if FULL else [*SMALL, *CLASSICS]


@pytest.mark.parametrize("name", [*GAMES, *WITH_SECRETS], ids=lambda name: Path(name).name)
def test_the_tests_of_pettingzoo_pass(name: str) -> None:
    env = aec_env(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # agents have the names of the seats, observations are dictionaries
        api_test(env, num_cycles=100)
        seed_test(lambda: aec_env(name), num_cycles=20)
        save_obs_test(env)


def decisions(env: Any, seed: int) -> Iterator[tuple[Any, int]]:
    """What each agent sees as it is asked, and the random choice it is about to make."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        yield observation, action
        env.step(action)


def played(env: Any, seed: int) -> Iterator[Any]:
    return (observation for observation, _ in decisions(env, seed))


@pytest.mark.parametrize("name", ["tutorial/skirmish", *WITH_SECRETS], ids=lambda name: Path(name).name)
def test_an_environment_plays_the_games_of_sessions(name: str) -> None:
    env = raw_aec_env(name)
    session = None
    for seen, action in decisions(env, 3):
        if session is None:
            session = Session.start(name, seed=env.seed)
        assert env.hash == session.hash
        assert len(env.numbers.legal(env.machine)) == len(session.options)
        legal = env.numbers.legal(env.machine)
        places = [env.numbers.index(env.machine, action) for action in legal]
        assert sorted(places) == sorted(option.index for option in session.options)
        assert [env.numbers.number(env.machine, place) for place in places] == legal
        assert seen["action_mask"].sum() == len(legal)
        index = env.numbers.index(env.machine, action)
        session.choose(next(option for option in session.options if option.index == index))
    assert session is not None
    assert session.over


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    env = raw_aec_env("tutorial/connect_four")
    env.reset(seed=1)
    before = env.hash
    for action in (0, 42, -1, 10**6):
        with pytest.raises(ValueError, match="not offered"):
            env.step(action)
    assert env.hash == before


def test_an_observation_holds_what_the_seat_may_know() -> None:
    """Of three cards one is in the hand, and of the others nothing is told, not even that they are not it."""
    env = raw_aec_env("classics/kuhn_poker")
    names = [field.name for field in env.fields.fields]
    cards = [place for place, name in enumerate(names) if name.startswith("at of") and name.endswith("seen")]
    held = set()
    for seed in range(12):
        for observation in played(env, seed):
            row = observation["observation"]
            seen = [place for place in cards if row[place]]
            assert len(cards) == 3
            assert len(seen) == 1
            assert not any(row[place + 1] for place in cards if place not in seen)
            held.add(seen[0])
    assert len(held) == 3


def test_counters_that_lie_face_down_have_no_numbers_of_their_own() -> None:
    env = raw_aec_env(FIXTURES / "fog")
    assert not any("piece" in sorts for sorts in action_numbers(env.ruleset).blocks)


def test_rewards_are_what_the_players_get() -> None:
    env = raw_aec_env("classics/kuhn_poker")
    seen = set()
    for seed in range(30):
        for _ in played(env, seed):
            pass
        assert sum(env.rewards.values()) == 0
        seen.add(abs(env.rewards["anna"]))
    assert seen == {1.0, 2.0}
    wins = raw_aec_env("tutorial/connect_four")
    for _ in played(wins, 1):
        pass
    assert sorted(wins.rewards.values()) == [-1.0, 1.0]


def test_pictures() -> None:
    env = raw_aec_env("tutorial/skirmish", render_mode="ansi")
    env.reset(seed=1)
    assert "who marches?" in str(env.render())
    drawn = raw_aec_env("tutorial/skirmish", render_mode="svg")
    drawn.reset(seed=1)
    assert str(drawn.render()).startswith("<svg")
    with pytest.raises(UsageError, match="ansi"):
        raw_aec_env("tutorial/skirmish", render_mode="cinema")


MANY = ["tutorial/connect_four", "tutorial/skirmish", *WITH_SECRETS]
IN_THE_MACHINE = [name for name in MANY if not name.endswith("fog")]
CASES = [(name, native) for native, some in ((False, MANY), (True, IN_THE_MACHINE)) for name in some]


@pytest.mark.parametrize(
    ("name", "native"), CASES, ids=lambda value: Path(value).name if isinstance(value, str) else str(value)
)
def test_many_games_at_once_are_the_games_of_the_environment(name: str, native: bool) -> None:
    if native:
        needs_a_compiler()
    games = BatchedGames(name, 4, seed="q", native=native)
    assert isinstance(games.stepper, NativeStepper if native else PythonStepper)
    envs = [raw_aec_env(name) for _ in range(4)]
    for number, env in enumerate(envs):
        env.reset(options={"seed": f"q/{number}"})
    rng, steps = np.random.default_rng(2), 0
    while not games.over.all() and steps < 60:
        assert games.hashes() == [env.hash for env in envs]
        rows, chosen = games.observations(), games.at_random(rng)
        for place in np.flatnonzero(~games.over):
            env = envs[place]
            seen = env.observe(env.agent_selection)
            assert games.seats[games.who[place]] == env.agent_selection
            assert (seen["action_mask"] == games.masks[place]).all()
            assert (seen["observation"] == rows[place]).all()
            env.step(int(chosen[place]))
        games.step(chosen)
        steps += 1
        for place in np.flatnonzero(games.over):
            if games.rewards[place].any():
                assert dict(zip(games.seats, games.rewards[place], strict=True)) == envs[place].rewards


def test_games_that_are_over_make_room() -> None:
    games = BatchedGames("tutorial/tic_tac_toe", 20, renewed=True)
    rng = np.random.default_rng(1)
    for _ in range(30):
        games.step(games.at_random(rng))
    assert games.numbers.max() > 40
    assert len(set(games.numbers.tolist())) == 20
    with pytest.raises(ValueError, match="not offered"):
        BatchedGames("tutorial/tic_tac_toe", 1).step([0])


def needs_a_compiler() -> None:
    try:
        find_compiler()
    except NotNative as why:
        pytest.skip(str(why))


def batched(name: str, steps: int, **how: Any) -> tuple[BatchedGames, list[Any]]:
    """Many games at random, and everything that was told on the way."""
    games, rng = BatchedGames(name, 6, seed="w", renewed=True, **how), np.random.default_rng(5)
    told = []
    for _ in range(steps):
        told += [games.masks.copy(), games.who.copy(), games.observations(), games.rewards.copy()]
        told += [games.over.copy(), np.array(games.hashes())]
        games.step(games.at_random(rng))
    return games, told


def same(one: list[Any], other: list[Any]) -> bool:
    return all((a == b).all() for a, b in zip(one, other, strict=True))


def test_the_machine_takes_over_games_that_python_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_a_compiler()
    native_stepper._readiness.cache_clear()
    _, alone = batched("tutorial/skirmish", 60, native=False)
    begun = BatchedGames("tutorial/skirmish", 1)
    readiness = native_stepper._readiness(begun.ruleset)
    steps = readiness.now()
    readiness.use(None)
    monkeypatch.setattr(Readiness, "thought", lambda self, seconds, somebody_waits: calls.append(seconds))
    calls: list[float] = []

    class Late(list[float]):
        def append(self, seconds: float) -> None:
            super().append(seconds)
            if len(self) == 20:
                readiness.use(steps)

    calls = Late()
    games, changed = batched(begun.game, 60)
    assert isinstance(games.stepper, ReadyLater)
    assert isinstance(games.stepper.now, NativeStepper)
    assert len(calls) == 20
    assert same(alone, changed)


def test_what_the_machine_gives_up_goes_on_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every tenth call it stops somewhere on the way, and every fourth game it does not begin."""
    needs_a_compiler()
    _, alone = batched("classics/leduc_poker", 80, native=False)
    calls, strays = [0], set()
    decide, begin = Shelves.decide, Shelves.begin

    def tired(self: Shelves, places: Any, *more: Any) -> int:
        calls[0] += 1
        return decide(self, places[: len(places) // 2] if calls[0] % 10 == 0 else places, *more)

    def idle(self: Shelves, place: int, seed: str) -> bool:
        return not seed.endswith("4") and begin(self, place, seed)

    monkeypatch.setattr(Shelves, "decide", tired)
    monkeypatch.setattr(Shelves, "begin", idle)
    stray = NativeStepper._stray
    monkeypatch.setattr(NativeStepper, "_stray", lambda self, at: (strays.add(int(at)), stray(self, at)))
    games, halting = batched("classics/leduc_poker", 80, native=True)
    assert isinstance(games.stepper, NativeStepper)
    assert strays
    assert games.numbers.max() > 24
    assert same(alone, halting)


def test_threads_may_each_have_games_of_their_own() -> None:
    needs_a_compiler()
    name = "tutorial/skirmish"
    _, alone = batched(name, 40, native=True)
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda _: batched(name, 40, native=True)[1], range(3)))
    assert all(same(alone, run) for run in runs)


def test_why_games_are_not_in_the_machine_is_told_to_who_asks_for_it() -> None:
    with pytest.raises(UsageError, match="face down"):
        BatchedGames(FIXTURES / "fog", 1, native=True)
    assert isinstance(BatchedGames(FIXTURES / "fog", 1).stepper, PythonStepper)


def test_the_short_name_is_the_same_thing() -> None:
    import rulesdsl.envs

    assert rulesdsl.envs.BatchedGames is BatchedGames
    assert "aec_env" in dir(rulesdsl.envs)


# ---- OpenSpiel ----------------------------------------------------------------------------------------
QUICK = ["backgammon", "draughts", "estate_sale", "go_9x9", "nine_mens_morris", "reversi"]
SPIELS = [*SMALL, *WITH_SECRETS, *(f"classics/{name}" for name in QUICK)]


@pytest.mark.parametrize("name", SPIELS, ids=lambda name: Path(name).name)
def test_the_simulations_of_openspiel_pass(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from interpreter.envs.spiel import spiel_game

    pyspiel.random_sim_test(spiel_game(name), num_sims=1, serialize=False, verbose=False)


def test_kuhn_is_the_kuhn_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    from interpreter.envs.spiel import spiel_game

    ours, theirs = spiel_game("classics/kuhn_poker"), pyspiel.load_game("kuhn_poker")
    values = [exploitability.exploitability(g, policy.UniformRandomPolicy(g)) for g in (ours, theirs)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    ends, states = tree_of(ours)
    assert (ends, len(states)) == (30, 12)
    solver = cfr.CFRSolver(ours)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(ours, solver.average_policy()) < values[0] / 4


def tree_of(game: Any) -> tuple[int, set[tuple[int, str]]]:
    """How many ends a game has, and its information states."""
    states: set[tuple[int, str]] = set()

    def walk(state: Any) -> int:
        if state.is_terminal():
            return 1
        if not state.is_chance_node():
            states.add((state.current_player(), state.information_state_string()))
        return sum(walk(state.child(action)) for action in state.legal_actions())

    return walk(game.new_initial_state()), states


def test_what_is_known_does_not_depend_on_how_many_views_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked only at the end, with room for one view, and at every position with room for all."""
    from interpreter.envs import positions
    from interpreter.playing.game import open_game

    def told(most: int, always: bool) -> list[tuple[str, ...]]:
        monkeypatch.setattr(positions, "MOST_SEEN", most)
        game = open_game("classics/kuhn_poker")
        ruleset = game.ruleset({}, game.scenario(None))
        position = positions.Tree(game, ruleset, game.scenario(None), action_numbers(ruleset)).root()
        while not position.over:
            legal = position.legal() if position.machine is not None else range(len(position.outcomes))
            position = position.chosen(legal[0])
            if always:
                position.told(0)
        return [position.told(seat) for seat in (0, 1)]

    kept = told(10**6, always=True)
    assert told(1, always=False) == kept
    assert all(len(lines) > 1 for lines in kept)
    assert kept[0] != kept[1]
