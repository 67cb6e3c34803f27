"""Race for Berlin against a second version of its combats in plain Python, and the promises about the whole.

RULESDSL_BARS=full compares 20,000 positions of each kind. Whole games are in test_berlin_games.py.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.examples import run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import Game, open_game
from interpreter.playing.prompts import option_key, out_key
from interpreter.running.machine import Machine
from rulesdsl.book.scenario import Setting
from tests.oracles.berlin_board import CAMPS, Board
from tests.oracles.berlin_combat import Asked, Combat, Referee
from tests.oracles.berlin_positions import Attempt, random_attempt

FULL = os.environ.get("RULESDSL_BARS") == "full"
POSITIONS = 20_000 if FULL else 1_000
GAMES = 50 if FULL else 5
BOARD = Board()
READINGS: list[dict[str, str]] = [
    {},
    {"out_of_supply_halving": "paragraph", "trench_side": "every_edge", "combat_die_range": "no_effect"},
    {
        "double_halving": "quarter",
        "berlin_retreat_control": "either_camp",
        "urban_odds_range": "stops_at_1_3",
    },
    {"double_halving": "once", "doubling_order": "halved_first"},
    {"double_halving": "quarter", "out_of_supply_halving": "paragraph"},
]


@lru_cache
def berlin() -> Game:
    return open_game("race_for_berlin")


def engine_at(ruleset: Ruleset, attempt: Attempt) -> Machine:
    """The engine with the same position."""
    campaign = berlin().scenario()
    assert campaign is not None
    position, span = attempt.position, campaign.span
    values: list[tuple[str, str, Any]] = []
    for name in BOARD.units:
        values += [
            (name, "face", int(name in position.reduced)),
            (name, "out_of_supply", name in position.short),
            (name, "guest", name in position.guests),
            (name, "fords", name in attempt.forded),
            (name, "driven", name in attempt.driven),
        ]
        mode = "fighting" if name in attempt.ready else "waiting" if name in position.waiting else "none"
        values.append((name, "mode", mode if mode != "none" else None))
    for zone in BOARD.zones:
        values += [
            (zone, "american", zone in position.american),
            (zone, "progress", position.progress.get(zone, 0)),
            (zone, "control", position.control.get(zone)),
            (zone, "spared", attempt.spared and BOARD.is_berlin(zone)),
        ]
    values += [(camp, "support", position.support[camp]) for camp in CAMPS]
    values.append((attempt.striker, "surprising", attempt.surprise))
    settings = tuple(
        Setting(of, attribute, value, "", span, span, span, span)
        for of, attribute, value in values
        if value is not None and value is not False
    )
    mentions = tuple((name, position.where.get(name), span) for name in BOARD.units)
    return ruleset.new_machine(replace(campaign, mentions=mentions, settings=settings), "test", traced=False)


def index(ruleset: Ruleset, universe: str, name: str) -> int:
    return ruleset.program.world.universes[universe].index[name]


def mask(ruleset: Ruleset, names: set[str]) -> int:
    return sum(1 << index(ruleset, "piece", name) for name in names)


def offered(ruleset: Ruleset, machine: Machine) -> Asked:
    """What the engine asks, in the words of the referee."""
    pending = machine.pending
    assert pending is not None
    site, world = ruleset.fast.blocks.sites[pending.site], ruleset.program.world
    keys = [option_key(world, site, value).split(":")[-1] for value in pending.options]
    assert len(set(keys)) == len(keys)
    stop = out_key(site) if pending.out else None
    return Asked(world.universes["player"].ids[pending.who], frozenset(keys), stop)


def play_both(ruleset: Ruleset, machine: Machine, referee: Referee, rng: random.Random) -> None:
    """Play one combat in both; every question must be the same."""
    expected = next(referee, None)
    while machine.pending is not None:
        assert expected is not None, f"the engine still asks {offered(ruleset, machine)}"
        assert offered(ruleset, machine) == expected
        names = [*sorted(expected.options), *([expected.stop] if expected.stop is not None else [])]
        choice: str | None = rng.choice(names)
        if choice == expected.stop:
            choice = None
        site, world = ruleset.fast.blocks.sites[machine.pending.site], ruleset.program.world
        keys = [option_key(world, site, value).split(":")[-1] for value in machine.pending.options]
        machine.choose(keys.index(choice) if choice is not None else -1)
        try:
            expected = referee.send(choice)
        except StopIteration:
            expected = None
    assert expected is None, f"the engine does not ask {expected}"


def same_end(ruleset: Ruleset, machine: Machine, attempt: Attempt) -> None:
    world, layout, s, position = ruleset.program.world, ruleset.layout, machine.s, attempt.position
    at, face = layout.arrays["piece", "at"].base, layout.arrays["piece", "face"].base
    spaces = world.universes["space"].ids
    for number, name in enumerate(world.universes["piece"].ids):
        expected = position.where.get(name)
        if name in position.destroyed:
            expected = "eliminated"
        elif name in position.gone:
            expected = "removed"
        place = s[at + number]
        assert (spaces[place] if place >= 0 else None) == expected, name
        if name in position.where:
            assert s[face + number] == (name in position.reduced), name
    for zone in BOARD.zones:
        number = index(ruleset, "space", zone)
        control = s[layout.arrays["space", "control"].base + number]
        assert (CAMPS[control] if control >= 0 else None) == position.control.get(zone), zone
        assert s[layout.arrays["space", "progress"].base + number] == position.progress.get(zone, 0), zone
    for camp in CAMPS:
        number = index(ruleset, "player", camp)
        assert s[layout.arrays["player", "vp"].base + number] == position.points[camp], camp
        assert s[layout.arrays["player", "support"].base + number] == position.support[camp], camp


def combat_of(attempt: Attempt, die: int, readings: Mapping[str, str], urban: bool) -> Combat:
    return Combat(
        attempt.position, attempt.target, attempt.striker, attempt.side, attempt.ready, die, dict(readings),
        attempt.forded, attempt.driven, attempt.surprise, urban, attempt.spared,
    )  # fmt: skip


def same_numbers(ruleset: Ruleset, machine: Machine, combat: Combat, extra: bool) -> None:
    """Attack, defence, odds and die modifiers, with the record of the combat filled by hand."""
    values = {
        "attackers": mask(ruleset, combat.attackers),
        "defenders": mask(ruleset, combat.defenders),
        "target": index(ruleset, "space", combat.target),
        "striker": index(ruleset, "player", combat.striker),
        "striking_side": ("soviet", "german").index(combat.side),
        "urban": int(combat.urban),
        "paid_extra": int(extra),
    }
    s, rule = machine.s[:], ruleset.fast.function
    for name, value in values.items():
        s[ruleset.layout.fields["combat", name]] = value
    attack, defence = combat.attack(), combat.defence()
    assert (rule("q", "combat.attack")(s), rule("q", "combat.defence")(s)) == (attack, defence)
    ratio = combat.ratio()
    assert ruleset.fast.names["odds"](attack, defence) == (ratio if ratio >= 1 else Fraction(1, -ratio))
    if combat.urban:
        assert rule("q", "combat.urban_modifier")(s) == combat.urban_modifier(extra)
    else:
        assert rule("q", "combat.die_modifier")(s) == combat.modifier()


@pytest.mark.parametrize("readings", READINGS, ids=lambda r: ",".join(r.values()) or "default")
def test_combats_are_those_of_the_oracle(readings: dict[str, str]) -> None:
    """Who may attack, odds, modifiers, results, losses, retreats and advances, question by question."""
    rng, ruleset, fought = random.Random(8), berlin().ruleset(readings, berlin().scenario()), 0
    while fought < POSITIONS // (1 if not readings else 4):
        attempt = random_attempt(rng, BOARD, urban=False)
        combat = combat_of(attempt, rng.randint(1, 6), readings, urban=False)
        able = sorted(u for u in combat.ready if combat.may_strike(u))
        if not able or not combat.defenders or attempt.target in attempt.position.american:
            continue
        fought += 1
        machine = engine_at(ruleset, attempt)
        combat.attackers = set(rng.sample(able, k=rng.randint(1, len(able))))
        same_numbers(ruleset, machine, combat, extra=False)
        combat.attackers = set()
        machine.script = [combat.die]
        side = ("soviet", "german").index(attempt.side)
        target = index(ruleset, "space", attempt.target)
        machine.begin("land_attack", [index(ruleset, "player", attempt.striker), side, target])
        play_both(ruleset, machine, combat.referee(), rng)
        same_end(ruleset, machine, attempt)


@pytest.mark.parametrize("readings", READINGS[:3], ids=lambda r: ",".join(r.values()) or "default")
def test_urban_progress_is_that_of_the_oracle(readings: dict[str, str]) -> None:
    rng, ruleset, fought = random.Random(9), berlin().ruleset(readings, berlin().scenario()), 0
    while fought < POSITIONS // (1 if not readings else 4):
        attempt = random_attempt(rng, BOARD, urban=True)
        combat = combat_of(attempt, rng.randint(1, 6), readings, urban=True)
        inside = {u for u in combat.ready if attempt.position.where[u] == attempt.target}
        if attempt.side == "soviet":  # 9.2.2
            combat.ready -= attempt.position.short
            inside -= attempt.position.short
        if not inside or not attempt.position.units_in(attempt.target, "soviet"):
            continue
        fought += 1
        machine = engine_at(ruleset, attempt)
        combat.attackers = inside
        same_numbers(ruleset, machine, combat, extra=attempt.side == "soviet" and rng.random() < 0.5)
        machine.script = [combat.die]
        side = ("soviet", "german").index(attempt.side)
        target = index(ruleset, "space", attempt.target)
        machine.begin("urban_attack", [index(ruleset, "player", attempt.striker), side, target])
        play_both(ruleset, machine, combat.urban_referee(), rng)
        same_end(ruleset, machine, attempt)


def test_the_ledger_is_complete_and_every_rule_applies_somewhere() -> None:
    found = ledger(berlin(), games=GAMES)
    assert (found["total"], found["missing"]) == (139, [])
    executed = [row for row in found["paragraphs"] if row["status"] == "executed"]
    assert [row["id"] for row in executed if not row["fired"]] == []
    # data: the set-up once for each game, and the paragraph's own example
    assert {row["fired"] for row in executed if row["id"].startswith("11.")} == {GAMES + 1}


def test_every_executed_paragraph_has_an_example_and_all_hold() -> None:
    results = run_examples(berlin())
    assert [(r.paragraph, r.number, r.problems) for r in results if not r.passed] == []
    found = ledger(berlin())
    bare = [r["id"] for r in found["paragraphs"] if r["status"] == "executed" and not r["examples"]]
    assert bare == []
