"""Hostile rulebooks (tests/hostile): every command on each of them ends, in time and space, with a place.

A command runs in a child of a small process of its own, which has everything imported already: what is
measured is the command, not the tests that asked for it (a child begins with its parent's memory). It may
take `SECONDS` of processor and `MEGABYTES`, and ends in one of three ways: all right, refused as a mistake of
whoever called it, or refused with file and line (a runaway rule also with its paragraph).
"""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.hostile import BOMBS, write
from tests.promises import Outcome
from tests.promises.keeping import FAILED, Broken, answers

SECONDS, MEGABYTES = 10, 1000
AT_ONE_GO = "at one go"  # a game that nobody stops
_STREAMS = ((0, "r"), (1, "w"), (2, "w"))
_PLACE = re.compile(r"\.(?:md|yaml):\d+")
_RUNAWAY = re.compile(r"this rule .*?\.md:\d+, paragraph \S+\)")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: exit code (below 0: a signal), processor time, memory, and what it said."""

    code: int
    seconds: float
    megabytes: float
    said: str


def commands(game: str, out: str) -> dict[str, tuple[Sequence[str], str]]:
    """What is typed, and what is then answered."""
    return {
        "check": (["check", game], ""),
        "play": (["play", game, "--seat", "all=random", "--seed", "1", "--save", f"{out}/play.save"], ""),
        "simulate": (["simulate", game, "--games", "2", "--seed", "1"], ""),
        "compare": (["compare", game, "--games", "2", "--seed", "1"], ""),
        "odds": (["odds", game, "bang"], ""),
        "docs": (["docs", game, "--out", f"{out}/docs"], ""),
        "map": (["map", game, "--out", f"{out}/map.svg"], ""),
        "exceptions": (["exceptions", game, "1"], ""),
        "ledger": (["ledger", game, "--games", "2"], ""),
        "test": (["test", game], ""),
        "hint": (["play", game, "--seed", "1", "--save", f"{out}/hint.save"], "hint\n1\nhint\nlog\nquit\n"),
        "greedy": (
            ["play", game, "--seat", "red=greedy", "--seed", "1", "--save", f"{out}/greedy.save"],
            "1\nquit\n",
        ),
        "mcts": (
            ["play", game, "--seat", "red=mcts:4", "--seed", "1", "--save", f"{out}/mcts.save"],
            "1\nquit\n",
        ),
    }


def at_one_go(game: str) -> None:
    """A game that nobody stops, as `simulate` plays many."""
    from interpreter.measuring.simulation import play_without_stopping
    from interpreter.playing.game import open_game

    opened = open_game(game)
    ruleset = opened.ruleset({}, opened.scenario())
    play_without_stopping(ruleset, opened.scenario(), dict.fromkeys(ruleset.seats.ids, "random"), "1")


def run(work: Callable[[], object], typed: str, seconds: int = SECONDS) -> Ended:
    """Do something in a child process with limits."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as given:
        given.write(typed.encode())
        given.seek(0)
        child = os.fork()
        if not child:
            _limited(work, said.fileno(), given.fileno(), seconds)
        _, status, used = os.wait4(child, 0)
        said.seek(0)
        text = said.read().decode(errors="replace")
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return Ended(code, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, text)


def _limited(work: Callable[[], object], said: int, given: int, seconds: int) -> None:
    code = 4
    try:
        os.dup2(given, 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, m, closefd=False) for n, m in _STREAMS)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 2))
        resource.setrlimit(resource.RLIMIT_AS, (3 * MEGABYTES * 1_000_000,) * 2)
        found = work()
        code = found if isinstance(found, int) else 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    except BaseException as error:
        from rulesdsl.cli.failures import report

        code = report(error)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def wrong_with(ended: Ended) -> str:
    """Why a command did not end as it should; empty when it did."""
    if ended.code < 0 or ended.seconds > SECONDS:
        return f"took {ended.seconds:.1f} s" + (f" (signal {-ended.code})" if ended.code < 0 else "")
    if ended.megabytes > MEGABYTES:
        return f"took {ended.megabytes:.0f} MB"
    if ended.code not in (0, 1, 2):
        return f"exit {ended.code}: {ended.said.strip()[-300:]}"
    if ended.code == 1 and not _PLACE.search(ended.said):
        return f"no place: {ended.said.strip()[-300:]}"
    said = " ".join(ended.said.replace("│", " ").split())  # as it was before the screen broke its lines
    if "this rule " in said and not _RUNAWAY.search(said):
        return f"no paragraph: {ended.said.strip()[-300:]}"
    return ""


def small_process() -> ProcessPoolExecutor:
    """One process with nothing in it yet; its children are small, whoever asked for it."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def run_command(command: str, game: str, out: str) -> Ended:
    """One command, by its name, on a game; what it writes goes to `out`."""
    from rulesdsl.cli.group import commands as typed_commands

    if command == AT_ONE_GO:
        return run(partial(at_one_go, game), "")
    typed, answers = commands(game, out)[command]
    return run(partial(typed_commands.main, [*typed], prog_name="rulesdsl"), answers)


def hostile(count: int) -> Outcome:
    """`count` hostile rulebooks (spread over all of them), each command on each."""
    outcome, slowest, largest = Outcome(), (0.0, ""), (0.0, "")
    names = [*BOMBS][:: max(1, len(BOMBS) // count)]
    with small_process() as process:
        attempts = [
            (f"{command} {name}", partial(_attempt, process, name, command))
            for name in names
            for command in (AT_ONE_GO, *commands("", ""))
        ]
        for what, answer in answers("hostile", attempts, alone=True):
            outcome.done += 1
            if answer.startswith(FAILED):
                outcome.failure(f"{what}: {answer.removeprefix(FAILED)}")
                continue
            seconds, megabytes = map(float, answer.split()[::2])
            slowest, largest = max(slowest, (seconds, what)), max(largest, (megabytes, what))
    outcome.note = f"slowest {slowest[0]:.1f} s ({slowest[1]}), largest {largest[0]:.0f} MB ({largest[1]})"
    return outcome


def _attempt(process: ProcessPoolExecutor, name: str, command: str) -> str:
    with tempfile.TemporaryDirectory() as directory:
        game = str(write(Path(directory), name))
        ended = process.submit(run_command, command, game, directory).result()
    if what := wrong_with(ended):
        raise Broken(what)
    return f"{ended.seconds:.1f} s {ended.megabytes:.0f} MB"
