"""Constructs of the language as data, `tests/cases`: rules in; representation, sentence, log, message out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.compiling.listing import code_of, stage_of
from rulesdsl import Session, check
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.handbook import Book, Facts
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.say.rules import say_rule

CASES = sorted(
    path for path in (Path(__file__).parents[1] / "cases").glob("*.md") if path.name != "README.md"
)
BLOCK = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.M | re.S)
LITTLE_GAME = {
    "map.yaml": """kind: areas
spaces:
  town:
    - {id: a, x: 0, y: 0}
    - {id: b, x: 1, y: 0}
    - {id: c, x: 2, y: 0}
borders:
  - {between: [a, b]}
  - {between: [b, c]}
""",
    "pieces.yaml": "pieces:\n  unit:\n    - {id: blue, start: a}\n    - {id: green, start: b}\n",
    "game.yaml": """game: little
title: Little
players:
  - {id: red, name: Red}
  - {id: white, name: White}
""",
}
COMPONENTS = "space town\npiece unit\n"


def little_game(home: Path, rules: str) -> Path:
    """A directory with these rules; what a case does not declare is declared for it."""
    (home / "rules").mkdir(parents=True)
    for name, text in LITTLE_GAME.items():
        (home / name).write_text(text, encoding="utf-8")
    declared = "".join(line + "\n" for line in COMPONENTS.splitlines() if line not in rules)
    text = f"# Little\n\n## 1 The case\n```rules\n{declared}{rules}```\n"
    (home / "rules/1.md").write_text(text, encoding="utf-8")
    return home


def played(home: Path) -> str:
    session = Session.start(home, seed=1)
    while not session.over:
        session.choose(session.options[0])
    return "".join(f"{entry.text}\n" for entry in session.log)


def lowered(home: Path, name: str) -> str:
    ruleset = Session.start(home, seed=1).ruleset
    return "\n".join(stage_of(one, "ir") for one in code_of(ruleset, "fast", name)) + "\n"


def sentences(home: Path) -> str:
    game = Session.start(home, seed=1).game
    book = Book(game.source, game.program, Facts())
    rules = [rule for chapter in game.source.chapters for p in chapter.paragraphs for rule in p.rules]
    said = [say_rule(book.speaker, rule) for rule in rules[len(COMPONENTS.splitlines()) :]]
    return "".join(line + "\n" for item in said for line in _lines(item, ""))


def _lines(item: Item, indent: str) -> Iterator[str]:
    yield indent + plain(item.text)
    for inside in item.inside:
        yield from _lines(inside, indent + "    ")


def told(problem: Diagnostic) -> str:
    help_ = f" ({problem.help})" if problem.help else ""
    return f"{problem.code}: {problem.message}{help_}\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_construct_from_its_rules_to_its_message(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rules, wrong, answers = "", "", []
    for number, block in enumerate(BLOCK.finditer(text)):
        kind, name, body = block[1], block[2] or "", block[3]
        home = tmp_path / str(number) / "little"
        match kind:
            case "rules":
                rules, found = body, body
            case "wrong":
                wrong, found = body, body
            case "ir":
                found = lowered(little_game(home, rules), name)
            case "sentence":
                found = sentences(little_game(home, rules))
            case "log":
                found = played(little_game(home, rules))
            case "message":
                found = "".join(map(told, check(little_game(home, wrong))))
            case _:
                pytest.fail(f"{path.name}: a block of no kind: {kind}")
        answers.append((block, found))
    made = text
    for block, found in reversed(answers):
        made = made[: block.start(3)] + found + made[block.end(3) :]
    if os.environ.get("RULESDSL_CASES") == "write":
        path.write_text(made, encoding="utf-8")
    assert answers
    assert made == text
