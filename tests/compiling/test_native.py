"""Games in the machine, held against the same games in Python: every prompt, every last state, who won.

The large games are compared by the promise `native` (tests/promises); here are those a compiler reads
in a second, and what the loading side promises.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from interpreter.compiling.emit.native.program import translate
from interpreter.compiling.emit.native.types import Frac, Int, Mask, Nothing, Unsupported, joined, widened
from interpreter.measuring.simulation import Setup, Table
from interpreter.native import building
from interpreter.native.building import build
from interpreter.native.compilers import NotNative, find_compiler
from interpreter.native.games import NativeGames
from interpreter.native.worth import Worth
from interpreter.running.dice import fair_number
from tests.kit.command_line import run
from tests.promises import FIXTURES, PATROL, opened, rules_of
from tests.promises.native import difference

GAMES = Path(__file__).parents[2] / "games"
QUICK = ("tutorial/tic_tac_toe", "tutorial/breakthrough", "tutorial/connect_four", "tutorial/hex")
HASTE = ("-O0",)  # the promise `native` has them optimised
CHANCE = ("classics/kuhn_poker", "classics/two_rivers", "classics/hearts", "classics/estate_sale")


def has_compiler() -> bool:
    try:
        find_compiler()
    except NotNative:
        return False
    return True


compiled = pytest.mark.skipif(not has_compiler(), reason="there is no C compiler")


@compiled
@pytest.mark.parametrize("name", [*QUICK, *CHANCE, "classics/nine_mens_morris"])
def test_the_same_games(name: str) -> None:
    """Positions, dice, hands, payoffs, masks of one and two words."""
    ruleset, scenario = rules_of(str(GAMES / name))
    games, draw = NativeGames.of(ruleset, () if name in QUICK else HASTE), Random(name)
    differences = [difference(games, scenario, seed, draw) for seed in range(24)]
    assert [one for one in differences if one] == []


@compiled
@pytest.mark.parametrize("fixture", [str(FIXTURES / "exits"), str(FIXTURES / "sweeps"), PATROL])
def test_the_same_games_of_fixtures(fixture: str) -> None:
    """Every way out of a procedure, windows, tokens, journeys."""
    ruleset, scenario = rules_of(fixture)
    games, draw = NativeGames.of(ruleset, HASTE), Random(fixture)
    assert [one for seed in range(30) if (one := difference(games, scenario, seed, draw))] == []


@compiled
def test_a_difference_would_be_seen() -> None:
    """The comparison compares: a game of other choices is another game."""
    ruleset, scenario = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    games = NativeGames.of(ruleset)
    one = games.by_script(scenario, "1", [0] * 9, trace=True)
    other = games.by_script(scenario, "1", [1, 0, 0, 0, 0, 0, 0, 0, 0], trace=True)
    assert one.machine is not None
    assert other.machine is not None
    assert one.machine.s != other.machine.s
    assert one.asked[0] == (0, 9)


@compiled
def test_a_choice_that_is_not_offered_is_given_back() -> None:
    ruleset, scenario = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    games = NativeGames.of(ruleset)
    assert games.by_script(scenario, "1", [9]).stopped
    assert games.by_script(scenario, "1", [0, 1]).stopped == "too many decisions"


@compiled
def test_records_are_those_of_python() -> None:
    """What `simulate` keeps, with scores, between agents at random: byte for byte."""
    path = GAMES / "classics/hearts"
    game = opened(str(path))
    seats = dict.fromkeys(game.ruleset({}, game.scenario(None)).seats.ids, "random")
    table = Table(Setup(path, (), None, {}, seats, "77"), game)
    by_python = [table._played_by_python(number, True) for number in range(5)]
    native = Table(Setup(path, (), None, {}, seats, "77"), game)
    vars(native)["native"] = Worth(native.ruleset, at_once=True)
    records = list(native.records(range(5), many=True))
    assert native.native.games is not None
    assert records == by_python


@compiled
def test_games_without_an_end_are_for_python() -> None:
    """Fuel, turns and triggers stop the machine as they stop Python."""
    ruleset, scenario = rules_of(str(GAMES / "tutorial/hex"))
    limits = replace_limits(ruleset.limits, work_per_game=1000)
    short = replace(ruleset, limits=limits)
    games = NativeGames.of(short)
    assert games.by_script(scenario, "1", [0] * 121).stopped == "work"


def replace_limits(limits: object, **changed: int) -> object:
    made = type(limits)()
    for name, value in changed.items():
        object.__setattr__(made, name, value)
    return made


@compiled
def test_threads_share_a_game() -> None:
    ruleset, _ = rules_of(str(GAMES / "tutorial/connect_four"))
    games = NativeGames.of(ruleset)
    found: dict[int, object] = {}

    def play(number: int) -> None:
        found[number] = games.many(2000, number)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(4)] == [games.many(2000, number) for number in range(4)]
    tally = games.many(2000, 1)
    assert tally.games == 2000 == tally.drawn + sum(tally.wins)
    assert tally.stopped == 0


@compiled
def test_rulesets_with_the_same_code_have_their_own_tables() -> None:
    """The same text is one library in a process: what differs must not stand in it."""
    ruleset, scenario = rules_of(str(GAMES / "tutorial/breakthrough"))
    one = NativeGames.of(ruleset)
    before = one.many(50, 3)
    translation = one.library.translation
    other = NativeGames.built(ruleset, replace(translation, data=bytes(len(translation.data))))
    other.many(5, 3)
    assert one.many(50, 3) == before
    del other
    assert difference(one, scenario, 1, Random(1)) == ""


@compiled
def test_what_was_built_is_kept() -> None:
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    text = translate(ruleset).text
    path = build(text)
    before = path.stat().st_ino
    assert build(text) == path
    assert path.stat().st_ino == before
    if os.name == "posix":
        path.chmod(0o722)  # whoever could have written to it could have put code there
        with pytest.raises(NotNative, match="not ours alone"):
            build(text)
        path.unlink()


@compiled
def test_a_damaged_library_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a power cut left empty was found there, and refused, for ever."""
    monkeypatch.setattr("interpreter.native.building.cache_folder", lambda: tmp_path)
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    build(translate(ruleset).text, HASTE).write_bytes(b"")
    with pytest.raises(NotNative, match="could not be loaded"):
        NativeGames.of(ruleset, HASTE)
    assert NativeGames.of(ruleset, HASTE)


@compiled
def test_what_one_is_building_another_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of one machine come to the same game together: each compiled what one could for all. (A lock of
    one opening of a file is as good as one of another process.)"""
    monkeypatch.setattr("interpreter.native.building.cache_folder", lambda: tmp_path)
    begun, may_end = threading.Event(), threading.Event()
    compilers: list[object] = []

    def slowly(*given: object) -> None:
        compilers.append(given)
        begun.set()
        assert may_end.wait(60)
        compile_it(*given)

    compile_it: Callable[..., None] = building._compile
    monkeypatch.setattr(building, "_compile", slowly)
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    worth = Worth(ruleset)
    worth.spent = 1000.0
    text = translate(ruleset).text
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(build, text)
        assert begun.wait(60)
        assert building.is_being_built(text)
        assert worth.games is None  # Python goes on meanwhile
        second = pool.submit(build, text)
        may_end.set()
        assert first.result() == second.result()
    assert len(compilers) == 1
    assert not building.is_being_built(text)
    assert worth.games is not None


@compiled
@pytest.mark.parametrize("what", ["full", "folder", "gone"])
def test_where_nothing_can_be_built_there_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("interpreter.native.building.cache_folder", lambda: tmp_path)
    text = "int one(void) { return 1; }\n"
    if what == "full":
        monkeypatch.setattr(Path, "write_text", full)
    elif what == "folder":
        path = build(text)
        path.unlink()
        path.mkdir()
    else:
        monkeypatch.setattr("interpreter.native.building.own_folder", lambda folder: True)
    with pytest.raises(NotNative):
        build(text)


@compiled
def test_what_may_not_be_kept_goes_with_the_program(tmp_path: Path) -> None:
    code = "from interpreter.native.building import build\nprint(build('int one(void) { return 1; }').parent)"
    environment = {**os.environ, "RULESDSL_NO_CACHE": "1", "TMPDIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert Path(ran.stdout.strip()).parent == tmp_path
    assert not list(tmp_path.iterdir())


def test_no_word_of_an_author_reaches_the_text() -> None:
    for name in ("tutorial/skirmish", "classics/hearts", "east_front"):
        ruleset, _ = rules_of(str(GAMES / name))
        text = translate(ruleset).text
        world = ruleset.program.world
        words = {w for u in world.universes.values() for w in u.ids if len(w) > 6} | {
            p.title for p in ruleset.program.procedures.values() if len(p.title) > 6
        }
        assert [word for word in words if f'"{word}"' in text or f" {word} " in text] == []


def test_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESDSL_NO_NATIVE", "1")
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    with pytest.raises(NotNative, match="RULESDSL_NO_NATIVE"):
        NativeGames.of(ruleset)
    worth = Worth(ruleset, at_once=True)
    assert worth.games is None
    assert "RULESDSL_NO_NATIVE" in worth.why_not


def test_without_a_compiler_one_is_told_how_to_be_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULESDSL_NO_NATIVE", raising=False)
    monkeypatch.setenv("RULESDSL_CC", "a-compiler-that-is-not-there")
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    worth = Worth(ruleset)
    assert worth.games is None
    assert worth.hint == ""
    worth.spent = 60.0
    assert worth.games is None
    assert "rulesdsl[native]" in worth.hint


def test_nobody_waits_for_a_compiler_before_it_pays() -> None:
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    worth = Worth(ruleset)
    worth.spent = 0.1
    assert worth.games is None
    assert worth.why_not == ""


def test_the_command_line_says_what_is_native() -> None:
    told = run("code", "tutorial/tic_tac_toe", "--native", "--json")
    assert told.exit_code == 0
    assert json.loads(told.output)["native"] is True
    assert "native_play" in run("code", "tutorial/tic_tac_toe", "--stage", "c").output


def test_types_are_joined() -> None:
    assert joined(Int(0, 3), Int(-1, 2)) == Int(-1, 3)
    assert joined(Int(0, 0), Mask(70)) == Mask(70)
    assert joined(Int(-1, 0), Mask(64)) == Mask(64, signed=True)
    assert Mask(64, signed=True).words == 2
    assert joined(Nothing(), Int(1, 2)) == Int(1, 2, none=True)
    assert joined(Int(1, 2), Frac()) == Frac()
    with pytest.raises(Unsupported):
        joined(Frac(), Mask(3))
    grown = widened(Int(0, 3), Int(0, 4))
    assert isinstance(grown, Int)
    assert grown.high > 1 << 60


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/native.md: its Python holds, with a compiler and without one."""
    page = (GAMES.parent / "docs" / "native.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "native.md", "exec"), {})
    assert has_compiler() or "compiler" in capsys.readouterr().out


@compiled
def test_dice_are_those_of_python() -> None:
    """A game that only rolls: what falls is what `fair_number` says, whatever the seed."""
    ruleset, scenario = rules_of(str(GAMES / "classics/backgammon"))
    games, draw = NativeGames.of(ruleset), Random(5)
    assert difference(games, scenario, 123456789, draw) == ""
    assert 0 <= fair_number("a", "b", 0, 0, 6) < 6


@compiled
def test_long_text_is_built_in_a_hurry_and_then_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits gets code soon; better code comes beside his games, and they are the same."""
    monkeypatch.setattr("interpreter.native.worth.LONG", 0)
    at_hand = False
    monkeypatch.setattr("interpreter.native.worth.is_built", lambda *_: at_hand)
    ruleset, _ = rules_of(str(GAMES / "tutorial/tic_tac_toe"))
    worth = Worth(ruleset)
    assert worth.games is None
    worth.spent = 0.5  # enough for a hurried compiler, not for a careful one
    hurried = worth.games
    assert hurried is not None
    assert worth.games is hurried
    worth.spent = 1000.0
    assert worth.games is hurried
    assert worth._worker is not None
    worth._worker.join()
    at_hand = True
    better = worth.games
    assert better is not None
    assert better is not hurried
    assert better.many(50, 7) == hurried.many(50, 7)
