"""`rulesdsl test` and `rulesdsl ledger`: do the examples hold, and is every paragraph covered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.cli.arguments import GAME, house_option, json_option, open_named_game
from rulesdsl.cli.output import console, number_of, print_json

if TYPE_CHECKING:
    from interpreter.measuring.examples import ExampleResult
    from interpreter.playing.game import Game


@click.command()
@click.argument("game", type=GAME)
@house_option
@json_option
def test(game: str, house: tuple[Path, ...], as_json: bool) -> int:
    """Run the examples of a rulebook: what is given, what is played, what is expected.

    With house rules a printed example may no longer hold: that is what they change. It is told, and it is no
    failure; the examples of the house rules themselves must hold. What the rulebook says is always so is
    asked of two random games with the house rules.
    """
    from interpreter.measuring.always import broken_always
    from interpreter.measuring.always import told as told_broken
    from interpreter.measuring.examples import run_examples

    opened = open_named_game(game, house)
    results = run_examples(opened)
    failed = [result for result in results if result.problems]
    changed = _changed_by_house_rules(opened, failed)
    failed = [result for result in failed if result not in changed]
    broken = broken_always(opened)
    if as_json:
        told = {"failed": [_as_json(r) for r in failed], "changed": [_as_json(r) for r in changed]}
        always = [{"rule": one.paragraph, "name": one.name, "decisions": one.decisions} for one in broken]
        print_json({"examples": len(results), **told, "broken": always})
        return 1 if failed or broken else 0
    screen = console()
    for result in (*changed, *failed):
        note = " no longer holds" if result in changed else ""
        for line, problem in zip(result.lines, result.problems, strict=True):
            place = f"{result.span.file.shown}:{line}"
            screen.print(
                f"{place}: {result.paragraph}, example {result.number}{note}: {problem}", soft_wrap=True
            )
    other = f", {len(changed)} changed by the house rules" if changed else ""
    screen.print(f"{number_of(len(results), 'example')}, {len(failed)} failed{other}")
    for one in broken:
        screen.print(told_broken(opened, one), soft_wrap=True)
    return 1 if failed or broken else 0


def _changed_by_house_rules(opened: Game, failed: list[ExampleResult]) -> list[ExampleResult]:
    """Printed examples that hold without the house rules."""
    own = {file.path for file in opened.house}
    printed = [result for result in failed if result.span.file.path not in own]
    if not opened.house or not printed:
        return []
    from interpreter.measuring.examples import run_examples
    from interpreter.playing.game import finish_game

    wrong = {result.span for result in run_examples(finish_game(opened.printed, ())) if result.problems}
    return [result for result in printed if result.span not in wrong]


def _as_json(result: Any) -> dict[str, Any]:
    return {
        "rule": result.paragraph, "number": result.number, "file": result.span.file.shown,
        "lines": list(result.lines), "problems": [str(p) for p in result.problems],
    }  # fmt: skip


@click.command()
@click.argument("game", type=GAME)
@click.option("--games", type=click.IntRange(min=0), default=0, show_default=True,
              help="Play so many random games to see which paragraphs are used.")  # fmt: skip
@house_option
@json_option
def ledger(game: str, games: int, house: tuple[Path, ...], as_json: bool) -> int:
    """Every paragraph of the printed rulebook: whether it is a rule here, tested, and used in play."""
    from interpreter.measuring.ledger import ledger as make_ledger

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
