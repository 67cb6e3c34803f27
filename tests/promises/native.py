"""Games in the machine against the same games in Python: who is asked, among how many, the last state.

Every shipped game, with readings, options, scenarios and house rules drawn at random. A game that the machine
gives back (it may have no end) is counted as tried and told in the note, not as a difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from interpreter.compiling.ruleset import Ruleset
from interpreter.native.building import SANITIZED
from interpreter.native.compilers import NotNative
from interpreter.native.games import NativeGames
from interpreter.playing.game import open_game
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.resources import find_game
from rulesdsl.book.scenario import Scenario
from tests.promises import MOST_DECISIONS, Outcome, all_games, opened, small_games

SAME_RULES = 25  # games of one ruleset before another is drawn: compilers are slow
HOUSE = 0.3  # of the rulesets have house rules
QUIET_ENV = "RULESDSL_SANITIZED"
GIVEN_BACK = "given back"


class _TooLong(Exception):
    pass


def difference(games: NativeGames, scenario: Scenario | None, seed: int, draw: Random) -> str:
    """What is different about one random game; nothing when all is the same, `given back …` when the machine
    leaves it to Python."""
    asked: list[tuple[int, int]] = []
    choices: list[int] = []

    def decide(who: int, count: int) -> int:
        if len(choices) > MOST_DECISIONS:
            raise _TooLong
        asked.append((who, count))
        choices.append(int(draw.random() * count))
        return choices[-1]

    try:
        there = games.ruleset.playouts.play(scenario, str(seed), decide, cautious=True)
    except (RunawayRule, _TooLong):
        return GIVEN_BACK
    here = games.by_script(scenario, str(seed), choices, trace=True)
    if here.machine is None:
        return f"{GIVEN_BACK}: {here.stopped}"
    if here.asked != tuple(asked) or here.decisions != len(choices):
        first = next((n for n, pair in enumerate(asked) if here.asked[n : n + 1] != (pair,)), len(asked))
        one, other = here.asked[first : first + 1], asked[first : first + 1]
        return f"seed {seed}: decision {first} is {one}, not {other}"
    if here.machine.s != there.s:
        for name, one, other in zip(games.ruleset.layout.cell_names, here.machine.s, there.s, strict=True):
            if one != other:
                return f"seed {seed}: {name} is {one!r} and {other!r}"
    if (here.machine.outcome, here.machine.payoffs) != (there.outcome, there.payoffs):
        return f"seed {seed}: ends as {here.machine.outcome} and {there.outcome}"
    return ""


def drawn_rules(name: str, rng: Random) -> tuple[str, Ruleset, Scenario | None]:
    """A game with settings, a scenario and perhaps house rules, as somebody could play it."""
    game = opened(name)
    house = sorted((Path(find_game(name)) / "house").glob("*.md")) if rng.random() < HOUSE else []
    told = name
    if house:
        one = rng.choice(house)
        game, told = open_game(Path(find_game(name)), (one,)), f"{name} with {one.name}"
    settings = {
        setting.name: rng.choice(setting.alternatives)
        for setting in game.program.settings.values()
        if setting.alternatives and rng.random() < 0.3
    }
    scenario = game.scenario(rng.choice([None, *game.source.scenarios]))
    return f"{told} with {settings}", game.ruleset(settings, scenario), scenario


def native_games(count: int, flags: tuple[str, ...] = ()) -> Outcome:
    """So many games over all shipped games, their scenarios, readings and house rules."""
    outcome = Outcome()
    names = small_games() if os.environ.get("RULESDSL_QUICK_BARS") or flags else all_games()
    given_back = 0
    for number in range(max(1, -(-count // SAME_RULES))):
        rng = Random(f"native {number}")
        told, ruleset, scenario = drawn_rules(names[number % len(names)], rng)
        try:
            games = NativeGames.of(ruleset, flags)
        except NotNative as why:
            outcome.failure(f"{told}: {why}")
            continue
        for seed in range(min(SAME_RULES, count - outcome.done)):
            outcome.done += 1
            what = difference(games, scenario, seed, rng)
            if what.startswith(GIVEN_BACK):
                given_back += 1
            elif what:
                outcome.failure(f"{told}: {what}")
    outcome.note = f"{given_back} left to Python"
    return outcome


def sanitized(count: int, which: str = "native.native_games") -> Outcome:
    """The same under the address and undefined-behaviour sanitizers, in a process that has them loaded."""
    outcome = Outcome()
    found = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    )
    library = found.stdout.strip()
    if found.returncode or not Path(library).is_absolute():
        outcome.note = "gcc has no sanitizers here"
        return outcome
    code = (  # (the library is for this process: a compiler that had it, too, would take much longer)
        "import os; os.environ.pop('LD_PRELOAD'); "
        f"from tests.promises import native, native_mutants, stepping; o = {which}({count}, {SANITIZED!r}); "
        "print(o.done, o.failed, o.examples)"
    )
    surroundings = {
        **os.environ, "LD_PRELOAD": library, "RULESDSL_CC": "gcc",
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=surroundings, check=False
    )
    counted = run.stdout.rsplit("\n", 2)[-2:][0].split(" ", 1)[0]
    outcome.done = int(counted) if counted.isdigit() else 0  # what was done there, not what was asked for
    if run.returncode or "runtime error" in run.stderr or "AddressSanitizer" in run.stderr:
        outcome.failure(run.stderr[-600:] or run.stdout[-600:])
    elif " 0 []" not in run.stdout:
        outcome.failure(run.stdout[-600:])
    elif not outcome.done:
        outcome.failure("nothing was played")
    return outcome
