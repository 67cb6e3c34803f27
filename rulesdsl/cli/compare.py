"""`rulesdsl compare`: what house rules do to a game, played out on the same seeds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rulesdsl.base.published import published
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
from rulesdsl.cli.output import console, number_of, print_json, print_problems

if TYPE_CHECKING:
    from interpreter.measuring.comparison import Comparison, Measure
    from interpreter.measuring.effect import Effect
    from interpreter.measuring.sequential import Sequential
    from interpreter.measuring.simulation import GameRecord, Table
    from interpreter.playing.game import Game

SCHEMA_VERSION = 1
USES_SHOWN = 12
FAILURES_SHOWN = 5
LEGEND = "in brackets: 95 % intervals; * more than luck, all lines judged together"
AT_EVERY_LOOK = (
    "in brackets: intervals that hold at every look (95 %); * more than luck, all lines judged together"
)
MOST_WATCHED = 10_000  # games with each set of rules, when nobody says how many
FEW_COUNTED = 40  # of a comparison that stops by itself
RULES_COUNTED = 100  # pairs of games in which the use of rules is counted: that takes several times as long


@click.command()
@click.argument("game", type=GAME)
@house_option
@click.option("--games", type=click.IntRange(min=2), default=200, show_default=True,
              help="How many games with each set of rules.")  # fmt: skip
@click.option("--until-clear", is_flag=True,
              help="Stop when it is known of everybody whether he wins more, less, or within 5 points; "
                   "--games is then the most (default: 10000).")  # fmt: skip
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
    on: str | None, until_clear: bool,
) -> int:  # fmt: skip
    """Play the printed game and the game with house rules on the same seeds, and say what is different.

    With --until-clear one may watch, and stop whenever one likes: its intervals hold at every look. Without
    --house the printed game is compared with itself on other seeds: a test of the test. Ctrl-C
    ends it early, with a report of the games so far.
    """
    from interpreter.measuring.always import broken_always
    from interpreter.measuring.always import told as told_broken
    from interpreter.measuring.comparison import compare_games, sentences
    from interpreter.measuring.effect import effects
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
    names = dict(
        pair for t in (printed, amended) for pair in zip(t.players.ids, t.players.names, strict=True)
    )
    if until_clear:
        from interpreter.measuring.sequential import Sequential, conclusions

        if click.get_current_context().get_parameter_source("games") is ParameterSource.DEFAULT:
            games = MOST_WATCHED
        so_far = Sequential(names)
        played = _play_until_clear(printed, amended, games, jobs, on, so_far)
        comparison, said = so_far.comparison(), conclusions(so_far)
    else:
        played = _play(printed, amended, games, jobs, on)
        comparison = compare_games([before for before, _ in played], [after for _, after in played], names)
        said = sentences(comparison)
    found = effects(amended.game, [(before, after) for before, after in played])
    broken = [told_broken(amended.game, one) for one in broken_always(amended.game)]
    said = [*said, *(f"{words[0].upper()}{words[1:]}." for words in broken)]
    if as_json:
        told = _as_json(amended.game, comparison, chosen, games, said, found)
        print_json({**told, "until_clear": True, "clear": so_far.clear} if until_clear else told)
    else:
        _print(amended.game, comparison, chosen, len(played), found, said, until_clear)
    _tell_failures(played)
    if until_clear and so_far.clear:
        return 1 if comparison.failed else 0
    if until_clear and not as_json and len(played) == games:
        click.echo(f"not everything was clear after {number_of(games, 'pair')} of games", err=True)
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


def _play_until_clear(
    printed: Table, amended: Table, most: int, jobs: int, on: str | None, so_far: Sequential
) -> list[tuple[GameRecord, ...]]:
    """Pairs of games until it is clear, there are enough, or Ctrl-C."""
    from rulesdsl.cli.simulate import played_by

    counted = range(min(most, FEW_COUNTED))
    played: list[tuple[GameRecord, ...]] = []
    try:
        with _watched() as show:
            for numbers in (counted, range(len(counted), most)):
                tables = [table.counting_rules(numbers is counted) for table in (printed, amended)]
                for pair in played_by(tables, numbers, jobs, on):
                    played.append(pair)
                    so_far.add(*pair)
                    show(so_far)
                    if so_far.clear:
                        return played
    except KeyboardInterrupt:
        if len(played) < 2:
            raise
    return played


@contextmanager
def _watched() -> Iterator[Any]:
    """A line that grows more certain, when somebody looks at stderr."""
    screen = console(to_stderr=True)
    if not screen.is_terminal:
        yield lambda so_far: None
        return
    import time

    last = 0.0
    with screen.status("playing …") as status:

        def show(so_far: Sequential) -> None:
            nonlocal last
            if time.monotonic() - last > 0.5 and so_far.games:
                last = time.monotonic()
                balance = [m for m in so_far.comparison().measures if m.kind == "wins"]
                told = ", ".join(f"{m.name.removeprefix('won by ')} {_row(m)[3].strip()}" for m in balance)
                status.update(f"{number_of(so_far.games, 'pair')} of games: {told}")

        yield show


def _tell_failures(played: Sequence[tuple[GameRecord, ...]]) -> None:
    """Why games did not come to an end, and with which seed each is played again."""
    failed = [(pair, record) for pair in played for record in pair if record.failure]
    for (before, _), record in failed[:FAILURES_SHOWN]:
        rules = "printed rules" if record is before else "house rules"
        click.echo(f"game {record.number} (seed {record.seed}, {rules}) failed: {record.failure}", err=True)
    if failed:
        pairs_lost = sum(any(record.failure for record in pair) for pair in played)
        click.echo(f"{number_of(pairs_lost, 'pair')} did not come to an end", err=True)


def _print(
    amended: Game, comparison: Comparison, seed: str, games: int, found: Sequence[Effect],
    said: Sequence[str], until_clear: bool,
) -> None:  # fmt: skip
    what = amended.full_title if amended.house else f"{amended.title} with itself"
    click.echo(f"{what}: {number_of(games, 'game')} with each set of rules, seed {seed}\n")
    if comparison.measures:
        _print_measures(comparison, AT_EVERY_LOOK if until_clear else LEGEND)
    _print_effects(found, min(games, FEW_COUNTED if until_clear else RULES_COUNTED), games)
    _print_uses(amended, comparison)
    for sentence in said:
        click.echo(sentence)


def _print_effects(found: Sequence[Effect], counted: int, games: int) -> None:
    from interpreter.measuring.effect import effect_lines

    if not found:
        return
    click.echo("what the house rules did" + (f" (the first {counted} games)" if counted < games else ""))
    for line in effect_lines(found):
        click.echo(f"  {line}")
    click.echo()


def _print_measures(comparison: Comparison, legend: str) -> None:
    rows = [("", "printed", "house rules", "difference"), *map(_row, comparison.measures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, before, after, difference in rows:
        line = f"{name:{widths[0]}}  {before:>{widths[1]}}  {after:>{widths[2]}}  {difference:>{widths[3]}}"
        click.echo(line.rstrip())
    click.echo(f"\n{legend}\n")


def _print_uses(amended: Game, comparison: Comparison) -> None:
    used = [use for use in comparison.uses if use.found]
    if used:
        first = f" (the first {comparison.counted})" if comparison.counted < comparison.games else ""
        click.echo(f"rules used more or less often in a game{first}")
    for use in used[:USES_SHOWN]:
        paragraph = amended.program.paragraphs.get(use.paragraph)
        title = paragraph.title if paragraph is not None else "(repealed)"
        click.echo(f"{use.before:>10.2f} → {use.after:<8.2f} {use.paragraph} {title}")
    if len(used) > USES_SHOWN:
        click.echo(f"{'':13}and {len(used) - USES_SHOWN} more")
    if used:
        click.echo()


def _row(measure: Measure) -> tuple[str, str, str, str]:
    scale, places = (100, 1) if measure.kind in ("wins", "drawn") else (1, 2)

    def around(value: float, interval: tuple[float, float]) -> str:
        low, high = interval
        if high == float("inf"):
            return f"{scale * value:.{places}f}"  # too few games for an interval that holds
        return f"{scale * value:.{places}f} ({scale * low:.{places}f} to {scale * high:.{places}f})"

    name = measure.name + (" (%)" if scale == 100 else "")
    before, after = (
        around(measure.before, measure.before_interval),
        around(measure.after, measure.after_interval),
    )
    mark = " *" if measure.found else "  "
    return name, before, after, around(measure.difference, measure.interval) + mark


def _as_json(
    amended: Game, comparison: Comparison, seed: str, asked_for: int, said: Sequence[str],
    found: Sequence[Effect],
) -> dict[str, Any]:  # fmt: skip
    from interpreter.measuring.comparison import measure_json
    from interpreter.measuring.effect import effects_json

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
        "measures": [measure_json(m) for m in comparison.measures],
        "rules": [{**published(use), "found": use.found} for use in comparison.uses],
        "effects": effects_json(found),
        "sentences": list(said),
    }
