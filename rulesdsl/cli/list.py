"""`rulesdsl list`: what there is to play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.resources import GAME_FILE, data_dir, shipped_games
from rulesdsl.cli.arguments import json_option
from rulesdsl.cli.output import console, number_of, print_json

if TYPE_CHECKING:
    from rulesdsl.base.source import SourceFile
    from rulesdsl.book.game_file import GameFile

LESSONS = "tutorial/"  # the shelf of games to begin with


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of `rulesdsl list`."""

    name: str
    title: str
    summary: str
    players: tuple[str, ...]
    scenarios: tuple[str, ...]
    house: tuple[str, ...]
    seats: Mapping[str, tuple[str, ...]]  # by scenario, as `--seat` names them


@click.command("list")
@json_option
def list_games(as_json: bool) -> None:
    """The games that came with this installation, with their scenarios and house rules.

    With --json also who sits at the table in each scenario.
    """
    games = [_listed(name) for name in shipped_games()]
    if as_json:
        keys = Listed.__dataclass_fields__
        told = [replace(game, seats=_seats(game)) for game in games]
        print_json({"games": [{key: getattr(game, key) for key in keys} for game in told]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for game in games:
        seats = f" For {number_of(len(game.players), 'player')}." if game.players else ""
        scenarios = f" Scenarios: {', '.join(game.scenarios)}." if len(game.scenarios) > 1 else ""
        house = f" House rules: {', '.join(game.house)}." if game.house else ""
        table.add_row(game.name, f"{game.title}. {game.summary}{seats}{scenarios}{house}")
    console().print(table)
    if lessons := [game.name for game in games if game.name.startswith(LESSONS)]:
        console().print(f"\nTo begin with: {', '.join(lessons)}", highlight=False)


def _listed(name: str) -> Listed:
    """Only `game.yaml` is read: a list must not wait for rulebooks, nor fail because of one."""
    from rulesdsl.base.cache import remembered
    from rulesdsl.base.limits import DEFAULT
    from rulesdsl.base.textfile import read_source

    directory = data_dir("games") / name
    scenarios = tuple(sorted(path.stem for path in (directory / "scenarios").glob("*.yaml")))
    house = tuple(sorted(path.stem for path in (directory / "house").glob("*.md")))
    try:
        file = read_source(directory / GAME_FILE, DEFAULT.yaml_file_bytes)
        game, _ = remembered("build_game_file", file, lambda: _game_file(file))
    except RulebookError:
        game = None
    if game is None:
        return Listed(
            name, name, f'its {GAME_FILE} has errors: see "rulesdsl check {name}"', (), scenarios, house, {}
        )
    seats = dict.fromkeys(scenarios, tuple(p.id for p in game.players))
    names = tuple(p.name for p in game.players)
    return Listed(name, game.title, game.summary, names, scenarios, house, seats)


def _game_file(file: SourceFile) -> tuple[GameFile | None, list[Diagnostic]]:
    from rulesdsl.book.game_file import build_game_file
    from rulesdsl.book.yaml.file import load_yaml

    return build_game_file(load_yaml(file))


def _seats(game: Listed) -> Mapping[str, tuple[str, ...]]:
    """Who takes part in each scenario. Few rulebooks say so, and only those need to be read.

    Of one with mistakes nothing is told.
    """
    from rulesdsl.book.texts import read_texts
    from rulesdsl.language.conventions import TAKES_PART

    directory = data_dir("games") / game.name
    files, unreadable = read_texts(directory)
    if not unreadable and not any(TAKES_PART in file.text for file in files if file.path.suffix == ".md"):
        return game.seats
    from importlib.util import find_spec

    from rulesdsl.base.cache import remembered_for, stamp_of

    back_end = find_spec("interpreter")
    if unreadable or back_end is None:
        return {}
    # Rules are run to find out, so the answer depends on what runs them, too.
    stamp = stamp_of(*(Path(folder) for folder in back_end.submodule_search_locations or ()))
    return remembered_for(f"seats-{stamp[:16]}", files, lambda: _seats_by_the_rules(directory))


def _seats_by_the_rules(directory: Path) -> Mapping[str, tuple[str, ...]]:
    from interpreter.playing.game import open_game

    try:
        opened = open_game(str(directory))
    except RulebookError:
        return {}
    return {
        name: opened.ruleset({}, scenario).seats.ids for name, scenario in opened.source.scenarios.items()
    }
