"""`rulesdsl aid`: two pages to lie on the table."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import (
    GAME,
    house_option,
    language_option,
    open_named_game,
    pairs,
    setting_options,
)
from rulesdsl.cli.failures import Failure

_FORMS = (".pdf", ".html")


@click.command()
@click.argument("game", type=GAME)
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="A file that ends in .pdf or .html (default: print it here as text).")  # fmt: skip
@setting_options
@language_option
@house_option
def aid(
    game: str, out: Path | None, scenario: str | None, options: tuple[str, ...], readings: tuple[str, ...],
    language: str, house: tuple[Path, ...],
) -> None:  # fmt: skip
    """The player aid of GAME: sequence of play, tables with modifiers, terrain, limits, dice, victory.

    Everything on it is read from the rules, with house rules and chosen readings in it; what they change is
    marked. A PDF has two pages and needs the extra pdf.
    """
    from rulesdsl.aid.sections import aid_of
    from rulesdsl.handbook import Book, Facts

    if out is not None and out.suffix.lower() not in _FORMS:
        raise UsageError(f"{out}: an aid is written to a file that ends in {' or '.join(_FORMS)}")
    opened = open_named_game(game, house)
    chosen = pairs(options, "option") | pairs(readings, "reading")
    opened.ruleset(chosen, opened.scenario(scenario))  # whoever sets what is not known is told
    book = Book(opened.source, opened.program, Facts(), language)
    made = aid_of(book, tuple(chosen.items()))
    spell = book.names.lexicon.spelled
    try:
        if out is None:
            from rulesdsl.aid.plain import aid_text

            click.echo(aid_text(made, spell))
        elif out.suffix.lower() == ".pdf":
            from rulesdsl.aid.paper import aid_pdf

            pdf, left_out = aid_pdf(made, spell)
            write_file(out, pdf)
            for title in left_out:
                click.echo(f"note: two pages have no room for {title}", err=True)
            click.echo(f"2 pages at most in {out}")
        else:
            from rulesdsl.aid.web import aid_html

            write_file(out, aid_html(made, spell))
            click.echo(f"written: {out}")
    except OSError as error:
        raise Failure(f"{out} cannot be written: {(error.strerror or str(error)).lower()}") from error
