"""The same games under every CPython that can be had: 3.11 and newer, from PATH, from pyenv, and as Pyodide.

    python -m tests.promises.interpreters --list      which there are
    python -m tests.promises.interpreters 5 chess     the digests of 5 games of chess, under this Python

Each gets our few dependencies in a folder of its own under `build/interpreters/`; what cannot be had is
named in the note, not a failure. With `bars.py --keep` a game under an interpreter is played only once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from interpreter.running.state_json import state_hash
from rulesdsl.base.resources import find_game, shipped_games
from tests.promises import PATROL, Outcome, random_game
from tests.promises.keeping import FAILED, Broken, answers

_ROOT = Path(__file__).parents[2]
_HOMES = _ROOT / "build" / "interpreters"
_NEEDS = ("lark", "networkx", "jsonschema", "pyyaml", "click", "rich", "platformdirs")
_LONG = 1_000  # decisions; longer games are played less often when fewer than so many are asked for:
_MANY = 100
_OLDEST = (3, 11)
_THIS = "tests.promises.interpreters"
_SHOWN = 12  # letters of the fingerprint of a game's end


def interpreters(count: int) -> Outcome:
    """`count` games of every game under every interpreter: the same ends for each."""
    outcome = Outcome()
    here = f"CPython {sys.version.split()[0]}"
    commands = {here: [sys.executable, "-m", _THIS]}
    notes: list[str] = []
    for name, command in found_pythons():
        if isinstance(command, str):
            notes.append(f"{name}: not measured ({command})")
        else:
            commands[name] = command
    games = sorted([*shipped_games(), PATROL], key=_written)
    attempts = [
        (f"{name}, {count} of {Path(game).name}", partial(_ends, command, count, game))
        for game in games
        for name, command in commands.items()
    ]
    told = dict(answers("interpreters", attempts))
    played = dict.fromkeys(commands, 0)
    for game in games:
        lines = {name: told[f"{name}, {count} of {Path(game).name}"] for name in commands}
        for name, line in lines.items():
            if line.startswith(FAILED):
                outcome.failure(f"{Path(game).name} under {name}: {line.removeprefix(FAILED)}")
                continue
            one, other = lines[here].split(), line.split()
            played[name] += len(other)
            outcome.done += len(other)
            if one != other:
                differ = [n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
                outcome.failure(f"{Path(game).name} differs under {name}: games {differ[:5]}")
    notes[:0] = [f"{name}: {number} games" for name, number in played.items()]
    outcome.note = "; ".join(notes)
    return outcome


def _written(game: str) -> int:
    """How much is written about a game; the longest take hours, so they come last."""
    return sum(path.stat().st_size for path in find_game(game).rglob("*.md"))


def digests(count: int, name: str) -> list[str]:
    """The fingerprints of the final states of a game; of long games there are fewer in short runs."""
    first, decisions = _digest(name, 0)
    games = count if decisions < _LONG or count >= _MANY else max(1, count // 10)
    return [first, *(_digest(name, seed)[0] for seed in range(1, games))]


def _digest(name: str, seed: int) -> tuple[str, int]:
    """The end of a game as one word, and how many decisions led to it."""
    for decisions, machine in enumerate(random_game(name, seed)):
        if machine.pending is None:
            end = f"{state_hash(machine)} {machine.outcome}"
            return sha256(end.encode()).hexdigest()[:_SHOWN], decisions
    raise AssertionError("a game that does not end has been told")


# ---- which there are ---------------------------------------------------------------------------------
def found_pythons() -> Iterator[tuple[str, list[str] | str]]:
    """Each other version with a command that runs it with our dependencies, or why there is none."""
    seen: set[tuple[int, ...]] = {sys.version_info[:2]}
    for path in _candidates():
        full = _version_of(path)
        version = full[:2]
        if version < _OLDEST or version in seen:
            continue
        seen.add(version)
        number = ".".join(map(str, version))
        laid = _laid_out(_HOMES / number, "--python-version", number, "--only-binary", ":all:")
        yield (
            f"CPython {'.'.join(map(str, full))}",
            laid or ["env", f"PYTHONPATH={_ROOT}:{_HOMES / number}", str(path), "-m", _THIS],
        )
    yield "Pyodide", _pyodide()


def _candidates() -> Iterator[Path]:
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places += sorted(home / "bin" for home in pyenv.glob("*") if home.is_dir())
    for place in places:
        yield from sorted(
            path for path in place.glob("python3.*") if re.fullmatch(r"python3\.\d+", path.name)
        )


def _version_of(path: Path) -> tuple[int, ...]:
    """What it says of itself: a name on PATH may be a stand-in for something that is not installed."""
    code = "import sys; print(*sys.version_info[:3], sys.implementation.name)"
    try:
        result = subprocess.run(
            [str(path), "-c", code], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    words = result.stdout.split()
    return tuple(map(int, words[:3])) if len(words) == 4 and words[3] == "cpython" else ()


def _laid_out(folder: Path, *flags: str) -> str:
    """What we need, laid out by pip of this Python for another one, once; or why it cannot be."""
    if not (folder / ".installed").exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        result = subprocess.run(
            [*pip, "--target", str(folder), "--upgrade", *flags, *_NEEDS],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            return f"no dependencies: {result.stderr.strip()[-120:]}"
        (folder / ".installed").touch()
    return ""


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
    script = str(Path(__file__).with_name("pyodide.mjs"))
    return _laid_out(home / "site-packages") or ["node", script, str(home), str(_ROOT)]


def _ends(command: list[str], count: int, game: str) -> str:
    """The ends of the games under an interpreter, in one line."""
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "RULESDSL_NO_CACHE": "1"}
    result = subprocess.run(
        [*command, str(count), str(Path(game).relative_to(_ROOT)) if Path(game).is_absolute() else game],
        env=environment,
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode or not result.stdout.strip():
        lines = result.stderr.strip().splitlines() or ["no word"]
        raise Broken(f"it does not run: {lines[-1][:160]}")
    ends: list[str] = json.loads(result.stdout.strip().splitlines()[-1])
    return " ".join(ends)


def main(arguments: list[str]) -> None:
    if arguments == ["--list"]:
        for name, command in found_pythons():
            print(name, command)
        return
    print(json.dumps(digests(int(arguments[0]), arguments[1])))


if __name__ == "__main__":
    main(sys.argv[1:])
