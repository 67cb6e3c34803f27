"""Random games in step with OpenSpiel: at every decision the same options, at the end the same result."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks.classics import begun, classic, ids
from interpreter.running.machine import Machine

Compared = tuple[int, list[str]]


def load(words: str) -> Any:
    import pyspiel

    return pyspiel.load_game(words)


def many(count: int, game: Callable[[Random, int], Compared]) -> Compared:
    """Games until so many positions have been compared, or something was wrong."""
    compared, seed = 0, 0
    while compared < count:
        more, wrong = game(Random(seed), count - compared)
        compared, seed = compared + more, seed + 1
        if wrong:
            return compared, [f"game {seed - 1}: {line}" for line in wrong]
    return compared, []


def _differ(ours: Any, theirs: Any, state: Any) -> list[str]:
    apart = set(ours) ^ set(theirs)
    return [f"{sorted(map(str, apart))[:6]} in\n{state}"] if apart else []


# ---- go ------------------------------------------------------------------------------------------------
_PASS = "pass"


def go_in_step(count: int) -> Compared:
    game = load("go(board_size=9,komi=7.5,max_game_length=1000)")
    return many(count, lambda rng, most: _go(game, rng, most))


def _go(game: Any, rng: Random, most: int) -> Compared:
    machine, state, points, compared = begun("go_9x9"), game.new_initial_state(), ids("go_9x9", "space"), 0
    while machine.pending is not None:
        if compared >= most:
            return compared, []
        theirs = {_point(state.action_to_string(action)): action for action in state.legal_actions()}
        if set(theirs) == {_PASS}:  # nobody is asked here who can only pass
            state.apply_action(theirs[_PASS])
            continue
        ours = {points[value]: number for number, value in enumerate(machine.pending.options)} | {_PASS: -1}
        compared += 1
        if wrong := _differ(ours, theirs, state):
            return compared, wrong
        move = rng.choice(sorted(ours))
        machine.choose(ours[move])
        state.apply_action(theirs[move])
    while not state.is_terminal() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    return compared, _result(machine, state)


def _point(words: str) -> str:
    """`B c4` as we call the point; the letter i is left out there."""
    name = words.split()[-1].lower()
    return name if name == _PASS or name[0] < "i" else chr(ord(name[0]) - 1) + name[1:]


def _result(machine: Machine, state: Any) -> list[str]:
    """The winner of a game for two."""
    won = {0: 0.0, 1: 1.0, 2: -1.0}[machine.outcome[1]] if machine.outcome is not None else None
    if state.is_terminal() and state.returns()[0] == won:
        return []
    return [f"{machine.outcome} here, {state.returns()} there"]


# ---- nine men's morris ---------------------------------------------------------------------------------
def morris_in_step(count: int) -> Compared:
    game = load("nine_mens_morris")
    return many(count, lambda rng, most: _morris(game, rng, most))


def _morris(game: Any, rng: Random, most: int) -> Compared:
    """Until either has ended: the draws of our rulebook are not theirs."""
    machine, state, points = (
        begun("nine_mens_morris"),
        game.new_initial_state(),
        ids("nine_mens_morris", "space"),
    )
    compared = 0
    while machine.pending is not None and not state.is_terminal() and compared < most:
        theirs = {}
        for action in state.legal_actions():
            words = state.action_to_string(action).split()
            theirs["+".join(points[int(word)] for word in words if word.isdigit())] = action
        ours = {}
        for number, value in enumerate(machine.pending.options):
            ours["+".join(points[v] for v in (value if isinstance(value, tuple) else (value,)))] = number
        compared += 1
        if wrong := _differ(ours, theirs, state):
            return compared, wrong
        move = rng.choice(sorted(ours))
        machine.choose(ours[move])
        state.apply_action(theirs[move])
    if machine.outcome is not None and machine.outcome[0] == "wins":
        return compared, _result(machine, state)
    return compared, []


# ---- hearts --------------------------------------------------------------------------------------------
_RANKS = "23456789TJQKA"
_SUITS = "CDSH"


def hearts_in_step(count: int) -> Compared:
    game = load("hearts(qs_breaks_hearts=False)")
    return many(count, lambda rng, most: _hearts(game, rng, most))


def _hearts(game: Any, rng: Random, most: int) -> Compared:
    """One deal, with cards passed to the left: both are dealt the same."""
    state, cards, deal = game.new_initial_state(), _cards(), list[int]()
    state.apply_action(next(a for a, _ in state.chance_outcomes() if state.action_to_string(a) == "Left"))
    while state.is_chance_node():
        action = rng.choice([a for a, _ in state.chance_outcomes()])
        deal.append(cards[state.action_to_string(action).split()[-1]])
        state.apply_action(action)
    own = Machine.pick
    Machine.pick = lambda *_: deal.pop(0)  # type: ignore[method-assign]
    try:
        machine = begun("hearts", setting="target=1")
    finally:
        Machine.pick = own  # type: ignore[method-assign]
    compared = 0
    while not state.is_terminal():
        if compared >= most:
            return compared, []
        assert machine.pending is not None
        theirs = {cards[state.action_to_string(a).split()[-1]]: a for a in state.legal_actions()}
        ours = {card: number for number, card in enumerate(machine.pending.options)}
        compared += 1
        if machine.pending.who != state.current_player():
            return compared, [f"another player is asked in\n{state}"]
        if wrong := _differ(ours, theirs, state):
            return compared, wrong
        card = rng.choice(sorted(ours))
        machine.choose(ours[card])
        state.apply_action(theirs[card])
    paid = [26 + gain for _, gain in machine.payoffs]
    return compared, [] if paid == state.returns() else [f"{paid} here, {state.returns()} there"]


def _cards() -> dict[str, int]:
    """Cards by either order of suit and rank → number."""
    world = classic("hearts").program.world
    suits, ranks = world.attributes["piece", "suit"].values, world.attributes["piece", "rank"].values
    found: dict[str, int] = {}
    for number, (suit, rank) in enumerate(zip(suits, ranks, strict=True)):
        name = _SUITS[int(str(suit))] + _RANKS[int(str(rank)) - 2]
        found |= {name: number, name[::-1]: number}
    return found
