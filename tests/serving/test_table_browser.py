"""The table in a real Chromium, by clicks alone: no error in the console, no request leaves the machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.serving.table import Table
from tests.kit.chromium import Browser, find_chromium
from tests.kit.served_tables import House, house
from tests.kit.table_players import Mouse
from tests.promises import PATROL
from tests.promises.clicking import AXE, axe

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium")

MOST_CLICKS = 600
FULL = os.environ.get("RULESDSL_BARS") == "full"
MORE = ("battle_for_germany", "downfall_of_the_third_reich", "fortress_berlin", "east_front")
GAMES = ("race_for_berlin", *(MORE if FULL else ()))


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("games")) as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile"), 1280, 860) as found:
        yield found


def _sit(browser: Browser, at: House, table: Table, token: str, seed: int = 1) -> Mouse:
    browser.open("about:blank")
    browser.open(at.link(table, token))
    browser.wait("Boolean(window.current && window.current.look)")
    return Mouse(browser, seed)


def _sound(browser: Browser, at: House) -> None:
    assert browser.complaints() == []
    foreign = [
        url for url in browser.requests() if not url.startswith((at.address, "about:", "data:", "blob:"))
    ]
    assert foreign == []


def _play(mouse: Mouse, table: Table, until: int) -> None:
    """Click until the game is over or so many decisions are made."""
    while not table.session.over and len(table.session.history) < until:
        assert mouse.clicks < MOST_CLICKS
        state = mouse.state()
        if state is None or state["busy"] or not state["offer"]:
            if state is not None and state["curtain"]:
                mouse.at_once("#curtain button")
            time.sleep(0.03)
            continue
        mouse.decide()


def test_a_whole_skirmish_by_clicks_alone(browser: Browser, at: House) -> None:
    table = at.hall.begin("tutorial/skirmish", seats=["all=human", "red=random"], seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token)
    _play(mouse, table, 10_000)
    assert table.session.over
    browser.wait("document.querySelector('#ask .ending') !== null")
    _sound(browser, at)


@pytest.mark.parametrize("game", ["classics/nine_mens_morris", "classics/hearts"])
def test_tables_and_boards_of_points_by_clicks(browser: Browser, at: House, game: str) -> None:
    table = at.hall.begin(game, seats=["all=human"], seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token, seed=3)
    _play(mouse, table, 8)
    assert len(table.session.history) >= 8
    _sound(browser, at)


def test_a_stack_is_dragged_onto_what_it_attacks(browser: Browser, at: House) -> None:
    """One gesture for a pile: activated now, and the attack is launched by itself when it is asked. A pile
    that is clicked opens, and all of its space is activated with the second click."""
    table = at.hall.begin("race_for_berlin", seats=["all=human"], by_link=True, seed="3")
    session = table.session
    while session.prompt is None or not any(o.key.startswith("activate") for o in session.options):
        session.choose(session.options[-1])
    table.touch()
    door = next(door for door in table.seating.doors if session.player in door.seats)
    mouse = _sit(browser, at, table, door.token)
    browser.wait("current.offer !== null")
    mouse.at_rest(table)
    before = len(session.history)
    assert mouse.takes("piece:s8gaa") == {"piece:s8gaa", "piece:s8gab"}
    assert mouse.drag("piece:s8gaa", "space:seelow")
    browser.wait("current.orders.waiting.length === 1 && !current.busy")
    mouse.at_rest(table)
    keys = [moment.key for moment in session.history[before:]]
    assert keys == ["activate:s8gaa", "combat", "activate:s8gab", "combat"]
    assert browser.evaluate("document.querySelectorAll('.orders .arrow').length") == 2
    assert mouse.thing("piece:s61a")
    browser.wait("!document.getElementById('popup').hidden")
    place = browser.evaluate(
        "[...document.querySelectorAll('#popup button.act')].findIndex((n) => /combat/i.test("
        "n.getAttribute('aria-label') || n.innerText))"
    )
    mouse.on("#popup button.act", place)
    browser.wait("current.orders.waiting.length === 0")
    mouse.at_rest(table)
    assert "attack:seelow" in [moment.key for moment in session.history[before:]]
    assert mouse.clicks == 3
    _sound(browser, at)


@pytest.mark.parametrize("game", ["tutorial/hex", "tutorial/breakthrough", "tutorial/connect_four"])
def test_boards_are_played_by_clicks(browser: Browser, at: House, game: str) -> None:
    table = at.hall.begin(game, seats=["all=human"], seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token, seed=3)
    _play(mouse, table, 8)
    assert len(table.session.history) >= 8
    _sound(browser, at)


@pytest.mark.parametrize("game", GAMES)
def test_turns_of_a_map_game_by_clicks(browser: Browser, at: House, game: str) -> None:
    table = at.hall.begin(game, seats=["all=human"], seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token, seed=2)
    _play(mouse, table, 120 if FULL else 10)
    assert len(table.session.history) >= 10
    _sound(browser, at)
    at.hall.close_table(table)


def test_a_curtain_falls_between_two_at_one_screen(browser: Browser, at: House) -> None:
    table = at.hall.begin(PATROL, seats=["all=human"], seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token)
    browser.wait("!document.getElementById('curtain').hidden")
    assert browser.evaluate("document.querySelectorAll('#ask .act').length") == 0
    seats = set()
    while len(seats) < 2 and len(table.session.history) < 60:
        browser.wait("!document.getElementById('curtain').hidden || current.offer !== null")
        state = mouse.state()
        assert state is not None
        if state["curtain"]:
            mouse.on("#curtain button")
            browser.wait(
                "document.getElementById('curtain').hidden && current.look !== null && current.offer !== null"
            )
            seats.add(browser.evaluate("current.look.seat"))
            continue
        mouse.decide()
    assert len(seats) == 2
    _sound(browser, at)


def test_a_late_reply_is_not_shown_to_who_sits_there_now(browser: Browser, at: House) -> None:
    """At one screen the answer to an act may come after the next one has sat down."""
    table = at.hall.begin("classics/reversi", seats=["all=human"], seed="4")
    _sit(browser, at, table, table.seating.host.token)
    browser.wait("current.offer !== null")
    browser.evaluate("window.late = JSON.parse(JSON.stringify(current.look)); window.late.at += 1000")
    first = browser.evaluate("current.look.seat")
    table.session.choose(table.session.options[0])
    table.touch()
    browser.wait(f"current.look !== null && current.look.seat !== '{first}' && current.offer !== null")
    browser.evaluate("current.take(window.late)")
    assert browser.evaluate("current.look.seat") != first
    assert browser.evaluate("current.offer !== null")
    _sound(browser, at)


def test_the_line_breaks_in_the_middle_of_an_act(browser: Browser, at: House) -> None:
    """A draft is begun, the line is cut and comes back: the draft is still there and can be done."""
    table = at.hall.begin("race_for_berlin", seats=["all=human"], by_link=True, seed="3")
    door = next(door for door in table.seating.doors if table.session.player in door.seats)
    mouse = _sit(browser, at, table, door.token)
    browser.wait("current.offer !== null")
    for _ in range(40):  # to a question whose answer has more than one part
        if browser.evaluate(
            "current.offer !== null && current.offer.acts.some((act) => act.keys.length > 1)"
        ):
            break
        session = table.session
        session.choose(session.options[-1])
        table.touch()
        door = next(door for door in table.seating.doors if session.player in door.seats)
        mouse = _sit(browser, at, table, door.token)
        browser.wait("current.look !== null && (current.offer !== null || current.look.asked.mine === null)")
    browser.evaluate(
        "current.propose(current.offer.acts.find((act) => act.keys.length > 1).keys.slice(0, 1), [])"
    )
    browser.wait("current.draft.length === 1 && !current.busy")
    before = len(table.session.history)
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                 uploadThroughput=0)  # fmt: skip
    browser.evaluate("current.listen()")  # as when the stream ends: it tries again and again
    browser.wait("document.body.classList.contains('away')")
    assert browser.evaluate("current.draft.length") == 1
    browser.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                 uploadThroughput=-1)  # fmt: skip
    browser.wait("!document.body.classList.contains('away')")
    assert browser.evaluate("current.draft.length") == 1, "what was planned is not lost"
    mouse.out_of_the_list()
    browser.wait("!current.busy")
    for _ in range(20):
        if len(table.session.history) > before:
            break
        mouse.out_of_the_list()
        browser.wait("!current.busy")
        time.sleep(0.2)
    browser.events.clear()  # the console tells of the line that was cut
    assert len(table.session.history) > before


def test_two_by_link_and_somebody_who_looks_on(browser: Browser, at: House, tmp_path: Path) -> None:
    table = at.hall.begin("tutorial/skirmish", seats=["all=human"], by_link=True, seed="9")
    blue, red, watcher = table.seating.doors
    with Browser(tmp_path / "second", 900, 700) as second:
        one, two = _sit(browser, at, table, blue.token), _sit(second, at, table, red.token)
        for _ in range(12):
            mouse = one if table.session.player == "blue" else two
            mouse.browser.wait("current.offer !== null && !current.busy")
            mouse.decide()
        look = table.shown(red, "red")
        second.wait(f"current.look.at === {look['at']}")
        second.evaluate("current.door.hush(); current.listen()")
        second.wait(f"current.look.at === {look['at']}")
        _sit(second, at, table, watcher.token)
        second.wait("current.look.seat === null")
        assert second.evaluate("current.offer") is None
        assert second.evaluate("document.querySelectorAll('#board .lit').length") == 0
        _sound(second, at)
    _sound(browser, at)


def test_why_not_odds_rule_and_talk(browser: Browser, at: House) -> None:
    table = at.hall.begin("tutorial/skirmish", seed="4")
    mouse = _sit(browser, at, table, table.seating.host.token)
    browser.wait("current.offer !== null")
    enemy = browser.evaluate(
        "[...current.board.pieces.values()].map((p) => p.id).find((id) => !current.lit.has(id))"
    )
    assert mouse.thing(enemy, "right")
    browser.wait("document.querySelector('#pane .clauses, #pane .facts') !== null")
    mouse.on("#ask h2 .rule")
    browser.wait("document.querySelector('#pane .prose') !== null")
    mouse.on("#ask .row .more")
    browser.wait("!document.getElementById('popup').hidden")
    mouse.on("#popup .item")
    browser.wait(
        "document.querySelector('#pane h3') !== null && "
        "!/reckoning/.test(document.querySelector('#pane').innerText)"
    )
    mouse.on("#tab-talk")
    browser.wait("document.querySelector('form.talk input') !== null")
    mouse.on("form.talk input")
    browser.type("<img src=x onerror=alert(1)>")
    mouse.on("form.talk button")
    browser.wait("document.querySelector('ul.talk li') !== null")
    assert browser.evaluate("document.querySelector('ul.talk img')") is None
    _sound(browser, at)


def test_keys_do_what_clicks_do(browser: Browser, at: House) -> None:
    table = at.hall.begin("tutorial/skirmish", seed="4")
    _sit(browser, at, table, table.seating.host.token)
    browser.wait("current.offer !== null")
    browser.evaluate("document.activeElement.blur()")
    browser.press("n", 78)
    assert browser.evaluate("document.activeElement.getAttribute('aria-label')")
    at_first = browser.evaluate("current.look.at")
    browser.press("Enter", 13)
    browser.wait(f"current.look.at > {at_first} || current.draft.length > 0 || current.chosen !== null")
    browser.press("Escape", 27)
    browser.press("u", 85)
    _sound(browser, at)


def test_the_list_of_games_begins_one(browser: Browser, at: House) -> None:
    browser.open("about:blank")
    browser.open(f"{at.address}#key={at.hall.key}")
    browser.wait("document.querySelector('.card') !== null")
    mouse = Mouse(browser)
    cards = browser.evaluate("[...document.querySelectorAll('.card strong')].map((n) => n.innerText)")
    mouse.on(".card", len(cards) - 1 - cards[::-1].index("Skirmish at the Bridge"))
    browser.wait("document.querySelector('form.setup') !== null")
    mouse.on("form.setup button.primary")
    browser.wait("Boolean(window.current && window.current.look)")
    _sound(browser, at)


def test_axe_finds_nothing_serious(browser: Browser, at: House) -> None:
    script = axe()
    if script is None:
        pytest.skip("npm does not bring axe-core here")
    table = at.hall.begin("tutorial/skirmish", seed="4")
    _sit(browser, at, table, table.seating.host.token)
    browser.wait("current.offer !== null")
    browser.evaluate(f"{script}; 0")
    assert browser.evaluate(AXE) == "[]"
    browser.evaluate("current.openMenu({ clientX: 300, clientY: 60 })")
    assert browser.evaluate(AXE) == "[]"
    browser.evaluate("document.getElementById('menu').removeAttribute('aria-label');"
                     "document.getElementById('menu').textContent = '';"
                     "document.getElementById('menu').title = ''")  # fmt: skip
    assert "button-name" in browser.evaluate(AXE), "it would find a button without a name"


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (1024, True), (390, False), (390, True)])
def test_nothing_leaves_the_window(browser: Browser, at: House, width: int, dark: bool) -> None:
    table = at.hall.begin("tutorial/skirmish", seed="4")
    browser.size(width, 844, dark)
    _sit(browser, at, table, table.seating.host.token)
    browser.wait("current.offer !== null")
    wide = browser.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    for selector in ("#ask", "#stage", "#pane"):
        box = browser.evaluate(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        assert box["width"] > 100, selector
        assert box["height"] > 60, selector
        assert box["right"] <= width + 1, selector
    browser.size(1280, 860)


def test_what_stays_is_not_drawn_again_and_the_whole_map_stays_whole(at: House, browser: Browser) -> None:
    """A click must be a picture soon: piles that did not change keep their nodes. Another window shows the
    whole map again until somebody has moved it."""
    table = at.hall.begin("tutorial/skirmish", seats=["all=human"], seed="4")
    browser.size(1280, 860)
    mouse = _sit(browser, at, table, table.seating.host.token)
    seen = " && ".join(
        f"current.board.{side} <= current.board.view.{side} + 1" for side in ("width", "height")
    )
    browser.size(500, 700)
    browser.wait(f"current.board.room.width < 600 && {seen}")
    browser.size(1280, 860)
    browser.wait(f"current.board.room.width > 600 && {seen}")
    browser.evaluate("document.querySelectorAll('#stage .pile').forEach((pile) => { pile.drawn = true; }), 0")
    piles = browser.evaluate("document.querySelectorAll('#stage .pile').length")
    before = len(table.session.history)
    while len(table.session.history) == before:
        mouse.go_on()
    mouse.at_rest(table)
    kept = browser.evaluate(
        "[...document.querySelectorAll('#stage .pile')].filter((pile) => pile.drawn).length"
    )
    assert kept >= piles / 2, f"{piles - kept} of {piles} piles were drawn again"
    browser.evaluate("current.board.zoom(2), 0")
    browser.size(900, 700)
    browser.wait("current.board.room.width < 700")
    assert not browser.evaluate(seen), "who came nearer stays there"
    browser.size(1280, 860)
