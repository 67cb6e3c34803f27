"""`rulesdsl diff`: what house rules change."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.cli.arguments import GAME, game_directory, house_option, json_option
from rulesdsl.cli.output import print_json, print_problems
from rulesdsl.diagnostics import RulebookError, errors


@click.command()
@click.argument("game", type=GAME)
@house_option
@json_option
def diff(game: str, house: tuple[Path, ...], as_json: bool) -> int:
    """What house rules change: the text before and after, cells and values, and what falls silent.

    Exit code 0 when nothing is different, 1 when something is.
    """
    from rulesdsl.amendments import apply_house_rules
    from rulesdsl.checker import check
    from rulesdsl.differences.difftext import diff_json, diff_text
    from rulesdsl.differences.rulediff import diff_rules
    from rulesdsl.loader import load_game

    printed, problems = load_game(game_directory(game))
    if printed is None or errors(problems):
        raise RulebookError(problems)
    amended, problems = apply_house_rules(printed, house)
    program, found = check(amended) if not errors(problems) else (None, [])
    if program is None:
        raise RulebookError([*problems, *found])
    print_problems(problems, to_stderr=True)  # only warnings are left
    difference = diff_rules(printed, amended)
    if as_json:
        print_json(diff_json(amended, difference))
    else:
        click.echo(diff_text(amended, difference))
    return 1 if difference.different else 0
