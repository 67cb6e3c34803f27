"""`rulesdsl study run|status|report`: questions of balance, asked in a file."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import FILE, json_option, on_option
from rulesdsl.cli.failures import Failure
from rulesdsl.cli.output import number_of, print_json

if TYPE_CHECKING:
    from interpreter.studies.columns import Rows
    from interpreter.studies.studyfile import Study


@click.group()
def study() -> None:
    """Ask a question of balance in a file, have it played on one machine or a hundred, read the report."""


@study.command()
@click.argument("file", type=FILE)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes to use.")
@on_option
@click.option(
    "--out", type=FILE, metavar="DIR", help="Where the games are kept (default: FILE without .yaml)."
)
@json_option
def run(file: Path, jobs: int, on: str | None, out: Path | None, as_json: bool) -> int:
    """Play the games of a study, or those that are still missing.

    Every game is kept in DIR as it comes: a run that was cut goes on where it stopped when the same command
    is given again. The games are the same for any number of processes and machines.
    """
    from interpreter.studies.crews import PlayerLost
    from interpreter.studies.hiring import make_crew
    from interpreter.studies.running import run_study
    from interpreter.studies.store import Store
    from interpreter.studies.studyfile import read_study
    from rulesdsl.cli.simulate import progress_bar

    asked = read_study(file)
    _warn_of_clocks(asked)
    directory = out or file.with_suffix("")
    store = Store(directory, asked)
    crew = make_crew(jobs, on)
    known, begun = len(store.rows), time.monotonic()
    if known:
        click.echo(f"{number_of(known, 'game')} found in {directory}", err=True)
    most = asked.stopping.most * len(asked.arms)
    try:
        with progress_bar(max(0, most - known)) as advance:
            run_study(asked, store, crew, advance)
    except (OSError, PlayerLost) as error:
        why = getattr(error, "strerror", "") or str(error)
        kept = f"{number_of(store.kept, 'game')} kept in {directory}" if store.kept else "nothing was kept"
        again = "the same command goes on from there"
        raise Failure(f"the study stopped: {why.lower()}; {kept}, {again}") from None
    except KeyboardInterrupt:
        click.echo(f"stopped; {number_of(store.kept, 'game')} kept in {directory}, ", nl=False, err=True)
        click.echo("the same command goes on from there", err=True)
        raise
    finally:
        crew.close()
        store.close()
    played, seconds = len(store.rows) - known, time.monotonic() - begun
    click.echo(f"{number_of(played, 'game')} played in {seconds:.1f} s", err=True)
    found = _summary(asked, store.rows, directory)
    if as_json:
        print_json(found)
    else:
        _print(found)
    return 1 if found["failed"] else 0


@study.command()
@click.argument("directory", type=FILE, metavar="DIR")
@json_option
def status(directory: Path, as_json: bool) -> int:
    """How far a study has come."""
    from interpreter.studies.store import progress_of

    found = progress_of(directory)
    played, wanted = sum(games for _, games, *_ in found.arms), found.most * len(found.arms)
    if as_json:
        arms = [{"arm": a, "games": g, "failed": f, "results": r} for a, g, f, r in found.arms]
        found_so_far = {"done": found.done, "running": found.running, "games": played, "at_most": wanted}
        print_json({"schema_version": 1, "study": found.study, **found_so_far, "arms": arms})
        return 0
    state = "done" if found.done else "running" if found.running else "not finished"
    click.echo(f"{found.study}: {number_of(played, 'game')} of at most {wanted}, {state}")
    _print_arms([(arm, games, failed, results) for arm, games, failed, results in found.arms])
    return 0


@study.command()
@click.argument("directory", type=FILE, metavar="DIR")
@click.option("--out", type=FILE, metavar="FILE", help="Write the page to FILE (default: DIR/report.html).")
@click.option("--no-pdf", is_flag=True, help="Only the page, no PDF beside it.")
@json_option
def report(directory: Path, out: Path | None, no_pdf: bool, as_json: bool) -> int:
    """Make the report of a study: one HTML page, and the same as a PDF."""
    from interpreter.studies.findings import findings_of
    from interpreter.studies.page import write_page
    from interpreter.studies.store import engines_of, kept_study, read_rows

    asked = kept_study(directory)
    rows = dict(read_rows(directory, asked))
    if not rows:
        raise UsageError(f"{directory}: no game was played yet")
    found = findings_of(asked, rows, engines_of(directory))
    page = out or directory / "report.html"
    write_page(found, page)
    written = [page]
    if not no_pdf:
        from interpreter.studies.paper import missing_typst, write_paper

        if why := missing_typst():
            click.echo(f"note: no PDF: {why}", err=True)
        else:
            written.append(page.with_suffix(".pdf"))
            write_paper(found, written[-1])
    if as_json:
        print_json({"schema_version": 1, "written": list(map(str, written)), "sentences": found.sentences})
        return 0
    for sentence in found.sentences:
        click.echo(sentence)
    for path in written:
        click.echo(f"written: {path}", err=True)
    return 0


def _warn_of_clocks(asked: Study) -> None:
    from interpreter.agents.seats import has_clock

    if any(has_clock(kind) for arm in asked.arms for kind in arm.setup.seats.values()):
        click.echo(
            "note: who thinks by the clock does not decide the same twice; club:40 and mcts:500 do", err=True
        )


def _summary(asked: Study, rows: Rows, directory: Path) -> dict[str, Any]:
    from interpreter.measuring.statistics import result_counts
    from interpreter.studies.running import looks_taken, records_of

    looks = looks_taken(asked, rows)
    done = bool(looks) and looks[-1].enough
    wanted = looks[-1].games if done else asked.stopping.most
    arms = []
    for arm in asked.arms:
        records = records_of(arm, rows, asked.stopping.most)
        finished = [record for record in records if not record.failure]
        arms.append({"arm": arm.name, "games": len(records), "failed": len(records) - len(finished),
                     "results": result_counts(finished, list(arm.setup.seats))})  # fmt: skip
    return {
        "schema_version": 1, "study": asked.id, "directory": str(directory), "games": len(rows),
        "wanted": wanted * len(asked.arms), "failed": sum(arm["failed"] for arm in arms), "done": done,
        "arms": arms, "within": asked.stopping.within or None,
        "looks": [{"games": x.games, "points": round(x.widest, 4), "enough": x.enough} for x in looks],
    }  # fmt: skip


def _print(found: dict[str, Any]) -> None:
    state = "done" if found["done"] else "not finished"
    click.echo(f"{found['study']}: {found['games']} of {number_of(found['wanted'], 'game')}, {state}")
    _print_arms([(arm["arm"], arm["games"], arm["failed"], arm["results"]) for arm in found["arms"]])
    for look in found["looks"]:
        said = (
            "" if found["within"] is None else f", {'not ' if look['points'] > found['within'] else ''}enough"
        )
        click.echo(f"  after {look['games']} games an arm: within {look['points']:.1f} points{said}")


def _print_arms(arms: Sequence[tuple[str, int, int, Mapping[str, int]]]) -> None:
    width = max(len(name) for name, *_ in arms)
    for name, games, failed, results in arms:
        counts = ", ".join(f"{result} {count}" for result, count in results.items())
        lost = f", {failed} failed" if failed else ""
        click.echo(f"  {name:{width}}  {games:>7}  {counts}{lost}")
