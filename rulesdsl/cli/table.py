"""`rulesdsl table`: a game in the browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import FILE, GAME, house_option, pairs, setting_options

if TYPE_CHECKING:
    from interpreter.serving.hall import Hall
    from interpreter.serving.table import Table

EXTRA = 'the table in the browser needs the extra "table": pip install "rulesdsl[table]"'


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--seat", "seats", multiple=True, metavar="NAME=WHO",
              help="human, easy, club, strong …; all=WHO (default: you in the first seat).")  # fmt: skip
@click.option(
    "--link", "by_link", is_flag=True, help="Every person has a link of his own (default: one screen)."
)
@click.option("--seed", metavar="TEXT", help="The same seed gives the same dice.")
@setting_options
@house_option
@click.option("--save", "save_file", type=FILE, metavar="FILE",
              help="Keep the game in FILE; go on with it if it is there.")  # fmt: skip
@click.option("--kept", is_flag=True, help="Offer the kept games first, when there are any.")
@click.option(
    "--or-play", is_flag=True, hidden=True, help="Without a browser and a terminal: play by itself."
)
@click.option("--terminal", is_flag=True, hidden=True, help="In the terminal after all.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Where to listen; 0.0.0.0 lets the whole network in.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), help="The port (default: 8765, or the next free one).")
@click.option(
    "--language", type=click.Choice(["en", "fr"]), help="Of the page (default: that of the browser)."
)
@click.option(
    "--browser/--no-browser", default=True, help="Open a browser (default), or only print the address."
)
def table(
    game: str | None, seats: tuple[str, ...], by_link: bool, seed: str | None, scenario: str | None,
    options: tuple[str, ...], readings: tuple[str, ...], house: tuple[Path, ...], save_file: Path | None,
    kept: bool, or_play: bool, terminal: bool, host: str, port: int | None,
    language: str | None, browser: bool,
) -> None:  # fmt: skip
    """Play in the browser: alone against the computer, with others at one screen, or by link.

    Without GAME the page lists the games and those that are kept. Every decision is in a file before it is
    answered: stop the program when you like, and go on later.
    """
    if or_play and (terminal or not (has_browser() or _at_terminal())):
        from rulesdsl.cli.play import play

        click.get_current_context().invoke(play, game=game)
        return
    try:
        from interpreter.serving import server
    except ImportError:
        raise UsageError(EXTRA) from None
    from platformdirs import user_data_path

    from interpreter.serving.hall import Hall
    from interpreter.serving.shelf import Shelf

    settings = pairs(options, "option") | pairs(readings, "reading")
    own = (game,) if game is not None and os.path.isdir(game) else ()
    hall = Hall(Shelf(user_data_path("rulesdsl", appauthor=False) / "games"), own)
    opened: Table | None = None
    bound = server.listening(host, port)
    if save_file is not None and os.path.lexists(save_file):
        opened = hall.go_on(save_file, seats, by_link)
    elif game is not None and not (kept and any(k.game == _name(game) for k in hall.shelf.games())):
        opened = hall.begin(
            game, scenario=scenario, house=house, settings=settings, seats=seats, by_link=by_link,
            seed=seed, path=save_file,
        )  # fmt: skip
    elif save_file is not None:
        raise UsageError("--save FILE needs a game to begin")
    address = address_of(host, bound.getsockname()[1])
    try:
        server.serve(hall, bound, host, lambda: _announce(hall, opened, address, host, language, browser))
    except KeyboardInterrupt:  # the way to leave
        click.echo('\nthe table is closed; what was decided is kept: "rulesdsl table" lists it', err=True)


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def has_browser() -> bool:
    """Whether a page can be shown to somebody here."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _name(game: str) -> str:
    """The id of a game, as saves tell it."""
    from rulesdsl.base.resources import find_game

    return find_game(game).resolve().name


def address_of(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "localhost") else "[::1]" if host == "::" else host
    return f"http://{f'[{shown}]' if ':' in shown and not shown.startswith('[') else shown}:{port}/"


def _announce(
    hall: Hall, opened: Table | None, address: str, host: str, language: str | None, browser: bool
) -> None:
    """Say where to go: the address with the token of the host behind #, where no server ever sees it."""
    from interpreter.serving.hall import warm
    from interpreter.serving.server import is_open_to_the_net

    front = f"{address}#key={hall.key}" + (f"&language={language}" if language else "")
    if opened is not None:
        front += f"&table={opened.identity}&token={opened.seating.host.token}"
        threading.Thread(target=warm, args=(opened,), daemon=True).start()
    click.echo(f"the table stands at\n  {front}\nCtrl-C ends it; every decision is kept.")
    if is_open_to_the_net(host):
        click.secho(
            f"OPEN TO THE NETWORK: everybody who can reach {host} can reach this table. What "
            "keeps them out is the token in each link; it is sent without encryption. Give a link only to "
            "who shall sit there.",
            fg="red", bold=True, err=True,
        )  # fmt: skip
    if opened is not None:
        for door in opened.seating.doors:
            if not door.host:
                who = " and ".join(door.seats) or "who looks on"
                click.echo(f"  {who}: {address}#table={opened.identity}&token={door.token}")
    sys.stdout.flush()
    if browser and has_browser():
        threading.Thread(target=_open, args=(front,), daemon=True).start()


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return
