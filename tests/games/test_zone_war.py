"""The hand-written wargame core, held against slow and obvious versions of the same rules."""

from __future__ import annotations

import heapq
import random
from typing import Any

import pytest

from benchmarks.baselines.zone_map import ODER, RIVER, ROAD, Unit, ZoneMap, read_map, read_table, read_units
from benchmarks.baselines.zone_war import Side, ZoneWar


def random_war(rng: random.Random, zones: int = 40) -> ZoneWar:
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(zones)]
    for one in range(zones):
        for other in rng.sample(range(one), min(one, 2)):
            flags = rng.choice([0, 0, 0, ROAD, RIVER, RIVER | ROAD, RIVER | ODER])
            neighbours[one].append((other, flags))
            neighbours[other].append((one, flags))
    sources = {"red": 0b111, "blue": 0b110000, "grey": 0b111 << (zones - 3)}
    units = [
        Unit(side=rng.randrange(3), zone=rng.randrange(zones), strengths=(3, 6), movement=rng.randrange(9))
        for _ in range(18)
    ]
    sides = [Side("red", (2,), (1,)), Side("blue", (2,), (0,)), Side("grey", (0, 1), forbidden=ODER)]
    return ZoneWar(
        ZoneMap([str(n) for n in range(zones)], neighbours, ["plain"] * zones, sources), sides, units
    )


def test_reach_is_what_dijkstra_finds() -> None:
    rng = random.Random(3)
    for _ in range(60):
        war = random_war(rng)
        for unit in war.units:
            enemies, forbidden = war.sides[unit.side].enemies, war.sides[unit.side].forbidden
            barred = {other.zone for other in war.units if other.side in enemies}
            cheapest, queue, expected = {unit.zone: 0}, [(0, unit.zone)], set()
            while queue:
                spent, zone = heapq.heappop(queue)
                for other, flags in war.map.neighbours[zone]:
                    cost = spent + (1 if flags & ROAD else 4 if flags & RIVER else 2)
                    if flags & forbidden or other in barred or (cost > unit.movement and zone != unit.zone):
                        continue
                    expected.add(other)
                    if cost <= unit.movement and cost < cheapest.get(other, 99):
                        cheapest[other] = cost
                        heapq.heappush(queue, (cost, other))
            found = {zone for zone in range(len(war.map.ids)) if war.reach(unit) >> zone & 1}
            assert found == expected - {unit.zone}


def test_supply_is_what_walking_the_lines_finds() -> None:
    rng = random.Random(4)
    seen = set()
    for _ in range(200):
        war = random_war(rng)
        found = war.supply()
        assert found == [traced(war, unit) for unit in war.units]
        seen.update(found)
    assert seen == {True, False}


def traced(war: ZoneWar, unit: Unit) -> bool:
    """Can this unit trace a line? From the unit outwards, the other way round than the flood fill."""
    side = war.sides[unit.side]

    def open_to(zone: int) -> bool:
        present = {other.side for other in war.at[zone]}
        around = {other.side for near, _ in war.map.neighbours[zone] for other in war.at[near]}
        if present & {*side.enemies, *side.rivals}:
            return False
        return bool(present) or not around & set(side.enemies)

    line = [unit.zone] if open_to(unit.zone) else []
    for zone in line:
        line += [near for near, _ in war.map.neighbours[zone] if near not in line and open_to(near)]
    return any(war.map.sources[side.name] >> zone & 1 for zone in line)


def lebus() -> ZoneWar:
    """The worked example of annex 3, in the form of the data files."""
    zone_map: dict[str, Any] = {
        "kind": "areas",
        "spaces": {
            "zone": [
                {"id": "bridgehead", "terrain": "plain"},
                {"id": "goritz", "terrain": "plain", "supply": "zhukov"},
                {"id": "lebus", "terrain": "difficult", "supply": ["german"]},
            ],
            "box": [{"id": "destroyed"}],
        },
        "borders": [
            {"between": ["bridgehead", "lebus"], "trench": True},
            {"between": ["goritz", "lebus"], "river": "Oder", "trench": True},
            {"between": ["bridgehead", "goritz"], "river": "Oder"},
        ],
    }
    rows = [
        ("1GTA", "armour", 22, "bridgehead"),
        ("1GTA", "armour", 22, "bridgehead"),
        ("8GA", "mechanised", 20, "bridgehead"),
        ("8GA", "mechanised", 20, "goritz"),
        ("", "infantry", 3, "lebus"),
        ("", "infantry", 8, "lebus"),
    ]
    units = [
        {
            "army": army,
            "kind": kind,
            "movement": 3,
            "start": start,
            "faces": [{"strength": n}, {"strength": n // 2}],
        }
        for army, kind, n, start in rows
    ]
    zones = read_map(zone_map)
    sides = [Side("zhukov", (1,), stopped_by_trenches=True), Side("german", (0,))]
    return ZoneWar(
        zones, sides, read_units({"pieces": {"unit": units}}, zones, lambda unit: not unit["army"])
    )


def test_combat_of_the_worked_example() -> None:
    war = lebus()
    attackers, target = war.units[:4], war.map.number["lebus"]
    assert war.die_modifier(attackers, target) == 0
    outcome = war.combat(attackers, target, die=5)
    assert outcome == (4, 4, [0, 0, 0, 0], [1, 1], True)  # 74 to 22 is 3:1, and a five is D2R
    war.apply(attackers, target, outcome)
    assert [unit.steps for unit in war.units] == [2, 2, 2, 2, 1, 1]


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (1, 4, 0),
        (2, 5, 0),
        (1, 2, 1),
        (9, 10, 1),
        (1, 1, 2),
        (19, 10, 2),
        (29, 10, 3),
        (39, 10, 4),
        (90, 10, 5),
    ],
)
def test_odds_are_rounded_for_the_defender(attack: int, defence: int, column: int) -> None:
    war = lebus()
    attacker, defender = war.units[0], war.units[4]
    war.place(war.units[5], -1)
    war.map.terrain[2] = "plain"
    attacker.strengths, defender.strengths = (1, attack), (1, defence)
    assert war.combat([attacker], 2, die=1).column == column


def test_a_river_and_lack_of_supply_halve_each_unit_by_itself() -> None:
    war = lebus()
    war.place(war.units[5], -1)
    war.map.terrain[2] = "plain"
    across, defender = war.units[3], war.units[4]
    across.strengths, defender.strengths = (1, 7), (1, 3)
    assert war.combat([across], 2, die=1).column == 2  # 7 halved is 3, against 3
    across.supplied = False
    assert war.combat([across], 2, die=1).column == 0  # 3 halved is 1
    across.steps = 1
    assert war.combat([across], 2, die=1).column == 0  # 1 stays 1
    defender.supplied = False
    assert war.combat([across], 2, die=1).column == 2  # 3 halved is 1 for the defender too


def test_losses_go_round_and_destroy_reduced_units() -> None:
    war = lebus()
    attackers = war.units[:2]
    attackers[0].steps = 1
    war.table = read_table("A3D3R " * 6)
    outcome = war.combat(attackers, 2, die=1, modifier=-3)
    assert outcome == (2, 0, [1, 2], [2, 1], True)
    war.apply(attackers, 2, outcome)
    assert [unit.zone for unit in war.units] == [-1, -1, 0, 1, -1, 2]
    assert war.occupied == [0b011, 0b100]
    # Nobody can lose more than there is.
    assert war.combat(war.units[2:3], 2, die=1).defender_losses == [1]


def test_dice_are_held_between_one_and_six() -> None:
    war = lebus()
    assert war.combat(war.units[:4], 2, die=1, modifier=-4).row == 0
    assert war.combat(war.units[:4], 2, die=6, modifier=4).row == 5


def test_a_unit_that_cannot_pay_still_moves_one_zone() -> None:
    war = lebus()
    war.place(war.units[4], -1)
    war.place(war.units[5], -1)
    soldier = war.units[3]
    assert war.reach(soldier, budget=0) == 0b101
    assert war.reach(soldier, budget=4) == 0b101
