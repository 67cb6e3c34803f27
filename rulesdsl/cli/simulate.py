"""`rulesdsl simulate`: many games between agents, counted."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import (
    FILE,
    GAME,
    game_directory,
    house_option,
    json_option,
    on_option,
    open_named_game,
    pairs,
    setting_options,
)
from rulesdsl.cli.output import console, number_of, print_json

if TYPE_CHECKING:
    from interpreter.measuring.results import ResultsFile
    from interpreter.measuring.simulation import GameRecord, Table

KEEP_EVERY = 1.0  # seconds between two writes to the results file
DEFAULT_SEAT = "random"
MOST_RULES = 20  # that are told to people; --json has all


@click.command()
@click.argument("game", type=GAME)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games.")
@click.option(
    "--seed", metavar="TEXT", help="The same seed gives the same games (default: a new one, printed)."
)
@click.option("--seat", "seats", multiple=True, metavar="NAME=AGENT",
              help="random (default), easy, club, strong, club:40 …; all=AGENT for everybody.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@on_option
@setting_options
@house_option
@click.option(
    "--out", type=FILE, metavar="FILE", help="Keep every game in FILE (.db or .csv); go on from there."
)
@click.option("--svg", type=FILE, metavar="FILE", help="Write the picture of the distribution to FILE, too.")
@click.option(
    "--rules", "count_rules", is_flag=True, help="Count how often each paragraph was used (slower)."
)
@json_option
def simulate(
    game: str, games: int, seed: str | None, seats: tuple[str, ...], jobs: int, scenario: str | None,
    options: tuple[str, ...], readings: tuple[str, ...], house: tuple[Path, ...], out: Path | None,
    svg: Path | None, count_rules: bool, as_json: bool, on: str | None,
) -> int:  # fmt: skip
    """Play many games and count who wins, how long they last and how they are scored.

    The results do not depend on the number of jobs. With --out a run that was interrupted goes on where it
    stopped when the same command is given again. Game N of seed S is played again by
    "rulesdsl play GAME --seed S/N" with the same seats.
    """
    new_seed = str(secrets.randbelow(10**9))
    settings = {**pairs(options, "option"), **pairs(readings, "reading")}
    table = table_for(game, house, scenario, settings, seats, seed or new_seed, count_rules)
    warn_of_clocks(table)
    if not seed:
        click.echo(f"seed {new_seed}", err=True)
    records = run_games(table, games, jobs, out, on)
    from interpreter.measuring.statistics import summary

    report = summary(records, table.facts, table.players.ids)
    if svg is not None:
        from rulesdsl.cli.map_and_counters import bars_svg

        write_file(svg, bars_svg(distributions(records, table)))
    if as_json:
        print_json(report)
    else:
        print_report(report, records, table)
    return 1 if report["failed"] else 0


def table_for(
    game: str, house: tuple[Path, ...], scenario: str | None, settings: dict[str, str],
    given_seats: tuple[str, ...], seed: str, count_rules: bool = False,
) -> Table:  # fmt: skip
    """The game with who sits at it; people cannot."""
    from interpreter.agents.seats import HUMAN, read_seats
    from interpreter.measuring.simulation import Setup, Table

    opened = open_named_game(game, house)
    players = opened.ruleset(settings, opened.scenario(scenario)).seats
    seats = dict.fromkeys(players.ids, DEFAULT_SEAT) | read_seats(given_seats, players)
    if HUMAN in seats.values():
        raise UsageError('people cannot play many games at once; use "rulesdsl play"')
    return Table(Setup(game_directory(game), house, scenario, settings, seats, seed, count_rules), opened)


def warn_of_clocks(table: Table) -> None:
    from interpreter.agents.seats import has_clock

    if any(map(has_clock, table.setup.seats.values())):
        click.echo(
            "note: who thinks by the clock does not decide the same twice; club:40 and mcts:500 do", err=True
        )


def run_games(
    table: Table, games: int, jobs: int, out: Path | None, on: str | None = None
) -> list[GameRecord]:
    """Play what is not yet in the results file, keeping every game as it comes."""
    from interpreter.measuring.results import open_results

    file = open_results(out, table) if out is not None else None
    known = {n: r for n, r in file.known().items() if n < games} if file is not None else {}
    if known:
        click.echo(f"{number_of(len(known), 'game')} found in {out}", err=True)
    missing = [number for number in range(games) if number not in known]
    fresh: list[GameRecord] = []
    try:
        with _kept(file, out) as keep, progress_bar(len(missing)) as advance:
            for (record,) in played_by((table,), missing, jobs, on):
                fresh.append(record)
                keep(record)
                advance()
    finally:
        if file is not None:
            file.close()
    if on is None and fresh and table.at_one_go and table.native.hint:
        click.echo(f"note: {table.native.hint}", err=True)
    known.update((record.number, record) for record in fresh)
    return [known[number] for number in range(games)]


def played_by(
    tables: Sequence[Table], numbers: Sequence[int], jobs: int, on: str | None
) -> Iterator[tuple[GameRecord, ...]]:
    """For each number the games of all tables: by processes of this machine, or `--on` a cluster."""
    if on is None:
        from interpreter.measuring.simulation import play_together

        return play_together(tables, numbers, jobs)
    from interpreter.studies.ordered import play_together_on

    return play_together_on(tables, numbers, jobs, on)


@contextmanager
def _kept(file: ResultsFile | None, out: Path | None) -> Iterator[Any]:
    """Writes records in small batches; whatever happens, what was played is written."""
    waiting: list[GameRecord] = []
    last = time.monotonic()

    def keep(record: GameRecord) -> None:
        nonlocal last
        if file is None:
            return
        waiting.append(record)
        if time.monotonic() - last > KEEP_EVERY:
            file.add(waiting)
            waiting.clear()
            last = time.monotonic()

    try:
        yield keep
    except KeyboardInterrupt:
        if file is not None:
            click.echo(
                f"stopped; the games so far are in {out}, the same command goes on from there", err=True
            )
        raise
    finally:
        if file is not None and waiting:
            file.add(waiting)


@contextmanager
def progress_bar(total: int) -> Iterator[Any]:
    """A bar with the time left, when somebody looks at stderr; it is told of games, one or several."""
    if not sys.stderr.isatty() or total == 0:
        yield lambda games=1: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        """By the mean of all games so far: they come in bundles, and within one they seem to take no time."""

        def render(self, task: Task) -> Text:
            return Text(time_left(task.elapsed or 0.0, int(task.completed), total))

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=console(to_stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda games=1: progress.advance(task, games)


def time_left(elapsed: float, done: int, total: int) -> str:
    """`0:02:10 left`, once a game is over."""
    if not done:
        return "time left unknown"
    seconds = round(elapsed / done * (total - done))
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"


def distributions(records: list[GameRecord], table: Table) -> list[tuple[str, dict[str, int]]]:
    """What is drawn: results, lengths, and the lead of the first player where there are scores."""
    from interpreter.measuring.statistics import result_counts
    from rulesdsl.cli.map_and_counters import ranges

    finished = [record for record in records if not record.failure]
    parts = [("results", result_counts(finished, table.players.ids))]
    turns = [record.turns for record in finished if record.turns is not None]
    if turns and len(set(turns)) > 1:
        parts.append(("length in turns", ranges(turns)))
    parts.append(("length in decisions", ranges([record.decisions for record in finished])))
    if len(table.players) == 2 and any(record.scores for record in finished):
        one, other = table.players.ids
        leads = [int(Fraction(r.scores[one]) - Fraction(r.scores[other])) for r in finished if r.scores]
        parts.append((f"lead of {table.players.names[0]}", ranges(leads)))
    return parts


def print_report(report: dict[str, Any], records: list[GameRecord], table: Table) -> None:
    """The report for people: at most 80 columns, no colours needed."""
    from rulesdsl.cli.map_and_counters import bars

    seats = ", ".join(f"{seat} {kind}" for seat, kind in report["seats"].items())
    scenario = f", scenario {report['scenario']}" if report["scenario"] else ""
    click.echo(
        f"{table.game.full_title}{scenario}: {number_of(report['games'], 'game')}, seed {report['seed']}"
    )
    click.echo(f"seats: {seats}")
    for title, counts in distributions(records, table):
        click.echo(f"\n{title}")
        notes = {name: _percent(share) for name, share in report["shares"].items()}
        for line in bars(counts, notes if title == "results" else None):
            click.echo(line)
    click.echo()
    for reason, count in list(report["reasons"].items())[:8]:
        click.echo(f"{count:>6}  {reason or 'no reason given'}")
    means = [f"{player} {mean}" for player, mean in report["mean_score"].items()]
    if means:
        click.echo(f"mean score: {', '.join(means)}")
    click.echo(f"mean length: {report['mean_turns']} ({report['turns_counted_by']})")
    used = report.get("rule_counts", {})
    if used:
        shown = f", the first {MOST_RULES} of {len(used)}" if len(used) > MOST_RULES else ""
        click.echo(f"\nhow often each paragraph was used{shown}")
    for paragraph, count in list(used.items())[:MOST_RULES]:
        known = table.game.program.paragraphs.get(paragraph)
        click.echo(f"{count:>10}  {paragraph} {known.title if known is not None else ''}")
    for failure in report["failures"][:10]:
        click.echo(f"game {failure['game']} (seed {failure['seed']}) failed: {failure['why']}", err=True)
    if report["failed"]:
        click.echo(f"{number_of(report['failed'], 'game')} failed", err=True)


def _percent(share: dict[str, Any]) -> str:
    low, high = share["interval"]
    return f"({100 * share['share']:.1f} %, {100 * low:.1f} to {100 * high:.1f})"
