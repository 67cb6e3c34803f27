"""`rulesdsl test` and `rulesdsl ledger`: do the examples hold, and is every paragraph covered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rulesdsl.cli.arguments import GAME, house_option, json_option, open_named_game
from rulesdsl.cli.output import console, number_of, print_json


@click.command()
@click.argument("game", type=GAME)
@house_option
@json_option
def test(game: str, house: tuple[Path, ...], as_json: bool) -> int:
    """Run the examples of a rulebook: what is given, what is played, what is expected."""
    from interpreter.examples import run_examples

    results = run_examples(open_named_game(game, house))
    failed = [result for result in results if result.problems]
    if as_json:
        print_json({"examples": len(results), "failed": [_as_json(result) for result in failed]})
        return 1 if failed else 0
    screen = console()
    for result in failed:
        for problem in result.problems:
            screen.print(f"{result.rule}, example {result.number}: {problem}", soft_wrap=True)
    screen.print(f"{number_of(len(results), 'example')}, {len(failed)} failed")
    return 1 if failed else 0


def _as_json(result: Any) -> dict[str, Any]:
    return {"rule": result.rule, "number": result.number, "problems": [str(p) for p in result.problems]}


@click.command()
@click.argument("game", type=GAME)
@click.option("--games", type=click.IntRange(min=0), default=0, show_default=True,
              help="Play so many random games to see which paragraphs are used.")  # fmt: skip
@house_option
@json_option
def ledger(game: str, games: int, house: tuple[Path, ...], as_json: bool) -> int:
    """Every paragraph of the printed rulebook: whether it is a rule here, tested, and used in play."""
    from interpreter.ledger import ledger as make_ledger

    found = make_ledger(open_named_game(game, house), games=games)
    if as_json:
        print_json(found)
        return 0
    from rich.table import Table

    entries = found.get("paragraphs", [])
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in list(entries[0]) if entries else []:
        table.add_column(column.replace("_", " "))
    for entry in entries:
        table.add_row(*(_cell(value) for value in entry.values()))
    screen = console()
    screen.print(table)
    for name, value in found.items():
        if not isinstance(value, (list, dict)):
            screen.print(f"{name.replace('_', ' ')}: {value}")
    return 0


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "-"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
