"""What an author and a player wait for. The peer of each is its bar, as a rate: a ratio of 1 holds it."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.cold import BAR, cold
from benchmarks.timing import Row, compare, interleave
from interpreter.playing.game import open_game
from rulesdsl import Session
from rulesdsl.base.resources import find_game, shipped_games
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.pipeline.workspace import Workspace

GAME = "race_for_berlin"
REPEATS = 5


def rows() -> list[Row]:
    found = [_command(f"check {name}", 1.0, "check", name) for name in shipped_games()]
    found.append(_command("--help", 0.2, "--help"))
    ours, python = cold()
    found.append(
        compare(
            f"first prompt of Race for Berlin, all cold ({BAR:g} times Python's start-up)",
            [1 / one for one in ours], [1 / (BAR * one) for one in python],
        )
    )  # fmt: skip
    for name, bar, work in _in_process():
        rates = interleave({"ours": work}, seconds=0.2)["ours"]
        found.append(compare(f"{name} ({bar:g} s)", rates, [1 / bar] * len(rates)))
    return found


def _command(name: str, bar: float, *arguments: str) -> Row:
    """A command of its own, warm: the processor's time of the whole process."""
    rates: list[float] = []
    for repeat in range(REPEATS + 1):
        before = _spent()
        subprocess.run(
            [sys.executable, "-m", "rulesdsl", *arguments], check=True, stdout=subprocess.DEVNULL,
            cwd=Path(__file__).parents[1],
        )  # fmt: skip
        if repeat:  # the first run fills the cache
            rates.append(1 / (_spent() - before))
    return compare(f"rulesdsl {name} ({bar:g} s)", rates, [1 / bar] * len(rates))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _in_process() -> list[tuple[str, float, Callable[[], object]]]:
    home = find_game(GAME)
    game = open_game(GAME)
    session = Session.start(game, seed=1)
    rng = Random(1)
    for _ in range(300):
        session.choose(session.options[int(rng.random() * len(session.options))])

    def load() -> object:
        return load_game(home)

    def check_all() -> object:
        source, _ = load_game(home)
        assert source is not None
        return check(source)

    def first_prompt() -> object:
        return Session.start(game, seed=1).options

    def undo() -> object:
        one = session.copy()
        one.choose(one.options[0])
        one.undo()
        return one

    return [
        ("load Race for Berlin", 1.0, load),
        ("check Race for Berlin in-process, all of it", 1.0, check_all),
        ("check after editing one paragraph", 0.15, _edited(home)),
        ("first prompt of a compiled game", 0.1, first_prompt),
        ("copy a session", 0.00005, session.copy),
        ("choose and undo", 0.05, undo),
        ("explain an option", 0.05, lambda: session.explain(session.options[0])),
    ]


def _edited(home: Path) -> Callable[[], object]:
    """Type a number into a rule and take it out again, each time with all problems of the game."""
    workspace = Workspace(home)
    path = next(path for path in workspace.paths if path.name.startswith("07"))
    text = workspace.text(path)
    versions = [
        text.replace("quantity minimum_move(unit) = 1", f"quantity minimum_move(unit) = {n}") for n in (1, 2)
    ]
    workspace.problems()
    turn = [0]

    def work() -> object:
        turn[0] += 1
        workspace.edit(path, versions[turn[0] % 2])
        return workspace.problems()

    return work
