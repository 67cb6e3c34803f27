"""`rulesdsl readings`: the register of a game's readings, made from the statements in its chapters."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.textfile import read_source
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import GAME, house_option, json_option
from rulesdsl.cli.output import console, print_json
from rulesdsl.cli.rule import as_written

_BEGINS = "# Readings of "  # a register, whatever the game was called then


@click.command()
@click.argument("game", type=GAME)
@click.option("--out", type=click.Path(path_type=Path), help="Write the register to a file (Markdown).")
@house_option
@json_option
def readings(game: str, out: Path | None, house: tuple[Path, ...], as_json: bool) -> None:
    """All readings of a rulebook: where it can be understood in two ways, and how it is played here.

    Each with its paragraph, its alternatives (the default first) and the reason. A reading that is settled
    has no playable alternative: it records what was assumed.
    """
    from rulesdsl.speaking.readings import register, registered

    source = as_written(game, house)
    rows = registered(paragraph for chapter in source.chapters for paragraph in chapter.paragraphs)
    if as_json:
        print_json({"readings": [
            {
                "name": row.reading.name, "rule": row.paragraph, "kind": row.kind,
                "default": row.reading.default,
                "alternatives": [{"value": value, "means": words} for value, words in row.reading.worded()],
                "reason": row.reading.reason or "",
            }
            for row in rows
        ]})  # fmt: skip
    elif out is not None:
        write_file(out, register(source.game.title, rows) + _kept(out))
    elif not rows:
        console().print("this rulebook can be read in one way only")
    else:
        console().print(
            register(source.game.title, rows), soft_wrap=True, highlight=False, markup=False, end=""
        )


def _kept(file: Path) -> str:
    """What somebody has written below the list, under headings of its own; no other file is touched."""
    if not file.is_file():
        return ""
    text = read_source(file, DEFAULT.rule_file_bytes).text
    if text.strip() and not text.startswith(_BEGINS):
        raise UsageError(f"--out {file}: this file is no register of readings: give another name")
    found = re.search(r"(?ms)^## .*", text)
    return f"\n{found[0]}" if found else ""
