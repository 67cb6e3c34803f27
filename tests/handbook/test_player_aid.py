"""The player aid: derived from the rules, marked where house rules change it, two pages on paper."""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from rulesdsl.aid.paper import aid_pdf
from rulesdsl.aid.plain import aid_text
from rulesdsl.aid.sections import Aid, aid_of
from rulesdsl.aid.web import aid_html
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.handbook import Book, Facts
from rulesdsl.typesetting.printing_press import pages_of_pdf

BERLIN = "race_for_berlin"

# Twenty numbers of the rules: file, as it stands there, as it is changed, what the aid says then.
CHANGES = (
    ("rules/04_operations.md", "parameter activations_per_impulse = 4", "= 5", "Activations 4.1.2: 5"),
    ("rules/06_stacking.md", "parameter soviet_stacking = 2", "= 7", "Soviet stacking 6.1.2: 7"),
    ("rules/06_stacking.md", "parameter german_stacking = 3", "= 8", "Stacking limit 6.1.2: 8"),
    ("rules/06_stacking.md", "parameter german_stacking_in_berlin = 1", "= 6", "Stacking: = 6"),
    (
        "rules/04_operations.md",
        '+2 when turn = 1 "first turn"',
        '+3 when turn = 1 "first turn"',
        "+3 first turn",
    ),
    (
        "rules/05_end_of_turn.md",
        "early_end_bonus > 8",
        "early_end_bonus > 9",
        "early end bonus is more than 9",
    ),
    (
        "rules/02_administrative.md",
        "if die + turn > 8:",
        "if die + turn > 7:",
        "the die + the turn is more than 7",
    ),
    ("rules/02_administrative.md", "    if die <= 4:", "    if die <= 2:", "the die is at most 2"),
    ("rules/02_administrative.md", "    if die = 5:", "    if die = 4:", "the die is 4; the die is 6"),
    ("rules/10_victory.md", "do award(player, 1)", "do award(player, 3)", "(10.2.1): +3"),
    ("rules/10_victory.md", "do award(player, 2)", "do award(player, 4)", "(10.2.2): +4"),
    ("rules/10_victory.md", "do award(player, 5)", "do award(player, 6)", "(10.2.3): +6"),
    ("rules/01_sequence.md", "repeat at most 10 times", "repeat at most 12 times", "up to 12 times"),
    ("rules/07_movement.md", "quantity minimum_move(unit) = 1", "= 2", "Minimum move 7.1.3: 2"),
    ("rules/07_movement.md", "quantity entry_cost(unit, border) = 1", "= 3", "Entry cost 7.1.2: 3"),
    ("rules/07_movement.md", "    +1    when border is river", "    +2    when border is river", "+2 river"),
    ("rules/12_annexes.md", "-1 when target is woods", "-2 when target is woods", "−2 woods"),
    ("tables/freedom_of_movement.yaml", '"1-4": 3', '"1-4": 4', "1–4        4"),
    ("tables/combat.yaml", "A3", "A2D2", "A2D2"),
    ("tables/urban.yaml", "+/-3 D1", "+/-4 D1", "+/-4D1"),
)


def book_of(game: str | Path, *house: Path) -> Book:
    opened = open_game(game, house)
    return Book(opened.source, opened.program, Facts())


@lru_cache(maxsize=8)
def aid(name: str) -> tuple[Aid, Book]:
    book = book_of(name)
    return aid_of(book), book


def text_of(book: Book) -> str:
    return aid_text(aid_of(book), book.names.lexicon.spelled)


def changed_copy(place: Path) -> tuple[Path, list[str]]:
    """A copy of the game with every number of `CHANGES` changed, and what the aid should say of them."""
    copy = place / BERLIN
    shutil.copytree(data_dir("games") / BERLIN, copy)
    expected = []
    for name, old, new, told in CHANGES:
        path = copy / name
        text = path.read_text("utf-8")
        if new.startswith("= "):
            new = old.rpartition("= ")[0] + new
        assert old in text, (name, old)
        path.write_text(text.replace(old, new, 1), "utf-8")
        expected.append(told)
    return copy, expected


def test_every_number_on_the_aid_changes_with_its_rule(tmp_path: Path) -> None:
    printed = text_of(aid(BERLIN)[1])
    copy, expected = changed_copy(tmp_path)
    now = text_of(book_of(copy))
    assert len(expected) == 20
    assert [told for told in expected if told not in now] == []
    assert [told for told in expected if told in printed] == []


def test_a_house_rule_is_on_the_aid_and_marked() -> None:
    book = book_of(BERLIN, data_dir("games") / BERLIN / "house" / "thick_forests.md")
    text = text_of(book)
    assert "▸ −2 woods" in text
    assert "Thick forests" in text
    assert "▸" not in text_of(aid(BERLIN)[1])


def test_a_chosen_reading_is_on_the_aid() -> None:
    made = aid_of(aid(BERLIN)[1], (("oder_attack", "allowed"),))
    assert "oder attack: allowed" in made.notes[0]


def test_the_sequence_has_the_steps_without_a_die_or_a_choice() -> None:
    text = text_of(aid(BERLIN)[1])
    for step in (
        "Drawing 2.4.2",
        "Supply line 3.1.1",
        "Turning units back 5.3",
        "Support expires 5.4",
        "Next turn",
    ):
        assert step in text


def test_nobody_is_terrain() -> None:
    text = text_of(aid(BERLIN)[1])
    terrain = text.partition("TERRAIN\n")[2].partition("\n\n")[0]
    assert "\nRiver" in terrain
    assert "\nZhukov" not in terrain


@pytest.mark.parametrize("name", [BERLIN, "tutorial/skirmish", "fortress_berlin"])
def test_an_aid_has_two_pages_at_most(name: str) -> None:
    pytest.importorskip("typst")
    made, book = aid(name)
    pdf, left_out = aid_pdf(made, book.names.lexicon.spelled)
    assert 1 <= pages_of_pdf(pdf) <= 2
    assert left_out == ()


@pytest.mark.parametrize("name", ["tutorial/skirmish", "tutorial/tic_tac_toe"])
def test_the_aid_as_html_stands_alone(name: str) -> None:
    made, book = aid(name)
    page = aid_html(made, book.names.lexicon.spelled)
    assert "<script" not in page
    assert "href=" not in page
    assert name in shipped_games()
