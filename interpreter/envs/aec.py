"""Any game as a PettingZoo environment (AEC: one agent acts at a time). Extra `rl`.

    env = aec_env("tutorial/connect_four")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))

An observation is what the seat of the agent may know, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from interpreter.compiling.ruleset import Ruleset
from interpreter.envs.actions import ActionNumbers, action_numbers
from interpreter.envs.observations import observation_fields
from interpreter.envs.payoffs import payoffs
from interpreter.playing.game import Game, join_settings, open_game
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from interpreter.running.state_json import state_hash
from rulesdsl.base.diagnostics import UsageError

NEEDS = "environments need the extra rl: pip install 'rulesdsl[rl]'"
MOST_DECISIONS = 20_000

try:  # by name: whether they have types must not matter
    spaces: Any = import_module("gymnasium.spaces")
    wrappers: Any = import_module("pettingzoo.utils.wrappers")
    AECEnv: Any = import_module("pettingzoo").AECEnv
except ImportError:
    raise UsageError(NEEDS) from None


def aec_env(game: str | Path | Game, **arguments: Any) -> Any:
    """The environment with PettingZoo's own checks around it."""
    return wrappers.OrderEnforcingWrapper(raw_aec_env(game, **arguments))


class raw_aec_env(AECEnv):  # type: ignore[misc]
    """`scenario`, `house`, `options`, `readings`: as for `Session.start`. `render_mode`: "ansi" or "svg"."""

    metadata: Mapping[str, Any] = {
        "render_modes": ["ansi", "svg"],
        "name": "rulesdsl_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Path | Game,
        *,
        scenario: str | None = None,
        house: Sequence[str | Path] = (),
        options: Mapping[str, Any] | None = None,
        readings: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "svg"):
            raise UsageError(f'render_mode {render_mode!r}: there are "ansi" and "svg"')
        self.game = game if isinstance(game, Game) else open_game(game, house)
        self.settings = join_settings(options or {}, readings or {})
        self.scenario = self.game.scenario(scenario)
        self.ruleset: Ruleset = self.game.ruleset(self.settings, self.scenario)
        self.render_mode = render_mode
        self.most_decisions = most_decisions
        self.metadata = {**type(self).metadata, "name": f"{self.game.program.game}_v0"}
        self.numbers: ActionNumbers = action_numbers(self.ruleset)
        self.fields = observation_fields(self.ruleset)
        self.possible_agents = list(self.ruleset.seats.ids)
        self._seat = dict(self.ruleset.seats.index)
        self._name = {number: name for name, number in self._seat.items()}
        look = spaces.Dict(
            {
                "observation": spaces.Box(self.fields.low, self.fields.high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (self.numbers.size,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, look)
        self.action_spaces = {a: spaces.Discrete(self.numbers.size) for a in self.possible_agents}
        self._draws = np.random.default_rng()
        self.machine: Machine
        self.decisions = 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The same seed gives the same dice; without one they are new."""
        if seed is not None:
            self._draws = np.random.default_rng(seed)
        self.seed = str((options or {}).get("seed", int(self._draws.integers(1 << 62))))
        self.machine = self.ruleset.new_machine(self.scenario, self.seed, traced=False)
        self.machine.begin()
        self.decisions = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._look_who_is_asked()

    def _look_who_is_asked(self) -> None:
        pending = self.machine.pending
        if pending is None:
            paid = payoffs(self.ruleset, self.machine)
            self.rewards = {agent: paid[self._seat[agent]] for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.decisions >= self.most_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._name[pending.who]

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        assert action is not None
        self.machine.choose(self.numbers.index(self.machine, int(action)))
        self.decisions += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._look_who_is_asked()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seat[agent]
        mask = np.zeros(self.numbers.size, np.int8)
        pending = self.machine.pending
        if pending is not None and pending.who == seat and not self.truncations.get(agent):
            mask[self.numbers.legal(self.machine)] = 1
        return {"observation": self.fields.row(self.machine, seat), "action_mask": mask}

    def state(self) -> Any:
        """What somebody sees who knows everything each seat knows: the rows of all seats, one below the
        other."""
        return np.stack([self.fields.row(self.machine, seat) for seat in self._seat.values()])

    @property
    def hash(self) -> str:
        """The fingerprint of the position, as of a session."""
        return state_hash(self.machine)

    # ---- pictures
    def session(self) -> Session:
        """The game as it stands, for everything that explains: prompts, options in words, views."""
        scenario = self.scenario.id if self.scenario is not None else None
        facts: dict[str, Any] = {"game": self.game.program.game, "scenario": scenario, "house": []}
        facts |= {"settings": self.settings, "seed": self.seed}
        machine = self.machine.copy()
        machine.code = self.ruleset.full.code
        return Session(self.game, self.ruleset, machine, facts)

    def render(self) -> str | None:
        """The position as text, or the map as SVG; as somebody who looks on may see it."""
        if self.render_mode is None:
            return None
        session = self.session()
        if self.render_mode == "svg":
            from interpreter.playing.picture import map_svg  # only here: drawing is a lot of code

            return map_svg(session, None) if self.game.source.map is not None else ""
        view = session.view(None)
        lines = [f"{name}: {value}" for name, value in view["tracks"].items()]
        lines += [
            f"{thing.partition(':')[2]}: "
            + ", ".join(f"{name} {value}" for name, value in sorted(has.items()))
            for thing, has in sorted(view["things"].items())
        ]
        if session.prompt is not None:
            lines.append(f"{session.prompt.player}: {session.prompt.text}")
        elif session.result is not None:
            lines.append(f"{session.result.outcome}: {', '.join(session.result.winners) or 'nobody'}")
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing is held."""
