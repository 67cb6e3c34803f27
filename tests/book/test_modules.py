"""Rule modules: a game reads along what another directory says, and is told what does not fit."""

from __future__ import annotations

import re
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
from rulesdsl.pipeline.checked import fresh_problems

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
    return fresh_problems(game)


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


OVERRUN = "procedure overrun_hex(force: units, hex)\n    move force to hex\n"

WRONG = [
    ("game.yaml", NAMED, "modules: [east_front/add]", "unknown-module"),
    ("game.yaml", NAMED, "modules: [../aid]", "wrong-text"),
    ("game.yaml", NAMED, "modules: [/etc]", "wrong-text"),
    ("rules/01_words.md", "define owner(unit)", "define master(unit)", "module-needs"),
    ("rules/01_words.md", "track sky: dry", "track heaven: dry", "module-needs"),
    (
        "rules/01_words.md",
        "procedure eliminate(unit)",
        OVERRUN + "procedure eliminate(unit)",
        "duplicate-name",
    ),
    ("game.yaml", NAMED, "modules: [east_front/aid with hard as soft]", "module-words"),
    ("game.yaml", NAMED, "modules: [east_front/aid with city as town and city as burg]", "module-words"),
    ("game.yaml", NAMED, "modules: [east_front/aid with city]", "wrong-text"),
    ("rules/01_words.md", "attack_drm(units", "fit_for_armour(kursk), attack_drm(units", "not-offered"),
    ("rules/01_words.md", "## 2 Sequence", "## 21.0 Sequence", "duplicate-paragraph"),
    ("rules/01_words.md", "    printed town: flag\n", "    overrun_marker: number\n", "duplicate-name"),
]


@pytest.mark.parametrize(("file", "old", "new", "code"), WRONG)
def test_what_does_not_fit_is_told(salient: Path, file: str, old: str, new: str, code: str) -> None:
    change(salient, file, old, new)
    assert code in {problem.code for problem in problems_of(salient)}


def test_a_need_is_told_where_the_module_is_named_and_what_it_is_for_and_alone(salient: Path) -> None:
    change(salient, "rules/01_words.md", "define owner(unit)", "define master(unit)")
    (found,) = problems_of(salient)
    assert (
        found.message
        == 'the module "east_front/aid" needs "owner(unit): player": the player who moves a unit'
    )
    assert found.help.startswith(
        "declare it in a chapter of the game, or name your own word for it: `east_front/aid"
    )
    assert found.span.file.path.name == "game.yaml"


OTHERWISE_MET = [  # what the game says, what it says instead, and what is told of it
    (
        "define owner(unit) = axis when unit is german\n    = soviets otherwise",
        "define owner(unit) = unit is german",
        'needs "owner(unit): player", and "owner" is a define of a unit that gives a flag',
    ),
    (
        "define enemy_of(player, hex) =",
        "define enemy_of(hex, player) =",
        'needs "enemy_of(player, hex)", and "enemy_of" is a define of a hex and a player that gives a flag',
    ),
    (
        "define armour(unit) = unit is tank",
        "define armour(hex) = hex is town",
        'needs "armour(unit)", and "armour" is a define of a hex that gives a flag',
    ),
    (
        "quantity attack_strength(unit) = unit.value",
        "procedure attack_strength(unit)\n    move unit to lost",
        'needs "attack_strength(unit): number", and "attack_strength" is a procedure of a unit',
    ),
    (
        "track sky: dry or cold or mud or snow",
        "track sky: dry or cold or mud or storm",
        'needs "sky: dry, cold, mud, snow", and "sky" is a track of type sky',
    ),
    (
        "procedure stop_stack(force: units)",
        "procedure stop_stack(force: unit)",
        'needs "procedure stop_stack(units)", and "stop_stack" is a procedure of a unit',
    ),
]


@pytest.mark.parametrize(("old", "new", "told"), OTHERWISE_MET)
def test_a_need_that_something_else_meets_is_told_where_that_stands(
    salient: Path, old: str, new: str, told: str
) -> None:
    change(salient, "rules/01_words.md", old, new)
    found = [p for p in problems_of(salient) if p.code == "module-needs"]
    assert [p.message for p in found] == [f'the module "east_front/aid" {told}']
    assert all("aid" not in p.span.file.path.parts for p in problems_of(salient)), "nothing inside the module"


def test_a_player_is_not_what_a_module_means_by_a_word(salient: Path) -> None:
    """Units of a player called german would count as Germans, Finns among them."""
    change(salient, "game.yaml", "id: axis", "id: german")
    chapter = salient / "rules" / "01_words.md"
    text = chapter.read_text("utf-8").replace("axis", "german")
    text = text.replace(
        "printed nation: german or soviet", "printed side: player\n    printed nation: teuton or soviet"
    )
    text = text.replace("space pool", "space pool\n    printed speech: german or russian = german")
    text = text.replace("= german when unit is german\n    = soviets otherwise", "= unit.side")
    chapter.write_text(text, "utf-8")
    change(salient, "pieces.yaml", "nation: german", "nation: teuton, side: german")
    change(salient, "pieces.yaml", "nation: soviet", "nation: soviet, side: soviets")
    (found,) = [p for p in problems_of(salient) if p.code == "module-needs"]
    assert found.message.endswith(
        'needs "german(unit)", and "german" is only a value or a name that means something else'
    )
    assert "define german(unit) = …" in found.help


def test_a_game_calls_the_words_of_a_module_by_its_own(salient: Path) -> None:
    change(
        salient,
        "game.yaml",
        NAMED,
        "modules: [east_front/aid with artillery as gunner and unit as counter and overrun_hex as run_over]",
    )
    text = (salient / "rules" / "01_words.md").read_text("utf-8")
    text = text.replace("overrun_hex", "run_over").replace("enter_run_over", "enter_overrun_hex")
    text = re.sub(r"\bunit(s?)\b", r"counter\1", text).replace("artillery", "gunner")
    (salient / "rules" / "01_words.md").write_text(text, "utf-8")
    change(salient, "pieces.yaml", "  unit:", "  counter:")
    assert problems_of(salient) == []
    game = open_game(salient)
    assert [result.problems for result in run_examples(game) if not result.passed] == []
    assert "run_over" in game.program.procedures
    session = Session.start(game, seed=3)
    while not session.over:
        session.choose(session.options[0])
    printed = Session.start(open_game(SALIENT), seed=3)
    while not printed.over:
        printed.choose(printed.options[0])
    assert [entry.paragraph for entry in session.log] == [entry.paragraph for entry in printed.log]


def test_a_module_that_is_named_twice_is_refused(salient: Path) -> None:
    """Its words could be called two things, and only one of them would be heard."""
    change(salient, "game.yaml", NAMED, "modules: [east_front/aid with artillery as gunner, east_front/aid]")
    (found,) = [p for p in problems_of(salient) if p.code == "duplicate-name"]
    assert found.message == 'the module "east_front/aid" is named twice'


def test_what_a_module_does_not_offer_is_its_own_business(salient: Path) -> None:
    change(
        salient,
        "rules/01_words.md",
        "procedure eliminate(unit)",
        "procedure lose_armour(unit)\n    move unit to lost\nprocedure eliminate(unit)",
    )
    assert [p.message for p in problems_of(salient) if p.severity == "error"] == []
    assert {"lose_armour", "lose_armour_of_aid"} <= set(open_game(salient).program.procedures)


OFFERED = [
    (
        '"soft(unit)"',
        '"soft(hex)"',
        'the module offers "soft(hex)", and "soft" is a define of a unit that gives a flag',
    ),
    ('"soft(unit)"', '"tough(unit)"', 'the module offers "tough(unit)" and does not declare it'),
]


@pytest.mark.parametrize(("old", "new", "told"), OFFERED)
def test_what_a_module_offers_is_checked(salient: Path, old: str, new: str, told: str) -> None:
    shutil.copytree(data_dir("games") / "east_front" / "aid", salient / "east_front" / "aid")
    change(salient, "east_front/aid/module.yaml", old, new)
    (found,) = [p for p in problems_of(salient) if p.code == "module-offers"]
    assert (found.message, found.span.file.path.name) == (told, "module.yaml")


def test_two_tables_of_one_name_are_refused_with_both_places(salient: Path) -> None:
    table = (data_dir("games") / "east_front" / "aid" / "tables" / "surrender.yaml").read_text("utf-8")
    (salient / "tables").mkdir()
    (salient / "tables" / "surrender.yaml").write_text(table, "utf-8")
    (found,) = [p for p in problems_of(salient) if p.code == "duplicate-id"]
    assert found.message == 'two tables are called "surrender"'
    assert [span.file.path.name for _, span in found.also] == ["surrender.yaml"]
    assert found.also[0][1].file.path != found.span.file.path
