"""Every command in bad surroundings: a full disk, closed streams, named pipes, directories that are gone.

`LINES` has a line for each command of the command line (a test holds that none is missing), `SITUATIONS`
what is wrong around it. Whatever it is, a command ends by itself, with a sentence where it did not do its
work, and never as a bug of ours. Files that are named in a line are made anew for each attempt:

    {game} {save} {house} {other} {variant} {study} {studied} {key}    what is read
    {out}                                                     what is written
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rulesdsl.base.resources import find_game
from tests.promises import Outcome
from tests.promises.hostile import small_process
from tests.promises.keeping import FAILED, Broken, answers

SECONDS = 60.0  # by the clock: what takes longer waits for something
SERVED = 15.0  # seconds after which somebody types Ctrl-C at a program that serves, and has not said so
HOUSE = "# Idle\nNothing happens.\n\n## after 1 → 1a Idle\nNobody moves.\n"
STUDY = """study: short
title: Short
question: Is it short?
seed: "1"
games: 2
base: {game: "GAME", seats: {all: random}}
arms: [{name: As printed}, {name: Again}]
"""

# how each command is typed, without its name
LINES = {
    "table": "{game} --port 0 --no-browser --seat all=human --save {out}",
    "play": "{game} --seed 1 --save {out}",
    "simulate": "{game} --games 2 --seed 1 --out {out}.csv --svg {out}.svg",
    "replay": "{save}",
    "analyse": "{save} --tries 2 --most 2 --svg {out}.svg",
    "train": "skirmish --trials 1 --checks 1 --tries 1 --log {out}.log --out {out}",
    "verify": "{save}",
    "key": "new {out}",
    "list": "",
    "rule": "{game} 1",
    "readings": "{game} --out {out}",
    "docs": "{game} --out {out}",
    "aid": "{game} --out {out}.html",
    "map": "{game} --out {out}.svg --save {save}",
    "odds": "skirmish",
    "exceptions": "{game}",
    "new": "{out}",
    "check": "{game} --house {house}",
    "fmt": "{game}",
    "test": "{game}",
    "words": "{game} cell",
    "find": "{game} wins",
    "lsp": "--game {game}",
    "ledger": "{game} --games 1",
    "workshop": "{game} --port 0 --no-browser",
    "house new": "{game} Idle --amend 1 --to {out}",
    "diff": "{game} --house {house} --out {out}.html",
    "compare": "{game} --house {house} --games 2 --seed 1",
    "merge": "{game} {house} {other} --to {out}",
    "variant new": "{game} Mine --house {house} --to {out}",
    "variant show": "{variant}",
    "study run": "{study} --out {out}",
    "study status": "{studied}",
    "study report": "{studied} --no-pdf --out {out}",
    "code": "{game}",
    "completion": "bash",
}
SERVING = ("table", "workshop")
# what is told with exit code 1 or 2 although nothing is wrong: so short a training has nothing to write,
# `diff` has found a difference, rules of no meaning do not clash
TOLD = ("no more than luck", "written: ", "do not clash")
# what is tried with every command whenever the tests are run; the bar tries everything
QUICK = ("nothing wrong", "all closed", "disk full", "pipes to read")
# what may be said that is no sentence of ours: nothing of this may be in it
OURS = ("bug of ours", "Traceback", "Exception ignored", "Fatal Python")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code (None: it did not), and what it said on each stream."""

    code: int | None
    said: str
    complained: str


# ---- what is wrong -------------------------------------------------------------------------------------
def _nothing() -> None:
    pass


def _output_full() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _closed(*streams: int) -> None:
    for stream in streams:
        os.close(stream)


def _nowhere() -> None:
    place = tempfile.mkdtemp()
    os.chdir(place)
    os.rmdir(place)


def _disk_full() -> None:
    """No byte can be written to any file, as if the disk were full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


SITUATIONS: dict[str, Callable[[], None]] = {
    "nothing wrong": _nothing,
    "output full": _output_full,
    "output closed": partial(_closed, 1),
    "input closed": partial(_closed, 0),
    "errors closed": partial(_closed, 2),
    "all closed": partial(_closed, 0, 1, 2),
    "directory gone": _nowhere,
    "disk full": _disk_full,
    "pipes to read": _nothing,
    "pipes to write": _nothing,
    "out in no directory": _nothing,
    "out in a directory without room": _nothing,
}


def files(place: Path, situation: str) -> dict[str, str]:
    """What a line names, made for an attempt; in some situations it is not what it should be."""
    game = place / "tic_tac_toe"
    shutil.copytree(find_game("tic_tac_toe"), game)
    found = {"game": str(game), "out": str(place / "out")}
    texts = {
        "house": HOUSE,
        "other": HOUSE.replace("Idle", "Lazy").replace("1a", "1b"),
        "variant": f"variant: mine\ntitle: Mine\ngame: {game}\n",
        "study": STUDY.replace("GAME", str(game)),
    }
    for name, text in texts.items():
        path = place / f"{name}.{'md' if text.startswith('#') else 'yaml'}"
        path.write_text(text, encoding="utf-8")
        found[name] = str(path)
    kept = _kept()
    for name in ("save", "studied"):
        source = kept / name
        copied = shutil.copytree if source.is_dir() else shutil.copyfile
        copied(source, place / name)
        found[name] = str(place / name)
    if situation == "pipes to read":
        for name in ("house", "other", "variant", "study", "save"):
            Path(found[name]).unlink()
            os.mkfifo(found[name])
        for path in [*game.rglob("*.md"), *(place / "studied").rglob("*.*")]:
            path.unlink()
            os.mkfifo(path)
    elif situation == "pipes to write":
        for ending in ("", ".csv", ".svg", ".log", ".html"):
            os.mkfifo(f"{found['out']}{ending}")
    elif situation == "out in no directory":
        found["out"] = str(place / "gone" / "out")
    elif situation == "out in a directory without room":
        found["out"] = "/dev/full/out"
    return found


_made: list[Path] = []


def _kept() -> Path:
    """A save and the results of a study, made once in a process."""
    if not _made:
        from click.testing import CliRunner

        from interpreter.playing.game import open_game
        from rulesdsl import Session
        from rulesdsl.cli.group import commands

        place = Path(tempfile.mkdtemp())
        session = Session.start(open_game("tic_tac_toe"), seed=1)
        for _ in range(3):
            session.choose(session.options[0])
        session.save(place / "save")
        study = place / "study.yaml"
        study.write_text(STUDY.replace("GAME", "tic_tac_toe"), encoding="utf-8")
        played = CliRunner().invoke(commands, ["study", "run", str(study), "--out", str(place / "studied")])
        assert played.exit_code == 0, played.output
        _made.append(place)
    return _made[0]


# ---- an attempt ----------------------------------------------------------------------------------------
def run(command: str, situation: str) -> Ended:
    """A command in a situation, in a child of this process."""
    from rulesdsl.cli.group import commands

    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        named = files(place, situation)
        line = [*command.split(), *(word.format(**named) for word in LINES[command].split())]
        (place / "home").mkdir()
        said, complained = os.pipe(), os.pipe()
        child = os.fork()
        if not child:
            code = 99
            try:
                os.environ |= {"HOME": str(place / "home"), "XDG_CACHE_HOME": str(place / "home")}
                os.chdir(place)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(said[1], 1)
                os.dup2(complained[1], 2)
                os.closerange(3, 64)
                SITUATIONS[situation]()
                sys.stdin, sys.stdout, sys.stderr = (_opened(n, m) for n, m in ((0, "r"), (1, "w"), (2, "w")))
                commands.main(line, prog_name="rulesdsl")
            except SystemExit as left:
                code = left.code if isinstance(left.code, int) else 98
            finally:
                os._exit(code)
        os.close(said[1])
        os.close(complained[1])
        return _waited(child, (said[0], complained[0]), SERVED if command in SERVING else 0)


def _opened(number: int, mode: str) -> object:
    """A stream as Python begins with it: nothing where it is closed."""
    try:
        os.fstat(number)
    except OSError:
        return None
    return os.fdopen(number, mode, closefd=False)


def _waited(child: int, streams: tuple[int, int], served: float) -> Ended:
    words = dict.fromkeys(streams, b"")
    left, begun, told = set(streams), time.monotonic(), False
    code: int | None = None
    while True:
        ready, _, _ = select.select([*left], [], [], 0.05)
        for stream in ready:
            part = os.read(stream, 1 << 16)
            words[stream] += part
            if not part:
                left.discard(stream)
        passed = time.monotonic() - begun
        if served and not told and (b"Ctrl-C" in b"".join(words.values()) or passed > served):
            os.kill(child, signal.SIGINT)
            told = True
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            break
        if passed > SECONDS:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
    for stream in streams:
        while stream in left and select.select([stream], [], [], 0)[0] and (part := os.read(stream, 1 << 16)):
            words[stream] += part
        os.close(stream)
    return Ended(code, *(words[stream].decode(errors="replace") for stream in streams))


def wrong_with(ended: Ended, situation: str) -> str:
    """Why a command did not end as it should; empty when it did."""
    said = (ended.said + ended.complained).strip()
    if ended.code is None:
        return f"does not end: {said[-200:]}"
    if ended.code not in (0, 1, 2, 130) or any(word in said for word in OURS):
        return f"exit {ended.code}: {said[-400:]}"
    if situation == "nothing wrong" and ended.code in (1, 2) and not any(word in said for word in TOLD):
        return f"exit {ended.code} although nothing is wrong: {said[-300:]}"
    if situation == "output full" and not ended.code and ended.said:
        return "all is well, it says, and nothing was written"
    hears = situation not in ("errors closed", "all closed")
    if ended.code in (1, 2) and hears and not said:
        return f"exit {ended.code} without a word"
    return ""


def surroundings(count: int) -> Outcome:
    """`count` commands (spread over all of them), each in every situation."""
    outcome = Outcome()
    names = [*LINES][:: max(1, len(LINES) // count)]
    with small_process() as process:
        attempts = [
            (f"{name}, {situation}", partial(_attempt, process.submit, name, situation))
            for name in names
            for situation in SITUATIONS
        ]
        for what, answer in answers("surroundings", attempts, alone=True):
            outcome.done += 1
            if answer.startswith(FAILED):
                outcome.failure(f"{what}: {answer.removeprefix(FAILED)}")
    return outcome


def _attempt(submit: Callable[..., object], name: str, situation: str) -> str:
    ended = submit(run, name, situation).result()  # type: ignore[attr-defined]
    if what := wrong_with(ended, situation):
        raise Broken(what)
    return f"exit {ended.code}"


def all_commands() -> Iterator[str]:
    """The names of all commands that can be typed."""
    import click

    from rulesdsl.cli.group import commands

    waiting: list[tuple[str, click.Command]] = [("", commands)]
    while waiting:
        name, command = waiting.pop()
        if not isinstance(command, click.Group):
            yield name
            continue
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            waiting.append((f"{name} {each}".strip(), found))
