"""`rulesdsl diff`: what house rules change."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import GAME, game_directory, house_option, json_option, language_option
from rulesdsl.cli.failures import Failure
from rulesdsl.cli.output import console, print_json, print_problems


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--words/--code",
    "words",
    default=None,
    help="Sentences as players read them, or rules as they are written (default: words in a terminal).",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a sheet of the amendments to print: a file that ends in .html.",
)
@language_option
@house_option
@json_option
def diff(
    game: str, words: bool | None, out: Path | None, language: str, house: tuple[Path, ...], as_json: bool
) -> int:
    """What house rules change: the text before and after, cells and values, and what falls silent.

    Exit code 0 when nothing is different, 1 when something is.
    """
    from rulesdsl.house.differences.difftext import diff_json, diff_text
    from rulesdsl.house.differences.rule_diff import diff_rules
    from rulesdsl.pipeline.stages import read_amended

    if out is not None and out.suffix.lower() != ".html":
        raise UsageError(f"{out}: a sheet of amendments is written to a file that ends in .html")
    stages = read_amended(game_directory(game), house).clean()
    amended, program = stages.checked_through().program()
    printed = stages.printed
    assert printed is not None
    print_problems(stages.problems, to_stderr=True)  # only warnings are left
    difference = diff_rules(printed, amended)
    if as_json:
        print_json(diff_json(amended, difference))
    elif out is not None or (console().is_terminal if words is None else words):
        from rulesdsl.handbook import Book, Facts
        from rulesdsl.handbook.words_of_changes import amendment_sheet, changes_in_words

        book = Book(amended, program, Facts(), language)
        if out is None:
            coloured = console().is_terminal and not console().no_color
            click.echo(changes_in_words(book, coloured))
        else:
            try:
                write_file(out, amendment_sheet(book))
            except OSError as error:
                raise Failure(f"{out} cannot be written: {(error.strerror or str(error)).lower()}") from error
            click.echo(f"written: {out}")
    else:
        click.echo(diff_text(amended, difference))
    return 1 if difference.different else 0
