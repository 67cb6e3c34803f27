"""Counts that are known: complete games of tic-tac-toe, lines of play beside hand-written games."""

from __future__ import annotations

from benchmarks.baselines import AnyGame, plain
from interpreter.running.machine import Machine
from tests.promises import Outcome, rules_of

TIC_TAC_TOE = 255_168


def complete_games(count: int) -> Outcome:
    """All games of tic-tac-toe there are (`count` is how many there must be)."""
    ruleset, scenario = rules_of("tutorial/tic_tac_toe")
    machine = ruleset.new_machine(scenario, "0", traced=False)
    machine.begin()
    found = _ends(machine)
    outcome = Outcome(done=found)
    if found != count:
        outcome.failure(f"{found} complete games instead of {count}")
    return outcome


def _ends(machine: Machine) -> int:
    if machine.pending is None:
        return 1
    total = 0
    for index in range(len(machine.pending.options)):
        child = machine.copy()
        child.choose(index)
        total += _ends(child)
    return total


def option_counts(depth: int) -> Outcome:
    """Lines of play to a depth, beside an independent plain-Python version of the same game."""
    outcome = Outcome()
    for name in ("breakthrough", "connect_four"):
        ruleset, scenario = rules_of(f"tutorial/{name}")
        machine = ruleset.new_machine(scenario, "0", traced=False)
        machine.begin()
        for plies in range(1, depth + 1):
            ours, theirs = _lines(machine, plies), _oracle(plain.GAMES[name].new(), plies)
            outcome.done += 1
            if ours != theirs:
                outcome.failure(f"{name} at depth {plies}: {ours}, the oracle says {theirs}")
    return outcome


def _lines(machine: Machine, depth: int) -> int:
    if machine.pending is None:
        return 0
    if depth == 1:
        return len(machine.pending.options) + machine.pending.out
    total = 0
    for index in range(len(machine.pending.options)):
        child = machine.copy()
        child.choose(index)
        total += _lines(child, depth - 1)
    return total


def _oracle(game: AnyGame, depth: int) -> int:
    if depth == 1 or game.over():
        return len(game.legal())
    total = 0
    for move in game.legal():
        child = game.copy()
        child.play(move)
        total += _oracle(child, depth - 1)
    return total
