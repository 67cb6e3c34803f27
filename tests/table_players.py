"""Somebody who plays at the table with a mouse: only clicks, in a real browser."""

from __future__ import annotations

import json
import time
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
        """Click on the element with this place among those that can be seen."""
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

    def decide(self) -> None:
        """One gesture: something lit on the map if there is, else an act of the list."""
        state = self.state()
        assert state is not None
        before = (state["at"], state["drafts"], state["popup"], state["chosen"])
        lit = state["lit"]
        done = False
        if state["popup"]:
            found = self.browser.evaluate(CLICKABLE % json.dumps("#popup button.lit, #popup button.act"))
            done = bool(found) and self.on(
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
        found = self.browser.evaluate(CLICKABLE % json.dumps(selector))
        assert found, "nothing can be clicked"
        self.on(selector, self.rng.randrange(len(found)))
