"""docs/language.md is a rulebook: it checks without a word, plays, and its examples hold."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game, finish_game
from rulesdsl.base.diagnostics import render
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game
from rulesdsl.book.map.game_map import build_map
from rulesdsl.book.pieces import build_pieces
from rulesdsl.book.scenario import build_scenario
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.yaml.file import load_yaml

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "testdata" / "language"
PAGE = ROOT / "docs" / "language.md"


@pytest.fixture(scope="module")
def game() -> Game:
    files = [SourceFile(p, p.read_text(encoding="utf-8")) for p in sorted(DATA.rglob("*.yaml"))]
    text = PAGE.read_text(encoding="utf-8")
    files.append(SourceFile(DATA / "rules" / "language.md", text, "docs/language.md"))
    shown = re.findall(r"^````markdown\n(.*?)^````$", text, re.MULTILINE | re.DOTALL)
    (opponent,) = (found for found in shown if "## opponent" in found)
    files.append(SourceFile(DATA / "opponent.md", opponent, "docs/language.md"))
    source, problems = assemble_game(DATA, files)
    assert source is not None
    game = finish_game(source, problems)
    assert not game.warnings, "\n".join(render(p) for p in game.warnings)
    return game


def test_examples_hold(game: Game) -> None:
    results = run_examples(game)
    assert len(results) >= 5
    assert not [(r.rule, r.problems) for r in results if not r.passed]


def test_it_plays_to_the_end(game: Game) -> None:
    ruleset = game.ruleset({}, game.scenario())
    for seed in range(30):
        rng = random.Random(seed)
        machine = ruleset.new_machine(game.scenario(), str(seed), traced=True)
        machine.begin("game")
        while machine.pending is not None:
            machine.choose(machine.pending.at_random(rng))
        assert machine.outcome is not None


def test_every_error_code_is_documented() -> None:
    """A stable code that an author meets can be looked up."""
    page = PAGE.read_text(encoding="utf-8")
    codes: set[str] = set()
    for path in (ROOT / "rulesdsl").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        codes |= set(re.findall(r'(?:problem|Diagnostic|report|refuse)\(\s*"([a-z]+(?:-[a-z0-9]+)+)"', text))
    missing = sorted(code for code in codes if f"`{code}`" not in page)
    assert not missing


BUILDERS = {"map": build_map, "pieces": build_pieces, "table": build_table, "scenario": build_scenario}


def test_the_data_files_on_the_page_are_read_without_a_problem() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"```yaml file=(\w+)\.yaml\n(.*?)```", page, re.DOTALL)
    assert {kind for kind, _ in found} == set(BUILDERS)
    for kind, text in found:
        value, problems = BUILDERS[kind](load_yaml(SourceFile(Path(f"{kind}.yaml"), text)))
        assert value is not None
        assert not [render(p) for p in problems]
