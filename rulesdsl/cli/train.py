"""`rulesdsl train`: tune how the computer opponent weighs what a position is worth, by results of games."""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import GAME, game_directory, json_option, on_option
from rulesdsl.cli.output import print_json

if TYPE_CHECKING:
    from interpreter.measuring.training import Trained

SCHEMA_VERSION = 1


@click.command()
@click.argument("game", type=GAME)
@click.option("--trials", type=click.IntRange(1), default=200, show_default=True,
              help="Each is a game in every seat, between weights moved one way and the other.")  # fmt: skip
@click.option("--checks", type=click.IntRange(1), default=100, show_default=True,
              help="Games in every seat against the printed weights, at the end.")  # fmt: skip
@click.option("--tries", type=click.IntRange(1, 10_000), default=8, show_default=True,
              help="What the players may try before each decision.")  # fmt: skip
@click.option("--seed", default="train", show_default=True, help="The same seed gives the same weights.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@on_option
@click.option("--scenario", help="The scenario to play.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path),
              help="Keep every trial here; the same command goes on where it stopped.")  # fmt: skip
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path),
              help="Where to write the weights (default: weights.yaml of the game).")  # fmt: skip
@json_option
def train(
    game: str, trials: int, checks: int, tries: int, seed: str, jobs: int, on: str | None,
    scenario: str | None, log: Path | None, out: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Tune how the computer opponent weighs what a position is worth, by results of games.

    The terms are those the rulebook names in its value. What comes out is played against the printed
    weights; it is written down only if it wins more than luck explains (exit code 1 otherwise).
    """
    from interpreter.measuring.training import Course, train
    from interpreter.playing.weights import WEIGHTS_FILE
    from rulesdsl.cli.simulate import progress_bar

    directory = game_directory(game)
    course = Course(directory, scenario, seed, tries)
    with ExitStack() as hired:
        results = None
        if on is not None:
            from interpreter.studies.trials import trials_on

            results = hired.enter_context(trials_on(course, jobs, on))
        advance = hired.enter_context(progress_bar(trials + checks))
        found = train(course, trials, checks, jobs, log, advance, results)
    path = out or directory / WEIGHTS_FILE
    if found.helps:
        write_file(path, as_yaml(found, date.today(), tries))
    if as_json:
        print_json({"schema_version": SCHEMA_VERSION, "percent": dict(found.weights), "games": found.games,
                    "won": found.won, "interval": found.interval, "checked": found.checked,
                    "written": str(path) if found.helps else None})  # fmt: skip
        return 0 if found.helps else 1
    wide = max(len(label) for label, _ in found.weights)
    for label, weight in found.weights:
        click.echo(f"  {label:<{wide}}  {weight} %")
    low, high = found.interval
    click.echo(
        f"against the printed weights: {100 * found.won:.1f} % of {found.checked} games "
        f"({100 * low:.1f} to {100 * high:.1f})"
    )
    click.echo(f"written: {path}" if found.helps else "no more than luck: nothing is written", err=True)
    return 0 if found.helps else 1


def as_yaml(found: Trained, made: date, tries: int) -> str:
    """A small file people can read, with what it was tuned to."""
    low, high = found.interval
    lines = [
        "# How the computer opponent weighs the terms of the value in opponent.md; made by rulesdsl train.",
        f"made: {made.isoformat()}",
        f"games: {found.games}",
        f"tries: {tries}",
        f'strength: "{100 * found.won:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {found.checked} games '
        'against the printed weights"',
        "percent:",
    ]
    lines += [f"  {json.dumps(label, ensure_ascii=False)}: {weight}" for label, weight in found.weights]
    return "\n".join(lines) + "\n"
