"""Race for Berlin: the points on which the rulebook can be read in two ways, and the printed breakdown.

RULESDSL_BARS=full plays ten games with each other reading by itself, otherwise one with many of them at once.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

import pytest

from interpreter.asking import questions
from interpreter.asking.breakdown import breakdown
from interpreter.measuring.examples import play_example, rules_for, run_examples
from interpreter.playing.game import Game, open_game
from interpreter.playing.picture import map_svg
from rulesdsl import Session
from rulesdsl.cli.play import answers
from rulesdsl.speaking.readings import notes
from tests.berlin_games import checked_game

FULL = os.environ.get("RULESDSL_BARS") == "full"
GAMES = 10 if FULL else 1
AT_ONCE = 1 if FULL else 12  # readings turned in one game
OTHER = Path(__file__).parents[1] / "testdata" / "house" / "berlin_readings.md"
NOTES = Path(__file__).parents[2] / "games" / "race_for_berlin" / "readings.md"
ROW = re.compile(r"\| (\d+) \| `(\w+)` \| ([^|]+) \| `(\w+)`([^|]*)\| (\w+) \|")


@lru_cache
def berlin() -> Game:
    return open_game("race_for_berlin")


def points() -> list[tuple[str, ...]]:
    return [found.groups() for line in NOTES.read_text("utf-8").splitlines() if (found := ROW.match(line))]


def test_each_point_is_a_switch_with_its_default_or_says_why_not() -> None:
    settings = berlin().program.settings
    assert [int(number) for number, *_ in points()] == list(range(1, len(points()) + 1))
    assert len(points()) >= 25  # those found with the material, and more as they turn up
    switches = {name for _, name, _, _, _, kind in points() if kind == "switch"}
    assert switches == {s.name for s in settings.values() if s.alternatives}
    for _, name, paragraph, default, others, kind in points():
        told = notes(berlin().program.paragraphs[paragraph.strip()])
        [note] = [note for note in told if note.startswith(f"*Reading {name}: {default}")]
        if kind == "switch":
            alternatives = settings[name].alternatives
            assert alternatives[0] == default
            assert settings[name].default == 0
            assert all(f"`{other}`" in others for other in alternatives[1:]), name
        else:
            assert kind == "settled"
            assert "no playable alternative" in note


def test_every_switch_turns_something() -> None:
    """One house rule takes all other readings; its examples hold, and they are not those of the defaults."""
    game = open_game("race_for_berlin", [OTHER])
    changed = {
        name
        for name, setting in game.program.settings.items()
        if setting.alternatives and setting.default != berlin().program.settings[name].default
    }
    shown_only = {spelling.setting for spelling in game.source.game.spellings}
    assert changed | shown_only == {s.name for s in game.program.settings.values() if s.alternatives}
    results = [result for result in run_examples(game) if result.span.file.path.name == OTHER.name]
    assert len(results) == OTHER.read_text("utf-8").count("```example")
    assert [(r.paragraph, r.problems) for r in results if not r.passed] == []


def alternatives() -> list[dict[str, str]]:
    """Every other value of every reading, some at once: those that lie far apart in the book."""
    settings = berlin().program.settings.values()
    turned = [(s.name, value) for s in settings for value in s.alternatives[1:]]
    groups = -(-len(turned) // AT_ONCE)
    return [dict(turned[first::groups]) for first in range(groups)]


@pytest.mark.parametrize("readings", alternatives(), ids=lambda readings: "+".join(readings))
def test_games_with_the_other_reading_keep_every_invariant(readings: dict[str, str]) -> None:
    for number in range(1, GAMES + 1):  # those with odd numbers go for Berlin
        row = checked_game(number, readings=readings)
        assert row["wrong"] == [], f"game {number} after {row['decisions']} choices"


def asked_in(paragraph: str, number: int, **readings: str) -> Session:
    """The question at which an example stops, with other readings if need be."""
    example = next(e for e in berlin().program.examples if (e.paragraph, e.number) == (paragraph, number))
    ruleset = berlin().ruleset({**dict(example.settings), **readings}, berlin().scenario(example.scenario))
    return play_example(berlin(), ruleset, example)[0]


def test_why_not_names_the_reading_that_decides_and_no_other() -> None:
    [barred] = questions.why_not(asked_in("7.4.2", 4), "trebbin")
    assert (barred.paragraph, barred.readings) == ("7.4.2", (("quiet_suburb", "stays_in_berlin"),))
    assert "quiet" not in barred.said  # it is told once
    [apart] = questions.why_not(asked_in("5.1", 5, end_move_armies="must_rejoin"), "letschin")
    assert apart.readings == (("end_move_armies", "must_rejoin"),)
    [menu] = questions.why_not(asked_in("3.2.1", 4), "refit a reduced unit")
    assert menu.readings == (("replacement_side", "soviet_only"),)  # a reduced German unit is there
    # looks at `shortage_units`, which changes nothing for it
    [nobody] = questions.why_not(asked_in("3.2.2", 2), "s61a")
    assert nobody.readings == ()
    assert answers.why_not(asked_in("7.4.2", 4), "trebbin")[0].endswith(
        "; the reading quiet_suburb is stays_in_berlin"
    )


def test_printed_spellings_are_shown_on_demand_and_always_understood() -> None:
    corrected = Session.start(berlin(), seed=5)
    printed = Session.start(berlin(), readings={"place_names": "printed"}, seed=5)
    spaces = [s.ruleset.program.world.universes["space"] for s in (corrected, printed)]
    for identity, shown in (("richen", ("Rietschen", "Richen")), ("protzen", ("Prötzel", "Prötzen"))):
        assert tuple(things.names[things.index[identity]] for things in spaces) == shown
    assert all(things.index["niesky"] == things.index["nievsky"] for things in spaces)
    drawn = map_svg(printed, None)
    assert ">Nievsky<" in drawn
    assert ">Niesky<" not in drawn
    while not corrected.over and len(corrected.log) < 200:  # the same game, told in other words
        assert [o.key for o in corrected.options] == [o.key for o in printed.options]
        corrected.choose(corrected.options[0])
        printed.choose(printed.options[0])


def test_the_breakdown_of_annex_3_names_each_contribution() -> None:
    example = next(e for e in berlin().program.examples if e.paragraph == "annex 3")
    session, problems = play_example(berlin(), rules_for(berlin(), example), example)
    assert problems == []
    parts = {(r.paragraph, r.label, r.op, r.amount) for r in breakdown(session, "combat.die_modifier", [])}
    assert {part for part in parts if part[1] != "base"} == {
        ("annex 2", "armour in difficult ground", "-", "1"),
        ("annex 2", "trench line", "-", "1"),
        ("annex 2", "whole army", "+", "1"),
        ("annex 2", "several directions", "+", "1"),
    }
    across = {(r.label, r.value) for r in breakdown(session, "strength", ["s8gab"])}
    assert ("across a river", "10") in across
    doubled = {(r.label, r.value) for r in breakdown(session, "strength", ["g5_jager"])}
    assert ("difficult ground", "16") in doubled
