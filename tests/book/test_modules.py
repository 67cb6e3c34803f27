"""Rule modules: a game reads along what another directory says, and is told what does not fit."""

from __future__ import annotations

import shutil
from collections import OrderedDict
from pathlib import Path

import pytest

from interpreter.keeping import carried_rules as carried
from interpreter.keeping.saves import load, save
from interpreter.measuring.examples import run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import Diagnostic, errors
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.handbook import Book, Facts, html_files
from rulesdsl.house.applying import apply_house_files

SALIENT = Path(__file__).parents[1] / "testdata" / "games" / "salient"
NAMED = "modules: [east_front/aid]"


@pytest.fixture
def salient(tmp_path: Path) -> Path:
    """A copy that can be spoiled."""
    return Path(shutil.copytree(SALIENT, tmp_path / "salient"))


def change(game: Path, file: str, old: str, new: str) -> None:
    text = (game / file).read_text("utf-8")
    assert old in text
    (game / file).write_text(text.replace(old, new), "utf-8")


def problems_of(game: Path) -> list[Diagnostic]:
    source, problems = load_game(game)
    if source is None:
        return problems
    return [*problems, *check(source)[1]]


def test_a_game_with_other_words_uses_the_module_of_a_shipped_game() -> None:
    game = open_game(SALIENT)
    assert not game.warnings
    assert [result.problems for result in run_examples(game) if not result.passed] == []
    found = ledger(game)
    assert found["missing"] == []
    assert found["total"] == 20
    session = Session.start(game, seed=3)
    while not session.over:
        session.choose(session.options[0])
    assert {"11.4.3i", "16.6.6"} <= {entry.paragraph for entry in session.log}


def test_a_word_of_the_module_is_the_games_definition_even_if_a_player_has_that_name(salient: Path) -> None:
    """Finns serve a player called german; the aid asks whether units are German."""
    chapter = next((salient / "rules").glob("*.md")).relative_to(salient).as_posix()
    change(salient, "game.yaml", "id: axis", "id: german")
    change(salient, "pieces.yaml", "nation: german, arm: foot", "nation: finn, side: german, arm: foot")
    change(salient, "pieces.yaml", "nation: german, arm: tank", "nation: teuton, side: german, arm: tank")
    change(salient, "pieces.yaml", "nation: soviet", "nation: soviet, side: soviets")
    change(
        salient,
        chapter,
        "nation: german or soviet",
        "nation: teuton or finn or soviet\n    printed side: player",
    )
    change(salient, chapter, "= axis when unit is german\n    = soviets otherwise", "= unit.side")
    change(salient, chapter, "define on_map", "define german(unit) = unit is teuton\ndefine on_map")
    change(salient, chapter, "is axis", "is german")
    change(salient, chapter, "axis chooses", "german chooses")
    change(salient, chapter, "enemy_of(axis, goal)", "enemy_of(german, goal)")
    change(salient, chapter, "axis wins", "german wins")
    change(
        salient,
        chapter,
        "(it) is german, kursk) = 12",
        "(it) is german, kursk) = 12\n    least_odds(units where owner(it) is german, oboyan) = 7",
    )
    game = open_game(salient)
    assert not game.warnings
    assert [result.problems for result in run_examples(game) if not result.passed] == []


def test_what_the_game_declares_takes_the_place_of_an_optional_line_of_the_module() -> None:
    programs = [open_game(place).program for place in (SALIENT, data_dir("games") / "east_front")]
    declared = [[p.defines["militia"].paragraph for p in programs if "militia" in p.defines]]
    assert declared == [["words 1"]], "militia is a value of the bench and a default for the other game"
    own = [p.defines["minor_river"].paragraph for p in programs if "minor_river" in p.defines]
    assert own == ["1"]


def test_a_save_carries_the_module(tmp_path: Path, salient: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.start(open_game(salient), seed=3)
    session.choose(session.options[0])
    save(session, tmp_path / "a.save")
    inside = shutil.copytree(data_dir("games") / "east_front" / "aid", salient / "east_front" / "aid")
    assert open_game(salient).program.content_hash == session.game.program.content_hash
    shutil.rmtree(inside)
    shutil.rmtree(salient)
    monkeypatch.setattr(carried, "_known", OrderedDict())  # as in another process
    again = load(tmp_path / "a.save")
    assert again.machine.s == session.machine.s
    names = [again.game.source.relative_name(file) for file in again.game.source.files]
    assert "modules/east_front/aid/rules/02_overrun.md" in names


def test_a_house_rule_can_amend_a_module() -> None:
    source, _ = load_game(SALIENT)
    assert source is not None
    rule = '# Kinder\n\nWhy.\n\n## amends 16.6.6\n```rules\nreplace "forest": -3 when hex is forest\n```\n'
    changed, problems = apply_house_files(source, [SourceFile(Path("kinder.md"), rule)])
    assert errors(problems) == []
    assert errors(check(changed)[1]) == []


def test_the_handbook_has_the_chapters_of_the_module() -> None:
    game = open_game(SALIENT)
    pages = html_files(Book(game.source, game.program, Facts()))
    assert "rules-east-front-aid-02-overrun.html" in pages
    assert "rules-01-words.html" in pages


WRONG = [
    ("game.yaml", NAMED, "modules: [east_front/add]", "unknown-module"),
    ("game.yaml", NAMED, "modules: [../aid]", "wrong-text"),
    ("game.yaml", NAMED, "modules: [/etc]", "wrong-text"),
    ("rules/01_words.md", "define owner(unit)", "define master(unit)", "module-needs"),
    ("rules/01_words.md", "track sky: dry", "track heaven: dry", "module-needs"),
    ("rules/01_words.md", "procedure eliminate(unit)", "procedure lose_armour(unit)", "duplicate-name"),
    ("rules/01_words.md", "## 2 Sequence", "## 21.0 Sequence", "duplicate-paragraph"),
    ("rules/01_words.md", "    printed town: flag\n", "    overrun_marker: number\n", "duplicate-name"),
]


@pytest.mark.parametrize(("file", "old", "new", "code"), WRONG)
def test_what_does_not_fit_is_told(salient: Path, file: str, old: str, new: str, code: str) -> None:
    change(salient, file, old, new)
    assert code in {problem.code for problem in problems_of(salient)}


def test_a_need_is_told_where_the_module_is_named_and_what_it_is_for(salient: Path) -> None:
    change(salient, "rules/01_words.md", "define owner(unit)", "define master(unit)")
    (found,) = [p for p in problems_of(salient) if p.code == "module-needs"]
    assert found.message == 'the module "east_front/aid" needs "owner": the player who moves a unit'
    assert found.span.file.path.name == "game.yaml"


def test_two_tables_of_one_name_are_refused_with_both_places(salient: Path) -> None:
    table = (data_dir("games") / "east_front" / "aid" / "tables" / "surrender.yaml").read_text("utf-8")
    (salient / "tables").mkdir()
    (salient / "tables" / "surrender.yaml").write_text(table, "utf-8")
    (found,) = [p for p in problems_of(salient) if p.code == "duplicate-id"]
    assert found.message == 'two tables are called "surrender"'
    assert [span.file.path.name for _, span in found.also] == ["surrender.yaml"]
    assert found.also[0][1].file.path != found.span.file.path
