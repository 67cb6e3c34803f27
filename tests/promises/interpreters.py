"""The same games under every CPython that can be had: 3.11 and newer, from PATH, from pyenv, and as Pyodide.

    python -m tests.promises.interpreters --list      which there are
    python -m tests.promises.interpreters 5           the digests of 5 games each, under this Python

An interpreter gets our few dependencies in an environment of its own under `build/interpreters/`; what cannot
be had is named in the note, not a failure.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from interpreter.running.state_json import state_hash
from rulesdsl.base.resources import shipped_games
from tests.promises import PATROL, Outcome, random_game

_ROOT = Path(__file__).parents[2]
_HOMES = _ROOT / "build" / "interpreters"
_NEEDS = ("lark", "networkx", "jsonschema", "pyyaml", "click", "rich", "platformdirs")
_LONG = 1_000  # decisions; longer games are played less often when fewer than so many are asked for:
_MANY = 100
_OLDEST = (3, 11)


def interpreters(count: int) -> Outcome:
    """`count` games of every game under every interpreter: the same number for each."""
    outcome = Outcome()
    notes: list[str] = []
    expected = digests(count)
    for name, command in found_pythons():
        answer = _run(command, count)
        if isinstance(answer, str):
            notes.append(f"{name}: not measured ({answer})")
            continue
        version = "".join(answer.pop("version", []))
        notes.append(f"{name} {version}".strip() + f": {sum(map(len, answer.values()))} games")
        for game, one in expected.items():
            outcome.done += len(one)
            if answer.get(game) != one:
                differ = [
                    n for n, (a, b) in enumerate(zip(one, answer.get(game, []), strict=False)) if a != b
                ]
                outcome.failure(f"{game} differs under {name}: games {differ[:5]}")
    outcome.note = "; ".join(notes) or "no other interpreter"
    if not outcome.done:  # nothing to compare with is not a failure of ours
        outcome.done = sum(map(len, expected.values()))
    return outcome


def digests(count: int) -> dict[str, list[str]]:
    """For every game the fingerprints of its final states; of long games there are fewer in short runs."""
    found: dict[str, list[str]] = {}
    for name in [*shipped_games(), PATROL]:
        first, decisions = _digest(name, 0)
        games = count if decisions < _LONG or count >= _MANY else max(1, count // 10)
        found[Path(name).name] = [first, *(_digest(name, seed)[0] for seed in range(1, games))]
    return found


def _digest(name: str, seed: int) -> tuple[str, int]:
    """The end of a game as one text, and how many decisions led to it."""
    for decisions, machine in enumerate(random_game(name, seed)):
        if machine.pending is None:
            return f"{state_hash(machine)} {machine.outcome}", decisions
    raise AssertionError("a game that does not end has been told")


# ---- which there are ---------------------------------------------------------------------------------
def found_pythons() -> Iterator[tuple[str, list[str] | str]]:
    """Each other version with a command that runs it with our dependencies, or why there is none."""
    seen = {sys.version_info[:2]}
    for path in _candidates():
        version = _version_of(path)
        if version is None or version < _OLDEST or version in seen:
            continue
        seen.add(version)
        name = f"CPython {version[0]}.{version[1]}"
        home = _HOMES / f"{version[0]}.{version[1]}"
        yield name, _environment(path, home)
    yield "Pyodide", _pyodide()


def _candidates() -> Iterator[Path]:
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places += sorted(home / "bin" for home in pyenv.glob("*") if home.is_dir())
    for place in places:
        yield from sorted(
            path for path in place.glob("python3.*") if re.fullmatch(r"python3\.\d+", path.name)
        )


def _version_of(path: Path) -> tuple[int, int] | None:
    """What it says of itself: a name on PATH may be a stand-in for something that is not installed."""
    code = "import sys; print(*sys.version_info[:2], sys.implementation.name)"
    try:
        result = subprocess.run(
            [str(path), "-c", code], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = result.stdout.split()
    return (int(words[0]), int(words[1])) if len(words) == 3 and words[2] == "cpython" else None


def _environment(python: Path, home: Path) -> list[str] | str:
    """The command of a virtual environment with what we need; made once."""
    inside = home / "bin" / "python"
    if not (home / ".installed").exists():
        steps = [
            [str(python), "-m", "venv", "--clear", str(home)],
            [str(inside), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *_NEEDS],
        ]
        for step in steps:
            result = subprocess.run(step, capture_output=True, text=True, check=False)
            if result.returncode:
                return f"no environment: {result.stderr.strip()[-120:]}"
        (home / ".installed").touch()
    return [str(inside)]


def _pyodide() -> list[str] | str:
    """Node with the package `pyodide`, and the script that plays inside of it."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "no node"
    home = _HOMES / "pyodide"
    if not (home / "node_modules" / "pyodide").exists():
        home.mkdir(parents=True, exist_ok=True)
        result = subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", "pyodide"],
            cwd=home, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if result.returncode:
            return f"npm cannot install it: {(result.stderr or result.stdout).strip()[-120:]}"
    return ["node", str(Path(__file__).with_name("pyodide.mjs")), str(home), str(_ROOT)]


def _run(command: list[str] | str, count: int) -> dict[str, list[str]] | str:
    if isinstance(command, str):
        return command
    words = ["-m", "tests.promises.interpreters"] if command[0] != "node" else []
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "RULESDSL_NO_CACHE": "1"}
    result = subprocess.run(
        [*command, *words, str(count)],
        env=environment,
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        lines = result.stderr.strip().splitlines() or ["no word"]
        return f"it does not run: {lines[-1][:160]}"
    answer: dict[str, list[str]] = json.loads(result.stdout.strip().splitlines()[-1])
    return answer


def main(arguments: list[str]) -> None:
    if arguments == ["--list"]:
        for name, command in found_pythons():
            print(name, command)
        return
    print(json.dumps(digests(int(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
