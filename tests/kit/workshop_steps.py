"""The steps of a page of the documents, taken in the workshop: what is bold is pressed, what is slanted is
looked for, what is a file of the page is written."""

from __future__ import annotations

import json
import re

from tests.kit.chromium import Browser
from tests.kit.table_players import Mouse

LIST = re.compile(r"^\d+\. (.*?)(?=^\d+\. |\n\n|\Z)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"\*\*(?P<press>[^*]+)\*\*|(?<!\*)\*(?P<find>[^*]+)\*(?!\*)|`(?P<write>[\w/]+\.md)`")
UNDER = re.compile(r"under (?P<number>[\w.]+[\w])")
BUTTONS = "button, summary, a.button"
# the button with these words; the one of a paragraph, if the step names it
MARK = """(() => { const words = %s, within = %s;
  const root = within ? document.getElementById(within) : document;
  for (const old of document.querySelectorAll("[data-step]")) old.removeAttribute("data-step");
  const found = root && [...root.querySelectorAll("%s")].find((n) => n.offsetParent !== null && !n.disabled
    && (n.querySelector("strong")?.innerText ?? n.firstChild.textContent).trim() === words);
  if (found) found.setAttribute("data-step", ""); return Boolean(found); })()"""


def take_steps(browser: Browser, mouse: Mouse, section: str, files: dict[str, str]) -> list[str]:
    """Every step of the numbered list of a section; what was done, in order."""
    done: list[str] = []
    for step in LIST.findall(section):
        under = UNDER.search(step)
        for found in STEP.finditer(step):
            if words := found["find"]:
                browser.wait("Boolean(window.bench && window.bench.ready)")
                mouse.on("#find")
                browser.evaluate("document.getElementById('find').select()")
                browser.type(words)
            elif name := found["write"]:
                mouse.on("#editor textarea")
                browser.evaluate("document.getElementById('text').select()")
                browser.type(files[name])
                browser.wait(f"bench.text === {json.dumps(files[name])}")
                browser.wait("bench.looked && bench.looked.sound")
            else:
                words = found["press"]
                within = (
                    f"rule-{under['number']}" if under and words.startswith(("amend", "new rule")) else ""
                )
                browser.wait(MARK % (json.dumps(words), json.dumps(within), BUTTONS))
                assert mouse.on("[data-step]"), words
                if words.startswith(("amend", "new rule")):
                    browser.wait("bench.text.includes('## ')")
                if words == "Play both and compare":  # somebody watches for a moment
                    browser.wait("bench.weighing.state && bench.weighing.state.pairs > 3")
            done.append(found[0])
    return done
