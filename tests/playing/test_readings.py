"""Readings of the shipped games: each setting is shown by an example that the other settings would break.

The examples stand in the chapters (`given reading …`) or, for Race for Berlin, in a house rule that reads
everything the other way. RULESDSL_BARS=full plays ten games with each other reading of Battle for Germany
instead of one.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from interpreter.measuring.examples import run_example
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import violations
from rulesdsl import program as pg
from rulesdsl.book.loader import load_game
from rulesdsl.speaking.readings import register, registered
from tests.berlin_games import choose_at_random

TESTDATA, SHIPPED = Path(__file__).parents[1] / "testdata", Path(__file__).parents[2] / "games"
OTHER_WAY = {"race_for_berlin": TESTDATA / "house" / "berlin_readings.md", "battle_for_germany": None}
NUMBER_OF_GAMES = 10 if os.environ.get("RULESDSL_BARS") == "full" else 1
MOST_DECISIONS = 400
WITH_REGISTER = [file.parent.name for file in sorted(SHIPPED.glob("*/readings.md"))]
SCENARIO = {"deadline": "four_players", "end_with_four": "four_players", "long_moves": "three_players"}


@cache
def game(name: str, other_way: bool = False) -> Game:
    house = OTHER_WAY.get(name) if other_way else None
    return open_game(name, [house] if house is not None else [])


def alternatives(name: str) -> Iterator[tuple[str, str, str]]:
    """Game, reading and every value that is not the default; names of places are only shown otherwise."""
    shown_only = {spelling.setting for spelling in game(name).source.game.spellings}
    for setting in game(name).program.settings.values():
        if setting.kind == "reading" and setting.name not in shown_only:
            yield from ((name, setting.name, value) for value in setting.alternatives[1:])


def holds(of: Game, example: pg.ExampleRule, reading: str, value: str) -> bool:
    settings = {**dict(example.settings), reading: value}
    return run_example(of, of.ruleset(settings, of.scenario(example.scenario)), example).passed


def examples_of(of: Game, reading: str, value: str) -> Iterator[pg.ExampleRule]:
    """Those that are played with this value, the ones of the reading's own paragraph first."""
    setting = of.program.settings[reading]
    found = [
        example
        for example in of.program.examples
        if dict(example.settings).get(reading, setting.alternatives[setting.default]) == value
    ]
    yield from sorted(found, key=lambda example: example.paragraph != setting.paragraph)


@pytest.mark.parametrize(("name", "reading", "value"), [a for n in OTHER_WAY for a in alternatives(n)])
def test_both_settings_are_shown(name: str, reading: str, value: str) -> None:
    default = game(name).program.settings[reading].alternatives[0]
    chapters = game(name)
    assert any(not holds(chapters, e, reading, value) for e in examples_of(chapters, reading, default)), (
        f"no example would notice that {reading} is {value} instead of {default}"
    )
    house = OTHER_WAY[name]
    sources = [(chapters, e) for e in chapters.program.examples if dict(e.settings).get(reading) == value]
    if house is not None:
        turned = game(name, other_way=True)
        written = (
            e for e in examples_of(turned, reading, value) if e.source.span.file.path.name == house.name
        )
        sources += [(turned, e) for e in written]
    assert any(not holds(of, example, reading, default) for of, example in sources), (
        f"no example would notice that {reading} is {default} instead of {value}"
    )


@pytest.mark.parametrize("name", WITH_REGISTER)
def test_the_register_is_made_from_the_chapters(name: str) -> None:
    """`rulesdsl readings GAME --out games/GAME/readings.md` writes it anew."""
    file = SHIPPED / name / "readings.md"
    source, _ = load_game(SHIPPED / name)
    assert source is not None
    rows = registered(p for chapter in source.chapters for p in chapter.paragraphs)
    assert file.read_text("utf-8").startswith(register(source.game.title, rows)), "made before a change"
    switches = {row.reading.name for row in rows if row.kind == "switch"}
    assert switches == {s.name for s in game(name).program.settings.values() if s.kind == "reading"}


@pytest.mark.parametrize(("name", "reading", "value"), list(alternatives("battle_for_germany")))
def test_games_with_the_other_reading_keep_every_invariant(name: str, reading: str, value: str) -> None:
    scenario = game(name).scenario(SCENARIO.get(reading, "historical"))
    ruleset = game(name).ruleset({reading: value}, scenario)
    for number in range(NUMBER_OF_GAMES):
        rng = random.Random(number)
        machine = ruleset.new_machine(scenario, f"readings/{number}", traced=False)
        machine.begin()
        for decision in range(MOST_DECISIONS):
            if machine.pending is None:
                break
            choose_at_random(machine, rng)
            if decision % 20 == 0 or machine.pending is None:
                assert violations(ruleset, machine) == [], f"game {number} after {decision + 1} choices"
