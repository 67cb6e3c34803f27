"""The classic games beside programs and numbers that others have made: who agrees move for move agrees on the
rules. Tests run all of it in small numbers, `make bars` in full."""

from __future__ import annotations

from functools import lru_cache

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine


@lru_cache(maxsize=16)
def classic(name: str) -> Game:
    return open_game(f"classics/{name}")


@lru_cache(maxsize=16)
def rules_of(name: str, scenario: str = "", setting: str = "") -> Ruleset:
    """The rules of a classic; `setting` is a parameter with its value, such as `target=1`."""
    game = classic(name)
    key, _, value = setting.partition("=")
    return game.ruleset({key: value} if key else {}, game.scenario(scenario or None))


def begun(name: str, scenario: str = "", setting: str = "", script: list[int] | None = None) -> Machine:
    """A game at its first decision; `script` are the dice."""
    machine = rules_of(name, scenario, setting).new_machine(
        classic(name).scenario(scenario or None), "0", False
    )
    machine.script = script
    machine.begin()
    return machine


def ids(name: str, universe: str) -> tuple[str, ...]:
    return classic(name).program.world.universes[universe].ids
