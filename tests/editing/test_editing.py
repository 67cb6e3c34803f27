"""The language service: names found, renamed, completed; fixes that keep their promise."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
from pathlib import Path

import pytest

from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError, errors
from rulesdsl.base.resources import data_dir
from rulesdsl.editing.actions import actions
from rulesdsl.editing.completing import completions
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.drafting import as_house_rule, new_house_rule
from rulesdsl.editing.fixing import good_fixes
from rulesdsl.editing.hints import hints
from rulesdsl.editing.hovering import definition, hover
from rulesdsl.editing.lenses import lenses
from rulesdsl.editing.outline import folds, outline
from rulesdsl.editing.renaming import all_texts, rename
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.language.conventions import INVARIANT, ODDS
from rulesdsl.pipeline.workspace import Workspace
from tests.checking.test_mistakes import break_line, rule_lines

SKIRMISH = data_dir("games") / "tutorial" / "skirmish"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    game = tmp_path / "skirmish"
    shutil.copytree(SKIRMISH, game)
    return game


def place_of(desk: Desk, symbol: Symbol) -> tuple[Path, int, int]:
    found = next(o for o in desk.references(symbol) if o.declares)
    return found.span.file.path, found.span.line, found.span.column


def hashes_of(game: Path, most: int = 400) -> list[str]:
    """A random game: how many options there were, and every fiftieth state."""
    session = Session.start(game, seed=3)
    rng = random.Random(3)
    found: list[str] = []
    while not session.over and len(found) < most:
        found.append(f"{len(session.options)}")
        session.choose(session.options[int(rng.random() * len(session.options))])
        if len(found) % 50 == 0:
            state = repr(session.machine.s).encode()
            found.append(hashlib.sha256(state).hexdigest())
    return found


# ---- names -------------------------------------------------------------------------------------------
def test_every_occurrence_is_the_word_it_stands_for() -> None:
    desk = Desk(SKIRMISH)
    found = desk.everywhere()
    assert len(found) > 600
    wrong = [
        o
        for o in found
        if o.symbol.kind not in ("noun", "field")
        # `weigh attack` declares odds_attack, `always x` declares invariant_x
        and o.span.text not in (o.symbol.word, o.symbol.word.removeprefix(ODDS).removeprefix(INVARIANT))
    ]
    assert not wrong
    files = {o.span.file.path.name for o in found if o.symbol == Symbol("value", "kind.horse")}
    assert {"pieces.yaml", "drawing.yaml"} <= files or len(files) >= 4


@pytest.mark.parametrize(
    ("kind", "name", "new"),
    [
        ("value", "kind.horse", "cavalry"),
        ("attribute", "piece.strength", "might"),
        ("attribute", "space.control", "held_by"),
        ("define", "supplied", "in_supply"),
        ("noun", "zone", "region"),
        ("setting", "last_turn", "final_turn"),
        ("field", "combat.attackers", "strikers"),
        ("thing", "player:blue", "azure"),
        ("procedure", "combats", "fights"),
    ],
)
def test_a_renamed_game_checks_and_plays_the_same(copy: Path, kind: str, name: str, new: str) -> None:
    desk = Desk(copy)
    before = hashes_of(copy)
    path, line, column = place_of(desk, Symbol(kind, name))
    edits = rename(desk, path, line, column, new)
    files = {edit.span.file.path for edit in edits}
    if kind in ("value", "attribute"):
        assert len(files) >= 4
    for changed, text in all_texts(desk, edits).items():
        changed.write_text(text, encoding="utf-8")
    assert not errors(Workspace(copy).problems())
    for house in (copy / "house").glob("*.md"):
        assert not errors(Workspace(copy, house=(house,)).problems()), house.name
    assert hashes_of(copy) == before


def test_a_name_that_is_taken_is_refused() -> None:
    desk = Desk(SKIRMISH)
    place = place_of(desk, Symbol("define", "supplied"))
    with pytest.raises(UsageError, match="cannot be"):
        rename(desk, *place, "when")
    with pytest.raises(UsageError):
        rename(desk, *place, "army")
    with pytest.raises(UsageError, match="no name stands here"):
        rename(desk, place[0], 1, 1, "x")


def test_hover_says_what_an_author_wants_to_hear() -> None:
    desk = Desk(SKIRMISH)
    path, line, column = place_of(desk, Symbol("define", "supplied"))
    found = hover(desk, path, line, column)
    assert found is not None
    for part in ("define supplied(unit)", ": flag", "declared in **3**", "A unit is in supply", "used "):
        assert part in found.text
    unit = hover(desk, *place_of(desk, Symbol("thing", "piece:hussars")))
    assert unit is not None
    assert "movement" in unit.text
    assert definition(desk, path, line, column)[0].declares


BERLIN = data_dir("games") / "race_for_berlin"
HOVERED = [
    (
        Symbol("setting", "loss_sharing"),
        ["**reading** `loss_sharing`", "(default)", "declared in **8.2.2**", "used"],
    ),
    (Symbol("value", "bridgehead_attack.forbidden"), ["not the default, which is allowed", "--reading"]),
    (Symbol("attribute", "space.terrain"), ["printed terrain: plain or woods", "printed: ", "woods ("]),
    (Symbol("value", "terrain.woods"), ["terrain of ", "used "]),
    (Symbol("table", "combat"), ["```yaml", "cells:", "used "]),
    (Symbol("thing", "piece:g303"), ["strength", "begins in", "used "]),
    (Symbol("track", "turn"), ["begins at"]),
]


@pytest.fixture(scope="module")
def berlin() -> Desk:
    return Desk(BERLIN)


@pytest.mark.parametrize(("symbol", "said"), HOVERED, ids=lambda one: str(one)[:40])
def test_hover_tells_values_and_readings(berlin: Desk, symbol: Symbol, said: list[str]) -> None:
    place = next(o for o in berlin.everywhere(house=False) if o.symbol == symbol).span
    found = hover(berlin, place.file.path, place.line, place.column)
    assert found is not None
    missing = [part for part in said if part not in found.text]
    assert not missing, found.text


def test_readings_that_matter_are_told_above_the_paragraph(berlin: Desk) -> None:
    path = BERLIN / "rules" / "08_combat.md"
    titles = [lens.title for lens in lenses(berlin, path)]
    assert any("loss_sharing = in_this_combat" in title for title in titles)
    assert any(title.startswith("amended by ") for title in titles)
    settled = [
        lens for lens in lenses(berlin, BERLIN / "rules" / "00_lexicon.md") if "tempelhof" in lens.title
    ]
    assert not settled  # it can not be switched


# ---- what can be written -----------------------------------------------------------------------------
TYPED = [
    ("    +1 when target is ", {"rough", "town", "plain"}, {"supplied", "hussars"}),
    ("    +1 when some attacker where it.", {"strength", "owner", "kind"}, {"terrain", "worth"}),
    ("    +1 when target.terr", {"terrain"}, {"strength"}),
    ("    +1 despite ", {"5.1", "4"}, {"unit"}),
    ("    +1 when target.terrain is ", {"rough", "town"}, {"horse", "hussars"}),
    ("    +1 wh", {"when"}, set()),
]


@pytest.mark.parametrize(("typed", "wanted", "unwanted"), TYPED)
def test_completion_knows_the_type(typed: str, wanted: set[str], unwanted: set[str]) -> None:
    desk = Desk(SKIRMISH)
    path = SKIRMISH / "rules" / "03_combat.md"
    lines = desk.text(path).split("\n")
    row = next(n for n, line in enumerate(lines) if line.startswith("quantity combat.die"))
    desk.edit(path, "\n".join([*lines[: row + 1], typed, *lines[row + 1 :]]))
    words = [one.word for one in completions(desk, path, row + 2, len(typed) + 1)]
    assert wanted <= {*words}
    assert not unwanted & {*words}


HOUSE = [
    ("## amends ", 10, {"5.1", "lexicon"} & {"5.1"}),
    ("set ", 4, {"table", "hussars", "village"}),
    ("set hussars.", 12, {"strength", "movement"}),
    ("set hussars.kind = ", 19, {"horse", "foot"}),
    ("set table combat[", 17, {"1:1", "3:1"}),
    ("set parameter ", 14, {"last_turn"}),
]


@pytest.mark.parametrize(("typed", "column", "wanted"), HOUSE)
def test_completion_in_house_rules(typed: str, column: int, wanted: set[str]) -> None:
    desk = Desk(SKIRMISH)
    path = SKIRMISH / "house" / "typed.md"
    heading = typed.startswith("#")
    text = f"# T\nwhy\n\n{typed}" if heading else f"# T\nwhy\n\n## amends 5.1\n```rules\n{typed}\n```\n"
    desk.edit(path, text)
    words = {one.word for one in completions(desk, path, 4 if heading else 6, column + 1)}
    assert wanted <= words


def test_completion_in_data(copy: Path) -> None:
    desk = Desk(copy)
    path = copy / "pieces.yaml"
    lines = desk.text(path).split("\n")
    row = next(n for n, line in enumerate(lines) if "kind: " in line)
    column = lines[row].index("kind: ") + 7
    assert {"horse", "foot"} <= {one.word for one in completions(desk, path, row + 1, column)}


# ---- looks -------------------------------------------------------------------------------------------
def test_outline_folds_hints_and_lenses() -> None:
    desk = Desk(SKIRMISH)
    path = SKIRMISH / "rules" / "03_combat.md"
    entries = outline(desk, path)
    assert "5.1 Who attacks whom" in [
        deep.name for top in entries for mid in top.inside for deep in mid.inside
    ]
    assert all(first < last for first, last, _ in folds(desk, path))
    assert {hint.text for hint in hints(desk, SKIRMISH / "rules" / "01_sequence.md")} & {": flag", ": number"}
    titles = {lens.title for lens in lenses(desk, path)}
    assert "run this example" in titles
    assert any("readings" in lens.title for p in desk.game.paths for lens in lenses(desk, p))


# ---- fixes -------------------------------------------------------------------------------------------
def seeded(workspace: Workspace, rng: random.Random) -> tuple[Path, str, str] | None:
    """A chapter before and after one slip."""
    chapters = [p for p in workspace.paths if p.suffix == ".md" and rule_lines(workspace.text(p))]
    path = rng.choice(chapters)
    text = workspace.text(path)
    number = rng.choice(rule_lines(text))
    lines = text.split("\n")
    broken = break_line(rng, lines[number - 1])
    if broken is None or broken[1] == lines[number - 1]:
        return None
    lines[number - 1] = broken[1]
    return path, text, "\n".join(lines)


def test_fixes_keep_their_promise() -> None:
    """Applied, the message is gone and no other has come; nine of ten messages with a help line have one."""
    rng = random.Random(1945)
    workspace = Workspace(SKIRMISH)
    helped = mended = 0
    while helped < 40:
        slip = seeded(workspace, rng)
        if slip is None:
            continue
        path, text, broken = slip
        workspace.edit(path, broken)
        wrong = workspace.problems()
        told = [p for p in errors(wrong) if p.help]
        if told:
            helped += 1
            mended += any(good_fixes(workspace, problem, wrong) for problem in errors(wrong)[:3])
        workspace.edit(path, text)
    assert mended / helped >= 0.85  # the bar `fixes` holds 90 % of 200


def test_a_fix_is_offered_where_the_message_is(copy: Path) -> None:
    desk = Desk(copy)
    path = copy / "rules" / "01_sequence.md"
    text = desk.text(path)
    desk.edit(path, text.replace("unit.owner", "unit.ownr", 1))
    problem = errors(desk.problems())[0]
    found = actions(desk, path, problem.span.line, problem.span.line)
    assert found[0].fix.edits[0].text == "owner"
    assert desk.text(path) != text  # trying it changed nothing


# ---- drafts ------------------------------------------------------------------------------------------
def test_a_new_house_rule_checks_and_its_example_fails(tmp_path: Path) -> None:
    desk = Desk(SKIRMISH)
    source, _, _ = desk.view()
    for number in [p.id for chapter in source.chapters for p in chapter.paragraphs if p.id[0].isdigit()]:
        path = tmp_path / "mine.md"
        path.write_text(new_house_rule(source, "Mine", amend=number), encoding="utf-8")
        assert not errors(Workspace(SKIRMISH, house=(path,), share=desk.game).problems()), number
    with pytest.raises(UsageError, match="did you mean"):
        new_house_rule(source, "Mine", amend="44.1")


def test_a_change_becomes_a_house_rule(copy: Path) -> None:
    desk = Desk(copy)
    path = copy / "rules" / "02_movement.md"
    text = desk.text(path)
    found = re.search(r"budget unit\.movement", text)
    assert found
    desk.edit(path, text.replace("budget unit.movement", "budget unit.movement + 1", 1))
    rule, before = as_house_rule(desk, path, "Long marches")
    assert before == text
    assert "budget unit.movement + 1" in rule
    house = copy / "house" / "long.md"
    house.parent.mkdir(exist_ok=True)
    house.write_text(rule, encoding="utf-8")
    assert not errors(Workspace(copy, house=(house,)).problems())


# ---- every place ---------------------------------------------------------------------------------------
def offered(desk: Desk, place: Occurrence) -> bool:
    """Whether the word that stands somewhere is offered when the line ends before it; of things, of which
    there may be thousands, after two letters."""
    path, span = place.span.file.path, place.span
    text = desk.text(path)
    lines = text.split("\n")
    typed = 2 if place.symbol.kind == "thing" and len(span.text) > 2 else 0
    lines[span.line - 1] = lines[span.line - 1][: span.column - 1 + typed]
    desk.edit(path, "\n".join(lines))
    try:
        return span.text in [one.word for one in completions(desk, path, span.line, span.column + typed)]
    finally:
        desk.edit(path, text)


@pytest.mark.parametrize(
    "kind", ["rules", "house", "scenarios", "tables", "pieces", "map", "drawing", "game"]
)
def test_what_stands_there_is_offered(kind: str) -> None:
    desk = Desk(SKIRMISH)
    rng = random.Random(kind)
    places = [
        o
        for o in desk.everywhere()
        if not o.declares and kind in (o.span.file.path.stem, o.span.file.path.parent.name)
    ]
    if kind == "tables":  # its one table speaks of nothing that has a name
        assert not places
        return
    chosen = rng.sample(places, min(25, len(places)))
    missing = [(o.span.file.path.name, o.span.line, o.span.text) for o in chosen if not offered(desk, o)]
    assert len(missing) <= len(chosen) // 20, missing


DATA = [
    ("pieces.yaml", "    - {id: new, name: New, ", {"owner", "movement", "faces"}, {"terrain", "id"}),
    ("pieces.yaml", "    - {id: new, owner: ", {"blue", "red"}, {"strength"}),
    ("pieces.yaml", "    - {id: new, start: ", {"village", "hill"}, {"hussars"}),
    ("pieces.yaml", "    - {id: new, faces: [{strength: 1}, {", {"strength"}, {"id"}),
    ("map.yaml", "  - {between: [village, ", {"hill"}, {"hussars"}),
    ("map.yaml", "  - {between: [village, hill], ", {"river", "road"}, {"terrain", "between"}),
    ("drawing.yaml", "  symbol: {attribute: kind, values: {", {"horse", "foot"}, {"town"}),
    ("drawing.yaml", "  - {attribute: river, line: ", {"river", "road"}, {"village"}),
    ("game.yaml", "scenario: ", {"bridge"}, {"village"}),
]


@pytest.mark.parametrize(("name", "typed", "wanted", "unwanted"), DATA)
def test_completion_knows_the_place_in_data(
    name: str, typed: str, wanted: set[str], unwanted: set[str]
) -> None:
    desk = Desk(SKIRMISH)
    path = SKIRMISH / name
    desk.problems()
    lines = desk.text(path).split("\n")
    indent = len(typed) - len(typed.lstrip())
    alike = [n for n, row in enumerate(lines) if row.startswith(typed[: indent + 3])]
    row = alike[0] if alike else len(lines) - 1
    desk.edit(path, "\n".join([*lines[: row + 1], typed, *lines[row + 1 :]]))
    words = {one.word for one in completions(desk, path, row + 2, len(typed) + 1)}
    assert wanted <= words
    assert not unwanted & words


def test_a_game_that_was_never_whole_still_answers() -> None:
    """Who opens a file in which he left a bracket open yesterday is not left alone with it."""
    desk = Desk(SKIRMISH)
    desk.edit(SKIRMISH / "pieces.yaml", "pieces:\n  unit: [{\n")
    path = SKIRMISH / "rules" / "03_combat.md"
    row = next(
        n for n, line in enumerate(desk.text(path).split("\n"), 1) if line.startswith("quantity combat.die")
    )
    assert hover(desk, path, row, 18) is not None
