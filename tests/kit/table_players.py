"""Somebody who plays at the table with a mouse: only clicks, in a real browser."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from interpreter.acts.orders import orders
from tests.acts_driver import Sent, places
from tests.kit.chromium import Browser

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


TAKEN = "window.current.orders.taken(%s, %s)"
SETTLED = """(() => { const t = window.current;
  return Boolean(t && t.look && !t.busy && !t.orders.going && (t.offer || !t.look.asked.mine)); })()"""


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
            assert found, f"nothing in the list leads to {wanted}: {table.session.prompt}"
            draft = self.browser.evaluate("current.draft.join(' ')")
            self.press(found["x"], found["y"])
            self.browser.wait(
                f"!current.busy && (current.draft.join(' ') !== {json.dumps(draft)}"
                f" || current.look.at > {self._seen})"
            )

    def drag(self, piece: str, place: str, held: str = "") -> bool:
        """Take a counter with its pile, alone (Shift) or with all of its space (Ctrl), and put it somewhere:
        one gesture."""
        there = self.browser.evaluate(WHERE % json.dumps(place))
        here = self.browser.evaluate(WHERE % json.dumps(piece))
        if here is None or there is None or self.browser.evaluate(WHERE % json.dumps(place)) != there:
            return False
        self.clicks += 1
        modifiers = {"": 0, "shift": 8, "ctrl": 2}[held]
        between = {axis: (here[axis] + there[axis]) / 2 for axis in ("x", "y")}
        steps = [("mousePressed", here, 1), ("mouseMoved", between, 1),
                 ("mouseMoved", there, 1), ("mouseReleased", there, 0)]  # fmt: skip
        for kind, at, pressed in steps:
            self.browser.call(
                "Input.dispatchMouseEvent", type=kind, x=at["x"], y=at["y"], button="left", buttons=pressed,
                clickCount=1, modifiers=modifiers,
            )  # fmt: skip
        return True

    def takes(self, piece: str, held: str = "") -> set[str]:
        """The counters that would be in the hand."""
        keys = json.dumps({f"{held}Key": True} if held else {})
        return set(self.browser.evaluate(TAKEN % (json.dumps(piece), keys)))

    def at_rest(self, table: Any, quiet: float = 0.15) -> None:
        """Until the page has done what it was told, orders that wait included, and all is quiet."""
        until, since, seen = time.monotonic() + LOOKING, time.monotonic(), -1
        while time.monotonic() < until:
            now = len(table.session.history)
            if now != seen or not self.browser.evaluate(SETTLED):
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > quiet:
                return
            time.sleep(0.03)

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


class Turn:
    """A recorded turn, played with as few gestures as somebody at the table needs: stacks are dragged where
    they go in the end, everything else is clicked."""

    def __init__(self, mouse: Mouse, table: Any, seat: str, acts: Sequence[Sent]) -> None:
        self.mouse, self.table, self.seat, self.acts = mouse, table, seat, acts
        self.number = 0  # of the next act
        self._ordered: set[tuple[str, str]] = set()  # by a drag that was part of an earlier act
        self._activated: set[str] = set()

    def next(self) -> None:
        """The next act, if it was not part of a gesture before."""
        act, mouse = self.acts[self.number], self.mouse
        after = self.acts[self.number + 1] if self.number + 1 < len(self.acts) else None
        self.number += 1
        mouse.at_rest(self.table)
        if not self._ordered:
            now = places(self.table.session)
            moved = {piece: place for piece, place in now.items() if act.places[piece] != place}
            assert not moved, f"elsewhere than they were recorded: {moved}"
        if act.units:
            if self.number == 1 or not self.acts[self.number - 2].units:
                self._order([act, *self._series()])
            left = [unit for unit in act.units if unit not in self._activated]
            if left:
                mouse.do(act.keys_of(left), self.table)
                self._activated |= set(left)
            return
        self._activated.clear()
        first = f"piece:{act.keys[0]}"
        chosen = {first: after.sent[first]} if len(act.keys) == 1 and after and first in after.sent else {}
        goes = set(act.sent.items() or chosen.items())
        if goes and goes <= self._ordered:
            self._ordered -= goes if act.sent else set()
        elif len(goes) != 1 or not self._drag([next(iter(goes))[0]], next(iter(goes))[1], act.keys):
            mouse.do(act.keys, self.table)

    def _series(self) -> list[Sent]:
        """The activations that follow at once."""
        found = []
        for act in self.acts[self.number :]:
            if not act.units:
                break
            found.append(act)
        return found

    def _order(self, acts: Sequence[Sent]) -> None:
        """Whole stacks to where they go, in the order in which they will go there."""
        groups: dict[str, list[tuple[int, str]]] = {}
        for act in acts:
            for unit, to in act.sent.items():
                groups.setdefault(to, []).append((act.when[unit], unit))
        for to, units in sorted(groups.items(), key=lambda one: min(one[1])):
            group = [unit for _, unit in sorted(units)]
            keys = tuple(key for act in acts for key in act.keys_of(group))
            if self._drag(group, to, keys):
                self._activated |= set(group)

    def _drag(self, pieces: list[str], to: str, keys: Sequence[str]) -> bool:
        """By one gesture, where that means exactly these keys; by two, where the mode must be said."""
        mouse, before = self.mouse, len(self.table.session.history)
        here = places(self.table.session)
        if any(f"space:{here[piece.removeprefix('piece:')]}" == to for piece in pieces):
            return False  # round and back: nobody drags a stack onto itself
        with self.table.lock:
            found = orders(self.table.session, self.seat, pieces, to)
        wanted = [
            n for n, o in enumerate(found) if set(o.pieces) == set(pieces) and sorted(o.keys) == sorted(keys)
        ]
        if len(wanted) != 1:
            return False
        pile = self.mouse.browser.evaluate(f"current.pileOf({json.dumps(pieces[0])}) || []")
        hands = [
            (one, how)
            for how in ("", "shift", "ctrl")
            for one in pile
            if mouse.takes(one, how) == set(pieces)
        ]
        if not any(mouse.drag(one, to, how) for one, how in hands):
            return False
        if len(found) > 1:
            mouse.wait("!document.getElementById('popup').hidden")
            mouse.on("#popup button.act", wanted[0])
        if found[wanted[0]].later:
            self._ordered |= {(piece, to) for piece in pieces}
        mouse.at_rest(self.table)
        assert len(self.table.session.history) > before, f"nothing came of {pieces} to {to}"
        return True
