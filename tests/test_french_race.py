"""Race for Berlin in French: every paragraph is there, and it is ours, not a copy of somebody's sentences."""

from __future__ import annotations

from rulesdsl.base.resources import data_dir
from rulesdsl.book.loader import load_game
from rulesdsl.handbook.translations import own_prose, read_translation, slips

GAME = data_dir("games") / "race_for_berlin"


def test_every_paragraph_is_there_in_french_with_its_numbers() -> None:
    source, _ = load_game(GAME)
    assert source is not None
    assert slips(source, "fr") == []
    translated = read_translation(source, "fr")
    paragraphs = [paragraph for chapter in source.chapters for paragraph in chapter.paragraphs]
    assert {p.id for p in paragraphs} == set(translated)
    english = {p.id: own_prose(p) for p in paragraphs}
    long = [identity for identity, text in english.items() if len(text.split()) > 12]
    assert len(long) > 90
    left = [
        identity
        for identity in long
        if translated[identity].prose.split()[:6] == english[identity].split()[:6]
    ]
    assert left == []
