"""`rulesdsl words` and `rulesdsl find`: what can be said of this, and where is that."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import GAME, game_directory, house_files, house_option, json_option
from rulesdsl.cli.output import console, number_of, print_json


@click.command()
@click.argument("game", type=GAME)
@click.argument("name")
@house_option
@json_option
def words(game: str, name: str, house: tuple[Path, ...], as_json: bool) -> int:
    """What can be said of NAME: of a class its attributes and adjectives, of a quantity what a line that
    changes it may ask, of a table its keys."""
    from rulesdsl.editing.asking import words_for
    from rulesdsl.editing.desk import Desk

    directory = game_directory(game)
    _, ctx, _ = Desk(directory, house_files(directory, house)).view()
    found = words_for(ctx, name)
    if as_json:
        print_json([{"kind": one.kind, "text": one.text, "about": one.about} for one in found])
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for one in found:
        table.add_row(one.kind, one.text, one.about)
    console().print(table)
    return 0


@click.command()
@click.argument("game", type=GAME)
@click.argument("text", nargs=-1, required=True)
@house_option
@json_option
@click.option(
    "--most", type=click.IntRange(min=1), default=40, show_default=True, help="Show at most so many."
)
def find(game: str, text: tuple[str, ...], house: tuple[Path, ...], as_json: bool, most: int) -> int:
    """Where TEXT stands: names that are declared, titles, prose and rules, data. Exit code 1 when nowhere."""
    from rulesdsl.editing.asking import find_text
    from rulesdsl.editing.desk import Desk

    wanted = " ".join(text).strip()
    if not wanted:
        raise UsageError("look for what?")
    directory = game_directory(game)
    desk = Desk(directory, house_files(directory, house))
    source, _, _ = desk.view()
    found = list(find_text(desk, source, wanted))
    if as_json:
        rows = [
            {"kind": f.kind, "file": f.file, "line": f.line, "paragraph": f.paragraph, "text": f.text}
            for f in found
        ]
        print_json(rows)
        return 0 if found else 1
    screen = console()
    for one in found[:most]:
        number = f" {one.paragraph}" if one.paragraph else ""
        screen.print(f"{one.file}:{one.line}: {one.kind}{number}: {one.text}", soft_wrap=True, markup=False)
    if len(found) > most:
        screen.print(f"… and {len(found) - most} more (--most {len(found)})")
    if not found:
        screen.print(f"{number_of(0, 'place')} with “{wanted}”")
    return 0 if found else 1
