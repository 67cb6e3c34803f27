"""The table by clicks alone, in a real Chromium: every shipped game, how soon pictures come, how few clicks
do.

Bars that need a browser (or npm) say so and count nothing where there is none.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from rulesdsl.base.resources import shipped_games
from tests.promises import FIXTURES, Outcome

TESTS = FIXTURES.parents[1]
WITH_TURNS = 2  # of games with a track of turns that count them, on a map
MOST_CLICKS, MOST_SECONDS = 900, 420.0  # of one game
FEW = 60  # clicks that are enough for a game without turns that does not end sooner
PICTURE = {
    "race_for_berlin": 150.0,
    "fortress_berlin": 400.0,
}  # milliseconds from a click to its picture, median
FIRST_PICTURE = 2.0  # seconds, warm
MOST_OF_RACE = 45  # gestures (clicks and drags) of one side in a turn of some 140 questions
NO_BROWSER = "there is no Chromium here"


@dataclass
class Desk:
    """A house, a browser, and who sits before it."""

    house: Any
    browser: Any
    people: Any

    def sit(self, table: Any, token: str, seed: int = 1) -> Any:
        self.browser.open("about:blank")
        self.browser.open(self.house.link(table, token))
        self.browser.wait("Boolean(window.current && window.current.look)")
        return self.people.Mouse(self.browser, seed)

    def complaints(self) -> list[str]:
        """What the console told, and requests that left the machine; told once."""
        browser = self.browser
        ours = (self.house.address, "about:", "data:", "blob:")
        foreign = [f"asked for {url}" for url in browser.requests() if not url.startswith(ours)]
        found = [*browser.complaints(), *foreign]
        browser.events.clear()
        return found


@contextmanager
def desk() -> Iterator[Desk | None]:
    """Everything one needs to play by clicks; nothing where there is no browser."""
    chromium = import_module("tests.kit.chromium")
    if chromium.find_chromium() is None:
        yield None
        return
    served, people = import_module("tests.kit.served_tables"), import_module("tests.kit.table_players")
    with (
        tempfile.TemporaryDirectory() as place,
        served.house(Path(place) / "games") as house,
        chromium.Browser(Path(place) / "profile", 1280, 860) as browser,
    ):
        yield Desk(house, browser, people)


def clicked_games(count: int) -> Outcome:
    """The first so many of all shipped games: two turns where there are turns, else a game or some moves."""
    outcome = Outcome()
    notes: list[str] = []
    with desk() as found:
        if found is None:
            outcome.note = NO_BROWSER
            outcome.done = 1
            return outcome
        for game in sorted(shipped_games(), key=lambda name: (name != "tutorial/skirmish", name))[:count]:
            outcome.done += 1
            try:
                notes.append(f"{game} {_clicked(found, game)}")
            except AssertionError as error:
                outcome.failure(f"{game}: {str(error)[:300]}")
            for complaint in found.complaints():
                outcome.failure(f"{game}: {complaint[:300]}")
    outcome.note = "; ".join(notes)
    return outcome


def _clicked(found: Desk, game: str) -> str:
    """Everybody plays at one screen, whoever is asked clicks; how far it came."""
    table = found.house.hall.begin(game, seats=["all=human"], seed="4")
    mouse, session = found.sit(table, table.seating.host.token, seed=2), table.session
    until = time.monotonic() + MOST_SECONDS

    def turn() -> int | None:
        value = session.view(None)["tracks"].get("turn")
        return value if isinstance(value, int) else None

    has_turns = turn() is not None
    while not session.over and (mouse.clicks < FEW if not has_turns else (turn() or 0) <= WITH_TURNS):
        assert mouse.clicks < MOST_CLICKS, (
            f"not done after {mouse.clicks} clicks, {len(session.history)} decisions"
        )
        assert time.monotonic() < until, f"not done in time: {mouse.clicks} clicks, turn {turn()}"
        mouse.go_on(rest=0.25 if has_turns else 0.0)
    decisions = len(session.history)
    found.browser.open("about:blank")
    found.house.hall.close_table(table)
    return f"{mouse.clicks} clicks, {decisions} decisions{', over' if session.over else ''}"


def pictures(count: int) -> Outcome:
    """From a click to the new picture: the median of so many clicks in each game, and the first picture,
    warm."""
    outcome = Outcome()
    notes: list[str] = []
    with desk() as found:
        if found is None:
            outcome.note, outcome.done = NO_BROWSER, 1
            return outcome
        for game, most in PICTURE.items():
            table = found.house.hall.begin(game, seats=["all=human"], seed="4")
            mouse = found.sit(table, table.seating.host.token, seed=2)
            while len(found.browser.evaluate("window.clicks || []")) < count:
                mouse.go_on(rest=0.0)
            times = found.browser.evaluate("window.clicks")
            first = _first_picture(found, table)
            outcome.done += len(times)
            notes.append(
                f"{game}: median {median(times):.0f} ms of {len(times)}, first picture {first:.2f} s"
            )
            if median(times) > most:
                outcome.failure(f"{game}: a click takes {median(times):.0f} ms to its picture")
            if first > FIRST_PICTURE:
                outcome.failure(f"{game}: the first picture takes {first:.2f} s")
            found.house.hall.close_table(table)
    outcome.note = "; ".join(notes)
    return outcome


def _first_picture(found: Desk, table: Any) -> float:
    """From the address to a drawn look, when the house has shown it before."""
    found.browser.open("about:blank")
    begun = time.monotonic()
    found.browser.open(found.house.link(table, table.seating.host.token))
    found.browser.wait(
        "Boolean(window.current && window.current.look && document.querySelector('#stage svg'))"
    )
    return time.monotonic() - begun


def access(count: int) -> Outcome:
    """axe-core over the list, a set-up and so many games and panes, light and dark: nothing serious."""
    outcome = Outcome()
    script = axe()
    with desk() as found:
        if found is None or script is None:
            outcome.note, outcome.done = (
                NO_BROWSER if found is None else "npm does not bring axe-core here",
                1,
            )
            return outcome
        games = ["tutorial/skirmish", *(name for name in shipped_games() if name != "tutorial/skirmish")][
            :count
        ]
        for dark in (False, True):
            found.browser.size(1280, 860, dark)
            for where, faults in _looked_over(found, script, games):
                outcome.done += 1
                for fault in faults:
                    outcome.failure(f"{where}{', dark' if dark else ''}: {fault}")
    outcome.note = "pages and panes with nothing critical or serious"
    return outcome


AXE = """axe.run(document, {resultTypes: ["violations"]}).then((found) => JSON.stringify(found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id} (${one.impact}) ${one.nodes.length} times: ${one.nodes[0].html.slice(0, 99)}`)))"""
PANES = ("current.panes.help()", "current.panes.contents()", "current.panes.seats()",
         "current.panes.show('talk')",
         "current.openMenu({ clientX: 300, clientY: 60 })")  # fmt: skip


def _looked_over(found: Desk, script: str, games: list[str]) -> Iterator[tuple[str, list[str]]]:
    browser, house = found.browser, found.house

    def faults() -> list[str]:
        browser.evaluate(f"{script}; 0")
        told: list[str] = json.loads(browser.evaluate(AXE))
        return told

    browser.open("about:blank")
    browser.open(f"{house.address}#key={house.hall.key}")
    browser.wait("document.querySelector('.card:not(.kept)') !== null")
    yield "the list", faults()
    browser.evaluate("document.querySelector('.card:not(.kept)').click()")
    browser.wait("document.querySelector('form.setup') !== null")
    yield "a set-up", faults()
    for game in games:
        table = house.hall.begin(game, seats=["all=human"], by_link=True, seed="4")
        found.sit(table, table.seating.host.token)
        yield game, faults()
        for pane in PANES:
            browser.evaluate(pane)
            time.sleep(0.2)
            yield f"{game}, {pane}", faults()
        house.hall.close_table(table)


def axe() -> str | None:
    """The script of axe-core, brought by npm into a folder that is kept."""
    place = Path(tempfile.gettempdir()) / "rulesdsl-axe"
    script = place / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists() and (npm := shutil.which("npm")):
        place.mkdir(exist_ok=True)
        subprocess.run(
            [npm, "install", "--prefix", str(place), "--no-audit", "--no-fund", "--silent", "axe-core"],
            check=False, capture_output=True, timeout=120,
        )  # fmt: skip
    return script.read_text(encoding="utf-8") if script.exists() else None


def clicked_turn(count: int) -> Outcome:
    """A turn of Race for Berlin that was recorded act by act, clicked: so few clicks and drags are enough
    for one side."""
    outcome = Outcome()
    with desk() as found:
        if found is None:
            outcome.note, outcome.done = NO_BROWSER, 1
            return outcome
        recorded = import_module("tests.acts_driver").read_recorded(
            TESTS / "testdata" / "acts" / "race_turn_1.json"
        )
        table = found.house.hall.begin(recorded.game, seats=["all=human"], by_link=True, seed=recorded.seed)
        mine = next(door for door in table.seating.doors if recorded.seat in door.seats)
        mouse, session = found.sit(table, mine.token), table.session
        acts = import_module("tests.acts_driver").sendings(recorded)
        turn = found.people.Turn(mouse, table, recorded.seat, acts)
        for who, keys, _ in recorded.done[: count or None]:
            table.settle()
            table.touch()
            if who == recorded.seat:
                turn.next()
                outcome.done += 1
                continue
            mouse.at_rest(table)
            assert session.player == who, f"{session.player} is asked, not {who}"
            with table.lock:
                for key in keys:
                    session.choose(key)
            table.touch()
        if mouse.clicks > MOST_OF_RACE:
            outcome.failure(f"{mouse.clicks} clicks for {outcome.done} acts")
        outcome.note = f"{outcome.done} acts in {mouse.clicks} clicks"
    return outcome
