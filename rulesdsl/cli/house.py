"""`rulesdsl house new`: the file of a house rule, ready to be changed."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import RulebookError, UsageError, errors
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import FILE, GAME, game_directory


@click.group()
def house() -> None:
    """House rules: begin one."""


@house.command()
@click.argument("game", type=GAME)
@click.argument("title")
@click.option("--amend", metavar="PARAGRAPH", default="", help="The paragraph to change, such as 7.2.2.")
@click.option("--after", metavar="PARAGRAPH", default="", help="Write a new paragraph after this one.")
@click.option("--to", "target", type=FILE, help="Where to write it (default: the title, in this directory).")
def new(game: str, title: str, amend: str, after: str, target: Path | None) -> int:
    """A file with title, reason, section, the statements of the paragraph, and an example that fails until it
    is written."""
    from rulesdsl.book.loader import load_game
    from rulesdsl.editing.drafting import new_house_rule, slug

    if bool(amend) == bool(after):
        raise UsageError("say either --amend PARAGRAPH or --after PARAGRAPH")
    if not title.strip() or "\n" in title:
        raise UsageError("a house rule has a title of one line")
    source, problems = load_game(game_directory(game))
    if source is None or errors(problems):
        raise RulebookError(problems)
    path = target or Path(f"{slug(title)}.md")
    if path.exists():
        raise UsageError(f"{path} exists already; choose another title, or --to another file")
    write_file(path, new_house_rule(source, title.strip(), amend, after))
    click.echo(f"{path} is a house rule now. Change it, then try:", err=True)
    for line in (f"rulesdsl check {game} --house {path}", f"rulesdsl diff {game} --house {path}",
                 f"rulesdsl test {game} --house {path}"):  # fmt: skip
        click.echo(f"  {line}", err=True)
    return 0
