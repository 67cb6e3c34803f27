"""Rules as sentences: how a condition with a name sounds, and paragraphs as a newcomer reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import open_game
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.blocks import Item
from rulesdsl.handbook.inline import plain
from rulesdsl.handbook.predicates import Said, told
from rulesdsl.handbook.say_rules import say_rule
from rulesdsl.parser import parse_rule
from rulesdsl.resources import shipped_games
from rulesdsl.source import SourceFile

UNIT, ZONE = Said("the unit", universe="piece", noun="unit"), Said("the zone", universe="space", noun="zone")
NEAR, PLAYER = Said("the near zone", universe="space", noun="zone"), Said("the player", universe="player")
UNITS = Said("the units", many=True, universe="piece", noun="unit")
NOUNS = {"unit", "units", "zone", "zones", "player", "players"}


def as_written(words: str) -> str:
    return words


@pytest.mark.parametrize(
    ("name", "of", "sentence", "contrary"),
    [
        ("ready", (UNIT,), "the unit is ready", "the unit is not ready"),
        ("ready", (UNITS,), "the units are ready", "the units are not ready"),
        ("may_strike", (UNIT, ZONE), "the unit may strike the zone", "the unit may not strike the zone"),
        ("may_enter", (ZONE, UNIT), "the unit may enter the zone", "the unit may not enter the zone"),
        ("may_not_stay", (UNIT,), "the unit may not stay", "the unit may stay"),
        ("supplies", (ZONE, UNIT), "the zone supplies the unit", "the zone does not supply the unit"),
        ("supplies", (UNITS, UNIT), "the units supply the unit", "the units do not supply the unit"),
        ("crosses_river", (UNIT,), "the unit crosses river", "the unit does not cross river"),
        ("crosses_wall", (NEAR, ZONE), "the way from the near zone to the zone crosses wall",
         "the way from the near zone to the zone does not cross wall"),
        ("holds_part_of", (ZONE, PLAYER), "the player holds part of the zone",
         "the player does not hold part of the zone"),
        ("threatens", (NEAR, ZONE, UNIT), "the near zone threatens the zone for the unit",
         "the near zone does not threaten the zone for the unit"),
        ("foreign", (ZONE, UNIT), "the zone is foreign to the unit", "the zone is not foreign to the unit"),
        ("open_to_supply", (ZONE, UNIT), "the zone is open to supply for the unit",
         "the zone is not open to supply for the unit"),
        ("fought_over_by", (ZONE, UNIT), "the zone is fought over by the unit",
         "the zone is not fought over by the unit"),
        ("enemy_in", (ZONE, UNIT), "there is an enemy in the zone for the unit",
         "there is no enemy in the zone for the unit"),
        ("room", (ZONE, UNIT), "there is room in the zone for the unit",
         "there is no room in the zone for the unit"),
        ("entry_zone", (UNIT, ZONE), "the zone is an entry zone for the unit",
         "the zone is not an entry zone for the unit"),
        ("everybody_passed", (), "everybody passed", "it is not so that everybody passed"),
        ("always_supplied", (UNIT,), "the unit is always supplied", "the unit is not always supplied"),
    ],
)  # fmt: skip
def test_a_condition_with_a_name_is_a_sentence(
    name: str, of: tuple[Said, ...], sentence: str, contrary: str
) -> None:
    assert told(name, of, as_written, NOUNS) == sentence
    assert told(name, of, as_written, NOUNS, negated=True) == contrary


def lines(item: Item) -> list[str]:
    return [plain(item.text), *(line for one in item.inside for line in lines(one))]


def paragraph(game: str, rule: str) -> list[str]:
    opened = open_game(game)
    book = Book(opened.source, opened.program, Facts())
    rules = opened.program.paragraphs[rule].rules
    return [line for node in rules for line in lines(say_rule(book.speaker, node))]


def test_the_paragraphs_on_supply_read_as_english() -> None:
    found = paragraph("race_for_berlin", "3.1.1")
    assert "A zone supplies a unit:" in found
    assert "Ends only in zones that supply the unit and that are open to supply for the unit." in found
    assert "The units are no longer out of supply." in found


def test_long_conditions_are_lists_and_their_contraries_are_said() -> None:
    found = paragraph("race_for_berlin", "8.3.3")
    at = found.index("A unit may overflow a zone when all of these hold:")
    assert found[at + 1 : at + 3] == [
        "The zone is free of enemies for the unit.", "There is no room in the zone for the unit.",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_no_sentence_shows_code(name: str) -> None:
    """No underscore of an identifier, no double space, no empty clause, in any sentence of any game."""
    opened = open_game(name)
    book = Book(opened.source, opened.program, Facts())
    for identity, found in opened.program.paragraphs.items():
        for node in found.rules:
            for line in lines(say_rule(book.speaker, node)):
                assert "_" not in line, (identity, line)
                assert "  " not in line, (identity, line)
                assert " ," not in line, (identity, line)
                assert not line.endswith((" .", " when.", " is.", "(.")), (identity, line)


def test_both_and_neither() -> None:
    """The contrary of a pair is said without brackets around brackets."""
    opened = open_game("tutorial/skirmish")
    speaker = Book(opened.source, opened.program, Facts()).speaker
    text = "forbid start_march when not (unit is fought or unit is moved)"
    node, problems = parse_rule(text, SourceFile(Path("rules/x.md"), text), 1)
    assert node is not None, problems
    assert "the unit is not fought and the unit is not moved" in plain(say_rule(speaker, node).text)
