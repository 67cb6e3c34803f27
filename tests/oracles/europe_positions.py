"""Positions of Downfall of the Third Reich out of driven games, in the words of `europe`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from interpreter.agents.seats import make_agent
from interpreter.agents.sight import Sight
from interpreter.compiling.decision_points import MenuSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.oracles.europe import Army, Europe, Position

NAME = "downfall_of_the_third_reich"
# random players who go on to the combats at once see nothing of the war
SELDOM = {"on to the combats": 0.15, "eliminate an army": 0.05}
OFTEN = 0.25  # how many decisions of a random game are looked at
OFTEN_GREEDY = 0.5  # those of greedy players take long
SPARKS = 0.04  # how many of their decisions are random, so that no two games are alike
LATE = 500  # random decisions before greedy players take over, where few positions must do


@cache
def downfall() -> Game:
    return open_game(NAME)


@cache
def europe() -> Europe:
    return Europe(downfall().source)


def positions(
    count: int, greedy: bool, late: bool, first: int = 0, often: float = OFTEN_GREEDY
) -> Iterator[tuple[Ruleset, list[Any], random.Random]]:
    """States at decisions of games, three games in four of the campaign and the others for two players."""
    found, seed = 0, first
    while found < count:
        rng = random.Random(f"oracle {seed} {greedy}")
        scenario = downfall().scenario("two_players" if seed % 4 == 3 else "campaign")
        rules = downfall().ruleset({}, scenario)
        machine = rules.new_machine(scenario, f"{seed} {greedy}", traced=False)
        machine.begin("game")
        agent, decision = make_agent("greedy", f"oracle {seed}"), 0
        begin = LATE if late else 0
        while machine.pending is not None and found < count:
            if decision >= begin and rng.random() < (often if greedy else OFTEN):
                found += 1
                yield rules, machine.s, rng
            if greedy and decision >= begin and rng.random() > SPARKS:
                machine.choose(agent.choose(Sight.of(rules, machine), decision))
            else:
                machine.choose(lively(rules, machine, rng))
            decision += 1
        seed += 1


def lively(rules: Ruleset, machine: Machine, rng: random.Random) -> int:
    """An option at random, but seldom one that ends something."""
    pending = machine.pending
    assert pending is not None
    index = pending.at_random(rng)
    site = rules.fast.blocks.sites[pending.site]
    if isinstance(site, MenuSite) and index >= 0:
        label = site.labels[pending.options[index]]
        if rng.random() > SELDOM.get(label, 1):
            return pending.at_random(rng)
    return index


def values_of(rules: Ruleset, attribute: str) -> tuple[str, ...]:
    found = rules.program.world.attributes["piece", attribute]
    return rules.program.world.enums[found.type.name].values


@cache
def printed(name: str) -> Army | tuple[str, str]:
    """What is printed on a counter: an army nowhere, or the faction and technology of a tile."""
    entry = downfall().source.pieces[name]
    facts = entry.on_face(0)
    if entry.kind == "tile":
        return str(facts["faction"]), str(facts["technology"])
    country = str(facts["country"])
    faces = tuple(
        {k: int(str(v)) for k, v in entry.on_face(n).items() if k in ("combat", "desert_combat")}
        for n in (0, 1)
    )
    side, grade = str(europe().countries[country]["side"]), str(facts.get("grade", "standard"))
    return Army(name, country, side, str(facts["kind"]), grade, faces, "")


def position_of(rules: Ruleset, s: list[Any]) -> Position:
    world, layout = rules.program.world, rules.layout
    pieces, spaces, players = (world.universes[name].ids for name in ("piece", "space", "player"))

    def marked(universe: str, name: str) -> set[str]:
        cells = layout.flags[universe, name].values()
        return {i for n, i in enumerate(world.universes[universe].ids) if any(s[c] >> n & 1 for c in cells)}

    def column(universe: str, name: str) -> dict[str, Any]:
        base = layout.arrays[universe, name].base
        return {i: s[base + n] for n, i in enumerate(world.universes[universe].ids)}

    at, face, operation = (column("piece", name) for name in ("at", "face", "operation"))
    stage, landings = column("piece", "stage"), column("player", "landings_in_trondheim")
    available, operations = values_of(rules, "stage").index("available"), values_of(rules, "operation")
    armies: dict[str, Army] = {}
    known: set[tuple[str, str]] = set()
    for name in pieces:
        what = printed(name)
        if not isinstance(what, Army):
            if stage[name] == available:
                known.add(what)
        elif at[name] >= 0 and spaces[at[name]] in europe().zones:
            doing = operations[operation[name]] if operation[name] >= 0 else ""
            armies[name] = replace(what, at=spaces[at[name]], face=face[name], operation=doing)
    return Position(
        turn=s[layout.tracks["turn"]],
        armies=armies,
        control={z: players[c] if c >= 0 else "" for z, c in column("space", "control").items()},
        neutral=marked("space", "neutral"),
        resurgent=marked("space", "resurgent"),
        total_war=marked("player", "total_war"),
        blitzkrieg={side for side, technology in known if technology == "blitzkrieg"},
        soviets_invaded="ussr" in marked("player", "was_invaded"),
        empire=world.enums["empire"].values[s[layout.tracks["french_empire"]]],
        fallen=marked("space", "fallen"),
        crossed=marked("space", "crossed"),
        partisan=marked("space", "partisan"),
        craft={side for side, technology in known if technology == "landing_craft"},
        trondheim={side for side, count in landings.items() if count},
        france_warned=bool(s[layout.tracks["france_warned"]]),
    )


def set_cells(rules: Ruleset, state: list[Any], piece: str, **values: Any) -> None:
    """Values of a piece, by the names of things and enumeration values."""
    world = rules.program.world
    number = world.universes["piece"].ids.index(piece)
    for name, value in values.items():
        if name == "operation":
            value = values_of(rules, name).index(value)
        elif name == "began_in":
            value = world.universes["space"].ids.index(value)
        elif name in ("aims_at", "helps"):
            value = world.universes["piece"].ids.index(value)
        state[rules.layout.arrays["piece", name].base + number] = value
