"""A guided first turn: a game may bring `guide.yaml`, and the table says the right word at a question.

    title: Your first turn
    seats: [zhukov=human, konev=greedy]
    seed: "1945"
    steps:
      - {at: "3.2.1", title: Support, text: …, things: ["space:seelow"]}
      - {at: "4.1.3", asks: activate, title: …, text: …, typed: what is said in a terminal}

A step belongs to the next question that its paragraph (`at`) asks, with the words `asks` in it if it names
some. Nothing is remembered: which step is due follows from the decisions the guided seat has taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter.playing.moments import Prompt
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import find_game
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml.file import load_yaml
from rulesdsl.book.yaml.schema import schema_problems

FILE = "guide.yaml"
SKIPPED = 4  # steps whose question need not come


@dataclass(frozen=True, slots=True)
class Step:
    """What is said at a question of a paragraph."""

    at: str
    title: str
    text: str
    asks: str = ""
    things: tuple[str, ...] = ()
    typed: str = ""  # said instead where one types and does not click


@dataclass(frozen=True, slots=True)
class Guide:
    """`seats` and `seed` are those of the game it speaks of."""

    title: str
    seats: tuple[str, ...]
    seed: str
    scenario: str | None
    steps: tuple[Step, ...]


@lru_cache(maxsize=32)
def guide_of(game: str) -> Guide | None:
    """The guide that comes with a game; None when there is none."""
    path = find_game(game) / FILE
    return read_guide(path) if path.is_file() else None


def read_guide(path: Path) -> Guide:
    """Raises `UsageError` with the place of the first mistake."""
    doc = load_yaml(read_source(path, DEFAULT.yaml_file_bytes))
    problems = schema_problems(doc, "guide")
    if problems:
        raise UsageError(f"{path}: {problems[0].message}")
    told: Any = doc.value
    steps = tuple(
        Step(str(step["at"]), step["title"], step["text"].strip(), step.get("asks", ""),
             tuple(step.get("things", ())), step.get("typed", "").strip())
        for step in told["steps"]
    )  # fmt: skip
    return Guide(told["title"], tuple(told["seats"]), str(told["seed"]), told.get("scenario"), steps)


def guide_for(session: Session) -> Guide | None:
    """The guide of a game that was begun as it wants: by its seed one can tell."""
    try:
        guide = guide_of(str(session.facts["game"]))
    except UsageError:  # a game that is not here any more, or a guide with a mistake
        return None
    begun = guide is not None and session.facts["seed"] == guide.seed and not session.game.house
    return guide if begun else None


def word_now(guide: Guide, session: Session, seat: str | None, typed: bool = False) -> dict[str, Any] | None:
    """What is said to a seat now: the step of the question it is asked, else the last one it came to;
    `typed`: to somebody at a terminal."""
    if seat is None or session.over:
        return None
    due, last = 0, -1
    for moment in session.history:
        if moment.who == seat and moment.had_a_choice and due < len(guide.steps):
            then = Session(session.game, session.ruleset, moment.machine, session.facts)
            found = _step(guide, due, then.prompt)
            if found is not None:
                last, due = found, found + 1
    if due >= len(guide.steps):
        return None
    found = _step(guide, due, session.prompt) if session.player == seat else None
    shown = last if found is None else found
    return _said(guide, shown, typed) if shown >= 0 else None


def _step(guide: Guide, due: int, asked: Prompt | None) -> int | None:
    """The step of a question: the next one, or one of those after it when its question did not come."""
    for number in range(due, min(due + SKIPPED, len(guide.steps))):
        if asked is not None and _fits(guide.steps[number], asked.paragraph, asked.text):
            return number
    return None


def _fits(step: Step, paragraph: str, text: str) -> bool:
    return step.at == paragraph and step.asks.casefold() in text.casefold()


def _said(guide: Guide, number: int, typed: bool) -> dict[str, Any]:
    step = guide.steps[number]
    text = step.typed if typed and step.typed else step.text
    return {"title": step.title, "text": text, "step": number + 1, "steps": len(guide.steps),
            "things": list(step.things), "rule": step.at}  # fmt: skip
