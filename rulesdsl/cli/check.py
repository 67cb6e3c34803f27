"""`rulesdsl check`: everything that is wrong, all at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulesdsl.checked import problems_of
from rulesdsl.cli.arguments import GAME, game_directory, house_option, json_option
from rulesdsl.cli.output import number_of, print_json, print_problems
from rulesdsl.diagnostics import Diagnostic, UsageError, errors, to_json
from rulesdsl.resources import shipped_games

SCHEMA_VERSION = 1


@click.command()
@click.argument("games", nargs=-1, type=GAME, metavar="[GAME]…")
@house_option
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
def check(games: tuple[str, ...], house: tuple[Path, ...], as_json: bool, strict: bool) -> int:
    """Check games: names, types, tables, exceptions, everything that can be known before play.

    Without a GAME every shipped game is checked. Exit code 0 when there are no errors, 1 when there are,
    2 when a game cannot be found.
    """
    if house and len(games) != 1:
        raise UsageError("--house belongs to one game: name exactly one")
    names = games or tuple(shipped_games())
    directories = [game_directory(name) for name in names]  # a misspelt name is told before the first check
    found: list[Diagnostic] = []
    for name, directory in zip(names, directories, strict=True):
        problems = problems_of(directory, house)
        found += problems
        if not as_json:
            print_problems(problems)
            click.echo(f"{name}: {_counted(problems)}", file=sys.stderr if problems else sys.stdout)
    wrong = errors(found)
    warnings = [p for p in found if p.severity == "warning"]
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "errors": [to_json(p) for p in wrong],
                "warnings": [to_json(p) for p in warnings],
            }
        )
    return 1 if wrong or (strict and warnings) else 0


def _counted(problems: Sequence[Diagnostic]) -> str:
    if not problems:
        return "no problems"
    wrong = len(errors(problems))
    parts = [number_of(wrong, "error")] if wrong else []
    if len(problems) > wrong:
        parts.append(number_of(len(problems) - wrong, "warning"))
    return ", ".join(parts)
