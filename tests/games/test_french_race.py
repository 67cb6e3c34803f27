"""Race for Berlin in French: every paragraph is there, and it is ours, not a copy of somebody's sentences."""

from __future__ import annotations

import re

from interpreter.playing.game import open_game
from rulesdsl.aid.plain import aid_text
from rulesdsl.aid.sections import aid_of
from rulesdsl.base.resources import data_dir
from rulesdsl.book.loader import load_game
from rulesdsl.handbook import Book, Facts
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


def test_the_aid_is_french_and_falls_back_where_a_rule_was_changed() -> None:
    """Names and labels are translated by their very words: what a house rule changed is not among them."""
    game = open_game("race_for_berlin")
    text = aid_text(aid_of(Book(game.source, game.program, Facts(), "fr")), str)
    own = re.compile(r"\b(?:the|of|and|is|with|more|zone of|result|turn|die)\b", re.IGNORECASE)
    assert [line for line in text.splitlines() if own.search(line)] == []
    assert "dé + tour supérieur à 6" in text
    book = Book(game.source, game.program, Facts(), "fr")
    assert book.own("the die + the turn is more than 7") == "the die + the turn is more than 7"
