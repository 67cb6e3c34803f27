"""What a handbook says of house rules: the sheet of changes, marks in the margin, sentences put together."""

from __future__ import annotations

import pytest

from interpreter.playing.game import open_game
from rulesdsl.handbook import Book, Facts, markdown_files
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.inline import link, strong, to_html
from rulesdsl.speaking.sentence_diff import merged_item, merged_text
from tests.kit.handbook_pages import check_links, documents, site

BIG = "race_for_berlin"


def test_house_rules_have_a_sheet_and_marks_in_the_margin() -> None:
    pages = documents(BIG, "thick_forests", "wave_after_wave")
    assert "changes.html" in pages
    assert "-2 when target is woods" in pages["changes.html"].text  # the code, a click away
    files = site(BIG, "thick_forests", "wave_after_wave")
    marked = [name for name, text in files.items() if 'class="paragraph changed"' in text]
    assert {"rules-08-combat.html", "rules-12-annexes.html", "print.html"} <= set(marked)
    check_links(pages, files)
    assert not any('class="paragraph changed"' in text for text in site(BIG).values())
    assert "changes.html" not in site(BIG)


def test_the_sheet_of_changes_says_before_and_after() -> None:
    """In sentences, of which only the words that differ are marked; values with what was printed."""
    sheet = site(BIG, "thick_forests", "wave_after_wave", "hitler_lets_go", "clear_victory")["changes.html"]
    assert "<em>woods</em>: <strong><del>−1</del> <ins>−2</ins></strong> when the target is woods." in sheet
    assert "<del>A zone can be attacked only once in an impulse.</del>" in sheet
    assert "turn 4 <del>3</del> → <ins>2</ins>" in sheet
    assert "<strong>Wave after wave</strong>: A zone may be attacked again" in sheet
    assert (
        "The game ends: the game is drawn (<del>equal victory points</del> <ins>no clear lead</ins>)" in sheet
    )
    assert 'href="rules-10-victory.html#rule-10"' in sheet


def test_the_sheet_of_changes_is_also_markdown() -> None:
    game = open_game(BIG, ("thick_forests",))
    sheet = markdown_files(Book(game.source, game.program, Facts()))["changes.md"]
    assert "*woods*: **<del>−1</del> <ins>−2</ins>** when the target is woods." in sheet
    assert "(rules-12-annexes.md#rule-annex-2)" in sheet


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("It is asked.", "It is asked.", "It is asked."),
        ("who is asked.", "who is asked; always.", "who is asked<ins>; always</ins>."),
        (f"a {link('rule:1', 'zone')} of it", "a zone of them", "a zone of <del>it</del> <ins>them</ins>"),
        ("one two three", "four five six", "<del>one two three</del> <ins>four five six</ins>"),
        ("the red unit may go", "the old tank may go", "the <del>red unit</del> <ins>old tank</ins> may go"),
        (f"so {strong('a b')} it is", f"so {strong('a c')} it is",
         "so <strong>a <del>b</del> <ins>c</ins></strong> it is"),
        (f"so {strong('many b')} it is", "so many c it is", "so many <del>b</del> <ins>c</ins> it is"),
        (f"x {strong('y z')}", "", "<del>x y z</del> "),
    ],
)  # fmt: skip
def test_two_sentences_become_one(old: str, new: str, shown: str) -> None:
    assert to_html(merged_text(old, new), lambda _: None) == shown


def test_steps_that_stay_are_left_out() -> None:
    same, gone = Item("Draw a token."), Item("End the turn.")
    old = Item("Phase:", (same, Item("Roll one die."), gone), ordered=True)
    new = Item("Phase:", (same, Item("Roll two dice."), Item("Nothing else whatever.")), ordered=True)
    made = merged_item(old, new)
    assert [to_html(item.text, lambda _: None) for item in made.inside] == [
        "…",
        "<del>Roll one die.</del>",
        "<del>End the turn.</del>",
        "<ins>Roll two dice.</ins>",
        "<ins>Nothing else whatever.</ins>",
    ]
    assert not made.ordered, "a number would count what is struck out"
