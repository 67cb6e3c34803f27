"""`rulesdsl key`: keys to sign games with."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.cli.arguments import FILE


@click.command()
@click.argument("what", type=click.Choice(["new"]))
@click.argument("file", type=FILE)
@click.option("--name", default="", metavar="TEXT", help="What the others shall call you.")
def key(what: str, file: Path, name: str) -> None:
    """Make a key of your own: FILE stays with you, FILE.pub is for those you play with.

    "rulesdsl play --sign FILE" signs the game when you leave it, "rulesdsl verify SAVE --key FILE.pub" proves
    that it was you. Needs the extra: pip install "rulesdsl[sign]".
    """
    from interpreter.keeping.signing import fingerprint, new_key

    public = new_key(file, name)
    click.echo(f"{file} is your secret key: give it to nobody", err=True)
    click.echo(f"{file}.pub is for the others; its {fingerprint(public.raw)}", err=True)
