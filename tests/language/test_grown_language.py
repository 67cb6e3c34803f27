"""What the language learnt from the fixtures: exact lengths, numbers as names, tables by player, where."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.compiling.ruleset import Ruleset, resolve_settings
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.resources import data_dir
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check

MAP = """kind: hexes
class: hex
columns: 5
rows: 4
legend: {".": {}, "#": {wall: true}}
terrain: [".....", ".#...", "...#.", "....."]
spaces: {box: [{id: reserve}]}
borders: [{between: ["0101", reserve]}]
"""
TABLE = """table: actions
columns: {key: faction, kind: name, of: player, values: [red, blue]}
rows: {key: war, kind: flag}
result: {kind: number}
cells: {"no": [1, 2], "yes": [3, 4]}
"""
HEAD = """# Grid
## 1 Rules
```rules
space hex plural hexes
    printed wall: flag
space box plural boxes
phase game
    end game: drawn "nothing to do"
"""


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[str], tuple[pg.Program | None, list[Diagnostic]]]:
    def made(rules: str) -> tuple[pg.Program | None, list[Diagnostic]]:
        directory = tmp_path / "grid"
        for name in ("rules", "tables"):
            (directory / name).mkdir(parents=True)
        (directory / "rules" / "1.md").write_text(f"{HEAD}{rules}\n```\n")
        (directory / "map.yaml").write_text(MAP)
        (directory / "tables" / "actions.yaml").write_text(TABLE)
        (directory / "game.yaml").write_text(
            "game: grid\ntitle: T\nplayers:\n  - {id: red, name: Red}\n  - {id: blue, name: Blue}\n"
        )
        source, problems = load_game(directory)
        assert source is not None
        program, found = check(source)
        return program, [p for p in [*problems, *found] if p.code not in ("unused", "never-read")]

    return made


def compiled(program: pg.Program | None) -> tuple[Callable[..., Any], list[Any]]:
    assert program is not None
    ruleset = Ruleset(program, {}, resolve_settings(program, {}))
    return ruleset.fast.function, ruleset.start_state(None)


def simple_paths(program: pg.Program, start: int, steps: int, walls: set[int]) -> set[int]:
    """The ends of all paths of so many steps that enter no space twice and no wall."""
    paths: list[tuple[int, ...]] = [(start,)]
    for _ in range(steps):
        paths = [
            (*path, there)
            for path in paths
            for there, _ in program.world.adjacency[path[-1]]
            if there not in path and there not in walls
        ]
    return {path[-1] for path in paths}


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_a_route_of_exactly_so_many_steps(checked: Any, steps: int) -> None:
    program, problems = checked(
        f"route walk(space)\n    from space\n    exactly {steps} steps\n"
        "    through hexes where not hex is wall\ndefine ends(space) = walk(space)"
    )
    assert not problems
    rule, state = compiled(program)
    world = program.world
    walls = {i for i, wall in enumerate(world.attributes["space", "wall"].values) if wall}
    walls.add(world.universes["space"].index["reserve"])
    for start in set(range(len(world.adjacency))) - walls:
        expected = sum(1 << end for end in simple_paths(program, start, steps, walls))
        assert rule("r", "walk")(state, start) == expected


def test_an_exact_route_has_no_other_length(checked: Any) -> None:
    _, problems = checked("route walk(hex)\n    from hex\n    exactly 2 steps\n    at most 3 steps")
    assert [p.code for p in problems] == ["several-lengths"]


def test_a_flood_does_not_end_in_a_forbidden_space(checked: Any) -> None:
    program, problems = checked(
        "route line_of(hex)\n    from hex\n    through hexes where there.row < 4\n    ending in hexes\n"
        "forbid line_of into hex when hex is wall\ndefine reached(hex) = line_of(hex)"
    )
    assert not problems
    rule, state = compiled(program)
    ends = rule("r", "line_of")(state, 0)
    walls = [i for i, wall in enumerate(program.world.attributes["space", "wall"].values) if wall]
    assert walls
    assert not any(ends >> wall & 1 for wall in walls)


def test_things_by_number_and_tables_by_player(checked: Any) -> None:
    program, problems = checked(
        "define corner(hex) = hex is hex 0104\ndefine allowed(player) = table actions[player, true]\n"
        "define ways = number of directions"
    )
    assert not problems
    rule, state = compiled(program)
    index = program.world.universes["space"].index
    assert [i for i in index if rule("d", "corner")(state, index[i])] == ["0104"]
    assert [rule("d", "allowed")(state, player) for player in (0, 1)] == [3, 4]
    assert rule("d", "ways")(state) == 6


def test_a_table_that_is_asked_about_nobody_says_so(checked: Any, tmp_path: Path) -> None:
    """As a message to the author, in an example and at the table, never as a fault of ours."""
    checked(
        "track boss: player or none = none\ntrack count: number = 0\n"
        "define allowed = table actions[boss, true]\nprocedure ask\n    set count to allowed\n"
        "```\n\n```example\nexpect: allowed = 3\n```\n\n```example\nwhen: do ask\nexpect: count = 3"
    )
    found = [problem for result in run_examples(open_game(tmp_path / "grid")) for problem in result.problems]
    nothing = 'this rule finds nothing (table "actions" has no place for faction none)'
    chains = ("allowed (1)", "example 1 2 when → ask → allowed (1)")
    for problem, chain in zip(found, chains, strict=True):
        assert problem.startswith(f"{nothing}: {chain} (")
        assert problem.endswith("1.md:11, paragraph 1)")


def test_a_number_nobody_has(checked: Any) -> None:
    _, problems = checked("define corner(hex) = hex is hex 0504 or hex is hex 0505")
    assert [p.code for p in problems] == ["unknown-name"]
    assert "050" in problems[0].help


SWALLOWED = [
    ("no hex adjacent to hex where it is wall and hex.row > 1", True),
    ("some hex adjacent to hex where it is wall or hex.row > 1", True),
    ("(no hex adjacent to hex where it is wall) and hex.row > 1", False),
    ("hex.row > 1 and no hex adjacent to hex where it is wall", False),
    ("some hex adjacent to hex where it is wall and hex.row > 1", False),
    ("no hex adjacent to hex where it is wall and it.row > hex.row", False),
]


@pytest.mark.parametrize(("condition", "warned"), SWALLOWED)
def test_what_where_swallows(checked: Any, condition: str, warned: bool) -> None:
    program, problems = checked(f"define odd(hex) = {condition}")
    assert program is not None
    assert [p.code for p in problems] == ["where-swallows"] * warned


def test_what_is_unknown_may_speak_of_the_members(checked: Any) -> None:
    _, problems = checked("define odd(hex) = no hex adjacent to hex where it is wall and not flooded(it)")
    assert [p.code for p in problems] == ["unknown-name"]


def test_is_a_asks_for_the_class(checked: Any) -> None:
    """Inside a route `hex` is the space being entered; `is a hex` still asks for the class."""
    program, problems = checked(
        "route walk(space)\n    from space\n    at most 1 step\n    through spaces where there is a hex\n"
        "define near(space) = walk(space)"
    )
    assert not problems
    rule, state = compiled(program)
    index = program.world.universes["space"].index
    near = rule("r", "walk")(state, index["0101"])
    assert near >> index["0102"] & 1
    assert not near >> index["reserve"] & 1


def test_a_route_says_everything_once(checked: Any) -> None:
    _, problems = checked(
        "route walk(hex)\n    from hex\n    at most 2 steps\n    through hexes\n    at most 3 steps\n"
        "    through boxes\ndefine ends(hex) = walk(hex)"
    )
    assert [p.code for p in problems] == ["double-clause"]
    assert "at most … steps" in problems[0].message


def test_a_value_that_all_lack_is_told_once(tmp_path: Path) -> None:
    game = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    chapter = game / "rules" / "01_sequence.md"
    text = chapter.read_text(encoding="utf-8")
    chapter.write_text(
        text.replace("piece unit\n", "piece unit\n    printed weight: number\n"), encoding="utf-8"
    )
    source, _ = load_game(game)
    assert source is not None
    missing = [p for p in check(source)[1] if p.code == "missing-value"]
    assert len(missing) == 1
    assert f"and {len(source.pieces) - 1} more: " in missing[0].message


def test_an_attribute_stands_once_in_a_class(checked: Any) -> None:
    _, problems = checked("border\n    dug: flag\n    dug: flag")
    assert [p.code for p in problems] == ["duplicate-name"]


SETTINGS = """reading edge: open (default), closed "it does not say"
option fog: flag = false "agreed"
parameter hand = 4 "cards"
define seen = edge is open and not fog and hand = 4
procedure finish_it
    if not seen: end game: drawn "unseen"
```
"""


@pytest.mark.parametrize("line", ["reading edge: closed", "option fog: true", "parameter hand: 3", ""])
def test_an_example_sets_what_players_may_set(checked: Any, line: str, tmp_path: Path) -> None:
    given = f"given {line}\n" if line else ""
    block = f"{given}when:\n    do finish_it\nexpect:\n    "
    checked(f"{SETTINGS}```example\n{block}drawn\n```\n```example\n{block}the game goes on")
    found = run_examples(open_game(tmp_path / "grid"))
    holds = [result.passed for result in found]
    assert holds == ([True, False] if line else [False, True])


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("given option edge: closed", "wrong-setting"),
        ("given reading edge: shut", "unknown-name"),
        ("given reading edg: closed", "unknown-name"),
        ("given parameter hand: true", "type-mismatch"),
        ("given parameter hand: hand + 1", "bad-default"),
        ("given option fog: true\ngiven option fog: false", "set-twice"),
        ("given scenario nowhere", "unknown-scenario"),
    ],
)
def test_what_an_example_sets_is_checked(checked: Any, line: str, code: str) -> None:
    _, problems = checked(f"{SETTINGS}```example\n{line}\nexpect:\n    seen")
    assert [p.code for p in problems] == [code]


@pytest.mark.parametrize(
    ("reading", "says"),
    [
        ("reading way: a (default), b (default)", '"a" and "b" cannot both be the default of "way"'),
        ("reading way\n    a (default)\n    b\n    c (default)", '"a" and "c" cannot both be the default'),
        ('reading way\n    because "nobody knows"', "no alternative before `because`"),
    ],
)
def test_a_reading_nobody_meant_is_refused(checked: Any, reading: str, says: str) -> None:
    """Each of these was taken for something: the first default, an alternative called because."""
    _, problems = checked(reading)
    assert [p.code for p in problems if p.code != "unused"] == ["bad-default"]
    assert says in next(p.message for p in problems if p.code == "bad-default")


def test_a_change_from_none_to_a_thing_sets_off_its_trigger(checked: Any, tmp_path: Path) -> None:
    """What a reference was before may be nobody; the trigger is about whose reference it is."""
    checked(
        "player\n    goal: hex or none\ntrack count: number = 0\nafter player.goal changes: add 1 to count\n"
        "```\n\n```example\nwhen:\n    set red.goal to hex 0102\n    set red.goal to hex 0103\n"
        "    set red.goal to none\nexpect: count = 3"
    )
    results = run_examples(open_game(tmp_path / "grid"))
    assert [(result.passed, result.problems) for result in results] == [(True, ())]


@pytest.mark.parametrize(
    ("asked", "fits"), [("unit", True), ("units", True), ("players", False), ("red", False)]
)
def test_where_a_single_piece_stands(checked: Any, asked: str, fits: bool) -> None:
    """`spaces_of` takes one piece as well as several, and nothing but pieces."""
    _, problems = checked(
        f"define there(unit) = some hex among spaces_of({asked})\ndefine here = there(the unit)"
    )
    assert ("wrong-arguments" in [p.code for p in problems]) != fits
