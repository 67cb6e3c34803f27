"""`rulesdsl docs` and `rulesdsl map`: the handbook, and the map alone."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import click

from rulesdsl.cli.arguments import GAME, game_directory, house_files, house_option, open_named_game
from rulesdsl.cli.output import number_of
from rulesdsl.diagnostics import RulebookError, UsageError, errors


@click.command()
@click.argument("game", type=GAME)
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="Where to write it; made when it is not there.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["html", "md"]), default="html", show_default=True,
              help="A site, or Markdown files with drawings beside them.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=0), default=0, show_default=True,
              help="Play so many random games, for the counts in the ledger.")  # fmt: skip
@house_option
def docs(game: str, out: Path, form: str, games: int, house: tuple[Path, ...]) -> None:
    """Make the handbook of GAME: every paragraph with its rules in sentences, tables with exact odds, map and
    counters, indexes, a search that needs no server, an edition to print."""
    from interpreter.handbook import facts_of_game
    from rulesdsl.handbook import Book, html_files, markdown_files, write_files

    # Nearly everything that is made stays until the end: looking for rubbish finds none.
    gc.disable()
    opened = open_named_game(game, house)
    book = Book(opened.source, opened.program, facts_of_game(opened, games=games))
    files = html_files(book) if form == "html" else markdown_files(book)
    try:
        write_files(files, out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
    first = out / ("index.html" if form == "html" else "index.md")
    click.echo(f"{number_of(len(files), 'file')}; begin with {first}")


@click.command("map")
@click.argument("game", type=GAME)
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Where to write it (default: standard output).")  # fmt: skip
@click.option(
    "--scenario", metavar="NAME", default="", help="Whose set-up is drawn (default: that of the game)."
)
@house_option
def draw(game: str, out: Path | None, scenario: str, house: tuple[Path, ...]) -> None:
    """Draw the map of GAME with the pieces where they begin, as SVG."""
    from rulesdsl.amendments import apply_house_rules
    from rulesdsl.drawing import MapOptions, draw_map
    from rulesdsl.loader import load_game

    directory = game_directory(game)
    source, problems = load_game(directory)
    if source is not None and house:
        source, found = apply_house_rules(source, house_files(directory, house))
        problems = [*problems, *found]
    if source is None or errors(problems):
        raise RulebookError(problems)
    drawn = draw_map(source, options=MapOptions(scenario=scenario))
    if out is None:
        sys.stdout.write(drawn)
        return
    try:
        out.write_text(drawn, "utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
