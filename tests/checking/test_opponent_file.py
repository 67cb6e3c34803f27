"""`opponent.md`: what the computer opponent reckons stands apart, and nothing in the rules depends on it."""

from __future__ import annotations

import shutil
from collections import OrderedDict
from pathlib import Path

import pytest

from interpreter.agents.sight import declares_value
from interpreter.keeping import carried_rules as carried
from interpreter.keeping.saves import load, save
from interpreter.measuring.examples import run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import Diagnostic, errors
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.handbook import Book, Facts, html_files
from rulesdsl.house.applying import apply_house_files
from rulesdsl.house.differences.rule_diff import diff_rules
from rulesdsl.pipeline.workspace import Workspace
from tests.kit.command_line import run

SKIRMISH = "tutorial/skirmish"
FILE = "opponent.md"


@pytest.fixture
def skirmish(tmp_path: Path) -> Path:
    """A copy that can be spoiled."""
    return Path(shutil.copytree(data_dir("games") / SKIRMISH, tmp_path / "skirmish"))


def problems_of(game: Path) -> list[Diagnostic]:
    source, problems = load_game(game)
    assert source is not None
    return [*problems, *check(source)[1]]


def with_opponent(name: str) -> bool:
    return (data_dir("games") / name / FILE).exists()


WITH_OPPONENT = [name for name in sorted(shipped_games()) if with_opponent(name)]


@pytest.mark.parametrize("name", WITH_OPPONENT)
def test_the_rules_are_whole_without_it(name: str, tmp_path: Path) -> None:
    """Nothing is missed without the file, and the opponent has no opinion."""
    game = open_game(data_dir("games") / name)
    assert declares_value(game.ruleset({}, game.scenario()))
    alone = Path(shutil.copytree(data_dir("games") / name, tmp_path / Path(name).name))
    (alone / FILE).unlink()
    source, problems = load_game(alone)
    assert source is not None
    program, found = check(source)
    assert [*problems, *found] == []
    assert program is not None
    assert set(game.program.paragraphs) - set(program.paragraphs) == {"opponent"}
    assert "value" not in program.quantities


@pytest.mark.parametrize("name", WITH_OPPONENT)
def test_ledger_and_handbook_leave_it_out(name: str) -> None:
    game = open_game(data_dir("games") / name)
    assert "opponent" in game.program.paragraphs
    assert all(not row["id"].startswith("opponent") for row in ledger(game)["paragraphs"])
    book = Book(game.source, game.program, Facts())
    assert "opponent" not in book.program.paragraphs
    assert "value" not in book.program.quantities
    pages = html_files(book)
    assert not [page for page, text in pages.items() if "rule-opponent" in text or "programs need" in text]


WRONG = [
    (FILE, "## opponent What", "## 7.3 What", "opponent-place"),
    ("rules/04_mist_and_victory.md", "### 7.2 Annihilation", "### opponent 3 Annihilation", "opponent-place"),
    (FILE, "define army", "track doubts: number = 0\ndefine army", "opponent-rule"),
    (FILE, "define army", "forbid attack when turn > 90\ndefine army", "opponent-rule"),
    (FILE, "define army", 'modify combat.die\n    +1 when turn = 1 "dawn"\ndefine army', "opponent-rule"),
    (FILE, "define army", "define invariant_calm = true\ndefine army", "opponent-rule"),
    (
        "rules/04_mist_and_victory.md",
        "after unit is removed when no",
        "after unit is removed when army(unit.owner) > 1 and no",
        "opponent-in-rules",
    ),
    (
        "rules/04_mist_and_victory.md",
        "### 7.2 Annihilation\n",
        "### 7.2 Annihilation\n```rules\nmodify value(player)\n    +1 when turn = 1\n```\n",
        "opponent-in-rules",
    ),
    (
        "rules/04_mist_and_victory.md",
        "### 7.2 Annihilation\n",
        "### 7.2 Annihilation\n```example\nexpect: army(red) = army(red)\n```\n",
        "opponent-in-rules",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "code"), WRONG)
def test_what_does_not_belong_is_told(skirmish: Path, file: str, old: str, new: str, code: str) -> None:
    text = (skirmish / file).read_text("utf-8")
    assert old in text
    (skirmish / file).write_text(text.replace(old, new, 1), "utf-8")
    found = [problem for problem in problems_of(skirmish) if problem.code == code]
    assert found
    assert found[0].span.file.path == skirmish / file


HOUSE = """# Bolder

Why.

## amends opponent
Strength counts double.

```rules
replace "own strength": + 2 * army(player)
modify value(player)
    +7 when turn = 1 "dawn"
```

```example
given: set turn to 1
expect: value(red) != value(blue)
```

## after opponent → opponent 2 Nerves
```rules
modify value(player)
    -1 when turn = 2 "nerves"
```
"""


def test_a_house_rule_amends_it_and_the_printed_rules_are_the_same() -> None:
    source, _ = load_game(data_dir("games") / SKIRMISH)
    assert source is not None
    changed, problems = apply_house_files(source, [SourceFile(Path("bolder.md"), HOUSE)])
    assert problems == []
    program, found = check(changed)
    assert errors(found) == []
    assert program is not None
    assert {one.id for one in diff_rules(source, changed).paragraphs} == {"opponent", "opponent 2"}
    labels = [part.label for part in program.quantities["value"].changes]
    assert {"dawn", "nerves"} <= set(labels)
    pages = html_files(Book(changed, program, Facts()))
    assert not [page for page, text in pages.items() if "rule-opponent" in text]
    assert "Nothing is different from the printed rules" in pages["changes.html"]


def test_a_new_paragraph_of_the_opponent_joins_no_ledger() -> None:
    source, _ = load_game(data_dir("games") / "race_for_berlin")
    assert source is not None
    assert source.game.paragraphs is not None
    rules = "```rules\nmodify value(player)\n    -1 when turn = 2\n```\n"
    text = f"# Nerves\n\nWhy.\n\n## after opponent → opponent 2 Nerves\n{rules}"
    changed, problems = apply_house_files(source, [SourceFile(Path("nerves.md"), text)])
    assert problems == []
    assert changed.game.paragraphs == source.game.paragraphs


def test_a_save_carries_it(tmp_path: Path, skirmish: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.start(open_game(skirmish), seed=3)
    session.choose(session.options[0])
    save(session, tmp_path / "a.save")
    shutil.rmtree(skirmish)
    monkeypatch.setattr(carried, "_known", OrderedDict())  # as in another process
    monkeypatch.setattr(carried, "_installed", lambda _: None)
    again = load(tmp_path / "a.save")
    assert again.game.program.content_hash == session.game.program.content_hash
    assert declares_value(again.ruleset)


def test_an_editor_is_told_of_it(skirmish: Path) -> None:
    workspace = Workspace(skirmish)
    assert skirmish / FILE in workspace.paths
    workspace.edit(
        skirmish / FILE, "## opponent Worth\n```rules\nquantity value(player) = armee(player)\n```\n"
    )
    assert [problem.code for problem in workspace.problems()] == ["unknown-name"]
    workspace.remove(skirmish / FILE)
    assert workspace.problems() == []


def test_fmt_lays_it_out(skirmish: Path) -> None:
    text = (skirmish / FILE).read_text("utf-8")
    (skirmish / FILE).write_text(text.replace("define army(player) =", "define army(player)   ="), "utf-8")
    assert run("fmt", str(skirmish)).exit_code == 0
    assert (skirmish / FILE).read_text("utf-8") == text


def test_its_examples_are_run(skirmish: Path) -> None:
    with (skirmish / FILE).open("a") as file:
        file.write("\n```example\nexpect: army(red) = 0 - 1\n```\n")
    failed = [result for result in run_examples(open_game(skirmish)) if not result.passed]
    assert [result.paragraph for result in failed] == ["opponent"]
