"""The engine beside that of a commit, on the same rules: `python -m benchmarks.beside_commit COMMIT`.

What a game costs in Python changes with its rules and with the engine. So the commit is unpacked into a
folder of its own, and the games *of that commit* are played by both engines, each in a process of its own, by
turns, in processor time; the median of the paired ratios is printed with their spread (1 and more: nothing
was lost). A game whose old rules the new engine refuses is left out and named. `--now` adds the games as they
are now. `--counted` counts instructions of Python instead of time: both play the very same games, so on a
loaded machine, too, two runs give the same number (what is done in C, such as arithmetic, counts one).

* random games at one go and decision by decision, of every game of the commit
* reach, supply and combat of the wargame, as ratios to the same written by hand (`benchmarks.wargame`)
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parents[1]
TURNS = 7
SECONDS = 0.6
# what runs in each process: lines of JSON in, a line of JSON out
_CHILD = """
import importlib, json, sys, time
sys.path.insert(0, sys.argv[1])
from benchmarks import run
works = {}
for line in sys.stdin:
    asked = json.loads(line)
    try:
        if asked["kind"] == "wargame":
            war = importlib.import_module("benchmarks.wargame")
            war.GAME = asked["game"]
            answer = {row["name"]: row["ratio"] for row in war.rows()}
        else:
            key = asked["kind"], asked["game"]
            if key not in works:
                made = run.at_one_go if asked["kind"] == "at one go" else run.step_by_step
                works[key] = made(asked["game"])
                works[key]()
            if asked["counted"]:
                count = 0
                def traced(frame, event, _):
                    frame.f_trace_opcodes, frame.f_trace_lines = True, False
                    return counting
                def counting(frame, event, _):
                    global count
                    count += event == "opcode"
                    return counting
                sys.settrace(traced)
                for _ in range(asked["counted"]):
                    works[key]()
                sys.settrace(None)
                print("\\x1e" + json.dumps({"rate": asked["counted"] * 1e6 / count}), flush=True)
                continue
            work, games, start = works[key], 0, time.process_time()
            while (spent := time.process_time() - start) < asked["seconds"]:
                work()
                games += 1
            answer = {"rate": games / spent}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
    print("\\x1e" + json.dumps(answer), flush=True)
"""


class Engine:
    """An engine in a process of its own, asked by turns."""

    def __init__(self, home: Path) -> None:
        surroundings = {
            **os.environ,
            "PYTHONPATH": str(home),
            "PYTHONHASHSEED": "0",
            "RULESDSL_NO_NATIVE": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(home)], cwd=home, env=surroundings, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, kind: str, game: str, seconds: float = SECONDS, counted: int = 0) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            json.dumps({"kind": kind, "game": game, "seconds": seconds, "counted": counted}) + "\n"
        )
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("\x1e"):
                answer: dict[str, Any] = json.loads(line[1:])
                return answer
        return {"error": "the process has ended"}

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@contextmanager
def engine(home: Path) -> Iterator[Engine]:
    made = Engine(home)
    try:
        yield made
    finally:
        made.close()


def unpack(commit: str, place: Path) -> None:
    """A commit of this repository, as files."""
    packed = subprocess.run(["git", "archive", commit], cwd=HERE, capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as files:
        files.extractall(place, filter="data")


def games_of(home: Path) -> list[str]:
    """Games of a checkout, by their folders; modules that other games read along are no games."""
    found = []
    for file in sorted((home / "games").glob("**/game.yaml")):
        if "\nplayers:" in file.read_text(encoding="utf-8"):
            found.append(str(file.parent))
    return found


def line(name: str, new: Sequence[float], old: Sequence[float]) -> str:
    ratios = [one / other for one, other in zip(new, old, strict=True)]
    return (
        f"{name:<58} {median(new):>10,.1f} {median(old):>10,.1f} {median(ratios):>7.2f} "
        f"{min(ratios):>6.2f} to {max(ratios):.2f}"
    )


def beside(new: Engine, old: Engine, home: Path, wanted: Sequence[str], now: bool, counted: int = 0) -> None:
    print(f"{'':<58} {'now':>10} {'then':>10} {'ratio':>7} {'spread':>6}", flush=True)
    for game in games_of(home):
        name = str(Path(game).relative_to(home / "games"))
        if wanted and name not in wanted:
            continue
        for kind in ("at one go", "decision by decision"):
            first = new.ask(kind, game, 0.0), old.ask(kind, game, 0.0)  # warm
            if errors := [answer["error"] for answer in first if "error" in answer]:
                print(f"{name}: left out ({errors[0]})", flush=True)
                break
            if counted:  # games in a million instructions
                both = [one.ask(kind, game, counted=counted)["rate"] for one in (new, old)]
                print(line(f"{name}, {kind}", both[:1], both[1:]), flush=True)
                continue
            rates: tuple[list[float], list[float]] = ([], [])
            for turn in range(TURNS):
                for one in (0, 1) if turn % 2 else (1, 0):
                    rates[one].append((new, old)[one].ask(kind, game)["rate"])
            print(line(f"{name}, {kind}", *rates), flush=True)
        if now and (HERE / "games" / name).exists():
            rate = new.ask("at one go", str(HERE / "games" / name), 3 * SECONDS)
            print(f"{name}, rules as they are now: {rate.get('rate', 0):,.1f}", flush=True)


def wargame(new: Engine, old: Engine, home: Path) -> None:
    game = str(home / "games" / "race_for_berlin")
    rows: dict[str, tuple[list[float], list[float]]] = {}
    for turn in range(3):
        for one in (0, 1) if turn % 2 else (1, 0):
            answer = (new, old)[one].ask("wargame", game)
            if "error" in answer:
                print(f"wargame: left out ({answer['error']})")
                return
            for name, ratio in answer.items():
                rows.setdefault(name, ([], []))[one].append(ratio)
    for name, (mine, theirs) in rows.items():
        if len(mine) == len(theirs):
            print(line(f"{name}, × by hand", mine, theirs), flush=True)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit")
    parser.add_argument("games", nargs="*", help="only these, such as tutorial/hex")
    parser.add_argument("--now", action="store_true", help="the games as they are now, too")
    parser.add_argument(
        "--counted", type=int, default=0, metavar="GAMES", help="instructions of so many games"
    )
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        try:
            unpack(given.commit, home)
        except subprocess.CalledProcessError as error:
            print(error.stderr.decode(errors="replace").strip() or "there is no such commit", file=sys.stderr)
            return 2
        with engine(HERE) as new, engine(home) as old:
            beside(new, old, home, given.games, given.now, given.counted)
            if not given.games and not given.counted:
                wargame(new, old, home)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
