"""Relations, clauses, lists and numbers as people say them; examples beside the chapters (decision 23)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check

MAP = """kind: areas
spaces:
  zone:
    - {id: wood, name: Wood, land: rough}
    - {id: town, name: Town, land: built}
    - {id: plain, name: Plain, land: open}
    - {id: hill, name: Hill, land: rough}
borders: [{between: [wood, town]}, {between: [town, plain]}, {between: [plain, hill]}]
"""
PIECES = """pieces:
  unit:
    - {id: a, name: A, owner: red, kind: foot}
    - {id: b, name: B, owner: red, kind: horse}
    - {id: c, name: C, owner: blue, kind: foot}
"""
GAME = "game: said\ntitle: Said\nplayers:\n  - {id: red, name: Red}\n  - {id: blue, name: Blue}\n"
HEAD = """# Said
## 1 Rules
```rules
enum land: rough, built, open
enum kind: foot, horse
space zone plural zones
    printed land: land
piece unit plural units
    printed owner: player
    printed kind: kind
    tired: flag
track turn: number = 1
track stormy: flag = false
phase game
    do rest(red)
    end game: drawn "nothing to do"
procedure rest(player)
    player repeatedly chooses a unit of player that is not tired until "enough" "who rests":
        mark unit as tired
define zone is foreign to unit = some unit in zone where it.owner is not unit.owner
define unit is held by player = some unit of player in unit.at where it.owner is not unit.owner
define unit may_reach zone = unit.at is adjacent to zone
define kind_of(player, kind) = kind units of player
define size(zone) =
    if zone is rough or built: 1.5
    otherwise if zone is wood: 7
    otherwise: 4
"""

Made = Callable[..., tuple[Path, list[Diagnostic]]]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def write(rules: str = "", example: str = "", beside: str = "") -> tuple[Path, list[Diagnostic]]:
        directory = tmp_path / "said"
        (directory / "rules").mkdir(parents=True)
        shown = f"\n```example\n{example}\n```\n" if example else ""
        (directory / "rules" / "1.md").write_text(f"{HEAD}{rules}\n```\n{shown}")
        if beside:
            (directory / "examples").mkdir()
            (directory / "examples" / "1.md").write_text(beside)
        (directory / "map.yaml").write_text(MAP)
        (directory / "pieces.yaml").write_text(PIECES)
        (directory / "game.yaml").write_text(GAME)
        source, problems = load_game(directory)
        assert source is not None
        found = [*problems, *check(source)[1]]
        return directory, [p for p in found if p.code not in ("unused", "never-read", "never-tested")]

    return write


PLACES = "given:\n    place a in wood\n    place b in town\n    place c in town\n"


@pytest.mark.parametrize(
    "expected",
    [
        "town is foreign to a",
        "wood is not foreign to a",
        "b is held by blue",
        "a is not held by blue",
        "number of units that are held by blue = 1",
        "number of units that may_reach plain = 2",
        "number of units that do not may_reach plain = 1",
        "number of units of red = 2",
        "the unit among kind_of(red, horse) is b",
        "(a, b and c) = units",
        "number of units among (a and c) = 2",
        "turn + 4 is odd",
        "turn + 5 is even",
        "turn is one of 1, 4, 7",
        "turn + 1 is 2 to 4",
        "turn is not 2 to 4",
        "size(wood) = 1.5",
        "size(plain) = 4",
        "plain is rough or open",
        "town is not rough",
    ],
)
def test_it_is_so(made: Made, expected: str) -> None:
    directory, problems = made(example=f"{PLACES}expect:\n    {expected}")
    assert not problems
    results = run_examples(open_game(directory))
    assert [r.problems for r in results] == [()]


def test_a_condition_after_or_stays_one(made: Made) -> None:
    given = PLACES + "    set stormy to true\n"
    directory, problems = made(
        "define shut(zone) = zone is built or stormy", f"{given}expect:\n    shut(plain)\n    shut(town)"
    )
    assert not problems
    assert [r.problems for r in run_examples(open_game(directory))] == [()]


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ("define x(zone, unit) = zone is foreign of unit", "wrong-preposition", 'it is called "foreign to"'),
        ("define x(zone) = number of zones of red", "type-mismatch", "a zone has nothing that is a player"),
        ("define x(unit) = unit is foreign to unit", "wrong-arguments", "does not relate these two"),
        ("define x(zone) = zone is foreign to zone", "type-mismatch", ""),
        ("define x(zone) = zone is 2 to 4", "type-mismatch", "a number"),
        ("define x = (red and wood)", "type-mismatch", ""),
        ("define x(unit) = number of zones that wander unit", "unknown-name", "wander"),
    ],
)
def test_what_is_said_wrongly_is_told(made: Made, rules: str, code: str, words: str) -> None:
    _, problems = made(rules)
    assert [p.code for p in problems] == [code], problems
    assert words in problems[0].message


def test_as_often_as_one_likes(made: Made) -> None:
    directory, problems = made()
    assert not problems
    session = Session.start(str(directory), seed=1)
    offered = []
    while not session.over:
        offered.append([option.key for option in session.options])
        session.choose(session.options[0])
    assert offered == [["a", "b", "enough"], ["b", "enough"]]


def test_examples_beside_a_chapter_belong_to_its_paragraph(made: Made) -> None:
    shown = "```example\nexpect: turn is {}\n```\n"
    beside = f"# Beside\n## 1 Rules\nWords.\n\n{shown.format('odd')}\n{shown.format('even')}"
    directory, problems = made(example="expect: turn = 1", beside=beside)
    assert not problems
    results = run_examples(open_game(directory))
    assert [(r.paragraph, r.passed) for r in results] == [("1", True), ("1", True), ("1", False)]
    assert results[-1].span.file.path == directory / "examples" / "1.md"


def test_what_may_not_stand_beside_a_chapter(made: Made) -> None:
    beside = "# Beside\n## 1 Rules\n```rules\ndefine x = 1\n```\n## 2 More\n"
    _, problems = made(beside=f"{beside}```example\nexpect: turn = 1\n```\n")
    assert [p.code for p in problems] == ["rules-in-examples", "unknown-paragraph"]
