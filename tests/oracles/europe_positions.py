"""Positions of Downfall of the Third Reich out of driven games, in the words of `europe`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from interpreter.compiling.decision_points import MenuSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.kit.driven_games import driven, marked
from tests.oracles.europe import Army, Europe, Position

NAME = "downfall_of_the_third_reich"
# random players who go on to the combats at once see nothing of the war
SELDOM = {"on to the combats": 0.15, "eliminate an army": 0.05}
SPARKS = 0.04  # how many of their decisions are random, so that no two games are alike


@cache
def downfall() -> Game:
    return open_game(NAME)


@cache
def europe() -> Europe:
    return Europe(downfall().source)


def positions(
    kind: str, number: int, often: float, late: int = 0
) -> Iterator[tuple[Ruleset, list[Any], random.Random]]:
    """States at decisions of a game, three games in four of the campaign and the others for two players;
    the first `late` decisions are left out."""
    scenario = downfall().scenario("two_players" if number % 4 == 3 else "campaign")
    rules = downfall().ruleset({}, scenario)
    played = driven(rules, scenario, kind, f"oracle {number}", SPARKS, partial(lively, rules))
    for decision, machine, rng in played:
        if machine.pending is not None and decision >= late and rng.random() < often:
            yield rules, machine.s, rng


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

    def column(universe: str, name: str) -> dict[str, Any]:
        base, ids = layout.arrays[universe, name].base, world.universes[universe].ids
        return dict(zip(ids, s[base : base + len(ids)], strict=True))

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
            armies[name] = Army(
                name, what.country, what.side, what.kind, what.grade, what.faces, spaces[at[name]],
                face[name], doing,
            )  # fmt: skip
    return Position(
        turn=s[layout.tracks["turn"]],
        armies=armies,
        control={z: players[c] if c >= 0 else "" for z, c in column("space", "control").items()},
        neutral=marked(rules, s, "space", "neutral"),
        resurgent=marked(rules, s, "space", "resurgent"),
        total_war=marked(rules, s, "player", "total_war"),
        blitzkrieg={side for side, technology in known if technology == "blitzkrieg"},
        soviets_invaded="ussr" in marked(rules, s, "player", "was_invaded"),
        empire=world.enums["empire"].values[s[layout.tracks["french_empire"]]],
        fallen=marked(rules, s, "space", "fallen"),
        crossed=marked(rules, s, "space", "crossed"),
        partisan=marked(rules, s, "space", "partisan"),
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
