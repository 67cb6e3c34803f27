"""The handbook in a browser, opened from the file system: search, links, no complaint, no request."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.measuring.handbook_facts import facts_of_game
from interpreter.playing.game import open_game
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.handbook import Book, Facts, html_files, write_files
from tests.kit.chromium import Browser, find_chromium

pytestmark = pytest.mark.skipif(
    find_chromium() is None,
    reason="no Chromium is installed here (.ci/run installs it: apt-get install chromium)",
)
GAME = "tutorial/skirmish"
A4 = 680  # pixels between the margins: 180 mm


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    game = open_game(GAME)
    write_files(html_files(Book(game.source, game.program, facts_of_game(game))), directory)
    return directory


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def quiet(browser: Browser, place: Path) -> Iterator[None]:
    """Whatever a test does, the console stays empty and every address is a file of the site."""
    browser.events.clear()
    browser.size(1280, 900)
    yield
    assert browser.complaints() == []
    asked = browser.requests()
    assert asked
    assert [address for address in asked if not address.startswith(f"file://{place}/")] == []


def test_the_search_finds_a_paragraph_and_goes_there(browser: Browser, place: Path) -> None:
    browser.open(f"file://{place}/index.html")
    browser.press("/", 191)
    assert browser.evaluate("document.activeElement.id") == "search"
    browser.type("die modifiers")
    browser.wait("document.querySelectorAll('#hits li[role=option]').length > 0")
    assert "5.5" in browser.evaluate("document.querySelector('#hits li[aria-selected=true]').textContent")
    browser.press("Enter", 13)
    browser.wait("location.hash === '#rule-5.5' && document.readyState === 'complete'")
    assert "Die modifiers" in browser.evaluate("document.querySelector(':target').textContent")


def test_the_search_says_when_there_is_nothing(browser: Browser, place: Path) -> None:
    browser.open(f"file://{place}/index.html")
    browser.evaluate("document.getElementById('search').focus()")
    browser.type("xyzzy <img src=x>")
    browser.wait("document.querySelector('#hits .nothing') !== null")


def test_a_link_from_a_breakdown_reaches_its_paragraph(browser: Browser, place: Path) -> None:
    browser.open(f"file://{place}/rules-03-combat.html")
    found = "document.querySelector('#rule-5\\\\.10 table.breakdown tbody a[href*=\"rule-5.5\"]')"
    assert browser.evaluate(f"{found} !== null")
    browser.evaluate(f"{found}.click()")
    browser.wait("location.hash === '#rule-5.5'")
    assert browser.evaluate("document.querySelector(':target h3 .title').textContent") == "Die modifiers"
    browser.wait("Math.abs(document.querySelector(':target').getBoundingClientRect().top) < 200")


def test_a_zone_of_the_map_leads_to_its_entry(browser: Browser, place: Path) -> None:
    browser.open(f"file://{place}/map.html")
    assert browser.evaluate("document.querySelectorAll('figure.map a').length") >= 5
    zone = "document.querySelector('figure.map a[href*=\"space-village\"]')"
    browser.evaluate(f"{zone}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    browser.wait("location.hash === '#space-village' && document.readyState === 'complete'")
    assert "Village" in browser.evaluate("document.querySelector(':target').textContent")


def test_every_page_fits_a_phone(browser: Browser, place: Path) -> None:
    browser.size(390, 844)
    wide = []
    for page in sorted(place.glob("*.html")):
        browser.open(f"file://{page}")
        if browser.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
            wide.append(page.name)
    assert wide == []


def test_light_and_dark(browser: Browser, place: Path) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    browser.open(f"file://{place}/index.html")
    light = browser.evaluate(paper)
    browser.size(1280, 900, dark=True)
    dark = browser.evaluate(paper)
    assert light != dark
    browser.evaluate("document.getElementById('contrast').click()")
    assert browser.evaluate(paper) == light


# Of a collection of alike games some are enough: printing takes a browser ten seconds each.
PRINTED = [
    name for i, name in enumerate(sorted(shipped_games())) if not name.startswith("classics/") or not i % 4
]


@pytest.mark.parametrize("game", PRINTED)
def test_nothing_is_wider_than_the_paper(browser: Browser, place: Path, game: str) -> None:
    """One drawing or table that is, and a browser prints every page smaller until it fits."""
    opened = open_game(game)
    book = Book(opened.source, opened.program, Facts())
    directory = place / game.replace("/", "-")
    write_files(html_files(book), directory)
    browser.size(A4, 1000)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.open(f"file://{directory}/print.html")
    wide = browser.evaluate(
        f"[...document.querySelectorAll('main *')].filter(e => (e.tagName === 'svg' || !e.closest('svg'))"
        f" && e.getBoundingClientRect().right > {A4 + 2}).map(e => e.outerHTML.slice(0, 80))"
    )
    # In a column, too wide means: over the words of the next column.
    over = browser.evaluate(
        "[...document.querySelectorAll('.scroll > table')].filter(e => e.getBoundingClientRect().width >"
        " e.parentElement.getBoundingClientRect().width + 2).map(e => e.outerHTML.slice(0, 80))"
    )
    browser.call("Emulation.setEmulatedMedia", media="")
    assert wide == []
    assert over == []


def house_rules(game: str) -> list[Path]:
    return sorted((data_dir("games") / game / "house").glob("*.md"))


def sheets(browser: Browser, address: str) -> int:
    """How many pages of A4 something becomes when it is printed."""
    browser.open(address)
    made = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    return len(re.findall(rb"/Type\s*/Page\b", made))


@pytest.mark.parametrize("game", [name for name in shipped_games() if house_rules(name)])
def test_the_sheet_of_changes_is_one_page_of_paper(browser: Browser, place: Path, game: str) -> None:
    """With all house rules of a game at once."""
    opened = open_game(game, house_rules(game))
    directory = place / f"house-{game.replace('/', '-')}"
    write_files(html_files(Book(opened.source, opened.program, Facts())), directory)
    assert sheets(browser, f"file://{directory}/changes.html") == 1


def test_the_print_edition_is_short(browser: Browser, place: Path) -> None:
    """Chapters follow each other on a page; were each to begin a new one, there would be more pages."""
    browser.open(f"file://{place}/print.html")
    chapters = browser.evaluate("document.querySelectorAll('article.sheet').length")
    assert 1 < sheets(browser, f"file://{place}/print.html") < chapters
