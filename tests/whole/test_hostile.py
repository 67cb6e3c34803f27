"""Hostile rulebooks, the quick part: `make bars` runs every command on every one of them (`hostile`)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

import pytest

from interpreter.compiling.optimise.magnitude import Magnitudes
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from interpreter.running.fuel import RunawayRule, TooLarge
from interpreter.running.numbers import HUGE, HUGE_BITS, LARGEST, Exact, divide, kept, plus, times
from rulesdsl.pipeline.checked import fresh_problems
from tests.hostile import BOMBS, write
from tests.promises.hostile import run_command, small_process, wrong_with

# a bomb, and the commands that are tried on it here
QUICK = [
    ("bigdiv", ("simulate", "at one go")),
    ("smallfrac", ("play",)),
    ("addint", ("play", "simulate")),
    ("fuel_7_646", ("odds",)),
    ("coll_constants", ("simulate",)),
    ("only_notes", ("simulate", "at one go", "hint")),
    ("coll_cancelled", ("odds",)),
    ("written_fraction", ("play", "at one go")),
    ("cases", ("simulate", "at one go")),
    ("no_heading", ("docs",)),
    ("largest_map", ("hint",)),
    ("most_pieces", ("greedy",)),
    ("many_triggers", ("play",)),
]


@pytest.fixture(scope="module")
def small() -> Iterator[Executor]:
    """A process that holds nothing but the engine: a child's memory is counted from its parent's."""
    with small_process() as process:
        yield process


@pytest.mark.parametrize(("name", "command"), [(n, c) for n, several in QUICK for c in several])
def test_a_command_ends_with_a_place(small: Executor, tmp_path: Path, name: str, command: str) -> None:
    game = str(write(tmp_path, name))
    ended = small.submit(run_command, command, game, str(tmp_path)).result()
    assert wrong_with(ended) == ""


def test_there_are_enough_of_them() -> None:
    assert len(BOMBS) >= 60 + 15


REFUSED = {
    "tablename": ("table-cell", "tables/t.yaml", 6),
    "tablename2": ("table-cell", "tables/t.yaml", 6),
    "tn0": ("table-cell", "tables/t.yaml", 6),
    "table_by_players": ("bad-label", "tables/t.yaml", 4),
    "drawing_syntax": ("yaml-syntax", "drawing.yaml", 1),
    "drawing_words": ("", "drawing.yaml", 1),
    "nothing_type": ("unknown-type", "rules/1.md", 16),
    "nothing_set": ("unknown-type", "rules/1.md", 17),
    "exc28": ("too-many-exceptions", "rules/1.md", 11),
    "modified": ("too-many-changes", "rules/1.md", 4022),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_rulebook_is_refused_where_it_is_wrong(tmp_path: Path, name: str) -> None:
    code, file, line = REFUSED[name]
    found = [
        p for p in fresh_problems(write(tmp_path, name)) if p.severity == "error" and code in ("", p.code)
    ]
    assert [(p.span.file.path.as_posix().endswith(file), p.span.line) for p in found][:1] == [(True, line)]


def test_a_house_rule_cannot_put_nonsense_into_a_table_of_names(tmp_path: Path) -> None:
    house = tmp_path / "typo.md"
    for cell, help in (("wonn", 'did you mean "won"?'), ("5", "there are won, lost, open")):
        bomb = write(tmp_path / cell, "tablename")
        table = bomb / "tables" / "t.yaml"
        table.write_text(table.read_text().replace("nonsense", "lost"))
        house.write_text(f"# Typo\nWhy.\n\n## amends 3\n```rules\nset table t[4] = {cell}\n```\n")
        (found,) = [p for p in fresh_problems(bomb, [house]) if p.severity == "error"]
        assert (found.code, found.span.file.path.name, found.span.line) == ("table-cell", "typo.md", 6)
        assert found.paragraph == "amends 3"
        assert found.help == help


@pytest.mark.parametrize("name", ["bigdiv", "smallfrac", "addint", "small_factor", "harmonic", "attribute"])
def test_all_flavours_stop_at_the_same_number(tmp_path: Path, name: str) -> None:
    """And the message names what was done, where."""
    game = open_game(write(tmp_path, name))
    ruleset = game.ruleset({}, game.scenario())
    states = []
    for traced in (True, False):
        machine = ruleset.new_machine(game.scenario(), "1", traced)
        machine.begin()
        with pytest.raises(
            RunawayRule, match=r"makes a number too large: .*bang \(.*1\.md:\d+, paragraph 3\)"
        ):
            machine.choose(0)
        states.append(machine.s)
    assert states[0] == states[1]
    with pytest.raises(RunawayRule, match="makes a number too large"):
        ruleset.playouts.play(game.scenario(), "1", lambda _who, _count: 0)


def test_arithmetic_is_bounded() -> None:
    third, small = Exact(1, 3), Exact(1, LARGEST)
    assert third + third == Exact(2, 3)
    assert type(third + 1) is type(1 - third) is type(-third) is Exact
    assert divide(6, 3) == 2
    assert type(divide(1, 3)) is Exact
    for too_large in (
        lambda: small * third, lambda: small / 7, lambda: divide(small, 7), lambda: third + small,
        lambda: Exact(HUGE, 3) * 4, lambda: times(HUGE, 2), lambda: plus(HUGE, 1), lambda: kept(LARGEST + 1),
    ):  # fmt: skip
        with pytest.raises(TooLarge):
            too_large()


def test_what_is_proven_to_be_small_is_small(tmp_path: Path) -> None:
    """The bound of an expression is one for its value, whatever the state; products of products have none."""
    game = open_game(write(tmp_path, "define_products"))
    magnitudes, defines = Magnitudes(game.program), game.program.defines
    bits = [magnitudes.bits(defines[f"d{i}"].cases[0][1]) for i in range(41)]
    assert bits == sorted(bits)
    assert bits[0] == LARGEST.bit_length() + 1
    assert bits[1] == bits[0] + (99999).bit_length()
    assert bits[40] == HUGE_BITS


def test_what_an_agent_tries_counts_together(tmp_path: Path) -> None:
    """Each evaluation of this value is allowed; all of them are not."""
    session = Session.start(open_game(write(tmp_path, "rather_dear_value")), seed=1)
    ruleset = session.ruleset
    code, ask = ruleset.fast.code, ruleset.fast.ask
    value = ruleset.fast.function("q", "value")
    ask(value, session.machine.s, 0)
    once = code.work - code.meter[0]
    assert once > 0
    with code.errand(10 * once):
        for _ in range(8):
            ask(value, session.machine.s, 0)
        with pytest.raises(RunawayRule, match=r"takes too much work: value \(2\) .*1\.md"):
            _ = [ask(value, session.machine.s, 0) for _ in range(4)]
    ask(value, session.machine.s, 0)


def test_simulate_tells_the_first_rule_that_takes_too_long(tmp_path: Path) -> None:
    from interpreter.measuring.simulation import Setup, Table, play_games

    place = write(tmp_path, "loops_of_loops")
    table = Table(Setup(place, (), None, {}, {"red": "random", "blue": "random"}, "1"))
    played = []
    with pytest.raises(
        RunawayRule, match=r"no more were played: this rule does not come to an end.*1\.md:\d+"
    ):
        played += play_games(table, range(50))
    assert played == []
