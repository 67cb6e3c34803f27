"""`rulesdsl check`: everything that is wrong, all at once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, errors, to_json
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.cli.arguments import GAME, game_directory, house_files, house_option, json_option
from rulesdsl.cli.output import number_of, print_json, print_problems
from rulesdsl.pipeline.checked import problems_of

SCHEMA_VERSION = 1
POLL_SECONDS = 0.2


@click.command()
@click.argument("games", nargs=-1, type=GAME, metavar="[GAME]…")
@house_option
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
@click.option("--fix", is_flag=True, help="Make the changes that messages propose, where they help.")
@click.option(
    "--explain", is_flag=True, help="Read every rule back as a sentence (with house rules: what they change)."
)
@click.option("--wordings", is_flag=True, help="Warn where a name alone makes no sentence for players.")
@click.option("--watch", is_flag=True, help="Stay, and check again whenever a file changes.")
def check(
    games: tuple[str, ...], house: tuple[Path, ...], as_json: bool, strict: bool, watch: bool, fix: bool,
    explain: bool, wordings: bool,
) -> int:  # fmt: skip
    """Check games: names, types, tables, exceptions, everything that can be known before play.

    Without a GAME every shipped game is checked. Exit code 0 when there are no errors, 1 when there are,
    2 when a game cannot be found.
    """
    if house and len(games) != 1:
        raise UsageError("--house belongs to one game: name exactly one")
    if watch:
        if len(games) != 1 or as_json:
            raise UsageError("--watch looks at one game: name exactly one, without --json")
        directory = game_directory(games[0])
        return _watch(games[0], directory, tuple(dict.fromkeys(house_files(directory, house))))
    if (fix or explain) and (len(games) != 1 or as_json):
        raise UsageError("--fix and --explain look at one game: name exactly one, without --json")
    if fix:
        from rulesdsl.cli.fixes import fix_files

        fix_files(game_directory(games[0]), house)
    if explain:
        from rulesdsl.cli.fixes import explain_rules

        explain_rules(game_directory(games[0]), house)
    names = games or tuple(shipped_games())
    # A misspelt name is told before the first check. A directory here may have the name of a shipped game.
    directories = [game_directory(name) if games else data_dir("games") / name for name in names]
    found: list[Diagnostic] = []
    for name, directory in zip(names, directories, strict=True):
        problems = [*problems_of(directory, house)]
        problems += _of_the_set_up(directory, house, problems)
        problems += _of_translations(directory, problems)
        problems += _of_wordings(directory, house, problems) if wordings else []
        found += problems
        if not as_json:
            print_problems(problems)
            click.echo(f"{name}: {_counted(problems)}", file=sys.stderr if problems else sys.stdout)
    wrong = errors(found)
    warnings = [p for p in found if p.severity == "warning"]
    if as_json:
        print_json(
            {
                "schema_version": SCHEMA_VERSION,
                "errors": [to_json(p) for p in wrong],
                "warnings": [to_json(p) for p in warnings],
            }
        )
    return 1 if wrong or (strict and warnings) else 0


def _of_the_set_up(directory: Path, house: tuple[Path, ...], problems: list[Diagnostic]) -> list[Diagnostic]:
    """What only shows when the pieces stand on the map: whoever plays is told it, so `check` must say it."""
    if not house or errors(problems):
        return []
    from interpreter.playing.game import open_game

    try:
        open_game(directory, house)
    except RulebookError as error:
        return error.problems
    except UsageError:  # taken away this very moment: whoever watches will see it
        pass
    return []


def _of_wordings(directory: Path, house: tuple[Path, ...], problems: list[Diagnostic]) -> list[Diagnostic]:
    """Names that the handbook and the answers cannot make a sentence of."""
    if errors(problems):
        return []
    from rulesdsl.editing.desk import Desk
    from rulesdsl.speaking.wanted_wordings import wanted_wordings

    return list(wanted_wordings(Desk(directory, house_files(directory, house)).view()[2]))


def _of_translations(directory: Path, problems: list[Diagnostic]) -> list[Diagnostic]:
    """Prose in other languages: a paragraph that is missing, a number that is another one."""
    rules = directory / "rules"
    if errors(problems) or not (rules.is_dir() and any(p.is_dir() for p in rules.iterdir())):
        return []
    from rulesdsl.base.source import SourceFile, Span
    from rulesdsl.book.loader import load_game
    from rulesdsl.handbook.translations import languages_of, slips

    source, _ = load_game(directory)
    found: list[Diagnostic] = []
    for language in languages_of(source) if source is not None else ():
        assert source is not None
        for slip in slips(source, language):
            text = slip.file.read_text("utf-8") if slip.file.is_file() else ""
            span = Span(SourceFile(slip.file, text), slip.line, 1)
            found.append(Diagnostic("translation", slip.text, span, severity="warning"))
    return found


def _watch(name: str, directory: Path, house: tuple[Path, ...]) -> int:
    """Check, wait for a change, check again, until Ctrl-C."""
    from time import perf_counter, sleep

    from rulesdsl.pipeline.workspace import Workspace

    seen = _stamps(directory, house)  # taken before reading: a file saved meanwhile is read once more
    begun = perf_counter()
    workspace = Workspace(directory, house=house)
    while True:
        problems = workspace.problems()
        problems += _of_the_set_up(directory, house, problems)
        took = (perf_counter() - begun) * 1000
        print_problems(problems)
        click.echo(f"{name}: {_counted(problems)} ({took:.0f} ms); waiting for changes, Ctrl-C ends")
        sys.stdout.flush()
        changed: list[Path] = []
        while not changed:
            while (now := _stamps(directory, house)) == seen:
                sleep(POLL_SECONDS)
            seen, begun = now, perf_counter()
            changed = workspace.reread()  # saved without a change: nothing to say
        click.echo(f"\n{', '.join(path.name for path in changed)} changed")


def _stamps(directory: Path, house: tuple[Path, ...]) -> dict[Path, tuple[int, int]]:
    """When the files of a game and its house rules were written, and how long they are."""
    from rulesdsl.book.texts import game_paths

    found: dict[Path, tuple[int, int]] = {}
    for path in (*game_paths(directory), *house):
        with contextlib.suppress(OSError):  # an editor may replace a file this very moment
            stat = path.stat()
            found[path] = stat.st_mtime_ns, stat.st_size
    return found


def _counted(problems: Sequence[Diagnostic]) -> str:
    if not problems:
        return "no problems"
    wrong = len(errors(problems))
    parts = [number_of(wrong, "error")] if wrong else []
    if len(problems) > wrong:
        parts.append(number_of(len(problems) - wrong, "warning"))
    return ", ".join(parts)
