"""`rulesdsl lsp`: the language server for editors."""

from __future__ import annotations

import os
import sys

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import GAME


@click.command()
@click.option(
    "--game", type=GAME, default="", help="The game of house rules that lie outside of its directory."
)
@click.option("--ws", is_flag=True, help="Listen on a WebSocket instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where the WebSocket listens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
def lsp(game: str, ws: bool, host: str, port: int) -> int:
    """Answer an editor: messages while one types, completion, hover, jumps, renames, quick fixes.

    Speaks the Language Server Protocol on standard input and output; docs/editors.md says how to set up
    VS Code, Neovim, Helix, Zed and Emacs.
    """
    try:
        from rulesdsl.cli.languageserver.server import make_server
    except ImportError as error:
        missing = getattr(error, "name", "") or "pygls"
        raise UsageError(f"the language server needs {missing}: pip install 'rulesdsl[lsp]'") from None
    server = make_server(game)
    if ws:
        click.echo(f"listening on ws://{host}:{port}", err=True)
        server.start_ws(host, port)
    else:
        try:
            server.start_io()
        except MemoryError:
            raise UsageError("the editor announced a message that is larger than this machine") from None
        # The server has closed it, and whoever ends the program flushes it.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return 0
