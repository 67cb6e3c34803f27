"""`rulesdsl workshop`: writing house rules in the browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import FILE, GAME
from rulesdsl.cli.table import address_of, has_browser

EXTRA = 'the workshop in the browser needs the extra "workshop": pip install "rulesdsl[workshop]"'


@click.command()
@click.argument("game", type=GAME, required=False)
@click.option("--house", "file", type=FILE, metavar="FILE",
              help="The house rule to write: opened if it is there, the only file ever written.")  # fmt: skip
@click.option("--link", metavar="ADDRESS", help="Open the house rule that somebody sent as a link.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port (default: 8765, or the next free one).")
@click.option(
    "--language", type=click.Choice(["en", "fr"]), help="Of the page (default: that of the browser)."
)
@click.option(
    "--browser/--no-browser", default=True, help="Open a browser (default), or only print the address."
)
def workshop(
    game: str | None,
    file: Path | None,
    link: str | None,
    host: str,
    port: int | None,
    language: str | None,
    browser: bool,
) -> None:
    """Write house rules in the browser: the rulebook on the left, your amendment on the right, and below it
    what it changes, which examples no longer hold, and what it does to the balance.

    Everything stays on this machine. Without GAME the page lists the games. "Try it" opens a table with the
    rules as they are.
    """
    try:
        from interpreter.serving import server
    except ImportError:
        raise UsageError(EXTRA) from None
    from platformdirs import user_data_path

    from interpreter.serving.hall import Hall
    from interpreter.serving.shelf import Shelf
    from interpreter.workshop.shop import Workshop
    from interpreter.workshop.web import rooms
    from rulesdsl.base.resources import find_game, shipped_games

    named = _named(game, shipped_games()) if game is not None else None
    if file is not None and named is None:
        raise UsageError("--house FILE needs the game it belongs to")
    if file is not None and (file.is_dir() or file.suffix != ".md"):
        raise UsageError(f"{file}: a house rule is a file that ends in .md")
    if named is not None:
        find_game(named)
    fragment = _fragment(link)
    own = (named,) if named is not None and named not in shipped_games() else ()
    hall = Hall(Shelf(user_data_path("rulesdsl", appauthor=False) / "games"), own)
    shop = Workshop(hall, named, file)
    bound = server.listening(host, port)
    address = f"{address_of(host, bound.getsockname()[1])}workshop/#key={hall.key}"
    address += f"&game={named}" if named is not None and "game=" not in fragment else ""
    address += f"&{fragment}" if fragment else ""
    address += f"&language={language}" if language else ""

    def ready() -> None:
        threading.Thread(target=shop.warm, daemon=True).start()
        _announce(address, host, browser, shop.editor)

    try:
        server.serve(hall, bound, host, ready, rooms(shop))
    except KeyboardInterrupt:  # the way to leave
        click.echo("\nthe workshop is closed", err=True)
    finally:
        shop.close()


def _named(game: str, shipped: list[str]) -> str:
    """As the list of games has it: `skirmish` is `tutorial/skirmish`."""
    if game in shipped or os.path.isdir(game):
        return game
    return next((name for name in shipped if name.rpartition("/")[2] == game), game)


def _fragment(link: str | None) -> str:
    """What a link carries behind #, without the key of whoever made it."""
    if link is None:
        return ""
    told = link.partition("#")[2] or link
    parts = [part for part in told.split("&") if part.partition("=")[0] in ("game", "rule", "with")]
    if not any(part.startswith("rule=") for part in parts):
        raise UsageError("this link carries no house rule (it has a part that begins with rule=)")
    if len(told) > 2_000_000:
        raise UsageError("this link is too long")
    return "&".join(parts)


def _announce(address: str, host: str, browser: bool, editor: bool) -> None:
    from interpreter.serving.server import is_open_to_the_net

    click.echo(f"the workshop stands at\n  {address}\nCtrl-C ends it.")
    if not editor:
        click.echo("(a plain text field instead of the editor: make workshop bundles it)", err=True)
    if is_open_to_the_net(host):
        click.secho(
            f"OPEN TO THE NETWORK: everybody who can reach {host} can reach this workshop. What keeps them "
            "out is the key in the address; it is sent without encryption.",
            fg="red", bold=True, err=True,
        )  # fmt: skip
    sys.stdout.flush()
    if browser and has_browser():
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return
