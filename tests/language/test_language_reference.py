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
from rulesdsl.book.yaml.schema import read_schema, schema_problems
from rulesdsl.language.parsing.grammar import spellings
from rulesdsl.language.parsing.parser import parse_rule

ROOT = Path(__file__).parents[2]
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
    assert not [(r.paragraph, r.problems) for r in results if not r.passed]


def test_it_plays_to_the_end(game: Game) -> None:
    ruleset = game.ruleset({}, game.scenario())
    for seed in range(30):
        rng = random.Random(seed)
        machine = ruleset.new_machine(game.scenario(), str(seed), traced=True)
        machine.begin()
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


def test_the_reserved_words_are_those_of_the_page() -> None:
    """A word is reserved when no statement can be read in which it is the name of a define."""
    words = {w for forms in spellings().values() for form in forms for w in form.split()}
    nowhere = SourceFile(Path("x.md"), "")
    reserved = {
        word
        for word in words
        if re.fullmatch("[a-z]+", word)
        and parse_rule(f"define {word}(zone) = true", nowhere, 1, False)[0] is None
    }
    page = PAGE.read_text(encoding="utf-8")
    listed = page.partition("*Reserved words.*")[2].partition("`it`, `none`")[0]
    assert set(re.findall("`([a-z]+)`", listed)) == reserved


def test_the_drawing_on_the_page_has_the_form_of_a_drawing() -> None:
    page = PAGE.read_text(encoding="utf-8")
    chapter = page.partition("### 12.8")[2].partition("## 13")[0]
    (text,) = re.findall(r"```yaml\n(.*?)```", chapter, re.DOTALL)
    assert not schema_problems(load_yaml(SourceFile(Path("drawing.yaml"), text)), "drawing")
    schema = read_schema("drawing")
    assert [
        key for key in schema["properties"] if f"{key}:" not in chapter and f"`{key}`" not in chapter
    ] == ["towns", "gaps"]
