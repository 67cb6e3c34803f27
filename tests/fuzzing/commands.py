"""Every command that reads a game, on a generated one: it may refuse, but never with a bug of ours."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from interpreter.running.fuel import RunawayRule
from rulesdsl.cli import group
from tests.fuzzing.trials import Accepted, Found, place_of

BUG = 3


def commands(accepted: Accepted) -> None:
    """check, test, docs, map, odds, exceptions, ledger, simulate, diff; `play` by itself."""
    directory = accepted.directory
    game = str(directory)
    beside = directory.parent
    house = sorted((directory / "house").glob("*.md")) if (directory / "house").is_dir() else []
    number = next(iter(accepted.game.program.paragraphs))
    calls = [
        ["check", game],
        ["test", game],
        ["exceptions", game],
        ["exceptions", game, number],
        ["rule", game, number],
        ["readings", game],
        ["odds", game],
        ["ledger", game, "--games", "1"],
        ["simulate", game, "--games", "2", "--seed", "1"],
        ["play", game, "--seed", "1"],
        ["map", game, "--out", str(beside / "map.svg")],
        ["docs", game, "--out", str(beside / "docs")],
    ]
    if "odds_it" in accepted.game.program.procedures:
        calls.append(["odds", game, "it", *_given(accepted)])
    for rule in house:
        calls.append(["diff", game, "--house", str(rule)])
    for call in calls:
        called(call, beside)


def _given(accepted: Accepted) -> list[str]:
    """The first thing of its class for every parameter."""
    program = accepted.game.program
    found = []
    for param in program.procedures["odds_it"].params:
        type_ = param.type
        if type_.kind in ("thing", "set"):
            universe = program.world.universes[type_.name]
            of = [i for i, cls in zip(universe.ids, universe.classes, strict=True) if type_.of in ("", cls)]
            found.append(of[0] if of else "none")
        elif type_.kind == "enum":
            found.append(program.world.enums[type_.name].values[0])
        else:
            found.append("1" if type_.kind == "number" else "true")
    return found


def called(call: list[str], beside: Path) -> str:
    """What a command says; a bug of ours is found."""
    environment = {"NO_COLOR": "1", "COLUMNS": "80", "RULESDSL_DEBUG": "1", "RULESDSL_NO_CACHE": "1"}
    result = CliRunner(env=environment).invoke(group.commands, call)
    error = result.exception
    if error is not None and not isinstance(error, (SystemExit, RunawayRule)):
        raise Found(f"crash in {call[0]}: {place_of(error)}", str(error)[:200]) from error
    if result.exit_code == BUG:
        lines = [line for line in result.output.splitlines() if line.strip()]
        places = [
            line.split("/")[-1].strip()
            for line in lines
            if line.strip().startswith("File ") and "site-packages" not in line
        ]
        raise Found(
            f"crash in {call[0]}: {lines[-1].split(':')[0]} in {' '.join(_names(places))}", lines[-1][:200]
        )
    return result.output


def _names(places: list[str]) -> list[str]:
    """`machine.py", line 3, in run` → `machine.py:run`, the last two."""
    found = []
    for place in places[-2:]:
        file, _, function = place.partition('", line ')
        found.append(f"{file}:{function.rsplit(' ', 1)[-1]}")
    return found
