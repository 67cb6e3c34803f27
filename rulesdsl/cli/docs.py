"""`rulesdsl docs` and `rulesdsl map`: the handbook, and the map alone."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import (
    FILE,
    GAME,
    game_directory,
    house_files,
    house_option,
    language_option,
    open_named_game,
)
from rulesdsl.cli.failures import Failure
from rulesdsl.cli.output import number_of

if TYPE_CHECKING:
    from interpreter.playing.game import Game


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--all", "every", is_flag=True, help="One site of all games that came with this installation.")
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path),
              help="Where to write it; made when it is not there. A PDF may be a FILE.pdf.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["html", "md", "pdf"]), default="html", show_default=True,
              help="A site, Markdown files with drawings beside them, or a booklet.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=0), default=0, show_default=True,
              help="Play so many random games, for the counts in the ledger.")  # fmt: skip
@click.option("--open", "look", is_flag=True, help="Open it in the browser when it is made.")
@language_option
@house_option
def docs(
    game: str | None, every: bool, out: Path, form: str, games: int, look: bool, language: str,
    house: tuple[Path, ...],
) -> None:  # fmt: skip
    """Make the handbook of GAME: the rules to read, with tables, map and player aid, and one switch further
    every rule in sentences and as it is run; a search that answers questions and needs no server."""
    # Nearly everything that is made stays until the end: looking for rubbish finds none.
    gc.disable()
    if every == (game is not None):
        raise UsageError("docs needs the name of a game, or --all for all of them")
    if every and (form != "html" or house):
        raise UsageError("--all makes one site of the games as they are: without --format and --house")
    try:
        if game is None:
            first, count = _collection(out, games, language)
        elif form == "pdf":
            first, count = _booklet(open_named_game(game, house), out, language), 1
        else:
            first, count = _handbook(open_named_game(game, house), out, form, games, language)
    except OSError as error:
        where = error.filename or out
        raise Failure(f"{where} cannot be written: {(error.strerror or str(error)).lower()}") from error
    click.echo(f"{number_of(count, 'file')}; begin with {first}")
    if look:
        import webbrowser

        try:
            opened = webbrowser.open(first.resolve().as_uri())
        except (webbrowser.Error, OSError):
            opened = False
        if not opened:
            raise Failure(f"no browser can be opened here; open {first} yourself")


def _handbook(opened: Game, out: Path, form: str, games: int, language: str) -> tuple[Path, int]:
    from interpreter.measuring.handbook_facts import facts_of_game
    from rulesdsl.aid.sections import aid_of
    from rulesdsl.aid.web import aid_page
    from rulesdsl.handbook import Book, html_files, markdown_files, write_files

    book = Book(opened.source, opened.program, facts_of_game(opened, games=games), language)
    make = html_files if form == "html" else markdown_files
    files = make(book, (aid_page(aid_of(book)),))
    write_files(files, out)
    return out / ("index.html" if form == "html" else "index.md"), len(files)


def _booklet(opened: Game, out: Path, language: str) -> Path:
    from rulesdsl.handbook import Book, Facts
    from rulesdsl.typesetting.edition import reading_edition
    from rulesdsl.typesetting.printing_press import pages_of_pdf, typeset

    book = Book(opened.source, opened.program, Facts(), language)
    pdf = typeset(reading_edition(book))
    file = out if out.suffix.lower() == ".pdf" else out / f"{opened.source.directory.name}.pdf"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, pdf)
    click.echo(number_of(pages_of_pdf(pdf), "page"))
    return file


def _collection(out: Path, games: int, language: str) -> tuple[Path, int]:
    """A site for each game in a folder of its own, and a page in front of them."""
    from rulesdsl.base.resources import shipped_games
    from rulesdsl.handbook.collection import Shelf, collection_files
    from rulesdsl.handbook.site import write_files

    shelf, count = [], 0
    for name in shipped_games():
        opened = open_named_game(name)
        folder = name.replace("/", "-")
        click.echo(f"{opened.source.game.title} …", err=True)
        count += _handbook(opened, out / folder, "html", games, language)[1]
        shelf.append(Shelf.of(folder, opened.source))
    front = collection_files(shelf, language)
    write_files(front, out)
    return out / "index.html", count + len(front)


@click.command("map")
@click.argument("game", type=GAME)
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Where to write it, as .svg, .png or .pdf (default: SVG on standard output).")  # fmt: skip
@click.option("--width", type=click.IntRange(100, 20_000), default=2000, show_default=True,
              help="Of a PNG in pixels, of a PDF in points.")  # fmt: skip
@click.option(
    "--scenario", metavar="NAME", default="", help="Whose set-up is drawn (default: that of the game)."
)
@click.option("--save", "save_file", type=FILE, metavar="FILE",
              help="The position of a kept game, as everybody sees it, not the beginning.")  # fmt: skip
@house_option
def draw(
    game: str, out: Path | None, width: int, scenario: str, save_file: Path | None, house: tuple[Path, ...]
) -> None:
    """Draw the map of GAME with the pieces where they begin, or where a kept game has them."""
    if out is not None and out.suffix.lower() not in ("", ".svg", ".png", ".pdf"):
        raise UsageError(f"a map is written as .svg, .png or .pdf, not as {out.name}")
    if out is None and sys.stdout.isatty():
        raise UsageError("a map is a long text of SVG: --out FILE says where to write it")
    if save_file is not None:
        _write_map(_position_of(save_file, game), out, width)
        return
    from rulesdsl.drawing import MapOptions, draw_map
    from rulesdsl.pipeline.stages import read_amended

    directory = game_directory(game)
    source = read_amended(directory, house_files(directory, house)).clean().source
    assert source is not None
    _write_map(draw_map(source, options=MapOptions(scenario=scenario)), out, width)


def _position_of(path: Path, game: str) -> str:
    from interpreter.keeping.saves import load
    from interpreter.playing.picture import map_svg

    session = load(path)
    if session.facts["game"] != game_directory(game).resolve().name:
        raise UsageError(f"{path} is a game of {session.facts['game']}, not of {game}")
    return map_svg(session, None)


def _write_map(drawn: str, out: Path | None, width: int) -> None:
    if out is None:
        sys.stdout.write(drawn)
        return
    made: str | bytes = drawn
    if (form := out.suffix.lower()) in (".png", ".pdf"):
        from rulesdsl.typesetting.printing_press import picture

        made = picture(drawn, form.removeprefix("."), width)
    try:
        write_file(out, made)
    except OSError as error:
        raise Failure(f"{out} cannot be written: {(error.strerror or str(error)).lower()}") from error
