"""`after play(figure, goal): …`: the same answer as doing it and looking, in every way of playing, and told
to nobody who may not know it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.native.compilers import NotNative
from interpreter.native.games import NativeGames
from interpreter.playing.game import open_game
from interpreter.playing.known_values import may_know
from rulesdsl import Session, check
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from tests.language.test_cases import little_game

# Marching sets things off, there is a loop in it, and what is asked of a unit is asked of another place.
MARCH = """
piece unit
    tired: flag
    trips: number = 0
space town
    guests: number = 0
player
    purse: number = 3 visible to it
track done: number = 0
procedure march(unit, town) "{unit} marches to {town}"
    let before = number of units in town
    move unit to town
    repeat at most 3 times while unit.trips < 5: add before + 1 to unit.trips
    for each unit in town as one: mark one as tired
    note "marched", unit
after unit enters town:
    add 1 to town.guests
    if town.guests > 2: do go_home(unit)
procedure go_home(unit)
    for each town where it is not adjacent to unit.at with least it.guests: set unit.trips to 50
action go(unit, town) "{unit} to {town}"
forbid go when after march(unit, town): unit.trips > 5 and town.guests > 1 "far enough"
forbid go when town is not adjacent to unit.at "too far"
define then_tired(unit, town) = after march(unit, town): number of units where it is tired
procedure spend(player)
    subtract 1 from player.purse
define is_poor(player) = after spend(player): player.purse < 3
phase game
    repeat at most 40 times:
        red chooses a unit, a town for go(unit, town) or "enough":
            do march(unit, town)
            add then_tired(unit, town) to done
        otherwise: leave
    if is_poor(red): note "poor"
    end game: each player gets done "over"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    found = little_game(tmp_path / "little", MARCH)
    assert [p.message for p in check(found)] == []
    return found


def test_it_is_what_doing_it_leads_to(home: Path) -> None:
    game = open_game(home)
    ruleset = game.ruleset({}, game.scenario())
    asked = next(e for e in expressions_in(game.program.defines["then_tired"]) if isinstance(e, pg.AfterE))
    rng, machine = Random(3), ruleset.new_machine(game.scenario(), "1", traced=True)
    machine.begin("game")
    compared = 0
    while machine.pending is not None:
        for unit in range(2):
            for town in range(3):
                given = dict(zip(game.program.defines["then_tired"].params, (unit, town), strict=True))
                before = machine.s[:]
                then = ruleset.evaluate(machine.s, asked, given)
                assert machine.s == before
                real = machine.copy()
                real.stack, real.pending = [], None
                real.begin("march", (unit, town))
                assert then == ruleset.evaluate(real.s, asked.value, {})
                compared += 1
        machine.choose(machine.pending.at_random(rng))
    assert compared > 20


def test_all_ways_of_playing_agree(home: Path) -> None:
    game = open_game(home)
    ruleset = game.ruleset({}, game.scenario())
    for seed in "1234":
        full, fast = (ruleset.new_machine(game.scenario(), seed, traced) for traced in (True, False))
        full.begin("game")
        fast.begin("game")
        rng, script = Random(seed), list[int]()
        while full.pending is not None and fast.pending is not None:
            assert [*full.pending.options] == [*fast.pending.options]
            number = full.pending.at_random(rng)
            script.append(number if number >= 0 else len(full.pending.options))
            full.choose(number)
            fast.choose(number)
            assert full.s == fast.s
        chosen = iter(script)
        at_one_go = ruleset.playouts.play(game.scenario(), seed, lambda who, count, left=chosen: next(left))
        assert full.s == fast.s == at_one_go.s
        assert full.payoffs == fast.payoffs == at_one_go.payoffs
        try:
            native = NativeGames.of(ruleset).by_script(game.scenario(), seed, script, trace=True)
        except NotNative as why:
            pytest.skip(str(why))
        assert native.machine is not None
        assert native.machine.s == full.s


def test_why_not_tells_what_would_be(home: Path) -> None:
    session = Session.start(home, seed=1)
    session.choose("go:blue+b")
    session.choose("go:blue+a")
    (refusal,) = session.why_not("blue+b")
    assert refusal.clause == "far enough"
    assert refusal.said.startswith("after blue marches to b it is so that blue’s trips")


def test_a_secret_is_not_learnt_by_asking_ahead(home: Path) -> None:
    session = Session.start(home, seed=1)
    poor = session.game.program.defines["is_poor"]
    (asked,) = (e for e in expressions_in(poor) if isinstance(e, pg.AfterE))
    assert not may_know(session, asked, {poor.params[0]: 1})
    assert session.ruleset.evaluate(session.machine.s, asked, {poor.params[0]: 1})


def test_nothing_is_told_and_no_paragraph_counts_as_played(home: Path) -> None:
    session = Session.start(home, seed=1)
    assert not any("marched" in entry.text for entry in session.log)
