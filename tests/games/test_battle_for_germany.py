"""Battle for Germany: ledger, examples, and a second version in plain Python.

RULESDSL_BARS=full compares 10,000 positions. `python benchmarks/bars.py scenarios` plays all scenarios.
"""

from __future__ import annotations

import io
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count, islice
from typing import Any

import pytest
from rich.console import Console

from interpreter.asking.odds.weigh import explore
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.examples import play_example, rules_for, run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import broken_invariants, violations
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl.cli.play import screen
from tests.kit.driven_games import driven, marked, members
from tests.oracles.hex_front import Front, Position, Unit, result
from tests.oracles.hex_front_results import Aftermath, Fight, passed, winners

FULL = os.environ.get("RULESDSL_BARS") == "full"
POSITIONS = 10_000 if FULL else 240
OFTEN = 0.05  # the share of the decisions of a random game that are looked at
NAMES = (
    "historical", "extended", "collapse_in_the_east", "red_star_white_star", "three_players", "four_players",
)  # fmt: skip


@cache
def germany() -> Game:
    return open_game("battle_for_germany")


@cache
def rules(name: str) -> Ruleset:
    return germany().ruleset({}, germany().scenario(name))


def begun(name: str, seed: int) -> Machine:
    machine = rules(name).new_machine(germany().scenario(name), str(seed), traced=False)
    machine.begin()
    return machine


def random_step(machine: Machine, rng: random.Random) -> None:
    assert machine.pending is not None
    machine.choose(machine.pending.at_random(rng))


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    game = germany()
    assert not game.warnings
    report = ledger(game)
    assert report["total"] == 102
    assert report["missing"] == []


def test_the_examples_hold() -> None:
    results = run_examples(germany())
    assert not [(r.paragraph, r.problems) for r in results if not r.passed]
    assert {"6-1", "7-2", "7-21"} <= {r.paragraph for r in results}
    paragraphs = germany().program.paragraphs
    bare = [
        r["id"] for r in ledger(germany())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].played
    ]
    assert bare == [], "paragraphs with rules and without an example"


def test_who_leads_a_defence_leads_all_its_retreats() -> None:
    """The first unit crosses the boundary and changes sides (5-41); its old side still orders the rest."""
    orders = [e for e in germany().program.examples if e.paragraph == "6-24"][1]
    session, problems = play_example(germany(), rules_for(germany(), orders), orders)
    assert not problems
    assert session.player == "western"


def test_an_exchange_does_not_hand_survivors_over() -> None:
    """12-3 makes East Germans of destroyed West Germans; who survives is still led by the Soviet player."""
    last = [e for e in germany().program.examples if e.paragraph == "12-3"][-1]
    session, problems = play_example(germany(), rules_for(germany(), last), last)
    assert not problems
    assert session.player == "soviet"


def test_the_board_tells_the_germans_apart_and_when_it_ends() -> None:
    session = Session.start(germany(), "four_players", seed=1)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(screen.board_panel(session, "soviet", 100), screen.header(session, "soviet"))
    shown = console.export_text()
    assert "west german: LXXV" in shown
    assert "east german: LV" in shown
    assert "turn 1 of 9" in shown  # of this scenario, not of the track


FALLEN = [
    ("historical", {}, "soviet", 100),
    ("extended", {}, "western", 150),
    ("extended", {"ss_fight_on": "true"}, "western", 0),
    ("extended", {"ss_fight_on": "true"}, "soviet", 300),
]


@pytest.mark.parametrize(("name", "settings", "taker", "after"), FALLEN)
def test_games_go_on_when_berlin_has_fallen(
    name: str, settings: dict[str, str], taker: str, after: int
) -> None:
    """Players who choose at random never get to Berlin: here it falls after some decisions."""
    scenario = germany().scenario(name)
    ruleset = germany().ruleset(settings, scenario)
    machine, rng, count = ruleset.new_machine(scenario, name, traced=False), random.Random(name), 0
    machine.begin()
    players, tracks = ruleset.program.world.universes["player"].ids, ruleset.layout.tracks
    while machine.pending is not None:
        if count == after:
            machine.s[tracks["berlin_taken_by"]] = players.index(taker)
        assert [*broken_invariants(ruleset, machine.s)] == []
        random_step(machine, rng)
        count += 1
    assert machine.s[tracks["reich_has_fallen"]]
    assert machine.outcome is not None
    assert machine.outcome[3] == "11-0"
    assert violations(ruleset, machine) == []


def test_garrisons_are_owed_as_in_the_second_version() -> None:
    """10-0: captured cities and army groups thrown about at random, near enough to matter."""
    second, rng, ruleset = front(), random.Random("garrisons"), rules("historical")
    scenario = germany().scenario("historical")
    assert scenario is not None
    world, needed = ruleset.program.world, ruleset.fast.function("d", "needed_in")
    pieces, spaces = world.universes["piece"].ids, world.universes["space"].ids
    towns = sorted(name for name, facts in second.facts.items() if facts.get("garrison_city"))
    fronts = [name for name, piece in germany().source.pieces.items() if piece.on_face(0).get("front")]
    owed = 0
    for _ in range(POSITIONS // 4):
        due = rng.sample(towns, rng.randint(1, 2))
        near = {h for town in due for h in second.around(town)} | {*due}
        near |= {h for there in sorted(near) for h in second.around(there)}
        free = sorted(h for h in near if second.facts[h]["terrain"] not in ("sea", "switzerland"))
        thrown = tuple(
            (name, place, scenario.span)
            for name, place in zip(rng.sample(fronts, 4), rng.sample(free, 4), strict=True)
        )
        off = tuple((name, None, scenario.span) for name in pieces)
        s = ruleset.start_state(replace(scenario, mentions=(*off, *thrown)))
        s[next(iter(ruleset.layout.flags["space", "due"].values()))] = sum(1 << spaces.index(t) for t in due)
        position = position_of(ruleset, s)
        for unit in position.units.values():
            mine = {town for town in due if needed(s, pieces.index(unit.name), spaces.index(town))}
            assert mine == second.on_duty(position, unit), (unit, due, thrown)
            owed += bool(mine)
    assert owed > 10


Moment = tuple[Ruleset, Position, list[Any], random.Random]


def positions(kind: str, number: int, often: float) -> Iterator[Moment]:
    """Moments of a game between agents of a kind, all scenarios in turn."""
    name = NAMES[number % len(NAMES)]
    ruleset = rules(name)
    for _, machine, rng in driven(ruleset, germany().scenario(name), kind, f"oracle {number}"):
        if machine.pending is not None and rng.random() < often:
            yield ruleset, position_of(ruleset, machine.s), machine.s, rng


def position_of(ruleset: Ruleset, s: list[Any]) -> Position:
    world, layout = ruleset.program.world, ruleset.layout
    pieces, spaces = world.universes["piece"], world.universes["space"]
    at, faction = layout.arrays["piece", "at"].base, layout.arrays["piece", "faction"].base
    factions = world.enums["faction"].values

    stay = set[str]().union(
        *(marked(ruleset, s, "piece", flag) for flag in ("moved", "pinned", "garrison", "drawn_off"))
    )
    fresh, engaged = (marked(ruleset, s, "piece", flag) for flag in ("fresh", "engaged"))
    units = {}
    for i, name in enumerate(pieces.ids):
        place = spaces.ids[s[at + i]] if s[at + i] >= 0 else ""
        if place.isdigit():
            camp, nation, army_group, numbers = printed(name)
            units[name] = Unit(
                name, camp, factions[s[faction + i]], nation, army_group, *numbers, place, name in fresh,
                name in stay, name in engaged,
            )  # fmt: skip
    chapter = world.enums[ruleset.program.settings["chapter"].type.name].values[ruleset.settings["chapter"]]
    razed, due, called = (frozenset(marked(ruleset, s, "space", flag)) for flag in ("razed", "due", "called"))
    return Position(
        chapter, bool(s[layout.tracks["reich_has_fallen"]]), units, razed, due, called,
        s[layout.tracks["turn"]], last_in(ruleset, s),
    )  # fmt: skip


@cache
def printed(name: str) -> tuple[str, str, bool, tuple[int, int, int]]:
    """Camp, nation, whether it is an army group, attack, defence and movement."""
    facts = germany().source.pieces[name].on_face(0)
    attack, defence, movement = (int(str(facts[key])) for key in ("attack", "defence", "movement"))
    return str(facts["camp"]), str(facts["nation"]), bool(facts.get("front")), (attack, defence, movement)


def last_in(ruleset: Ruleset, s: list[Any]) -> dict[str, str]:
    """Which camp passed each city last."""
    world, control = ruleset.program.world, ruleset.layout.arrays["space", "control"]
    camps, spaces = world.enums["camp"].values, world.universes["space"].ids
    held = s[control.base : control.base + control.size]
    return {name: camps[camp] for name, camp in zip(spaces, held, strict=True) if camp >= 0}


@cache
def front() -> Front:
    return Front(germany().source)


def same_as_the_second_version(moment: Moment) -> bool:
    """March and retreat of a unit, control, points, the end, and a combat if there can be one."""
    ruleset, position, s, rng = moment
    world, rule = ruleset.program.world, ruleset.fast.function
    pieces, spaces = world.universes["piece"].ids, world.universes["space"].ids
    unit = position.units[rng.choice(sorted(position.units))]
    number = pieces.index(unit.name)
    for mine, theirs in (
        (rule("r", "march")(s, number), front().march(position, unit)),
        (rule("r", "retreat")(s, number), front().retreats(position, unit)),
    ):
        assert members(mine, spaces) == theirs, unit
    for player in ("soviet", "western"):
        mine = rule("d", "points")(s, world.universes["player"].ids.index(player))
        assert mine == front().points(position, player), player
    same_control(moment, unit)
    same_end(moment)
    near = [
        h for h in front().around(unit.at) if any(u.camp != unit.camp for u in position.stacks.get(h, ()))
    ]
    if near:
        target = rng.choice(near)
        mates = [u for h in front().around(target) for u in position.stacks.get(h, ()) if u.camp == unit.camp]
        attackers = {u.name: u for u in [unit, *rng.sample(mates, rng.randint(0, len(mates)))]}
        state, fields = s[:], ruleset.layout.fields
        state[fields["combat", "attackers"]] = sum(1 << pieces.index(name) for name in attackers)
        state[fields["combat", "defenders"]] = sum(1 << pieces.index(u.name) for u in position.stacks[target])
        attack, defence = rule("q", "combat.attack")(state), rule("q", "combat.defence")(state)
        assert attack == sum(u.attack for u in attackers.values())
        assert defence == front().defence(position, attackers.values(), target)
        die = rng.randint(1, 6)
        column = Fraction(attack // defence) if attack >= defence else Fraction(1, -(-defence // attack))
        cell = rule("T", "combat")(column, die)
        assert world.enums["result"].values[cell] == result(attack, defence, die)
        fought = [*attackers.values()], [*position.stacks[target]]
        same_aftermath(moment, state, Fight(*fought, target, rng.choice(["ae", "ar", "ex", "dr", "de"])))
    return bool(near)


def same_control(moment: Moment, unit: Unit) -> None:
    """11-0: who holds each city, and what becomes of it when a unit comes to a hex near one."""
    ruleset, position, s, rng = moment
    world = ruleset.program.world
    spaces, camps, holder = (
        world.universes["space"].ids,
        world.enums["camp"].values,
        ruleset.fast.function("d", "holder"),
    )
    towns = sorted(front().cities)
    for town in towns:
        found = holder(s, spaces.index(town))
        assert (camps[found] if found >= 0 else None) == front().holder(position, town), town
    town = rng.choice(towns)
    here = rng.choice([town, *front().around(town)])
    pieces = world.universes["piece"].ids
    (way,) = explore(ruleset.fast.code, s, "pass_by", [pieces.index(unit.name), spaces.index(here)])
    assert last_in(ruleset, way.state) == passed(front(), position, unit, here), (unit, here)


def same_end(moment: Moment) -> None:
    """11-0, 12-23, 16-31, 17-32: who would have won if the game ended now."""
    ruleset, position, s, _ = moment
    world, layout = ruleset.program.world, ruleset.layout
    players = world.universes["player"].ids
    taken = s[layout.tracks["berlin_taken_by"]]
    been = {
        name
        for i, name in enumerate(players)
        if any(s[cell] >> i & 1 for cell in layout.flags["player", "been_in_berlin"].values())
    }
    (way,) = explore(ruleset.fast.code, s, "decide", [])
    assert way.outcome is not None
    told = {name for i, name in enumerate(players) if way.outcome[0] != "drawn" and way.outcome[1] >> i & 1}
    assert told == winners(front(), position, players[taken] if taken >= 0 else "", been)


def same_aftermath(moment: Moment, state: list[Any], fight: Fight) -> None:
    """6-2, 6-9, 10-3: a result is carried out, everybody deciding at random."""
    ruleset, position, _, rng = moment
    world, fields = ruleset.program.world, ruleset.layout.fields
    pieces, spaces, players = (world.universes[name].ids for name in ("piece", "space", "player"))
    leader = rule_of(ruleset, "commander_of", state, state[fields["combat", "attackers"]])
    state[fields["combat", "striker"]] = leader
    state[fields["combat", "targets"]] = 1 << spaces.index(fight.target)
    state[fields["combat", "bases"]] = sum(1 << spaces.index(h) for h in {u.at for u in fight.attackers})
    assert 0 <= leader < len(players)
    flags = ruleset.layout.flags["piece", "garrison"].values()
    kept = {name for i, name in enumerate(pieces) if any(state[cell] >> i & 1 for cell in flags)}
    machine = Machine(ruleset.fast.code, state, f"aftermath {rng.random()}")
    machine.begin("apply_result", [world.enums["result"].values.index(fight.result)])
    while machine.pending is not None:
        random_step(machine, rng)
    if machine.outcome is not None and machine.outcome[3]:
        return  # the last of them has entered Berlin (17-32)
    after = position_of(ruleset, machine.s)
    assert not [*Aftermath(front(), position, after, fight, kept).wrong()], fight
    for other in {"ae", "de", "ex"} - {fight.result}:  # and the referee would have noticed
        if {"ex", "de"} != {other, fight.result} and "r" not in fight.result:
            assert [*Aftermath(front(), position, after, replace(fight, result=other), kept).wrong()], other


def rule_of(ruleset: Ruleset, name: str, *given: Any) -> Any:
    return ruleset.fast.function("d", name)(*given)


def test_marches_retreats_combats_and_points_are_those_of_the_second_version() -> None:
    games = (moment for number in count() for moment in positions("random", number, OFTEN))
    combats = sum(map(same_as_the_second_version, islice(games, POSITIONS)))
    assert combats > POSITIONS / 10
