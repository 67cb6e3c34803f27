"""`rulesdsl diff` and `rulesdsl compare`: what house rules change, and what that does to the game."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.cli.arguments import (
    GAME,
    game_directory,
    house_files,
    house_option,
    json_option,
    open_named_game,
    pairs,
    setting_options,
)
from rulesdsl.cli.output import number_of, print_json, print_problems
from rulesdsl.diagnostics import RulebookError, UsageError, errors

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulating.comparison import Comparison, Measure
    from interpreter.simulating.simulation import GameRecord

SCHEMA_VERSION = 1
USES_SHOWN = 12
RULES_COUNTED = 100  # pairs of games in which the use of rules is counted: that takes several times as long


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


@click.command()
@click.argument("game", type=GAME)
@house_option
@click.option("--games", type=click.IntRange(min=2), default=200, show_default=True,
              help="How many games with each set of rules.")  # fmt: skip
@click.option(
    "--seed", metavar="TEXT", help="The same seed gives the same games (default: a new one, printed)."
)
@click.option("--seat", "seats", multiple=True, metavar="NAME=AGENT",
              help="random (default), greedy, mcts, mcts:2s, mcts:500; all=AGENT for everybody.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@setting_options
@json_option
def compare(
    game: str, house: tuple[Path, ...], games: int, seed: str | None, seats: tuple[str, ...], jobs: int,
    scenario: str | None, options: tuple[str, ...], readings: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Play the printed game and the game with house rules on the same seeds, and say what is different.

    Without --house the printed game is compared with itself on other seeds: a test of the test.
    """
    from interpreter.simulating.comparison import compare_games
    from rulesdsl.cli.simulate import progress_bar

    files = house_files(game_directory(game), house)
    printed, amended = open_named_game(game), open_named_game(game, files)
    print_problems([w for w in amended.warnings if w not in printed.warnings], to_stderr=True)
    chosen = seed or str(secrets.randbelow(10**9))
    if seed is None:
        click.echo(f"seed {chosen}", err=True)
    settings = {**pairs(options, "option"), **pairs(readings, "reading")}
    again = chosen if files else f"{chosen} again"
    with progress_bar(2 * games) as advance:
        before = _play(printed, game, (), scenario, settings, seats, chosen, games, jobs, advance)
        after = _play(amended, game, files, scenario, settings, seats, again, games, jobs, advance)
    both = [opened.ruleset(settings, opened.scenario(scenario)).seats for opened in (printed, amended)]
    names = dict(pair for players in both for pair in zip(players.ids, players.names, strict=True))
    comparison = compare_games(before, after, names)
    if as_json:
        print_json(_as_json(amended, comparison, chosen))
    else:
        _print(amended, comparison, chosen, games)
    return 1 if comparison.failed else 0


def _play(
    opened: Game, game: str, house: tuple[Path, ...], scenario: str | None, settings: dict[str, str],
    seats: tuple[str, ...], seed: str, games: int, jobs: int, advance: Callable[[], None],
) -> list[GameRecord]:  # fmt: skip
    from interpreter.agents.seats import HUMAN, read_seats
    from interpreter.simulating.simulation import Setup, Table, play_games

    players = opened.ruleset(settings, opened.scenario(scenario)).seats
    sitting = dict.fromkeys(players.ids, "random") | read_seats(seats, players)
    if HUMAN in sitting.values():
        raise UsageError('people cannot be compared; use "rulesdsl play"')
    setup = Setup(game_directory(game), house, scenario, settings, sitting, seed)
    counted = range(min(games, RULES_COUNTED))
    records: list[GameRecord] = []
    for numbers in (counted, range(len(counted), games)):
        table = Table(replace(setup, count_rules=numbers is counted), opened)
        for record in play_games(table, numbers, jobs):
            records.append(record)
            advance()
    return records


def _print(amended: Game, comparison: Comparison, seed: str, games: int) -> None:
    from interpreter.simulating.comparison import sentences

    what = amended.full_title if amended.house else f"{amended.title} with itself"
    click.echo(f"{what}: {number_of(games, 'game')} with each set of rules, seed {seed}\n")
    rows = [("", "printed", "house rules", "difference"), *map(_row, comparison.measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, before, after, difference in rows:
        line = f"{name:{widths[0]}}  {before:>{widths[1]}}  {after:>{widths[2]}}  {difference:>{widths[3]}}"
        click.echo(line.rstrip())
    used = [use for use in comparison.uses if use.found]
    if used:
        first = f" (the first {comparison.counted})" if comparison.counted < comparison.games else ""
        click.echo(f"\nrules used more or less often in a game{first}")
    for use in used[:USES_SHOWN]:
        paragraph = amended.program.paragraphs.get(use.rule)
        title = paragraph.title if paragraph is not None else "(repealed)"
        click.echo(f"{use.before:>10.2f} → {use.after:<8.2f} {use.rule} {title}")
    if len(used) > USES_SHOWN:
        click.echo(f"{'':13}and {len(used) - USES_SHOWN} more")
    click.echo()
    for sentence in sentences(comparison):
        click.echo(sentence)
    if comparison.failed:
        click.echo(f"{number_of(comparison.failed, 'pair')} did not come to an end", err=True)


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


def _as_json(amended: Game, comparison: Comparison, seed: str) -> dict[str, Any]:
    from interpreter.simulating.comparison import sentences

    return {
        "schema_version": SCHEMA_VERSION,
        "game": amended.program.game,
        "house": [rule.name for rule in amended.source.house],
        "seed": seed,
        "games": comparison.games,
        "failed": comparison.failed,
        "same": comparison.same,
        "rules_counted": comparison.counted,
        "measures": [{**asdict(m), "found": m.found} for m in comparison.measures],
        "rules": [{**asdict(use), "found": use.found} for use in comparison.uses],
        "sentences": sentences(comparison),
    }
