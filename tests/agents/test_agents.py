"""Agents: the same options as people, the same decision for the same seed, strength, odds."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.acts.chances import odds_of_draft
from interpreter.agents.search import SearchAgent
from interpreter.agents.seats import agents_for, has_clock, make_agent, read_seats
from interpreter.agents.sight import Sight, advantage, rewards, worth
from interpreter.agents.simple import GreedyAgent, RandomAgent
from interpreter.measuring.simulation import Table
from interpreter.playing.session import Session
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from rulesdsl.base.diagnostics import UsageError
from tests.kit.agent_tables import AGENTS, positions, start, table


@pytest.fixture(scope="module")
def skirmish() -> Table:
    return table("tutorial/skirmish")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: type(agent).__name__)
def test_agents_choose_what_is_offered_and_change_nothing(skirmish: Table, agent: Any) -> None:
    for decision, machine in positions(skirmish, every=23, most=4):
        pending = machine.pending
        assert pending is not None
        before = machine.s[:], [frame[:] for frame in machine.stack], machine.seed
        index = agent.choose(Sight.of(skirmish.ruleset, machine), decision)
        assert index == -1 if index < 0 else index < len(pending.options)
        assert index >= 0 or pending.out
        assert (machine.s, machine.stack, machine.seed) == before
        assert machine.pending is pending


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: type(agent).__name__)
def test_the_same_seed_decides_the_same(skirmish: Table, agent: Any) -> None:
    for decision, machine in positions(skirmish, every=31, most=3):
        sight = Sight.of(skirmish.ruleset, machine)
        assert agent.choose(sight, decision) == agent.choose(sight, decision)


def test_silent_code_plays_the_same_game(skirmish: Table) -> None:
    """Worlds run on code without a log: every state must be the same as with one."""
    loud, silent, agent = start(skirmish, "5", traced=True), start(skirmish, "5"), RandomAgent("5")
    decision = 0
    while loud.pending is not None:
        assert silent.pending is not None
        assert (loud.s, loud.stack, loud.pending) == (silent.s, silent.stack, silent.pending)
        index = agent.choose(Sight.of(skirmish.ruleset, loud), decision)
        loud.choose(index)
        silent.choose(index)
        decision += 1
    assert (loud.s, loud.outcome) == (silent.s, silent.outcome)


# ---- strength --------------------------------------------------------------------------------------------
def wins(of: Table, games: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for number in range(games):
        for winner in of.play(number).winners:
            found[winner] = found.get(winner, 0) + 1
    return found


def test_greedy_does_better_than_random() -> None:
    both_random, with_greedy = table("tutorial/skirmish"), table("tutorial/skirmish", blue="greedy")
    games = 16
    assert wins(with_greedy, games).get("blue", 0) > wins(both_random, games).get("blue", 0)


def test_search_hardly_loses_tic_tac_toe() -> None:
    found = wins(table("tutorial/tic_tac_toe", cross="mcts:150"), 12)
    assert found.get("cross", 0) >= 10


def test_search_takes_a_win_and_stops_a_loss() -> None:
    of = table("tutorial/tic_tac_toe")
    machine = start(of)
    cells = of.game.program.world.universes["space"].index

    def choose(cell: str) -> None:
        assert machine.pending is not None
        machine.choose(machine.pending.options.index(cells[cell]))

    for cell in ("a1", "b2", "a2"):
        choose(cell)
    agent = SearchAgent("s", rounds=400)
    index = agent.choose(Sight.of(of.ruleset, machine), 3)
    assert machine.pending is not None
    assert machine.pending.options[index] == cells["a3"]


def test_the_clock_stops_a_search(skirmish: Table) -> None:
    import time

    machine = start(skirmish)
    began = time.monotonic()
    SearchAgent("x", seconds=0.2).choose(Sight.of(skirmish.ruleset, machine), 0)
    assert time.monotonic() - began < 60  # a search without a clock would go on for ever


def test_a_search_stops_when_the_choice_is_settled(skirmish: Table) -> None:
    """The rounds that are left out could not have changed it."""
    for decision, machine in positions(skirmish, every=19, most=3):
        sight = Sight.of(skirmish.ruleset, machine)
        thrifty, stubborn = SearchAgent("x", rounds=60), StubbornAgent("x", rounds=60)
        assert thrifty.choose(sight, decision) == stubborn.choose(sight, decision)
    assert thrifty._settled(left=3, lead=4)
    assert not thrifty._settled(left=4, lead=4), "the last rounds could still make two options equal"


class StubbornAgent(SearchAgent):
    """Plays every round it may."""

    def _settled(self, left: float, lead: int) -> bool:
        return left <= 0


# ---- odds in play ----------------------------------------------------------------------------------------
def test_odds_in_play_are_exact_and_change_nothing(skirmish: Table) -> None:
    session = Session.start(skirmish.game, seed="3")
    session.choose("end-of-movement")
    before = session.hash
    for option in session.options:
        found = odds_of_draft(session, str(session.player), [option.key])
        assert sum(outcome.chance for outcome in found.outcomes) == 1
        if option.index < 0:
            assert [outcome.rolled for outcome in found.outcomes] == [()]
            continue
        assert found.sums
        for outcome in found.outcomes:
            assert (outcome.chance * 6).denominator == 1, "one die: sixths"
    assert session.hash == before


def test_odds_in_play_do_not_know_the_real_dice(skirmish: Table) -> None:
    games = [Session.start(skirmish.game, seed=seed) for seed in ("3", "4")]
    for session in games:
        session.choose("end-of-movement")
    one, other = games
    for mine, theirs in zip(one.options, other.options, strict=True):
        seat = str(one.player)
        assert odds_of_draft(one, seat, [mine.key]) == odds_of_draft(other, seat, [theirs.key])


# ---- values and words -----------------------------------------------------------------------------------
def test_worth_is_what_the_rulebook_says(skirmish: Table) -> None:
    values = worth(skirmish.ruleset, start(skirmish))
    assert values is not None
    assert len(values) == 2
    assert worth(table("tutorial/tic_tac_toe").ruleset, start(table("tutorial/tic_tac_toe"))) is None


def test_advantage_and_rewards() -> None:
    assert advantage({0: 3, 1: 1}, 0) == 2
    assert advantage({0: 3, 1: 1, 2: 7}, 1) == -6
    assert advantage({0: 5}, 0) == 5
    assert advantage({0: 3, 2: 1}, 0) == 2
    over = Machine.__new__(Machine)
    for outcome, expected in [
        (("wins", 0b01, "", ""), (1.0, 0.0)),
        (("wins", 0b11, "", ""), (0.5, 0.5)),
        (("drawn", 0, "", ""), (0.5, 0.5)),
        (("nobody", 0, "", ""), (0.0, 0.0)),
    ]:
        over.outcome = outcome
        assert tuple(rewards(over, (0, 1)).values()) == expected


def test_the_words_for_seats(skirmish: Table) -> None:
    players = skirmish.players
    assert read_seats(["all=random", "Red=greedy"], players) == {"blue": "random", "red": "greedy"}
    assert read_seats(["red=mcts:0.5s"], players) == {"red": "mcts:0.5s"}
    for wrong in ("red", "green=random", "red=gredy", "red=mcts:", "red=mcts:0", "red=mcts:-1s", "=random"):
        with pytest.raises(UsageError):
            read_seats([wrong], players)
    assert [has_clock(kind) for kind in ("mcts", "mcts:2s", "mcts:20", "greedy")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(UsageError):
        make_agent("human", "x")
    assert list(agents_for({"blue": "human", "red": "greedy"}, "1")) == ["red"]


@pytest.mark.parametrize("gone_at", [0, 2])
def test_who_has_thought_long_enough_decides_with_what_he_has(
    skirmish: Table, monkeypatch: pytest.MonkeyPatch, gone_at: int
) -> None:
    """What an agent tries may cost more than a thought: then he chooses among what he has looked at."""
    lines = GreedyAgent._lines

    def dear(self: GreedyAgent, sight: Sight, world: Machine, number: int, chance: list[str]) -> Any:
        if number == gone_at:
            sight.ruleset.fast.code.left = 0
            raise RunawayRule("this rule takes too much work")
        return lines(self, sight, world, number, chance)

    monkeypatch.setattr(GreedyAgent, "_lines", dear)
    machine = next(
        m for _, m in positions(skirmish, every=7, most=9) if m.pending and len(m.pending.options) > 3
    )
    sight = Sight.of(skirmish.ruleset, machine)
    if gone_at == 0:
        with pytest.raises(RunawayRule):
            GreedyAgent("x").choose(sight, 0)
    else:
        assert GreedyAgent("x").choose(sight, 0) in (sight.index(0), sight.index(1))
