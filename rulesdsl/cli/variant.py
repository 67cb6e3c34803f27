"""`rulesdsl variant`: game, scenario, house rules, readings and options under one name."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import FILE, GAME, game_directory, house_option, pairs, setting_options


@click.group()
def variant() -> None:
    """Variants: a way to play under one name. Other commands take the file with --variant."""


@variant.command()
@click.argument("game", type=GAME)
@click.argument("title")
@setting_options
@house_option
@click.option("--to", "target", type=FILE, help="Where to write it (default: the title, in this directory).")
def new(
    game: str, title: str, scenario: str | None, options: tuple[str, ...], readings: tuple[str, ...],
    house: tuple[Path, ...], target: Path | None,
) -> int:  # fmt: skip
    """Write the file of a variant. House rules that do not come with the game travel in it."""
    from interpreter.playing.game import open_game
    from rulesdsl.house.variants import slug, variant_text

    given, read = pairs(options, "option"), pairs(readings, "reading")
    opened = open_game(game_directory(game), house)
    opened.ruleset({**given, **read}, opened.scenario(scenario))  # says what is wrong with a value
    path = target or Path(f"{slug(title)}.yaml")
    if path.exists():
        raise UsageError(f"{path} exists already; choose another title, or --to another file")
    write_file(path, variant_text(title, game, scenario or "", house, read, given))
    click.echo(f"{path} is a variant now. Try:", err=True)
    click.echo(f"  rulesdsl play --variant {path}", err=True)
    return 0


@variant.command()
@click.argument("file", type=FILE)
def show(file: Path) -> int:
    """What a variant plays."""
    from rulesdsl.house.variants import read_variant

    found = read_variant(file)
    click.echo(f"{found.title}: {found.game}" + (f", scenario {found.scenario}" if found.scenario else ""))
    for name in (*found.house, *found.texts):
        click.echo(f"  house rule {name}" + (" (in this file)" if name in found.texts else ""))
    for kind, values in (("reading", found.readings), ("option", found.options)):
        for name, value in values.items():
            click.echo(f"  {kind} {name} = {value}")
    return 0
