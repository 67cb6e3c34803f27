"""The workshop in a real Chromium: from the front page to a played game, by typing and clicking only."""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.workshop.web import BUNDLE, EDITOR
from tests.kit.chromium import Browser, find_chromium
from tests.kit.command_line import run
from tests.kit.served_workshop import Shop, workshop
from tests.kit.table_players import Mouse
from tests.kit.workshop_steps import take_steps

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium")

GAME = "tutorial/skirmish"
BUNDLED = (Path(__file__).parents[2] / "interpreter" / "workshop" / "page" / BUNDLE / EDITOR).is_file()
SHORT_DAY = """# Short day
One turn is enough for a test.

## amends 2
The game lasts one turn.

```rules
set parameter last_turn = 1
```
"""
MOST_CLICKS = 300


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with workshop(tmp_path_factory.mktemp("games"), editor=False) as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile"), 1400, 900) as found:
        yield found


def alone(browser: Browser) -> None:
    """Away from every page; what was reported so far belongs to another house."""
    browser.open("about:blank")
    browser.evaluate("1")
    browser.events.clear()


def opened(browser: Browser, at: Shop, game: str = GAME, language: str = "en") -> Mouse:
    """The bench of a game, by clicks from the front page, with nothing written."""
    browser.open("about:blank")
    browser.open(f"{at.front}&language={language}")
    browser.wait("document.querySelector('.card') !== null")
    browser.evaluate("localStorage.clear()")
    assert at.shop.hall.key not in browser.evaluate("location.href")
    mouse = Mouse(browser)
    assert mouse.on(f".card[data-game='{game}']")
    browser.wait("Boolean(window.bench && window.bench.ready)")
    return mouse


def sound(browser: Browser, at: Shop) -> None:
    assert browser.complaints() == []
    allowed = (at.house, "about:", "data:", "blob:")
    assert [url for url in browser.requests() if not url.startswith(allowed)] == []


def write(browser: Browser, mouse: Mouse, text: str) -> None:
    """Click into the field and type, instead of what stands there."""
    mouse.on("#editor textarea")
    browser.evaluate("document.getElementById('text').select()")
    browser.type(text)
    browser.wait(f"bench.text === {json.dumps(text)}")


def picture(browser: Browser, name: str) -> None:
    """For people to look at, where they ask for it."""
    if where := os.environ.get("RULESDSL_SCREENSHOTS"):
        shot = browser.call("Page.captureScreenshot")["data"]
        (Path(where) / f"workshop-{name}.png").write_bytes(base64.b64decode(shot))


def pane(browser: Browser) -> str:
    found: str = browser.evaluate("document.getElementById('pane').innerText")
    return found


def play(browser: Browser, at: Shop) -> None:
    """At the table, by clicks, until the game is over."""
    browser.wait("Boolean(window.current && window.current.look)")
    (table,) = at.shop.hall.tables.values()
    mouse = Mouse(browser, 3)
    while not table.session.over:
        assert mouse.clicks < MOST_CLICKS
        state = mouse.state()
        if state is None or state["busy"] or not state["offer"]:
            time.sleep(0.03)
            continue
        mouse.decide()
    browser.wait("document.querySelector('#ask .ending') !== null")


def test_from_the_front_page_to_a_played_game(browser: Browser, at: Shop) -> None:
    mouse = opened(browser, at)
    # the rulebook on the left, a paragraph found by words, “amend this”
    mouse.on("#find")
    browser.type("sequence of play")
    numbers = (
        "[...document.querySelectorAll('#paragraphs article:not([hidden])')].map((a) => a.dataset.number)"
    )
    browser.wait(f"{numbers}.length < 8")
    shown = browser.evaluate(numbers)
    assert mouse.on("#paragraphs article:not([hidden]) .amend-this", shown.index("2"))
    browser.wait("bench.text.includes('## amends 2')")
    assert browser.evaluate("document.getElementById('text').value === bench.text")
    # one's own words instead; what changes is told in words, and the paragraph is marked
    write(browser, mouse, SHORT_DAY)
    browser.wait("bench.looked && bench.looked.sound && bench.looked.paragraphs.includes('2')")
    assert "Short day" in pane(browser)
    assert "The game lasts one turn." in pane(browser)
    assert browser.evaluate("document.getElementById('rule-2').classList.contains('touched')")
    # examples
    mouse.on("#tab-proof")
    browser.wait("document.getElementById('pane').innerText.includes('held after every decision')")
    assert "0 of yours fail" in pane(browser)
    # what it does: it becomes clear while one watches
    mouse.on("#tab-weigh")
    assert mouse.on("#weigh")
    browser.wait("/pairs of games/.test((document.querySelector('#verdict') || {}).innerText)")
    browser.wait(
        "document.querySelectorAll('.measures tr').length > 3"
        " && document.querySelectorAll('.effects li').length > 0"
    )
    if mouse.at_once("#stop"):
        browser.wait("bench.weighing.state.over")
    browser.wait("/^(clear|stopped) after/.test(document.querySelector('#verdict').innerText)")
    until = time.monotonic() + 60  # it has told its last; on a busy machine it takes a while to end
    while any(one.running for one in at.shop._weighing.values()):
        assert time.monotonic() < until
        time.sleep(0.05)
    sound(browser, at)
    # the table with these rules, and a game to its end
    assert mouse.on("#try")
    browser.wait("document.querySelector('#sit') !== null")
    mouse.on("#sit")
    play(browser, at)
    (table,) = at.shop.hall.tables.values()
    assert table.session.game.full_title == "Skirmish at the Bridge with Short day"
    assert table.session.view(None)["tracks"]["turn"] <= 2  # the printed game has six
    sound(browser, at)


def test_what_is_wrong_is_told_with_its_line(browser: Browser, at: Shop) -> None:
    mouse = opened(browser, at)
    write(browser, mouse, SHORT_DAY.replace("last_turn", "last_tern"))
    mouse.on("#tab-wrong")
    browser.wait("document.querySelector('#pane .problem.error') !== null")
    assert "last_turn" in pane(browser)  # did you mean
    assert browser.evaluate("document.getElementById('try').disabled")
    mouse.on("#pane .problem button.where")
    line = SHORT_DAY.splitlines().index("set parameter last_turn = 1")
    picked = "(() => { const f = document.getElementById('text');"
    picked += " return f.value.slice(f.selectionStart, f.selectionEnd); })()"
    assert browser.evaluate(picked) == SHORT_DAY.replace("last_turn", "last_tern").splitlines()[line]
    write(browser, mouse, SHORT_DAY)
    browser.wait("bench.looked && bench.looked.sound")
    browser.wait("document.querySelector('#pane .good') !== null")
    sound(browser, at)


def test_counters_and_tables_are_forms(browser: Browser, at: Shop) -> None:
    mouse = opened(browser, at)
    mouse.on("#tab-forms")
    browser.wait("document.getElementById('form-of') !== null")
    browser.evaluate(
        "(() => { const s = document.getElementById('form-of'); s.value = 'counter\\thussars';"
        " s.dispatchEvent(new Event('change')); })()"
    )
    browser.wait("document.querySelector('.faces svg') !== null")
    before = browser.evaluate("document.querySelector('.faces svg').outerHTML")
    mouse.on("#value-strength-1")
    browser.evaluate("document.getElementById('value-strength-1').select()")
    browser.type("9")
    browser.press("Tab", 9)
    browser.wait("bench.text.includes('set hussars.strength = 9')")
    browser.wait("document.querySelector('.faces svg title').textContent.includes('strength 9')")
    assert browser.evaluate("document.querySelector('.faces svg').outerHTML") != before
    assert browser.evaluate("document.getElementById('text').value.includes('set hussars.strength = 9')")
    sound(browser, at)


def test_a_game_goes_on_from_a_moment_that_was_shown(browser: Browser, at: Shop) -> None:
    for table in list(at.shop.hall.tables.values()):
        at.shop.hall.close_table(table)
    mouse = opened(browser, at)
    write(
        browser,
        mouse,
        SHORT_DAY.replace("## amends 2\n", "## amends 5.4\n").replace(
            "set parameter last_turn = 1", "set table combat[1:1, 5] = A1D1"
        ),
    )
    browser.wait("bench.looked && bench.looked.sound")
    mouse.on("#tab-weigh")
    assert mouse.on("#moments")
    browser.wait("document.querySelector('.moments details') !== null")
    browser.evaluate("document.querySelector('.moments details').open = false")
    mouse.on(".moments summary")
    browser.wait("document.querySelector('.moments details[open] .from-here') !== null")
    mouse.on(".moments details[open] .from-here")
    browser.wait("document.querySelector('#sit') !== null")
    mouse.on("#sit")
    browser.wait("Boolean(window.current && window.current.look)")
    (table,) = at.shop.hall.tables.values()
    assert table.session.history
    sound(browser, at)
    at.shop.hall.close_table(table)
    alone(browser)


def test_a_link_carries_the_house_rule(browser: Browser, at: Shop) -> None:
    mouse = opened(browser, at)
    write(browser, mouse, SHORT_DAY)
    mouse.on(".menu summary")
    mouse.on("#as-link")
    browser.wait("document.getElementById('link') !== null")
    link = browser.evaluate("bench.link")
    assert at.shop.hall.key not in link
    browser.evaluate("localStorage.clear()")
    browser.open("about:blank")
    browser.open(f"{link}&key={at.shop.hall.key}")
    browser.wait("Boolean(window.bench && window.bench.ready)")
    assert browser.evaluate("document.getElementById('text').value") == SHORT_DAY
    assert "rule=" not in browser.evaluate("location.href")
    sound(browser, at)


@pytest.mark.parametrize(
    ("width", "dark", "language"),
    [(1400, False, "en"), (1024, True, "fr"), (390, False, "fr"), (390, True, "en")],
)
def test_nothing_leaves_the_window(browser: Browser, at: Shop, width: int, dark: bool, language: str) -> None:
    browser.size(width, 844, dark)
    mouse = opened(browser, at, language=language)
    amend = {"en": "amend this", "fr": "modifier ceci"}[language]
    assert browser.evaluate("document.documentElement.lang") == language
    assert browser.evaluate("document.querySelector('.amend-this').innerText") == amend
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    if width < 860:
        mouse.on("#rooms button", 1)
    write(browser, mouse, SHORT_DAY)
    browser.wait("bench.looked && bench.looked.sound")
    rooms = ("book", "work", "follow")
    for number, room in enumerate(rooms):
        if width < 860:
            mouse.on("#rooms button", number)
        box = browser.evaluate(f"document.getElementById('{room}').getBoundingClientRect().toJSON()")
        assert box["width"] > 300, room
        assert box["height"] > 200, room
        assert box["right"] <= width + 1, room
    picture(browser, f"{width}-{'dark' if dark else 'light'}")
    browser.size(1400, 900)
    sound(browser, at)


# ---- the documents begin here ---------------------------------------------------------------------------
DOCS = Path(__file__).parents[2] / "docs"
FILE = re.compile(r"^(`{3,})\w+ file=(\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


def section_of(page: str, title: str) -> str:
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_page_of_house_rules_begins_in_the_workshop(browser: Browser, tmp_path: Path) -> None:
    page = (DOCS / "house_rules.md").read_text(encoding="utf-8")
    files = {name: text for _, name, text in FILE.findall(page)}
    with workshop(tmp_path, editor=False) as at:
        alone(browser)
        browser.open(at.front)
        browser.wait("document.querySelector('.card') !== null")
        done = take_steps(browser, Mouse(browser), section_of(page, "In the browser"), files)
        assert len(done) >= 11
        browser.wait("Boolean(window.current && window.current.look)")
        (table,) = at.shop.hall.tables.values()
        assert table.session.game.full_title == "Skirmish at the Bridge with Even odds"
        sound(browser, at)
        browser.open("about:blank")  # a page left alone would go on asking


def test_the_tutorial_begins_in_the_workshop(browser: Browser, tmp_path: Path) -> None:
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    files = {name: text for _, name, text in FILE.findall(page)}
    game = tmp_path / "my_game"
    assert run("new", str(game)).exit_code == 0
    with workshop(tmp_path / "games", str(game), editor=False) as at:
        alone(browser)
        browser.open(f"{at.front}&game={game}")
        browser.wait("Boolean(window.bench && window.bench.ready)")
        done = take_steps(browser, Mouse(browser), section_of(page, "Begin in the workshop"), files)
        assert len(done) >= 6
        browser.wait("Boolean(window.current && window.current.look)")
        (table,) = at.shop.hall.tables.values()
        assert table.session.game.full_title == "My game with A short war"
        sound(browser, at)
        browser.open("about:blank")


ROOT = "document.querySelector('#editor .host').shadowRoot"


@pytest.mark.skipif(not BUNDLED, reason="the editor is bundled by `make workshop`")
def test_the_bundled_editor_speaks_with_the_language_server(browser: Browser, tmp_path: Path) -> None:
    with workshop(tmp_path, editor=True) as at:
        browser.size(1400, 900)
        alone(browser)
        mouse = opened(browser, at)
        browser.wait(f"Boolean({ROOT}.querySelector('.cm-content'))")
        browser.wait("bench.editor.connected")
        _click_inside(browser, mouse, ".cm-content")
        wrong = SHORT_DAY.replace("last_turn", "last_tern")
        browser.type(wrong)
        browser.wait(f"bench.text === {json.dumps(wrong)}")
        # messages come from the server; the quick fix is a click
        browser.wait(f"{ROOT}.querySelector('.cm-lintRange-error') !== null")
        browser.wait(f"{ROOT}.querySelector('.sem-keyword') !== null")
        browser.call(
            "Input.dispatchKeyEvent", type="keyDown", key="M", windowsVirtualKeyCode=77, modifiers=10,
            code="KeyM",
        )  # fmt: skip
        browser.wait(f"{ROOT}.querySelector('.cm-diagnosticAction') !== null")
        _click_inside(browser, mouse, ".cm-diagnosticAction")
        browser.wait(f"bench.text === {json.dumps(SHORT_DAY)}")
        browser.wait("bench.looked && bench.looked.sound")
        browser.wait(f"{ROOT}.querySelector('.cm-lintRange-error') === null")
        # completion knows what may stand there
        line = SHORT_DAY.splitlines().index("set parameter last_turn = 1") + 1
        browser.evaluate(
            f"(() => {{ const v = bench.editor.view, row = v.state.doc.line({line});"
            " const at = row.from + 'set parameter '.length; v.focus();"
            " v.dispatch({ changes: { from: at, to: row.to }, selection: { anchor: at } }); })()"
        )
        browser.type("la")
        browser.wait(
            f"/last_turn/.test(({ROOT}.querySelector('.cm-tooltip-autocomplete') || {{}}).innerText)"
        )
        sound(browser, at)
    assert at.shop.language


QUICK_FIGHT = """# Quick fight
One turn, and a five at even odds costs both.

## amends 2
The game lasts one turn.

```rules
set parameter last_tern = 1
```

## amends 5.4
A five at 1:1 costs both sides a step.

```rules
set table combat[1:1, 5] = A1D1
```
"""


@pytest.mark.skipif(not BUNDLED, reason="the editor is bundled by `make workshop`")
def test_a_whole_game_by_the_bundled_editor(browser: Browser, tmp_path: Path) -> None:
    """From the front page to the end of a game under a rule that was typed key by key."""
    with workshop(tmp_path, editor=True) as at:
        browser.size(1400, 900)
        alone(browser)
        mouse = opened(browser, at)
        browser.wait(f"Boolean({ROOT}.querySelector('.cm-content'))")
        browser.wait("bench.editor.connected")
        mouse.on("#find")
        browser.keys("odds, die")
        browser.wait(
            "!document.getElementById('rule-5.4').hidden && document.getElementById('rule-1').hidden"
        )
        mouse.on("[id='rule-5.4'] .amend-this")
        browser.wait("bench.text.includes('## amends 5.4')")
        # everything that stands there away, by the keyboard, and one's own words instead
        _click_inside(browser, mouse, ".cm-content")
        browser.chord("a", 65)
        browser.press("Delete", 46)
        browser.wait("bench.text === ''")
        browser.keys(QUICK_FIGHT)
        browser.wait(f"bench.text.trimEnd() === {json.dumps(QUICK_FIGHT.rstrip())}")
        # the slip is marked, and mended by a click
        browser.wait(f"{ROOT}.querySelector('.cm-lintRange-error') !== null")
        assert browser.evaluate("document.getElementById('try').disabled")
        browser.call(
            "Input.dispatchKeyEvent", type="keyDown", key="M", windowsVirtualKeyCode=77, modifiers=10,
            code="KeyM",
        )  # fmt: skip
        browser.wait(f"{ROOT}.querySelector('.cm-diagnosticAction') !== null")
        _click_inside(browser, mouse, ".cm-diagnosticAction")
        browser.wait("bench.text.includes('set parameter last_turn = 1')")
        browser.wait("bench.looked && bench.looked.sound")
        assert "R → A1D1" in pane(browser)
        mouse.on("#tab-proof")
        browser.wait("document.getElementById('pane').innerText.includes('held after every decision')")
        picture(browser, "bundled")
        mouse.on("#try")
        browser.wait("document.querySelector('#sit') !== null")
        mouse.on("#sit")
        play(browser, at)
        (table,) = at.shop.hall.tables.values()
        assert table.session.game.full_title == "Skirmish at the Bridge with Quick fight"
        assert table.session.view(None)["tracks"]["turn"] <= 2  # the printed game has six
        sound(browser, at)
        picture(browser, "bundled-played")
        browser.open("about:blank")


def _click_inside(browser: Browser, mouse: Mouse, selector: str) -> None:
    box = browser.evaluate(f"{ROOT}.querySelector('{selector}').getBoundingClientRect().toJSON()")
    mouse.press(box["x"] + min(40, box["width"] / 2), box["y"] + min(12, box["height"] / 2))
