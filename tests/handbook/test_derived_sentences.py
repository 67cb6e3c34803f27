"""Every derived sentence of every shipped game, read with the patterns of bad English."""

from __future__ import annotations

import pytest

from rulesdsl.base.resources import shipped_games
from tests.kit.derived_sentences import english, faults, games_with_house, misspelt, sentences

GAMES = shipped_games()
HOUSE = [(name, house) for name, house in games_with_house() if house]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The units that defend a zone against the a side side.", "two articles"),
        ("The total resistance of of the defenders.", "of of"),
        ("Stacking is not not checked.", "not not"),
        ("The arrival is not none.", "is none"),
        ("The army_group may move.", "an identifier"),
        ("Allies are not was invaded.", "a verb as a state"),
        ("There is no the next zone.", "a condition as a thing"),
        ("The combat’s without losses become no.", "a value as a verdict"),
        ("The card whose played by is the player.", "a thing called by a preposition"),
        ("For each is deepest player:", "a verb before a noun"),
        ("Note that the cards ly open.", "a verb cut short"),
        ("End zone (player, zone) is a decision.", "a signature"),
    ],
)
def test_the_patterns_see_what_the_audit_saw(text: str, fault: str) -> None:
    assert fault in faults(text)


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_of_a_game_is_bad_english(name: str) -> None:
    found = [(paragraph, text, bad) for paragraph, text in sentences(name) if (bad := faults(text))]
    assert found == []
    assert [
        (paragraph, text, odd) for paragraph, text in sentences(name) if (odd := misspelt(name, text))
    ] == []


def test_a_word_that_nobody_writes_is_seen() -> None:
    assert misspelt("tutorial/skirmish", "The unit marchs into the zone.") == ["marchs"]
    assert misspelt("tutorial/skirmish", "The unit marches into the zone.") == []
    assert len(english()) < 1200, "a list that holds everything finds nothing"


@pytest.mark.parametrize(("name", "house"), HOUSE, ids=lambda value: str(value).rpartition("/")[2][:20])
def test_no_sentence_of_a_house_rule_is_bad_english(name: str, house: tuple[str, ...]) -> None:
    printed = {text for _, text in sentences(name)}
    new = [
        (paragraph, text)
        for paragraph, text in sentences(name, house, amended_only=True)
        if text not in printed
    ]
    assert [(paragraph, text, bad) for paragraph, text in new if (bad := faults(text))] == []
    assert [(paragraph, text, odd) for paragraph, text in new if (odd := misspelt(name, text, house))] == []


def test_a_worded_value_of_a_member_is_its_own() -> None:
    """`define worth(card) "the points of {card}"`, asked of each card: not “the points of each of them”."""
    said = "(taken) are the total points of the cards in the pile of the player."
    assert any(said in text for _, text in sentences("classics/hearts"))
