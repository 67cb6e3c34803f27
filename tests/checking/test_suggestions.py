"""The word that was probably meant: near enough, and never the word itself."""

from __future__ import annotations

import pytest

from rulesdsl.base.diagnostics import nearest_word


def test_no_word_is_suggested_for_itself() -> None:
    assert nearest_word("unit", ["unit", "units", "zone"]) == "units"
    assert nearest_word("unit", ["unit"]) == ""


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("bois", ["boxes", "bonus"], ""),  # a word of another language is like many and means none
        ("kampf", ["camp"], ""),
        ("wods", ["woods", "words_of"], "woods"),
        ("lastturn", ["last_turn"], "last_turn"),
        ("move", ["movement", "marked"], "movement"),
        ("attack_total", ["attack_strength_total"], "attack_strength_total"),
    ],
)
def test_a_word_that_is_far_is_not_offered(word: str, known: list[str], near: str) -> None:
    assert nearest_word(word, known) == near
