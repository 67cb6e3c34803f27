"""`rulesdsl compare`: what house rules do to a game, played out on the same seeds."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.cli.arguments import (
    GAME,
    game_directory,
    house_files,
    house_option,
    json_option,
    on_option,
    pairs,
    setting_options,
)
from rulesdsl.cli.failures import INTERRUPTED
from rulesdsl.cli.output import number_of, print_json, print_problems

if TYPE_CHECKING:
    from interpreter.measuring.comparison import Comparison, Measure
    from interpreter.measuring.simulation import GameRecord, Table
    from interpreter.playing.game import Game

SCHEMA_VERSION = 1
USES_SHOWN = 12
FAILURES_SHOWN = 5
LEGEND = "in brackets: 95 % intervals; * more than luck, all lines judged together"
RULES_COUNTED = 100  # pairs of games in which the use of rules is counted: that takes several times as long


@click.command()
@click.argument("game", type=GAME)
@house_option
@click.option("--games", type=click.IntRange(min=2), default=200, show_default=True,
              help="How many games with each set of rules.")  # fmt: skip
@click.option(
    "--seed", metavar="TEXT", help="The same seed gives the same games (default: a new one, printed)."
)
@click.option("--seat", "seats", multiple=True, metavar="NAME=AGENT",
              help="random (default), easy, club, strong, club:40 …; all=AGENT for everybody.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@on_option
@setting_options
@json_option
def compare(
    game: str, house: tuple[Path, ...], games: int, seed: str | None, seats: tuple[str, ...], jobs: int,
    scenario: str | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool,
    on: str | None,
) -> int:  # fmt: skip
    """Play the printed game and the game with house rules on the same seeds, and say what is different.

    Without --house the printed game is compared with itself on other seeds: a test of the test. Ctrl-C
    ends it early, with a report of the games so far.
    """
    from interpreter.measuring.comparison import compare_games
    from rulesdsl.cli.simulate import table_for, warn_of_clocks

    files = house_files(game_directory(game), house)
    chosen = seed or str(secrets.randbelow(10**9))
    settings = {**pairs(options, "option"), **pairs(readings, "reading")}
    again = chosen if files else f"{chosen} again"
    printed = table_for(game, (), scenario, settings, seats, chosen)
    amended = table_for(game, files, scenario, settings, seats, again)
    warn_of_clocks(amended)
    known = printed.game.warnings
    print_problems([w for w in amended.game.warnings if w not in known], to_stderr=True)
    if seed is None:
        click.echo(f"seed {chosen}", err=True)
    played = _play(printed, amended, games, jobs, on)
    names = dict(
        pair for t in (printed, amended) for pair in zip(t.players.ids, t.players.names, strict=True)
    )
    comparison = compare_games([before for before, _ in played], [after for _, after in played], names)
    if as_json:
        print_json(_as_json(amended.game, comparison, chosen, games))
    else:
        _print(amended.game, comparison, chosen, len(played))
    _tell_failures(played)
    if len(played) < games:
        click.echo(f"interrupted: these are the first {len(played)} of {games} games", err=True)
        return INTERRUPTED
    return 1 if comparison.failed else 0


def _play(
    printed: Table, amended: Table, games: int, jobs: int, on: str | None
) -> list[tuple[GameRecord, ...]]:
    """Pairs of games, as many as were played before Ctrl-C; two at least, for less tells nothing."""
    from rulesdsl.cli.simulate import played_by, progress_bar

    counted = range(min(games, RULES_COUNTED))
    played: list[tuple[GameRecord, ...]] = []
    try:
        with progress_bar(games) as advance:
            for numbers in (counted, range(len(counted), games)):
                tables = [table.counting_rules(numbers is counted) for table in (printed, amended)]
                for pair in played_by(tables, numbers, jobs, on):
                    played.append(pair)
                    advance()
    except KeyboardInterrupt:
        if len(played) < 2:
            raise
    return played


def _tell_failures(played: Sequence[tuple[GameRecord, ...]]) -> None:
    """Why games did not come to an end, and with which seed each is played again."""
    failed = [(pair, record) for pair in played for record in pair if record.failure]
    for (before, _), record in failed[:FAILURES_SHOWN]:
        rules = "printed rules" if record is before else "house rules"
        click.echo(f"game {record.number} (seed {record.seed}, {rules}) failed: {record.failure}", err=True)
    if failed:
        pairs_lost = sum(any(record.failure for record in pair) for pair in played)
        click.echo(f"{number_of(pairs_lost, 'pair')} did not come to an end", err=True)


def _print(amended: Game, comparison: Comparison, seed: str, games: int) -> None:
    from interpreter.measuring.comparison import sentences

    what = amended.full_title if amended.house else f"{amended.title} with itself"
    click.echo(f"{what}: {number_of(games, 'game')} with each set of rules, seed {seed}\n")
    if comparison.measures:
        _print_measures(comparison)
    _print_uses(amended, comparison)
    for sentence in sentences(comparison):
        click.echo(sentence)


def _print_measures(comparison: Comparison) -> None:
    rows = [("", "printed", "house rules", "difference"), *map(_row, comparison.measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, before, after, difference in rows:
        line = f"{name:{widths[0]}}  {before:>{widths[1]}}  {after:>{widths[2]}}  {difference:>{widths[3]}}"
        click.echo(line.rstrip())
    click.echo(f"\n{LEGEND}\n")


def _print_uses(amended: Game, comparison: Comparison) -> None:
    used = [use for use in comparison.uses if use.found]
    if used:
        first = f" (the first {comparison.counted})" if comparison.counted < comparison.games else ""
        click.echo(f"rules used more or less often in a game{first}")
    for use in used[:USES_SHOWN]:
        paragraph = amended.program.paragraphs.get(use.rule)
        title = paragraph.title if paragraph is not None else "(repealed)"
        click.echo(f"{use.before:>10.2f} → {use.after:<8.2f} {use.rule} {title}")
    if len(used) > USES_SHOWN:
        click.echo(f"{'':13}and {len(used) - USES_SHOWN} more")
    if used:
        click.echo()


def _row(measure: Measure) -> tuple[str, str, str, str]:
    scale, places = (100, 1) if measure.kind in ("wins", "drawn") else (1, 2)

    def around(value: float, interval: tuple[float, float]) -> str:
        low, high = interval
        return f"{scale * value:.{places}f} ({scale * low:.{places}f} to {scale * high:.{places}f})"

    name = measure.name + (" (%)" if scale == 100 else "")
    before, after = (
        around(measure.before, measure.before_interval),
        around(measure.after, measure.after_interval),
    )
    mark = " *" if measure.found else "  "
    return name, before, after, around(measure.difference, measure.interval) + mark


def _as_json(amended: Game, comparison: Comparison, seed: str, asked_for: int) -> dict[str, Any]:
    from interpreter.measuring.comparison import sentences

    return {
        "schema_version": SCHEMA_VERSION,
        "game": amended.program.game,
        "house": [rule.name for rule in amended.source.house],
        "seed": seed,
        "asked_for": asked_for,
        "games": comparison.games,
        "failed": comparison.failed,
        "same": comparison.same,
        "rules_counted": comparison.counted,
        "measures": [{**asdict(m), "found": m.found} for m in comparison.measures],
        "rules": [{**asdict(use), "found": use.found} for use in comparison.uses],
        "sentences": sentences(comparison),
    }
