"""The engine's Race for Berlin beside the one written by hand: the same position, the same questions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from benchmarks.baselines.berlin import Berlin, Result
from benchmarks.baselines.berlin_map import BerlinMap, BerlinUnits
from benchmarks.timing import Row, compare, interleave
from interpreter.game import open_game
from interpreter.ruleset import Ruleset
from rulesdsl import program as pg
from rulesdsl.resources import find_game
from rulesdsl.types import FLAG, set_of

GAME = "race_for_berlin"


@dataclass
class Questions:
    """What the engine answers about a state, by the very functions that a game uses."""

    ruleset: Ruleset

    def __post_init__(self) -> None:
        names = self.ruleset.fast.names
        self.reach: Callable[[list[Any], int], int] = names["r_march"]
        self.supply: Callable[[list[Any]], int] = self.ruleset.fast.expression(self._cut_off(), ())
        # remembered answers are for games in which the same question comes again: here each counts as new
        self.memories = [memory for name, memory in names.items() if name.startswith("ANY_")]
        self.combat = self._combat()

    def _cut_off(self) -> pg.E:
        """`units where on_map(it) and cut_from_supply(it)`."""
        units = set_of("piece")
        unit = pg.Var("it", units.member)
        asked = (pg.VarGet(unit, type=unit.type),)
        tests = tuple(pg.CallE(name, asked, type=FLAG) for name in ("on_map", "cut_from_supply"))
        return pg.Filter(pg.ClassSet(type=units), unit, pg.LogicE("and", tests, type=FLAG), type=units)

    def forget(self) -> None:
        for memory in self.memories:
            memory.clear()

    def _combat(self) -> Callable[[list[Any], int, int, int], Result]:
        """As `with combat(…)` fills the record, and as `resolve_fight` asks."""
        names, layout, world = self.ruleset.fast.names, self.ruleset.layout, self.ruleset.program.world
        attack_of, defence_of, modifier = (
            names[f"q_combat__{name}"] for name in ("attack", "defence", "die_modifier")
        )
        odds, table, defenders_of = names["odds"], names["T_combat"], names["d_defenders_of"]
        in_attack, in_target, in_defence, in_side = (
            layout.fields["combat", name] for name in ("attackers", "target", "defenders", "striking_side")
        )
        side_of = [int(str(side)) for side in world.attributes["piece", "side"].values]

        def combat(s: list[Any], attackers: int, target: int, die: int) -> Result:
            side = side_of[(attackers & -attackers).bit_length() - 1]
            s[in_attack] = attackers
            s[in_target] = target
            s[in_side] = side
            s[in_defence] = defenders_of(s, target, side)
            attack, defence = attack_of(s), defence_of(s)
            lost, taken, retreat = table(odds(attack, defence), min(max(die + modifier(s), 1), 6))
            return attack, defence, lost, taken, retreat

        return combat


def by_hand() -> Berlin:
    """An empty position of the hand-written game."""
    home = find_game(GAME)
    board = yaml.safe_load((home / "map.yaml").read_text(encoding="utf-8"))
    counters = yaml.safe_load((home / "pieces.yaml").read_text(encoding="utf-8"))
    return Berlin(
        BerlinMap(board["spaces"]["zone"], board["borders"]), BerlinUnits(counters["pieces"]["unit"])
    )


def copy_position(ruleset: Ruleset, s: list[Any], war: Berlin) -> None:
    """Set up by hand what the engine's state says."""
    layout, world = ruleset.layout, ruleset.program.world
    spaces = world.universes["space"].ids

    def mask(universe: str, flag: str) -> int:
        found = 0
        for cell in layout.flags[universe, flag].values():
            found |= s[cell]
        return found

    def value(universe: str, name: str, thing: int) -> int:
        return int(s[layout.arrays[universe, name].base + thing])

    for unit in range(len(war.at)):
        zone = value("piece", "at", unit)
        war.place(unit, war.map.number.get(spaces[zone], -1) if zone >= 0 else -1)
        war.face[unit] = value("piece", "face", unit)
        war.mode[unit] = value("piece", "mode", unit)
        war.start_index[unit] = value("piece", "start_index", unit)
    war.level = [value("space", "progress", zone) for zone in range(len(war.map.zones))]
    war.american = mask("space", "american")
    for flag in (
        "out_of_supply", "cut_off", "fords", "held", "separated", "called_back", "summoned", "moved",
        "driven", "guest",
    ):  # fmt: skip
        setattr(war, flag, mask("piece", flag))
    war.closing_in, war.surprising = mask("player", "closing_in"), mask("player", "surprising")


def positions(ruleset: Ruleset, seed: int, every: int) -> Iterator[list[Any]]:
    """States of a random game."""
    game = open_game(GAME)
    machine = ruleset.new_machine(game.scenario(), str(seed), traced=False)
    machine.begin("game")
    rng, number = random.Random(seed), 0
    while machine.pending is not None:
        if number % every == 0:
            yield machine.s[:]
        options = len(machine.pending.options)
        chosen = int(rng.random() * (options + machine.pending.out))
        machine.choose(chosen if chosen < options else -1)
        number += 1


def attacks(war: Berlin, rng: random.Random, count: int) -> list[tuple[int, int, int]]:
    """Attackers, target and die of combats that this position offers."""
    found: list[tuple[int, int, int]] = []
    for zone in range(len(war.map.zones)):
        for side in (0, 1):
            if not war.inside[zone] & war.units.of_side[1 - side] or war.map.berlin >> zone & 1:
                continue
            near = [
                unit
                for unit, at in enumerate(war.at)
                if at >= 0 and war.units.side[unit] == side and war.map.adjacent[zone] >> at & 1
            ]
            if near:
                force = rng.sample(near, min(len(near), 1 + int(rng.random() * 4)))
                found.append((sum(1 << unit for unit in force), zone, 1 + int(rng.random() * 6)))
    rng.shuffle(found)
    return found[:count]


def rows() -> list[Row]:
    """Rates of reach (one unit), supply (all units) and combat, over positions of one random game."""
    ruleset = open_game(GAME).ruleset({}, open_game(GAME).scenario())
    questions, empty, rng = Questions(ruleset), by_hand(), random.Random(1)
    states = list(positions(ruleset, 3, 60))
    wars = [Berlin(empty.map, empty.units) for _ in states]
    marches: list[tuple[list[Any], Berlin, int]] = []
    fights: list[tuple[list[Any], Berlin, tuple[int, int, int]]] = []
    for s, war in zip(states, wars, strict=True):
        copy_position(ruleset, s, war)
        marches += [(s, war, unit) for unit, zone in enumerate(war.at) if zone >= 0]
        fights += [(s, war, attack) for attack in attacks(war, rng, 10)]

    def supply() -> None:
        for s in states:
            questions.forget()
            questions.supply(s)

    works: dict[str, tuple[int, Callable[[], object], Callable[[], object]]] = {
        "reach of a unit": (
            len(marches),
            lambda: [questions.reach(s, unit) for s, _, unit in marches],
            lambda: [war.reach(unit) for _, war, unit in marches],
        ),
        "supply of all units": (len(states), supply, lambda: [war.supply() for war in wars]),
        "resolution of a combat": (
            len(fights),
            lambda: [questions.combat(s, *fight) for s, _, fight in fights],
            lambda: [war.combat(*fight) for _, war, fight in fights],
        ),
    }
    found: list[Row] = []
    for name, (count, ours, peer) in works.items():
        rates = interleave({"ours": ours, "peer": peer}, seconds=0.5)
        one = {who: [rate * count for rate in many] for who, many in rates.items()}
        found.append(compare(f"{name}: by hand with masks", one["ours"], one["peer"]))
    return found
