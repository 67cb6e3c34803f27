"""Somebody who plays at the table with a mouse: only clicks, in a real browser."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from chromium import Browser

STATE = """(() => { const t = window.current; const l = t && t.look; return l ? {
  at: l.at, over: l.over, busy: t.busy, seat: l.seat, mine: l.asked.mine, offer: Boolean(t.offer),
  lit: t.lit ? [...t.lit.keys()] : [], curtain: !document.getElementById("curtain").hidden,
  popup: !document.getElementById("popup").hidden, drafts: t.draft.join(" "),
  chosen: t.chosen } : null; })()"""
WHERE = """(() => { const wanted = %s; window.current.board.reveal([wanted]);
  const all = [...document.querySelectorAll("#board [data-thing]")];
  for (const node of all.filter((n) => n.dataset.thing === wanted).reverse()) {
    const r = node.getBoundingClientRect();
    for (const [a, b] of [[.5, .5], [.25, .75], [.15, .85], [.5, .8], [.5, .2], [.8, .5], [.2, .5]]) {
      const x = r.x + r.width * a, y = r.y + r.height * b, top = document.elementFromPoint(x, y);
      const hit = top && top.closest("[data-thing]");
      if (hit && hit.dataset.thing === wanted) return { x, y }; } }
  return null; })()"""
CLICKABLE = """[...document.querySelectorAll(%s)].filter((n) => n.offsetParent !== null && !n.disabled)
  .map((n) => { n.scrollIntoView({ block: "nearest" }); const r = n.getBoundingClientRect();
    return { x: r.x + r.width / 2, y: r.y + r.height / 2, text: n.innerText }; })"""

# The same for one element, and a word for whether it was hit (another page has no such word).
AIM = """(() => { const all = [...document.querySelectorAll(%s)];
  const node = all.filter((n) => n.offsetParent !== null && !n.disabled)[%d];
  if (!node) return null;
  window.missed = true;
  node.addEventListener("click", () => { window.missed = false; }, { capture: true, once: true });
  node.scrollIntoView({ block: "nearest" }); const r = node.getBoundingClientRect();
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()"""

NEXT = """(() => { const keys = %s, same = (a, b) => a.every((key, i) => key === b[i]);
  const show = (node) => { node.scrollIntoView({ block: "nearest" }); const r = node.getBoundingClientRect();
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; };
  const t = window.current, list = document.getElementById("ask");
  if (t.draft.length === keys.length && t.offer.complete) return show(list.querySelector("[data-act=do]"));
  const fit = t.offer.acts.filter((a) => a.keys.length <= keys.length && a.keys.length > t.draft.length &&
  same(a.keys, keys));
  fit.sort((a, b) => b.keys.length - a.keys.length);
  for (const act of fit) {
    const node = [...list.querySelectorAll("[data-act]")].find((n) => n.dataset.act === act.id);
    if (node) return show(node); }
  return null; })()"""


MISSED = 5  # times somebody tries again
LOOKING = 20.0  # seconds somebody looks for a button on a slow machine


class Mouse:
    """One person at one page."""

    def __init__(self, browser: Browser, seed: int = 1) -> None:
        self.browser, self.rng = browser, Random(seed)
        self.clicks = 0

    def state(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.browser.evaluate(STATE)
        return found

    def press(self, x: float, y: float, button: str = "left") -> None:
        self.clicks += 1
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def on(self, selector: str, number: int = 0) -> bool:
        """Click on the element with this place among those that can be seen; somebody looks for it for a
        while before they say that it is not there."""
        until = time.monotonic() + LOOKING
        while len(found := self.browser.evaluate(CLICKABLE % json.dumps(selector))) <= number:
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        for _ in range(MISSED):  # whatever moved away under the hand is clicked again
            found = self.browser.evaluate(AIM % (json.dumps(selector), number))
            if found is None:
                return False
            self.press(found["x"], found["y"])
            if self.browser.evaluate("window.missed !== true"):
                return True
            time.sleep(0.1)
        return False

    def at_once(self, selector: str, number: int = 0) -> bool:
        """The same, if it can be seen just now."""
        found = self.browser.evaluate(CLICKABLE % json.dumps(selector))
        if len(found) <= number:
            return False
        self.press(found[number]["x"], found[number]["y"])
        return True

    def thing(self, thing: str, button: str = "left") -> bool:
        """Click on a piece or a space of the map, if any part of it can be hit."""
        place = self.browser.evaluate(WHERE % json.dumps(thing))
        if place is None:
            return False
        self.press(place["x"], place["y"], button)
        return True

    def wait(self, condition: str) -> None:
        self.browser.wait(condition)

    def go_on(self, rest: float = 0.0) -> None:
        """Whatever is to be done now: wait, pass the curtain, decide; or, with this chance, leave the rest
        of this
        part of the game to the computer."""
        state = self.state()
        if state is None or state["busy"] or not state["offer"]:
            if state is not None and state["curtain"]:
                self.at_once("#curtain button")
            time.sleep(0.03)
            return
        if rest and self.rng.random() < rest and self.at_once("#ask .rest"):
            self.wait("!current.busy")
            return
        self.decide()

    def do(self, keys: Sequence[str], table: Any) -> None:
        """One act by as few clicks as the page needs: its button in the list, or what it is begun with and
        so on."""
        wanted = list(keys)
        self.browser.wait(
            f"current.look !== null && current.look.at === {self._now(table)} && current.offer !== null"
        )
        before = len(table.session.history)
        while len(table.session.history) == before:
            found = self.browser.evaluate(NEXT % json.dumps(wanted))
            assert found, f"nothing in the list leads to {wanted}"
            draft = self.browser.evaluate("current.draft.join(' ')")
            self.press(found["x"], found["y"])
            self.browser.wait(
                f"!current.busy && (current.draft.join(' ') !== {json.dumps(draft)}"
                f" || current.look.at > {self._seen})"
            )

    def _now(self, table: Any) -> int:
        door = next(d for d in table.seating.doors if table.session.player in d.seats)
        self._seen = int(table.shown(door, table.session.player)["at"])
        return self._seen

    def decide(self) -> None:
        """One gesture: something lit on the map if there is, else an act of the list."""
        state = self.state()
        if state is None:  # somebody else is just sitting down
            return
        before = (state["at"], state["drafts"], state["popup"], state["chosen"])
        lit = state["lit"]
        done = False
        if state["popup"]:
            found = self.browser.evaluate(CLICKABLE % json.dumps("#popup button.lit, #popup button.act"))
            done = bool(found) and self.at_once(
                "#popup button.lit, #popup button.act", self.rng.randrange(len(found))
            )
        elif lit and self.rng.random() < 0.8:
            done = self.thing(self.rng.choice(lit))
        if not done:
            self.out_of_the_list()
        until = time.monotonic() + 4
        while time.monotonic() < until:
            now = self.state()
            if now is None or (
                not now["busy"] and (now["at"], now["drafts"], now["popup"], now["chosen"]) != before
            ):
                return
            time.sleep(0.02)
        self.out_of_the_list()  # a counter under another one: the list has it, too

    def out_of_the_list(self) -> None:
        selector = "#ask .ways .act, #ask .draft .primary, #ask .acts .act"
        for _ in range(50):  # the list may still be on its way to the screen
            found = self.browser.evaluate(CLICKABLE % json.dumps(selector))
            if not found and self.browser.evaluate("current.look === null || current.offer === null"):
                return  # it is somebody else's turn by now
            if found:
                break
            time.sleep(0.1)
        assert found, "nothing can be clicked"
        self.on(selector, self.rng.randrange(len(found)))
