"""The handbook: every printed number has its place, no link leads nowhere, no prose is stale."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from interpreter.measuring.handbook_facts import facts_of_game
from interpreter.playing.game import Game, open_game
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.drawing import set_up
from rulesdsl.drawing.style.style_file import style_of
from rulesdsl.handbook import Book, Facts, html_files, markdown_files
from rulesdsl.handbook.pages.map_pages import linked_map
from tests.kit.handbook_pages import Document, check_links, documents, leads, site

GAMES = sorted(shipped_games())
BIG = "race_for_berlin"


def of_the_rules(game: Game) -> list[str]:
    """The paragraphs without those of the computer opponent."""
    return [number for number in game.program.paragraphs if not number.startswith("opponent")]


@pytest.mark.parametrize("name", GAMES)
def test_every_item_of_the_ledger_has_an_anchor(name: str) -> None:
    game = open_game(name)
    listed = game.source.game.paragraphs
    items = [p.id for p in listed] if listed is not None else of_the_rules(game)
    assert items
    pages = documents(name)
    apart = {i for file, page in pages.items() if file != "print.html" for i in page.ids}
    for anchors in (apart, set(pages["print.html"].ids)):
        assert [i for i in items if f"rule-{i.replace(' ', '-')}" not in anchors] == []


@pytest.mark.parametrize("name", GAMES)
def test_no_link_is_broken_and_nothing_comes_from_elsewhere(name: str) -> None:
    check_links(documents(name), site(name))


def test_links_of_the_search_lead_somewhere() -> None:
    import json

    for name in GAMES:
        index = site(name)["search-index.js"].split("\n")[0]
        entries = json.loads(index.removeprefix("window.handbookIndex = ").removesuffix(";"))
        assert len(entries) > 5
        assert [e for e in entries if not leads(documents(name), "index.html", e[0])] == []


@pytest.mark.parametrize("name", GAMES)
def test_the_same_game_gives_the_same_bytes(name: str) -> None:
    game = open_game(name)
    assert html_files(Book(game.source, game.program, facts_of_game(game))) == site(name)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A game that may be changed."""
    place = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", place)
    return place


def rewritten(game: Path, file: str, before: str, after: str) -> dict[str, Document]:
    path = game / file
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    opened = open_game(game)
    files = html_files(Book(opened.source, opened.program, facts_of_game(opened)))
    return {name: Document(text) for name, text in files.items() if name.endswith(".html")}


@pytest.mark.parametrize(
    ("file", "before", "after", "page", "was", "now"),
    [
        ("tables/combat.yaml", "[R, D1R,   D1R,  D2R]", "[R, D1R,   D1R,  D3R]", "tables", "D2R", "D3R"),
        ("rules/03_combat.md", "+1 when number of zones", "+2 when number of zones",
         "modifiers", "+1 from two sides", "+2 from two sides"),
        ("rules/03_combat.md", "One or more units attack one adjacent zone.", "Up to nine units attack.",
         "rules-03-combat", "One or more units attack", "Up to nine units attack"),
    ],
)  # fmt: skip
def test_a_changed_value_is_on_the_page(
    copied: Path, file: str, before: str, after: str, page: str, was: str, now: str
) -> None:
    unchanged = documents("tutorial/skirmish")[f"{page}.html"].text
    changed = rewritten(copied, file, before, after)[f"{page}.html"].text
    assert (was in unchanged, now in unchanged) == (True, False)
    assert (was in changed, now in changed) == (False, True)


@pytest.mark.parametrize("name", GAMES)
def test_spaces_and_counters_of_the_map_lead_to_their_entries(name: str) -> None:
    source = open_game(name).source
    if source.map is None:
        return
    to = set(documents(name)["map.html"].addresses)
    hidden = style_of(source)[0].hidden
    spaces = [s.id for s in source.map.spaces.values() if s.kind not in hidden]
    shown = [view.id for space, views in set_up(source).items() if space in spaces for view in views[:5]]
    assert [s for s in spaces if f"spaces.html#space-{s}" not in to] == []
    assert [p for p in shown if f"counters.html#piece-{p}" not in to] == []


def test_a_changed_look_changes_the_map(copied: Path) -> None:
    """Drawings are remembered from run to run, so what they are drawn from must all count."""
    before = documents("tutorial/skirmish")["map.html"]
    assert any(to.startswith("counters.html#piece-") for to in before.addresses), (
        "counters lead to their entries"
    )
    opened = open_game(copied)
    first = linked_map(Book(opened.source, opened.program, Facts()))
    files = html_files(Book(opened.source, opened.program, Facts()))
    style = copied / "drawing.yaml"
    text = style.read_text("utf-8")
    changed = re.sub(r"#[0-9a-f]{6}", "#123456", text, count=1, flags=re.IGNORECASE)
    assert changed != text
    style.write_text(changed, "utf-8")
    again = open_game(copied)
    assert linked_map(Book(again.source, again.program, Facts())) != first
    assert html_files(Book(again.source, again.program, Facts()))["map.html"] != files["map.html"]


def test_a_changed_rule_changes_the_computed_example(copied: Path) -> None:
    """The breakdown in the example of 5.10 follows the rule, although nobody touched the example."""
    before = documents("tutorial/skirmish")["rules-03-combat.html"].text
    assert "Houses −1 −1 5.5" in before
    after = rewritten(copied, "rules/03_combat.md", "-1 when target is town", "-3 when target is town")
    assert "Houses −3 −3 5.5" in after["rules-03-combat.html"].text


def test_estimates_are_told_once() -> None:
    """Two counters of one army with the same values stand in one line, and so do the faces of a counter."""
    page = documents(BIG)["sources.html"].text
    assert "61st Army (2) strength 12 / 6 estimated (9 rifle divisions)" in page
    assert page.count("61st Army") == 2


def test_the_relations_of_a_paragraph_are_links_both_ways() -> None:
    game = open_game(BIG)
    book = Book(game.source, game.program, Facts())
    found = book.relations
    assert found.exception_to, "the game has exceptions"
    for identity, others in found.exception_to.items():
        for other in others:
            assert identity in found.excepted_by[other]
    page = documents(BIG)["rules-12-annexes.html"]
    assert "Values changed by" in page.text
    assert any(to.endswith("#rule-8.1.2") for to in page.addresses)


def test_markdown_has_the_same_places() -> None:
    for name in ("tutorial/skirmish", BIG):
        game = open_game(name)
        files = markdown_files(Book(game.source, game.program, Facts()))
        assert {"index.md", "map.md", "map.svg", "tables.md"} <= set(files)
        text = "\n".join(files.values())
        missing = [p for p in of_the_rules(game) if f'<a id="rule-{p.replace(" ", "-")}"></a>' not in text]
        assert missing == []
        assert "\ue000" not in text


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_no_head_of_a_table_shows_an_identifier(name: str) -> None:
    for page, text in site(name).items():
        if page.endswith(".html"):
            heads = re.findall(r"<th[^>]*>(.*?)</th>|<caption>(.*?)</caption>", text)
            shown = [re.sub(r"<[^>]*>", "", one or other) for one, other in heads]
            assert [head for head in shown if "_" in head] == [], page


def test_what_changes_the_die_leads_to_its_paragraph() -> None:
    text = site("race_for_berlin")["tables.html"]
    assert re.search(r'<em><a href="rules-12-annexes.html#rule-annex-2">combat’s die modifier</a></em>', text)
