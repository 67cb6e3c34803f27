"""`rulesdsl fmt`: chapters in the usual layout."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from rulesdsl.base.diagnostics import Diagnostic, UsageError
from rulesdsl.base.resources import GAME_FILE
from rulesdsl.base.writing import write_file
from rulesdsl.book.texts import OPPONENT_FILE
from rulesdsl.cli.arguments import game_directory
from rulesdsl.cli.output import number_of, print_problems


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if a file would change."
)
def fmt(paths: tuple[str, ...], only_check: bool) -> int:
    """Bring the rules and examples in chapters into the usual layout. Prose and comments stay as they are.

    A PATH is a Markdown file, a directory, or the name of a game. A statement that cannot be read is named
    and stays as it is; the exit code is then 1.
    """
    from rulesdsl.base.limits import DEFAULT
    from rulesdsl.base.textfile import read_source
    from rulesdsl.language.printing.formatter import format_chapter

    changed = 0
    unread: list[Diagnostic] = []
    files = list(dict.fromkeys(file for path in paths for file in _chapters(path)))
    for file in files:
        source = read_source(file, DEFAULT.rule_file_bytes)
        text = format_chapter(source, unread)
        if text == source.text:
            continue
        changed += 1
        click.echo(f"{'would change' if only_check else 'changed'}: {file}")
        if not only_check:
            _replace(file, text)
    print_problems(unread, to_stderr=True)
    parts = [number_of(len(files), "file"), f"{changed} {'to change' if only_check else 'changed'}"]
    parts += [number_of(len(unread), "problem")] if unread else []
    click.echo(", ".join(parts), err=True)
    return 1 if unread or (only_check and changed) else 0


def _chapters(name: str) -> Iterator[Path]:
    path = Path(name)
    if path.is_file():
        yield path
        return
    if path.suffix == ".md":
        raise UsageError(f'there is no file "{name}"')
    directory = path if path.is_dir() else game_directory(name)
    if (directory / GAME_FILE).is_file():
        found = [
            *(directory / "rules").rglob("*.md"),
            *(directory / "examples").glob("*.md"),
            *(directory / "house").rglob("*.md"),
            *directory.glob(OPPONENT_FILE),
            *directory.glob("*/rules/*.md"),  # of the modules it holds
        ]
    else:
        found = list(directory.rglob("*.md"))
    if not found:
        raise UsageError(f'there are no chapters (*.md) in "{name}"')
    yield from sorted(found)


def _replace(file: Path, text: str) -> None:
    """All or nothing: a crash must not leave half a chapter."""
    real = Path(os.path.realpath(file))  # a link inside the game stays one
    mode = real.stat().st_mode
    write_file(real, text)
    real.chmod(mode)
