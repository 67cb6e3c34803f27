"""The work one decision may cost leaves room for the heaviest honest rulebook, in code that counts most."""

from __future__ import annotations

from random import Random

from interpreter.playing.game import open_game

ROOM = 2  # the limit is at least so many times what was ever needed here


def test_a_whole_game_stays_far_below_the_limit() -> None:
    """Traced code meters by bounds, not by what happened: the supply of a whole army costs it most."""
    game = open_game("race_for_berlin")
    ruleset = game.ruleset({}, game.scenario())
    machine, rng = ruleset.new_machine(game.scenario(), "0/1", traced=True), Random("0/1")
    code, most = machine.code, 0
    machine.begin()
    while machine.pending is not None:
        most = max(most, code.work - code.meter[0])
        machine.choose(machine.pending.at_random(rng))
    assert most > 0
    assert most * ROOM <= code.work
