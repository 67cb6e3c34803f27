"""Tables for agents to sit at, and positions of the games played there."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight
from interpreter.agents.simple import GreedyAgent, RandomAgent
from interpreter.measuring.simulation import Setup, Table
from interpreter.playing.game import open_game
from interpreter.running.machine import Machine


def table(name: str, **seats: str) -> Table:
    game = open_game(name)
    players = game.program.world.universes["player"].ids
    sitting = dict.fromkeys(players, "random") | seats
    return Table(Setup(game.source.directory, (), None, {}, sitting, "agents"), game)


def start(of: Table, seed: str = "1", traced: bool = False) -> Machine:
    machine = of.ruleset.new_machine(of.scenario, seed, traced=traced)
    machine.begin()
    return machine


def positions(of: Table, every: int = 7, most: int = 12) -> Iterator[tuple[int, Machine]]:
    """Decisions of a few random games, some way apart."""
    for seed in ("a", "b"):
        machine, agent = start(of, seed), RandomAgent(seed)
        decision = found = 0
        while machine.pending is not None and found < most:
            if decision % every == 0:
                yield decision, machine.copy()
                found += 1
            machine.choose(agent.choose(Sight.of(of.ruleset, machine), decision))
            decision += 1


AGENTS = [RandomAgent("x"), GreedyAgent("x"), SearchAgent("x", rounds=12, horizon=60)]
