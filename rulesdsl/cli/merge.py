"""`rulesdsl merge`: two house rules that clash, and a third one that has both."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import RulebookError, UsageError, errors
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.textfile import read_source
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import FILE, GAME, game_directory, house_files
from rulesdsl.cli.output import number_of


@click.command()
@click.argument("game", type=GAME)
@click.argument("one", type=FILE)
@click.argument("other", type=FILE)
@click.option("--title", default="", help="The title of the new house rule.")
@click.option(
    "--to", "target", type=FILE, help="Where to write it (default: the names of both, in this directory)."
)
def merge(game: str, one: Path, other: Path, title: str, target: Path | None) -> int:
    """Write a house rule that requires both and says anew what they dispute.

    Changes of different lines are put together; where both change the same line, the version of ONE holds and
    that of OTHER stands in remarks, for you to decide. Play with all three: --house for each.
    """
    from rulesdsl.book.loader import load_game
    from rulesdsl.house.merging import merged_rule

    directory = game_directory(game)
    source, problems = load_game(directory)
    if source is None or errors(problems):
        raise RulebookError(problems)
    paths = house_files(directory, (one, other))
    if paths[0].resolve() == paths[1].resolve():
        raise UsageError(f"{one} is named twice: a house rule does not clash with itself")
    merged = merged_rule(source, [read_source(path, DEFAULT.rule_file_bytes) for path in paths], title)
    path = target or Path(f"{paths[0].stem}_and_{paths[1].stem}.md")
    if path.exists():
        raise UsageError(f"{path} exists already; give another name with --to")
    write_file(path, merged.text)
    click.echo(f"{path}: {number_of(merged.settled, 'statement')} put together", err=True)
    if merged.open:
        click.echo(f"{number_of(merged.open, 'place')} to decide: look for remarks (#) in it", err=True)
    rules = " ".join(f"--house {rule}" for rule in (one, other, path))
    click.echo(f"  rulesdsl check {game} {rules}", err=True)
    return 0
