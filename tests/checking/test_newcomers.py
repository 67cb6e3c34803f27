"""Mistakes a newcomer makes, each told once, with its code, where it was made: nothing passes in silence.

The game was written from docs/language.md alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from rulesdsl.pipeline.workspace import Workspace

HUNT = Path(__file__).parents[1] / "testdata" / "games" / "hunt"
RULES = "rules/01_hunt.md"
SCENARIO = "scenarios/morning.yaml"
TABLE = "tables/scent.yaml"

MISTAKES = [
    (SCENARIO, "attribute: round", "attribute: rund", "unknown-name"),
    (SCENARIO, "value: 1", "value: 99", "bad-value"),
    (SCENARIO, "of: game", "of: gaem", "unknown-name"),
    (SCENARIO, "of: game", "of: reynard", "unknown-name"),
    (SCENARIO, "of: game, attribute: round", "of: reynard, attribute: speed", "printed-value"),
    (SCENARIO, "title: Morning", "options: {long_hnt: true}", "unknown-name"),
    (SCENARIO, "title: Morning", "options: {long_hunt: maybe}", "bad-value"),
    (SCENARIO, "title: Morning", 'setup: {"0909": [reynard]}', "unknown-space"),
    (SCENARIO, "title: Morning", 'setup: {"0101": [renard]}', "unknown-piece"),
    ("pieces.yaml", 'start: "0305"', 'start: "0909"', "unknown-space"),
    ("pieces.yaml", "owner: fox", "owner: fx", "bad-value"),
    ("game.yaml", "scenario: morning", "scenario: evening", "unknown-scenario"),
    (SCENARIO, "title: Morning", "titel: Morning", "unknown-key"),
    (TABLE, "table: scent", "colour: red\ntable: scent", "unknown-key"),
    (TABLE, '"1-3"', '"1-4"', "table-overlap"),
    (RULES, "enum terrain: field, woods", "enum terrain: field, woods, field", "duplicate-name"),
    (RULES, "define woods_at(hex) =", "define woods_at(hex, hex) =", "duplicate-name"),
    (RULES, "track round", "record r\n    a: number\n    a: number\ntrack round", "duplicate-name"),
    (RULES, "track round", "record r\n    a: number\nrecord r\n    b: number\ntrack round", "duplicate-name"),
    (RULES, "option long_hunt", 'reading x: a (default), a "why"\noption long_hunt', "duplicate-name"),
    (RULES, "track round", "define min(hex) = 1\ntrack round", "duplicate-name"),
    (RULES, "track round: 1 to 12 = 1", "track round: 1 to 12 = 40", "out-of-range"),
    (RULES, "track round: 1 to 12 = 1", "track round: 12 to 1 = 1", "out-of-range"),
    (RULES, "add 1 to round", "set round to 99", "out-of-range"),
    (RULES, "add 1 to round", "let round = round + 1", "hides-track"),
    (RULES, "option long_hunt", 'parameter round = 3 "why"\noption long_hunt', "duplicate-name"),
    (RULES, "option long_hunt", "define round = 3\noption long_hunt", "duplicate-name"),
    (RULES, "## 3 Running", "## 2 Running", "duplicate-paragraph"),
    (RULES, '.owner is animal.owner "one', '.owner is animal.owner despite 9 "one', "unknown-paragraph"),
    (RULES, "roll 1d6 as die", "roll 1d10 as die", "table-gap"),
    (RULES, '"to {hex}"', '"to {hx}"', "unknown-name"),
    (RULES, '"where {animal} goes"', '"where {anmal} goes"', "unknown-name"),
    (RULES, "if found.found:", "do one_round\n    if found.found:", "recursion"),
    (RULES, "= hex.terrain is woods", "= woods_at(hex)", "recursion"),
    (RULES, "repeat at most 12 times:", "repeat:", "syntax"),
    (RULES, "repeat at most 12 times:", "while round < 12:", "syntax"),
    (RULES, "if round >= 8", "if round == 8", "syntax"),
    (RULES, "fox wins", "reynard wins", "type-mismatch"),
    (RULES, "add 1 to round", "set reynard.speed to 3", "printed-value"),
    (RULES, "given scenario morning", "given scenario evening", "unknown-scenario"),
]


def test_the_game_is_right_as_it_stands() -> None:
    assert not Workspace(HUNT).problems()
    assert [result.problems for result in run_examples(open_game(HUNT))] == [()]


@pytest.mark.parametrize(("name", "old", "new", "code"), MISTAKES)
def test_a_mistake_is_told_once_where_it_was_made(name: str, old: str, new: str, code: str) -> None:
    workspace = Workspace(HUNT)
    path = HUNT / name
    text = workspace.text(path)
    assert old in text
    workspace.edit(path, text.replace(old, new, 1))
    found = [p for p in workspace.problems() if p.code != "unused"]  # what the mistake adds may be unused
    assert [p.code for p in found] == [code]
    place = found[0].span
    changed = text[: text.index(old)].count("\n") + 1
    assert changed <= place.line <= changed + new.count("\n") or code in (
        "table-gap",
        "table-overlap",
        "recursion",
    )
    assert place.file.path in (path, HUNT / RULES)
