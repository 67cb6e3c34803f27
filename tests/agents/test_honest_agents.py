"""Agents and `hint` know no secret, wherever it came from: chosen, rolled, drawn, dealt, copied, marked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter.agents.origins import origins_of
from interpreter.agents.sight import Sight
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import open_game
from interpreter.running.machine import Machine
from tests.promises.cups import AGENTS, HINT, HOW, everything, hidden, honest, others, rules, seek

HOLES = Path(__file__).parents[1] / "testdata" / "games" / "holes"
GAMES = 60


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", [*AGENTS[1:], HINT])
def test_one_secret_among_four_is_found_one_time_in_four(how: str, kind: str) -> None:
    found = sum(seek(how, kind, seed) for seed in range(GAMES))
    assert honest(found, GAMES), f"{found} of {GAMES}"


@pytest.mark.parametrize("how", HOW)
def test_the_same_decision_wherever_it_lies(how: str) -> None:
    for seed in range(3):
        machine = hidden(how, seed)
        twins = others(rules(how), machine, how)
        assert len(twins) == 3
        for twin in twins:
            assert everything(how, twin, seed) == everything(how, machine, seed)


@pytest.mark.parametrize("how", HOW)
def test_worlds_have_it_everywhere(how: str) -> None:
    machine, layout = hidden(how, 1), rules(how).layout
    sight = Sight.of(rules(how), machine)
    cells = {"rolled": layout.arrays["player", "number"].base, "dud": layout.flags["space", "dud"][""]}
    cell = cells.get(how, layout.arrays["player", "hidden"].base)
    seen = Counter(sight.world(f"{number}").s[cell] for number in range(200))
    assert len(seen) == 4
    assert min(seen.values()) > 25


def test_before_anything_is_hidden_nothing_is() -> None:
    """None is no cup: everybody knows that the hider has still to choose."""
    ruleset = rules("two")
    machine = ruleset.new_machine(None, "x", traced=True)
    machine.begin()
    machine.choose(0)  # now the friend is asked, and the hider has chosen
    cells = ruleset.layout.arrays["player", "hidden"].base
    worlds = [Sight.of(ruleset, machine).world(f"{number}").s for number in range(40)]
    assert {world[cells + 2] for world in worlds} == {-1}
    assert {world[cells] for world in worlds} == {0, 1, 2, 3}


# ---- dealt cards -----------------------------------------------------------------------------------------
def dealt(by_card: bool, seed: int) -> tuple[Ruleset, Machine]:
    game = open_game(HOLES)
    ruleset = game.ruleset({"by_card": str(by_card).lower()}, game.scenario(None))
    machine = ruleset.new_machine(None, f"{seed}", traced=True)
    machine.begin()
    return ruleset, machine


def hands(ruleset: Ruleset, s: list[int], by_card: bool) -> tuple[int, int]:
    if by_card:
        base = ruleset.layout.arrays["piece", "in_hand_of"].base
        holders = s[base : base + 3]
        return holders.index(0), holders.index(1)
    base = ruleset.layout.arrays["player", "hole"].base
    return s[base], s[base + 1]


@pytest.mark.parametrize("by_card", [False, True])
def test_what_is_dealt_is_never_what_i_hold(by_card: bool) -> None:
    for seed in range(4):
        ruleset, machine = dealt(by_card, seed)
        mine, _ = hands(ruleset, machine.s, by_card)
        sight = Sight.of(ruleset, machine)
        drawn = Counter(hands(ruleset, sight.world(f"{n}").s, by_card) for n in range(120))
        assert set(drawn) == {(mine, other) for other in range(3) if other != mine}
        assert min(drawn.values()) > 30


def test_the_rules_tell_where_values_come_from() -> None:
    cups, holes = origins_of(rules("two").program), origins_of(dealt(False, 1)[0].program)
    assert cups["space", "dud"].owner_drawn
    assert not cups["player", "hidden"].owner_drawn
    assert any(draw.dice == (1, 4) for draw in cups["player", "number"].draws)
    assert holes["piece", "in_hand_of"].owner_drawn
    assert all(draw.group is not None for draw in holes["player", "hole"].draws)


# ---- other secrets ---------------------------------------------------------------------------------------
def test_values_nobody_can_follow_are_not_known_either() -> None:
    """A number that grows by chance, unseen: worlds do not have the true one."""
    game = open_game(Path(__file__).parents[1] / "testdata" / "games" / "patrol")
    ruleset = game.ruleset({}, game.scenario(None))
    machine = ruleset.new_machine(None, "7", traced=True)
    machine.begin()
    assert machine.pending is not None
    luck = ruleset.layout.arrays["player", "luck"].base
    other = 1 - machine.pending.who
    worlds = []
    for value in (0, 3, 8):
        twin = machine.copy()
        twin.s[luck + other] = value
        sight = Sight.of(ruleset, twin)
        worlds.append([sight.world(f"{number}").s for number in range(3)])
    assert worlds[0] == worlds[1] == worlds[2]
