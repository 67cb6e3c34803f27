"""Every derived sentence of every shipped game, read with the patterns of bad English."""

from __future__ import annotations

import pytest

from rulesdsl.base.resources import shipped_games
from tests.kit.derived_sentences import faults, games_with_house, sentences

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
    ],
)
def test_the_patterns_see_what_the_audit_saw(text: str, fault: str) -> None:
    assert fault in faults(text)


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_of_a_game_is_bad_english(name: str) -> None:
    found = [(rule, text, bad) for rule, text in sentences(name) if (bad := faults(text))]
    assert found == []


@pytest.mark.parametrize(("name", "house"), HOUSE, ids=lambda value: str(value).rpartition("/")[2][:20])
def test_no_sentence_of_a_house_rule_is_bad_english(name: str, house: tuple[str, ...]) -> None:
    printed = {text for _, text in sentences(name)}
    new = [(rule, text) for rule, text in sentences(name, house, amended_only=True) if text not in printed]
    assert [(rule, text, bad) for rule, text in new if (bad := faults(text))] == []
