"""Any game that is small enough as an OpenSpiel game (`pyspiel`), so that its algorithms run on a rulebook.

    game = spiel_game("tutorial/tic_tac_toe")
    state = game.new_initial_state()

Dice and draws are chance nodes with exact probabilities; an information state is everything a player has
seen and done so far. Extra `spiel`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from interpreter.envs.actions import action_numbers
from interpreter.envs.payoffs import payoffs
from interpreter.envs.positions import Position, Tree
from interpreter.playing.counters import hides_identity
from interpreter.playing.game import Game, join_settings, open_game
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.program.walk import all_steps

try:  # by name: whether it has types must not matter
    pyspiel: Any = import_module("pyspiel")
except ImportError:
    raise UsageError("OpenSpiel games need the extra spiel: pip install 'rulesdsl[spiel]'") from None

TRIALS = 20  # games at random, to see what the game is like
MOST_DECISIONS = 5_000
MOST_TOGETHER = 10_000  # decisions in all of them: a long game is known after fewer
_registered: dict[tuple[Any, ...], Any] = {}


def spiel_game(
    game: str | Path | Game,
    *,
    scenario: str | None = None,
    house: Sequence[str | Path] = (),
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
) -> Any:
    """The game for OpenSpiel. It is registered, so that `pyspiel.load_game(game.get_type().short_name)`
    finds it."""
    opened = game if isinstance(game, Game) else open_game(game, house)
    settings = join_settings(options or {}, readings or {})
    chosen = opened.scenario(scenario)
    ruleset = opened.ruleset(settings, chosen)
    key = (opened.program.content_hash, chosen.id if chosen else "", tuple(sorted(settings.items())))
    if key not in _registered:
        tree = Tree(opened, ruleset, chosen, action_numbers(ruleset))
        number = sum(known[0] == key[0] for known in _registered)
        name = f"rulesdsl_{opened.program.game}" + (f"_{key[0][:6]}_{number}" if _taken(opened) else "")
        _registered[key] = _register(tree, name)
    return _registered[key]()


def _taken(game: Game) -> bool:
    return f"rulesdsl_{game.program.game}" in pyspiel.registered_names()


def _register(tree: Tree, name: str) -> Any:
    """A class of its own for this rulebook: that is how OpenSpiel tells games apart."""
    kind, info = _described(tree, name)

    class RulebookGame(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})
            self.tree = tree

        def new_initial_state(self) -> Any:
            return RulebookState(self, tree)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    pyspiel.register_game(kind, RulebookGame)
    return RulebookGame


class RulebookState(pyspiel.State):  # type: ignore[misc]
    """A position. Players are numbered in the order of the seats."""

    def __init__(self, game: Any, tree: Tree) -> None:
        super().__init__(game)
        self.position: Position = tree.root()

    def _seats(self) -> list[int]:
        return list(self.position.tree.ruleset.seats.index.values())

    def current_player(self) -> Any:
        if self.position.over:
            return pyspiel.PlayerId.TERMINAL
        if self.position.machine is None:
            return pyspiel.PlayerId.CHANCE
        return self._seats().index(self.position.who)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, float(chance)) for number, (_, chance) in enumerate(self.position.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.chosen(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {self.position.outcomes[action][0]}"
        machine = self.position.machine
        if machine is None or action not in self.position.legal():
            return f"action {action}"
        return self.position.tree.numbers.text(machine, action)

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        if not self.position.over or self.position.machine is None:
            return [0.0] * len(self._seats())
        paid = payoffs(self.position.tree.ruleset, self.position.machine)
        return [paid[seat] for seat in self._seats()]

    def __str__(self) -> str:
        return " | ".join(" ".join(self.position.told(seat)) for seat in self._seats())


class Observer:
    """What a player sees: all of the past with perfect recall, else the position as it is now."""

    def __init__(self, kind: Any) -> None:
        self.perfect_recall = kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """There are only texts here; numbers are in `interpreter.envs.aec`."""

    def string_from(self, state: Any, player: int) -> str:
        seat = state._seats()[player]
        position = state.position
        asked = " ?" if position.who == seat else ""
        if self.perfect_recall:
            return "\n".join(position.told(seat)) + asked
        return "; ".join(f"{name}={value}" for name, value in sorted(position.view(seat).items())) + asked


def _described(tree: Tree, name: str) -> tuple[Any, Any]:
    program, ruleset = tree.ruleset.program, tree.ruleset
    seats = list(ruleset.seats.index.values())
    longest, sums, least, most, chances = _tried(tree)
    zero_sum = sums == {Fraction(0)} or all(abs(float(one)) < 1e-9 for one in sums)
    hidden = bool(program.visibility or program.tokens or hides_identity(program))
    random = bool(program.tokens) or any(isinstance(s, pg.RollS | pg.PickS) for s in all_steps(program))
    types = pyspiel.GameType
    kind = types(
        short_name=name,
        long_name=tree.game.full_title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if random else types.ChanceMode.DETERMINISTIC,
        information=types.Information.IMPERFECT_INFORMATION
        if hidden
        else types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=len(seats),
        min_num_players=len(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=False,
    )
    # wins are worth 1; of payoffs only some were seen
    reach = 1.0 if {least, most} <= {-1.0, 0.0, 1.0} else 10 * max(abs(least), abs(most))
    info = pyspiel.GameInfo(
        num_distinct_actions=tree.numbers.size,
        max_chance_outcomes=max(chances, 1) if random else 0,
        num_players=len(seats),
        min_utility=-reach,
        max_utility=reach,
        utility_sum=0.0 if zero_sum else None,
        max_game_length=10 * longest + 100,
    )
    return kind, info


def _tried(tree: Tree) -> tuple[int, set[Any], float, float, int]:
    """Some games at random: how long, what the payoffs sum up to, from where to where, how many ways a
    chance has."""
    longest, together, least, most = 0, 0, 0.0, 0.0
    sums: set[Any] = set()
    world = tree.ruleset.program.world
    chances = max([36, *(len(universe) for universe in world.universes.values())])
    for number in range(TRIALS):
        if together >= MOST_TOGETHER:
            break
        rng, position, length = Random(number), tree.root(), 0
        while not position.over and length < MOST_DECISIONS:
            legal = position.legal() if position.machine is not None else range(len(position.outcomes))
            position, length = position.chosen(legal[int(rng.random() * len(legal))]), length + 1
        longest, together = max(longest, length), together + length
        if position.machine is not None and position.over:
            paid = payoffs(tree.ruleset, position.machine)
            sums.add(round(sum(paid.values()), 9))
            least, most = min(least, *paid.values()), max(most, *paid.values())
    return longest, sums, least, most, chances
